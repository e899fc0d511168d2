// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/network_import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <ostream>
#include <string>
#include <vector>

namespace ridgepoint {
namespace {

const std::string llama = R"({
  "architectures": ["LlamaForCausalLM"],
  "hidden_size": 4096,
  "intermediate_size": 14336,
  "max_position_embeddings": 8192,
  "num_attention_heads": 32,
  "num_hidden_layers": 32,
  "num_key_value_heads": 8,
  "torch_dtype": "bfloat16",
  "vocab_size": 128256
})";

const std::string mixtral = R"({
  "architectures": ["MixtralForCausalLM"],
  "hidden_size": 4096,
  "intermediate_size": 14336,
  "max_position_embeddings": 8192,
  "num_attention_heads": 32,
  "num_experts_per_tok": 2,
  "num_hidden_layers": 32,
  "num_key_value_heads": 8,
  "num_local_experts": 8,
  "vocab_size": 32000
})";

const std::string deepSeek = R"({
  "architectures": ["DeepseekV3ForCausalLM"],
  "first_k_dense_replace": 3,
  "hidden_size": 7168,
  "intermediate_size": 18432,
  "kv_lora_rank": 512,
  "max_position_embeddings": 163840,
  "moe_intermediate_size": 2048,
  "n_routed_experts": 256,
  "n_shared_experts": 1,
  "num_attention_heads": 128,
  "num_experts_per_tok": 8,
  "num_hidden_layers": 61,
  "q_lora_rank": 1536,
  "qk_nope_head_dim": 128,
  "qk_rope_head_dim": 64,
  "topk_method": "noaux_tc",
  "v_head_dim": 128,
  "vocab_size": 129280
})";

