// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/board_delegate.h"

#include "app/charts/chart_theme.h"
#include "app/panels/board_model.h"
#include "app/panels/knob_editor.h"
#include "app/panels/library_facts.h"
#include "app/style/fonts.h"
#include "app/style/marks.h"
#include "app/style/tokens.h"

#include <QAbstractItemView>
#include <QEvent>
#include <QPainter>
#include <QTimer>

namespace ridgepoint::app {

namespace {

constexpr int margin = 9;

QString text(std::string_view value) { return QString::fromUtf8(value.data(), qsizetype(value.size())); }

QColor trendColour(Trend trend)
{
    const Tokens& t = tokens();
    return trend == Trend::better ? t.good : trend == Trend::worse ? t.bad : trend == Trend::baseline ? t.faint : t.secondary;
}

/// The range that the editor offers.
Knob asShown(Knob knob)
{
    knob.minimum = shownNumber(knob, knob.minimum);
    knob.maximum = shownNumber(knob, knob.maximum);
    knob.decimals = knob.percent ? std::max(0, knob.decimals - 2) : knob.decimals;
    return knob;
}

} // namespace

QString noWinnerSign() { return QStringLiteral("≈"); }

void paintMemoryBar(QPainter& painter, const QRectF& rect, const Footprint& f, bool tooLarge)
{
    const Tokens& t = tokens();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    const double used = f.weights.value + f.kvNeeded.value + f.activations.value + f.runtime.value + f.graphs.value + f.reserve.value;
    const double whole = std::max(f.visible.value, used);
    painter.fillRect(rect, t.panel);
    double x = rect.left();
    const auto part = [&](double bytes, const QBrush& brush) {
        const double width = whole > 0 ? rect.width() * std::max(0.0, bytes) / whole : 0;
        painter.fillRect(QRectF(x, rect.top(), width, rect.height()), brush);
        x += width;
    };
    part(f.weights.value, t.weights);
    part(f.kvNeeded.value, t.kvCache);
    part(f.activations.value, t.activations);
    part(f.runtime.value + f.graphs.value, t.host);
    part(f.kvFree.value, t.panel);
    part(f.reserve.value, toneBrush(t, Tone::reserve));
    if (tooLarge && whole > 0) {
        const double edge = rect.left() + rect.width() * f.visible.value / whole;
        painter.setPen(QPen(t.bad, 2));
        painter.drawLine(QPointF(edge, rect.top() - 2), QPointF(edge, rect.bottom() + 2));
    }
    painter.setPen(tooLarge ? t.bad : t.faint);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect.adjusted(0, 0, -1, -1));
    painter.restore();
}

BoardDelegate::BoardDelegate(const BoardModel* model, QObject* parent) : QStyledItemDelegate(parent), m_model(model) {}

void BoardDelegate::paintResult(QPainter& painter, const QRect& rect, const BoardCell& cell) const
{
    const Tokens& t = tokens();
    painter.setFont(numberFont(10, QFont::DemiBold));
    painter.setPen(cell.present ? t.text : t.faint);
    painter.drawText(rect.adjusted(margin, 0, -margin, 0), Qt::AlignVCenter | Qt::AlignLeft, cell.text);
    if (cell.best) {
        const double x = rect.left() + margin + QFontMetricsF(painter.font()).horizontalAdvance(cell.text) + 13;
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(t.accent, 1.2));
        painter.setBrush(t.accentTint);
        painter.translate(x, rect.center().y() + 0.5);
        painter.drawPath(markPath(5, 9));
        painter.restore();
    } else if (cell.contested) {
        const double x = rect.left() + margin + QFontMetricsF(painter.font()).horizontalAdvance(cell.text) + 6;
        painter.setPen(t.secondary);
        painter.drawText(QRectF(x, rect.top(), 16, rect.height()), Qt::AlignVCenter | Qt::AlignLeft, noWinnerSign());
    }
    painter.setFont(numberFont(8.5, cell.trend == Trend::better || cell.trend == Trend::worse ? QFont::DemiBold : QFont::Normal));
    painter.setPen(trendColour(cell.trend));
    painter.drawText(rect.adjusted(margin, 0, -margin, 0), Qt::AlignVCenter | Qt::AlignRight, cell.change);
}

void BoardDelegate::paintMemory(QPainter& painter, const QRect& rect, const BoardCell& cell) const
{
    const Tokens& t = tokens();
    const bool tooLarge = cell.trend == Trend::worse;
    if (cell.footprint)
        paintMemoryBar(painter, QRectF(rect.left() + margin, rect.top() + 5, rect.width() - 2 * margin, 10), *cell.footprint, tooLarge);
    const QRect line(rect.left() + margin, rect.top() + 17, rect.width() - 2 * margin, 17);
    painter.setFont(numberFont(8.5));
    painter.setPen(t.text);
    painter.drawText(line, Qt::AlignVCenter | Qt::AlignLeft, cell.text);
    const int used = painter.fontMetrics().horizontalAdvance(cell.text) + 8;
    painter.setPen(tooLarge ? t.bad : t.secondary);
    painter.drawText(line, Qt::AlignVCenter | Qt::AlignRight,
                     painter.fontMetrics().elidedText(cell.change, Qt::ElideRight, line.width() - used));
}

