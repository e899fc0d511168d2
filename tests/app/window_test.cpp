// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/chart_view.h"
#include "app/charts/figure_plot.h"
#include "app/charts/hover_card.h"
#include "app/document/settings.h"
#include "app/panels/banner.h"
#include "app/panels/comparison_board.h"
#include "app/panels/elided_label.h"
#include "app/panels/explanation_panel.h"
#include "app/panels/library_panel.h"
#include "app/panels/table_dialog.h"
#include "app/window/batch.h"
#include "app/window/command_palette.h"
#include "app/window/figure_grid.h"
#include "app/window/main_window.h"
#include "app/window/validation_dialog.h"
#include "tests/app/app_test.h"

#include <QAbstractButton>
#include <QDir>
#include <QDropEvent>
#include <QFile>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSet>
#include <QSettings>
#include <QSignalSpy>
#include <QTableView>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

using namespace ridgepoint;
using namespace ridgepoint::app;

namespace {

const QByteArray smallConfig = R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 2048,
 "intermediate_size": 8192, "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 64, "num_hidden_layers": 16,
 "vocab_size": 128256, "max_position_embeddings": 131072, "tie_word_embeddings": true, "torch_dtype": "bfloat16"})";

void drop(MainWindow& window, const QString& file)
{
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(file)});
    QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent dropped(QPointF(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &dropped);
}

QString write(const QTemporaryDir& folder, const QString& name, const QByteArray& bytes)
{
    QFile file(folder.filePath(name));
    file.open(QIODevice::WriteOnly);
    file.write(bytes);
    return file.fileName();
}

} // namespace

class WindowTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(anyWarning());
        QSettings().clear();
        m_document = std::make_unique<Document>(shippedPresets());
        fillWithSample(*m_document);
        m_window = std::make_unique<MainWindow>(*m_document);
        m_window->resize(1440, 900);
        m_window->show();
        QApplication::processEvents();
    }

    void cleanup()
    {
        m_window.reset();
        m_document.reset();
    }

    void everyFigureIsVisible_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1440x900") << QSize(1440, 900);
        QTest::newRow("1366x768") << QSize(1366, 768);
        QTest::newRow("1200x800") << QSize(1200, 800);
        QTest::newRow("1920x1200") << QSize(1920, 1200);
        QTest::newRow("1600x1000") << QSize(1600, 1000);
        QTest::newRow("1024x700") << QSize(1024, 700);
    }

    void everyFigureIsVisible()
    {
        QFETCH(QSize, size);
        m_window->resize(size);
        QApplication::processEvents();
        QCOMPARE(m_window->size(), size);
        QCOMPARE(m_window->figures()->views().size(), std::size_t(4));
        for (ChartView* view : m_window->figures()->views()) {
            QVERIFY(view->isVisible());
            QCOMPARE(view->plot()->visibleRegion().boundingRect(), view->plot()->rect());
            QVERIFY(view->plot()->width() >= 200 && view->plot()->height() >= 90);
        }
    }

    void sizesOfPicturesAreChecked()
    {
        QCOMPARE(*parseWindowSize(QStringLiteral("1366x768")), QSize(1366, 768));
        for (const char* wrong : {"", "potato", "1366", "1366x", "x768", "-1366x768", "1366x768x2", "13e2x768", "10x10", "99999x99999",
                                  "999999999x999999999", "99999999999999999999x768"}) {
            const auto size = parseWindowSize(QString::fromLatin1(wrong));
            QVERIFY2(!size, wrong);
            QVERIFY2(size.error().text().find("1024x700 to 7680x4320") != std::string::npos, size.error().text().c_str());
        }
    }

    void noTextIsCutWithoutAnEllipsis_data() { everyFigureIsVisible_data(); }

    void noTextIsCutWithoutAnEllipsis()
    {
        QFETCH(QSize, size);
        m_window->resize(size);
        QApplication::processEvents();
        for (const QLabel* label : m_window->findChildren<QLabel*>()) {
            if (!label->isVisible() || label->wordWrap() || qobject_cast<const ElidedLabel*>(label) || label->pixmap().width() > 0)
                continue;
            QVERIFY2(label->width() + 1 >= label->fontMetrics().horizontalAdvance(label->text()),
                     qPrintable(QStringLiteral("%1: %2").arg(label->objectName(), label->text())));
        }
        for (const QAbstractButton* button : m_window->findChildren<QAbstractButton*>())
            if (const auto* tool = qobject_cast<const QToolButton*>(button);
                button->isVisible() && !button->text().isEmpty() && !(tool && tool->toolButtonStyle() == Qt::ToolButtonIconOnly))
                QVERIFY2(button->width() >= button->fontMetrics().horizontalAdvance(button->text().remove(QLatin1Char('&'))),
                         qPrintable(button->text()));
        const QHeaderView& columns = *m_window->board()->table()->horizontalHeader();
        for (int column = 0; column < columns.count(); ++column)
            QVERIFY(columns.sectionSize(column) >= 146);
        if (size.width() >= 1366)
            QTRY_VERIFY2(!m_window->board()->table()->horizontalScrollBar()->isVisible(), "four columns fit");
    }

    void pictures()
    {
        QVERIFY(QDir().mkpath(QStringLiteral(RIDGEPOINT_PICTURES)));
        for (const auto& [name, choice] : {std::pair("light", ThemeChoice::light), std::pair("dark", ThemeChoice::dark)}) {
            m_window->setTheme(choice, false);
            QApplication::processEvents();
            QVERIFY(m_window->grab().save(QStringLiteral(RIDGEPOINT_PICTURES "/window-%1.png").arg(QLatin1String(name))));
        }
        m_window->setTheme(ThemeChoice::light, false);
        const auto picture = [](QWidget* widget, const char* name) {
            QApplication::processEvents();
            QVERIFY(widget->grab().save(QStringLiteral(RIDGEPOINT_PICTURES "/%1.png").arg(QLatin1String(name))));
        };
        ComparisonBoard& board = *m_window->board();
        board.goTo(1, QStringLiteral("load.concurrency"));
        board.table()->edit(board.table()->currentIndex());
        FigurePlot* plot = m_window->figures()->views().back()->plot();
        for (int y = 0; y < plot->height() && !m_window->findChild<HoverCard*>(); y += 4)
            for (int x = 0; x < plot->width() && !m_window->findChild<HoverCard*>(); x += 4)
                QTest::mouseMove(plot, QPoint(x, y));
        picture(m_window.get(), "window-editing");
        QVERIFY(m_document->setKnob(0, "parallel.tp", findKnob("parallel.tp")->kind == KnobKind::number ? KnobValue(1.0) : KnobValue(std::string("1"))));
        QVERIFY(m_document->setKnob(0, "precision.weights", std::string("bf16")));
        for (int i = 0; i < 4; ++i)
            QVERIFY(m_document->duplicate(std::size_t(i)));
        Error error;
        error.message = "hbm_bandwidth is \"3.35\"; it needs a unit, such as TB/s";
        error.file = "my-h100.yaml";
        error.line = 12;
        error.column = 18;
        m_window->showErrors({error});
        picture(m_window.get(), "window-eight-columns");
        m_window->figures()->views().front()->showTable();
        picture(m_window->findChild<TableDialog*>(), "table");
        m_window->findChild<TableDialog*>()->close();
        for (QAction* action : m_window->findChildren<QAction*>())
            if (action->objectName() == QLatin1String("find"))
                action->trigger();
        picture(m_window->findChild<CommandPalette*>(), "palette");
        m_window->findChild<CommandPalette*>()->close();
        m_document->undoStack().setClean();
    }

    void aKnobMovesBoardFiguresAndExplanation()
    {
        const Figure before = m_window->figures()->view("frontier") ? m_window->figures()->views().back()->plot()->figure()
                                                                    : m_window->figures()->views().front()->plot()->figure();
        const QString said = m_window->explanation()->toPlainText();
        Q_EMIT m_window->board()->knobEdited(1, QStringLiteral("load.output_tokens"), KnobValue(64.0), 0);
        QVERIFY(!(m_window->figures()->views().back()->plot()->figure() == before));
        m_window->updateExplanation();
        QVERIFY(m_window->explanation()->toPlainText() != said);
        QVERIFY(m_window->isWindowModified());
        m_document->undoStack().undo();
        QVERIFY(m_window->figures()->views().back()->plot()->figure() == before);
        QVERIFY(!m_window->isWindowModified());
    }

    void aProjectIsSavedAndOpenedAgain()
    {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("choice.yaml"));
        Q_EMIT m_window->board()->knobEdited(2, QStringLiteral("load.concurrency"), KnobValue(17.0), 0);
        m_document->setBaseline(3);
        const Project saved = m_document->project();
        QVERIFY(m_window->saveTo(file));
        QVERIFY(!m_document->isModified());
        QVERIFY(m_window->windowTitle().contains(QStringLiteral("choice.yaml")));
        fillWithSample(*m_document);
        QVERIFY(m_document->project() != saved);
        QVERIFY(m_window->open(file));
        QVERIFY(m_document->project() == saved);
    }

    void aSaveThatFailsSaysSoAndKeepsTheBoard()
    {
        const Project before = m_document->project();
        QVERIFY(!m_window->saveTo(QStringLiteral("/proc/nowhere/choice.yaml")));
        QVERIFY(m_window->banner()->isVisible());
        QVERIFY(m_window->banner()->text().contains(QStringLiteral("choice.yaml")));
        QVERIFY(m_document->project() == before);
    }

    void aBrokenProjectIsShownWithItsPlace()
    {
        QTemporaryDir folder;
        const QString file = write(folder, QStringLiteral("broken.yaml"), "ridgepoint: 1\nconfigurations: [\n");
        QVERIFY(!m_window->open(file));
        QVERIFY(m_window->banner()->isVisible());
        QVERIFY(m_window->banner()->text().contains(QStringLiteral("broken.yaml")));
        QCOMPARE(m_document->size(), std::size_t(4));
    }

    void aDroppedConfigIsImported()
    {
        QTemporaryDir folder;
        const std::size_t known = m_document->presets().networks.size();
        drop(*m_window, write(folder, QStringLiteral("config.json"), smallConfig));
        QVERIFY2(!m_window->banner()->isVisible(), qPrintable(m_window->banner()->text()));
        QCOMPARE(m_document->presets().networks.size(), known + 1);
        const std::string id = m_document->presets().networks.back().id;
        Q_EMIT m_window->library()->useRequested(LibraryKind::network, QString::fromStdString(id));
        QCOMPARE(m_document->configurations()[0].scenario.network.id, id);
        QCOMPARE(m_document->configurations()[0].scenario.network.layerCount(), 16);
    }

    void aSavedBoardHoldsTheNetworkThatWasImported()
    {
        QTemporaryDir folder;
        const Presets before = m_document->presets();
        drop(*m_window, write(folder, QStringLiteral("config.json"), smallConfig));
        const std::string id = m_document->presets().networks.back().id;
        Q_EMIT m_window->library()->useRequested(LibraryKind::network, QString::fromStdString(id));
        const QString file = folder.filePath(QStringLiteral("board.yaml"));
        QVERIFY(m_window->saveTo(file));
        // As after a restart: the network is in the file and nowhere else.
        const auto project = loadProject(file.toStdString(), before);
        QVERIFY2(project, project ? "" : project.error().text().c_str());
        QCOMPARE(project->configurations[0].network.layerCount(), 16);
        Document fresh(before);
        fresh.reset(*project, file);
        QVERIFY(findNetwork(fresh.presets(), project->configurations[0].network.id));
    }

    void aDroppedFileThatIsNoConfigIsExplained()
    {
        QTemporaryDir folder;
        drop(*m_window, write(folder, QStringLiteral("config.json"), "{\"hidden_size\": "));
        QVERIFY(m_window->banner()->isVisible());
        QVERIFY(m_window->banner()->text().contains(QStringLiteral("config.json")));
        QCOMPARE(m_document->presets().networks.size(), shippedPresets().networks.size());
    }

    void unsavedWorkThatCannotBeReadIsKept()
    {
        const QFileInfo recovery(recoveryFile());
        QDir folder = recovery.dir();
        const QStringList kept{QStringLiteral("unsaved-*.yaml")};
        for (const QString& file : folder.entryList(kept))
            folder.remove(file);
        QFile file(recovery.filePath());
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("ridgepoint: 1\nconfigurations: [broken\n");
        file.close();
        m_window->keepRecovery(true);
        QVERIFY(!m_window->offerRecovery());
        m_window->keepRecovery(false);
        QVERIFY(m_window->banner()->isVisible());
        const QStringList found = folder.entryList(kept);
        QCOMPARE(found.size(), 1);
        QVERIFY(m_window->banner()->text().contains(found.first()));
        QVERIFY(QFileInfo(folder.filePath(found.first())).size() > 0);
        folder.remove(found.first());
    }

    void theFirstWindowFitsItsScreen()
    {
        m_window->restoreLayout();
        const QRect room = m_window->screen()->availableGeometry();
        QVERIFY2(room.contains(m_window->geometry()), qPrintable(QStringLiteral("%1x%2").arg(m_window->width()).arg(m_window->height())));
    }

    void factsOfANetworkAreNotCut()
    {
        m_window->library()->reveal(LibraryKind::network, QStringLiteral("deepseek-r1"));
        const auto* scroll = m_window->library()->findChild<QScrollArea*>();
        const auto cut = [scroll] {   // the first text that is, once the layout has settled
            for (const QLabel* label : scroll->widget()->findChildren<QLabel*>()) {
                const int right = label->mapTo(scroll->viewport(), QPoint(label->width(), 0)).x();
                if (right > scroll->viewport()->width() || label->width() < label->minimumSizeHint().width()
                    || label->height() < label->fontMetrics().height())
                    return label->text() + QStringLiteral(".");
            }
            return QString();
        };
        QTRY_COMPARE(cut(), QString());
    }

    void aSearchIsUsedWithTheKeyboard()
    {
        auto* search = m_window->library()->findChild<QLineEdit*>();
        search->setText(QStringLiteral("no such thing"));
        bool isSaid = false;
        for (const QLabel* label : m_window->library()->findChildren<QLabel*>())
            isSaid |= label->isVisible() && label->text().contains(QStringLiteral("no such thing"));
        QVERIFY(isSaid);
        search->setText(QStringLiteral("deepseek-r1"));
        QSignalSpy used(m_window->library(), &LibraryPanel::useRequested);
        QTest::keyClick(search, Qt::Key_Down);
        auto* tree = m_window->library()->findChild<QTreeView*>();
        QVERIFY(tree->currentIndex().isValid());
        QTest::keyClick(tree, Qt::Key_Return);
        QCOMPARE(used.count(), 1);
        QCOMPARE(used.first().at(1).toString(), QStringLiteral("deepseek-r1"));
    }

    void faultyPresetsAreListedWithWhatStillWorks()
    {
        Error error;
        error.message = "hbm has no key \"capcity\"";
        error.file = "my-h100.yaml";
        error.line = 13;
        error.column = 3;
        m_window->showErrors({error});
        QVERIFY(m_window->banner()->isVisible());
        QVERIFY(m_window->banner()->text().contains(QStringLiteral("my-h100.yaml:13:3")));
        QVERIFY(m_window->banner()->text().contains(QStringLiteral("systems")));
    }

    void aWindowWithoutPresetsStillWorks()
    {
        Document document{Presets{}};
        MainWindow window(document);
        window.resize(1440, 900);
        window.show();
        QApplication::processEvents();
        Q_EMIT window.board()->addRequested();
        Q_EMIT window.board()->duplicateRequested(0);
        Q_EMIT window.board()->knobEdited(0, QStringLiteral("load.concurrency"), KnobValue(2.0), 0);
        Q_EMIT window.library()->useRequested(LibraryKind::engine, QStringLiteral("vllm"));
        QApplication::processEvents();
        QCOMPARE(document.size(), std::size_t(0));
    }

    void aSelectionHoldsInEveryFigure()
    {
        ChartView* first = m_window->figures()->views().front();
        QSignalSpy selected(m_window->figures(), &FigureGrid::selected);
        Q_EMIT first->plot()->keyClicked(QStringLiteral("weights"), 2);
        QCOMPARE(selected.count(), 1);
    }

    void measurementsOfAFileAreHeldAgainstPredictions()
    {
        QTemporaryDir folder;
        const QString file = write(folder, QStringLiteral("runs.csv"),
                                   "id,system,gpus_total,backend,model,precision,kv_cache_dtype,mode,isl_tokens,osl_tokens,concurrency,"
                                   "attn_tp,ttft_ms,tpot_ms\n"
                                   "a,h100_sxm,8,vllm,meta-llama/Meta-Llama-3.1-70B,fp8,fp8,agg,1024,1024,16,8,200,12\n"
                                   "b,h200_sxm,8,vllm,meta-llama/Meta-Llama-3.1-70B,fp8,fp8,agg,1024,1024,16,8,200,11\n"
                                   "c,no_such_card,8,vllm,meta-llama/Meta-Llama-3.1-70B,fp8,fp8,agg,1024,1024,16,8,200,11\n");
        ValidationDialog dialog(shippedPresets(), nullptr);
        dialog.show();
        QSignalSpy finished(&dialog, &ValidationDialog::finished);
        dialog.run(QStringLiteral("serving"), file);
        QVERIFY(finished.wait(30000));
        QVERIFY2(dialog.status().contains(QStringLiteral("could not be made")), qPrintable(dialog.status()));
        QVERIFY(dialog.table()->rowCount() >= 2);
        QCOMPARE(dialog.table()->item(0, 1)->text(), QStringLiteral("3"));
        QCOMPARE(dialog.table()->item(0, 2)->text(), QStringLiteral("1"));
        const auto& figure = std::get<LineFigure>(dialog.chart()->plot()->figure());
        std::size_t marks = 0;
        for (const Series& series : figure.series)
            marks += series.marks ? series.points.size() : 0;
        QCOMPARE(marks, std::size_t(2));
        QVERIFY(dialog.grab().save(QStringLiteral(RIDGEPOINT_PICTURES "/validation.png")));
        finished.clear();
        dialog.run(QStringLiteral("operators"), QStringLiteral(RIDGEPOINT_SOURCE_DIR "/tests/validation/data/operators/moe.csv"));
        QVERIFY(finished.wait(60000));
        QApplication::processEvents();
        QVERIFY(dialog.grab().save(QStringLiteral(RIDGEPOINT_PICTURES "/validation-operators.png")));
        applyTheme(true);
        {
            ValidationDialog dark(shippedPresets(), nullptr);
            dark.show();
            QSignalSpy done(&dark, &ValidationDialog::finished);
            dark.run(QStringLiteral("operators"), QStringLiteral(RIDGEPOINT_SOURCE_DIR "/tests/validation/data/operators/moe.csv"));
            QVERIFY(done.wait(60000));
            QApplication::processEvents();
            QVERIFY2(!dark.table()->horizontalScrollBar()->isVisible(), "every column is in sight");
            QVERIFY(dark.grab().save(QStringLiteral(RIDGEPOINT_PICTURES "/validation-dark.png")));
            // One row a group, with the coverage of its bands beside their median width.
            QStringList header, groups;
            for (int c = 0; c < dark.table()->columnCount(); ++c)
                header << dark.table()->horizontalHeaderItem(c)->text();
            const qsizetype coverage = header.indexOf(QStringLiteral("In 80\u00a0%\nband"));
            QVERIFY(coverage >= 0);
            QCOMPARE(header.indexOf(QStringLiteral("Median\nband width")), coverage + 1);
            for (int r = 0; r < dark.table()->rowCount(); ++r)
                groups << dark.table()->item(r, 0)->text();
            QCOMPARE(QSet<QString>(groups.begin(), groups.end()).size(), groups.size());
            for (int c = 0; c < dark.table()->columnCount(); ++c)
                QVERIFY(dark.table()->columnWidth(c) >= dark.table()->sizeHintForIndex(dark.table()->model()->index(0, c)).width());
        }
        applyTheme(false);

        finished.clear();
        dialog.run(QStringLiteral("serving"), folder.filePath(QStringLiteral("none.csv")));
        QVERIFY(finished.wait(30000));
        QVERIFY2(dialog.status().contains(QStringLiteral("none.csv")), qPrintable(dialog.status()));
        QVERIFY2(dialog.table()->rowCount() >= 2, "what was there before stays");
    }

    void aNarrowWindowFoldsTheDocksAndAWideOneBringsThemBack()
    {
        QVERIFY(m_window->library()->isVisible());
        const int library = m_window->library()->width(), explanation = m_window->explanation()->width();
        m_window->resize(1200, 800);
        QApplication::processEvents();
        QVERIFY(!m_window->library()->isVisible());
        QVERIFY(m_window->explanation()->isVisible());
        m_window->resize(1024, 700);
        QApplication::processEvents();
        QVERIFY(!m_window->explanation()->isVisible());
        m_window->resize(1440, 900);
        QApplication::processEvents();
        QVERIFY(m_window->library()->isVisible());
        QVERIFY(m_window->explanation()->isVisible());
        QCOMPARE(m_window->library()->width(), library);
        QCOMPARE(m_window->explanation()->width(), explanation);
    }

private:
    std::unique_ptr<Document> m_document;
    std::unique_ptr<MainWindow> m_window;
};

RIDGEPOINT_APP_TEST(WindowTest)
#include "window_test.moc"
