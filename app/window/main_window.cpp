// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main_window.h"

#include "app/document/settings.h"
#include "app/charts/chart_view.h"
#include "app/panels/banner.h"
#include "app/panels/comparison_board.h"
#include "app/panels/decide_page.h"
#include "app/panels/explore_page.h"
#include "app/panels/explanation_panel.h"
#include "app/panels/framed.h"
#include "app/panels/library_panel.h"
#include "app/panels/memory_page.h"
#include "app/panels/size_page.h"
#include "app/style/fonts.h"
#include "app/style/icons.h"
#include "app/style/marks.h"
#include "app/style/tokens.h"
#include "app/window/dock_title.h"
#include "app/window/figure_grid.h"

#include "core/insight/consistency.h"

#include <QApplication>
#include <QBoxLayout>
#include <QComboBox>
#include <QDockWidget>
#include <QFileInfo>
#include <QInputDialog>
#include <QLabel>
#include <QScreen>
#include <QSettings>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabBar>
#include <QTableView>

namespace ridgepoint::app {

namespace {

constexpr int libraryNeeds = 1280, explanationNeeds = 1100;
constexpr int explanationDelay = 90;   // ms after the last change; text that moves cannot be read

QString text(const std::string& value) { return QString::fromStdString(value); }

QString presetDate(const Presets& presets)
{
    std::string newest;
    for (const auto& [key, source] : presets.sources)
        if (source.date.size() == 10)
            newest = std::max(newest, source.date);
    return text(newest);
}

} // namespace

MainWindow::MainWindow(Document& document, QWidget* parent)
    : QMainWindow(parent), m_document(document), m_board(new ComparisonBoard), m_figures(new FigureGrid),
      m_library(new LibraryPanel), m_explanation(new ExplanationPanel), m_banner(new Banner),
      m_vertical(new QSplitter(Qt::Vertical)), m_spaces(new QStackedWidget), m_lowerTabs(new QTabBar), m_lower(new QStackedWidget),
      m_statusText(new QLabel), m_presetText(new QLabel), m_saveText(new QLabel), m_consistency(new QLabel)
{
    setMinimumSize(1024, 700);
    setAcceptDrops(true);
    setDockOptions(AnimatedDocks | AllowTabbedDocks);
    setWindowIcon(QIcon(QStringLiteral(":/icons/ridgepoint.svg")));

    auto* lower = new QWidget;
    auto* lowerLayout = new QVBoxLayout(lower);
    lowerLayout->setContentsMargins(0, 0, 0, 0);
    lowerLayout->setSpacing(0);
    m_lowerTabs->addTab(tr("Figures"));
    m_lowerTabs->addTab(tr("Explanation"));
    m_lowerTabs->setExpanding(false);
    m_lowerTabs->setDrawBase(false);
    m_lowerTabs->setVisible(false);
    m_lower->addWidget(m_figures);
    lowerLayout->addWidget(m_lowerTabs);
    lowerLayout->addWidget(m_lower, 1);
    connect(m_lowerTabs, &QTabBar::currentChanged, m_lower, &QStackedWidget::setCurrentIndex);

    m_vertical->addWidget(m_board);
    m_vertical->addWidget(lower);
    m_vertical->setChildrenCollapsible(false);
    m_vertical->setHandleWidth(4);
    m_vertical->setStretchFactor(0, 1);
    m_vertical->setStretchFactor(1, 1);
    m_vertical->setSizes({420, 400});
    m_board->setMinimumHeight(180);
    lower->setMinimumHeight(240);
    auto* centre = new QWidget;
    auto* layout = new QVBoxLayout(centre);
    layout->setContentsMargins(0, 4, 0, 4);
    layout->setSpacing(4);
    layout->addWidget(m_banner);
    m_spaces->addWidget(m_vertical);
    layout->addWidget(m_spaces, 1);
    setCentralWidget(centre);

    buildDocks();
    buildActions();
    buildToolBar();
    m_statusText->setObjectName(QStringLiteral("statusText"));
    m_consistency->setObjectName(QStringLiteral("consistency"));
    for (QLabel* label : {m_statusText, m_consistency, m_presetText, m_saveText}) {
        label->setFont(textFont(9));
        label->setContentsMargins(8, 0, 8, 0);
    }
    statusBar()->setSizeGripEnabled(false);
    statusBar()->setFixedHeight(25);
    statusBar()->addWidget(m_statusText, 1);
    statusBar()->addPermanentWidget(m_consistency);
    statusBar()->addPermanentWidget(m_presetText);
    statusBar()->addPermanentWidget(m_saveText);
    m_statusReset.setSingleShot(true);
    m_explain.setSingleShot(true);
    m_explain.setInterval(explanationDelay);
    m_autosave.setSingleShot(true);
    m_autosave.setInterval(3000);
    wire();
    stampFigures();
    m_board->setShowEqual(showEqualKnobs());
    m_library->show(m_document.presets());
    refresh();
    refreshTitle();
    updateExplanation();
    m_board->table()->setFocus();
    if (m_document.size() > 0)
        m_library->reveal(LibraryKind::device, text(m_document.configurations()[m_document.baseline()].scenario.system.device.id));
}

void MainWindow::buildDocks()
{
    const auto dock = [this](const QString& title, const char* name, QWidget* content, Qt::DockWidgetArea area, int width) {
        auto* result = new QDockWidget(title);
        result->setObjectName(QLatin1String(name));
        result->setTitleBarWidget(new DockTitle(result));
        result->setWidget(new Framed(content));
        content->setMinimumWidth(width - 40);
        addDockWidget(area, result);
        resizeDocks({result}, {width}, Qt::Horizontal);
        return result;
    };
    m_libraryDock = dock(tr("Library"), "library", m_library, Qt::LeftDockWidgetArea, 252);
    m_explanationDock = dock(tr("Explanation"), "explanation", m_explanation, Qt::RightDockWidgetArea, 284);
    static_cast<DockTitle*>(m_libraryDock->titleBarWidget())
        ->addButton(QStringLiteral("import"), tr("Import a network (config.json)"), [this] { importWithDialog(); });
}

void MainWindow::wire()
{
    connect(&m_document, &Document::changed, this, &MainWindow::refresh);
    connect(&m_document, &Document::presetsChanged, this, [this] {
        m_library->show(m_document.presets());
        if (m_explore != nullptr)
            m_explore->presetsChanged();
        refresh();
    });
    connect(&m_document, &Document::fileNameChanged, this, &MainWindow::refreshTitle);
    connect(&m_document.undoStack(), &QUndoStack::cleanChanged, this, &MainWindow::refreshTitle);
    connect(&m_explain, &QTimer::timeout, this, &MainWindow::updateExplanation);
    connect(&m_autosave, &QTimer::timeout, this, &MainWindow::writeRecovery);
    connect(&m_statusReset, &QTimer::timeout, this, [this] {
        m_statusText->setText(statusText());
        m_statusText->setToolTip({});
    });

    connect(m_board, &ComparisonBoard::knobEdited, this, [this](int column, const QString& knob, const KnobValue& value, int gesture) {
        report(m_document.setKnob(std::size_t(column), knob.toStdString(), value, gesture));
    });
    connect(m_board, &ComparisonBoard::knobCancelled, &m_document, &Document::cancelGesture);
    connect(m_board, &ComparisonBoard::resetRequested, this, [this](int column, const QString& knob) {
        report(m_document.resetToBaseline(std::size_t(column), knob.toStdString()));
    });
    connect(m_board, &ComparisonBoard::copyRequested, this, [this](int column, const QString& knob) {
        report(m_document.copyToAll(std::size_t(column), knob.toStdString()));
    });
    connect(m_board, &ComparisonBoard::sourceRequested, this, &MainWindow::showSource);
    connect(m_board, &ComparisonBoard::addRequested, this, [this] { report(m_document.addConfiguration()); });
    connect(m_board, &ComparisonBoard::duplicateRequested, this, &MainWindow::duplicateColumn);
    connect(m_board, &ComparisonBoard::baselineRequested, this, &MainWindow::makeBaseline);
    connect(m_board, &ComparisonBoard::renameRequested, this, &MainWindow::renameColumn);
    connect(m_board, &ComparisonBoard::moveRequested, this, &MainWindow::moveColumn);
    connect(m_board, &ComparisonBoard::removeRequested, this, &MainWindow::removeColumn);
    connect(m_board, &ComparisonBoard::showEqualChanged, this, [this](bool on) {
        m_board->setShowEqual(on);
        m_showEqual->setChecked(on);
        setShowEqualKnobs(on);
    });
    connect(m_board, &ComparisonBoard::columnSelected, this, [this](int column) { m_library->setTarget(letterOf(std::max(0, column))); });
    connect(m_library, &LibraryPanel::useRequested, this, &MainWindow::useEntry);
    connect(m_explanation, &ExplanationPanel::knobRequested, this, [this](int column, const QString& knob) { m_board->goTo(column, knob); });
    connect(m_explanation, &ExplanationPanel::figureRequested, this, [this](const QString& figure) {
        openSpace(Space::compare);
        m_lowerTabs->setCurrentIndex(0);
        m_figures->announce(figure);
    });
    connect(m_figures, &FigureGrid::message, this, &MainWindow::say);
    connect(m_figures, &FigureGrid::methodRequested, this, &MainWindow::explainFigure);
    connect(m_figures, &FigureGrid::failed, this, &MainWindow::complain);
}

void MainWindow::refresh()
{
    m_board->show(m_document.configurations(), m_document.baseline(), m_document.presets(), m_document.definitions());
    m_figures->show(m_document.configurations(), m_document.baseline(), m_document.definitions());
    m_library->setDefinitions(m_document.definitions());
    if (m_memory != nullptr && m_memory->isVisible())
        m_memory->show(m_document.configurations(), m_document.presets(), m_document.definitions());
    showSpace();
    m_statusReset.stop();   // what a message was about is over once the board changes
    m_statusText->setText(statusText());
    m_statusText->setToolTip({});
    m_explain.start();
    if (m_recovers)
        m_autosave.start();
    m_library->setTarget(letterOf(m_board->currentColumn()));
    const QSignalBlocker blocker(m_baseline);
    while (m_baseline->count() > int(m_document.size()))
        m_baseline->removeItem(m_baseline->count() - 1);
    for (int i = 0; i < int(m_document.size()); ++i) {
        const QString name = letterOf(i) + QStringLiteral(" · ") + text(m_document.configurations()[std::size_t(i)].scenario.name);
        if (i >= m_baseline->count())
            m_baseline->addItem(name);
        else if (m_baseline->itemText(i) != name)
            m_baseline->setItemText(i, name);
    }
    m_baseline->setCurrentIndex(int(m_document.baseline()));
    const QString date = presetDate(m_document.presets());
    m_presetText->setText(date.isEmpty() ? QString() : tr("Presets %1").arg(date));
}

QString MainWindow::statusText() const
{
    const double milliseconds = m_document.evaluationMilliseconds();
    const QString time = milliseconds < 0.1 ? tr("%1 µs").arg(std::max(1, int(milliseconds * 1000))) : tr("%1 ms").arg(milliseconds, 0, 'f', 1);
    std::size_t feasible = 0;
    for (const Evaluated& one : m_document.configurations())
        feasible += one.report.feasible();
    QString result = m_document.size() == 1 ? tr("✓ Evaluated 1 configuration") : tr("✓ Evaluated %1 configurations").arg(m_document.size());
    result += QStringLiteral(" · ") + tr("last change took %1").arg(time);
    if (feasible < m_document.size())
        result += QStringLiteral(" · ") + tr("%1 without a result").arg(m_document.size() - feasible);
    return result;
}

void MainWindow::checkConsistency()
{
    std::size_t checked = 0;
    QStringList broken;
    for (std::size_t i = 0; i < m_document.size(); ++i) {
        checked += equationsOf(m_document.configurations()[i]).size();
        for (const Equation& equation : brokenEquations(m_document.configurations()[i]))
            broken << tr("%1: %2 does not hold (%3 and %4)").arg(letterOf(int(i)), text(equation.text)).arg(equation.left).arg(equation.right);
    }
    const Tokens& t = tokens();
    QPalette colours = m_consistency->palette();
    colours.setColor(QPalette::WindowText, broken.isEmpty() ? t.good : t.bad);
    m_consistency->setPalette(colours);
    m_consistency->setText(broken.isEmpty() ? tr("✓ %1 equations hold").arg(checked) : QStringLiteral("✕ ") + broken.front());
    m_consistency->setToolTip(broken.isEmpty() ? wrappingToolTip(tr("All numbers shown multiply out: parts add up to their totals, rates, counts, prices and "
                                                                    "memory agree with each other in %1 equations.").arg(checked))
                                               : wrappingToolTip(broken.join(QLatin1Char('\n'))));
}

void MainWindow::updateExplanation()
{
    checkConsistency();
    if (!m_statusReset.isActive())
        m_statusText->setText(statusText());
    std::vector<FindingLine> findings;
    const auto configurations = m_document.configurations();
    for (std::size_t i = 0; i < configurations.size(); ++i)
        for (const Finding& finding : configurations[i].report.findings)
            if (finding.severity != Severity::information)
                findings.push_back({int(i), finding.severity, text(sentence(finding, configurations[i].scenario, m_document.definitions())),
                                    QString::fromUtf8(finding.knob.data(), qsizetype(finding.knob.size()))});
    m_explanation->show(explain(configurations, m_document.baseline(), m_document.definitions()), std::move(findings));
}

void MainWindow::refreshTitle()
{
    const QString name = m_document.fileName().isEmpty() ? tr("Untitled") : QFileInfo(m_document.fileName()).fileName();
    setWindowTitle(QStringLiteral("%1[*] — Ridgepoint").arg(name));
    setWindowModified(m_document.isModified());
    m_saveText->setText(m_document.isModified()             ? tr("Not saved")
                        : m_document.fileName().isEmpty() ? tr("No changes")
                                                          : tr("Saved"));
}

void MainWindow::showErrors(const std::vector<Error>& errors)
{
    if (errors.empty())
        return;
    const Presets& p = m_document.presets();
    m_banner->show(errors.size() == 1 ? tr("1 preset was not loaded") : tr("%1 presets were not loaded").arg(errors.size()),
                   p.systems.empty() || p.networks.empty() || p.engines.empty()
                       ? tr("There is nothing to compare: a configuration needs a system, a network and an engine.")
                       : tr("Everything else works: %1 systems, %2 networks, %3 engines, %4 prices.")
                       .arg(p.systems.size()).arg(p.networks.size()).arg(p.engines.size()).arg(p.prices.size()),
                   errors);
}

void MainWindow::setTheme(ThemeChoice choice, bool remember)
{
    m_theme = choice;
    if (remember)
        setThemeSetting(choice);
    applyTheme(isDark(choice));
    m_board->applyTokens();
    m_figures->applyTokens();
    m_library->applyTokens();
    m_explanation->applyTokens();
    if (m_memory != nullptr)
        m_memory->applyTokens();
    if (m_explore != nullptr)
        m_explore->applyTokens();
    if (m_decide != nullptr)
        m_decide->applyTokens();
    if (m_size != nullptr)
        m_size->applyTokens();
}

void MainWindow::restoreLayout()
{
    const QSettings settings;
    if (!restoreGeometry(settings.value(QStringLiteral("window/geometry")).toByteArray()))
        resize(1600, 1000);
    keepOnScreen();
    restoreState(settings.value(QStringLiteral("window/docks")).toByteArray());
    if (const QByteArray state = settings.value(QStringLiteral("window/splitter")).toByteArray(); !state.isEmpty())
        m_vertical->restoreState(state);
    if (const QByteArray state = settings.value(QStringLiteral("window/figures")).toByteArray(); !state.isEmpty())
        m_figures->restoreState(state);
    adaptToWidth();
}

/// A screen may be smaller than the window was made for, or than the one of the last run.
void MainWindow::keepOnScreen()
{
    constexpr int titleBar = 32, border = 4;   // no frame is known before the window is shown
    const QRect room = screen()->availableGeometry().adjusted(border, titleBar, -border, -border);
    setMinimumSize(minimumSize().boundedTo(room.size()));
    if (isMaximized() || isFullScreen())
        return;
    resize(size().boundedTo(room.size()));
    if (!room.contains(geometry()))
        move(std::clamp(x(), room.left(), room.right() + 1 - width()),
             std::clamp(y(), room.top() - titleBar, room.bottom() + 1 - titleBar - height()));
}

void MainWindow::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    adaptToWidth();
}

