// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/library_panel.h"

#include "app/panels/badge_label.h"
#include "app/style/fonts.h"
#include "app/style/icons.h"
#include "app/style/tokens.h"

#include <QAction>
#include <QBoxLayout>
#include <QGridLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QSortFilterProxyModel>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QTreeView>
#include <map>

namespace ridgepoint::app {

namespace {

constexpr int kindRole = Qt::UserRole + 1, idRole = Qt::UserRole + 2, noteRole = Qt::UserRole + 3, wordsRole = Qt::UserRole + 4;

/// Text at the left, a count or a size at the right.
class EntryDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {100, 24}; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Tokens& t = tokens();
        const bool leaf = index.data(idRole).isValid();
        painter->save();
        if (option.state & QStyle::State_Selected)
            painter->fillRect(option.rect, t.selection);
        int left = option.rect.left() + 4;
        if (leaf) {
            index.data(Qt::DecorationRole).value<QIcon>().paint(painter, QRect(left, option.rect.top() + 4, 16, 16));
            left += 21;
        }
        const QString note = index.data(noteRole).toString();
        painter->setFont(numberFont(8.5));
        const int noteWidth = note.isEmpty() ? 0 : painter->fontMetrics().horizontalAdvance(note) + 10;
        painter->setPen(t.faint);
        painter->drawText(option.rect.adjusted(0, 0, -6, 0), Qt::AlignVCenter | Qt::AlignRight, note);
        painter->setFont(textFont(9.5, index.parent().isValid() ? QFont::Normal : QFont::DemiBold));
        painter->setPen(t.text);
        const int width = option.rect.right() - left - noteWidth;
        painter->drawText(QRect(left, option.rect.top(), width, option.rect.height()), Qt::AlignVCenter | Qt::AlignLeft,
                          painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, width));
        painter->restore();
    }
};

class Filter : public QSortFilterProxyModel
{
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;
    void search(const QString& text)
    {
        m_words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
        invalidateFilter();
    }

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override
    {
        const QModelIndex index = sourceModel()->index(row, 0, parent);
        if (m_words.isEmpty())
            return true;
        if (!index.data(idRole).isValid())
            return false;   // shown when a child is
        const QString text = index.data().toString() + QLatin1Char(' ') + index.data(wordsRole).toString();
        return std::all_of(m_words.begin(), m_words.end(),
                           [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
    }

private:
    QStringList m_words;
};

QLabel* label(const QString& content, const QFont& font, const QColor& colour)
{
    auto* result = new QLabel(content);
    result->setFont(font);
    QPalette palette = result->palette();
    palette.setColor(QPalette::WindowText, colour);
    result->setPalette(palette);
    result->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return result;
}

} // namespace

LibraryPanel::LibraryPanel(QWidget* parent)
    : QWidget(parent), m_search(new QLineEdit), m_tree(new QTreeView), m_model(new QStandardItemModel(this)),
      m_filter(new Filter(this)), m_none(new QLabel), m_detail(new QWidget), m_use(new QPushButton)
{
    m_search->setClearButtonEnabled(true);
    m_search->addAction(themeIcon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    m_search->setAccessibleName(tr("Search the library"));
    m_search->installEventFilter(this);
    m_filter->setSourceModel(m_model);
    m_filter->setRecursiveFilteringEnabled(true);
    m_tree->setModel(m_filter);
    m_tree->setItemDelegate(new EntryDelegate(m_tree));
    m_tree->setHeaderHidden(true);
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setIndentation(15);
    m_tree->setUniformRowHeights(true);
    m_tree->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_tree->setAccessibleName(tr("Library"));
    m_tree->setExpandsOnDoubleClick(false);

    m_none->setWordWrap(true);
    m_none->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_none->setContentsMargins(12, 6, 12, 6);
    m_none->setFont(textFont(9));
    m_none->hide();

    m_detailLayout = new QVBoxLayout(m_detail);
    m_detailLayout->setContentsMargins(10, 8, 10, 8);
    m_detailLayout->setSpacing(4);
    auto* scroll = new QScrollArea;
    scroll->setWidget(m_detail);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFixedHeight(262);
    scroll->viewport()->setAutoFillBackground(false);
    m_detail->setAutoFillBackground(false);

    auto* searchRow = new QVBoxLayout;
    searchRow->setContentsMargins(8, 8, 8, 4);
    searchRow->addWidget(m_search);
    auto* useRow = new QVBoxLayout;
    useRow->setContentsMargins(8, 4, 8, 8);
    useRow->addWidget(m_use);
    auto* line = new QFrame;
    line->setFixedHeight(1);
    line->setObjectName(QStringLiteral("line"));
    line->setAutoFillBackground(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 0, 1, 1);
    layout->setSpacing(0);
    layout->addLayout(searchRow);
    layout->addWidget(m_tree, 1);
    layout->addWidget(m_none, 1);
    layout->addWidget(line);
    layout->addWidget(scroll);
    layout->addLayout(useRow);
    setAutoFillBackground(true);
    setTarget({});
    applyTokens();

    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
        static_cast<Filter*>(m_filter)->search(text);
        if (!text.isEmpty())
            m_tree->expandAll();
        const bool found = m_filter->rowCount() > 0;
        m_none->setText(tr("Nothing in the library matches “%1”.").arg(text));
        m_none->setVisible(!found);
        m_tree->setVisible(found);
    });
    connect(m_search, &QLineEdit::returnPressed, this, [this] {
        if (!m_search->text().isEmpty() && enterResults())
            useCurrent();
    });
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this, &LibraryPanel::showDetail);
    connect(m_tree, &QTreeView::activated, this, [this](const QModelIndex& index) {
        if (index.data(idRole).isValid())
            useCurrent();
        else
            m_tree->setExpanded(index, !m_tree->isExpanded(index));
    });
    connect(m_use, &QPushButton::clicked, this, &LibraryPanel::useCurrent);
}

