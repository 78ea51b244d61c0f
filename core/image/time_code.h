// The time of day burnt into a picture, as "10:00:00.000": white on black in the upper left corner, letters
// of five by seven points whose size is a fortieth of the picture's height with their margins. Written into
// synthetic footage, and read back from what a chain got to see, which tells how old it is.
#pragma once

#include <cstdint>
#include <optional>

#include "core/image/picture.h"

namespace vantage {

inline constexpr int64_t kDay_ms = 24 * 3600 * 1000;

// Milliseconds since midnight; whole days are left out. A picture in host memory.
void burn_time_code(int64_t day_ms, Picture& picture);

// Empty where there is none, it cannot be read, or the picture is not in host memory. Reads what codecs leave
// of it; the picture must have the size it was written at.
std::optional<int64_t> read_time_code(const Picture& picture);

}  // namespace vantage