/// Folds what there is no room for and brings back what it folded itself, never what the user closed.
void MainWindow::adaptToWidth()
{
    if (width() < libraryNeeds && m_libraryDock->isVisibleTo(this) && !m_libraryDock->isFloating()) {
        m_libraryFolded = true;
        m_libraryWidth = m_libraryDock->width();
        m_libraryDock->hide();
    } else if (width() >= libraryNeeds && m_libraryFolded) {
        m_libraryFolded = false;
        m_libraryDock->show();
        resizeDocks({m_libraryDock}, {m_libraryWidth}, Qt::Horizontal);
    }
    if (width() < explanationNeeds && !m_explanationFolded && !m_explanationDock->isFloating()) {
        m_explanationFolded = true;
        m_explanationWidth = m_explanationDock->width();
        m_lower->addWidget(m_explanation);
        m_explanationDock->hide();
        m_lowerTabs->show();
    } else if (width() >= explanationNeeds && m_explanationFolded) {
        m_explanationFolded = false;
        m_lowerTabs->setCurrentIndex(0);
        m_lowerTabs->hide();
        m_lower->removeWidget(m_explanation);
        m_explanationDock->widget()->layout()->addWidget(m_explanation);
        m_explanation->show();
        m_explanationDock->show();
        resizeDocks({m_explanationDock}, {m_explanationWidth}, Qt::Horizontal);
    }
}

