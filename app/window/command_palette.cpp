// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/command_palette.h"

#include "app/style/fonts.h"
#include "app/style/icons.h"
#include "app/style/tokens.h"

#include <QBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTimer>
#include <algorithm>

namespace ridgepoint::app {

namespace {

constexpr int mostShown = 60;

class CommandDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {200, 28}; }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Tokens& t = tokens();
        painter->save();
        if (option.state & QStyle::State_Selected)
            painter->fillRect(option.rect, t.selection);
        const QRect inner = option.rect.adjusted(12, 0, -12, 0);
        const QString hint = index.data(Qt::UserRole).toString();
        painter->setFont(textFont(8.5));
        painter->setPen(t.secondary);
        painter->drawText(inner, Qt::AlignVCenter | Qt::AlignRight, hint);
        const int used = painter->fontMetrics().horizontalAdvance(hint) + 12;
        painter->setFont(textFont(9.5));
        painter->setPen(t.text);
        painter->drawText(inner, Qt::AlignVCenter | Qt::AlignLeft,
                          painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, inner.width() - used));
        painter->restore();
    }
};

} // namespace

CommandPalette::CommandPalette(std::vector<Command> commands, QWidget* parent)
    : QDialog(parent, Qt::Dialog | Qt::FramelessWindowHint), m_commands(std::move(commands)), m_field(new QLineEdit),
      m_list(new QListWidget)
{
    setAccessibleName(tr("Commands and search"));
    resize(560, 380);
    move(parent->mapToGlobal(QPoint((parent->width() - width()) / 2, 90)));
    m_field->setPlaceholderText(tr("Command, knob or library entry"));
    m_field->setAccessibleName(tr("Search"));
    m_field->addAction(themeIcon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    m_field->setMinimumHeight(32);
    m_field->setFont(textFont(10.5));
    m_field->installEventFilter(this);
    m_list->setItemDelegate(new CommandDelegate(m_list));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFocusPolicy(Qt::NoFocus);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(9, 9, 9, 9);
    layout->addWidget(m_field);
    layout->addWidget(m_list, 1);
    connect(m_field, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::run);
    filter();
    m_field->setFocus();
}

void CommandPalette::filter()
{
    m_list->clear();
    const QStringList words = m_field->text().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (std::size_t i = 0; i < m_commands.size() && m_list->count() < mostShown; ++i) {
        const QString searched = m_commands[i].name + QLatin1Char(' ') + m_commands[i].hint;
        if (!std::all_of(words.begin(), words.end(), [&](const QString& w) { return searched.contains(w, Qt::CaseInsensitive); }))
            continue;
        auto* item = new QListWidgetItem(m_commands[i].name, m_list);
        item->setData(Qt::UserRole, m_commands[i].hint);
        item->setData(Qt::UserRole + 1, qulonglong(i));
    }
    if (m_list->count() == 0) {
        auto* none = new QListWidgetItem(tr("No command, knob or library entry matches “%1”.").arg(m_field->text()), m_list);
        none->setFlags(Qt::NoItemFlags);
        return;
    }
    m_list->setCurrentRow(0);
}

void CommandPalette::run()
{
    const QListWidgetItem* item = m_list->currentItem();
    if (!item || !item->data(Qt::UserRole + 1).isValid())
        return;
    const auto action = m_commands[item->data(Qt::UserRole + 1).toULongLong()].run;
    QTimer::singleShot(0, parent(), action);
    accept();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_field && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Down || key == Qt::Key_Up) {
            const int row = m_list->currentRow() + (key == Qt::Key_Down ? 1 : -1);
            m_list->setCurrentRow(std::clamp(row, 0, std::max(0, m_list->count() - 1)));
            return true;
        }
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            run();
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

void CommandPalette::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), tokens().panel);
    painter.setPen(tokens().border);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

} // namespace ridgepoint::app
