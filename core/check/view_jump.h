// Detects a camera's view that jumped in the middle of a recording and stayed elsewhere, for instance because
// someone bumped the camera.
//
// The medians of up to kWindow pictures before and after each instant, which show no moving people, are
// compared by the corners of the scene (detail/scene_places.h). A camera that shakes returns: the pictures on
// either side of a jump must fit the scene's position on that side. Changes of light do not matter.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/geometry/camera.h"
#include "core/image/picture.h"

namespace vantage {

// A picture of the recording: luma, reduced by the integer factor view_factor() of its width.
struct TimedView {
  int64_t frame = 0;
  Image luma;
};
inline constexpr int kViewWidth_px = 640;
int view_factor(int width_px);

// A part of the scene before and after a jump, in pixels of the picture.
struct MovedPlace {
  Eigen::Vector2d before_px, after_px;
};

struct ViewJump {
  int64_t last_before = 0, first_after = 0;  // frames between which it lies
  double moved_px = 0;                       // the median displacement of the places
  std::vector<MovedPlace> places;
};

struct ViewFinding {
  std::vector<ViewJump> jumps;  // in order
  double largest_px = 0;        // maximum displacement of the view where it did not jump
  std::string untold;  // why no jump can be told, empty: it can; `untold_frame` is where, -1: nowhere
  int64_t untold_frame = -1;
};

// Minimum length of a jump: half a pixel of the reduced picture, and 1.5 of the picture.
double smallest_jump_px(int factor);

inline constexpr int kWindow = 4;    // maximum number of pictures on either side
inline constexpr int kMinViews = 4;  // fewer are not enough
inline constexpr int kMinOfAWindow =
    2;  // a jump before the second picture or after the last but one is not seen

// Reads one more picture, reduced likewise, to locate a jump between two frames.
using ReadView = std::function<Result<Image>(int64_t frame)>;

// `views`: of one camera, in order, of one size. Without `read` a jump lies between two of them.
ViewFinding find_view_jumps(const std::vector<TimedView>& views, int factor, const ReadView& read);

// Median residual of a jump's places for a camera that only turned; nothing: they lie beyond the lens model.
std::optional<double> missed_px(const Camera& before, const Camera& after, const ViewJump& jump);

// The turn about its own centre that explains a jump best.
struct JumpTurn {
  Camera camera;  // pose after the jump
  double degrees = 0;
  double before_px = 0, after_px = 0;  // median residuals of the places with the camera before and after
};
// Nothing: the places do not determine the turn, or lie beyond the lens model.
std::optional<JumpTurn> solve_turn(const Camera& before, const ViewJump& jump);

}  // namespace vantage
