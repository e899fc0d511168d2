// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/engine_log_reader.h"

#include "core/base/trimmed.h"
#include "core/base/unit_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <set>

namespace ridgepoint {
namespace {

enum class Keep { largest, smallest, last };

/// What follows a marker on a line that also holds `line`.
struct BytesMark
{
    LogEngine engine;
    std::string_view line, marker, name;
    std::optional<Bytes> EngineLog::* field;
    Keep keep;

    [[nodiscard]] std::string_view key() const
    {
        return field == &EngineLog::weights       ? "weights"
               : field == &EngineLog::activations ? "activations"
               : field == &EngineLog::runtime     ? "runtime"
               : field == &EngineLog::graphs      ? "graphs"
               : field == &EngineLog::pool        ? "pool"
                                                  : "device";
    }
};
struct CountMark
{
    std::string_view line, marker, name;
    std::optional<double> EngineLog::* field;
    Keep keep;
};
struct WholeMark
{
    std::string_view marker, name;
    std::optional<int> EngineLog::* field;
};

constexpr auto vllm = LogEngine::vllm, sglang = LogEngine::sglang;
constexpr std::array bytesMarks{
    BytesMark{vllm, "", "Model loading took ", "weights", &EngineLog::weights, Keep::largest},
    BytesMark{vllm, "", "Loading model weights took ", "weights", &EngineLog::weights, Keep::largest},
    BytesMark{vllm, "", "model weights take", "weights", &EngineLog::weights, Keep::largest},
    BytesMark{vllm, "", "weights memory: ", "weights", &EngineLog::weights, Keep::largest},
    BytesMark{vllm, "", "non_torch_memory takes", "runtime", &EngineLog::runtime, Keep::largest},
    BytesMark{vllm, "", "non_torch_memory ", "runtime", &EngineLog::runtime, Keep::largest},
    BytesMark{vllm, "", "non-torch forward increase memory: ", "runtime", &EngineLog::runtime, Keep::largest},
    BytesMark{vllm, "", "PyTorch activation peak memory takes", "activations", &EngineLog::activations, Keep::largest},
    BytesMark{vllm, "", "PyTorch activation peak memory ", "activations", &EngineLog::activations, Keep::largest},
    BytesMark{vllm, "", "torch peak memory increase: ", "activations", &EngineLog::activations, Keep::largest},
    BytesMark{vllm, "", "reserved for KV Cache is ", "KV pool", &EngineLog::pool, Keep::smallest},
    BytesMark{vllm, "", "available_kv_cache_memory ", "KV pool", &EngineLog::pool, Keep::smallest},
    BytesMark{vllm, "", "Available KV cache memory: ", "KV pool", &EngineLog::pool, Keep::smallest},
    BytesMark{vllm, "", "larger than the available KV cache memory (", "KV pool", &EngineLog::pool, Keep::smallest},
    BytesMark{vllm, "", "total_gpu_memory (", "device memory", &EngineLog::visible, Keep::smallest},
    BytesMark{vllm, "", "total_gpu_memory ", "device memory", &EngineLog::visible, Keep::smallest},
    BytesMark{vllm, "Graph capturing finished", "took ", "graphs", &EngineLog::graphs, Keep::largest},
    BytesMark{sglang, "Load weight begin", "avail mem=", "free before the weights", &EngineLog::visible, Keep::smallest},
    BytesMark{sglang, "Load weight end", "mem usage=", "weights", &EngineLog::weights, Keep::largest},
    BytesMark{sglang, "KV Cache is allocated", "KV size: ", "KV pool", &EngineLog::pool, Keep::smallest},
    BytesMark{sglang, "Capture cuda graph end", "mem usage=", "graphs", &EngineLog::graphs, Keep::largest},
};
constexpr std::array countMarks{
    CountMark{"GPU KV cache size", "GPU KV cache size: ", "tokens in the pool", &EngineLog::tokens, Keep::smallest},
    CountMark{"KV Cache is allocated", "#tokens: ", "tokens in the pool", &EngineLog::tokens, Keep::smallest},
    CountMark{"max_total_num_tokens=", "max_total_num_tokens=", "tokens in the pool", &EngineLog::tokens, Keep::smallest},
    CountMark{"# GPU blocks", "# GPU blocks: ", "blocks", &EngineLog::blocks, Keep::smallest},
    CountMark{"# cuda blocks", "# cuda blocks: ", "blocks", &EngineLog::blocks, Keep::smallest},
    CountMark{"Maximum concurrency for", "Maximum concurrency for ", "tokens of a request", &EngineLog::longest, Keep::last},
    CountMark{"Maximum concurrency for", "per request: ", "requests", &EngineLog::concurrency, Keep::smallest},
    CountMark{"context_len=", "context_len=", "tokens of a request", &EngineLog::longest, Keep::last},
    CountMark{"max_seq_len=", "max_seq_len=", "tokens of a request", &EngineLog::longest, Keep::last},
    CountMark{"gpu_memory_utilization", "gpu_memory_utilization (", "memory fraction", &EngineLog::memoryFraction, Keep::last},
    CountMark{"gpu_memory_utilization", "gpu_memory_utilization=", "memory fraction", &EngineLog::memoryFraction, Keep::last},
    CountMark{"gpu_memory_utilization", "gpu_memory_utilization ", "memory fraction", &EngineLog::memoryFraction, Keep::last},
    CountMark{"gpu_memory_utilization", "gpu_memory_utilization': ", "memory fraction", &EngineLog::memoryFraction, Keep::last},
    CountMark{"mem_fraction_static=", "mem_fraction_static=", "memory fraction", &EngineLog::memoryFraction, Keep::last},
};
constexpr std::array wholeMarks{
    WholeMark{"tensor_parallel_size=", "TP", &EngineLog::tensorParallel},
    WholeMark{"tensor_parallel_size': ", "TP", &EngineLog::tensorParallel},
    WholeMark{"tp_size=", "TP", &EngineLog::tensorParallel},
    WholeMark{"pipeline_parallel_size=", "PP", &EngineLog::pipelineParallel},
    WholeMark{"pp_size=", "PP", &EngineLog::pipelineParallel},
    WholeMark{"max_num_seqs=", "most sequences", &EngineLog::maximumSequences},
    WholeMark{"max_num_seqs': ", "most sequences", &EngineLog::maximumSequences},
    WholeMark{"max_running_requests=", "most sequences", &EngineLog::maximumSequences},
    WholeMark{"max_num_batched_tokens=", "token budget", &EngineLog::batchedTokens},
    WholeMark{"max_num_batched_tokens': ", "token budget", &EngineLog::batchedTokens},
    WholeMark{"chunked_prefill_size=", "token budget", &EngineLog::batchedTokens},
    WholeMark{"Setting attention block size to ", "tokens of a block", &EngineLog::blockTokens},
    WholeMark{"block_size=", "tokens of a block", &EngineLog::blockTokens},
};

/// The number at the start of the text, thousands marked with commas; `rest` is what follows it.
std::optional<double> leadingNumber(std::string_view text, std::string_view* rest = nullptr)
{
    const std::size_t start = text.find_first_not_of(" \t");
    if (start == std::string_view::npos)
        return std::nullopt;
    std::string digits;
    std::size_t i = start;
    for (; i < text.size() && ((text[i] >= '0' && text[i] <= '9') || text[i] == '.' || text[i] == ','); ++i) {
        const bool digitFollows = i + 1 < text.size() && text[i + 1] >= '0' && text[i + 1] <= '9';
        if ((text[i] == '.' || text[i] == ',') && !digitFollows)
            break;   // the end of a sentence or of a list
        if (text[i] != ',')
            digits += text[i];
    }
    double value = 0;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    constexpr double implausible = 1e15;   // of GiB, tokens or anything else that is counted here
    if (code != std::errc() || end != digits.data() + digits.size() || digits.empty() || value > implausible)
        return std::nullopt;
    if (rest != nullptr)
        *rest = text.substr(i);
    return value;
}

/// Both engines divide by 2^30 and 2^20, also where they print GB and MB.
std::optional<Bytes> leadingBytes(std::string_view text)
{
    std::string_view rest;
    const std::optional<double> number = leadingNumber(text, &rest);
    if (!number)
        return std::nullopt;
    rest = trimmed(rest);
    for (const auto& [unit, factor] : {std::pair{"GiB", gibi}, std::pair{"GB", gibi}, std::pair{"MiB", mebi}, std::pair{"MB", mebi}})
        if (rest.starts_with(unit))
            return Bytes{*number * factor};
    return std::nullopt;
}

template <typename T>
void put(std::optional<T>& field, T value, Keep keep)
{
    if (!field || keep == Keep::last)
        field = value;
    else
        field = keep == Keep::largest ? std::max(*field, value) : std::min(*field, value);
}

std::optional<std::string_view> after(std::string_view line, std::string_view marker)
{
    const std::size_t at = line.find(marker);
    if (at == std::string_view::npos)
        return std::nullopt;
    if (at > 0 && marker.ends_with('=') && (std::isalnum(static_cast<unsigned char>(line[at - 1])) || line[at - 1] == '_'))
        return std::nullopt;   // the end of another name
    return line.substr(at + marker.size());
}

std::optional<Format> cacheFormat(std::string_view line)
{
    for (const std::string_view marker : {"kv_cache_dtype=", "KV cache dtype: ", "KV Cache is allocated. dtype: ",
                                          "to store kv cache", "kv_cache_dtype': "}) {
        const auto found = after(line, marker);
        if (!found)
            continue;
        std::string_view name = marker == "to store kv cache" ? line : found->substr(0, 24);
        if (name.find("fp8") != std::string_view::npos || name.find("float8") != std::string_view::npos)
            return Format::fp8;
        if (name.find("bfloat16") != std::string_view::npos || name.find("float16") != std::string_view::npos)
            return Format::bf16;
    }
    return std::nullopt;
}

std::string quoted(std::string_view line, std::string_view marker)
{
    const auto found = after(line, marker);
    if (!found || found->empty() || (found->front() != '\'' && found->front() != '"'))
        return "";
    const std::size_t end = found->find(found->front(), 1);
    return end == std::string_view::npos ? "" : std::string(found->substr(1, end - 1));
}

/// "TP0", "(Worker_TP1 pid=26348)", "pid=521": who says it.
std::string rankOf(std::string_view line)
{
    for (const std::string_view marker : {"Worker_TP", " TP", "VllmWorkerProcess pid="})
        if (const std::size_t at = line.find(marker); at != std::string_view::npos) {
            const std::size_t start = at + marker.size();
            const std::size_t end = line.find_first_not_of("0123456789", start);
            if (end != start)
                return std::string(line.substr(start, end == std::string_view::npos ? end : end - start));
        }
    return "";
}

class Reader
{
public:
    explicit Reader(EngineLog& log) : m_log(log) {}

