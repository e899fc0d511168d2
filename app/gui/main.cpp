// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/document.h"
#include "app/document/settings.h"
#include "app/style/app_style.h"
#include "app/window/batch.h"
#include "app/window/main_window.h"
#include "core/io/preset_library.h"

#include <CLI/CLI.hpp>
#include <QApplication>
#include <QFileInfo>
#include <QTimer>
#include <cstdio>
#include <fmt/format.h>

namespace {

using namespace ridgepoint;
using namespace ridgepoint::app;

constexpr int badInput = 2, notAvailable = 4;

struct Options
{
    std::string project, screenshot, figures, theme, space = "compare", size = "1600x1000";
    double scale = 1.0;
    [[nodiscard]] bool batch() const { return !screenshot.empty() || !figures.empty(); }
};

bool hasDisplay()
{
    return qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY")
           || qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
}

Result<Project> projectOf(const Options& options, const Presets& presets)
{
    if (!options.project.empty())
        return loadProject(options.project, presets);
    auto sample = sampleComparison(presets);
    if (!sample)
        return fail(sample.error());
    return Project{.configurations = std::move(*sample), .baseline = 0};
}

int runBatch(const Options& options, const QSize& size, Document& document, MainWindow& window)
{
    if (!options.figures.empty()) {
        const auto files = writeFigures(document.configurations(), document.baseline(), document.presets(), QString::fromStdString(options.figures), document.definitions());
        if (!files) {
            fmt::print(stderr, "ridgepoint: {}\n", files.error().text());
            return badInput;
        }
        for (const QString& file : *files)
            fmt::print("{}\n", file.toStdString());
    }
    if (options.screenshot.empty())
        return 0;
    window.resize(size);
    window.show();
    for (int i = 0; i < 20; ++i)   // layouts and queued paints settle
        QApplication::processEvents();
    window.updateExplanation();
    window.finishSpace();
    QApplication::processEvents();
    if (!window.grab().save(QString::fromStdString(options.screenshot))) {
        fmt::print(stderr, "ridgepoint: {} could not be written; its folder must exist and its name end in .png.\n", options.screenshot);
        return badInput;
    }
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    Options options;
    CLI::App cli{"Ridgepoint: how deep-learning workloads run on which hardware, side by side"};
    cli.add_option("project", options.project, "Project file to open; without it the sample comparison opens");
    cli.add_option("--screenshot", options.screenshot, "Write a picture of the window to this file and end");
    cli.add_option("--figures", options.figures, "Write every figure as PNG, SVG, PDF and CSV into this folder and end");
    cli.add_option("--theme", options.theme, "Colours")->check(CLI::IsMember({"system", "light", "dark"}));
    cli.add_option("--space", options.space, "Work space to open")->check(CLI::IsMember({"compare", "explore", "decide", "size"}));
    cli.add_option("--size", options.size, "Size of the window in a screenshot, such as 1600x1000");
    cli.add_option("--scale", options.scale, "Pixels per point in a screenshot")->check(CLI::Range(1.0, 4.0));
    cli.set_version_flag("--version", RIDGEPOINT_VERSION);
    try {
        cli.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return cli.exit(error) == 0 ? 0 : badInput;
    }
    const auto size = parseWindowSize(QString::fromStdString(options.size));
    if (!size) {
        fmt::print(stderr, "ridgepoint: {}\n", size.error().text());
        return badInput;
    }
    if (options.batch()) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
        qputenv("QT_SCALE_FACTOR", QByteArray::number(options.scale));
    } else if (!hasDisplay()) {
        fmt::print(stderr, "ridgepoint: there is no display. Use --screenshot FILE or --figures DIR, or ridgepoint-cli.\n");
        return notAvailable;
    }

    QGuiApplication::setHighDpiScaleFactorRoundingPolicy(Qt::HighDpiScaleFactorRoundingPolicy::PassThrough);
    QCoreApplication::setOrganizationName(QStringLiteral("Ridgepoint"));
    QCoreApplication::setApplicationName(QStringLiteral("ridgepoint"));
    QCoreApplication::setApplicationVersion(QLatin1String(RIDGEPOINT_VERSION));
    QGuiApplication::setDesktopFileName(QStringLiteral("org.ridgepoint.Ridgepoint"));
    QGuiApplication::setApplicationDisplayName(QString());
    QApplication application(argc, argv);
    setUpApplication();

    const std::filesystem::path folder = QCoreApplication::applicationDirPath().toStdString();
    LoadedPresets loaded = loadPresets({shippedPresetFolder(folder), userPresetFolder()});
    Document document(std::move(loaded.presets));
    auto project = projectOf(options, document.presets());
    if (!project && options.batch()) {
        for (const Error& error : loaded.errors)
            fmt::print(stderr, "ridgepoint: {}\n", error.text());
        fmt::print(stderr, "ridgepoint: {}\n", project.error().text());
        return badInput;
    }
    if (project)
        document.reset(std::move(*project), options.project.empty() ? QString() : QString::fromStdString(options.project));

    const ThemeChoice theme = options.theme == "light" ? ThemeChoice::light : options.theme == "dark" ? ThemeChoice::dark
                              : options.batch() ? ThemeChoice::light : themeSetting();
    applyTheme(isDark(theme));
    MainWindow window(document);
    window.setTheme(theme, false);
    window.openSpace(options.space == "explore" ? Space::explore : options.space == "decide" ? Space::decide : options.space == "size" ? Space::size : Space::compare);
    std::vector<Error> errors = loaded.errors;
    if (!project)
        errors.push_back(project.error());
    window.showErrors(errors);
    if (options.batch())
        return runBatch(options, *size, document, window);

    window.restoreLayout();
    window.keepRecovery(true);
    window.show();
    QTimer::singleShot(0, &window, [&window] { window.offerRecovery(); });
    return QApplication::exec();
}