std::string replaced(std::string text, const std::string& from, const std::string& to)
{
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

/// The configuration with one more field.
std::string with(const std::string& config, const std::string& field)
{
    return replaced(config, "\"vocab_size\"", field + ", \"vocab_size\"");
}

struct Case
{
    std::string name;
    std::string config;
    std::string quant;      ///< hf_quant_config.json, empty: none
    std::string where;      ///< beginning of the text of the error: file, position or pointer
    std::string says;       ///< what it must say: what would be right
};

void PrintTo(const Case& bad, std::ostream* out)
{
    *out << bad.name;
}

std::vector<Case> syntaxCases()
{
    return {
        {"empty text", "", "", "config.json:1:1: ", "is no JSON"},
        {"truncated", llama.substr(0, 60), "", "config.json:3:", "is no JSON"},
        {"truncated in a text", "{\"architectures\": [\"Lla", "", "config.json:1:", "missing closing quote"},
        {"missing comma", replaced(llama, "4096,", "4096"), "", "config.json:4:3: ", "expected ',' or '}'"},
        {"trailing comma", replaced(llama, "128256", "128256,"), "", "config.json:11:1: ", "is no JSON"},
        {"single quotes", "{'hidden_size': 4096}", "", "config.json:1:2: ", "is no JSON"},
        {"comment", replaced(llama, "{\n", "{\n  // sizes\n"), "", "config.json:2:3: ", "is no JSON"},
        {"NaN", replaced(llama, "4096", "NaN"), "", "config.json:3:18: ", "is no JSON"},
        {"infinity", replaced(llama, "4096", "-Infinity"), "", "config.json:3:19: ", "is no JSON"},
        {"number too large", replaced(llama, "4096", "1e999"), "", "config.json:3:", "number overflow"},
        {"bad UTF-8", "{\"architectures\": [\"\xff\xfe\"]}", "", "config.json:1:", "ill-formed UTF-8"},
        {"second value", llama + " {}", "", "config.json:11:3: ", "expected end of input"},
        {"deep nesting", std::string(100000, '['), "", "config.json:1:33: ", "deeper than 32 levels"},
        {"deep nesting of objects",
         [] {
             std::string text;
             for (int i = 0; i < 200; ++i)
                 text += "{\"a\":\n";
             return text;
         }(),
         "", "config.json:33:1: ", "deeper than 32 levels"},
        {"key twice", with(llama, "\"hidden_size\": 8192"), "", "config.json: /hidden_size: ", "keep one of the two"},
        {"key twice inside", with(llama, R"("a": [{"b": {"c": 1, "c": 2}}])"), "",
         "config.json: /a/0/b/c: ", "keep one of the two"},
        {"broken file beside it", llama, "{\"quantization\": ", "hf_quant_config.json:1:", "is no JSON"},
    };
}

std::vector<Case> valueCases()
{
    const auto change = [](const std::string& from, const std::string& to) { return replaced(llama, from, to); };
    return {
        {"not an object", "[1, 2]", "", "config.json: ", "needs an object with fields"},
        {"null", "null", "", "config.json: ", "needs an object with fields"},
        {"text for a number", change("\"hidden_size\": 4096", "\"hidden_size\": \"4096\""), "",
         "config.json: /hidden_size: is \"4096\"", "whole number from 1 to 1000000"},
        {"negative", change("\"num_hidden_layers\": 32", "\"num_hidden_layers\": -32"), "",
         "config.json: /num_hidden_layers: is -32", "from 1 to 10000"},
        {"zero", change("\"num_attention_heads\": 32", "\"num_attention_heads\": 0"), "",
         "config.json: /num_attention_heads: is 0", "from 1 to"},
        {"fraction", change("4096", "4096.5"), "", "config.json: /hidden_size: is 4096.5", "whole number"},
        {"huge", change("\"num_hidden_layers\": 32", "\"num_hidden_layers\": 1000000000000"), "",
         "config.json: /num_hidden_layers: is 1000000000000", "from 1 to 10000"},
        {"true for a number", change("128256", "true"), "", "config.json: /vocab_size: is true", "whole number"},
        {"missing field", change("\"hidden_size\": 4096,", ""), "", "config.json: /hidden_size: is missing",
         "whole number"},
        {"null field", change("\"vocab_size\": 128256", "\"vocab_size\": null"), "",
         "config.json: /vocab_size: is missing", "whole number"},
        {"number for a flag", with(llama, "\"tie_word_embeddings\": 1"), "", "config.json: /tie_word_embeddings: is 1",
         "true or false"},
        {"heads that kv heads do not divide", change("\"num_key_value_heads\": 8", "\"num_key_value_heads\": 7"), "",
         "config.json: /num_key_value_heads: is 7", "divisor of the 32"},
        {"more kv heads than heads", change("\"num_key_value_heads\": 8", "\"num_key_value_heads\": 64"), "",
         "config.json: /num_key_value_heads: is 64", "divisor of the 32"},
        {"heads that do not divide the width",
         replaced(change("\"num_attention_heads\": 32", "\"num_attention_heads\": 33"), "\"num_key_value_heads\": 8",
                  "\"num_key_value_heads\": 11"),
         "", "config.json: /num_attention_heads: is 33", "divisor of hidden_size 4096, or head_dim"},
        {"more experts a token than experts",
         replaced(mixtral, "\"num_experts_per_tok\": 2", "\"num_experts_per_tok\": 9"), "",
         "config.json: /num_experts_per_tok: is 9", "at most the 8 experts"},
        {"more parameters than any network",
         replaced(replaced(replaced(mixtral, "\"num_local_experts\": 8", "\"num_local_experts\": 100000"), "14336",
                           "10000000"),
                  "\"num_hidden_layers\": 32", "\"num_hidden_layers\": 10000"),
         "", "config.json: ", "more than 10^15 parameters"},
        {"unknown type of numbers", change("bfloat16", "float7"), "", "config.json: /torch_dtype: is \"float7\"",
         "bfloat16, float16 and float32"},
        {"unknown layer type", with(llama, "\"layer_types\": [\"chunked_attention\"]"), "",
         "config.json: /layer_types/0: is \"chunked_attention\"", "full_attention"},
        {"layer types that are too few", with(llama, "\"layer_types\": [\"full_attention\"]"), "",
         "config.json: /layer_types: has 1 entries", "one for each of the 32 layers"},
        {"window layers without a window",
         replaced(with(llama, "\"layer_types\": [\"sliding_attention\"]"), "\"num_hidden_layers\": 32",
                  "\"num_hidden_layers\": 1"),
         "", "config.json: /sliding_window: is missing", "tokens of the window"},
        {"latent attention with bias", with(deepSeek, "\"attention_bias\": true"), "",
         "config.json: /attention_bias: is true", "only false is known"},
        {"unknown routing", replaced(deepSeek, "noaux_tc", "lottery"), "", "config.json: /topk_method: is \"lottery\"",
         "noaux_tc"},
        {"head parts that do not add up", with(deepSeek, "\"qk_head_dim\": 200"), "",
         "config.json: /qk_head_dim: ", "= 192"},
    };
}

std::vector<Case> unknownCases()
{
    return {
        {"no architecture", "{\"hidden_size\": 4096}", "", "config.json: /architectures: is missing",
         "LlamaForCausalLM"},
        {"two architectures", replaced(llama, "[\"Llama", "[\"OtherForCausalLM\", \"Llama"), "",
         "config.json: /architectures: has 2 entries", "needs one"},
        {"unknown architecture",
         replaced(with(llama, "\"hash_layers\": 3, \"router_sinkhorn\": true"), "LlamaForCausalLM", "FooForCausalLM"),
         "", "config.json: /architectures/0: \"FooForCausalLM\" is not known",
         "fields not understood: hash_layers, router_sinkhorn. Known are LlamaForCausalLM"},
        {"unknown model type", R"({"model_type": "foo", "depth": 3})", "", "config.json: /model_type: \"foo\"",
         "fields not understood: depth"},
        {"unknown field that says something", with(llama, "\"cross_layer_sharing\": 2"), "",
         "config.json: /cross_layer_sharing: is not understood", "take it out of a copy"},
        {"encoder", with(llama, "\"is_encoder_decoder\": true"), "",
         "config.json: /is_encoder_decoder: ", "is not understood"},
        {"nested architecture without its text part", R"({"architectures": ["KimiK25ForConditionalGeneration"]})", "",
         "config.json: /text_config: is missing", "text part"},
        {"wrong value in the text part",
         R"({"architectures": ["KimiK25ForConditionalGeneration"], "text_config": {"hidden_size": []}})", "",
         "config.json: /text_config/hidden_size: is []", "whole number"},
    };
}

std::vector<Case> quantCases()
{
    const auto recipe = [](const std::string& body) { return with(llama, "\"quantization_config\": {" + body + "}"); };
    const auto tensors = [&](const std::string& weights, const std::string& ignore) {
        return recipe(R"("quant_method": "compressed-tensors", "config_groups": {"group_0": {"targets": ["Linear"],
            "weights": )" +
                      weights + R"(}}, "ignore": )" + ignore);
    };
    const std::string int8 = R"({"num_bits": 8, "type": "int"})";
    return {
        {"recipe that is no object", with(llama, "\"quantization_config\": \"fp8\""), "",
         "config.json: /quantization_config: is \"fp8\"", "needs an object"},
        {"recipe without a method", recipe("\"bits\": 4"), "",
         "config.json: /quantization_config/quant_method: ", "compressed-tensors"},
        {"method without a known layout", recipe("\"quant_method\": \"bitsandbytes\", \"load_in_4bit\": true"), "",
         "config.json: /quantization_config/quant_method: is \"bitsandbytes\"", "known are fp8"},
        {"unknown block size", recipe("\"quant_method\": \"fp8\", \"weight_block_size\": [64, 64]"), "",
         "config.json: /quantization_config/weight_block_size: is [64, 64]", "128 x 128"},
        {"unknown group size", recipe("\"quant_method\": \"awq\", \"bits\": 4, \"group_size\": 64"), "",
         "config.json: /quantization_config/bits: ", "4 bits in groups of 128"},
        {"unknown bits", tensors(R"({"num_bits": 3, "type": "int"})", "[]"), "",
         "config.json: /quantization_config/config_groups/group_0/weights: stores 3 bits", "known are int 4"},
        {"unknown field of a recipe", recipe("\"quant_method\": \"fp8\", \"rotation\": \"hadamard\""), "",
         "config.json: /quantization_config: ", "not understood and may change how weights are stored: rotation"},
        {"ignored modules of the wrong type", tensors(int8, "[\"lm_head\", 3]"), "",
         "config.json: /quantization_config/ignore/1: is 3", "text in quotes"},
        {"regular expression that is not closed", tensors(int8, "[\"re:.*(gate\"]"), "",
         "config.json: /quantization_config/ignore/0: ", "a group is not closed"},
        {"regular expression that looks ahead", tensors(int8, "[\"re:(?!lm_head).*\"]"), "",
         "config.json: /quantization_config/ignore/0: ", "looking ahead"},
        {"regular expression that unfolds", tensors(int8, "[\"re:((a{1000}){1000}){1000}\"]"), "",
         "config.json: /quantization_config/ignore/0: ", "repetitions are too many"},
        {"pattern that is too long", tensors(int8, "[\"" + std::string(300, 'x') + "\"]"), "",
         "config.json: /quantization_config/ignore/0: ", "1 to 256"},
        {"more to match than any network has",
         replaced(tensors(int8, "[\"re:(.*){200}\"]"), "\"num_hidden_layers\": 32", "\"num_hidden_layers\": 10000"), "",
         "config.json: /quantization_config: names too many modules", "whole layers with *"},
        {"layers under an unknown prefix", tensors(int8, "[\"transformer.layers.0.self_attn\"]"), "",
         "config.json: /quantization_config: ", "layers are known under model."},
        {"projections stored differently", tensors(int8, "[\"model.layers.3.self_attn.k_proj\"]"), "",
         "config.json: /quantization_config: ", "self_attn.q_proj of layer 3 as int8 and self_attn.k_proj as bf16"},
        {"unknown class of modules",
         recipe(R"("quant_method": "compressed-tensors", "config_groups": {"group_0": {"targets": ["Conv2d"],
             "weights": {"num_bits": 8, "type": "int"}}})"),
         "", "config.json: /quantization_config/config_groups/group_0/targets: ", "\"Linear\""},
        {"unknown algorithm beside it", llama, R"({"quantization": {"quant_algo": "MIXED_PRECISION"}})",
         "hf_quant_config.json: /quantization/quant_algo: is \"MIXED_PRECISION\"", "known are FP8"},
        {"unknown cache format beside it", llama,
         R"({"quantization": {"quant_algo": "FP8", "kv_cache_quant_algo": "FP3"}})",
         "hf_quant_config.json: /quantization/kv_cache_quant_algo: is \"FP3\"", "known are FP8, INT8 and NVFP4"},
        {"file beside it without a recipe", llama, "{}", "hf_quant_config.json: /quantization: is missing",
         "hf_quant_config.json says there"},
        {"two recipes that disagree", recipe("\"quant_method\": \"fp8\""),
         R"({"quantization": {"quant_algo": "NVFP4", "group_size": 16}})",
         "hf_quant_config.json: /quantization/quant_algo: stores weights as nvfp4", "keep the file"},
    };
}

