// People followed while frames come: the windows of path_tracker.h, each solved as soon as the first frame
// behind it is there. What comes out is what follow_paths() makes of the same frames, which works through
// this: one piece for recordings and for live input.
//
// Holds the frames of one window, and of each path that may still go on the position where it was seen last:
// live input has no end.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/tracking/paths/detail/returns.h"
#include "core/tracking/paths/motion_state.h"
#include "core/tracking/paths/path_tracker.h"

namespace vantage {

// Paths that are final since the last time.
struct FinalPaths {
  int64_t end = 0;  // the people of all frames before it have their numbers
  // Final up to here: no point is added before it, also none that bridges a gap; at most `end`.
  int64_t bridged_end = 0;
  std::vector<PersonPath> parts;           // by number: the points that are new
  std::vector<PersonReturn> returns = {};  // those to frames before `end`
};

class PathFollower {
 public:
  // Errors (invalid_argument): a rate of 0.
  static Result<PathFollower> make(double frame_rate, const PathParameters& parameters,
                                   std::vector<FloorZone> entrances = {}, FindAgain find_again = {});

  // Frames ascend; one that is missing says nothing, since it was not examined. Usually nothing is new.
  // Errors: those of follow_paths().
  Result<FinalPaths> add(SeenFrame frame);
  // Everything is settled. Frames may still come: paths go on there.
  Result<FinalPaths> finish();
  double latency_s() const { return parameters_.window_s; }

 private:
  struct Window {
    int64_t begin = 0, settled = 0, end = 0;  // frames; what lies before `settled` is final
  };
  // A path that may go on, and where it was seen last.
  struct Open {
    int64_t id = 0, last_frame = 0;
    path_detail::Look last_look;
    FloorPerson last;
    int32_t last_number = -1;  // as PathPoint::person
    PathPoint last_point = {};
    path_detail::MotionState motion = {};
    path_detail::HeightSums heights = {};
  };
  void move(Open& open, const path_detail::Node& node) const;
  PathFollower(double frame_rate, const PathParameters& parameters, std::vector<FloorZone> entrances,
               FindAgain find_again);

  Status follow_in(const Window& window);
  Result<std::vector<std::vector<int32_t>>> solved(const std::vector<path_detail::Node>& nodes,
                                                   const Window& window) const;
  std::deque<SeenFrame> found_again(const std::vector<std::vector<int32_t>>& paths,
                                    const std::vector<path_detail::Node>& nodes, const Window& window) const;
  void observe(int64_t frame);
  std::vector<path_detail::Node> nodes_of(const std::deque<SeenFrame>& frames, const Window& window) const;
  void forget_ended(int64_t begin);
  void settle_all(const std::vector<std::vector<int32_t>>& paths, const std::vector<path_detail::Node>& nodes,
                  const Window& window);
  // The person's ID, 0: nothing of the path is final. `returning`: the ID of a path that begins; 0: a new
  // one.
  int64_t settle(const std::vector<int32_t>& path, const std::vector<path_detail::Node>& nodes,
                 const Window& window, int64_t returning);
  int32_t start(int64_t id, const path_detail::Node& node, const PathPoint& point);
  PersonPath& part_of(int64_t id);
  void go_on(Open& open, const path_detail::Node& node, const PathPoint& point);
  FinalPaths taken();

  double frame_rate_;
  PathParameters parameters_;
  std::vector<FloorZone> entrances_;
  FindAgain find_again_;  // empty: paths are followed once
  path_detail::ReturningPeople returning_;
  int64_t length_ = 0, overlap_ = 0;       // frames; a length of 0: one window
  int64_t longest_gap_ = 0;                // frames; of a longer one each counts as examined and empty
  double carry_reach_s_ = 0;               // examined time after which a path that was not seen has ended
  std::deque<SeenFrame> frames_;           // from the present window's first on
  std::vector<path_detail::Look> looked_;  // as long as open paths need them
  std::optional<int64_t> last_examined_;   // frame
  int64_t begin_ = 0;                      // of the present window
  bool in_first_window_ = true;
  int64_t last_id_ = 0;
  std::vector<Open> open_;  // by number
  FinalPaths settled_;      // not handed out yet
};

}  // namespace vantage
