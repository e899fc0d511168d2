// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/document/document.h"
#include "app/panels/library_facts.h"
#include "app/style/app_style.h"
#include "core/base/result.h"

#include <QMainWindow>
#include <QTimer>
#include <filesystem>
#include <vector>

class QComboBox;
class QDockWidget;
class QLabel;
class QMenu;
class QSplitter;
class QStackedWidget;
class QTabBar;

namespace ridgepoint::app {

class Banner;
class DecidePage;
class ExplorePage;
class ComparisonBoard;
class ExplanationPanel;
class FigureGrid;
class LibraryPanel;
class Presenter;
class SizePage;
class MemoryPage;
class MethodDialog;

/// The tabs of the tool bar: one document under all.
enum class Space { compare, explore, decide, size };

/// The one place where signals meet commands: board, figures, library and explanation around one document.
class MainWindow : public QMainWindow
{
    Q_OBJECT
public:
    explicit MainWindow(Document& document, QWidget* parent = nullptr);

    void showErrors(const std::vector<Error>& errors);
    void setTheme(ThemeChoice choice, bool remember = true);
    void restoreLayout();                    ///< size and docks of the last run
    void openSpace(Space space);
    void finishSpace();                      ///< what trails a change is there, such as before a picture
    void updateExplanation();                ///< at once, not a moment later

    bool open(const QString& file);
    bool saveTo(const QString& file);
    Result<void> importFile(const QString& file);
    bool offerRecovery();                    ///< true when unsaved work of an earlier run was taken up
    void keepRecovery(bool on);              ///< off for batch runs

    [[nodiscard]] ComparisonBoard* board() const { return m_board; }
    [[nodiscard]] Space space() const { return m_space; }
    [[nodiscard]] ExplorePage* explore() const { return m_explore; }   ///< null until it is first opened
    [[nodiscard]] DecidePage* decide() const { return m_decide; }
    [[nodiscard]] SizePage* sizing() const { return m_size; }
    [[nodiscard]] FigureGrid* figures() const { return m_figures; }
    [[nodiscard]] LibraryPanel* library() const { return m_library; }
    [[nodiscard]] ExplanationPanel* explanation() const { return m_explanation; }
    [[nodiscard]] Banner* banner() const { return m_banner; }
    [[nodiscard]] QString statusText() const;
    void openMemory();                       // main_window_memory.cpp
    void explainFigure(const QString& id);   ///< its method page
    void explainFocus();                     ///< of the figure or row that has the focus
    [[nodiscard]] MethodDialog* method();
    [[nodiscard]] MemoryPage* memory() const { return m_memory; }   ///< null until it was opened

protected:
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void buildActions();                     // main_window_actions.cpp
    void buildToolBar();
    void buildDefinitions(QMenu* menu);
    void fillRecentMenu();
    void openPalette();
    void stampFigures();
    void present();
    void showSpace();                        // main_window_spaces.cpp
    void addToBoard(const Scenario& scenario);
    void buildDocks();
    void wire();
    void refresh();
    void refreshTitle();
    void checkConsistency();
    void adaptToWidth();
    void keepOnScreen();
    void report(const Result<void>& result);
    void say(const QString& text);
    void complain(const QString& text);
    void useEntry(LibraryKind kind, const QString& id);
    void showSource(int column, const QString& knob);
    void editCurrentColumn(void (MainWindow::*action)(int));
    void duplicateColumn(int column);
    void makeBaseline(int column);
    void renameColumn(int column);
    void moveColumn(int column, int to);
    void removeColumn(int column);
    void showNextProblem();
    void nextPane();
    void applyEngineValues(int column);

    bool askToSave();                        // main_window_files.cpp
    bool save();
    bool saveAs();
    void openWithDialog();
    void newBoard();
    void openSample();
    void importWithDialog();
    void writeRecovery();

    Document& m_document;
    ComparisonBoard* m_board;
    FigureGrid* m_figures;
    LibraryPanel* m_library;
    ExplanationPanel* m_explanation;
    Banner* m_banner;
    MemoryPage* m_memory = nullptr;
    MethodDialog* m_method = nullptr;
    QDockWidget* m_libraryDock = nullptr;
    QDockWidget* m_explanationDock = nullptr;
    QSplitter* m_vertical;
    QStackedWidget* m_spaces;
    QTabBar* m_spaceTabs = nullptr;
    ExplorePage* m_explore = nullptr;
    DecidePage* m_decide = nullptr;
    SizePage* m_size = nullptr;
    Space m_space = Space::compare;
    QTabBar* m_lowerTabs;                    ///< figures and explanation, in a narrow window
    QStackedWidget* m_lower;
    QComboBox* m_baseline = nullptr;
    QMenu* m_recent = nullptr;
    QLabel* m_statusText;
    QLabel* m_presetText;
    QLabel* m_saveText;
    QLabel* m_consistency;                   ///< whether all shown numbers multiply out
    QAction* m_showEqual = nullptr;
    std::vector<QAction*> m_actions;         ///< what the palette lists
    std::vector<QAction*> m_columnActions;
    QTimer m_explain, m_autosave, m_statusReset;
    ThemeChoice m_theme = ThemeChoice::system;
    int m_libraryWidth = 252, m_explanationWidth = 284;
    bool m_libraryFolded = false, m_explanationFolded = false;
    bool m_recovers = false;
    int m_problem = -1;
};

} // namespace ridgepoint::app
