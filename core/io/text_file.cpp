// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/text_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace ridgepoint {

namespace {

namespace fs = std::filesystem;

Error fileError(const fs::path& file, std::string message)
{
    Error error;
    error.file = file.string();
    error.message = std::move(message);
    return error;
}

Error systemError(const fs::path& file, std::string_view what, int code)
{
    return fileError(file, fmt::format("{}: {}", what, std::strerror(code)));
}

/// An open file that is removed again unless it was moved to its place.
struct TemporaryFile
{
    std::string path;
    int descriptor = -1;

    TemporaryFile() = default;
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile()
    {
        if (descriptor >= 0)
            ::close(descriptor);
        if (!path.empty())
            ::unlink(path.c_str());
    }
};

/// Zero, or the errno of what failed.
int writeAll(int descriptor, const std::string& text)
{
    std::size_t written = 0;
    while (written < text.size()) {
        const ssize_t count = ::write(descriptor, text.data() + written, text.size() - written);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return errno;
        written += std::size_t(count);
    }
    return ::fsync(descriptor) == 0 ? 0 : errno;
}

/// Permissions of the file to be replaced, else what a new file gets.
mode_t permissionsFor(const fs::path& target)
{
    struct stat status{};
    if (::stat(target.c_str(), &status) == 0)
        return status.st_mode & 07777;
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return 0666 & ~mask;
}

/// The rename is on disk only when its folder is; a file system that cannot sync a folder is no failure.
void syncFolder(const fs::path& folder)
{
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    ::fsync(descriptor);
    ::close(descriptor);
}

} // namespace

Result<std::string> readTextFile(const fs::path& file)
{
    std::error_code code;
    const fs::file_status status = fs::status(file, code);
    if (!fs::exists(status))
        return fail(fileError(file, "there is no such file"));
    if (!fs::is_regular_file(status))
        return fail(fileError(file, "this is not a regular file"));
    const std::uintmax_t size = fs::file_size(file, code);
    if (!code && size > largestTextFile)
        return fail(fileError(file, fmt::format("the file has {} MiB; at most {} MiB are read", size >> 20,
                                                largestTextFile >> 20)));
    std::ifstream stream(file, std::ios::binary);
    if (!stream)
        return fail(systemError(file, "the file cannot be opened", errno));
    std::string text;
    std::string block(std::size_t(64) * 1024, '\0');
    while (stream.read(block.data(), std::streamsize(block.size())), stream.gcount() > 0) {
        text.append(block, 0, std::size_t(stream.gcount()));
        if (text.size() > largestTextFile)
            return fail(fileError(file, fmt::format("more than {} MiB are not read", largestTextFile >> 20)));
    }
    if (stream.bad())
        return fail(systemError(file, "the file cannot be read", errno));
    return text;
}

Result<void> writeTextFile(const fs::path& file, const std::string& text)
{
    std::error_code code;
    const fs::path target = fs::is_symlink(file, code) ? fs::weakly_canonical(file, code) : file;
    const fs::file_status status = fs::status(target, code);
    if (target.filename().empty() || fs::is_directory(status))
        return fail(fileError(file, "this is a folder; choose a file name"));
    if (fs::exists(status) && !fs::is_regular_file(status))
        return fail(fileError(file, "this is a device or the like; choose a regular file"));
    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    if (!fs::is_directory(folder, code))
        return fail(fileError(file, fmt::format("there is no folder {}", folder.string())));

    TemporaryFile temporary;
    std::string pattern = (folder / ("." + target.filename().string() + ".XXXXXX")).string();
    temporary.descriptor = ::mkostemp(pattern.data(), O_CLOEXEC);
    if (temporary.descriptor < 0)
        return fail(systemError(file, fmt::format("nothing can be written to {}", folder.string()), errno));
    temporary.path = pattern;
    if (const int problem = writeAll(temporary.descriptor, text); problem != 0)
        return fail(systemError(file, "the file could not be written and is as it was", problem));
    ::fchmod(temporary.descriptor, permissionsFor(target));
    if (::close(std::exchange(temporary.descriptor, -1)) != 0)
        return fail(systemError(file, "the file could not be written and is as it was", errno));
    if (::rename(temporary.path.c_str(), target.c_str()) != 0)
        return fail(systemError(file, "the file could not be replaced and is as it was", errno));
    temporary.path.clear();
    syncFolder(folder);
    return {};
}

} // namespace ridgepoint