class BadConfiguration : public testing::TestWithParam<Case>
{
};

TEST_P(BadConfiguration, IsRefusedWithItsPlaceAndWhatWouldBeRight)
{
    const Case& bad = GetParam();
    const Result<Network> network = importNetworkText(bad.config, "config.json", bad.quant, "hf_quant_config.json");
    ASSERT_FALSE(network) << bad.name;
    const std::string text = network.error().text();
    EXPECT_TRUE(text.starts_with(bad.where)) << bad.name << ": " << text;
    EXPECT_THAT(text, testing::HasSubstr(bad.says)) << bad.name;
    EXPECT_EQ(text.find('\n'), std::string::npos) << "an error is one line: " << text;
}

std::string caseName(const testing::TestParamInfo<Case>& info)
{
    std::string name;
    for (const char c : info.param.name)
        name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    return name;
}

INSTANTIATE_TEST_SUITE_P(Syntax, BadConfiguration, testing::ValuesIn(syntaxCases()), caseName);
INSTANTIATE_TEST_SUITE_P(Value, BadConfiguration, testing::ValuesIn(valueCases()), caseName);
INSTANTIATE_TEST_SUITE_P(Unknown, BadConfiguration, testing::ValuesIn(unknownCases()), caseName);
INSTANTIATE_TEST_SUITE_P(Quantisation, BadConfiguration, testing::ValuesIn(quantCases()), caseName);

