// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/engine_log_reader.h"

#include "core/figures/memory_log.h"
#include "core/insight/reconciliation.h"
#include "tests/scenario/board.h"

#include <cmath>
#include <gmock/gmock.h>
#include <random>

using namespace ridgepoint;
using testing::HasSubstr;

namespace {

EngineLog read(std::string_view text)
{
    const Result<EngineLog> log = readEngineLog(text);
    EXPECT_TRUE(log.has_value()) << (log ? "" : log.error().text());
    return log.value_or(EngineLog{});
}

double gib(const std::optional<Bytes>& bytes)
{
    return bytes ? bytes->value / gibi : -1.0;
}

const LedgerCheck& line(const Reconciliation& result, std::string_view key)
{
    for (const LedgerCheck& one : result.lines)
        if (one.key == key)
            return one;
    ADD_FAILURE() << key;
    static const LedgerCheck none;
    return none;
}

Scenario configured(std::string_view system, std::string_view network, const std::vector<std::pair<std::string, std::string>>& values)
{
    const Presets& presets = samples::shippedPresets();
    Scenario scenario = *defaultScenario(presets);
    scenario.system = *findSystem(presets, system);
    scenario.network = *findNetwork(presets, network);
    scenario.precision = {};
    for (const auto& [id, value] : values)
        scenario = *withKnob(scenario, id, *parseKnobValue(*findKnob(id), value, scenario, presets), presets);
    return scenario;
}

// Llama-3.1-8B on an 80 GB H100, vLLM 0.11 (fieldMemory §10, example 10).
constexpr std::string_view vllmV1 =
    R"((EngineCore_DP0 pid=71) INFO 10-02 09:14:06 [core.py:77] Initializing a V1 LLM engine (v0.11.0) with config: model='meta-llama/Llama-3.1-8B-Instruct', dtype=torch.bfloat16, max_seq_len=131072, tensor_parallel_size=1, pipeline_parallel_size=1, quantization=None, kv_cache_dtype=auto
(EngineCore_DP0 pid=71) INFO 10-02 09:14:11 [default_loader.py:267] Loading weights took 2.95 seconds
(EngineCore_DP0 pid=71) INFO 10-02 09:14:12 [gpu_model_runner.py:2653] Model loading took 14.9889 GiB and 3.652170 seconds
(EngineCore_DP0 pid=71) INFO 10-02 09:14:31 [gpu_worker.py:298] Available KV cache memory: 51.38 GiB
(EngineCore_DP0 pid=71) INFO 10-02 09:14:31 [kv_cache_utils.py:1087] GPU KV cache size: 420,864 tokens
(EngineCore_DP0 pid=71) INFO 10-02 09:14:31 [kv_cache_utils.py:1091] Maximum concurrency for 131,072 tokens per request: 3.21x
(EngineCore_DP0 pid=71) INFO 10-02 09:14:49 [gpu_model_runner.py:3480] Graph capturing finished in 18 secs, took 0.54 GiB
)";

TEST(EngineLog, ReadsTheStartOfVllmV1)
{
    const EngineLog log = read(vllmV1);
    EXPECT_EQ(log.engine, LogEngine::vllm);
    EXPECT_EQ(log.model, "meta-llama/Llama-3.1-8B-Instruct");
    EXPECT_DOUBLE_EQ(gib(log.weights), 14.9889);
    EXPECT_DOUBLE_EQ(gib(log.pool), 51.38);
    EXPECT_DOUBLE_EQ(gib(log.graphs), 0.54);
    EXPECT_EQ(log.tokens, 420864);
    EXPECT_EQ(log.longest, 131072);
    EXPECT_EQ(log.concurrency, 3.21);
    EXPECT_EQ(log.tensorParallel, 1);
    EXPECT_EQ(log.kvFormat, std::nullopt) << "auto says nothing";
    EXPECT_EQ(log.lines.size(), 7U);
    EXPECT_TRUE(log.lines[1].read.empty()) << "seconds are no memory";
    EXPECT_EQ(log.lines[2].read, "weights 15.0\u00a0GiB");
}

