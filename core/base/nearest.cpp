// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/nearest.h"

#include <algorithm>

namespace ridgepoint {
namespace {

std::size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t above = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0u : 1u)});
            diagonal = above;
        }
    }
    return row.back();
}

} // namespace

std::string nearest(std::string_view text, const std::vector<std::string>& candidates)
{
    constexpr std::size_t longest = 64;
    if (text.size() > longest)
        return {};
    std::string best;
    std::size_t least = std::max<std::size_t>(1, text.size() / 3) + 1;
    for (const std::string& candidate : candidates) {
        const std::size_t distance = editDistance(text, candidate);
        if (distance < least) {
            least = distance;
            best = candidate;
        }
    }
    return best;
}

} // namespace ridgepoint
