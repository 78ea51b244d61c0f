// The paths that people walked, for drawing trails behind them: by the tracks of the frames seen so far, or
// by results on disk.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "core/people/floor_person.h"
#include "core/people/paths_by_frame.h"
#include "core/pipeline/frame_result.h"

namespace vantage {

struct Trail {
  int64_t id = 0;                        // 0: not known whose
  std::vector<Eigen::Vector2d> floor_m;  // oldest first
};

class TrailStore {
 public:
  // Takes a frame's tracks. Those of another version of the chain are forgotten; a preview is not taken.
  void add(const FrameResult& result);
  // Takes the place of those stored before. `paths` by number; `version` is that of the tracking stage they
  // were made with.
  void set_stored(std::vector<PersonPath> paths, uint64_t version);
  // The tracking stage's version has changed, and what was seen before holds under the new one.
  void restate(uint64_t version) { seen_.version = version; }
  void clear();
  // The paths over the `frames` before and with `frame`, of people known in that time, made with this version
  // of the tracking stage. A path has a gap where more than `frames` / 2 frames are unknown, or more than
  // `frames` / 8 in a row were not analysed: what lies before it is left out. Frames seen and results on disk
  // are not mixed, since a run may have numbered people again: the one that knows more of that time is used,
  // the results where both know as much. From::results: those alone, of whatever version.
  enum class From { any, results };
  std::vector<Trail> until(int64_t frame, int64_t frames, uint64_t version, From from = From::any) const;

 private:
  struct Seen {
    using Places = std::map<int64_t, Eigen::Vector2d>;  // by frame
    std::map<int64_t, Places> people;                   // by track
    uint64_t version = 0;
    std::set<int64_t> analysed;  // frames, with people or without

    std::vector<Trail> until(int64_t frame, int64_t frames) const;
    bool skipped(int64_t from, int64_t to, int64_t more_than) const;
  };
  struct Stored {
    std::vector<PersonPath> paths;
    PathsByFrame by_frame;
    uint64_t version = 0;

    std::vector<Trail> until(int64_t frame, int64_t frames) const;
  };
  Seen seen_;
  Stored stored_;
};

// The way of a person over a whole recording, with few enough points to be drawn in every view.

// So near to the way lie the lines that stand for it: less than a line is wide in a picture. Those of a way
// that still needs more than so many points, over many hours, lie up to the larger tolerance away.
inline constexpr double kWayTolerance_m = 0.01, kLongWayTolerance_m = 16 * kWayTolerance_m;
inline constexpr size_t kManyWayPoints = 2000;

// Runs of frames without a gap, each from its first position to its last; metres on the floor.
std::vector<std::vector<Eigen::Vector2d>> walked_path(const PersonPath& path);

}  // namespace vantage
