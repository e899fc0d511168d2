// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/explanation_panel.h"

#include "app/style/app_style.h"
#include "app/style/fonts.h"
#include "app/style/marks.h"
#include "app/style/tokens.h"
#include "core/insight/glossary.h"

#include <QHelpEvent>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextCursor>
#include <QToolTip>
#include <QUrl>
#include <QUrlQuery>

namespace ridgepoint::app {

namespace {

QString text(const std::string& value) { return QString::fromStdString(value); }

/// Numbers and the names of configurations stand out.
QTextCharFormat format(const QColor& colour, const QFont& font)
{
    QTextCharFormat result;
    result.setForeground(colour);
    result.setFont(font);
    return result;
}

/// Lines of one height, also where a mark stands in them.
QTextBlockFormat block(double above, double lineHeight = 17)
{
    QTextBlockFormat result;
    result.setTopMargin(above);
    result.setLineHeight(lineHeight, QTextBlockFormat::FixedHeight);
    return result;
}

} // namespace

ExplanationPanel::ExplanationPanel(QWidget* parent) : QTextBrowser(parent)
{
    setOpenLinks(false);
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("Explanation"));
    document()->setDocumentMargin(11);
    connect(this, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) {
        const QUrlQuery query(url);
        const QString knob = query.queryItemValue(QStringLiteral("knob")), figure = query.queryItemValue(QStringLiteral("figure"));
        if (!figure.isEmpty())
            Q_EMIT figureRequested(figure);
        if (!knob.isEmpty() || query.hasQueryItem(QStringLiteral("column")))
            Q_EMIT knobRequested(query.queryItemValue(QStringLiteral("column")).toInt(), knob);
    });
}

void ExplanationPanel::show(const Explanation& explanation, std::vector<FindingLine> findings)
{
    m_explanation = explanation;
    m_findings = std::move(findings);
    build();
}

void ExplanationPanel::applyTokens() { build(); }

void ExplanationPanel::setDepth(ExplanationDepth depth)
{
    if (depth == m_depth)
        return;
    m_depth = depth;
    build();
}

QString ExplanationPanel::termAt(const QPoint& position) const
{
    const QTextCursor cursor = cursorForPosition(position);
    const QString content = cursor.block().text();
    const auto at = std::size_t(content.left(cursor.positionInBlock()).toUtf8().size());
    for (const TermUse& use : termsIn(content.toStdString()))
        if (use.from <= at && at <= use.to)
            return text(std::string(use.term->name) + ": " + std::string(use.term->text));
    return {};
}

bool ExplanationPanel::viewportEvent(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QTextBrowser::viewportEvent(event);
    const auto* help = static_cast<const QHelpEvent*>(event);
    if (const QString term = termAt(help->pos()); !term.isEmpty())
        QToolTip::showText(help->globalPos(), wrappingToolTip(term), this);
    else
        QToolTip::hideText();
    return true;
}

void ExplanationPanel::addSentence(QTextCursor& cursor, const QString& content, int configuration, const QString& figure,
                                   const QString& knob, Severity severity, bool emphasised)
{
    const Tokens& t = tokens();
    if (configuration >= 0) {
        QTextImageFormat mark;
        mark.setName(QStringLiteral("mark:%1").arg(configuration));
        mark.setVerticalAlignment(QTextCharFormat::AlignMiddle);
        cursor.insertImage(mark);
        cursor.insertText(QStringLiteral("\u00a0"), format(t.text, textFont(9.5)));
    }
    if (severity != Severity::information)
        cursor.insertText(severity == Severity::problem ? QStringLiteral("✕ ") : QStringLiteral("! "),
                          format(severity == Severity::problem ? t.bad : t.warning, textFont(9.5, QFont::Bold)));
    QTextCharFormat style = format(emphasised ? t.text : severity == Severity::problem ? t.bad : t.text,
                                   emphasised ? textFont(10.5, QFont::DemiBold) : textFont(9.5));
    if (!figure.isEmpty() || !knob.isEmpty() || configuration >= 0) {
        QUrlQuery query;
        if (!figure.isEmpty())
            query.addQueryItem(QStringLiteral("figure"), figure);
        if (!knob.isEmpty())
            query.addQueryItem(QStringLiteral("knob"), knob);
        if (configuration >= 0)
            query.addQueryItem(QStringLiteral("column"), QString::number(configuration));
        style.setAnchor(true);
        style.setAnchorHref(QStringLiteral("show?") + query.toString());
        if (!emphasised) {
            style.setUnderlineStyle(QTextCharFormat::DotLine);
            style.setUnderlineColor(t.faint);
        }
    }
    cursor.insertText(content, style);
}

void ExplanationPanel::build()
{
    const Tokens& t = tokens();
    const int scroll = verticalScrollBar()->value();
    QTextDocument& page = *document();
    page.clear();
    for (int i = 0; i < 8; ++i)
        page.addResource(QTextDocument::ImageResource, QUrl(QStringLiteral("mark:%1").arg(i)), markPixmap(i, 8.5, devicePixelRatioF(), t));
    QTextCursor cursor(&page);
    cursor.beginEditBlock();
    cursor.setBlockFormat(block(0, 19));
    const Sentence& answer = m_explanation.answer;
    addSentence(cursor, text(answer.text), -1, text(answer.figure), {}, Severity::information, true);
    if (m_depth != ExplanationDepth::line && !m_explanation.paragraph.empty() && m_explanation.paragraph != answer.text) {
        cursor.insertBlock(block(6));
        cursor.insertText(text(m_explanation.paragraph), format(t.secondary, textFont(9.5)));
    }
    const auto heading = [&](const QString& content) {
        cursor.insertBlock(block(11));
        cursor.insertText(content, format(t.secondary, textFont(9, QFont::DemiBold)));
    };
    if (!m_findings.empty()) {
        heading(tr("Findings"));
        for (const FindingLine& finding : m_findings) {
            cursor.insertBlock(block(3));
            addSentence(cursor, finding.text, finding.configuration, {}, finding.knob, finding.severity, false);
        }
    }
    for (const ExplanationSection& section : m_explanation.sections) {
        if (section.sentences.empty() || m_depth != ExplanationDepth::evidence)
            continue;
        heading(text(section.heading));
        for (const Sentence& sentence : section.sentences) {
            cursor.insertBlock(block(3));
            addSentence(cursor, text(sentence.text), sentence.configuration, text(sentence.figure), text(sentence.knob),
                        Severity::information, false);
        }
    }
    cursor.endEditBlock();
    moveCursor(QTextCursor::Start);
    verticalScrollBar()->setValue(scroll);
}

} // namespace ridgepoint::app
