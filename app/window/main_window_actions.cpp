// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/chart_view.h"
#include "app/document/settings.h"
#include "app/panels/comparison_board.h"
#include "app/panels/explanation_panel.h"
#include "app/panels/library_panel.h"
#include "app/style/icons.h"
#include "app/style/marks.h"
#include "app/window/command_palette.h"
#include "app/window/figure_grid.h"
#include "app/window/main_window.h"
#include "app/window/method_dialog.h"
#include "app/window/validation_dialog.h"
#include "core/figures/catalog.h"

#include <QActionGroup>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QFileInfo>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QPushButton>
#include <QToolBar>

namespace ridgepoint::app {

namespace {

QString text(std::string_view value) { return QString::fromUtf8(value.data(), qsizetype(value.size())); }

} // namespace

void MainWindow::buildActions()
{
    const auto add = [this](QMenu* menu, const QString& label, const QKeySequence& keys, auto slot, const QString& icon = {}) {
        auto* action = new QAction(label, this);
        action->setShortcut(keys);
        if (!icon.isEmpty())
            action->setIcon(themeIcon(icon));
        action->setIconVisibleInMenu(false);
        connect(action, &QAction::triggered, this, slot);
        menu->addAction(action);
        m_actions.push_back(action);
        return action;
    };

    QMenu* file = menuBar()->addMenu(tr("&File"));
    add(file, tr("&New board"), QKeySequence::New, [this] { newBoard(); });
    add(file, tr("&Open…"), QKeySequence::Open, [this] { openWithDialog(); }, QStringLiteral("open"))->setObjectName(QStringLiteral("open"));
    m_recent = file->addMenu(tr("Open &recent"));
    connect(m_recent, &QMenu::aboutToShow, this, &MainWindow::fillRecentMenu);
    add(file, tr("Open the sa&mple comparison"), {}, [this] { openSample(); });
    file->addSeparator();
    add(file, tr("&Save"), QKeySequence::Save, [this] { save(); }, QStringLiteral("save"))->setObjectName(QStringLiteral("save"));
    add(file, tr("Save &as…"), QKeySequence(QStringLiteral("Ctrl+Shift+S")), [this] { saveAs(); });
    file->addSeparator();
    add(file, tr("&Import a network (config.json)…"), QKeySequence(QStringLiteral("Ctrl+I")), [this] { importWithDialog(); }, QStringLiteral("import"));
    QMenu* exports = file->addMenu(tr("&Export figure"));
    for (const FigureEntry& entry : boardFigures()) {
        ChartView* view = m_figures->view(entry.id);
        QMenu* one = exports->addMenu(text(entry.title));
        for (const ExportFormat format : {ExportFormat::png, ExportFormat::svg, ExportFormat::pdf, ExportFormat::csv})
            one->addAction(suffixOf(format).toUpper() + QStringLiteral("…"), view, [view, format] { view->exportTo(format); });
    }
    file->addSeparator();
    add(file, tr("&Quit"), QKeySequence(QStringLiteral("Ctrl+Q")), [this] { close(); });

    QMenu* edit = menuBar()->addMenu(tr("&Edit"));
    QAction* undo = m_document.undoStack().createUndoAction(this, tr("Undo"));
    undo->setShortcut(QKeySequence::Undo);
    undo->setIcon(themeIcon(QStringLiteral("undo")));
    undo->setObjectName(QStringLiteral("undo"));
    QAction* redo = m_document.undoStack().createRedoAction(this, tr("Redo"));
    redo->setShortcuts({QKeySequence(QStringLiteral("Ctrl+Shift+Z")), QKeySequence(QStringLiteral("Ctrl+Y"))});
    redo->setIcon(themeIcon(QStringLiteral("redo")));
    redo->setObjectName(QStringLiteral("redo"));
    for (QAction* action : {undo, redo}) {
        action->setIconVisibleInMenu(false);
        edit->addAction(action);
        m_actions.push_back(action);
    }
    edit->addSeparator();
    add(edit, tr("&Find command, knob or entry…"), QKeySequence(QStringLiteral("Ctrl+K")), [this] { openPalette(); }, QStringLiteral("search"))
        ->setObjectName(QStringLiteral("find"));
    add(edit, tr("Search the &library"), QKeySequence(QStringLiteral("Ctrl+F")), [this] {
        m_libraryDock->show();
        m_library->focusSearch();
    });

    QMenu* configuration = menuBar()->addMenu(tr("&Configuration"));
    add(configuration, tr("&Add"), QKeySequence(QStringLiteral("Ctrl+Shift+N")), [this] { report(m_document.addConfiguration()); }, QStringLiteral("add"));
    add(configuration, tr("&Duplicate"), QKeySequence(QStringLiteral("Ctrl+D")), [this] { editCurrentColumn(&MainWindow::duplicateColumn); });
    add(configuration, tr("Make &baseline"), QKeySequence(QStringLiteral("Ctrl+B")), [this] { editCurrentColumn(&MainWindow::makeBaseline); });
    add(configuration, tr("&Rename…"), QKeySequence(QStringLiteral("Shift+F2")), [this] { editCurrentColumn(&MainWindow::renameColumn); });
    configuration->addSeparator();
    add(configuration, tr("Move &left"), QKeySequence(QStringLiteral("Ctrl+Shift+Left")), [this] { moveColumn(m_board->currentColumn(), m_board->currentColumn() - 1); });
    add(configuration, tr("Move ri&ght"), QKeySequence(QStringLiteral("Ctrl+Shift+Right")), [this] { moveColumn(m_board->currentColumn(), m_board->currentColumn() + 1); });
    configuration->addSeparator();
    add(configuration, tr("Remo&ve"), QKeySequence(QStringLiteral("Ctrl+Shift+D")), [this] { editCurrentColumn(&MainWindow::removeColumn); });

    QMenu* view = menuBar()->addMenu(tr("&View"));
    const std::tuple<QString, const char*, Space> spaces[] = {{tr("&Compare: which one, and why"), "Ctrl+1", Space::compare},
                                                              {tr("E&xplore: where it works and where it breaks"), "Ctrl+2", Space::explore},
                                                              {tr("&Decide: is the answer safe"), "Ctrl+3", Space::decide},
                                                              {tr("&Size: how many for a load"), "Ctrl+4", Space::size}};
    for (const auto& [label, keys, space] : spaces)
        add(view, label, QKeySequence(QLatin1String(keys)), [this, space = space] { openSpace(space); });
    add(view, tr("&Present…"), QKeySequence(QStringLiteral("F11")), [this] { present(); })->setObjectName(QStringLiteral("present"));
    view->addSeparator();
    QAction* library = m_libraryDock->toggleViewAction();
    library->setIcon(themeIcon(QStringLiteral("library")));
    library->setObjectName(QStringLiteral("toggleLibrary"));
    library->setToolTip(tr("Show or hide the library"));
    QAction* explanation = m_explanationDock->toggleViewAction();
    explanation->setIcon(themeIcon(QStringLiteral("explanation")));
    explanation->setObjectName(QStringLiteral("toggleExplanation"));
    explanation->setToolTip(tr("Show or hide the explanation"));
    for (QAction* action : {library, explanation}) {
        action->setIconVisibleInMenu(false);
        view->addAction(action);
    }
    connect(library, &QAction::triggered, this, [this] { m_libraryFolded = false; });
    view->addSeparator();
    m_showEqual = new QAction(tr("Show knobs that are &equal in every column"), this);
    m_showEqual->setCheckable(true);
    m_showEqual->setChecked(showEqualKnobs());
    connect(m_showEqual, &QAction::triggered, m_board, &ComparisonBoard::showEqualChanged);
    view->addAction(m_showEqual);
    add(view, tr("&Next pane"), QKeySequence(QStringLiteral("F6")), [this] { nextPane(); });
    add(view, tr("Next &problem"), QKeySequence(QStringLiteral("F8")), [this] { showNextProblem(); });
    view->addSeparator();
    QMenu* depth = view->addMenu(tr("&Explanation"));
    auto* depths = new QActionGroup(this);
    const QString names[] = {tr("&Answer only"), tr("With a &paragraph"), tr("With all e&vidence")};
    for (int i = 0; i < 3; ++i) {
        QAction* action = add(depth, names[i], {}, [this, i] {
            m_explanation->setDepth(ExplanationDepth(i));
            setExplanationDepth(i);
        });
        action->setObjectName(QStringLiteral("depth%1").arg(i));
        action->setCheckable(true);
        action->setActionGroup(depths);
    }
    m_explanation->setDepth(ExplanationDepth(explanationDepth()));
    connect(depth, &QMenu::aboutToShow, this, [this, depths] { depths->actions()[int(m_explanation->depth())]->setChecked(true); });
    buildDefinitions(view->addMenu(tr("&Definitions")));
    QMenu* theme = view->addMenu(tr("&Theme"));
    auto* themes = new QActionGroup(this);
    const std::pair<QString, ThemeChoice> choices[] = {{tr("&System"), ThemeChoice::system}, {tr("&Light"), ThemeChoice::light}, {tr("&Dark"), ThemeChoice::dark}};
    for (const auto& [label, choice] : choices) {
        QAction* action = add(theme, label, {}, [this, choice = choice] { setTheme(choice); });
        action->setCheckable(true);
        action->setActionGroup(themes);
        action->setData(int(choice));
    }
    connect(theme, &QMenu::aboutToShow, this, [this, themes] {
        for (QAction* action : themes->actions())
            action->setChecked(action->data().toInt() == int(m_theme));
    });

    QMenu* tools = menuBar()->addMenu(tr("&Tools"));
    add(tools, tr("&Accuracy against measurements…"), QKeySequence(QStringLiteral("Ctrl+Shift+M")), [this] {
        auto* dialog = new ValidationDialog(m_document.presets(), this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    })->setObjectName(QStringLiteral("validate"));

    add(tools, tr("&Memory and the engine's log…"), QKeySequence(QStringLiteral("Ctrl+Shift+G")), [this] { openMemory(); })
        ->setObjectName(QStringLiteral("memory"));

    QMenu* help = menuBar()->addMenu(tr("&Help"));
    add(help, tr("&How is this computed?"), QKeySequence(QStringLiteral("F1")), [this] { explainFocus(); })->setObjectName(QStringLiteral("explainFocus"));
    add(help, tr("&Glossary"), QKeySequence(QStringLiteral("Shift+F1")), [this] {
        method()->showGlossary();
        method()->show();
    })->setObjectName(QStringLiteral("glossary"));
    help->addSeparator();
    add(help, tr("&About Ridgepoint"), {}, [this] {
        QMessageBox::about(this, tr("About Ridgepoint"),
                           tr("<h3>Ridgepoint %1</h3><p>Predicts latency, throughput, memory and cost of serving language models on "
                              "hardware, side by side.</p><p>Nothing leaves this machine. Licence: GPL-3.0-or-later.</p>")
                               .arg(QLatin1String(RIDGEPOINT_VERSION)));
    });
}

/// Which of two usual definitions numbers are shown in; a label changes with its number.
void MainWindow::buildDefinitions(QMenu* menu)
{
    for (const DefinitionChoice& choice : definitionChoices()) {
        menu->addSection(text(choice.label));
        auto* group = new QActionGroup(this);
        for (int i = 0; i < 2; ++i) {
            auto* action = new QAction(tr("%1 %2").arg(text(choice.label), text(choice.names[std::size_t(i)])), this);
            action->setObjectName(text(choice.id) + QLatin1Char('=') + text(choice.values[std::size_t(i)]));
            action->setCheckable(true);
            action->setActionGroup(group);
            connect(action, &QAction::triggered, this, [this, second = choice.second, i] {
                Definitions next = m_document.definitions();
                next.*second = i == 1;
                m_document.setDefinitions(next);
            });
            connect(menu, &QMenu::aboutToShow, action, [this, action, second = choice.second, i] {
                action->setChecked(m_document.definitions().*second == (i == 1));
            });
            menu->addAction(action);
            m_actions.push_back(action);
        }
    }
}

void MainWindow::buildToolBar()
{
    QToolBar* bar = addToolBar(tr("Tools"));
    bar->setObjectName(QStringLiteral("tools"));
    bar->setMovable(false);
    bar->setFixedHeight(40);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    for (const char* name : {"open", "save", "undo", "redo"})
        bar->addAction(findChild<QAction*>(QLatin1String(name)));
    bar->addSeparator();
    m_spaceTabs = new QTabBar;
    m_spaceTabs->setObjectName(QStringLiteral("spaces"));
    m_spaceTabs->setAccessibleName(tr("Work spaces"));
    m_spaceTabs->setExpanding(false);
    m_spaceTabs->setDrawBase(false);
    for (const QString& name : {tr("Compare"), tr("Explore"), tr("Decide"), tr("Size")})
        m_spaceTabs->addTab(name);
    connect(m_spaceTabs, &QTabBar::currentChanged, this, [this](int index) { openSpace(Space(index)); });
    bar->addWidget(m_spaceTabs);
    bar->addSeparator();
    bar->addAction(m_libraryDock->toggleViewAction());
    bar->addAction(m_explanationDock->toggleViewAction());
    auto* space = new QWidget;
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(space);
    auto* label = new QLabel(tr("Baseline"));
    label->setObjectName(QStringLiteral("toolLabel"));
    label->setContentsMargins(0, 0, 6, 0);
    bar->addWidget(label);
    m_baseline = new QComboBox;
    m_baseline->setAccessibleName(tr("Baseline"));
    m_baseline->setMinimumWidth(170);
    m_baseline->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    connect(m_baseline, &QComboBox::activated, this, &MainWindow::makeBaseline);
    bar->addWidget(m_baseline);
    auto* gap = new QWidget;
    gap->setFixedWidth(8);
    bar->addWidget(gap);
    auto* find = new QPushButton(themeIcon(QStringLiteral("search")), tr("Find…   Ctrl+K"));
    find->setToolTip(tr("Commands, knobs and library entries"));
    connect(find, &QPushButton::clicked, this, &MainWindow::openPalette);
    bar->addWidget(find);
}

void MainWindow::fillRecentMenu()
{
    m_recent->clear();
    const QStringList files = recentFiles();
    for (const QString& file : files)
        m_recent->addAction(QFileInfo(file).fileName(), this, [this, file] { open(file); })->setToolTip(file);
    if (files.isEmpty())
        m_recent->addAction(tr("None yet. Files you save appear here."))->setEnabled(false);
}

void MainWindow::openPalette()
{
    std::vector<Command> commands;
    for (QAction* action : m_actions)
        if (action->isEnabled())
            commands.push_back({action->text().remove(QLatin1Char('&')), action->shortcut().toString(QKeySequence::NativeText),
                                [action] { action->trigger(); }});
    for (const Knob& knob : knobs())
        commands.push_back({text(knob.label), tr("knob, %1").arg(text(knob.group)),
                            [this, id = text(knob.id)] { m_board->goTo(-1, id); }});
    for (const LibraryEntry& entry : libraryEntries(m_document.presets()))
        commands.push_back({entry.name, tr("library, %1").arg(nameOf(entry.kind)), [this, entry] {
                                m_libraryDock->show();
                                m_library->reveal(entry.kind, entry.id);
                            }});
    auto* palette = new CommandPalette(std::move(commands), this);
    palette->setAttribute(Qt::WA_DeleteOnClose);
    palette->open();
}

} // namespace ridgepoint::app
