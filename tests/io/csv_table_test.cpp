// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/csv_table.h"

#include <gtest/gtest.h>

namespace ridgepoint {
namespace {

TEST(CsvTable, readsQuotedCellsLineEndsAndBlanks)
{
    const auto table = parseCsv("\xEF\xBB\xBF" "id,note,value\r\na,\"one, \"\"two\"\"\nthree\", 1.5 \r\n\r\nb,,x\r\n", "t.csv");
    ASSERT_TRUE(table) << table.error().text();
    ASSERT_EQ(table->rows.size(), 2u);
    EXPECT_EQ(table->text(0, "note"), "one, \"two\"\nthree");
    EXPECT_EQ(table->number(0, "value"), 1.5);
    EXPECT_EQ(table->lines, (std::vector<int>{2, 5}));
    EXPECT_EQ(table->text(1, "note"), "");
    EXPECT_FALSE(table->number(1, "value")) << "not a number";
    EXPECT_FALSE(table->number(1, "note")) << "blank";
    EXPECT_FALSE(table->number(1, "missing"));
    EXPECT_EQ(table->text(1, "missing"), "");
}

TEST(CsvTable, numbersMustBeFiniteAndWhole)
{
    for (const char* cell : {"inf", "nan", "1e999", "12 GB", "0x10", "--1", "1,5"}) {
        const auto table = parseCsv(std::string("value\n\"") + cell + "\"\n", "t.csv");
        ASSERT_TRUE(table);
        EXPECT_FALSE(table->number(0, "value")) << cell;
    }
}

TEST(CsvTable, saysWhereAMistakeIs)
{
    struct Case
    {
        const char* text;
        int line;
        const char* part;
    };
    for (const Case& one : {Case{"", 0, "empty"}, Case{"a,b\n1\n", 2, "1 cells where the header has 2"},
                            Case{"a,b\n1,2\n1,2,3\n", 3, "3 cells"}, Case{"a,b\n1,\"2\n", 2, "not closed"},
                            Case{"a,,b\n", 1, "column 2 has no name"}, Case{"a,b,a\n", 1, "two columns called \"a\""}}) {
        const auto table = parseCsv(one.text, "t.csv");
        ASSERT_FALSE(table) << one.text;
        EXPECT_EQ(table.error().line, one.line) << one.text;
        EXPECT_NE(table.error().message.find(one.part), std::string::npos) << table.error().message;
    }
}

TEST(CsvTable, whatIsWrittenIsReadAgain)
{
    const std::vector<std::string> cells{"plain", "a,b", "say \"yes\"", "two\nlines", ""};
    const auto table = parseCsv(csvLine({"a", "b", "c", "d", "e"}) + csvLine(cells), "t.csv");
    ASSERT_TRUE(table) << table.error().text();
    EXPECT_EQ(table->rows.at(0), cells);
}

} // namespace
} // namespace ridgepoint