TEST(GoodConfiguration, LetsFieldsPassThatSayNothing)
{
    for (const char* field : {"\"is_encoder_decoder\": false", "\"pruned_heads\": {}", "\"unheard_of\": null",
                              "\"rope_scaling\": {\"factor\": 8.0}", "\"bos_token_id\": 1"})
        EXPECT_TRUE(importNetworkText(with(llama, field), "config.json", "", "")) << field;
    EXPECT_TRUE(importNetworkText(llama, "config.json", "", ""));
    EXPECT_TRUE(importNetworkText(mixtral, "config.json", "", ""));
    EXPECT_TRUE(importNetworkText(deepSeek, "config.json", "", ""));
}

TEST(GoodConfiguration, MatchesHostileExpressionsInTime)
{
    // A backtracking matcher would need 2^50 steps for this one.
    const std::string config = with(llama, R"("quantization_config": {"quant_method": "compressed-tensors",
        "config_groups": {"group_0": {"targets": ["Linear"], "weights": {"num_bits": 8, "type": "int"}}},
        "ignore": ["re:(([a-z]*)*)*[0-9]$", "re:(a|a|a)*(.*.*.*)*!"]})");
    const Result<Network> network = importNetworkText(config, "config.json", "", "");
    ASSERT_TRUE(network) << network.error().text();
    EXPECT_EQ(network->checkpointFormat, Format::int8);
}

} // namespace
} // namespace ridgepoint
