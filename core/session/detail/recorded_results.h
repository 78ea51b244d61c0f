// Results of an open recording: frames analysed by this session or stored in its folder, and their people.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/pipeline/frame_result.h"
#include "core/results/results_paths.h"
#include "core/results/results_reader.h"
#include "core/session/detail/session_state.h"
#include "core/session/recorded_tracks.h"
#include "core/session/session.h"

namespace vantage {

// The analysed frames of a recording, with their versions and numbers of people, for the timeline's strips. A
// frame is identified by the versions of the chain's stages (pipeline.h).

class AnalysedFrames {
 public:
  void clear() { frames_.clear(); }

  // Adds a frame that this session analysed. True if it is new; previews and results without one of the
  // present stages are not added. `continued`: on the CPU, after the device failed.
  bool note(const FrameResult& result, const StageVersions& present, bool continued);
  // Adds a stored frame with the stage, unless this session has analysed it.
  void add_stored(const StoredFrame& frame, std::string_view last_stage);

  // Gives frames before `first_changed` of the versions `before` those of `now`.
  void restate(const StageVersions& before, const StageVersions& now, int64_t first_changed);

  // One entry per frame, for `count` frames; current if all stages have the versions of one of `present`.
  std::vector<FrameSummary> summary(int64_t count, std::span<const StageVersions> present) const;

 private:
  struct Analysed {
    std::shared_ptr<const StageVersions> versions;  // null: not yet
    int16_t people = -1;
    bool continued = false;
  };
  Analysed& at(int64_t frame);

  std::vector<Analysed> frames_;
  std::shared_ptr<const StageVersions> last_;  // shared by the frames of one run
};

class RecordedResults final : public SessionMode {
 public:
  explicit RecordedResults(SessionState& state) : state_(state) {}

  void forget();           // nothing is open
  void forget_analysed();  // drops what this session analysed

  // Reads the folder once nothing more urgent is to be done.
  void want(bool wanted);
  bool wanted() const { return wanted_; }
  // Continues reading for some milliseconds while it is wanted, so that commands are carried out in between.
  // True: all is read and people are known, so that the frame on screen may look different.
  bool read_on();
  // Applies the project's repairs to the tracks. Returns as above.
  bool repair();

  const TracksRef& tracks() const { return tracks_.tracks(); }
  // The tracks cover the frame, and are current as in the timeline.
  bool tells(int64_t frame) const;
  // A parameter has changed: while a video is missing, results of all videos may have become outdated.
  void compare_settings();
  // Why an analysis would replace results that cannot be computed again now; empty: it would not.
  std::string keeps_from_analysing() const;
  // Drops tracks of other parameters, whose results are about to be replaced; their IDs are not shown
  // meanwhile.
  void leave_other_tracks();

  // Notes a frame that the chain has computed. True: the timeline changes.
  bool note(const FrameResult& result);
  void show(FrameResultRef result);
  void restate(const VersionChange& versions);
  void report();          // to the timeline
  void report_in_turn();  // at most a few times a second

  void describe(SessionStatus& status) override;

 private:
  // State of reading.
  struct Reading {
    explicit Reading(ResultsReader reader) : frames(std::move(reader)) {}
    ResultsReader frames;
    std::optional<PathsReader> paths;      // nothing: all of them are in `tracks`
    std::optional<RecordedTracks> tracks;  // nothing: before the paths are read
    uint64_t tracks_version = 0;           // version of the last frame with one
    int64_t start_ns = 0;
    double share() const { return 0.5 * ((paths ? paths->share() : 1) + frames.share()); }
  };
  bool begin_reading();  // false: there is nothing to read
  void read_paths_on();
  Result<bool> read_frames_on();  // false: all are read
  bool end_reading();
  void examine_header();
  std::vector<uint64_t> current_tracks() const;
  SessionState::Ids ids_of(const FrameResult& result) const;

  SessionState& state_;
  AnalysedFrames analysed_;
  RecordedTracks tracks_;        // tracks of the results on disk
  uint64_t tracks_version_ = 0;  // the tracking stage's that made them
  // Results made with a video that is missing now.
  struct OfAllVideos {
    StageVersions versions;
    std::string settings;
    bool current = false;  // the project has the same settings
  };
  std::optional<OfAllVideos> of_all_videos_;
  bool wanted_ = false;
  std::optional<Reading> reading_;
  int64_t last_report_ns_ = 0;
};

}  // namespace vantage
