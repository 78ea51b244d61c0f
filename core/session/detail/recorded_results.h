// The results of an open recording: which frames were analysed, by this session or as its folder says, and
// who is in them.
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

// Which frames of a recording have been analysed, with which parameters, and how many people were counted:
// what the timeline's strips show. A frame is known by the versions of the chain's stages (pipeline.h).

class AnalysedFrames {
 public:
  void clear() { frames_.clear(); }

  // Adds a frame that this session analysed. True where it is new; previews and results without one of the
  // present stages are not. `continued`: on the CPU, after the device failed.
  bool note(const FrameResult& result, const StageVersions& present, bool continued);
  // Adds a frame that is on disk with the stage, unless this session has analysed it itself.
  void add_stored(const StoredFrame& frame, std::string_view last_stage);

  // Frames before `first_changed` of the versions `before` get those of `now`.
  void restate(const StageVersions& before, const StageVersions& now, int64_t first_changed);

  // One entry a frame, for `count` frames; current where the versions are those of one of `present`, of all
  // its stages.
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
  void forget_analysed();  // what this session analysed is of no use any more

  // The folder is read as soon as nothing more urgent is to be done.
  void want(bool wanted);
  bool wanted() const { return wanted_; }
  // Reads on for some milliseconds, as long as it is wanted: commands are carried out in between. True: all
  // is read and people are known, so that the frame on screen may look otherwise.
  bool read_on();
  // The tracks with the project's repairs. True: as above.
  bool repair();

  const TracksRef& tracks() const { return tracks_.tracks(); }
  // Whether they tell who is in the frame, current as the timeline shows it.
  bool tells(int64_t frame) const;
  // A parameter has changed: results of all videos, while one is missing, may be others'.
  void compare_settings();
  // Why nothing is to be analysed, which would replace results that cannot be had again now; empty: nothing.
  std::string keeps_from_analysing() const;
  // Tracks of other parameters go with their results, whose place new ones take; no one is called by their
  // IDs meanwhile.
  void leave_other_tracks();

  // A frame that the chain has computed. True: the timeline changes.
  bool note(const FrameResult& result);
  void show(FrameResultRef result);
  void restate(const VersionChange& versions);
  void report();          // for the timeline
  void report_in_turn();  // a few times a second

  void describe(SessionStatus& status) override;

 private:
  // What was read so far.
  struct Reading {
    explicit Reading(ResultsReader reader) : frames(std::move(reader)) {}
    ResultsReader frames;
    std::optional<PathsReader> paths;      // nothing: all of them are in `tracks`
    std::optional<RecordedTracks> tracks;  // nothing: not before the paths are there
    uint64_t tracks_version = 0;           // of the last frame with one
    int64_t start_ns = 0;
    double share() const { return 0.5 * ((paths ? paths->share() : 1) + frames.share()); }
  };
  bool begin_reading();  // false: there is nothing to read
  void read_paths_on();
  Result<bool> read_frames_on();  // false: that was all
  bool end_reading();
  void examine_header();
  std::vector<uint64_t> current_tracks() const;
  SessionState::Ids ids_of(const FrameResult& result) const;

  SessionState& state_;
  AnalysedFrames analysed_;
  RecordedTracks tracks_;        // of the results on disk
  uint64_t tracks_version_ = 0;  // of the tracking stage they were made with
  // Results that were made with a video that is missing now.
  struct OfAllVideos {
    StageVersions versions;
    std::string settings;
    bool current = false;  // the settings are the project's
  };
  std::optional<OfAllVideos> of_all_videos_;
  bool wanted_ = false;
  std::optional<Reading> reading_;
  int64_t last_report_ns_ = 0;
};

}  // namespace vantage
