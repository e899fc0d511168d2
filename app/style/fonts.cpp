// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/style/fonts.h"

#include <QDir>
#include <QFontDatabase>
#include <map>
#include <tuple>

namespace ridgepoint::app {

namespace {

/// Copies of one font share its engine, which is what is slow to find; painting asks for the same few all the time.
QFont make(const QString& family, double points, QFont::Weight weight)
{
    static std::map<std::tuple<QString, int, int>, QFont> known;
    const auto [entry, isNew] = known.try_emplace({family, int(points * 4), int(weight)}, QStringList{family});
    QFont& font = entry->second;
    if (!isNew)
        return font;
    font.setPointSizeF(points);
    font.setWeight(weight);
    font.setHintingPreference(QFont::PreferNoHinting);   // equal text on every display and scale
    // Shaping took a fifth of a frame while a knob is dragged; Latin text and digits look the same without it.
    font.setStyleStrategy(QFont::PreferNoShaping);
    return font;
}

} // namespace

void loadFonts()
{
    static bool loaded = false;
    if (loaded)
        return;
    loaded = true;
    const QDir folder(QStringLiteral(":/fonts"));
    for (const QString& file : folder.entryList())
        QFontDatabase::addApplicationFont(folder.filePath(file));
}

QFont textFont(double points, QFont::Weight weight) { return make(QStringLiteral("Inter"), points, weight); }

QFont numberFont(double points, QFont::Weight weight) { return make(QStringLiteral("Noto Sans"), points, weight); }

QFont codeFont(double points) { return make(QStringLiteral("DejaVu Sans Mono"), points, QFont::Normal); }

} // namespace ridgepoint::app
