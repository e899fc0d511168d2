// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweep/sizing.h"

#include "core/base/unit_text.h"
#include "core/scenario/serving_setup.h"
#include "core/scenario/uncertainty.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <oneapi/tbb/parallel_for.h>

namespace ridgepoint {

namespace {

constexpr double hoursPerMonth = 730.0;

/// One replica at a rate, and what keeps it from more.
struct Trial
{
    Scenario scenario;
    Report report;
    bool holds = false;
    bool saturated = false;
    int limit = -1;
};

Trial tried(const Scenario& replica, double rate, std::span<const Limit> limits)
{
    Trial trial{replica, {}, false, false, -1};
    trial.scenario.load.requestRate = Frequency{rate};
    trial.report = evaluate(trial.scenario);
    const auto exceeds = [](const Finding& f) { return f.code == FindingCode::rateExceedsCapacity; };
    trial.saturated = std::any_of(trial.report.findings.begin(), trial.report.findings.end(), exceeds);
    trial.limit = brokenLimit(trial.report, limits);
    trial.holds = trial.report.feasible() && !trial.saturated && trial.limit < 0;
    return trial;
}

Scenario asReplica(const Scenario& scenario)
{
    Scenario replica = scenario;
    replica.plan.replicas = 1;
    replica.load.arrivals = Arrivals::openLoop;
    replica.load.batching = BatchingMode::continuous;
    replica.load.fromStart = false;
    return replica;
}

/// A count that may not fit an int stays far above what anyone buys.
int wholeAbove(double count)
{
    constexpr double slack = 1e-9;
    constexpr double most = 1e8;
    return int(std::min(most, std::max(1.0, std::ceil(count - slack))));
}

} // namespace

SizingOption sized(const Scenario& scenario, const SizingQuestion& question)
{
    SizingOption option;
    const Scenario replica = asReplica(scenario);
    option.devicesPerReplica = devicesOf(replica);
    constexpr double least = 1e-4;   // requests a second of one replica; less is no service
    Trial good = tried(replica, least, question.limits);
    option.replica = good.scenario;
    option.report = good.report;
    option.limit = good.limit;
    if (!good.holds)
        return option;
    Trial bad;
    double low = least, high = least;
    do {
        low = high;
        high *= 4.0;
        bad = tried(replica, high, question.limits);
    } while (bad.holds && high < 1e6);
    if (bad.holds)
        return option;   // cannot be: no replica takes a million requests a second
    for (int i = 0; i < 30 && high / low > 1.001; ++i) {
        const double middle = std::sqrt(low * high);
        const Trial trial = tried(replica, middle, question.limits);
        (trial.holds ? low : high) = middle;
        if (!trial.holds)
            bad = trial;
    }
    option.bound = bad.limit >= 0 && !bad.saturated ? RateBound::limit : RateBound::capacity;
    option.limit = option.bound == RateBound::limit ? bad.limit : -1;
    option.mostPerReplica = Frequency{low};
    const double rate = question.requestRate.value;
    option.forLoad = wholeAbove(rate / low);
    option.forHeadroom = std::max(0, wholeAbove(rate / (low * (1.0 - question.headroom))) - option.forLoad);
    option.forFailures = std::max(0, question.failures - option.forHeadroom);
    const Trial share = tried(replica, rate / option.replicas(), question.limits);
    option.replica = share.scenario;
    option.report = share.report;
    if (scenario.price)
        option.perMonth = scenario.price->perDevice * double(option.devices()) * Seconds{hoursPerMonth * 3600.0};
    return option;
}

std::vector<SizingOption> sizedAll(std::span<const Scenario> scenarios, const SizingQuestion& question,
                                   std::stop_token stop)
{
    std::vector<SizingOption> options(scenarios.size());
    oneapi::tbb::parallel_for(std::size_t(0), scenarios.size(), [&](std::size_t i) {
        if (!stop.stop_requested())
            options[i] = sized(scenarios[i], question);
    });
    if (stop.stop_requested())
        std::erase_if(options, [](const SizingOption& option) { return option.devicesPerReplica == 0; });
    const auto rank = [](const SizingOption& option) {
        return option.bound == RateBound::infeasible ? 2 : option.perMonth ? 0 : 1;
    };
    std::stable_sort(options.begin(), options.end(), [&](const SizingOption& a, const SizingOption& b) {
        if (rank(a) != rank(b))
            return rank(a) < rank(b);
        return rank(a) == 0 ? *a.perMonth < *b.perMonth : a.devices() < b.devices();
    });
    return options;
}

std::vector<Scenario> plansToSize(const Scenario& scenario)
{
    std::vector<Scenario> plans;
    const int node = scenario.system.devicesPerNode;
    for (int group = 1; group <= node; ++group) {
        if (node % group != 0)
            continue;
        Scenario one = scenario;
        one.plan = Plan{};
        one.plan.tensorParallel = group;
        one.prefillPool.reset();
        Report report = evaluate(one);
        const int deepest = std::min(node * scenario.system.maximumNodes / group, scenario.network.layerCount());
        while (report.verdict == Verdict::doesNotFit && one.plan.pipelineParallel * 2 <= deepest) {
            one.plan.pipelineParallel *= 2;
            report = evaluate(one);
        }
        if (report.verdict != Verdict::impossible && report.verdict != Verdict::doesNotFit)
            plans.push_back(std::move(one));
    }
    return plans;
}

std::string planText(const Scenario& replica)
{
    const Plan& plan = replica.plan;
    std::string text = fmt::format("TP {}", plan.tensorParallel);
    if (plan.pipelineParallel > 1)
        text += fmt::format(" PP {}", plan.pipelineParallel);
    if (plan.attentionData > 1)
        text += fmt::format(" attention DP {}", plan.attentionData);
    if (plan.expertParallel > 1)
        text += fmt::format(" EP {}", plan.expertParallel);
    return text;
}

std::string boundText(const SizingOption& option, const SizingQuestion& question)
{
    switch (option.bound) {
    case RateBound::limit: return limitText(question.limits[std::size_t(option.limit)]);
    case RateBound::capacity: return "saturates";
    case RateBound::infeasible:
        return option.limit < 0 ? verdictText(option.report)
                                : "never within " + limitText(question.limits[std::size_t(option.limit)]);
    }
    return "";
}

std::string sizingAnswer(std::span<const SizingOption> options, const SizingQuestion& question)
{
    if (options.empty() || options.front().bound == RateBound::infeasible)
        return fmt::format("Nothing tried answers {} requests/s within the limits.", numberText(question.requestRate.value, 3));
    const SizingOption& best = options.front();
    return fmt::format("{} × {} = {} {} × {}{}", best.devices(), best.replica.system.device.name, best.replicas(),
                       best.replicas() == 1 ? "replica" : "replicas", planText(best.replica),
                       best.perMonth ? fmt::format(", {} a month", dollarsText(*best.perMonth)) : ", cost unknown");
}

std::vector<std::string> sizingSteps(const SizingOption& option, const SizingQuestion& question)
{
    if (option.bound == RateBound::infeasible)
        return {fmt::format("{} on {}: {}.", planText(option.replica), option.replica.system.device.name,
                            boundText(option, question))};
    const std::string rate = numberText(question.requestRate.value, 3), most = numberText(option.mostPerReplica.value, 3);
    std::vector<std::string> steps{
        fmt::format("One replica of {} takes {} requests/s: {}.", planText(option.replica), most, boundText(option, question)),
        fmt::format("{} requests/s ÷ {} → {} for the load.", rate, most, option.forLoad)};
    steps.push_back(fmt::format("{} kept free → {} more.", percentText(question.headroom), option.forHeadroom));
    if (question.failures > 0)
        steps.push_back(option.forFailures > 0 ? fmt::format("{} may be down → {} more.", question.failures, option.forFailures)
                                               : fmt::format("{} may be down: what is kept free covers it.", question.failures));
    steps.push_back(fmt::format("{} + {} + {} = {} replicas × {} = {} × {}.", option.forLoad, option.forHeadroom, option.forFailures,
                                option.replicas(), option.devicesPerReplica, option.devices(), option.replica.system.device.name));
    steps.push_back(option.report.tpotSpread
                        ? fmt::format("These are predictions: the 80\u00a0% band of the replica's TPOT is {}.", spreadText(option.report.tpotSpread->total()))
                        : "These are predictions, and the band of the replica's TPOT is unknown.");
    if (option.perMonth)
        steps.push_back(fmt::format("{} devices × 730 h × their rent = {} a month.", option.devices(), dollarsText(*option.perMonth)));
    return steps;
}

} // namespace ridgepoint
