// Height maps and data costs as files and pictures; resources/docs/formats.md has the format of cost files.
#pragma once

#include <filesystem>

#include "core/height_map/height_map.h"

namespace vantage {

// All in host memory. The cost file holds label planes of 32-bit floats.
Status write_cost(const std::filesystem::path& path, const CostVolume& costs);
Result<CostVolume> read_cost(const std::filesystem::path& path, BufferPool& pool);

// f32: metres above the floor, NaN where there is no head.
Result<Image> heights_in_metres(const HeightMap& map, BufferPool& pool);
// u8: such heights as levels for displays (HeightEstimate), kHeightLevels of them.
Result<Image> height_levels(const ImageView<const float>& heights_m, const HeightLabels& scale,
                            BufferPool& pool);
inline constexpr int kHeightLevels = 255;
// Colour, 3 * width elements a row: viridis over the labels' range, with the scale at the right, figures in
// metres. `heights_m` as above. Where there is no head: `picture` (u8, of the same size), darker; without
// one, dark grey.
Result<Image> colored_heights(const ImageView<const float>& heights_m, const HeightLabels& scale,
                              const ImageView<const uint8_t>& picture, BufferPool& pool);
// How many pixels the scale adds at the right.
inline constexpr int kScaleWidth_px = 64;

}  // namespace vantage