    void read(std::string_view line)
    {
        m_said.clear();
        m_keys.clear();
        readBytes(line);
        readCounts(line);
        readSettings(line);
        if (line.find("No available memory for the cache blocks") != std::string_view::npos ||
            line.find("To serve at least one request") != std::string_view::npos ||
            line.find("Not enough memory. Please try to increase --mem-fraction-static") != std::string_view::npos) {
            m_log.refused = true;
            say("the engine did not start");
        }
        std::string text;
        for (const std::string& one : m_said)
            text += (text.empty() ? "" : ", ") + one;
        m_log.lines.push_back({std::string(line), std::move(text), m_keys});
    }

    void finish()
    {
        m_log.ranks = std::max(1, int(m_ranks.size()));
        if (m_sglang > m_vllm)
            m_log.engine = LogEngine::sglang;
        // V0 gives blocks; what a block holds follows from how many requests of the longest length fit.
        if (m_log.blocks && !m_log.blockTokens) {
            const std::optional<double> held =
                m_log.tokens ? m_log.tokens
                : m_log.concurrency && m_log.longest ? std::optional(*m_log.concurrency * *m_log.longest) : std::nullopt;
            constexpr int usual = 16;
            constexpr double largest = 1e6;
            m_log.blockTokens = held ? int(std::clamp(*held / *m_log.blocks + 0.5, 1.0, largest)) : usual;
        }
        if (m_log.blocks && !m_log.tokens)
            m_log.tokens = *m_log.blocks * *m_log.blockTokens;
    }

private:
    void say(std::string text) { m_said.push_back(std::move(text)); }

