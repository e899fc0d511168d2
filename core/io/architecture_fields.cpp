// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/architecture_fields.h"

#include <algorithm>
#include <array>

namespace ridgepoint {

namespace {

constexpr auto passedOver = std::to_array<std::string_view>({
    // identity and bookkeeping
    "_attn_implementation",
    "_commit_hash",
    "_name_or_path",
    "architectures",
    "attn_implementation",
    "auto_map",
    "finetuning_task",
    "id2label",
    "label2id",
    "model_type",
    "prefix",
    "problem_type",
    "task_specific_params",
    "tokenizer_class",
    "torchscript",
    "transformers_version",
    "unsloth_fixed",
    "unsloth_version",
    // read by the quantisation reader, or the part of the file that is left out and named as such
    "audio_config",
    "compression_config",
    "quantization_config",
    "text_config",
    "vision_config",
    // of the pictures and sounds that are left out
    "ignore_index",
    "mm_tokens_per_image",
    "use_unified_vision_chunk",
    "video_placeholder",
    // types, read where they count
    "dtype",
    "torch_dtype",
    "use_bfloat16",
    // training
    "attention_dropout",
    "aux_loss_alpha",
    "embd_pdrop",
    "ep_size",
    "hidden_dropout",
    "initializer_range",
    "mtp_use_dedicated_embeddings",
    "output_router_logits",
    "pretraining_tp",
    "resid_pdrop",
    "router_aux_loss_coef",
    "router_jitter_noise",
    "seq_aux",
    "tf_legacy_loss",
    // constants of operators
    "attn_logit_softcapping",
    "final_logit_softcapping",
    "hidden_act",
    "hidden_activation",
    "indexer_rope_interleave",
    "initial_context_length",
    "n_group",
    "norm_topk_prob",
    "original_max_position_embeddings",
    "query_pre_attn_scalar",
    "rms_norm_eps",
    "rope_interleave",
    "rope_local_base_freq",
    "rope_scaling",
    "rope_theta",
    "routed_scaling_factor",
    "scoring_func",
    "swiglu_limit",
    "topk_group",
    // text generation
    "begin_suppress_tokens",
    "cache_implementation",
    "chunk_size_feed_forward",
    "diversity_penalty",
    "do_sample",
    "early_stopping",
    "encoder_no_repeat_ngram_size",
    "exponential_decay_length_penalty",
    "is_decoder",
    "length_penalty",
    "max_length",
    "min_length",
    "no_repeat_ngram_size",
    "num_beam_groups",
    "num_beams",
    "num_return_sequences",
    "output_attentions",
    "output_hidden_states",
    "output_scores",
    "remove_invalid_values",
    "repetition_penalty",
    "return_dict",
    "return_dict_in_generate",
    "suppress_tokens",
    "temperature",
    "top_k",
    "top_p",
    "typical_p",
    "use_cache",
});

constexpr auto usual = std::to_array<std::string_view>({
    "attention_bias",
    "attn_output_gate",
    "decoder_sparse_step",
    "first_k_dense_replace",
    "head_dim",
    "hidden_size",
    "intermediate_size",
    "kv_lora_rank",
    "layer_types",
    "max_position_embeddings",
    "mlp_bias",
    "moe_intermediate_size",
    "n_routed_experts",
    "n_shared_experts",
    "num_attention_heads",
    "num_experts",
    "num_experts_per_tok",
    "num_hidden_layers",
    "num_key_value_heads",
    "num_local_experts",
    "partial_rotary_factor",
    "q_lora_rank",
    "qk_nope_head_dim",
    "qk_rope_head_dim",
    "rope_parameters",
    "sliding_window",
    "sliding_window_pattern",
    "tie_word_embeddings",
    "use_sliding_window",
    "v_head_dim",
    "vocab_size",
});

} // namespace

bool isPassedOver(std::string_view key)
{
    if (key.ends_with("_token_id") || key.ends_with("_token_index"))
        return true;
    return std::find(passedOver.begin(), passedOver.end(), key) != passedOver.end();
}

bool isUsualField(std::string_view key)
{
    return std::find(usual.begin(), usual.end(), key) != usual.end();
}

} // namespace ridgepoint
