// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/text_file.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ridgepoint {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// A folder of its own for each test, removed at its end.
class TextFile : public testing::Test
{
protected:
    void SetUp() override
    {
        std::string pattern = (fs::temp_directory_path() / "ridgepoint-text-XXXXXX").string();
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        m_folder = pattern;
    }
    void TearDown() override { fs::remove_all(m_folder); }

    void put(const fs::path& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }
    std::size_t filesThere() const
    {
        return std::size_t(std::distance(fs::directory_iterator(m_folder), fs::directory_iterator()));
    }

    fs::path m_folder;
};

/// A disk that is full after `bytes`, for as long as this lives.
class FullDisk
{
public:
    explicit FullDisk(rlim_t bytes)
    {
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        m_handler = std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{bytes, m_before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FullDisk()
    {
        ::setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_handler);
    }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;

private:
    rlimit m_before{};
    void (*m_handler)(int) = SIG_DFL;
};

TEST_F(TextFile, ReadsBackWhatWasWritten)
{
    const std::string text = std::string("first\nsecond\0third", 18) + std::string(200'000, 'x');
    ASSERT_TRUE(writeTextFile(m_folder / "new.yaml", text));
    EXPECT_EQ(*readTextFile(m_folder / "new.yaml"), text);
    ASSERT_TRUE(writeTextFile(m_folder / "new.yaml", "short"));
    EXPECT_EQ(*readTextFile(m_folder / "new.yaml"), "short");
    EXPECT_EQ(filesThere(), 1u);
}

TEST_F(TextFile, FullDiskLeavesTheOldFileWholeAndNothingBeside)
{
    const fs::path file = m_folder / "project.yaml";
    put(file, "old and whole");
    Result<void> result;
    {
        const FullDisk full(1000);
        result = writeTextFile(file, std::string(5000, 'n'));
    }
    ASSERT_FALSE(result);
    EXPECT_THAT(result.error().text(), HasSubstr("project.yaml"));
    EXPECT_THAT(result.error().message, HasSubstr("is as it was"));
    EXPECT_EQ(*readTextFile(file), "old and whole");
    EXPECT_EQ(filesThere(), 1u);
}

TEST_F(TextFile, WhatCannotBeWrittenIsSaid)
{
    put(m_folder / "file", "x");
    struct Case
    {
        fs::path file;
        const char* part;
    };
    for (const Case& c : {Case{m_folder, "this is a folder"},
                          {m_folder / "missing" / "a.yaml", "there is no folder"},
                          {m_folder / "file" / "a.yaml", "there is no folder"},
                          {"/dev/full", "choose a regular file"},
                          {"/proc/ridgepoint.yaml", "nothing can be written to /proc"}}) {
        const Result<void> result = writeTextFile(c.file, "text");
        ASSERT_FALSE(result) << c.file;
        EXPECT_THAT(result.error().message, HasSubstr(c.part)) << c.file;
    }
    EXPECT_EQ(filesThere(), 1u);
}

TEST_F(TextFile, FolderWithoutPermissionLeavesTheOldFileWhole)
{
    const fs::path file = m_folder / "a.yaml";
    put(file, "old");
    // Root may write everywhere, so it becomes another user for as long as that counts.
    constexpr uid_t nobody = 65534;
    const bool isRoot = ::geteuid() == 0;
    if (isRoot) {
        ASSERT_EQ(::chown(m_folder.c_str(), nobody, static_cast<gid_t>(-1)), 0);
        ASSERT_EQ(::chown(file.c_str(), nobody, static_cast<gid_t>(-1)), 0);
    }
    fs::permissions(m_folder, fs::perms::owner_read | fs::perms::owner_exec);
    if (isRoot) {
        ASSERT_EQ(::seteuid(nobody), 0);
    }
    const Result<void> result = writeTextFile(file, "new");
    if (isRoot) {
        ASSERT_EQ(::seteuid(0), 0);
    }
    fs::permissions(m_folder, fs::perms::owner_all);
    ASSERT_FALSE(result);
    EXPECT_EQ(*readTextFile(file), "old");
    EXPECT_EQ(filesThere(), 1u);
}

TEST_F(TextFile, KeepsPermissionsAndLinks)
{
    const fs::path file = m_folder / "a.yaml";
    put(file, "old");
    ASSERT_EQ(::chmod(file.c_str(), 0640), 0);
    fs::create_symlink("a.yaml", m_folder / "link.yaml");
    ASSERT_TRUE(writeTextFile(m_folder / "link.yaml", "new"));
    EXPECT_TRUE(fs::is_symlink(m_folder / "link.yaml"));
    EXPECT_EQ(*readTextFile(file), "new");
    EXPECT_EQ(unsigned(fs::status(file).permissions()), 0640u);
}

TEST_F(TextFile, WhatCannotBeReadIsSaid)
{
    ASSERT_EQ(::mkfifo((m_folder / "pipe").c_str(), 0600), 0);
    fs::resize_file((put(m_folder / "large", ""), m_folder / "large"), largestTextFile + 1);
    struct Case
    {
        fs::path file;
        const char* part;
    };
    for (const Case& c : {Case{m_folder / "missing", "no such file"},
                          {m_folder, "not a regular file"},
                          {m_folder / "pipe", "not a regular file"},
                          {m_folder / "large", "at most 64 MiB"}}) {
        const Result<std::string> text = readTextFile(c.file);
        ASSERT_FALSE(text) << c.file;
        EXPECT_THAT(text.error().message, HasSubstr(c.part)) << c.file;
    }
}

} // namespace
} // namespace ridgepoint