    void readBytes(std::string_view line)
    {
        for (const BytesMark& mark : bytesMarks) {
            if (line.find(mark.line) == std::string_view::npos)
                continue;
            const auto found = after(line, mark.marker);
            const std::optional<Bytes> value = found ? leadingBytes(*found) : std::nullopt;
            if (!value)
                continue;
            put(m_log.*mark.field, *value, mark.keep);
            (mark.engine == vllm ? m_vllm : m_sglang) += 1;
            if (mark.field == &EngineLog::weights)
                m_ranks.insert(rankOf(line));
            m_keys.push_back(mark.key());
            say(fmt::format("{} {}", mark.name, bytesText(*value)));
        }
        const auto keys = after(line, "K size: "), values = after(line, "V size: ");
        const auto key = keys ? leadingBytes(*keys) : std::nullopt, value = values ? leadingBytes(*values) : std::nullopt;
        if (key && value && line.find("KV Cache is allocated") != std::string_view::npos) {
            put(m_log.pool, *key + *value, Keep::smallest);
            ++m_sglang;
            m_keys.emplace_back("pool");
            say(fmt::format("KV pool {}", bytesText(*key + *value)));
        }
    }

    void readCounts(std::string_view line)
    {
        for (const CountMark& mark : countMarks) {
            if (line.find(mark.line) == std::string_view::npos)
                continue;
            const auto found = after(line, mark.marker);
            const std::optional<double> value = found ? leadingNumber(*found) : std::nullopt;
            if (!value || *value <= 0)
                continue;
            put(m_log.*mark.field, *value, mark.keep);
            if (mark.field == &EngineLog::tokens || mark.field == &EngineLog::blocks)
                m_keys.emplace_back("tokens");
            say(mark.field == &EngineLog::memoryFraction || mark.field == &EngineLog::concurrency
                    ? fmt::format("{} {}", numberText(*value), mark.name)
                    : fmt::format("{} {}", countText(*value), mark.name));
        }
    }

