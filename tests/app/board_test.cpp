// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/badges.h"
#include "app/panels/board_model.h"
#include "app/panels/comparison_board.h"
#include "app/panels/knob_editor.h"
#include "app/panels/library_panel.h"
#include "core/insight/comparison.h"
#include "tests/app/app_test.h"

#include <QAbstractItemModelTester>
#include <QAccessible>
#include <QContextMenuEvent>
#include <QLineEdit>
#include <QMenu>
#include <QSettings>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QTreeView>
#include <functional>
#include <memory>

using namespace ridgepoint;
using namespace ridgepoint::app;

/// A document with its board, wired as the window does it.
struct Bench
{
    Bench() : document(shippedPresets())
    {
        fillWithSample(document);
        const auto show = [this] { board.show(document.configurations(), document.baseline(), document.presets()); };
        QObject::connect(&document, &Document::changed, &board, show);
        QObject::connect(&board, &ComparisonBoard::knobEdited, &document,
                         [this](int column, const QString& knob, const KnobValue& value, int gesture) {
                             (void)document.setKnob(std::size_t(column), knob.toStdString(), value, gesture);
                         });
        QObject::connect(&board, &ComparisonBoard::knobCancelled, &document, &Document::cancelGesture);
        show();
        board.resize(1100, 900);
        board.show();
    }

    QModelIndex cell(const char* knob, int column) const { return board.model()->index(board.model()->rowOf(knob), column); }

    NumberKnobEditor* edit(const char* knob, int column)
    {
        board.table()->setCurrentIndex(cell(knob, column));
        board.table()->edit(cell(knob, column));
        return board.table()->findChild<NumberKnobEditor*>();
    }

    static std::string systemOfUnknownMemory()
    {
        for (const System& system : shippedPresets().systems)
            if (system.device.memoryCapacity.value <= 0)
                return system.id;
        return {};
    }

    int concurrency(std::size_t column) const { return document.configurations()[column].scenario.load.concurrency; }

    Document document;
    ComparisonBoard board;
};

class BoardTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(anyWarning()); }

    void theModelKeepsItsPromises()
    {
        Document document(shippedPresets());
        fillWithSample(document);
        BoardModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.show(document.configurations(), 0, document.presets());
        QVERIFY(document.setKnob(2, "load.concurrency", 3.0));
        model.show(document.configurations(), 0, document.presets());
        QVERIFY(document.duplicate(1));
        model.show(document.configurations(), 1, document.presets());
        model.setShowEqual(false);
        QVERIFY(model.hiddenKnobs() > 0);
        QVERIFY(model.rowOf("hardware.system") >= 0);
        QCOMPARE(model.rowOf("load.batching"), -1);
        QCOMPARE(model.columnCount(), 5);
    }

    void anInfeasibleColumnShowsNoNumbers()
    {
        Document document(shippedPresets());
        fillWithSample(document);
        QVERIFY(document.setKnob(0, "parallel.tp", findKnob("parallel.tp")->kind == KnobKind::number ? KnobValue(1.0) : KnobValue(std::string("1"))));
        QVERIFY(document.setKnob(0, "precision.weights", std::string("bf16")));
        QVERIFY(!document.configurations()[0].report.feasible());
        BoardModel model;
        model.show(document.configurations(), 1, document.presets());
        for (int row = 0; row < model.rowCount(); ++row) {
            if (model.row(row).kind != BoardRow::Kind::metric)
                continue;
            const BoardCell& cell = model.cell(model.index(row, 0));
            QVERIFY2(!cell.text.contains(QRegularExpression(QStringLiteral("\\d"))), qPrintable(cell.text));
            QVERIFY(!cell.reason.isEmpty());
            QVERIFY(!cell.best);
            QVERIFY(cell.change.isEmpty());
        }
        QVERIFY(model.column(0).verdictText.contains(QStringLiteral("short")));
        QVERIFY(model.column(0).provenance.isEmpty());
    }

    void anOpenLoopBeyondItsCapacityIsNoFit()
    {
        Document document(shippedPresets());
        fillWithSample(document);
        QVERIFY(document.setKnob(0, "load.arrivals", std::string("open")));
        QVERIFY(document.setKnob(0, "load.request_rate", 1000.0));
        QVERIFY(document.configurations()[0].report.overloaded);
        BoardModel model;
        model.show(document.configurations(), 1, document.presets());
        QCOMPARE(model.column(0).verdictText, QStringLiteral("Overloaded"));
        QVERIFY(verdictKind(model.column(0)) == BadgeKind::bad);
        QVERIFY2(model.column(0).verdictHelp.contains(QStringLiteral("without end")), qPrintable(model.column(0).verdictHelp));
        QVERIFY(verdictKind(model.column(1)) == BadgeKind::good);
    }

    void cellsThatDifferFromTheBaselineAreMarked()
    {
        Document document(shippedPresets());
        fillWithSample(document);
        BoardModel model;
        model.show(document.configurations(), 0, document.presets());
        const int row = model.rowOf("hardware.system");
        QVERIFY(!model.cell(model.index(row, 0)).differs);
        QVERIFY(model.cell(model.index(row, 1)).differs);
    }

    void aSliderDragIsOneUndoStep()
    {
        Bench bench;
        NumberKnobEditor* editor = bench.edit("load.concurrency", 1);
        QVERIFY(editor);
        QSlider* slider = editor->slider();
        const QPoint start(slider->width() / 2, slider->height() / 2);
        QTest::mousePress(slider, Qt::LeftButton, {}, start);
        for (int x = 1; x < 20; ++x) {
            QMouseEvent move(QEvent::MouseMove, QPointF(start + QPoint(x, 0)), slider->mapToGlobal(QPointF(start + QPoint(x, 0))),
                             Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
            QApplication::sendEvent(slider, &move);
        }
        QTest::mouseRelease(slider, Qt::LeftButton, {}, start + QPoint(19, 0));
        QVERIFY(bench.concurrency(1) != 64);
        QCOMPARE(bench.document.undoStack().count(), 1);
        bench.document.undoStack().undo();
        QCOMPARE(bench.concurrency(1), 64);
        QCOMPARE(editor->value(), 64.0);
    }

    void keysEditACell()
    {
        Bench bench;
        NumberKnobEditor* editor = bench.edit("load.concurrency", 0);
        QVERIFY(editor);
        QTest::keyClick(editor->field(), Qt::Key_Up);
        QCOMPARE(bench.concurrency(0), 128);
        QTest::keyClick(editor->field(), Qt::Key_Down);
        QTest::keyClick(editor->field(), Qt::Key_Down);
        QCOMPARE(bench.concurrency(0), 32);
        QTest::keyClick(editor->field(), Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(bench.concurrency(0), 1);
        QTest::keyClick(editor->field(), Qt::Key_Escape);
        QCOMPARE(bench.concurrency(0), 64);
        QCOMPARE(bench.document.undoStack().count(), 0);
    }

    void typedNumbersCountOnEnter()
    {
        Bench bench;
        NumberKnobEditor* editor = bench.edit("load.concurrency", 0);
        QVERIFY(editor);
        QTest::keyClicks(editor->field(), QStringLiteral("96"));
        QTest::keyClick(editor->field(), Qt::Key_Return);
        QCOMPARE(bench.concurrency(0), 96);
        QCOMPARE(bench.document.undoStack().count(), 1);
    }

    void typedTextCountsAsTypedOrNotAtAll()
    {
        const struct { const char* typed; int expected; } cases[] = {{"1e3", 1000}, {"1,024", 1024}, {" 7 ", 7},
            {"12.5", 64}, {"0", 64}, {"-3", 64}, {"99999999999999", 64}, {"abc", 64}, {"nan", 64}, {"1e999", 64}};
        for (const auto& c : cases) {
            Bench bench;
            NumberKnobEditor* editor = bench.edit("load.concurrency", 0);
            QVERIFY(editor);
            editor->type(QString::fromLatin1(c.typed));
            QTest::keyClick(editor->field(), Qt::Key_Return);
            QCOMPARE(bench.concurrency(0), c.expected);
        }
    }

    void escapeAfterADragLeavesNoStepToUndo()
    {
        Bench bench;
        NumberKnobEditor* editor = bench.edit("load.concurrency", 1);
        QVERIFY(editor);
        QSlider* slider = editor->slider();
        for (const int x : {3, slider->width() - 4}) {
            QTest::mousePress(slider, Qt::LeftButton, {}, QPoint(x, slider->height() / 2));
            QTest::mouseRelease(slider, Qt::LeftButton, {}, QPoint(x, slider->height() / 2));
        }
        QVERIFY(bench.concurrency(1) != 64);
        QTest::keyClick(editor->field(), Qt::Key_Escape);
        QCOMPARE(bench.concurrency(1), 64);
        QCOMPARE(bench.document.undoStack().count(), 0);
    }

    void escapeInAnUnknownValueLeavesItUnknown()
    {
        Bench bench;
        QVERIFY(bench.document.setKnob(1, "hardware.system", bench.systemOfUnknownMemory()));
        const Scenario before = bench.document.configurations()[1].scenario;
        const int steps = bench.document.undoStack().count();
        NumberKnobEditor* editor = bench.edit("hardware.memory_capacity", 1);
        QVERIFY(editor);
        QVERIFY(editor->field()->cleanText().isEmpty());
        QTest::keyClick(editor->field(), Qt::Key_Return);
        QVERIFY(bench.document.configurations()[1].scenario == before);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        editor = bench.edit("hardware.memory_capacity", 1);
        QVERIFY(editor);
        QTest::keyClick(editor->field(), Qt::Key_Up);
        QVERIFY(!(bench.document.configurations()[1].scenario == before));
        QTest::keyClick(editor->field(), Qt::Key_Escape);
        QVERIFY(bench.document.configurations()[1].scenario == before);
        QCOMPARE(bench.document.undoStack().count(), steps);
    }

    void theLeastValueCanBeTypedOverAnUnknownOne()
    {
        Bench bench;
        QVERIFY(bench.document.setKnob(1, "hardware.system", bench.systemOfUnknownMemory()));
        NumberKnobEditor* editor = bench.edit("hardware.memory_capacity", 1);
        QVERIFY(editor);
        editor->type(QStringLiteral("1"));
        QTest::keyClick(editor->field(), Qt::Key_Return);
        QCOMPARE(bench.document.configurations()[1].scenario.system.device.memoryCapacity.value, 1e9);
    }

    void typingOnACellReplacesItsValue()
    {
        Bench bench;
        bench.board.table()->setCurrentIndex(bench.cell("load.concurrency", 2));
        QTest::keyClick(bench.board.table(), Qt::Key_9);
        auto* editor = bench.board.table()->findChild<NumberKnobEditor*>();
        QVERIFY(editor);
        QTest::keyClick(editor->field(), Qt::Key_6);
        QTest::keyClick(editor->field(), Qt::Key_Return);
        QCOMPARE(bench.concurrency(2), 96);
    }

    void aRightClickOffersWhatCanBeDoneWithTheCellUnderIt()
    {
        Bench bench;
        QSignalSpy copied(&bench.board, &ComparisonBoard::copyRequested);
        const QModelIndex cell = bench.cell("hardware.system", 2);
        bench.board.table()->scrollTo(cell);
        const QPoint at = bench.board.table()->visualRect(cell).center();
        QTest::mouseClick(bench.board.table()->viewport(), Qt::RightButton, {}, at);
        QVERIFY(!bench.board.table()->findChild<ChoiceKnobEditor*>());
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, bench.board.table()->viewport()->mapToGlobal(at));
        QApplication::sendEvent(bench.board.table()->viewport(), &event);
        auto* menu = bench.board.findChild<QMenu*>();
        QVERIFY(menu);
        for (QAction* action : menu->actions())
            if (action->text().startsWith(QStringLiteral("Copy")))
                action->trigger();
        menu->close();
        QCOMPARE(copied.count(), 1);
        QCOMPARE(copied.first().at(0).toInt(), 2);
        QCOMPARE(copied.first().at(1).toString(), QStringLiteral("hardware.system"));
    }

    void resultsCannotBeEdited()
    {
        Bench bench;
        QVERIFY(!(bench.board.model()->flags(bench.board.model()->index(0, 0)) & Qt::ItemIsEditable));
    }

    void everyNumberKnobOpensAndKeepsItsValue()
    {
        Bench bench;
        for (const Knob& knob : knobs()) {
            if (knob.kind != KnobKind::number || !bench.board.model()->cell(bench.cell(knob.id.data(), 0)).present)
                continue;
            NumberKnobEditor* editor = bench.edit(knob.id.data(), 0);
            QVERIFY2(editor, knob.id.data());
            QTest::keyClick(editor->field(), Qt::Key_Return);
            QVERIFY2(bench.document.undoStack().count() == 0, knob.id.data());
            delete editor;
        }
    }

    void cellsHaveNamesForScreenReaders()
    {
        Bench bench;
        QAccessibleInterface* table = QAccessible::queryAccessibleInterface(bench.board.table());
        QVERIFY(table);
        QCOMPARE(table->role(), QAccessible::Table);
        QVERIFY(table->tableInterface());
        const QString text = bench.board.model()->data(bench.cell("load.concurrency", 1), Qt::AccessibleTextRole).toString();
        QVERIFY(text.contains(QStringLiteral("Requests in flight")) && text.contains(QStringLiteral("64")));
    }

    void aStarNeedsABandThatReachesNoOther()
    {
        Document document(shippedPresets());
        fillWithSample(document);
        QVERIFY(document.duplicate(1));   // equal columns can never be told apart
        BoardModel model;
        model.show(document.configurations(), 0, document.presets());
        int stars = 0, open = 0;
        for (int row = 0; row < model.rowCount(); ++row) {
            if (model.row(row).kind != BoardRow::Kind::metric)
                continue;
            const Metric& metric = *model.row(row).metric;
            const auto standing = standingOf(metric, document.configurations());
            QVERIFY(standing);
            for (int column = 0; column < model.columnCount(); ++column) {
                const QModelIndex index = model.index(row, column);
                const BoardCell& cell = model.cell(index);
                QCOMPARE(cell.best, standing->isClear() && std::size_t(column) == standing->best);
                QVERIFY(!(cell.best && cell.contested));
                stars += cell.best;
                if (!cell.contested)
                    continue;
                ++open;
                const QString help = model.data(index, Qt::ToolTipRole).toString();
                QVERIFY2(help.contains(QStringLiteral("No clear winner")) && help.contains(QStringLiteral("overlap by")), qPrintable(help));
                QVERIFY(model.data(index, Qt::AccessibleTextRole).toString().contains(QStringLiteral("No clear winner")));
            }
        }
        QVERIFY(stars > 0);
        QVERIFY(open > 0);
    }

    void everyColumnSaysWhatItsTimesRestOn()
    {
        Document document(shippedPresets());
        fillWithSample(document);
        BoardModel model;
        model.show(document.configurations(), 0, document.presets());
        bool isDefault = false;
        for (int column = 0; column < model.columnCount(); ++column) {
            QVERIFY(!model.column(column).provenance.isEmpty());
            const QString why = model.provenanceHelp(column);
            QVERIFY2(why.contains(QStringLiteral("band")), qPrintable(why));
            if (model.column(column).source != Provenance::generalDefault)
                continue;
            isDefault = true;
            QVERIFY2(why.contains(QStringLiteral("No device of the family")) && why.contains(QStringLiteral("widens")), qPrintable(why));
        }
        QVERIFY(isDefault);
    }

    void sharesAreShownAndEditedInPercent()
    {
        Bench bench;
        QCOMPARE(bench.board.model()->row(bench.board.model()->rowOf("load.prefix_hits")).unit, QStringLiteral("%"));
        NumberKnobEditor* editor = bench.edit("load.prefix_hits", 0);
        QVERIFY(editor);
        QCOMPARE(editor->field()->maximum(), 99.0);
        editor->type(QStringLiteral("29"));
        QTest::keyClick(editor->field(), Qt::Key_Return);
        QCOMPARE(bench.document.configurations()[0].scenario.load.prefixHits, 0.29);
        QCOMPARE(bench.board.model()->cell(bench.cell("load.prefix_hits", 0)).text, QStringLiteral("29"));
    }

    void theLibraryIsGroupedAndHasItsFactsInColumns()
    {
        LibraryPanel panel;
        panel.show(shippedPresets());
        const QAbstractItemModel& model = *panel.tree()->model();
        QAbstractItemModelTester tester(panel.tree()->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.columnCount(), 3);
        panel.reveal(LibraryKind::device, QStringLiteral("h100-sxm"));
        const QModelIndex device = panel.tree()->currentIndex();
        QCOMPARE(device.parent().data().toString(), QStringLiteral("Hopper"));
        QCOMPARE(device.parent().parent().data().toString(), QStringLiteral("NVIDIA"));
        QCOMPARE(device.siblingAtColumn(1).data().toString(), QStringLiteral("79.2"));
        QCOMPARE(device.siblingAtColumn(2).data().toString(), QStringLiteral("3.35"));
        panel.reveal(LibraryKind::network, QStringLiteral("llama-3.3-70b"));
        QCOMPARE(panel.tree()->currentIndex().parent().data().toString(), QStringLiteral("Llama"));
        int most = 0;
        std::size_t unverified = 0;
        const std::function<void(const QModelIndex&)> walk = [&](const QModelIndex& parent) {
            int entries = 0;
            for (int row = 0; row < model.rowCount(parent); ++row) {
                const QModelIndex child = model.index(row, 0, parent);
                entries += !model.hasChildren(child);
                walk(child);
                for (int column = 1; column < 3; ++column)
                    unverified += child.siblingAtColumn(column).data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("not verified"));
            }
            most = std::max(most, entries);
        };
        walk({});
        QVERIFY2(most <= 60, qPrintable(QString::number(most)));   // under one heading
        QVERIFY(unverified > 0);
    }

    void longListsOfChoicesHaveHeadings()
    {
        Bench bench;
        for (const char* knob : {"hardware.system", "network.preset", "engine.preset"}) {
            bench.board.table()->setCurrentIndex(bench.cell(knob, 0));
            bench.board.table()->edit(bench.cell(knob, 0));
            auto* editor = bench.board.table()->findChild<ChoiceKnobEditor*>();
            QVERIFY2(editor, knob);
            std::size_t choices = 0, headings = 0;
            for (int i = 0; i < editor->count(); ++i) {
                const bool isChoice = editor->itemData(i).isValid();
                (isChoice ? choices : headings) += 1;
                QCOMPARE(bool(editor->model()->flags(editor->model()->index(i, 0)) & Qt::ItemIsSelectable), isChoice);
            }
            QCOMPARE(choices, findKnob(knob)->choices(bench.document.configurations()[0].scenario, shippedPresets()).size());
            QVERIFY2(headings >= 2, knob);
            QVERIFY(editor->currentData().isValid());
            delete editor;
        }
    }

    void anyWordOfAnEntryFindsIt()
    {
        LibraryPanel panel;
        panel.show(shippedPresets());
        for (const char* words : {"nvidia hopper 79.2", "HBM3 80 GB h100", "LlamaForCausalLM 70b", "amd mi300", "gddr7 rtx", "local engines"}) {
            panel.searchField()->setText(QString::fromLatin1(words));
            QVERIFY2(panel.tree()->model()->rowCount() >= 1, words);
        }
    }

    void whatWasUsedLastStandsOnTopUntilSomethingIsSearched()
    {
        QSettings().remove(QStringLiteral("library/recent"));
        LibraryPanel panel;
        panel.show(shippedPresets());
        panel.setTarget(QStringLiteral("A"));
        QAbstractItemModelTester tester(panel.tree()->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        const QAbstractItemModel& model = *panel.tree()->model();
        QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("Devices"));
        panel.noteUsed(LibraryKind::network, QStringLiteral("llama-3.3-70b"));
        panel.noteUsed(LibraryKind::system, QStringLiteral("hgx-h200-8"));
        QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("Recently used"));
        QCOMPARE(model.rowCount(model.index(0, 0)), 2);
        QCOMPARE(model.index(0, 0, model.index(0, 0)).data().toString(), QStringLiteral("HGX H200"));
        panel.tree()->setCurrentIndex(model.index(1, 1, model.index(0, 0)));   // a fact of the row stands for the row
        QSignalSpy used(&panel, &LibraryPanel::useRequested);
        QTest::keyClick(panel.tree(), Qt::Key_Return);
        QCOMPARE(used.count(), 1);
        QCOMPARE(used.first().at(1).toString(), QStringLiteral("llama-3.3-70b"));
        panel.searchField()->setText(QStringLiteral("hgx h200"));
        QVERIFY(model.index(0, 0).data().toString() != QStringLiteral("Recently used"));
        QSettings().remove(QStringLiteral("library/recent"));
    }

    void theLibraryFindsAndOffers()
    {
        LibraryPanel panel;
        panel.show(shippedPresets());
        panel.setTarget(QStringLiteral("B"));
        QAbstractItemModelTester tester(panel.tree()->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QSignalSpy used(&panel, &LibraryPanel::useRequested);
        panel.searchField()->setText(QStringLiteral("hgx h200"));
        QVERIFY(panel.tree()->model()->rowCount() >= 1);
        panel.searchField()->setText(QStringLiteral("no such thing"));
        QCOMPARE(panel.tree()->model()->rowCount(), 0);
        panel.reveal(LibraryKind::network, QStringLiteral("llama-3.3-70b"));
        QTest::keyClick(panel.tree(), Qt::Key_Return);
        QCOMPARE(used.count(), 1);
        QCOMPARE(used.first().at(1).toString(), QStringLiteral("llama-3.3-70b"));
    }

    void everyEntryOfTheLibraryHasFacts()
    {
        for (const LibraryEntry& entry : libraryEntries(shippedPresets())) {
            const LibraryDetail detail = libraryDetail(shippedPresets(), entry.kind, entry.id);
            QVERIFY2(!detail.title.isEmpty() && !detail.facts.empty(), qPrintable(entry.id));
        }
    }
};

RIDGEPOINT_APP_TEST(BoardTest)
#include "board_test.moc"
