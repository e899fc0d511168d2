// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/knob_editor.h"

#include "app/style/fonts.h"
#include "app/style/tokens.h"

#include <QBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QToolTip>
#include <QValidator>
#include <cmath>
#include <optional>

namespace ridgepoint::app {

namespace {

/// Steps as the knob's scale has them.
class KnobField : public QDoubleSpinBox
{
public:
    KnobField(const Knob& knob, const KnobScale& scale) : m_scale(scale), m_whole(knob.integer)
    {
        setRange(knob.minimum, knob.maximum);
        setDecimals(knob.integer ? 0 : knob.scale == Scale::log2 ? 4 : std::max(knob.decimals, 2));
        setGroupSeparatorShown(true);
        setLocale(QLocale(QLocale::English));
        setButtonSymbols(QAbstractSpinBox::NoButtons);
        setFrame(false);
        setKeyboardTracking(false);
        setAlignment(Qt::AlignRight);
        setFont(numberFont());
        setAccessibleName(QString::fromUtf8(knob.label.data(), qsizetype(knob.label.size())));
    }

    void stepBy(int steps) override { setValue(m_scale.stepped(value(), steps)); }

    QString textFromValue(double value) const override
    {
        QString text = QDoubleSpinBox::textFromValue(value);
        if (decimals() > 0 && text.contains(QLatin1Char('.'))) {
            while (text.endsWith(QLatin1Char('0')))
                text.chop(1);
            if (text.endsWith(QLatin1Char('.')))
                text.chop(1);
        }
        return text;
    }

    // Anything may be typed; only what reads as a number of the range counts. A validator that swallows keys would turn
    // "1e3" into 13 without a word.
    QValidator::State validate(QString& typed, int&) const override
    {
        const std::optional<double> value = read(typed);
        const bool counts = value && *value >= minimum() && *value <= maximum() && (!m_whole || *value == std::floor(*value));
        return counts ? QValidator::Acceptable : QValidator::Intermediate;
    }

    double valueFromText(const QString& typed) const override { return read(typed).value_or(value()); }

    QString accepted() const
    {
        return (m_whole ? tr("A whole number from %1 to %2") : tr("A number from %1 to %2"))
            .arg(textFromValue(minimum()), textFromValue(maximum()));
    }

private:
    static std::optional<double> read(QString typed)
    {
        bool isNumber = false;
        const double value = QLocale::c().toDouble(typed.remove(QLatin1Char(',')).trimmed(), &isNumber);
        return isNumber ? std::optional(value) : std::nullopt;
    }