TEST(EngineLog, ReadsTheStartOfVllmV0WithFramesAroundIt)
{
    const EngineLog log = read(
        "│ INFO 03-21 20:15:45 [worker.py:267] the current vLLM instance can use total_gpu_memory (79.19GiB) x gpu_memory_utilization (0.90) = 71.27GiB   │\n"
        "│ INFO 03-21 20:15:45 [worker.py:267] model weights take 12.55GiB; non_torch_memory takes 0.16GiB; PyTorch activation peak memory takes 2.38GiB; the rest of the memory reserved for KV Cache is 56.18GiB. │\r\n"
        "│ INFO 03-21 20:15:46 [executor_base.py:111] # cuda blocks: 7191, # CPU blocks: 512 │\n");
    EXPECT_DOUBLE_EQ(gib(log.visible), 79.19);
    EXPECT_DOUBLE_EQ(gib(log.weights), 12.55);
    EXPECT_DOUBLE_EQ(gib(log.runtime), 0.16);
    EXPECT_DOUBLE_EQ(gib(log.activations), 2.38);
    EXPECT_DOUBLE_EQ(gib(log.pool), 56.18);
    EXPECT_EQ(log.memoryFraction, 0.90);
    EXPECT_EQ(log.blocks, 7191);
    EXPECT_EQ(log.tokens, 7191 * 16) << "blocks of 16 tokens where the log names no other";
    EXPECT_EQ(log.linesRead(), 3);

    const EngineLog tabs = read("INFO 12-13 19:54:18 worker.py:243] total_gpu_memory \t79.22GiB\n"
                                "INFO 12-13 19:54:18 worker.py:243] gpu_memory_utilization \t0.90\n"
                                "INFO 12-13 19:54:18 worker.py:243] model weights take \t14.96GiB\n"
                                "INFO 12-13 19:54:18 worker.py:243] non_torch_memory \t1.79GiB\n"
                                "INFO 12-13 19:54:18 worker.py:243] PyTorch activation peak memory \t1.26GiB\n"
                                "INFO 12-13 19:54:18 worker.py:243] available_kv_cache_memory \t53.29GiB\n");
    EXPECT_DOUBLE_EQ(gib(tabs.visible), 79.22);
    EXPECT_DOUBLE_EQ(gib(tabs.runtime), 1.79);
    EXPECT_DOUBLE_EQ(gib(tabs.activations), 1.26);
    EXPECT_DOUBLE_EQ(gib(tabs.pool), 53.29);
}

TEST(EngineLog, ReadsSglangAndTakesTheFullestRank)
{
    const EngineLog log = read("[2025-07-22 10:00:00 TP0] Load weight begin. avail mem=78.50 GB\n"
                               "[2025-07-22 10:00:20 TP0] Load weight end. type=Qwen3MoeForCausalLM, dtype=torch.bfloat16, avail mem=22.86 GB, mem usage=55.64 GB.\n"
                               "[2025-07-22 10:00:20 TP1] Load weight end. type=Qwen3MoeForCausalLM, dtype=torch.bfloat16, avail mem=22.80 GB, mem usage=55.70 GB.\n"
                               "[2025-07-22 10:00:21 TP0] KV Cache is allocated. dtype: torch.bfloat16, #tokens: 367404, K size: 8.23 GB, V size: 8.23 GB\n"
                               "[2025-07-22 10:00:21 TP1] KV Cache is allocated. dtype: torch.bfloat16, #tokens: 367404, K size: 8.21 GB, V size: 8.21 GB\n"
                               "[2025-07-22 10:00:40 TP0] Capture cuda graph end. Time elapsed: 5.37 s. mem usage=1.44 GB. avail mem=4.05 GB.\n"
                               "[2025-07-22 10:00:40 TP0] max_total_num_tokens=367404, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=2048, context_len=40960\n");
    EXPECT_EQ(log.engine, LogEngine::sglang);
    EXPECT_EQ(log.ranks, 2);
    EXPECT_DOUBLE_EQ(gib(log.weights), 55.70) << "the largest";
    EXPECT_NEAR(gib(log.pool), 16.42, 1e-9) << "the smallest";
    EXPECT_DOUBLE_EQ(gib(log.graphs), 1.44);
    EXPECT_EQ(log.tokens, 367404);
    EXPECT_EQ(log.kvFormat, Format::bf16);
    EXPECT_EQ(log.batchedTokens, 8192);
    EXPECT_EQ(log.maximumSequences, 2048);
}

