// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/document.h"
#include "app/panels/knob_scale.h"
#include "app/style/tokens.h"
#include "tests/app/app_test.h"

#include <QSignalSpy>
#include <QTest>
#include <functional>

using namespace ridgepoint;
using namespace ridgepoint::app;

class DocumentTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(anyWarning()); }

    void everyCommandCanBeUndoneAndRedone_data()
    {
        QTest::addColumn<std::function<void(Document&)>>("action");
        const auto row = [](const char* name, std::function<void(Document&)> action) { QTest::newRow(name) << std::move(action); };
        row("number knob", [](Document& d) { (void)d.setKnob(1, "load.concurrency", 128.0); });
        row("choice knob", [](Document& d) { (void)d.setKnob(1, "engine.preset", std::string("sglang")); });
        row("reset to baseline", [](Document& d) { (void)d.resetToBaseline(3, "hardware.system"); });
        row("copy to all", [](Document& d) { (void)d.copyToAll(3, "parallel.tp"); });
        row("add", [](Document& d) { (void)d.addConfiguration(); });
        row("duplicate", [](Document& d) { (void)d.duplicate(0); });
        row("remove", [](Document& d) { (void)d.remove(0); });
        row("move right", [](Document& d) { d.move(0, 2); });
        row("move left", [](Document& d) { d.move(3, 1); });
        row("baseline", [](Document& d) { d.setBaseline(2); });
        row("rename", [](Document& d) { d.rename(1, QStringLiteral("ours")); });
    }

    void everyCommandCanBeUndoneAndRedone()
    {
        QFETCH(std::function<void(Document&)>, action);
        Document document(shippedPresets());
        fillWithSample(document);
        const Project before = document.project();
        action(document);
        const Project after = document.project();
        QVERIFY(after != before);
        QVERIFY(document.isModified());
        QCOMPARE(document.undoStack().count(), 1);
        document.undoStack().undo();
        QVERIFY(document.project() == before);
        QVERIFY(!document.isModified());
        document.undoStack().redo();
        QVERIFY(document.project() == after);
    }

    void theBaselineStaysTheSameConfigurationWhenColumnsMove()
    {
        for (std::size_t from = 0; from < 4; ++from)
            for (std::size_t to = 0; to < 4; ++to) {
                Document document(shippedPresets());
                fillWithSample(document);
                document.setBaseline(1);
                const Scenario baseline = document.configurations()[1].scenario;
                document.move(from, to);
                QVERIFY(document.configurations()[document.baseline()].scenario == baseline);
            }
    }

    void aGestureIsOneStep()
    {
        Document document(shippedPresets());
        fillWithSample(document);
        for (double value = 65; value < 90; ++value)
            QVERIFY(document.setKnob(0, "load.concurrency", value, 7));
        QCOMPARE(document.undoStack().count(), 1);
        QVERIFY(document.setKnob(0, "load.concurrency", 100.0, 8));
        QCOMPARE(document.undoStack().count(), 2);
        QVERIFY(document.setKnob(0, "load.concurrency", 89.0, 8));
        QCOMPARE(document.undoStack().count(), 1);   // the second gesture ended where it began
        document.undoStack().undo();
        QCOMPARE(document.configurations()[0].scenario.load.concurrency, 64);
    }

    void whatCannotBeIsSaidAndChangesNothing()
    {
        Document document(shippedPresets());
        fillWithSample(document);
        const Project before = document.project();
        const auto wrong = document.setKnob(0, "load.concurrency", -1.0);
        QVERIFY(!wrong);
        QVERIFY(!wrong.error().message.empty());
        QVERIFY(!document.setKnob(0, "no.such.knob", 1.0));
        for (int i = 0; i < 4; ++i)
            QVERIFY(document.duplicate(0));
        QVERIFY(!document.duplicate(0));
        QVERIFY(!document.addConfiguration());
        for (int i = 0; i < 4; ++i)
            document.undoStack().undo();
        QVERIFY(document.project() == before);
        for (int i = 0; i < 3; ++i)
            QVERIFY(document.remove(0));
        QVERIFY(!document.remove(0));
    }

    void aNameThatTheProgramGaveFollowsTheHardware()
    {
        Document document(shippedPresets());
        fillWithSample(document);
        const std::string before = document.configurations()[0].scenario.name;
        QVERIFY(document.setKnob(0, "parallel.tp", findKnob("parallel.tp")->kind == KnobKind::number ? KnobValue(4.0) : KnobValue(std::string("4"))));
        QVERIFY(document.configurations()[0].scenario.name != before);
        document.rename(0, QStringLiteral("ours"));
        QVERIFY(document.setKnob(0, "parallel.replicas", 2.0));
        QCOMPARE(document.configurations()[0].scenario.name, std::string("ours"));
    }

    void aSliderReachesEveryEndAndReadsBack()
    {
        for (const Knob& knob : knobs()) {
            if (knob.kind != KnobKind::number)
                continue;
            const KnobScale scale(knob);
            QCOMPARE(scale.valueAt(0), knob.minimum);
            QCOMPARE(scale.valueAt(scale.positions()), knob.maximum);
            for (int position = 0; position < scale.positions(); ++position)
                QVERIFY2(scale.valueAt(position) <= scale.valueAt(position + 1), knob.id.data());
            for (const int steps : {1, 10, -1, -10}) {
                const double middle = scale.valueAt(scale.positions() / 2), stepped = scale.stepped(middle, steps);
                QVERIFY2(steps > 0 ? stepped > middle : stepped < middle, knob.id.data());
                QVERIFY(stepped >= knob.minimum && stepped <= knob.maximum);
            }
        }
    }

    void coloursCanBeToldFromTheirGround_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }

    void coloursCanBeToldFromTheirGround()
    {
        QFETCH(bool, dark);
        const Tokens& t = dark ? darkTokens() : lightTokens();
        for (const QColor& text : {t.text, t.secondary, t.accent, t.good, t.warning, t.bad})
            for (const QColor& ground : {t.panel, t.bar, t.alternate})
                QVERIFY2(contrast(text, ground) >= 4.5, qPrintable(text.name() + QLatin1Char(' ') + ground.name()));
        const std::pair<QColor, QColor> badges[] = {{t.good, t.goodTint}, {t.warning, t.warningTint}, {t.bad, t.badTint},
                                                    {t.accent, t.accentTint}, {t.secondary, t.neutralTint}, {t.text, t.selection},
                                                    {t.text, t.differs}, {t.faint, t.panel}};
        for (const auto& [text, ground] : badges)
            QVERIFY2(contrast(text, ground) >= 4.5, qPrintable(text.name() + QLatin1Char(' ') + ground.name()));
        for (int i = 0; i < 8; ++i)
            QVERIFY2(contrast(seriesColour(t, i), t.panel) >= (i == 1 ? 4.3 : 4.5), qPrintable(seriesColour(t, i).name()));
        QVERIFY(contrast(t.differsBar, t.panel) >= 3);
        for (const Tone tone : {Tone::weights, Tone::kvCache, Tone::compute, Tone::activations, Tone::communication, Tone::host})
            QVERIFY2(contrast(textOn(toneColour(t, tone)), toneColour(t, tone)) >= 4.5, qPrintable(toneColour(t, tone).name()));
    }
};

RIDGEPOINT_APP_TEST(DocumentTest)
#include "document_test.moc"
