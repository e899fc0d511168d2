// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/op.h"

namespace ridgepoint {

std::string_view nameOf(OpId id)
{
    switch (id) {
    case OpId::embedding: return "Embedding";
    case OpId::norms: return "Norms and element-wise";
    case OpId::queryKeyValue: return "QKV projection";
    case OpId::attention: return "Attention";
    case OpId::attentionOutput: return "Attention output";
    case OpId::latentDown: return "Latent down projection";
    case OpId::latentUp: return "Latent up projection";
    case OpId::absorbed: return "Absorbed latent projection";
    case OpId::indexer: return "Sparse indexer";
    case OpId::linearState: return "Linear attention";
    case OpId::gateUp: return "FFN gate and up";
    case OpId::down: return "FFN down";
    case OpId::router: return "Router";
    case OpId::experts: return "Experts";
    case OpId::sharedGateUp: return "Shared expert gate and up";
    case OpId::sharedDown: return "Shared expert down";
    case OpId::head: return "Head";
    case OpId::sampling: return "Sampling";
    case OpId::allReduceAttention: return "All-reduce after attention";
    case OpId::allReduceFeedForward: return "All-reduce after FFN";
    case OpId::allReduceEmbedding: return "All-reduce after embedding";
    case OpId::gatherLogits: return "Gathering of logits";
    case OpId::stageSend: return "Send to next stage";
    case OpId::dispatch: return "Gathering of tokens for experts";
    case OpId::combine: return "Scattering of expert results";
    }
    return "";
}

std::string_view keyOf(OpId id)
{
    switch (id) {
    case OpId::embedding: return "embedding";
    case OpId::norms: return "norms";
    case OpId::queryKeyValue: return "query_key_value";
    case OpId::attention: return "attention";
    case OpId::attentionOutput: return "attention_output";
    case OpId::latentDown: return "latent_down";
    case OpId::latentUp: return "latent_up";
    case OpId::absorbed: return "absorbed";
    case OpId::indexer: return "indexer";
    case OpId::linearState: return "linear_state";
    case OpId::gateUp: return "gate_up";
    case OpId::down: return "down";
    case OpId::router: return "router";
    case OpId::experts: return "experts";
    case OpId::sharedGateUp: return "shared_gate_up";
    case OpId::sharedDown: return "shared_down";
    case OpId::head: return "head";
    case OpId::sampling: return "sampling";
    case OpId::allReduceAttention: return "all_reduce_attention";
    case OpId::allReduceFeedForward: return "all_reduce_feed_forward";
    case OpId::allReduceEmbedding: return "all_reduce_embedding";
    case OpId::gatherLogits: return "gather_logits";
    case OpId::stageSend: return "stage_send";
    case OpId::dispatch: return "dispatch";
    case OpId::combine: return "combine";
    }
    return "";
}

} // namespace ridgepoint
