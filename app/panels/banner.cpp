// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/banner.h"

#include "app/style/fonts.h"
#include "app/style/icons.h"
#include "app/style/tokens.h"

#include <QBoxLayout>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>

namespace ridgepoint::app {

Banner::Banner(QWidget* parent)
    : QWidget(parent), m_title(new QLabel), m_text(new QLabel), m_more(new QPushButton(tr("Show all"))),
      m_close(new QPushButton(tr("Close")))
{
    m_title->setFont(textFont(9.5, QFont::DemiBold));
    m_text->setFont(textFont(9));
    for (QLabel* label : {m_title, m_text}) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    }
    auto* words = new QVBoxLayout;
    words->setSpacing(1);
    words->addWidget(m_title);
    words->addWidget(m_text);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(42, 8, 10, 8);
    layout->setSpacing(8);
    layout->addLayout(words, 1);
    layout->addWidget(m_more);
    layout->addWidget(m_close);
    hide();
    connect(m_close, &QPushButton::clicked, this, &QWidget::hide);
    connect(m_more, &QPushButton::clicked, this, [this] {
        QDialog dialog(window());
        dialog.setWindowTitle(m_title->text());
        dialog.resize(760, 360);
        auto* list = new QPlainTextEdit;
        list->setReadOnly(true);
        list->setFont(codeFont());
        for (const Error& error : m_errors)
            list->appendPlainText(QString::fromStdString(error.text()));
        auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
        connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
        auto* column = new QVBoxLayout(&dialog);
        column->addWidget(list);
        column->addWidget(buttons);
        dialog.exec();
    });
}

void Banner::show(const QString& title, const QString& text, const std::vector<Error>& errors)
{
    m_errors = errors;
    m_title->setText(title);
    QStringList lines;
    for (std::size_t i = 0; i < errors.size() && i < 2; ++i)
        lines << QString::fromStdString(errors[i].text());
    if (!text.isEmpty())
        lines << text;
    m_text->setText(lines.join(QLatin1Char('\n')));
    m_more->setVisible(errors.size() > 2);
    setAccessibleName(title + QStringLiteral(". ") + m_text->text());
    QWidget::show();
}

QString Banner::text() const { return m_title->text() + QLatin1Char('\n') + m_text->text(); }

void Banner::paintEvent(QPaintEvent*)
{
    const Tokens& t = tokens();
    QPainter painter(this);
    painter.fillRect(rect(), t.panel);
    painter.setPen(t.bad);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
    painter.fillRect(QRect(0, 0, 3, height()), t.bad);
    themeIcon(QStringLiteral("warning")).paint(&painter, QRect(13, height() / 2 - 10, 20, 20));
}

} // namespace ridgepoint::app
