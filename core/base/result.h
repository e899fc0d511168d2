// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace ridgepoint {

/// A mistake of the user, said so that it can be mended: what is wrong, where, and what would be right.
struct Error
{
    std::string message;      ///< what is wrong and what would be right, one or two sentences
    std::string file;         ///< empty when the mistake is not in a file
    int line = 0;             ///< from 1; 0 when unknown
    int column = 0;           ///< from 1; 0 when unknown
    std::string pointer;      ///< JSON pointer or knob id, empty when none

    bool operator==(const Error&) const = default;

    /// "file:line:column: message", leaving out what is unknown.
    [[nodiscard]] std::string text() const
    {
        std::string where = file;
        if (line > 0)
            where += (where.empty() ? "line " : ":") + std::to_string(line);
        if (line > 0 && column > 0)
            where += ":" + std::to_string(column);
        if (!pointer.empty())
            where += (where.empty() ? "" : ": ") + pointer;
        return where.empty() ? message : where + ": " + message;
    }
};

template <typename T>
using Result = tl::expected<T, Error>;

[[nodiscard]] inline tl::unexpected<Error> fail(Error error)
{
    return tl::unexpected<Error>(std::move(error));
}

[[nodiscard]] inline tl::unexpected<Error> fail(std::string message)
{
    Error error;
    error.message = std::move(message);
    return fail(std::move(error));
}

} // namespace ridgepoint
