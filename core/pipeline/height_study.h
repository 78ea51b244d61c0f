// A height map for interactive tuning: on the CPU a coarse one at once, then that of the complete picture,
// passed on every check_every iterations. Unchanged results of the previous run are kept: while only the
// smoothness or the iterations differ, the data cost is not measured again.
//
// The coarse map uses pictures reduced by an integer factor to at most kCoarsePixels, with the descriptor's
// radius and the margin of the foreground reduced alike. It ignores `stop`, so that a user who drags a
// parameter always sees it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/base/threads.h"
#include "core/pipeline/frame_result.h"
#include "core/pipeline/height_mapper.h"

namespace vantage {

inline constexpr int kCoarsePixels = 50'000;
inline constexpr int kCoarseIterations = 30;

struct HeightStudyRequest {
  FrameResultRef result;  // with a picture of the reference camera
  HeightMapParameters parameters;
  DaisyParameters descriptor;
};

struct HeightStudyMap {
  HeightEstimate estimate;
  int pixel_px = 1;       // size of the map's pixels in pixels of the picture
  bool finished = false;  // no better map follows
};

struct HeightStudyListener {
  // The reference camera, whose picture the result has; called before its first map.
  std::function<void(size_t reference)> on_reference;
  std::function<void(const HeightStudyMap& map)> on_map;
  // The step in progress ("data cost") and its share done, 0 to 1.
  std::function<void(const std::string& what, double share)> on_progress;
};

// Not thread-safe; belief_of() may be called in on_map.
class HeightStudy {
 public:
  explicit HeightStudy(HeightMapperOptions options);
  ~HeightStudy();

  // Errors: as HeightMapper's; not_found where the result has no pictures; cancelled.
  Status run(const HeightStudyRequest& request, const HeightStudyListener& listener, const StopSource& stop);
  // The belief of a pixel of the picture, from the last map passed on.
  Result<PixelBelief> belief_of(int x_px, int y_px);
  // Memory of the complete picture's map, after run() was begun.
  size_t memory_bytes() const;

 private:
  struct Input;
  struct Level;
  Result<Input> input_of(const HeightStudyRequest& request, const HeightStudyListener& listener);
  Status prepare_coarse(const HeightStudyRequest& request);
  Status run_level(Level& level, const HeightStudyRequest& request, const Input& input,
                   const HeightStudyListener& listener, const StopSource& stop);

  const HeightMapperOptions options_;
  std::unique_ptr<Level> full_, coarse_;  // no coarse one on a device
  Level* shown_ = nullptr;                // level of the last map passed on
};

}  // namespace vantage
