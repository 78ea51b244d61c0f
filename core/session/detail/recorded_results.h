// The results of an open recording: which frames were analysed, by this session or as its folder says, and
// who is in them.
#pragma once

#include <cstdint>
#include <vector>

#include "core/session/detail/analysed_frames.h"
#include "core/session/detail/session_state.h"
#include "core/session/recorded_tracks.h"

namespace vantage {

class RecordedResults {
 public:
  explicit RecordedResults(SessionState& state) : state_(state) {}

  void forget();           // nothing is open
  void forget_analysed();  // what this session analysed is of no use any more

  // The folder is read as soon as nothing more urgent is to be done.
  void want(bool wanted) { wanted_ = wanted; }
  bool wanted() const { return wanted_; }
  // The folder, and the tracks with the project's repairs. True: people are known, so that the frame on
  // screen may look otherwise.
  bool read();
  bool repair();

  const TracksRef& tracks() const { return tracks_.tracks(); }
  // Whether they tell who is in the frame, current as the timeline shows it.
  bool tells(int64_t frame) const;
  // Tracks of other parameters go with their results, whose place new ones take; nobody is called by their
  // IDs meanwhile.
  void leave_other_tracks();

  // A frame that the chain has computed. True: the timeline changes.
  bool note(const FrameResult& result);
  void show(FrameResultRef result);
  void restate(const VersionChange& versions);
  void report();          // for the timeline
  void report_in_turn();  // a few times a second

 private:
  void read_tracks(const StoredResults& stored);
  std::vector<uint64_t> current_tracks() const;
  SessionState::Ids ids_of(const FrameResult& result) const;

  SessionState& state_;
  AnalysedFrames analysed_;
  RecordedTracks tracks_;        // of the results on disk
  uint64_t tracks_version_ = 0;  // of the tracking stage they were made with
  bool wanted_ = false;
  int64_t last_report_ns_ = 0;
};

}  // namespace vantage