TEST(EngineLog, DamagedLogsGiveSaneNumbersOrAnError)
{
    std::mt19937 random(7);
    const auto check = [](const std::string& text) {
        const Result<EngineLog> log = readEngineLog(text);
        if (!log) {
            EXPECT_FALSE(log.error().message.empty());
            return;
        }
        for (const std::optional<Bytes>& bytes : {log->weights, log->pool, log->graphs, log->visible, log->runtime, log->activations})
            EXPECT_TRUE(!bytes || (std::isfinite(bytes->value) && bytes->value >= 0)) << text;
        for (const std::optional<double>& count : {log->tokens, log->blocks, log->concurrency, log->longest, log->memoryFraction})
            EXPECT_TRUE(!count || (std::isfinite(*count) && *count > 0)) << text;
    };
    for (std::size_t length = 0; length < vllmV1.size(); length += 3)
        check(std::string(vllmV1.substr(0, length)));
    for (int i = 0; i < 2000; ++i) {
        std::string text(vllmV1);
        for (int change = 0; change < 8; ++change)
            text[random() % text.size()] = char("0123456789.,-e=' \n\t\xff"[random() % 20]);
        check(text);
    }
    check("Available KV cache memory: 99999999999999999999999999999999 GiB\nModel loading took 1 GiB\n# GPU blocks: 1\n");
    check(std::string(100000, '9'));
}

TEST(EngineLog, SaysWhatAStartUpLogLooksLike)
{
    for (const std::string_view text : {"", " \n\r\n", "hello\nworld\n", "Model loading took forever\n", "Available KV cache memory: -3.1 GiB\n"}) {
        const Result<EngineLog> log = readEngineLog(text);
        ASSERT_FALSE(log.has_value()) << text;
        EXPECT_THAT(log.error().message, testing::AnyOf(HasSubstr("Model loading took"), HasSubstr("prints while it starts")));
    }
}

TEST(Reconciliation, AgreesWithAPublishedStart)
{
    const Scenario scenario = configured("hgx-h100-8", "llama-3.1-8b", {{"parallel.tp", "1"}});
    const Reconciliation result = reconcile(scenario, read(vllmV1), samples::shippedPresets());
    for (const char* key : {"weights", "pool", "token", "tokens"})
        EXPECT_EQ(line(result, key).agreement, Agreement::agrees)
            << key << ": " << line(result, key).predicted << " and " << line(result, key).logged.value_or(-1);
    EXPECT_TRUE(result.changes.empty()) << result.changes.front().text;
    EXPECT_THAT(result.verdict, HasSubstr("agrees with the log"));
}

TEST(Reconciliation, FindsTheCacheFormatThatTheLogDoesNotName)
{
    const Scenario scenario = configured("hgx-h100-8", "llama-3.1-8b", {{"parallel.tp", "1"}, {"precision.kv", "fp8"}});
    const Presets& presets = samples::shippedPresets();
    const EngineLog log = read(vllmV1);
    const Reconciliation result = reconcile(scenario, log, presets);
    EXPECT_EQ(line(result, "weights").agreement, Agreement::agrees);
    EXPECT_EQ(line(result, "tokens").agreement, Agreement::disagrees);
    EXPECT_EQ(line(result, "token").agreement, Agreement::disagrees);
    ASSERT_EQ(result.changes.size(), 1U);
    EXPECT_EQ(result.changes[0].knob, "precision.kv");
    EXPECT_FALSE(result.changes[0].stated);
    EXPECT_THAT(line(result, "tokens").cause, HasSubstr("KV cache"));
    const Reconciliation mended = reconcile(withEngineValues(scenario, result, presets), log, presets);
    EXPECT_EQ(line(mended, "tokens").agreement, Agreement::agrees);
    EXPECT_TRUE(mended.changes.empty());
}

