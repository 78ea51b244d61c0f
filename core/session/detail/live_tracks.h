// Tracks of the last minutes of live cameras, with the IDs that a front end shows.
//
// These are the chain's, assigned frame by frame; or those of paths in windows, found on a thread of their
// own or by the writer of results of the same frames. The latter are final some seconds later. Until then
// they are provisional: a person whom the chain still tracks under the number that became final as ID N has
// ID N; everyone else gets the following IDs, in order of the chain's. Final IDs replace provisional ones.
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

  LiveTracks() = default;  // uses the chain's IDs
  explicit LiveTracks(PathFollower follower);
  // Continues these paths: they are found here from the next frame on.
  void go_on_with(PathFollower follower);
  // Hands over the paths, to be found elsewhere from the next frame on, with the final part of the frames
  // from `first` on; later final IDs must come into final_ids(). Nothing where no paths are found here.
  std::optional<RunningPaths> hand_over(int64_t first);
  const std::shared_ptr<FinalizedQueue>& final_ids() const { return mail_; }  // null: the chain's IDs

  // Errors: of the paths, which then stop.
  Status add(const FrameResult& result, double frame_rate);
  TracksRef tracks() const;
  // The paths from a frame on, by ID.
  std::vector<PersonPath> since(int64_t frame) const;
  bool numbers_by_paths() const { return mail_ != nullptr; }
  // The present IDs of the frame's people, 0: none; nothing where they are the chain's. In frames too old no
  // one has one.
  std::optional<std::vector<int64_t>> ids_of(const FrameResult& result) const;
  // The ID under which the person with the chain's `chain_number` is shown in that frame, which may be the
  // next one to be added.
  int64_t shown_id(const FrameResult& result, int64_t chain_number) const;

 private:
  // A frame whose IDs are not final.
  struct Recent {
    int64_t frame = 0;
    std::vector<int64_t> chain_numbers;  // one per person; 0: none
    std::vector<PathPoint> points;       // one per person
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
  std::map<int64_t, std::deque<PathPoint>> paths_;  // final, by ID
  std::deque<Recent> recent_;
  std::map<int64_t, Settled> settled_as_;   // keyed by the chain's number
  std::map<int64_t, int64_t> provisional_;  // keyed by the chain's number, of those that never became final
  int64_t settled_end_ = 0, last_number_ = 0;  // end of the final frames
  std::shared_ptr<FinalizedQueue> mail_;       // null: the chain's IDs
  std::unique_ptr<PathWorker> finder_;         // null: likewise, or paths are found elsewhere
};

// The timeline's summary of live sets: bounded however many days are recorded. Each entry covers `every`
// sets; at kMax entries pairs are merged.

class LiveSummary {
 public:
  static constexpr int64_t kMax = 32'768;  // entries

  // Notes the results of a set, which also count for the sets skipped after it if one in `thinning` is
  // analysed.
  void note(const FrameResult& result, int thinning);
  void forget_before(int64_t set);
  SetSummariesRef sets() const { return std::make_shared<const SetSummaries>(sets_); }

 private:
  void add(int64_t set, int16_t people);
  void halve();

  SetSummaries sets_;
};

}  // namespace vantage