void MainWindow::report(const Result<void>& result)
{
    if (result)
        return;
    complain(text(result.error().message));
    m_board->show(m_document.configurations(), m_document.baseline(), m_document.presets(), m_document.definitions());
}

void MainWindow::say(const QString& message)
{
    m_statusText->setText(message);
    m_statusReset.start(6000);
}

void MainWindow::complain(const QString& message)
{
    m_statusText->setText(QStringLiteral("✕ ") + message);
    m_statusText->setToolTip(message);
    m_statusReset.start(12000);
}

void MainWindow::useEntry(LibraryKind kind, const QString& id)
{
    QString knob = knobOf(kind), value = id;
    if (kind == LibraryKind::device) {
        knob = knobOf(LibraryKind::system);
        for (const System& system : m_document.presets().systems)
            if (system.device.id == id.toStdString()) {
                value = text(system.id);
                break;
            }
    }
    if (knob.isEmpty())
        return;
    const int column = m_board->currentColumn();
    const auto result = m_document.setKnob(std::size_t(column), knob.toStdString(), value.toStdString());
    report(result);
    if (result) {
        m_library->noteUsed(kind, id);
        m_board->goTo(column, knob);
        QString name = value;
        for (const LibraryEntry& entry : libraryEntries(m_document.presets()))
            if (entry.id == value && knobOf(entry.kind) == knob)
                name = entry.name;
        say(tr("%1 is now used in column %2.").arg(name, letterOf(column)));
    }
}

