// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/method_dialog.h"

#include "app/style/fonts.h"
#include "app/style/tokens.h"
#include "core/figures/catalog.h"
#include "core/figures/methods.h"
#include "core/insight/glossary.h"

#include <QBoxLayout>
#include <QDialogButtonBox>
#include <QTextBrowser>

namespace ridgepoint::app {

namespace {

QString plain(std::string_view value) { return QString::fromUtf8(value.data(), qsizetype(value.size())); }

QString paragraph(const QString& content) { return QStringLiteral("<p>%1</p>").arg(content.toHtmlEscaped()); }

QString section(const QString& heading, const QString& content)
{
    return content.isEmpty() ? QString() : QStringLiteral("<h4>%1</h4>%2").arg(heading.toHtmlEscaped(), paragraph(content));
}

/// One a line, each in a paragraph of its own.
QString formulas(std::string_view lines)
{
    QString html;
    for (const QString& line : plain(lines).split(QLatin1Char('\n'), Qt::SkipEmptyParts))
        html += QStringLiteral("<p style=\"font-family:'DejaVu Sans Mono'; font-size:9pt; margin:3px 0\">%1</p>").arg(line.toHtmlEscaped());
    return html;
}

QString termsOf(const QString& text)
{
    const QString lines = QString::fromStdString(explainedTerms(text.toStdString()));
    QString html;
    for (const QString& line : lines.split(QLatin1Char('\n'), Qt::SkipEmptyParts))
        html += QStringLiteral("<p style=\"margin:3px 0\"><b>%1</b>%2</p>")
                    .arg(line.section(QLatin1Char(':'), 0, 0).toHtmlEscaped(), (QStringLiteral(":") + line.section(QLatin1Char(':'), 1)).toHtmlEscaped());
    return html.isEmpty() ? html : QStringLiteral("<h4>%1</h4>%2").arg(MethodDialog::tr("Words").toHtmlEscaped(), html);
}

QString sourceText(const Presets& presets, const QString& key)
{
    const auto found = presets.sources.find(key.toStdString());
    if (found == presets.sources.end())
        return key;
    const Source& source = found->second;
    return QString::fromStdString(source.title) + (source.date.empty() ? QString() : QStringLiteral(", ") + QString::fromStdString(source.date))
           + (source.url.empty() ? QString() : QStringLiteral(", ") + QString::fromStdString(source.url));
}

} // namespace

MethodDialog::MethodDialog(QWidget* parent) : QDialog(parent), m_page(new QTextBrowser)
{
    resize(640, 620);
    m_page->setOpenLinks(false);
    m_page->setFrameShape(QFrame::NoFrame);
    m_page->setAccessibleName(tr("How this is computed"));
    m_page->document()->setDefaultFont(textFont(9.5));
    m_page->document()->setDocumentMargin(14);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_page, 1);
    layout->addWidget(buttons);
}

void MethodDialog::setPage(const QString& title, const QString& body)
{
    setWindowTitle(title);
    m_page->setHtml(QStringLiteral("<h3>%1</h3>%2").arg(title.toHtmlEscaped(), body));
}

void MethodDialog::showFigure(const QString& id, const Presets& presets)
{
    const FigureEntry* entry = findFigure(id.toStdString());
    const Method* method = findMethod(id.toStdString());
    const QString title = entry != nullptr ? plain(entry->title) : id;
    QString body = entry != nullptr ? paragraph(plain(entry->help)) : QString();
    if (method != nullptr) {
        body += section(tr("How to read it"), plain(method->reads));
        body += QStringLiteral("<h4>%1</h4>%2").arg(tr("Formula").toHtmlEscaped(), formulas(method->formula));
        body += section(tr("What is left out"), plain(method->leftOut));
        body += section(tr("How sure"), plain(method->bands));
        QString sources;
        for (const QString& key : plain(method->sources).split(QLatin1Char(','), Qt::SkipEmptyParts))
            sources += paragraph(sourceText(presets, key));
        body += QStringLiteral("<h4>%1</h4>%2").arg(tr("Sources").toHtmlEscaped(), sources);
        body += termsOf(plain(method->reads) + QLatin1Char(' ') + plain(method->formula));
    }
    setPage(title, body);
}

void MethodDialog::showTopic(const QString& title, const QString& help)
{
    setPage(title, paragraph(help) + termsOf(title + QLatin1Char(' ') + help));
}

void MethodDialog::showGlossary()
{
    QString body;
    for (const Term& term : glossary())
        body += QStringLiteral("<p style=\"margin:4px 0\"><b>%1</b>: %2</p>").arg(plain(term.name).toHtmlEscaped(), plain(term.text).toHtmlEscaped());
    setPage(tr("Glossary"), body);
}

QString MethodDialog::text() const { return m_page->toPlainText(); }

} // namespace ridgepoint::app
