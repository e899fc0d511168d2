// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/inputs.h"
#include "app/cli/speed_text.h"
#include "app/cli/text_table.h"
#include "core/io/text_file.h"
#include "core/validation/accuracy.h"
#include "core/validation/serving.h"
#include "core/validation/speed_fit.h"
#include "core/validation/validators.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

namespace ridgepoint::app {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t widestName = 48;   ///< of a group: prompts and command lines can be longer than any screen

std::string nameOf(const std::string& group)
{
    return shortened(withoutControls(group), widestName);
}

std::string percent(double share)
{
    return fmt::format("{:.1f} %", 100.0 * share);
}

std::string percent(const std::optional<double>& share)
{
    return share ? percent(*share) : std::string();
}

std::vector<std::string> cellsOf(const std::string& name, const Accuracy& accuracy)
{
    return {name,
            fmt::format("{}", accuracy.count),
            fmt::format("{}", accuracy.unpredicted),
            percent(accuracy.mean),
            percent(accuracy.median),
            percent(accuracy.p90),
            fmt::format("{:+.1f} %", 100.0 * accuracy.bias),
            percent(accuracy.coverage),
            percent(accuracy.bandWidth),
            percent(accuracy.within5),
            percent(accuracy.within15)};
}

std::string rightOf(std::size_t right, std::size_t all)
{
    return all == 0 ? std::string() : fmt::format("{} of {}, {:.1f} %", right, all, 100.0 * double(right) / double(all));
}

std::vector<std::string> cellsOf(const std::string& name, const Verdicts& verdicts)
{
    return {name, fmt::format("{}", verdicts.yes + verdicts.no), fmt::format("{}", verdicts.unpredicted),
            rightOf(verdicts.yesRight, verdicts.yes), rightOf(verdicts.noRight, verdicts.no)};
}

bool isVerdict(const QuantityAccuracy& quantity)
{
    return quantity.unit == "0/1";
}

TextTable tableOf(const QuantityAccuracy& quantity)
{
    TextTable table;
    if (isVerdict(quantity))
        table.header = {quantity.quantity, "rows", "unpredicted", "1 said right", "0 said right"};
    else
        table.header = {fmt::format("{}, {}", quantity.quantity, quantity.unit), "rows", "unpredicted", "mean",
                        "median", "p90", "bias", "in 80 % band", "band width", "within 5 %", "within 15 %"};
    const auto cells = [&](const std::string& name, const Accuracy& accuracy, const Verdicts& verdicts) {
        return isVerdict(quantity) ? cellsOf(name, verdicts) : cellsOf(name, accuracy);
    };
    table.rows.push_back(cells("all", quantity.overall, quantity.verdicts));
    const std::vector<GroupMean> means = groupMeans(quantity);
    std::string key;
    const auto closeGroup = [&] {
        const auto mean = std::find_if(means.begin(), means.end(), [&](const GroupMean& one) { return one.key == key; });
        if (mean != means.end() && mean->groups > 1)
            table.rows.push_back(
                {fmt::format("  mean of {}, worst {}", mean->groups, shortened(withoutControls(mean->worst), widestName / 2)), "",
                 "", percent(mean->mean), percent(mean->median), "", "", "", "", "", ""});
    };
    for (const GroupAccuracy& group : quantity.groups) {
        if (group.key != key) {
            closeGroup();
            key = group.key;
            table.rows.emplace_back();
            table.rows.push_back({"by " + key});
        }
        table.rows.push_back(cells("  " + nameOf(group.name), group.accuracy, group.verdicts));
    }
    closeGroup();
    return table;
}

Json jsonOf(const Accuracy& accuracy)
{
    const auto known = [](const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); };
    return {{"count", accuracy.count},
            {"unpredicted", accuracy.unpredicted},
            {"mean_error", accuracy.mean},
            {"median_error", accuracy.median},
            {"p90_error", accuracy.p90},
            {"bias", accuracy.bias},
            {"within_5_percent", accuracy.within5},
            {"within_15_percent", accuracy.within15},
            {"band_coverage", known(accuracy.coverage)},
            {"band_width", known(accuracy.bandWidth)}};
}

Json jsonOf(const Verdicts& verdicts)
{
    return {{"count", verdicts.yes + verdicts.no},
            {"unpredicted", verdicts.unpredicted},
            {"ones", verdicts.yes},
            {"ones_right", verdicts.yesRight},
            {"zeros", verdicts.no},
            {"zeros_right", verdicts.noRight}};
}

