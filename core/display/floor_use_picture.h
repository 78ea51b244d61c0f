// How the floor was used, in colour: for laying over the floor, and as a plate with its key for looking at.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/display/floor_picture.h"
#include "core/image/picture.h"
#include "core/tracks/counting/floor_use.h"

namespace vantage {

enum class FloorUseKind : uint8_t { trails, density, dwell, speed };
inline constexpr std::array<FloorUseKind, 4> kFloorUseKinds = {FloorUseKind::trails, FloorUseKind::density,
                                                               FloorUseKind::dwell, FloorUseKind::speed};
std::string_view floor_use_name(FloorUseKind kind);  // "density"

struct FloorUseMap {
  FloorCells cells;
  // Shares of `full` by cell, from 0 to 1; 0: no one was there, else at least kClearBelow, to be seen.
  std::vector<float> shares;
  double full = 0;    // the value that the brightest colour stands for; 1 % of the used cells have more
  std::string words;  // "people together 0 to 3.2 s"
};
FloorUseMap floor_use_map(const FloorUse& use, FloorUseKind kind);

// At the floor.
FloorPicture floor_use_picture(const FloorUseMap& map);

// u8, red, green, blue: cells as squares of several pixels, y upwards, on dark grey with a line every metre;
// below them the colours from 0 to `full`. Errors: out_of_memory.
Result<Image> floor_use_plate(const FloorUseMap& map);

}  // namespace vantage
