// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/preset_yaml.h"
#include "core/io/yaml_reader.h"

#include <array>
#include <filesystem>
#include <fmt/format.h>

namespace ridgepoint {

namespace {

constexpr YamlFields::Range launchTime{0.0, 1e-3};
constexpr YamlFields::Range fraction{1e-3, 1.0};
constexpr YamlFields::Range exponent{1.0, 64.0};

constexpr std::array tileFamilies{std::pair{std::string_view("min16"), TileFamily::min16},
                                  std::pair{std::string_view("min64"), TileFamily::min64},
                                  std::pair{std::string_view("min128"), TileFamily::min128},
                                  std::pair{std::string_view("m64n128"), TileFamily::m64n128},
                                  std::pair{std::string_view("m128n64"), TileFamily::m128n64}};

void time(YamlFields& fields, std::string_view key, Seconds& value)
{
    value = fields.quantity(key, parseSeconds, launchTime, value);
}

void number(YamlFields& fields, std::string_view key, double& value, YamlFields::Range range)
{
    value = fields.number(key, range, value);
}

void read(YamlFields& fields, MatmulKernel& kernel)
{
    kernel.tiles = fields.choice("tiles", tileFamilies, kernel.tiles);
    time(fields, "launch", kernel.launch);
    number(fields, "compute", kernel.compute, fraction);
    number(fields, "memory", kernel.memory, fraction);
    number(fields, "core_load", kernel.coreLoad, {1e-4, 10.0});
    time(fields, "split_reduction", kernel.splitReduction);
    number(fields, "overlap", kernel.overlap, exponent);
    time(fields, "wave", kernel.wave);
    number(fields, "wave_strictness", kernel.waveStrictness, {0.0, 1.0});
    number(fields, "quantize", kernel.quantize, fraction);
}

void read(YamlFields& fields, DecodeKernel& kernel)
{
    time(fields, "launch", kernel.launch);
    number(fields, "memory", kernel.memory, fraction);
    number(fields, "core_stream", kernel.coreStream, {1e-3, 100.0});
    number(fields, "compute", kernel.compute, fraction);
    number(fields, "overlap", kernel.overlap, exponent);
    time(fields, "split", kernel.split);
    time(fields, "reduce", kernel.reduce);
    number(fields, "group_tile", kernel.groupTile, {1.0, 1024.0});
}

void read(YamlFields& fields, PrefillKernel& kernel)
{
    time(fields, "launch", kernel.launch);
    number(fields, "compute", kernel.compute, fraction);
    number(fields, "head_dim_half", kernel.headDimHalf, {0.0, 1024.0});
    number(fields, "memory", kernel.memory, fraction);
    number(fields, "overlap", kernel.overlap, exponent);
    time(fields, "tile_row", kernel.tileRow);
    number(fields, "minimum_tile", kernel.minimumTile, {1.0, 1024.0});
}

void read(YamlFields& fields, MixtureKernel& kernel)
{
    time(fields, "launch", kernel.launch);
    number(fields, "compute", kernel.compute, fraction);
    number(fields, "memory", kernel.memory, fraction);
    number(fields, "overlap", kernel.overlap, exponent);
    number(fields, "activation", kernel.activation, {0.0, 100.0});
    time(fields, "per_expert", kernel.perExpert);
    number(fields, "row_tile", kernel.rowTile, {1.0, 1024.0});
}

void read(YamlFields& fields, LatentKernel& kernel)
{
    time(fields, "launch", kernel.launch);
    number(fields, "memory", kernel.memory, fraction);
    number(fields, "compute", kernel.compute, fraction);
    number(fields, "overlap", kernel.overlap, exponent);
}

void read(YamlFields& fields, StreamKernel& kernel)
{
    time(fields, "launch", kernel.launch);
    number(fields, "memory", kernel.memory, fraction);
}

void read(YamlFields& fields, CollectiveKernel& kernel)
{
    time(fields, "ring_fixed", kernel.ringFixed);
    time(fields, "ring_per_device", kernel.ringPerDevice);
    number(fields, "ring_bandwidth", kernel.ringBandwidth, fraction);
    kernel.hasDirect = fields.boolean("has_direct", kernel.hasDirect);
    time(fields, "direct_fixed", kernel.directFixed);
    time(fields, "direct_per_doubling", kernel.directPerDoubling);
    number(fields, "direct_bandwidth", kernel.directBandwidth, fraction);
    number(fields, "overlap", kernel.overlap, exponent);
}

} // namespace

Result<KernelFamily> readKernelFamily(const std::string& text, const std::string& file, const PresetContext& context)
{
    const Result<YamlNode> root = parseYaml(text, file);
    if (!root)
        return fail(root.error());
    YamlErrors errors{file, {}, {}};
    YamlFields fields(*root, errors);
    KernelFamily family;
    family.id = std::filesystem::path(file).stem().string();
    family.name = fields.text("name");
    family.fitted = fields.boolean("fitted", false);
    family.source = fields.text("source");
    if (context.sources && !context.sources->contains(family.source))
        fields.refuse("source", fmt::format("the source \"{}\" is not in sources.yaml; add it there", family.source));

    const auto section = [&](std::string_view key, auto& kernel) {
        fields.map(key, false, [&](YamlFields& inner) { read(inner, kernel); });
    };
    section("matmul_bf16", family.matmulBf16);
    section("matmul_fp8", family.matmulFp8);
    section("matmul_fp8_block", family.matmulFp8Block);
    section("matmul_fp4", family.matmulFp4);
    section("matmul_weight_only", family.matmulWeightOnly);
    section("decode_bf16", family.decodeBf16);
    section("decode_fp8", family.decodeFp8);
    section("prefill_bf16", family.prefillBf16);
    section("prefill_fp8", family.prefillFp8);
    section("mixture_bf16", family.mixtureBf16);
    section("mixture_fp8", family.mixtureFp8);
    section("mixture_fp8_block", family.mixtureFp8Block);
    section("mixture_fp4", family.mixtureFp4);
    section("mixture_fp4_low_latency", family.mixtureFp4LowLatency);
    section("mixture_weight_only", family.mixtureWeightOnly);
    section("mixture_mxfp4", family.mixtureMxfp4);
    section("latent_decode", family.latentDecode);
    section("latent_prefill", family.latentPrefill);
    section("latent_projection", family.latentProjection);
    section("stream", family.stream);
    section("collective", family.collective);
    fields.finish();
    return finished(errors, std::move(family));
}

} // namespace ridgepoint
