// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/insight/explanation.h"

#include <QTextBrowser>
#include <vector>

namespace ridgepoint::app {

/// A finding as the panel lists it: made of a report, in words.
struct FindingLine
{
    int configuration = 0;
    Severity severity = Severity::information;
    QString text;
    QString knob;
};

/// The answer and what it rests on. Sentences that have evidence are links to it.
class ExplanationPanel : public QTextBrowser
{
    Q_OBJECT
public:
    explicit ExplanationPanel(QWidget* parent = nullptr);

    void show(const Explanation& explanation, std::vector<FindingLine> findings);
    using QWidget::show;
    void applyTokens();

Q_SIGNALS:
    void knobRequested(int column, const QString& knob);
    void figureRequested(const QString& figure);

private:
    void build();
    void addSentence(class QTextCursor& cursor, const QString& text, int configuration, const QString& figure, const QString& knob,
                     Severity severity, bool emphasised);

    Explanation m_explanation;
    std::vector<FindingLine> m_findings;
};

} // namespace ridgepoint::app
