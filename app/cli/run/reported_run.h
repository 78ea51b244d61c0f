// A run with the output of `run` beyond the results: events and offsets as they come, the summary, and the
// server that gets the results.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/backends/backends.h"
#include "app/cli/common/chain.h"
#include "app/cli/run/run_live.h"
#include "app/cli/run/served_run.h"
#include "core/base/distinct_ids.h"
#include "core/base/json.h"
#include "core/check/check.h"
#include "core/live/health.h"
#include "core/project/project.h"
#include "core/run/run.h"

namespace vantage::cli {

// Figures of `run`, reported at its end; people and tracks are those of its results.

// A camera and the figures of its detector.
struct CameraDetector {
  std::string camera;
  DetectorState state;
};

struct RunSummary {
  int64_t frames = 0;
  double seconds = 0;
  // Seconds to the first frame of a recording, learning included, and from there to the last.
  std::optional<double> opening_s, steady_s;
  int64_t volumes = 0;                       // frames with a volume, of people known or unknown
  int64_t people_sum = 0, known_frames = 0;  // frames whose people are known
  int64_t carried_frames = 0;                // known frames carried from an earlier examined frame
  int64_t litres_frames = 0;                 // frames whose volume is known
  double litres_sum = 0;                     // over those
  DistinctIds tracks;
  int64_t height_maps = 0, map_heads = 0, joined_heads = 0;  // heads of people also found otherwise
  std::string results;                                       // the folder
  std::string served;                                        // address; empty: not served
  std::optional<int64_t> events;                             // for live cameras of a project with rules
  std::optional<LiveHealth> live;           // after the last set: the cameras continue meanwhile
  std::optional<EndedRecording> recording;  // set for live cameras
  std::vector<EndedRecording> event_recordings;
  std::map<std::string, std::vector<int64_t>> stopped_at;  // reasons why no one was found: frames, ascending
  std::map<std::string, int64_t> unknown_for;              // frames with unknown people, by reason
  std::vector<CameraDetector> detectors;                   // for people from detections; else empty

  void add(const FrameResult& result);
  // After the last frame, when the results are complete with IDs of paths and people of the second pass.
  // people again.
  Status count_people();
};

void print_summary(const RunSummary& summary, const Backends& backends);
void print_summary_json(const RunSummary& summary, const Backends& backends);

// Output of `run --offsets propose|apply` on cameras out of step, as they are found and in offsets.json; and
// the update of the project's file.

class OffsetReport {
 public:
  // `project`: as analysed, with applied offsets; must outlive this. `live`: of live cameras.
  OffsetReport(const Project& project, bool live)
      : project_(project), live_(live), changes_(project.cameras.size()) {}

  // On stderr.
  void add(const OffsetProposal& proposal, bool applied);
  void add_applied(const AppliedOffset& applied);
  // Writes offsets.json into the folder of the results.
  Status write(const std::string& folder) const;
  // Writes applied offsets into the project's file; if that fails, `folder` still has them.
  Status write_project(const std::string& folder) const;

 private:
  void add_frames(const OffsetProposal& proposal, bool applied);
  void add_delay(const OffsetProposal& proposal, bool applied);

  const Project& project_;
  const bool live_;
  std::vector<std::vector<OffsetChange>> changes_;  // one per camera
  nlohmann::ordered_json proposals_ = nlohmann::ordered_json::array();
};

struct RunArguments {
  ChainOptions chain;
  std::string out;       // folder; empty: the project's own
  std::string variant;   // its parameters are used, and its name for the results; empty: none
  bool replace = false;  // existing results of that name
  std::string offsets = "keep";
  std::string push = "live";  // live, always or never
  bool sequential = false, json = false, force = false, no_check = false, write_offsets = false;
  ResultsPictureOptions pictures;
  LiveRunOptions live;
  ServeOptions serve;
};

class ReportedRun final : public RunListener {
 public:
  // Begins the results, or ends the command with the error. `range`: frames to be analysed; `server`: null:
  // not served.
  ReportedRun(const RunArguments& options, OpenedChain& chain, const FrameRange& range,
              std::unique_ptr<server::ResultServer> server);

  // Analyses every frame of the range, or every set of live cameras until the time is over.
  Status analyse();
  // Completes the results, however the analysis ended. Returns all errors in order.
  std::vector<Error> finish();
  // After finish(), on stdout.
  void print(double seconds);

 private:
  void open_push_or_fail();
  void begin_results_or_fail();
  void finish_push();
  void on_offset_proposal(const OffsetProposal& proposal) override;
  void on_offset_applied(const AppliedOffset& applied) override;
  void on_delays(const std::vector<OffsetProposal>& proposals) override;
  void on_events(const std::vector<FloorEvent>& events) override;
  void on_event_to_record(int64_t raised_frame) override;
  void on_events_over() override;
  void on_writing_failed(const Error& error) override;
  void on_watching_failed(const Error& error) override;

  const RunArguments& options_;
  OpenedChain& chain_;
  const FrameRange range_;
  OffsetReport offsets_;
  const std::shared_ptr<ServedRun> served_;  // null: not served
  Run run_;
  RunSummary summary_;
  bool writing_failed_ = false;
  bool recording_events_ = false;  // the present recording is that of an event
  std::vector<Error> failed_;      // during the run
};

// The checks that a run performs first.

// All checks of a project, for the device that `backend` names on the command line.
CheckReport check_for(const std::string& backend, const Project& project, CheckOptions options);

// A few frame sets, some seconds at most. Prints doubtful and failed checks; a failure ends the command
// unless forced. `backend`: as on the command line; `out`: folder for the results. `without_missing`: cameras
// without their video are no failure.
void check_before_run(const Project& project, const std::string& backend, const std::string& out, bool force,
                      bool without_missing);

}  // namespace vantage::cli
