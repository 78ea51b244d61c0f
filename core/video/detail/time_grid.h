// A file's pictures on frames of one rate, where their own times leave gaps or vary.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/video/video_source.h"

namespace vantage {

// When each picture of a file is shown, in display order.
struct PictureTimes {
  std::vector<int64_t> times_ns;  // rising, from the first picture that can be decoded
  int64_t lead_ns = 0;            // what the file's time holds before that picture
  std::string lead_reason;        // why there is no picture then
};

struct TimeGrid {
  double frame_rate = 0;                  // frames/s
  std::vector<int64_t> picture_of_frame;  // VideoInfo's; empty: the times are not believed, so pictures count
  std::string timing;                     // a sentence for the user
};

// Nothing where the times are those of one constant rate: frame i is picture i. A frame shows the picture
// nearest in time, and none in a gap: one lost picture of a steady clock is a gap, of a varying rate from two
// periods on.
std::optional<TimeGrid> time_grid(const PictureTimes& pictures);

// Plays `pictures`, a source of pictures by their count, on the frames of the grid.
std::unique_ptr<VideoSource> make_timed_source(std::unique_ptr<VideoSource> pictures, TimeGrid grid);

}  // namespace vantage
