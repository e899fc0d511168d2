// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/insight/glossary.h"

#include "core/base/trimmed.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace ridgepoint {
namespace {

constexpr std::array terms{
    Term{"activations", "Activations", "Results that one layer of the model passes to the next; they fill memory while a step runs."},
    Term{"all_reduce", "All-reduce", "All devices add up their partial results and receive the sum.", "All-reduce,all-reduces"},
    Term{"arithmetic_intensity", "Arithmetic intensity", "Operations done per byte moved."},
    Term{"band", "Band", "The range in which the true value is expected.", "band,bands"},
    Term{"bandwidth", "Bandwidth", "Bytes that can be moved in a second."},
    Term{"baseline", "Baseline", "The configuration that the others are compared with."},
    Term{"break_even", "Break-even", "The value of a knob at which two options are equally good."},
    Term{"bubble", "Bubble", "Time in which a pipeline stage waits for its neighbours.", "bubble,pipeline bubble"},
    Term{"calibrated", "Calibrated", "Fitted to measurements of the very device."},
    Term{"checkpoint", "Checkpoint", "The stored weights of a model; in training, a saved state from which it goes on after a failure.", "checkpoint,checkpoints"},
    Term{"chunked_prefill", "Chunked prefill", "A long prompt is read in parts, so that others do not wait for it."},
    Term{"continuous_batching", "Continuous batching", "New requests join at every step instead of waiting for a full group."},
    Term{"decode", "Decode", "Writing the answer, one token after another.", "decode,decoding,decode step"},
    Term{"dp", "DP, replica", "Data parallel: complete copies of the model that share the load.", "DP,replica,replicas"},
    Term{"ep", "EP", "Expert parallel: the experts of a mixture model are spread over devices."},
    Term{"experts", "Experts", "Parts of a mixture model of which each token uses only a few.", "expert,experts"},
    Term{"flops", "FLOP/s", "Arithmetic operations in a second.", "FLOP/s,TFLOP/s,PFLOP/s,FLOP"},
    Term{"formats", "FP8, BF16, FP4", "Number formats of 8, 16 and 4 bits; fewer bits are faster and less exact.", "FP8,BF16,FP4,NVFP4,MXFP4,INT8,INT4,FP16,FP32"},
    Term{"gib", "GiB, GB", "2^30 bytes, as software counts; a GB is 10^9 bytes, as vendors sell.", "GiB,GB"},
    Term{"goodput", "Goodput", "The part of the work that counts: within the limits, or useful training."},
    Term{"graphs", "Graphs", "Steps that the device replays as a whole, so that the host need not start each kernel.", "graphs,CUDA graphs"},
    Term{"hbm", "HBM", "The fast memory stacked beside the chip."},
    Term{"in_flight", "Requests in flight", "Requests being answered at the same time.", "requests in flight,in flight"},
    Term{"itl", "ITL", "The gap between two tokens that follow each other."},
    Term{"kv_cache", "KV cache", "What the model remembers of a conversation, kept in device memory.", "KV cache,cache of one request"},
    Term{"kv_pool", "KV pool", "The memory an engine sets aside for the KV cache."},
    Term{"mac", "MAC", "A multiplication with its addition: two FLOP."},
    Term{"mbu", "MBU", "Share of the memory bandwidth spent on bytes that a step has to read."},
    Term{"mfu", "MFU", "Share of the peak spent on the arithmetic the model needs."},
    Term{"mtbf", "MTBF", "Mean time between two failures."},
    Term{"p99", "p99", "The value that 99 of 100 requests stay below.", "p99,p95"},
    Term{"peak", "Peak (dense)", "The most a device can compute, without tricks that skip zeros.", "peak,dense peak,dense"},
    Term{"pp", "PP", "Pipeline parallel: each device holds some layers and passes the work on.", "PP,pipeline stages"},
    Term{"prefill", "Prefill", "Reading the prompt, all of its tokens at once."},
    Term{"prefix_caching", "Prefix caching", "Common beginnings of prompts are read once and used again.", "prefix caching,prefix cache"},
    Term{"pue", "PUE", "Power of the whole facility divided by the power of its computers."},
    Term{"quantisation", "Quantisation", "Storing a model in fewer bits than it was trained in.", "quantisation,quantised"},
    Term{"rank_flip", "Rank-flip probability", "How often another option comes first when the unknowns vary."},
    Term{"request_rate", "Request rate", "How many new requests arrive in a second.", "request rate,requests/s"},
    Term{"roofline", "Roofline", "A chart of what a device can reach, limited by memory or by compute.", "roofline,roof"},
    Term{"runtime", "Runtime", "Memory of the driver, of communication and of workspaces, beside the model."},
    Term{"saturation", "Saturation", "The load above which waiting grows without end.", "saturation,saturated"},
    Term{"slo", "SLO (limit)", "A promise on speed that the service has to keep.", "SLO"},
    Term{"speculative", "Speculative decoding", "A small model guesses several tokens and the large one checks them together.", "speculative decoding,drafted,draft"},
    Term{"throughput", "Throughput", "All tokens written in a second."},
    Term{"token", "Token", "A piece of a word; models read and write tokens.", "token,tokens"},
    Term{"tp", "TP", "Tensor parallel: the devices share every layer of the model.", "TP,tensor parallel"},
    Term{"tpot", "TPOT", "Average time per further output token of a request."},
    Term{"ttft", "TTFT", "Time from sending a request until its first token arrives."},
    Term{"weights", "Weights", "The numbers a model has learned; each step reads those it needs from memory."},
};

bool isWordByte(char c)
{
    const auto byte = static_cast<unsigned char>(c);
    return std::isalnum(byte) != 0 || byte >= 0x80;
}

bool isCapital(std::string_view word)
{
    return std::any_of(word.begin() + 1, word.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

bool matches(std::string_view text, std::string_view word, bool exact)
{
    return text.size() == word.size() && std::equal(text.begin(), text.end(), word.begin(), [&](char a, char b) {
        return exact ? a == b : std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
    });
}

void addUses(std::string_view text, const Term& term, std::string_view word, std::vector<TermUse>& uses)
{
    const bool exact = isCapital(word);
    for (std::size_t at = 0; at + word.size() <= text.size(); ++at) {
        const std::size_t end = at + word.size();
        if ((at > 0 && isWordByte(text[at - 1])) || (end < text.size() && isWordByte(text[end])))
            continue;
        if (matches(text.substr(at, word.size()), word, exact))
            uses.push_back({&term, at, end});
    }
}

} // namespace

std::span<const Term> glossary()
{
    return terms;
}

const Term* findTerm(std::string_view id)
{
    const auto found = std::find_if(terms.begin(), terms.end(), [&](const Term& term) { return term.id == id; });
    return found == terms.end() ? nullptr : &*found;
}

std::vector<TermUse> termsIn(std::string_view text)
{
    std::vector<TermUse> uses;
    for (const Term& term : terms) {
        std::string_view words = term.words.empty() ? term.name : term.words;
        while (!words.empty()) {
            const std::size_t comma = std::min(words.find(','), words.size());
            addUses(text, term, trimmed(words.substr(0, comma)), uses);
            words.remove_prefix(std::min(comma + 1, words.size()));
        }
    }
    std::sort(uses.begin(), uses.end(), [](const TermUse& a, const TermUse& b) {
        return a.from != b.from ? a.from < b.from : a.to > b.to;   // the longer one first
    });
    std::vector<TermUse> kept;
    for (const TermUse& use : uses)
        if (kept.empty() || use.from >= kept.back().to)
            kept.push_back(use);
    return kept;
}

std::string explainedTerms(std::string_view text)
{
    std::string lines;
    std::vector<const Term*> said;
    for (const TermUse& use : termsIn(text)) {
        if (std::find(said.begin(), said.end(), use.term) != said.end())
            continue;
        said.push_back(use.term);
        lines += (lines.empty() ? "" : "\n") + std::string(use.term->name) + ": " + std::string(use.term->text);
    }
    return lines;
}

} // namespace ridgepoint