void BoardDelegate::paintKnob(QPainter& painter, const QRect& rect, const BoardCell& cell, bool choice, bool hovered) const
{
    const Tokens& t = tokens();
    if (cell.differs && cell.present) {
        painter.fillRect(rect.adjusted(0, 0, -1, -1), t.differs);
        painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height() - 1), t.differsBar);
    }
    painter.setFont(choice ? textFont(9.5) : numberFont(9.5));
    painter.setPen(cell.present ? t.text : t.faint);
    const QRect inner = rect.adjusted(margin, 0, -margin - (choice && hovered ? 14 : 0), 0);
    painter.drawText(inner, Qt::AlignVCenter | Qt::AlignLeft, painter.fontMetrics().elidedText(cell.text, Qt::ElideRight, inner.width()));
    if (const int used = painter.fontMetrics().horizontalAdvance(cell.text) + 8; !cell.change.isEmpty() && used < inner.width()) {
        painter.setFont(textFont(8.5));
        painter.setPen(t.secondary);
        painter.drawText(inner.adjusted(used, 0, 0, 0), Qt::AlignVCenter | Qt::AlignRight,
                         painter.fontMetrics().elidedText(cell.change, Qt::ElideRight, inner.width() - used));
    }
    if (hovered && cell.present && choice) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(t.secondary, 1.4));
        const QPointF c(rect.right() - margin - 4, rect.center().y() + 0.5);
        painter.drawPolyline(QPolygonF({c + QPointF(-3.5, -1.5), c + QPointF(0, 2), c + QPointF(3.5, -1.5)}));
    }
}

void BoardDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Tokens& t = tokens();
    const BoardCell& cell = m_model->cell(index);
    const BoardRow& row = m_model->row(index.row());
    const bool hovered = option.state & QStyle::State_MouseOver;
    painter->save();
    painter->fillRect(option.rect, t.panel);
    switch (row.kind) {
    case BoardRow::Kind::metric: paintResult(*painter, option.rect, cell); break;
    case BoardRow::Kind::memory: paintMemory(*painter, option.rect, cell); break;
    case BoardRow::Kind::knob: paintKnob(*painter, option.rect, cell, row.knob->kind == KnobKind::choice, hovered); break;
    }
    painter->setRenderHint(QPainter::Antialiasing, false);
    painter->setPen(t.hairline);
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
    painter->drawLine(option.rect.topRight(), option.rect.bottomRight());
    if (row.firstOfGroup) {
        painter->setPen(t.border);
        painter->drawLine(option.rect.left(), option.rect.top() - 1, option.rect.right(), option.rect.top() - 1);
    }
    if (option.state & QStyle::State_HasFocus || option.state & QStyle::State_Selected) {
        painter->setPen(QPen(t.accent, option.state & QStyle::State_HasFocus ? 2 : 1));
        painter->drawRect(QRectF(option.rect).adjusted(1, 1, -2, -2));
    } else if (hovered && row.knob && cell.present) {
        painter->setPen(t.border);
        painter->drawRect(option.rect.adjusted(0, 0, -2, -2));
    }
    painter->restore();
}

QWidget* BoardDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex& index) const
{
    const BoardRow& row = m_model->row(index.row());
    if (!row.knob)
        return nullptr;
    const Knob& knob = *row.knob;
    const int column = index.column();
    const Scenario& scenario = m_model->scenario(column);
    auto* self = const_cast<BoardDelegate*>(this);
    if (knob.kind == KnobKind::number) {
        auto* editor = new NumberKnobEditor(asShown(knob), shownNumber(knob, std::get<double>(knob.get(scenario))), parent);
        connect(editor, &NumberKnobEditor::valueEdited, this, [this, column, &knob](double shown, int gesture) {
            Q_EMIT knobEdited(column, text(knob.id), KnobValue(valueOfShown(knob, shown)), gesture);
        });
        const auto close = [self, editor] { Q_EMIT self->closeEditor(editor, QAbstractItemDelegate::NoHint); };
        connect(editor, &NumberKnobEditor::committed, self, close);
        connect(editor, &NumberKnobEditor::cancelled, self, [self, close](int gesture) {
            close();
            Q_EMIT self->knobCancelled(gesture);
        });
        return editor;
    }
    std::map<QString, QString> headings;   // as the library has them
    for (const LibraryEntry& entry : libraryEntries(m_model->presets(), text(knob.id)))
        headings[entry.id] = entry.headings.join(QStringLiteral(" · "));
    auto* editor = new ChoiceKnobEditor(knob.choices(scenario, m_model->presets()), headings, std::get<std::string>(knob.get(scenario)), parent);
    editor->setAccessibleName(text(knob.label));
    connect(editor, &ChoiceKnobEditor::choiceEdited, this, [this, self, editor, column, id = text(knob.id)](const QString& choice) {
        Q_EMIT knobEdited(column, id, KnobValue(choice.toStdString()), 0);
        Q_EMIT self->closeEditor(editor, QAbstractItemDelegate::NoHint);
    });
    connect(editor, &ChoiceKnobEditor::cancelled, self, [self, editor] { Q_EMIT self->closeEditor(editor, QAbstractItemDelegate::NoHint); });
    QTimer::singleShot(0, editor, &QComboBox::showPopup);
    return editor;
}

void BoardDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const
{
    const BoardRow& row = m_model->row(index.row());
    if (auto* number = qobject_cast<NumberKnobEditor*>(editor))
        if (row.knob && row.knob->kind == KnobKind::number)
            number->setValue(shownNumber(*row.knob, std::get<double>(row.knob->get(m_model->scenario(index.column())))));
}

void BoardDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option, const QModelIndex&) const
{
    editor->setGeometry(option.rect.adjusted(0, -1, 0, 0));
}

bool BoardDelegate::eventFilter(QObject* watched, QEvent* event)
{
    // The number editor handles its own keys; the base class would close it on Esc before it put the value back.
    if (event->type() == QEvent::KeyPress && qobject_cast<NumberKnobEditor*>(watched))
        return false;
    return QStyledItemDelegate::eventFilter(watched, event);
}

} // namespace ridgepoint::app
