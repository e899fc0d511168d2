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

/// How much is said: the answer, what it means for a reader who is no specialist, or all that it rests on.
enum class ExplanationDepth { line, paragraph, evidence };

/// The answer and what it rests on. Sentences that have evidence are links to it.
class ExplanationPanel : public QTextBrowser
{
    Q_OBJECT
public:
    explicit ExplanationPanel(QWidget* parent = nullptr);

    void show(const Explanation& explanation, std::vector<FindingLine> findings);
    using QWidget::show;
    void applyTokens();
    void setDepth(ExplanationDepth depth);
    [[nodiscard]] ExplanationDepth depth() const { return m_depth; }

    /// What the word at a place of the viewport means; empty when it is no term.
    [[nodiscard]] QString termAt(const QPoint& position) const;

Q_SIGNALS:
    void knobRequested(int column, const QString& knob);
    void figureRequested(const QString& figure);

protected:
    bool viewportEvent(QEvent* event) override;

private:
    void build();
    void addSentence(class QTextCursor& cursor, const QString& text, int configuration, const QString& figure, const QString& knob,
                     Severity severity, bool emphasised);

    Explanation m_explanation;
    std::vector<FindingLine> m_findings;
    ExplanationDepth m_depth = ExplanationDepth::evidence;
};

} // namespace ridgepoint::app
