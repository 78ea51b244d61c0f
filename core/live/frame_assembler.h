// Assembles the pictures of live cameras into sets by capture time: set N has every camera's picture nearest
// to origin + N * period. Uses only the times it is given; no clock, no threads.
//
// The grid follows the first available camera, so that none of its pictures is lost or shown twice while
// clocks drift. A set is released once every available camera has delivered, at the latest `bound` after the
// first of its pictures was decoded; cameras without a picture are listed. A camera silent for twice the
// bound (and kSilentPeriods of its own) is not waited for until it sends again. Sets are released in order;
// numbers are skipped where every camera was silent. A set not taken after kPatiencePeriods is dropped and
// counted, unless it is the newest: the delay never grows. Delays can be corrected while cameras run
// (set_delays()). A set then waits for the camera with the longest transit, even while that one is away, up
// to delay_span_ns() before the bound begins, so that nothing must catch up on its return.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/video/frame_source.h"

namespace vantage {

struct AssemblerOptions {
  std::vector<std::string> names;  // the cameras'
  double rate = 25;                // sets/s
  int64_t bound_ns = 200'000'000;
};

// A set with the times for measuring its latency.
struct AssembledSet {
  FrameSet frames;
  int64_t capture_ns = 0;       // the instant it shows
  int64_t last_arrival_ns = 0;  // arrival of its last picture
  int64_t complete_ns = 0;      // time of release
};

struct AssemblerCounters {
  int64_t sets = 0;        // released, also those dropped or skipped
  int64_t incomplete = 0;  // sets without some camera's picture
  int64_t dropped = 0;     // not taken in time
  int64_t thinned = 0;     // skipped by choice
};

class FrameAssembler {
 public:
  static constexpr int kPatiencePeriods = 2, kSilentPeriods = 4;
  explicit FrameAssembler(AssemblerOptions options);

  // Adds a camera's picture; in order of capture. `rate`: the camera's own pictures/s.
  void add(size_t camera, CameraFrame frame, int64_t capture_ns, int64_t arrival_ns, double rate,
           int64_t now_ns);
  // Sets do not wait for a camera that is away until its next picture; `why` becomes its problem.
  void set_away(size_t camera, std::string why);
  // Sets how much longer each camera's pictures are in transit than their capture times show; by camera, only
  // differences count. No set is lost. Where a delay grows by d, sets pause once for d, since that camera's
  // pictures of their instant are still to come; where it shrinks by d, the camera is missing in the sets of
  // the next d, which it has shown already. The majority of cameras keep their times; of two halves the one
  // whose pictures come first. Returns the first set with the new delays.
  int64_t set_delays(const std::vector<int64_t>& delays_ns);
  int64_t delay_span_ns() const { return delay_span_ns_; }
  // Only every n-th set (by number) is passed on.
  void set_thinning(int every) { thinning_ = every; }
  // Called with every released set, also skipped or dropped ones.
  void set_listener(std::function<void(const AssembledSet&)> listener) { listener_ = std::move(listener); }
  int thinning() const { return thinning_; }

  // Assembles the sets that are due at that time.
  void update(int64_t now_ns);
  std::optional<AssembledSet> take();
  bool ready() const { return !ready_.empty(); }
  // Time at which update() has something to do without a new picture; INT64_MAX: never.
  int64_t next_deadline_ns(int64_t now_ns) const;

  const AssemblerCounters& counters() const { return counters_; }
  int64_t late_pictures(size_t camera) const { return cameras_[camera].late; }

 private:
  struct Waiting {
    CameraFrame frame;
    int64_t capture_ns = 0, arrival_ns = 0;
    int64_t decoded_ns = 0;  // a reordered picture's bytes arrive long before
  };
  struct Camera {
    std::deque<Waiting> waiting;
    int64_t period_ns = 0, last_ns = 0;  // last: arrival of its newest picture
    int64_t delay_ns = 0;                // subtracted from its capture times
    int64_t corrected_ns = INT64_MIN;    // pictures before this instant are late because of a correction
    bool here = true;
    std::string why_away;
    int64_t late = 0;
  };
  enum class Standing { waiting, found, none };
  struct Choice {
    Standing standing = Standing::waiting;
    size_t index = 0;
  };

  int64_t time_of(int64_t number) const;
  int64_t behind_ns(const Camera& camera) const;
  bool silent(const Camera& camera, int64_t now_ns) const;
  Choice choose(const Camera& camera, int64_t time_ns, int64_t begun_ns, int64_t now_ns) const;
  std::optional<int64_t> begun_ns() const;
  bool skip_silence();
  bool try_next(int64_t now_ns);
  void follow(const Camera& camera, const Choice& choice, int64_t time_ns);
  void hand_out(const std::vector<Choice>& choices, int64_t now_ns);
  void drop_old(int64_t now_ns);
  void forget_before(int64_t time_ns);

  const AssemblerOptions options_;
  const int64_t period_ns_;
  std::vector<Camera> cameras_;
  bool started_ = false;
  double origin_ns_ = 0;  // moves slowly with the first camera
  int64_t start_ns_ = 0;
  int64_t next_ = 0;
  int64_t delay_span_ns_ = 0;
  int thinning_ = 1;
  std::function<void(const AssembledSet&)> listener_;
  std::deque<AssembledSet> ready_;
  AssemblerCounters counters_;
};

}  // namespace vantage
