// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/style/tokens.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint::app {

namespace {

QColor rgb(unsigned value) { return QColor::fromRgb(value); }

const Tokens* current = nullptr;

double luminance(const QColor& colour)
{
    const auto linear = [](double part) { return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

} // namespace

const Tokens& lightTokens()
{
    static const Tokens light{
        .dark = false,
        .window = rgb(0xeef1f5), .bar = rgb(0xf6f8fa), .panel = rgb(0xffffff), .alternate = rgb(0xf7f9fb),
        .border = rgb(0xd3d9e1), .hairline = rgb(0xe6eaef), .grid = rgb(0xe4e8ed),
        .text = rgb(0x1a2230), .secondary = rgb(0x526071), .faint = rgb(0x697585),
        .accent = rgb(0x1c5fb8), .accentText = rgb(0xffffff), .accentTint = rgb(0xe3edfa), .selection = rgb(0xd6e5f8),
        .differs = rgb(0xfff4d6), .differsBar = rgb(0xb98900),
        .good = rgb(0x13703f), .goodTint = rgb(0xe2f4ea), .warning = rgb(0x8f5b00), .warningTint = rgb(0xfdf0d5),
        .bad = rgb(0xb3261e), .badTint = rgb(0xfbe6e4), .neutralTint = rgb(0xe6ebf1),
        .series = {rgb(0x0b66b0), rgb(0xc9560a), rgb(0x008066), rgb(0x8e3f8c), rgb(0x7a6a00), rgb(0xb5306b),
                   rgb(0x44546a), rgb(0x7b4a2a)},
        .weights = rgb(0x2f5d92), .kvCache = rgb(0x7fb2dd), .communication = rgb(0xe3a33a), .activations = rgb(0xf3d39b), .host = rgb(0x9aa3ae),
        .compute = rgb(0x4f8a8b)};
    return light;
}

const Tokens& darkTokens()
{
    static const Tokens dark{
        .dark = true,
        .window = rgb(0x15181d), .bar = rgb(0x1d2127), .panel = rgb(0x20252c), .alternate = rgb(0x242a32),
        .border = rgb(0x3a424d), .hairline = rgb(0x2d343d), .grid = rgb(0x323a44),
        .text = rgb(0xe4e8ee), .secondary = rgb(0xa9b4c1), .faint = rgb(0x8490a0),
        .accent = rgb(0x7ab3f5), .accentText = rgb(0x10141a), .accentTint = rgb(0x24364d), .selection = rgb(0x2b4263),
        .differs = rgb(0x3d3417), .differsBar = rgb(0xe0b33c),
        .good = rgb(0x6fd09b), .goodTint = rgb(0x1d3a2b), .warning = rgb(0xeab95a), .warningTint = rgb(0x40341a),
        .bad = rgb(0xff8f85), .badTint = rgb(0x472523), .neutralTint = rgb(0x2f3742),
        .series = {rgb(0x5fb2f3), rgb(0xf4924f), rgb(0x3fc6a2), rgb(0xd18ccf), rgb(0xd3c14a), rgb(0xf08ab4),
                   rgb(0xa9b8cc), rgb(0xcfa07c)},
        .weights = rgb(0x6a9fd8), .kvCache = rgb(0xa9cdf0), .communication = rgb(0xe9b04f), .activations = rgb(0xf6dcae), .host = rgb(0x8d97a4),
        .compute = rgb(0x6fb3b4)};
    return dark;
}

const Tokens& tokens() { return current ? *current : lightTokens(); }

void setCurrentTokens(bool dark) { current = dark ? &darkTokens() : &lightTokens(); }

QColor seriesColour(const Tokens& tokens, int configuration)
{
    return tokens.series[std::size_t(std::max(0, configuration)) % tokens.series.size()];
}

QColor toneColour(const Tokens& tokens, Tone tone)
{
    switch (tone) {
    case Tone::weights: return tokens.weights;
    case Tone::kvCache: return tokens.kvCache;
    case Tone::kvFree: return tokens.panel;
    case Tone::compute: return tokens.compute;
    case Tone::activations: return tokens.activations;
    case Tone::communication: return tokens.communication;
    case Tone::host: return tokens.host;
    case Tone::bubble: return tokens.neutralTint;
    case Tone::prefill:
    case Tone::waiting:
    case Tone::reserve: return tokens.panel;
    }
    return tokens.panel;
}

bool isHatched(Tone tone) { return tone == Tone::prefill || tone == Tone::waiting || tone == Tone::reserve; }

double contrast(const QColor& first, const QColor& second)
{
    const double a = luminance(first), b = luminance(second);
    return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

QColor textOn(const QColor& fill)
{
    const QColor dark = QColor::fromRgb(0x10141a), light = QColor::fromRgb(0xffffff);
    return contrast(fill, light) >= 4.5 ? light : contrast(fill, dark) > contrast(fill, light) ? dark : light;
}

} // namespace ridgepoint::app
