// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/library_panel.h"

#include "app/document/settings.h"
#include "app/panels/badge_label.h"
#include "app/style/app_style.h"
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
#include <set>

namespace ridgepoint::app {

namespace {

constexpr int kindRole = Qt::UserRole + 1, idRole = Qt::UserRole + 2, noteRole = Qt::UserRole + 3, wordsRole = Qt::UserRole + 4,
              recentRole = Qt::UserRole + 5, unverifiedRole = Qt::UserRole + 6;
constexpr int firstFactWidth = 42, secondFactWidth = 44;

/// The name of an entry or heading in the first column, its facts in those behind.
class EntryDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {60, 24}; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Tokens& t = tokens();
        painter->save();
        // A heading within a kind has no facts: its name takes the whole row.
        const bool isWhole = !index.siblingAtColumn(0).data(idRole).isValid() && index.parent().isValid();
        const QRect rect = isWhole && index.column() == 0 ? option.rect.adjusted(0, 0, firstFactWidth + secondFactWidth, 0) : option.rect;
        if (option.state & QStyle::State_Selected && (!isWhole || index.column() == 0))
            painter->fillRect(rect, t.selection);
        if (index.column() == 0)
            paintName(*painter, rect, index);
        else
            paintFact(*painter, option.rect.adjusted(0, 0, -6, 0), index);
        painter->restore();
    }

private:
    static void paintName(QPainter& painter, const QRect& rect, const QModelIndex& index)
    {
        const Tokens& t = tokens();
        const bool leaf = index.data(idRole).isValid();
        const QString note = index.data(noteRole).toString();
        const QFont small = numberFont(8.5);
        const int noteWidth = note.isEmpty() ? 0 : QFontMetrics(small).horizontalAdvance(note) + 7;
        painter.setFont(textFont(9.5, leaf ? QFont::Normal : index.parent().isValid() ? QFont::Medium : QFont::DemiBold));
        painter.setPen(leaf || !index.parent().isValid() ? t.text : t.secondary);
        const QString name = painter.fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, rect.width() - 4 - noteWidth);
        painter.drawText(rect.adjusted(2, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, name);
        const int used = 2 + painter.fontMetrics().horizontalAdvance(name) + 7;
        painter.setFont(small);
        painter.setPen(t.faint);
        painter.drawText(rect.adjusted(used, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, note);
    }

    /// A fact that nobody vouches for has a question mark, which hangs out of the column of digits.
    static void paintFact(QPainter& painter, const QRect& rect, const QModelIndex& index)
    {
        const Tokens& t = tokens();
        const bool leaf = index.siblingAtColumn(0).data(idRole).isValid(), unverified = index.data(unverifiedRole).toBool();
        constexpr int hang = 7;
        painter.setFont(leaf ? numberFont(9) : textFont(8.5));
        painter.setPen(unverified ? t.warning : leaf ? t.secondary : t.faint);
        painter.drawText(rect.adjusted(0, 0, -hang, 0), int(Qt::AlignVCenter | Qt::AlignRight) | Qt::TextDontClip, index.data().toString());
        if (unverified)
            painter.drawText(rect.adjusted(rect.width() - hang + 1, 0, 3, 0), Qt::AlignVCenter | Qt::AlignLeft, QStringLiteral("?"));
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
        if (index.data(recentRole).toBool() && !parent.isValid())
            return m_words.isEmpty() && sourceModel()->rowCount(index) > 0;
        if (m_words.isEmpty())
            return true;
        if (index.data(recentRole).toBool())
            return false;   // found below
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

QList<QStandardItem*> rowOf(const LibraryEntry& entry)
{
    auto* item = new QStandardItem(entry.name);
    item->setData(int(entry.kind), kindRole);
    item->setData(entry.id, idRole);
    item->setData(entry.words, wordsRole);
    QList<QStandardItem*> row{item};
    for (std::size_t i = 0; i < entry.facts.size(); ++i) {
        auto* fact = new QStandardItem(entry.facts[i]);
        fact->setData(entry.unverified[i], unverifiedRole);
        if (!entry.facts[i].isEmpty())
            fact->setData(QString(entry.facts[i] + QLatin1Char(' ') + columnsOf(entry.kind)[i]
                                  + (entry.unverified[i] ? LibraryPanel::tr(", not verified") : QString())), Qt::AccessibleTextRole);
        row << fact;
    }
    for (QStandardItem* one : row)
        one->setToolTip(wrappingToolTip(
            QStringList{entry.name, entry.headings.join(QStringLiteral(" · ")), entry.help}.join(QLatin1Char('\n')).trimmed()));
    return row;
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
    m_tree->setIndentation(10);
    m_tree->setAllColumnsShowFocus(true);
    m_model->setColumnCount(3);
    m_tree->header()->setStretchLastSection(false);
    m_tree->header()->setMinimumSectionSize(20);
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
        if (const QModelIndex name = index.siblingAtColumn(0); name.data(idRole).isValid())
            useCurrent();
        else
            m_tree->setExpanded(name, !m_tree->isExpanded(name));
    });
    connect(m_use, &QPushButton::clicked, this, &LibraryPanel::useCurrent);
}

QModelIndex LibraryPanel::chosen() const { return m_tree->currentIndex().siblingAtColumn(0); }

/// The entry that is chosen already, or the first one found.
bool LibraryPanel::enterResults()
{
    QModelIndex index = chosen();
    if (!index.isValid())
        index = m_filter->index(0, 0);
    while (index.isValid() && !index.data(idRole).isValid())
        index = m_filter->index(0, 0, index);
    if (!index.isValid())
        return false;
    select(index);
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
    const QModelIndex current = chosen();
    const QVariant kind = current.data(kindRole), id = current.data(idRole);
    m_model->removeRows(0, m_model->rowCount());
    m_entries = libraryEntries(presets);
    m_search->setPlaceholderText(tr("Search %1 entries").arg(m_entries.size()));
    m_search->setToolTip(tr("Any words: names, vendors, families, architectures, memory, bandwidth"));
    auto* recent = new QStandardItem(tr("Recently used"));
    recent->setData(true, recentRole);
    m_model->appendRow({recent, new QStandardItem, new QStandardItem});
    for (int k = 0; k <= int(LibraryKind::calibration); ++k) {
        auto* category = new QStandardItem(nameOf(LibraryKind(k)));
        std::map<QStringList, std::vector<const LibraryEntry*>> groups;
        std::map<QString, std::set<QString>> families;
        std::size_t count = 0;
        for (const LibraryEntry& entry : m_entries)
            if (int(entry.kind) == k) {
                ++count;
                groups[entry.headings].push_back(&entry);
                if (entry.headings.size() > 1)
                    families[entry.headings[0]].insert(entry.headings[1]);
            }
        std::map<QString, QStandardItem*> vendors;
        const auto heading = [](QStandardItem* parent, const QString& name) {
            auto* item = new QStandardItem(name);
            parent->appendRow({item, new QStandardItem, new QStandardItem});
            return item;
        };
        for (const auto& [headings, members] : groups) {
            QStandardItem* parent = category;
            if (!headings.isEmpty()) {
                QStandardItem*& vendor = vendors[headings[0]];
                if (!vendor)
                    vendor = heading(category, headings[0]);
                parent = vendor;
                vendor->setData(QString::number(vendor->data(noteRole).toString().toInt() + int(members.size())), noteRole);
            }
            if (headings.size() > 1 && families[headings[0]].size() > 1) {
                parent = heading(parent, headings[1]);
                parent->setData(QString::number(members.size()), noteRole);
            }
            for (const LibraryEntry* entry : members)
                parent->appendRow(rowOf(*entry));
        }
        category->setData(QString::number(count), noteRole);
        const std::array<QString, 2> columns = columnsOf(LibraryKind(k));
        m_model->appendRow({category, new QStandardItem(columns[0]), new QStandardItem(columns[1])});
    }
    fillRecent();
    QHeaderView* header = m_tree->header();
    header->setSectionResizeMode(0, QHeaderView::Stretch);
    for (const auto& [column, width] : {std::pair(1, firstFactWidth), std::pair(2, secondFactWidth)}) {
        header->setSectionResizeMode(column, QHeaderView::Fixed);
        header->resizeSection(column, width);
    }
    for (int row = 0; row < m_filter->rowCount(); ++row)
        if (const QModelIndex category = m_filter->index(row, 0); category.data(kindRole).isNull())
            m_tree->setExpanded(category, row < 2);
    if (id.isValid())
        reveal(LibraryKind(kind.toInt()), id.toString());
    showDetail();
}

void LibraryPanel::setTarget(const QString& column)
{
    if (column == m_target && !m_use->text().isEmpty())
        return;
    m_target = column;
    const bool entry = chosen().data(idRole).isValid();
    m_use->setEnabled(entry && LibraryKind(chosen().data(kindRole).toInt()) != LibraryKind::calibration && !m_target.isEmpty());
    m_use->setText(m_target.isEmpty() ? tr("Use in column") : tr("Use in column %1").arg(m_target));
}

void LibraryPanel::select(const QModelIndex& index)
{
    m_tree->setCurrentIndex(index);
    m_tree->scrollTo(index);
}

void LibraryPanel::reveal(LibraryKind kind, const QString& id)
{
    m_search->clear();
    for (const QModelIndex& index : m_filter->match(m_filter->index(0, 0), idRole, id, -1, Qt::MatchExactly | Qt::MatchRecursive))
        if (index.data(kindRole).toInt() == int(kind) && !index.data(recentRole).toBool())
            return select(index);
}

void LibraryPanel::noteUsed(LibraryKind kind, const QString& id)
{
    addRecentEntry(iconOf(kind) + QLatin1Char('/') + id);
    fillRecent();
}

void LibraryPanel::fillRecent()
{
    QStandardItem* recent = m_model->item(0);
    std::vector<const LibraryEntry*> wanted;
    for (const QString& key : recentEntries())
        for (const LibraryEntry& entry : m_entries)
            if (iconOf(entry.kind) + QLatin1Char('/') + entry.id == key)
                wanted.push_back(&entry);
    const QModelIndex current = chosen();
    const QString kept = current.data(recentRole).toBool() ? current.data(idRole).toString() : QString();
    const bool isNew = recent->rowCount() == 0;
    recent->removeRows(0, recent->rowCount());
    for (const LibraryEntry* entry : wanted) {
        const QList<QStandardItem*> row = rowOf(*entry);
        row.first()->setData(true, recentRole);
        recent->appendRow(row);
        if (entry->id == kept)
            m_tree->setCurrentIndex(m_filter->mapFromSource(row.first()->index()));
    }
    if (isNew && !wanted.empty())
        m_tree->expand(m_filter->mapFromSource(recent->index()));
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

void LibraryPanel::setDefinitions(const Definitions& definitions)
{
    if (definitions == m_definitions)
        return;
    m_definitions = definitions;
    showDetail();
}

void LibraryPanel::useCurrent()
{
    const QModelIndex current = chosen();
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
    const QModelIndex current = chosen();
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
    const LibraryDetail detail = libraryDetail(*m_presets, kind, current.data(idRole).toString(), m_definitions);
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
