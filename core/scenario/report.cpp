// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/report.h"

#include "core/base/unit_text.h"

namespace ridgepoint {

std::string_view keyOf(Verdict verdict)
{
    switch (verdict) {
    case Verdict::fits: return "fits";
    case Verdict::tight: return "tight";
    case Verdict::doesNotFit: return "does_not_fit";
    case Verdict::impossible: return "impossible";
    }
    return "";
}

std::string verdictText(const Report& report, const Definitions& definitions)
{
    switch (report.verdict) {
    case Verdict::fits: return "fits";
    case Verdict::tight: return "tight";
    case Verdict::doesNotFit:
        return report.shortBy.value > 0 ? "does not fit: " + memoryText(report.shortBy, definitions) + " short" : "does not fit";
    case Verdict::impossible: return "cannot run";
    }
    return "";
}

std::string_view keyOf(Cause cause)
{
    switch (cause) {
    case Cause::weights: return "weights";
    case Cause::kvCache: return "kv_cache";
    case Cause::compute: return "compute";
    case Cause::activations: return "activations";
    case Cause::communication: return "communication";
    case Cause::host: return "host";
    case Cause::bubble: return "bubble";
    case Cause::prefill: return "prefill";
    case Cause::waiting: return "waiting";
    }
    return "";
}

std::string_view nameOf(Cause cause)
{
    switch (cause) {
    case Cause::weights: return "Weights";
    case Cause::kvCache: return "KV cache";
    case Cause::compute: return "Compute";
    case Cause::activations: return "Activations";
    case Cause::communication: return "Communication";
    case Cause::host: return "Launch and host";
    case Cause::bubble: return "Pipeline bubble";
    case Cause::prefill: return "Prefill share";
    case Cause::waiting: return "Waiting";
    }
    return "";
}

std::string_view keyOf(Provenance provenance)
{
    switch (provenance) {
    case Provenance::calibrated: return "calibrated";
    case Provenance::dataSheet: return "data_sheet";
    case Provenance::familyDefault: return "family_default";
    case Provenance::generalDefault: return "general_default";
    case Provenance::unknown: return "unknown";
    }
    return "";
}

std::string_view nameOf(Provenance provenance)
{
    switch (provenance) {
    case Provenance::calibrated: return "Calibrated";
    case Provenance::dataSheet: return "Data sheet";
    case Provenance::familyDefault: return "Family curve";
    case Provenance::generalDefault: return "Default";
    case Provenance::unknown: return "Unknown";
    }
    return "";
}

std::string_view keyOf(NotModelled part)
{
    switch (part) {
    case NotModelled::percentiles: return "percentiles";
    case NotModelled::clientNetwork: return "client_network";
    case NotModelled::tokenizer: return "tokenizer";
    case NotModelled::thermalThrottling: return "thermal_throttling";
    case NotModelled::multimodalTower: return "multimodal_tower";
    case NotModelled::multiTokenPrediction: return "multi_token_prediction";
    case NotModelled::routingSkew: return "routing_skew";
    case NotModelled::energy: return "energy";
    }
    return "";
}

std::string_view nameOf(NotModelled part)
{
    switch (part) {
    case NotModelled::percentiles: return "percentiles of latency";
    case NotModelled::clientNetwork: return "client network";
    case NotModelled::tokenizer: return "tokeniser time";
    case NotModelled::thermalThrottling: return "thermal throttling";
    case NotModelled::multimodalTower: return "vision and audio towers";
    case NotModelled::multiTokenPrediction: return "multi-token prediction";
    case NotModelled::routingSkew: return "skew of expert routing";
    case NotModelled::energy: return "measured energy and host power";
    }
    return "";
}

} // namespace ridgepoint