Json jsonOf(const QuantityAccuracy& quantity)
{
    const auto one = [&](const Accuracy& accuracy, const Verdicts& verdicts) {
        return isVerdict(quantity) ? jsonOf(verdicts) : jsonOf(accuracy);
    };
    Json json{{"quantity", quantity.quantity},
              {"unit", quantity.unit},
              {"overall", one(quantity.overall, quantity.verdicts)},
              {"groups", Json::object()}};
    for (const GroupAccuracy& group : quantity.groups)
        json["groups"][group.key][group.name] = one(group.accuracy, group.verdicts);
    return json;
}

std::string missedText(const std::vector<MissedBand>& missed)
{
    std::string text = "Groups of 30 rows or more with less than 65 % or more than 95 % in the 80 % band: ";
    if (missed.empty())
        return text + "none\n\n";
    for (const MissedBand& one : missed)
        text += fmt::format("\n  {}, {}: {} of {} rows", one.quantity,
                            one.key.empty() ? std::string("all") : one.key + " " + withoutControls(one.name),
                            percent(one.coverage), one.banded);
    return text + "\n\n";
}

struct Reason
{
    std::string text;
    std::size_t rows = 0;
    std::string where;   ///< of the first row
};

/// Reasons of rows without a prediction, the most frequent first.
std::vector<Reason> reasonsOf(const std::vector<Prediction>& predictions)
{
    std::map<std::string, Reason> counts;
    for (const Prediction& one : predictions)
        if (!one.value) {
            const std::string text = fmt::format("{}: {}", one.quantity, one.reason);
            ++counts.try_emplace(text, Reason{text, 0, one.where}).first->second.rows;
        }
    std::vector<Reason> reasons;
    for (const auto& [text, reason] : counts)
        reasons.push_back(reason);
    std::stable_sort(reasons.begin(), reasons.end(), [](const Reason& a, const Reason& b) { return a.rows > b.rows; });
    return reasons;
}

// --- a short table for documents -------------------------------------------------------------------------------------

std::string errorsText(const Accuracy& accuracy)
{
    return fmt::format("{:.1f} / {:.1f} / {:.1f}", 100.0 * accuracy.mean, 100.0 * accuracy.median, 100.0 * accuracy.p90);
}

std::string markdownLine(const std::string& name, const Accuracy& with, const Accuracy* without)
{
    return fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", name, with.count, with.unpredicted, errorsText(with),
                       without ? errorsText(*without) : "", percent(with.coverage), percent(with.bandWidth));
}

std::string markdownLine(const std::string& name, const Verdicts& verdicts)
{
    return fmt::format("| {} | {} | {} | {} of {} that fit, {} of {} that do not | | | |\n", name,
                       verdicts.yes + verdicts.no, verdicts.unpredicted, verdicts.yesRight, verdicts.yes,
                       verdicts.noRight, verdicts.no);
}

/// Rows of a table whose header stands above them: each quantity, and its groups by the first key when they are few.
std::string markdownOf(const std::vector<QuantityAccuracy>& with, const std::vector<QuantityAccuracy>& without,
                       const std::string& title)
{
    constexpr std::ptrdiff_t few = 6;
    std::string text;
    for (std::size_t i = 0; i < with.size(); ++i) {
        const QuantityAccuracy& quantity = with[i];
        if (quantity.overall.count == 0 && quantity.verdicts.yes + quantity.verdicts.no == 0)
            continue;
        const QuantityAccuracy* other = i < without.size() ? &without[i] : nullptr;
        const std::string name = fmt::format("{}: {}", title, quantity.quantity);
        text += isVerdict(quantity) ? markdownLine(name, quantity.verdicts)
                                    : markdownLine(name, quantity.overall, other ? &other->overall : nullptr);
        const auto isFirst = [&](const GroupAccuracy& group) { return group.key == quantity.groups.front().key; };
        const auto isListed = [&](const GroupAccuracy& group) {
            return isFirst(group) && group.accuracy.count + group.verdicts.yes + group.verdicts.no > 0;
        };
        const auto listed = std::count_if(quantity.groups.begin(), quantity.groups.end(), isListed);
        if (listed < 2 || listed > few)
            continue;
        for (std::size_t g = 0; g < quantity.groups.size(); ++g) {
            const GroupAccuracy& group = quantity.groups[g];
            if (!isListed(group))
                continue;
            const std::string indented = "&emsp;" + withoutControls(group.name);
            text += isVerdict(quantity)
                        ? markdownLine(indented, group.verdicts)
                        : markdownLine(indented, group.accuracy,
                                       other && g < other->groups.size() ? &other->groups[g].accuracy : nullptr);
        }
    }
    return text;
}

} // namespace