void MainWindow::showSource(int column, const QString& knob)
{
    if (column >= int(m_document.size()))
        return;
    const Scenario& scenario = m_document.configurations()[std::size_t(column)].scenario;
    const QString group = knob.section(QLatin1Char('.'), 0, 0);
    if (group == QLatin1String("hardware"))
        m_library->reveal(LibraryKind::system, text(scenario.system.id));
    else if (group == QLatin1String("network") || group == QLatin1String("precision"))
        m_library->reveal(LibraryKind::network, text(scenario.network.id));
    else if (group == QLatin1String("engine"))
        m_library->reveal(LibraryKind::engine, text(scenario.engine.id));
    else if (group == QLatin1String("price") && scenario.price)
        m_library->reveal(LibraryKind::price, text(scenario.price->id));
    else
        return say(tr("This value is set by you; it has no source."));
    m_libraryDock->show();
    m_libraryDock->raise();
}

void MainWindow::duplicateColumn(int column)
{
    report(m_document.duplicate(std::size_t(column)));
}

void MainWindow::makeBaseline(int column) { m_document.setBaseline(std::size_t(column)); }

void MainWindow::moveColumn(int column, int to)
{
    if (to < 0 || to >= int(m_document.size()))
        return;
    m_document.move(std::size_t(column), std::size_t(to));
    m_board->goTo(to, {});
}

