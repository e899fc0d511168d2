// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/validation.h"

#include <gtest/gtest.h>

namespace ridgepoint {
namespace {

Prediction prediction(std::string device, double value, double measured)
{
    Prediction one;
    one.id = device + "-row";
    one.quantity = "tpot";
    one.unit = "ms";
    one.value = value;
    one.measured = measured;
    one.groups = {{"device", std::move(device)}};
    return one;
}

TEST(ValidationFigure, holdsAMarkForEachRowAndTheDiagonalAcrossThem)
{
    std::vector<Prediction> rows{prediction("a", 10, 12), prediction("b", 30, 20), prediction("a", 5, 5)};
    rows.push_back(prediction("a", 5, 5));
    rows.back().value.reset();                       // not predicted: no mark
    rows.push_back(prediction("a", 5, 5));
    rows.back().quantity = "ttft";                   // another quantity
    const LineFigure figure = validationFigure(rows, "tpot", "device");
    ASSERT_EQ(figure.series.size(), 3u) << "two groups and the diagonal";
    EXPECT_EQ(figure.series[0].name, "a") << "the largest group comes first";
    EXPECT_EQ(figure.series[0].points.size(), 2u);
    EXPECT_EQ(figure.series[1].points.size(), 1u);
    EXPECT_EQ(figure.series[1].points[0].x, 20) << "measured to the right";
    EXPECT_EQ(figure.series[1].points[0].y, 30);
    const Series& exact = figure.series.back();
    EXPECT_EQ(exact.points.front().x, 5);
    EXPECT_EQ(exact.points.back().y, 30);
    EXPECT_EQ(figure.x.label, "Measured TPOT (ms)");
    EXPECT_NE(figure.series[1].points[0].hover.find("+50"), std::string::npos) << figure.series[1].points[0].hover;
}

TEST(ValidationFigure, smallGroupsShareAColourAndManyRowsAreThinnedOut)
{
    std::vector<Prediction> rows;
    for (int device = 0; device < 12; ++device)
        for (int i = 0; i < 1000 - 50 * device; ++i)
            rows.push_back(prediction("device " + std::to_string(device), 1.0 + i, 2.0 + i));
    const LineFigure figure = validationFigure(rows, "tpot", "device");
    std::size_t marks = 0;
    for (const Series& series : figure.series) {
        EXPECT_LT(series.configuration, 8) << "there are eight colours";
        marks += series.marks ? series.points.size() : 0;
    }
    EXPECT_LE(marks, 3000u);
    EXPECT_GE(marks, 1500u);
    EXPECT_EQ(figure.series[figure.series.size() - 2].name, "others");
    EXPECT_NE(figure.subtitle.find(std::to_string(rows.size())), std::string::npos) << figure.subtitle;
}

TEST(ValidationFigure, nothingToShowIsSaid)
{
    EXPECT_TRUE(validationFigure({}, "tpot", "device").series.empty());
    EXPECT_FALSE(validationFigure({}, "tpot", "device").description.empty());
}

} // namespace
} // namespace ridgepoint