TEST(Reconciliation, TakesTheDegreeAndTheFractionThatTheLogStates)
{
    const Scenario scenario =
        configured("hgx-h100-8", "llama-3.1-8b", {{"parallel.tp", "2"}, {"engine.memory_fraction", "0.8"}});
    const Presets& presets = samples::shippedPresets();
    const EngineLog log = read("gpu_memory_utilization (0.90)\n" + std::string(vllmV1));
    const Reconciliation result = reconcile(scenario, log, presets);
    ASSERT_EQ(result.changes.size(), 2U);
    EXPECT_EQ(result.changes[0].knob, "parallel.tp");
    EXPECT_EQ(result.changes[1].knob, "engine.memory_fraction");
    EXPECT_EQ(line(result, "weights").agreement, Agreement::disagrees);
    EXPECT_THAT(line(result, "weights").cause, HasSubstr("1 in place of 2"));
    for (const LedgerCheck& one : reconcile(withEngineValues(scenario, result, presets), log, presets).lines)
        EXPECT_NE(one.agreement, Agreement::disagrees) << one.key;
}

TEST(Reconciliation, ComesToTheLedgerOfTheReport)
{
    const Scenario scenario = configured("hgx-h100-8", "llama-3.3-70b", {{"parallel.tp", "8"}, {"precision.weights", "fp8"}});
    const Footprint ledger = *evaluate(scenario).footprint;
    const Reconciliation result = reconcile(scenario, EngineLog{}, samples::shippedPresets());
    EXPECT_EQ(line(result, "weights").predicted, ledger.weights.value);
    EXPECT_EQ(line(result, "pool").predicted, ledger.kvPool.value);
    EXPECT_THAT(result.verdict, HasSubstr("Nothing of the ledger"));
}

TEST(Reconciliation, GivesNoCauseThatItCannotShow)
{
    const Scenario scenario = configured("hgx-h100-8", "llama-3.1-8b", {{"parallel.tp", "1"}});
    const Reconciliation result = reconcile(scenario, read("Available KV cache memory: 33.33 GiB\nModel loading took 14.9889 GiB\n"), samples::shippedPresets());
    EXPECT_EQ(line(result, "pool").agreement, Agreement::disagrees);
    EXPECT_THAT(line(result, "pool").cause, HasSubstr("no setting"));
    EXPECT_TRUE(result.changes.empty());
}

TEST(MemoryLogFigure, BarsHoldTheDeviceInTheUnitOfTheAxis)
{
    const Scenario scenario = configured("hgx-h100-8", "llama-3.1-8b", {{"parallel.tp", "1"}});
    const Evaluated column{scenario, evaluate(scenario)};
    const EngineLog log = read(vllmV1);
    for (const Definitions& definitions : {Definitions{}, Definitions{.gigabytes = true}}) {
        const auto figure = std::get<BarFigure>(memoryLogFigure(column, 0, &log, definitions));
        ASSERT_EQ(figure.bars.size(), 2U);
        EXPECT_THAT(figure.value.label, HasSubstr(memoryUnitName(definitions)));
        for (const Bar& bar : figure.bars) {
            double sum = 0;
            for (const BarPart& part : bar.parts)
                sum += part.value;
            EXPECT_NEAR(sum * memoryUnit(definitions), column.report.footprint->visible.value, 1e-6 * sum * memoryUnit(definitions)) << bar.name;
        }
    }
}

} // namespace
