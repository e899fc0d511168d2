// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/panels/knob_scale.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QSlider>
#include <QWidget>
#include <map>

namespace ridgepoint::app {

/// Slider and number field for one number knob. Every change is reported at once; those made while the editor is open carry one
/// gesture, so that they are one step to undo and Esc leaves none.
class NumberKnobEditor : public QWidget
{
    Q_OBJECT
public:
    NumberKnobEditor(const Knob& knob, double value, QWidget* parent);

    void setValue(double value);                 ///< without reporting it
    [[nodiscard]] double value() const { return m_value; }
    [[nodiscard]] QSlider* slider() const { return m_slider; }
    [[nodiscard]] QDoubleSpinBox* field() const { return m_field; }
    void type(const QString& text);              ///< as if typed over the value

Q_SIGNALS:
    void valueEdited(double value, int gesture);
    void committed();
    void cancelled(int gesture);                 ///< the edits of the gesture are to be taken back

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void edit(double value);
    [[nodiscard]] bool isUnknown() const;        ///< less than what can be set

    KnobScale m_scale;
    QSlider* m_slider;
    QDoubleSpinBox* m_field;
    double m_value;
    int m_gesture;
    bool m_setting = false;
};

/// A list for one choice knob; choices of one heading stand together under it.
class ChoiceKnobEditor : public QComboBox
{
    Q_OBJECT
public:
    /// headings   by id of the choice; those without one come first
    ChoiceKnobEditor(const std::vector<Choice>& choices, const std::map<QString, QString>& headings, const std::string& current,
                     QWidget* parent);

Q_SIGNALS:
    void choiceEdited(const QString& id);
    void cancelled();

protected:
    void keyPressEvent(QKeyEvent* event) override;
};

/// A number no other gesture has.
[[nodiscard]] int newGesture();

} // namespace ridgepoint::app