void MainWindow::removeColumn(int column) { report(m_document.remove(std::size_t(column))); }

void MainWindow::renameColumn(int column)
{
    if (column >= int(m_document.size()))
        return;
    bool accepted = false;
    const QString name = QInputDialog::getText(this, tr("Rename %1").arg(letterOf(column)), tr("Name of the configuration; empty takes the hardware's:"),
                                               QLineEdit::Normal, text(m_document.configurations()[std::size_t(column)].scenario.name), &accepted);
    if (accepted)
        m_document.rename(std::size_t(column), name);
}

void MainWindow::editCurrentColumn(void (MainWindow::*action)(int)) { (this->*action)(m_board->currentColumn()); }

void MainWindow::showNextProblem()
{
    std::vector<std::pair<int, const Finding*>> problems;
    for (std::size_t i = 0; i < m_document.size(); ++i)
        for (const Finding& finding : m_document.configurations()[i].report.findings)
            if (finding.severity != Severity::information)
                problems.emplace_back(int(i), &finding);
    if (problems.empty())
        return say(tr("No problems."));
    m_problem = (m_problem + 1) % int(problems.size());
    const auto& [column, finding] = problems[std::size_t(m_problem)];
    if (!finding->knob.empty())
        m_board->goTo(column, QString::fromUtf8(finding->knob.data(), qsizetype(finding->knob.size())));
    say(letterOf(column) + QStringLiteral(": ") + text(sentence(*finding, m_document.configurations()[std::size_t(column)].scenario, m_document.definitions())));
}

void MainWindow::nextPane()
{
    QWidget* const panes[] = {m_board->table(), m_figures, m_explanation, m_library};
    const QWidget* focus = QApplication::focusWidget();
    int current = -1;
    for (int i = 0; i < 4; ++i)
        if (focus && (panes[i] == focus || panes[i]->isAncestorOf(focus)))
            current = i;
    for (int step = 1; step <= 4; ++step) {
        QWidget* next = panes[(current + step + 4) % 4];
        if (!next->isVisible())
            continue;
        if (next == m_library)
            m_library->focusSearch();
        else if (next == m_figures)
            m_figures->announce(m_figures->views().front()->objectName());
        else
            next->setFocus(Qt::TabFocusReason);
        return;
    }
}

} // namespace ridgepoint::app
