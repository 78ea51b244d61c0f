// A height map that a person looks at and tunes: on the CPU a coarse one at once, then the whole picture's,
// handed over every check_every iterations. What did not change since the run before is kept: while only the
// smoothness or the iterations differ, the data cost is not measured again.
//
// Coarse: pictures reduced by a whole factor to at most kCoarsePixels, the descriptor's radius and the margin
// of the foreground with them. It does not look at `stop`, so that a person who drags a parameter always sees
// it.
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
  int pixel_px = 1;       // a pixel of the map stands for so many of the picture's, in each direction
  bool finished = false;  // no better one follows
};

struct HeightStudyListener {
  // The reference that is worked on, whose picture the result has; before its first map.
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
  // The belief of a pixel of the picture, from the map handed over last.
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
  Level* shown_ = nullptr;                // whose map was handed over last
};

}  // namespace vantage
