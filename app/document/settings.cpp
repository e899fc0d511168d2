// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/settings.h"

#include <algorithm>
#include <QDir>
#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>

namespace ridgepoint::app {

namespace {

constexpr int mostRecentFiles = 8, mostRecentEntries = 6;
const QString themeKey = QStringLiteral("theme"), recentKey = QStringLiteral("recent"),
              entriesKey = QStringLiteral("library/recent"), equalKey = QStringLiteral("board/equalKnobs");

/// Only what differs from the default is stored, so that a better default reaches everyone.
void store(const QString& key, const QVariant& value, const QVariant& usual)
{
    QSettings settings;
    if (value == usual)
        settings.remove(key);
    else
        settings.setValue(key, value);
}

} // namespace

ThemeChoice themeSetting()
{
    const QString value = QSettings().value(themeKey).toString();
    return value == QLatin1String("light")  ? ThemeChoice::light
           : value == QLatin1String("dark") ? ThemeChoice::dark
                                            : ThemeChoice::system;
}

void setThemeSetting(ThemeChoice choice)
{
    const QString names[] = {QString(), QStringLiteral("light"), QStringLiteral("dark")};
    store(themeKey, names[std::size_t(choice)], QString());
}

QStringList recentFiles()
{
    QStringList files = QSettings().value(recentKey).toStringList();
    files.removeIf([](const QString& file) { return !QFileInfo::exists(file); });
    return files;
}

void addRecentFile(const QString& file)
{
    QStringList files = recentFiles();
    const QString path = QFileInfo(file).absoluteFilePath();
    files.removeAll(path);
    files.prepend(path);
    store(recentKey, files.mid(0, mostRecentFiles), QStringList());
}

QStringList recentEntries() { return QSettings().value(entriesKey).toStringList(); }

void addRecentEntry(const QString& entry)
{
    QStringList entries = recentEntries();
    entries.removeAll(entry);
    entries.prepend(entry);
    store(entriesKey, entries.mid(0, mostRecentEntries), QStringList());
}

int explanationDepth() { return std::clamp(QSettings().value(QStringLiteral("explanation/depth"), 2).toInt(), 0, 2); }

void setExplanationDepth(int depth)
{
    QSettings settings;
    if (depth == 2)
        settings.remove(QStringLiteral("explanation/depth"));
    else
        settings.setValue(QStringLiteral("explanation/depth"), depth);
}

bool showEqualKnobs() { return QSettings().value(equalKey, true).toBool(); }

void setShowEqualKnobs(bool on) { store(equalKey, on, true); }

QString recoveryFile()
{
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
    QDir().mkpath(folder);
    return folder + QStringLiteral("/recovery.yaml");
}

} // namespace ridgepoint::app