    const KnobScale& m_scale;
    bool m_whole;
};

} // namespace

int newGesture()
{
    static int last = 0;
    return ++last;
}

NumberKnobEditor::NumberKnobEditor(const Knob& knob, double value, QWidget* parent)
    : QWidget(parent), m_scale(knob), m_slider(new QSlider(Qt::Horizontal)), m_field(new KnobField(knob, m_scale)),
      m_value(value), m_gesture(newGesture())
{
    setAutoFillBackground(true);
    m_slider->setRange(0, m_scale.positions());
    m_slider->setMinimumWidth(40);
    m_slider->setFocusPolicy(Qt::NoFocus);
    m_slider->setAccessibleName(m_field->accessibleName());
    m_field->setFixedWidth(m_field->fontMetrics().horizontalAdvance(m_field->textFromValue(knob.maximum)) < 60 ? 64 : 84);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(7, 2, 2, 2);
    layout->setSpacing(4);
    layout->addWidget(m_slider, 1);
    layout->addWidget(m_field);
    setFocusProxy(m_field);
    m_field->installEventFilter(this);
    setValue(value);
    m_field->selectAll();

    connect(m_slider, &QSlider::valueChanged, this, [this](int position) {
        if (!m_setting)
            edit(m_scale.valueAt(position));
    });
    connect(m_field, &QDoubleSpinBox::valueChanged, this, [this](double changed) {
        if (!m_setting)
            edit(changed);
    });
}

void NumberKnobEditor::setValue(double value)
{
    m_setting = true;
    m_value = value;
    if (!m_slider->isSliderDown())
        m_slider->setValue(m_scale.positionOf(value));
    if (m_field->value() != value)
        m_field->setValue(value);
    if (isUnknown())
        m_field->clear();   // and not the least value there is, which nobody has set
    m_setting = false;
}

bool NumberKnobEditor::isUnknown() const { return !(m_value >= m_field->minimum()); }

void NumberKnobEditor::type(const QString& text)
{
    m_field->findChild<QLineEdit*>()->setText(text);
}

void NumberKnobEditor::edit(double value)
{
    if (value == m_value)
        return;
    setValue(value);
    Q_EMIT valueEdited(value, m_gesture);
}

bool NumberKnobEditor::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_field || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool asksForValue = key->key() == Qt::Key_Up || key->key() == Qt::Key_Down || key->key() == Qt::Key_Return ||
                              key->key() == Qt::Key_Enter;
    const bool isEmpty = isUnknown() && m_field->cleanText().isEmpty();
    if (asksForValue && !isEmpty && !m_field->hasAcceptableInput()) {
        QToolTip::showText(m_field->mapToGlobal(QPoint(0, m_field->height())),
                           static_cast<const KnobField*>(m_field)->accepted(), m_field);
        return true;
    }
    switch (key->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down: {
        m_field->interpretText();
        const int steps = (key->key() == Qt::Key_Up ? 1 : -1) * (key->modifiers() & Qt::ShiftModifier ? 10 : 1);
        edit(m_scale.stepped(m_value, steps));
        m_field->selectAll();
        return true;
    }
    case Qt::Key_Escape:
        m_field->blockSignals(true);   // what was typed and not entered is gone
        Q_EMIT cancelled(m_gesture);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (!isEmpty) {
            m_field->interpretText();
            if (isUnknown())
                edit(m_field->value());   // the least value is no change to the field, but one to the knob
        }
        Q_EMIT committed();
        return true;
    default: return QWidget::eventFilter(watched, event);
    }
}

void NumberKnobEditor::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), tokens().panel);
    painter.setPen(QPen(tokens().accent, 2));
    painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
}

ChoiceKnobEditor::ChoiceKnobEditor(const std::vector<Choice>& choices, const std::map<QString, QString>& headings,
                                   const std::string& current, QWidget* parent)
    : QComboBox(parent)
{
    setMaxVisibleItems(16);
    setFont(textFont());
    std::map<QString, std::vector<const Choice*>> groups;
    for (const Choice& choice : choices) {
        const auto heading = headings.find(QString::fromStdString(choice.id));
        groups[heading == headings.end() ? QString() : heading->second].push_back(&choice);
    }
    int widest = 0;
    for (const auto& [heading, members] : groups) {
        if (!heading.isEmpty()) {
            addItem(heading);
            auto* item = static_cast<QStandardItemModel*>(model())->item(count() - 1);
            item->setFlags(Qt::NoItemFlags);   // passed over by the keys
            item->setFont(textFont(8.5, QFont::DemiBold));
            item->setForeground(tokens().secondary);
        }
        for (const Choice* choice : members) {
            addItem(QString::fromStdString(choice->label), QString::fromStdString(choice->id));
            widest = std::max(widest, fontMetrics().horizontalAdvance(itemText(count() - 1)));
            if (choice->id == current)
                setCurrentIndex(count() - 1);
        }
    }
    view()->setMinimumWidth(widest + 44);
    connect(this, &QComboBox::activated, this, [this](int index) { Q_EMIT choiceEdited(itemData(index).toString()); });
}

void ChoiceKnobEditor::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape) {
        Q_EMIT cancelled();
        return;
    }
    QComboBox::keyPressEvent(event);
}

} // namespace ridgepoint::app
