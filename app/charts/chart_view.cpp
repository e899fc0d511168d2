// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/chart_view.h"

#include "app/charts/figure_plot.h"
#include "app/charts/hover_card.h"
#include "app/panels/elided_label.h"
#include "app/panels/table_dialog.h"
#include "app/style/fonts.h"
#include "app/style/icons.h"

#include <QApplication>
#include <QBoxLayout>
#include <QClipboard>
#include <QFileDialog>
#include <QMenu>
#include <QPainter>
#include <QSettings>
#include <QStandardPaths>
#include <QTimer>
#include <QToolButton>

namespace ridgepoint::app {

namespace {

HoverCard* cardOf(QWidget* widget)
{
    QWidget* window = widget->window();
    auto* card = window->findChild<HoverCard*>(QString(), Qt::FindDirectChildrenOnly);
    return card ? card : new HoverCard(window);
}

} // namespace

ChartView::ChartView(QWidget* parent)
    : QWidget(parent), m_plot(new FigurePlot), m_bar(new QWidget), m_title(new QLabel), m_subtitle(new ElidedLabel),
      m_more(new QToolButton)
{
    m_title->setFont(textFont(9.5, QFont::DemiBold));
    m_subtitle->setFont(textFont(8.5));
    m_subtitle->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_more->setIcon(themeIcon(QStringLiteral("more")));
    m_more->setIconSize({16, 16});
    m_more->setFixedSize(24, 24);
    m_more->setToolTip(tr("Copy, save or show as a table"));
    m_more->setAccessibleName(tr("Actions of this figure"));
    m_bar->setFixedHeight(27);
    auto* barLayout = new QHBoxLayout(m_bar);
    barLayout->setContentsMargins(10, 0, 3, 0);
    barLayout->setSpacing(8);
    barLayout->addWidget(m_title);
    barLayout->addWidget(m_subtitle, 1);
    barLayout->addWidget(m_more);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 1, 1, 1);
    layout->setSpacing(0);
    layout->addWidget(m_bar);
    layout->addWidget(m_plot, 1);
    applyTokens();

    m_plot->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_plot, &QWidget::customContextMenuRequested, this, [this](const QPoint& at) {
        QMenu* menu = makeMenu();
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->popup(m_plot->mapToGlobal(at));
    });
    connect(m_more, &QToolButton::clicked, this, [this] {
        QMenu* menu = makeMenu();
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->popup(m_more->mapToGlobal(QPoint(0, m_more->height())));
    });
    connect(m_plot, &FigurePlot::keyClicked, this, &ChartView::keyClicked);
    connect(m_plot, &FigurePlot::hovered, this, [this](const ChartHit& hit, const QPoint& at) {
        cardOf(this)->show(hit, m_plot->mapToGlobal(at));
    });
    connect(m_plot, &FigurePlot::unhovered, this, [this] {
        if (auto* card = window()->findChild<HoverCard*>(QString(), Qt::FindDirectChildrenOnly))
            card->hide();
    });
}

void ChartView::show(const Figure& figure)
{
    const auto setText = [](QLabel* label, const std::string& content) {
        const QString text = QString::fromStdString(content);
        if (label->text() != text)
            label->setText(text);
    };
    setText(m_title, titleOf(figure));
    setText(m_subtitle, std::visit([](const auto& f) { return f.subtitle; }, figure));
    m_plot->show(figure);
}

void ChartView::select(const QString& key) { m_plot->select(key); }

void ChartView::setHelp(const QString& help)
{
    m_title->setToolTip(help);
    m_bar->setToolTip(help);
}

void ChartView::setStamp(std::function<QString()> assumptions) { m_stamp = std::move(assumptions); }

void ChartView::applyTokens()
{
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, tokens().text);
    m_title->setPalette(colours);
    colours.setColor(QPalette::WindowText, tokens().secondary);
    m_subtitle->setPalette(colours);
    m_plot->setTokens(tokens());
    update();
}

QMenu* ChartView::makeMenu()
{
    auto* menu = new QMenu(this);
    menu->addAction(tr("How is this computed?"), this, &ChartView::methodRequested);
    menu->addAction(tr("Copy picture"), this, &ChartView::copyPicture);
    menu->addSeparator();
    const std::pair<QString, ExportFormat> formats[] = {{tr("Save as PNG…"), ExportFormat::png},
                                                        {tr("Save as SVG…"), ExportFormat::svg},
                                                        {tr("Save as PDF…"), ExportFormat::pdf},
                                                        {tr("Save as CSV…"), ExportFormat::csv}};
    for (const auto& [label, format] : formats)
        menu->addAction(label, this, [this, format = format] { exportTo(format); });
    menu->addSeparator();
    menu->addAction(tr("Show table"), this, &ChartView::showTable);
    QAction* reset = menu->addAction(tr("Reset zoom"), m_plot, &FigurePlot::resetRanges);
    reset->setEnabled(m_plot->isZoomed());
    return menu;
}

void ChartView::copyPicture()
{
    QApplication::clipboard()->setImage(figureImage(m_plot->figure(), tokens(), 2.0, exportSize, stamp()));
    Q_EMIT message(tr("%1 is on the clipboard.").arg(m_title->text()));
}

void ChartView::exportTo(ExportFormat format)
{
    QSettings settings;
    const QString folder = settings.value(QStringLiteral("export/folder"),
                                          QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation)).toString();
    const QString suffix = suffixOf(format);
    const QString proposal = folder + QLatin1Char('/') + QString::fromStdString(idOf(m_plot->figure())) + QLatin1Char('.') + suffix;
    QString file = QFileDialog::getSaveFileName(this, tr("Save %1").arg(m_title->text()), proposal,
                                                tr("%1 file (*.%2)").arg(suffix.toUpper(), suffix));
    if (file.isEmpty())
        return;
    if (QFileInfo(file).suffix().isEmpty())
        file += QLatin1Char('.') + suffix;
    settings.setValue(QStringLiteral("export/folder"), QFileInfo(file).absolutePath());
    const Tokens& colours = format == ExportFormat::png ? tokens() : lightTokens();   // the others are for paper
    if (const auto written = exportFigure(m_plot->figure(), file, format, colours, stamp()))
        Q_EMIT message(tr("Saved %1.").arg(file));
    else
        Q_EMIT failed(QString::fromStdString(written.error().text()));
}

void ChartView::showTable()
{
    auto* dialog = new TableDialog(m_plot->figure(), window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void ChartView::announce()
{
    m_announced = true;
    m_plot->setFocus();
    update();
    QTimer::singleShot(1200, this, [this] {
        m_announced = false;
        update();
    });
}

void ChartView::paintEvent(QPaintEvent*)
{
    const Tokens& t = tokens();
    QPainter painter(this);
    painter.fillRect(rect(), t.panel);
    painter.fillRect(QRect(0, 0, width(), m_bar->geometry().bottom() + 1), t.bar);
    painter.setPen(t.border);
    painter.drawLine(0, m_bar->geometry().bottom(), width(), m_bar->geometry().bottom());
    painter.setPen(m_announced ? t.accent : t.border);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

} // namespace ridgepoint::app
