// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/document/document.h"
#include "app/style/app_style.h"
#include "core/io/preset_library.h"

#include <QApplication>
#include <QDir>
#include <QRegularExpression>
#include <QStandardPaths>

namespace ridgepoint::app {

/// The shipped presets, read once.
inline const Presets& shippedPresets()
{
    static const Presets presets = loadPresets({std::string(RIDGEPOINT_SOURCE_DIR) + "/presets"}).presets;
    return presets;
}

/// Fills a document with the four columns of the sample comparison.
inline void fillWithSample(Document& document)
{
    auto sample = sampleComparison(document.presets());
    document.reset({.configurations = sample.value_or(std::vector<Scenario>{}), .baseline = 0}, {});
}

/// Settings of the test and not of the user, fonts and style as in the program.
inline void setUpTestApplication()
{
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(QStringLiteral("RidgepointTest"));
    QCoreApplication::setApplicationName(QStringLiteral("ridgepoint-test"));
    setUpApplication();
    applyTheme(false);
}

/// Every warning of Qt is a failure, but for those of the offscreen platform about what no screen can do.
inline QRegularExpression anyWarning()
{
    return QRegularExpression(QStringLiteral("^(?!This plugin does not support )"));
}

} // namespace ridgepoint::app

#define RIDGEPOINT_APP_TEST(Class)                                                                                     \
    int main(int argc, char** argv)                                                                                    \
    {                                                                                                                  \
        QApplication application(argc, argv);                                                                          \
        ridgepoint::app::setUpTestApplication();                                                                       \
        Class test;                                                                                                    \
        return QTest::qExec(&test, argc, argv);                                                                        \
    }
