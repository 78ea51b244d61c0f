// The tracks of the last minutes of live cameras, with the IDs that a front end shows.
//
// These are the chain's, given frame by frame; or those of paths in windows, found on a thread of their own,
// or by the writer of the results that are written of the same frames. The latter are settled some seconds
// later. Until then they are provisional: a person whom the chain still follows under the number it had when
// it was settled as N is N; everybody else gets the numbers that come next, in order of the chain's. What is
// settled takes the place of what was provisional.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/pipeline/frame_result.h"
#include "core/session/recorded_tracks.h"
#include "core/session/session.h"
#include "core/tracking/paths/path_worker.h"

namespace vantage {

class LiveTracks {
 public:
  static constexpr double kWindow_s = 600;

  LiveTracks() = default;  // the chain's numbers
  explicit LiveTracks(PathFollower follower);
  // Takes the paths over from elsewhere: they are found here from the next frame on.
  void go_on_with(PathFollower follower);
  // The paths, to be found elsewhere from the next frame on, with what is final of the frames from `first`
  // on; what becomes final is then to come into final_ids(). Nothing where none are found here.
  std::optional<RunningPaths> hand_over(int64_t first);
  const std::shared_ptr<FinalizedQueue>& final_ids() const { return mail_; }  // null: the chain's numbers

  // Errors: of the paths, which then get no further.
  Status add(const FrameResult& result, double frame_rate);
  TracksRef tracks() const;
  // The ways from a frame on, by number.
  std::vector<PersonPath> since(int64_t frame) const;
  bool numbers_by_paths() const { return mail_ != nullptr; }
  // The IDs of now of the frame's people, 0: none; nothing where they are the chain's. Too long ago no one
  // has one.
  std::optional<std::vector<int64_t>> ids_of(const FrameResult& result) const;
  // The ID under which the person whom the chain calls `chain_number` is shown in that frame, which may be
  // the next one to be added.
  int64_t shown_id(const FrameResult& result, int64_t chain_number) const;

 private:
  // A frame that is not settled.
  struct Recent {
    int64_t frame = 0;
    std::vector<int64_t> chain_numbers;  // by person; 0: none
    std::vector<PathPoint> points;       // by person
  };
  struct Settled {
    int64_t number = 0, frame = 0;
  };
  void take_mail();
  void settle(const FinalPaths& settled);
  void keep_number(int64_t chain_number, int64_t number, int64_t frame);
  void number_recent();
  int64_t number_of(int64_t chain_number) const;  // 0: none
  void forget_before(int64_t frame);

  double frame_rate_ = 0, latency_s_ = 0;
  std::deque<int64_t> frames_, known_frames_;
  std::map<int64_t, std::deque<PathPoint>> paths_;  // final, by number
  std::deque<Recent> recent_;
  std::map<int64_t, Settled> settled_as_;      // by the chain's number
  std::map<int64_t, int64_t> provisional_;     // by the chain's number, of those never settled
  int64_t settled_end_ = 0, last_number_ = 0;  // as far as it is settled
  std::shared_ptr<FinalizedQueue> mail_;       // null: the chain's numbers
  std::unique_ptr<PathWorker> finder_;         // null: likewise, or paths are found elsewhere
};

// The timeline's summary of live sets: bounded, however many days they are recorded. Each entry stands for
// `every` sets; when there are kMax, two become one.

class LiveSummary {
 public:
  static constexpr int64_t kMax = 32'768;  // entries

  // Results of a set; it speaks for those that are left out behind it, one in `thinning` being analysed.
  void note(const FrameResult& result, int thinning);
  void forget_before(int64_t set);
  SetSummariesRef sets() const { return std::make_shared<const SetSummaries>(sets_); }

 private:
  void add(int64_t set, int16_t people);
  void halve();

  SetSummaries sets_;
};

}  // namespace vantage
