// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/figure_export.h"
#include "app/charts/figure_plot.h"
#include "app/charts/label_placer.h"
#include "app/panels/table_dialog.h"
#include "app/window/batch.h"
#include "core/figures/catalog.h"
#include "tests/app/app_test.h"

#include <QAccessible>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace ridgepoint;
using namespace ridgepoint::app;

namespace {

LineFigure twoLines()
{
    LineFigure figure;
    figure.id = "test";
    figure.title = "Two lines";
    figure.x = {"Load (1/s)", AxisScale::linear, {}, {}};
    figure.y = {"Time (ms)", AxisScale::linear, {}, {}};
    for (int c = 0; c < 2; ++c) {
        Series series;
        series.name = c == 0 ? "first" : "second";
        series.configuration = c;
        series.marks = true;
        series.endLabel = series.name;
        for (int i = 0; i <= 10; ++i) {
            Point point;
            point.x = i;
            point.y = (c + 1) * i;
            point.key = std::to_string(i);
            series.points.push_back(point);
        }
        figure.series.push_back(series);
    }
    return figure;
}

/// How many pixels are neither background nor transparent.
int inked(const QImage& image, const QColor& ground)
{
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            count += image.pixelColor(x, y) != ground;
    return count;
}

} // namespace

class ChartsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void labelsTouchNeitherMarksNorEachOther()
    {
        LabelPlacer placer(QRectF(0, 0, 300, 200));
        std::vector<QRectF> marks, labels;
        for (int i = 0; i < 12; ++i) {
            marks.emplace_back(140 + 6 * (i % 3), 90 + 6 * (i / 3), 8, 8);
            placer.avoid(marks.back());
        }
        int led = 0;
        for (const QRectF& mark : marks) {
            const QSizeF size(60, 12);
            const auto place = placer.place(LabelPlacer::around(mark.center(), 4, size), mark.center(), 5, size);
            if (!place)
                continue;
            led += !place->leader.isNull();
            for (const QRectF& other : labels)
                QVERIFY(!other.intersects(place->rect));
            for (const QRectF& other : marks)
                QVERIFY(!other.intersects(place->rect.adjusted(1, 2, -1, -2)));
            labels.push_back(place->rect);
        }
        QVERIFY(labels.size() >= 8);
        QVERIFY(led > 0);
    }

    void labelsWithoutRoomAreCountedAndListed()
    {
        LineFigure figure = twoLines();
        figure.series.resize(1);
        for (Point& point : figure.series[0].points)
            point.label = "a label that is as wide as the whole figure, " + point.key;
        FigurePlot plot;
        plot.resize(260, 160);
        plot.QWidget::show();
        plot.show(figure);
        plot.prepare();
        const auto* chart = plot.findChild<Chart*>();
        QVERIFY(chart);
        std::optional<ChartHit> found;
        for (int y = 0; y < plot.height() && !found; y += 3)
            for (int x = 0; x < plot.width() && !found; x += 3)
                if (const auto hit = chart->hit(QPointF(x, y)); hit && hit->title == QStringLiteral("Labels without room"))
                    found = hit;
        QVERIFY(found);
        QVERIFY(!found->lines.isEmpty());
        QVERIFY(found->lines.first().contains(QStringLiteral("as wide as")));
    }

    void aLegendThatHasNoRoomSaysHowManyAreMissing()
    {
        Document document(shippedPresets());
        fillWithSample(document);
        FigurePlot plot;
        plot.resize(260, 130);
        plot.QWidget::show();
        plot.show(findFigure("ledger")->make({document.configurations(), 0}));
        plot.prepare();
        const auto* chart = plot.findChild<Chart*>();
        QVERIFY(chart);
        QStringList others;
        for (int y = 0; y < plot.height() && others.isEmpty(); y += 3)
            for (int x = 0; x < plot.width() && others.isEmpty(); x += 3)
                if (const auto hit = chart->hit(QPointF(x, y)); hit && hit->title == QStringLiteral("Also drawn"))
                    others = hit->lines;
        QVERIFY(others.contains(QStringLiteral("Engine reserve")));
    }

    void initTestCase()
    {
        QVERIFY(QDir().mkpath(QStringLiteral(RIDGEPOINT_PICTURES)));
        fillWithSample(m_document);
    }

    void init() { QTest::failOnWarning(anyWarning()); }

    void everyFigureIsPainted_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<bool>("dark");
        QTest::addColumn<double>("scale");
        for (const FigureEntry& entry : figureCatalog())
            for (const bool dark : {false, true})
                for (const double scale : {1.0, 2.0})
                    QTest::addRow("%s %s %gx", entry.id.data(), dark ? "dark" : "light", scale)
                        << QString::fromUtf8(entry.id.data()) << dark << scale;
    }

    void everyFigureIsPainted()
    {
        QFETCH(QString, id);
        QFETCH(bool, dark);
        QFETCH(double, scale);
        const Tokens& colours = dark ? darkTokens() : lightTokens();
        const Figure figure = findFigure(id.toStdString())->make({m_document.configurations(), 0, {}, &m_document.presets()});
        const QImage image = figureImage(figure, colours, scale);
        QCOMPARE(image.size(), exportSize * scale);
        QVERIFY(inked(image, colours.panel) > image.width() * image.height() / 200);
        const QString file = QStringLiteral("%1/%2-%3-%4x.png").arg(QStringLiteral(RIDGEPOINT_PICTURES), id, dark ? QStringLiteral("dark") : QStringLiteral("light")).arg(scale);
        QVERIFY(image.save(file));
    }

    void everyFigureIsExported()
    {
        QTemporaryDir folder;
        const auto files = writeFigures(m_document.configurations(), 0, m_document.presets(), folder.filePath(QStringLiteral("figures")));
        QVERIFY(files);
        QCOMPARE(std::size_t(files->size()), figureCatalog().size() * 5);
        for (const QString& file : *files) {
            QFile opened(file);
            QVERIFY(opened.open(QIODevice::ReadOnly));
            const QByteArray bytes = opened.readAll();
            QVERIFY2(bytes.size() > 200, qPrintable(file));
            if (file.endsWith(QLatin1String(".svg")))
                QVERIFY(bytes.contains("<svg") && bytes.contains("</svg>"));
            if (file.endsWith(QLatin1String(".pdf")))
                QVERIFY(bytes.startsWith("%PDF"));
            if (file.endsWith(QLatin1String(".csv")))
                QVERIFY(csvRows(QString::fromUtf8(bytes)).size() > 1);
        }
    }

    void aStampAddsALineOfItsOwnAndSaysWhatTheNumbersRestOn()
    {
        const QString stamp = stampLine(QString::fromStdString(stampText({m_document.configurations(), 0})));
        for (const char* part : {"Llama 3.3 70B", "4,096", "64 in flight", "80", "TPOT", "Ridgepoint", "not measurements"})
            QVERIFY2(stamp.contains(QString::fromUtf8(part)), qPrintable(stamp));
        const Figure figure = findFigure("breakdown")->make({m_document.configurations(), 0});
        const QImage plain = figureImage(figure, lightTokens(), 1.0), stamped = figureImage(figure, lightTokens(), 1.0, exportSize, stamp);
        QCOMPARE(plain.size(), exportSize);
        QVERIFY(stamped.height() > plain.height() + 20 && stamped.width() == plain.width());
        QVERIFY(inked(stamped.copy(0, plain.height(), plain.width(), stamped.height() - plain.height()), lightTokens().panel) > 200);
        QVERIFY(stamped.save(QStringLiteral("%1/stamped.png").arg(QStringLiteral(RIDGEPOINT_PICTURES))));
        Document broken(shippedPresets());
        Project project = m_document.project();
        project.configurations[1].plan.tensorParallel = 3;
        broken.reset(project, {});
        QVERIFY(stampText({broken.configurations(), 0}).find("Caution: B cannot run") != std::string::npos);
    }

    void aFolderThatCannotBeMadeIsSaid()
    {
        const auto files = writeFigures(m_document.configurations(), 0, m_document.presets(), QStringLiteral("/proc/nowhere/figures"));
        QVERIFY(!files);
        QVERIFY(files.error().message.find("/proc/nowhere") != std::string::npos);
    }

    void figuresWithoutResultsAreStillPainted()
    {
        Document document(shippedPresets());
        fillWithSample(document);
        for (std::size_t i = 0; i < document.size(); ++i) {
            QVERIFY(document.setKnob(i, "precision.weights", std::string("bf16")));
            QVERIFY(document.setKnob(i, "parallel.tp", findKnob("parallel.tp")->kind == KnobKind::number ? KnobValue(1.0) : KnobValue(std::string("1"))));
            QVERIFY(document.setKnob(i, "hardware.memory_capacity", 80.0));
        }
        for (const FigureEntry& entry : figureCatalog())
            QVERIFY(!figureImage(entry.make({document.configurations(), 0, {}, &document.presets()}), lightTokens(), 1.0).isNull());
    }

    void aClickSelectsAndTheWheelZooms()
    {
        FigurePlot plot;
        plot.resize(500, 320);
        plot.show(Figure(twoLines()));
        plot.show();
        plot.prepare();
        QSignalSpy clicked(&plot, &FigurePlot::keyClicked), hovered(&plot, &FigurePlot::hovered);
        const QPoint at(int(plot.xAxis->coordToPixel(5)), int(plot.yAxis->coordToPixel(10)));
        QTest::mouseMove(&plot, at + QPoint(1, 0));
        QTest::mouseClick(&plot, Qt::LeftButton, {}, at);
        QCOMPARE(clicked.count(), 1);
        QCOMPARE(clicked.first().at(0).toString(), QStringLiteral("5"));
        QCOMPARE(clicked.first().at(1).toInt(), 1);
        const QCPRange before = plot.xAxis->range();
        QWheelEvent wheel(QPointF(at), plot.mapToGlobal(QPointF(at)), {}, {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&plot, &wheel);
        QVERIFY(plot.xAxis->range().size() < before.size());
        plot.show(Figure(twoLines()));
        QVERIFY(plot.xAxis->range().size() < before.size());   // a new value does not undo a zoom
        plot.resetRanges();
        QCOMPARE(plot.xAxis->range().size(), before.size());
    }

    void theWheelLeavesTheDataInSight()
    {
        FigurePlot plot;
        plot.resize(500, 320);
        plot.show(Figure(twoLines()));
        plot.show();
        plot.prepare();
        const QCPRange x = plot.xAxis->range(), y = plot.yAxis->range();
        const QPoint at = plot.axisRect()->rect().center();
        for (int i = 0; i < 100; ++i) {
            QWheelEvent wheel(QPointF(at), plot.mapToGlobal(QPointF(at)), {}, {0, -120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
            QApplication::sendEvent(&plot, &wheel);
        }
        for (const auto& [axis, fit] : {std::pair(plot.xAxis, x), std::pair(plot.yAxis, y)}) {
            const bool isLog = axis->scaleType() == QCPAxis::stLogarithmic;
            QVERIFY(isLog || axis->range().lower >= 0);
            QVERIFY(axis->range().upper <= fit.upper * (isLog ? 10.001 : 3.001));
            QVERIFY(axis->range().upper > fit.upper);
        }
    }

    void figuresAreChartsForScreenReaders()
    {
        FigurePlot plot;
        plot.show(Figure(twoLines()));
        QAccessibleInterface* chart = QAccessible::queryAccessibleInterface(&plot);
        QVERIFY(chart);
        QCOMPARE(chart->role(), QAccessible::Chart);
        QCOMPARE(chart->text(QAccessible::Name), QStringLiteral("Two lines"));
    }

    void labelsDoNotCoverEachOther()
    {
        LabelPlacer placer(QRectF(0, 0, 200, 100));
        std::vector<QRectF> placed;
        for (int i = 0; i < 12; ++i)
            if (const auto place = placer.place(LabelPlacer::around(QPointF(100, 50), 4, {40, 12})))
                placed.push_back(*place);
        QVERIFY(placed.size() >= 3);
        for (std::size_t i = 0; i < placed.size(); ++i)
            for (std::size_t j = i + 1; j < placed.size(); ++j)
                QVERIFY(!placed[i].intersects(placed[j]));
    }

    void linesAreClippedByComputation()
    {
        const auto inside = clipped(QLineF(-10, 5, 20, 5), QRectF(0, 0, 10, 10));
        QVERIFY(inside);
        QCOMPARE(inside->p1(), QPointF(0, 5));
        QCOMPARE(inside->p2(), QPointF(10, 5));
        QVERIFY(!clipped(QLineF(-10, -5, 20, -5), QRectF(0, 0, 10, 10)));
    }

    void quotedFieldsAreReadBack()
    {
        const auto rows = csvRows(QStringLiteral("a,\"b,\"\"c\"\"\"\n1,2\n"));
        QCOMPARE(rows.size(), std::size_t(2));
        QCOMPARE(rows[0][1], QStringLiteral("b,\"c\""));
    }

private:
    Document m_document{shippedPresets()};
};

RIDGEPOINT_APP_TEST(ChartsTest)
#include "charts_test.moc"
