// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/definitions.h"
#include "core/scenario/presets.h"

#include <QString>
#include <QStringList>
#include <array>
#include <optional>
#include <vector>

namespace ridgepoint::app {

enum class LibraryKind { device, system, network, engine, price, calibration };

/// A line of the detail pane: what, how much, and how far it can be trusted.
struct LibraryFact
{
    QString name, value;
    QString grade = {};          ///< A vendor, B cited, C unchecked; empty when no source is named
    QString hover = {};          ///< source, date, remark
};

struct LibraryEntry
{
    LibraryKind kind{};
    QString id, name;
    QStringList headings;        ///< it stands under, outermost first: vendor and family
    std::array<QString, 2> facts;///< in the columns of its kind, without units; empty where not known
    QString words;               ///< searched beside the name: aliases, headings, facts with their units
    QString help;                ///< facts in words
    std::array<bool, 2> unverified{};   ///< of the facts
};

struct LibraryDetail
{
    QString title, subtitle;
    std::vector<LibraryFact> facts;
    std::vector<QString> sources;
};

[[nodiscard]] QString nameOf(LibraryKind kind);              ///< plural, such as "Devices"
[[nodiscard]] std::array<QString, 2> columnsOf(LibraryKind kind);   ///< what the facts of its entries are: "GiB", "TB/s"
[[nodiscard]] QString iconOf(LibraryKind kind);
[[nodiscard]] std::vector<LibraryEntry> libraryEntries(const Presets& presets);
[[nodiscard]] std::vector<LibraryEntry> libraryEntries(const Presets& presets, const QString& knob);   ///< those it takes
[[nodiscard]] LibraryDetail libraryDetail(const Presets& presets, LibraryKind kind, const QString& id,
                                          const Definitions& definitions = {});

/// The knob that the entry is a value of, empty when it is none.
[[nodiscard]] QString knobOf(LibraryKind kind);

} // namespace ridgepoint::app