    void readSettings(std::string_view line)
    {
        for (const WholeMark& mark : wholeMarks) {
            const auto found = after(line, mark.marker);
            const std::optional<double> value = found ? leadingNumber(*found) : std::nullopt;
            if (!value || *value < 1 || *value > 1e9)
                continue;
            m_log.*mark.field = int(*value);
            say(fmt::format("{} {}", mark.name, countText(*value)));
        }
        if (const std::optional<Format> format = cacheFormat(line)) {
            m_log.kvFormat = format;
            say(fmt::format("KV cache {}", nameOf(*format)));
        }
        for (const std::string_view marker : {"config: model=", "model_path=", " model="})
            if (std::string model = quoted(line, marker); !model.empty() && m_log.model.empty()) {
                m_log.model = std::move(model);
                say("model " + m_log.model);
            }
        if (line.find("server_args=") != std::string_view::npos)
            ++m_sglang;
    }

    EngineLog& m_log;
    std::vector<std::string> m_said;
    std::vector<std::string_view> m_keys;
    std::set<std::string> m_ranks;
    int m_vllm = 0, m_sglang = 0;
};

} // namespace

int EngineLog::linesRead() const
{
    return int(std::count_if(lines.begin(), lines.end(), [](const LogLine& line) { return !line.read.empty(); }));
}

Result<EngineLog> readEngineLog(std::string_view text)
{
    constexpr std::size_t longest = 64 * 1024 * 1024;
    if (text.size() > longest)
        return fail("the log is longer than 64 MiB; paste only the lines from the start to the first request");
    EngineLog log;
    Reader reader(log);
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        if (!trimmed(line).empty())
            reader.read(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    reader.finish();
    if (!log.weights && !log.pool && !log.tokens && !log.blocks)
        return fail(log.lines.empty()
                        ? "the log is empty; paste what vLLM or SGLang prints while it starts"
                        : fmt::format("none of the {} lines says how much memory weights or cache take; a start-up log of vLLM holds "
                                      "\"Model loading took …\" and \"GPU KV cache size: …\", one of SGLang \"Load weight end\" and "
                                      "\"KV Cache is allocated\"",
                                      log.lines.size()));
    return log;
}

} // namespace ridgepoint