int runValidate(const ValidateOptions& options)
{
    const auto all = validators();
    const auto validator =
        std::find_if(all.begin(), all.end(), [&](const Validator& one) { return one.id == options.kind; });
    if (validator == all.end())
        return complain(fmt::format("nothing called \"{}\" can be validated", options.kind), exitBadInput);
    const LoadedPresets loaded = loadAllPresets(options.presetFolders);
    for (const Error& error : loaded.errors)
        complain(notLoadedText(error), exitBadInput);
    const Result<CsvTable> table = readCsv(options.file);
    if (!table)
        return complain(table.error(), exitBadInput);
    ValidationOptions how;
    how.calibration = options.calibration;
    how.table = options.table;
    const Result<std::vector<Prediction>> predictions = validator->predict(*table, loaded.presets, how);
    if (!predictions)
        return complain(predictions.error(), exitBadInput);
    if (!options.out.empty())
        if (const Result<void> written = writeTextFile(options.out, predictionsCsv(*predictions)); !written)
            return complain(written.error(), exitNotAvailable);

    const std::vector<QuantityAccuracy> accuracy = accuracyByGroup(*predictions);
    if (options.markdown) {
        how.calibration = false;
        const Result<std::vector<Prediction>> plain = validator->predict(*table, loaded.presets, how);
        if (!plain)
            return complain(plain.error(), exitBadInput);
        print(markdownOf(accuracy, accuracyByGroup(*plain), options.file.stem().string()));
        return exitValid;
    }
    const auto reasons = reasonsOf(*predictions);
    if (options.form == Form::json) {
        Json json{{"kind", options.kind}, {"file", options.file.string()}, {"calibration", options.calibration},
                  {"quantities", Json::array()}, {"unpredicted", Json::array()}};
        for (const QuantityAccuracy& quantity : accuracy)
            json["quantities"].push_back(jsonOf(quantity));
        json["bands_missed"] = Json::array();
        for (const MissedBand& one : missedBands(accuracy))
            json["bands_missed"].push_back({{"quantity", one.quantity}, {"key", one.key}, {"group", one.name},
                                            {"rows", one.banded}, {"band_coverage", one.coverage}});
        if (options.kind == "serving")
            if (const SaturationCalls calls = saturationCalls(*table, *predictions); calls.queued > 0)
                json["saturation"] = {{"queued", calls.queued}, {"recognised", calls.recognised},
                                      {"in_range", calls.inRange}, {"clean", calls.clean}, {"alarms", calls.alarms}};
        for (const Reason& reason : reasons)
            json["unpredicted"].push_back({{"reason", reason.text}, {"rows", reason.rows}});
        printJson(json);
        return exitValid;
    }
    for (const QuantityAccuracy& quantity : accuracy)
        print(tableOf(quantity).text() + "\n");
    print(missedText(missedBands(accuracy)));
    if (options.kind == "serving")
        if (const SaturationCalls calls = saturationCalls(*table, *predictions); calls.queued > 0)
            print(fmt::format("Runs flagged as queued: {} of {} called saturated or near capacity, {} of them with TTFT in the "
                              "range given; of tiers A and B: {} of {}, {}\n\n",
                              calls.recognised, calls.queued, calls.inRange, calls.alarms, calls.clean,
                              percent(double(calls.alarms) / double(std::max<std::size_t>(1, calls.clean)))));
    if (options.kind == "speed")
        if (const auto orders = pairOrders(*table, *predictions); !orders.empty())
            print("Throughput: " + ordersText(orders) + "\n");
    if (!reasons.empty()) {
        print("Not predicted\n");
        for (const Reason& reason : reasons)
            print(fmt::format("{:>6}  {}{}\n", reason.rows, withoutControls(reason.text),
                              reason.where.empty() ? std::string()
                                                   : withoutControls(fmt::format(" (first {})", reason.where))));
    }
    return exitValid;
}

} // namespace ridgepoint::app