/// The entry that is chosen already, or the first one found.
bool LibraryPanel::enterResults()
{
    QModelIndex index = m_tree->currentIndex();
    if (!index.isValid())
        index = m_filter->index(0, 0);
    while (index.isValid() && !index.data(idRole).isValid())
        index = m_filter->index(0, 0, index);
    if (!index.isValid())
        return false;
    m_tree->setCurrentIndex(index);
    m_tree->scrollTo(index);
    return true;
}

bool LibraryPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_search && event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Down) {
        if (enterResults())
            m_tree->setFocus(Qt::TabFocusReason);
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void LibraryPanel::show(const Presets& presets)
{
    m_presets = &presets;
    const QModelIndex current = m_tree->currentIndex();
    const QVariant kind = current.data(kindRole), id = current.data(idRole);
    m_model->clear();
    const std::vector<LibraryEntry> entries = libraryEntries(presets);
    m_search->setPlaceholderText(tr("Search %1 entries").arg(entries.size()));
    for (int k = 0; k <= int(LibraryKind::calibration); ++k) {
        auto* category = new QStandardItem(nameOf(LibraryKind(k)));
        std::map<QString, QStandardItem*> groups;
        int count = 0;
        for (const LibraryEntry& entry : entries) {
            if (int(entry.kind) != k)
                continue;
            ++count;
            QStandardItem* parent = category;
            if (!entry.group.isEmpty()) {
                QStandardItem*& group = groups[entry.group];
                if (!group) {
                    group = new QStandardItem(entry.group);
                    category->appendRow(group);
                }
                parent = group;
            }
            auto* item = new QStandardItem(themeIcon(iconOf(entry.kind)), entry.name);
            item->setData(k, kindRole);
            item->setData(entry.id, idRole);
            item->setData(entry.unverified ? tr("unverified") : entry.note, noteRole);
            item->setData(entry.words + QLatin1Char(' ') + entry.group, wordsRole);
            item->setToolTip(entry.name);
            parent->appendRow(item);
        }
        for (const auto& [name, group] : groups)
            group->setData(QString::number(group->rowCount()), noteRole);
        category->setData(QString::number(count), noteRole);
        m_model->appendRow(category);
    }
    m_tree->expand(m_filter->index(0, 0));
    for (int row = 0; row < m_filter->rowCount(m_filter->index(0, 0)) && row < 2; ++row)
        m_tree->expand(m_filter->index(row, 0, m_filter->index(0, 0)));
    if (id.isValid())
        reveal(LibraryKind(kind.toInt()), id.toString());
    showDetail();
}

void LibraryPanel::setTarget(const QString& column)
{
    if (column == m_target && !m_use->text().isEmpty())
        return;
    m_target = column;
    const bool entry = m_tree->currentIndex().data(idRole).isValid();
    m_use->setEnabled(entry && LibraryKind(m_tree->currentIndex().data(kindRole).toInt()) != LibraryKind::calibration && !m_target.isEmpty());
    m_use->setText(m_target.isEmpty() ? tr("Use in column") : tr("Use in column %1").arg(m_target));
}

void LibraryPanel::reveal(LibraryKind kind, const QString& id)
{
    m_search->clear();
    for (const QModelIndex& index : m_filter->match(m_filter->index(0, 0), idRole, id, -1, Qt::MatchExactly | Qt::MatchRecursive))
        if (index.data(kindRole).toInt() == int(kind)) {
            m_tree->setCurrentIndex(index);
            m_tree->scrollTo(index);
            return;
        }
}

void LibraryPanel::focusSearch()
{
    m_search->setFocus();
    m_search->selectAll();
}

void LibraryPanel::applyTokens()
{
    const Tokens& t = tokens();
    QPalette colours = palette();
    colours.setColor(QPalette::Window, t.panel);
    setPalette(colours);
    if (auto* line = findChild<QFrame*>(QStringLiteral("line"))) {
        colours.setColor(QPalette::Window, t.border);
        line->setPalette(colours);
    }
    showDetail();
}

void LibraryPanel::useCurrent()
{
    const QModelIndex current = m_tree->currentIndex();
    if (current.data(idRole).isValid() && m_use->isEnabled())
        Q_EMIT useRequested(LibraryKind(current.data(kindRole).toInt()), current.data(idRole).toString());
}

void LibraryPanel::showDetail()
{
    while (QLayoutItem* item = m_detailLayout->takeAt(0)) {
        if (QWidget* widget = item->widget())
            delete widget;
        else if (QLayout* inner = item->layout())
            while (QLayoutItem* child = inner->takeAt(0)) {
                delete child->widget();
                delete child;
            }
        delete item;
    }
    m_detail->setMinimumHeight(0);
    const Tokens& t = tokens();
    const QModelIndex current = m_tree->currentIndex();
    const bool entry = m_presets && current.data(idRole).isValid();
    const auto kind = LibraryKind(current.data(kindRole).toInt());
    const bool usable = entry && kind != LibraryKind::calibration && !m_target.isEmpty();
    m_use->setEnabled(usable);
    m_use->setText(m_target.isEmpty() ? tr("Use in column") : tr("Use in column %1").arg(m_target));
    if (!entry) {
        QLabel* hint = label(tr("Select an entry to see its facts and where they come from."), textFont(9), t.secondary);
        hint->setWordWrap(true);
        m_detailLayout->addWidget(hint);
        m_detailLayout->addStretch(1);
        return;
    }
    const LibraryDetail detail = libraryDetail(*m_presets, kind, current.data(idRole).toString());
    QLabel* title = label(detail.title, textFont(9.5, QFont::DemiBold), t.text);
    title->setWordWrap(true);
    m_detailLayout->addWidget(title);
    if (!detail.subtitle.isEmpty()) {
        QLabel* subtitle = label(detail.subtitle, textFont(8.5), t.secondary);
        subtitle->setWordWrap(true);
        m_detailLayout->addWidget(subtitle);
    }
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(3);
    grid->setColumnStretch(0, 1);
    int row = 0;
    for (const LibraryFact& fact : detail.facts) {
        auto* name = new QLabel(fact.name);
        name->setFont(textFont(8.5));
        name->setWordWrap(true);
        QPalette colours = name->palette();
        colours.setColor(QPalette::WindowText, t.secondary);
        name->setPalette(colours);
        QLabel* value = label(fact.value, numberFont(9), t.text);
        value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        for (QLabel* one : {name, value})
            one->setToolTip(fact.hover);
        name->setMinimumHeight(name->fontMetrics().height());
        grid->addWidget(name, row, 0);
        constexpr int widestBeside = 80, wholeWidth = 165;
        if (value->sizeHint().width() <= widestBeside) {
            grid->addWidget(value, row, 1);
        } else {   // under its name
            value->setWordWrap(true);
            value->setMinimumHeight(value->heightForWidth(wholeWidth));
            grid->addWidget(value, row + 1, 0, 1, 2);
        }
        if (!fact.grade.isEmpty()) {
            auto* badge = new BadgeLabel(fact.grade, fact.grade.startsWith(QLatin1Char('A')) ? BadgeKind::good
                                                     : fact.grade.startsWith(QLatin1Char('B')) ? BadgeKind::neutral : BadgeKind::warning);
            badge->setToolTip(fact.hover);
            badge->setAccessibleName(tr("Source grade %1").arg(fact.grade));
            grid->addWidget(badge, row, 2);
        }
        row += 2;
    }
    m_detailLayout->addLayout(grid);
    if (!detail.sources.empty()) {
        m_detailLayout->addSpacing(4);
        m_detailLayout->addWidget(label(detail.sources.size() > 1 ? tr("Sources") : tr("Source"), textFont(8.5, QFont::DemiBold), t.secondary));
        for (const QString& source : detail.sources) {
            QLabel* line = label(source.section(QLatin1Char('\n'), 0, 0), textFont(8.5), t.secondary);
            line->setWordWrap(true);
            line->setToolTip(source);
            m_detailLayout->addWidget(line);
        }
        QLabel* grades = label(tr("Grades: A vendor, B cited, C unchecked"), textFont(8.5), t.faint);
        grades->setWordWrap(true);
        m_detailLayout->addWidget(grades);
    }
    m_detailLayout->addStretch(1);
    // The scroll area asks before the new labels are laid out.
    m_detailLayout->invalidate();
    m_detail->setMinimumHeight(std::max(0, m_detailLayout->totalHeightForWidth(std::min(m_detail->width(), 200))));
}

} // namespace ridgepoint::app
