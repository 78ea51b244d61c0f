#include "core/base/former_parameter_names.h"

namespace vantage {
namespace {

constexpr FormerParameterName kFormerNames[] = {
    // Version 0.1.
    {"foreground", "displacement", "displacement_px"},
    {"foreground", "opening", "opening_px"},
    {"foreground", "closing", "closing_px"},
    {"heightmap", "lowest", "lowest_m"},
    {"heightmap", "step", "step_m"},
    {"heightmap", "no_head_jump", "no_head_jump_m"},
    {"heightmap", "descriptor", "descriptor_heads"},
    {"heightmap", "least_views", "min_views"},
    {"heightmap", "outline_drop", "outline_drop_m"},
    {"heightmap", "head_step", "head_step_m"},
    {"heightmap", "head_area", "head_area_m2"},
    {"heightmap", "head_distance", "head_distance_m"},
    {"heightmap", "least_outline", "min_outline"},
    {"heightmap", "memory_limit", "memory_limit_mb"},
    {"daisy", "radius", "radius_px"},
    {"flow", "window", "window_px"},
    {"flow", "poly_n", "poly_radius_px"},
    {"flow", "poly_sigma", "poly_sigma_px"},
    {"sync", "max_offset", "max_offset_frames"},
    {"sync", "least_confidence", "min_confidence"},
    {"sync", "window", "window_frames"},
    {"heads", "smallest", "smallest_px"},
    {"heads", "largest", "largest_px"},
    {"heads", "stride", "stride_px"},
    {"heads", "min_height", "min_height_m"},
    {"heads", "max_height", "max_height_m"},
    {"detections", "long_side", "long_side_px"},
};

}  // namespace

std::span<const FormerParameterName> former_parameter_names() {
  return kFormerNames;
}

std::string_view current_parameter_name(std::string_view stage, std::string_view name) {
  for (const FormerParameterName& former : kFormerNames)
    if (former.stage == stage && former.former == name) return former.name;
  return name;
}

std::string_view first_parameter_name(std::string_view stage, std::string_view name) {
  for (const FormerParameterName& former : kFormerNames)
    if (former.stage == stage && former.name == name) return former.former;
  return name;
}

}  // namespace vantage
