// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/memory_page.h"
#include "app/window/main_window.h"
#include "tests/app/app_test.h"

#include <QPushButton>
#include <QTableWidget>
#include <QTest>
#include <algorithm>
#include <ctime>

using namespace ridgepoint;
using namespace ridgepoint::app;

namespace {

// A start of Llama-3.3-70B in FP8 on 8 H100, with the cache in 16 bit; sizes as the ledger has them.
const QString startUp = QStringLiteral(
    "INFO 10-02 09:14:06 [core.py:77] Initializing a V1 LLM engine (v0.11.0) with config: model='RedHatAI/Llama-3.3-70B-Instruct-FP8-dynamic', max_seq_len=131072, tensor_parallel_size=8\n"
    "INFO 10-02 09:14:11 [default_loader.py:267] Loading weights took 12.95 seconds\n"
    "INFO 10-02 09:14:12 [gpu_model_runner.py:2653] Model loading took 8.6100 GiB and 41.3 seconds\n"
    "INFO 10-02 09:14:31 [gpu_worker.py:298] Available KV cache memory: 51.20 GiB\n"
    "INFO 10-02 09:14:31 [kv_cache_utils.py:1087] GPU KV cache size: 1,342,176 tokens\n"
    "INFO 10-02 09:14:31 [kv_cache_utils.py:1091] Maximum concurrency for 131,072 tokens per request: 10.24x\n");

QPushButton* button(QWidget* page, const QString& label)
{
    for (QPushButton* one : page->findChildren<QPushButton*>())
        if (one->text().remove(QLatin1Char('&')) == label)
            return one;
    return nullptr;
}

} // namespace

class MemoryPageTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(anyWarning()); }

    void readsALogNamesTheCauseAndAppliesIt()
    {
        Document document(shippedPresets());
        fillWithSample(document);
        MainWindow window(document);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        window.openMemory();
        MemoryPage* page = window.memory();
        QVERIFY(page != nullptr && page->isVisible());
        QVERIFY(page->verdict().contains(QStringLiteral("Paste")));
        page->setLog(startUp);
        QCOMPARE(page->lines()->rowCount(), 6);
        QCOMPARE(page->lines()->item(1, 2)->text(), QStringLiteral("not read"));
        QVERIFY(page->lines()->item(2, 2)->text().startsWith(QStringLiteral("✓ weights")));
        QVERIFY2(page->lines()->item(4, 2)->text().startsWith(QStringLiteral("✕")), "the line that disagrees");
        QVERIFY2(page->verdict().contains(QStringLiteral("disagree")), qPrintable(page->verdict()));
        QCOMPARE(page->reconciliation().changes.size(), std::size_t(1));
        QCOMPARE(page->reconciliation().changes.front().knob, std::string("precision.kv"));
        QTest::qWait(60);   // charts draw a moment later
        page->window()->grab().save(QStringLiteral(RIDGEPOINT_PICTURES "/memory-light.png"));

        const int steps = document.undoStack().index();
        button(page, QStringLiteral("Apply engine values"))->click();
        QCOMPARE(document.undoStack().index(), steps + 1);
        QTRY_VERIFY2(page->verdict().contains(QStringLiteral("agrees")), qPrintable(page->verdict()));
        document.undoStack().undo();
        QTRY_VERIFY(page->verdict().contains(QStringLiteral("disagree")));

        const std::size_t columns = document.size();
        button(page, QStringLiteral("Keep both"))->click();
        QCOMPARE(document.size(), columns + 1);
        QCOMPARE(page->column(), 1);
        QTRY_VERIFY2(page->verdict().contains(QStringLiteral("agrees")), qPrintable(page->verdict()));
        document.undoStack().undo();
        QCOMPARE(document.size(), columns);

        applyTheme(true);
        page->applyTokens();
        QTest::qWait(60);
        page->window()->grab().save(QStringLiteral(RIDGEPOINT_PICTURES "/memory-dark.png"));
        applyTheme(false);
    }

    void followsADragWhileALogIsOpen()
    {
        Document document(shippedPresets());
        fillWithSample(document);
        MainWindow window(document);
        window.show();
        window.openMemory();
        window.memory()->setLog(startUp);
        std::vector<double> times;
        for (int i = 0; i < 21; ++i) {
            const std::clock_t start = std::clock();   // processor time: others use the machine, too
            QVERIFY(document.setKnob(0, "load.concurrency", double(32 + i)));
            times.push_back(1e3 * double(std::clock() - start) / CLOCKS_PER_SEC);
            QTest::qWait(2);
        }
        std::sort(times.begin(), times.end());
        qInfo("a value with a log open takes %.1f ms (median), %.1f ms (95 %%)", times[10], times[19]);
        QVERIFY2(times[10] <= 16.7, qPrintable(QString::number(times[10])));
    }

    void saysWhatALogLooksLike()
    {
        Document document(shippedPresets());
        fillWithSample(document);
        MemoryPage page;
        page.show(document.configurations(), document.presets());
        page.setLog(QStringLiteral("hello\nworld"));
        QVERIFY2(page.verdict().contains(QStringLiteral("Model loading took")), qPrintable(page.verdict()));
        QVERIFY(button(&page, QStringLiteral("Apply engine values"))->isHidden());
        page.setLog({});
        QVERIFY(page.verdict().contains(QStringLiteral("Paste")));
    }
};

RIDGEPOINT_APP_TEST(MemoryPageTest)
#include "memory_page_test.moc"
