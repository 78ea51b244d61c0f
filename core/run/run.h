// Runs one opened project over its frames, for `vantage-cli run` and the window's session. Every frame goes
// to the results and their watcher, to the rules and to the monitor of offsets; live cameras are recorded
// meanwhile. A front end keeps its project, and decides what it shows and prints.
//
// Not thread-safe: used by the thread that makes it; the listener is called on that thread, from inside the
// called function.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "core/base/threads.h"
#include "core/fusion/detector_watch.h"
#include "core/image/backend/registry.h"
#include "core/push/push.h"
#include "core/results/results_events.h"
#include "core/results/results_versions.h"
#include "core/results/results_writer.h"
#include "core/run/analysis.h"
#include "core/run/offset_watcher.h"
#include "core/run/recorder.h"
#include "core/run/results_output.h"
#include "core/tracks/counting/rules.h"

namespace vantage {

// A camera of a recording that was brought into step between two frames.
struct AppliedOffset {
  OffsetProposal proposal;
  OffsetChange change;     // change.base_frame: the first frame with it
  VersionChange versions;  // versions of the chain's stages
};

// A recording of live cameras that has ended.
struct EndedRecording {
  Status status;  // the error is why it ended early
  RecordingState state;
  std::filesystem::path project;
};

class RunListener {
 public:
  virtual ~RunListener() = default;
  // A camera is out of step, and nothing was changed.
  virtual void on_offset_proposal(const OffsetProposal& proposal) = 0;
  // The recording has the offset; the front end adds it to its project, as `change` of the camera. The chain
  // is stopped.
  virtual void on_offset_applied(const AppliedOffset& applied) = 0;
  // Offsets of live cameras, at least one, to be applied. The front end changes its project and calls
  // Run::correct_delays(), or refuses.
  virtual void on_delays(const std::vector<OffsetProposal>& proposals) = 0;
  // The front end's ID of the person with the chain's `id` in that frame, for events, their file and
  // messages.
  virtual int64_t shown_id(const FrameResult& /*result*/, int64_t id) { return id; }
  // Events of the watched rules, raised or ended.
  virtual void on_events(const std::vector<FloorEvent>& events) = 0;
  // Results of live cameras can no longer be written. The cameras are analysed nevertheless.
  virtual void on_writing_failed(const Error& error) = 0;
  // Requests a recording, with recording.events, of the event raised at that set and of all others until it
  // is over.
  virtual void on_event_to_record(int64_t /*raised_frame*/) {}
  virtual void on_events_over() {}
  // Monitoring of the cameras' offsets has failed.
  virtual void on_watching_failed(const Error& error) = 0;
};

struct RunOptions {
  DeviceBackends backends;                  // the analysis'; attach() may choose another device
  std::string device_description;           // for the results' header: "CPU, 2 threads"
  std::shared_ptr<ResultsWatcher> watcher;  // the results'; null: none
};

class Run {
 public:
  // `project`: the front end's, which may change; it and `listener` must outlive the run.
  Run(const Project& project, RunOptions options, RunListener& listener);
  ~Run();  // as detach()

  // Uses the opened project, on its device, instead of the previous one.
  void attach(Analysis& analysis);
  // Before the analysis is destroyed: ends the recording of live cameras, and results in progress.
  void detach();

  // ---- results

  // The project, or that of the recording of its live cameras.
  const Project& results_project() const { return recorder_ ? recorder_->project() : project_; }
  // Description of the results, for the front end to complete.
  Result<RunDescription> describe() const;
  // Writes results of results_project() from the next frame on; for live cameras also their events.
  Status begin_results(RunDescription description, const ResultsOptions& options);
  // Completes the results, however the frames ended. Only while writing().
  EndedResults end_results();
  bool writing() const { return results_.writer() != nullptr; }
  int64_t written() const { return results_.writer() ? results_.writer()->frames() : 0; }  // frames
  ResultsOutput& output() { return results_; }

  // ---- a recording of files

  // Analyses every frame of the range in order and writes it while results are written; then `sink` gets it,
  // which may call apply(), and ends the analysis by returning false. With ResultsOptions::figures_suffice
  // frames may have no pictures. Errors: of the chain, and of writing.
  //
  // An offset found or applied at frame N takes effect at frame N + 1: the chain stops between the two, the
  // recording changes, and the analysis continues after it. That frame depends neither on the mode nor on how
  // far the chain has read ahead, and no frame is skipped or passed twice.
  Status analyse(FrameRange range, ExecutionMode mode, const StopSource& stop,
                 const std::function<bool(const FrameResultRef&)>& sink);
  // Called inside analyse(): takes effect at the frame after the present one of `sink`.
  void apply(const OffsetProposal& proposal) { accepted_.push_back(proposal); }
  // While nothing is analysed: takes effect at that frame.
  void apply_at(const OffsetProposal& proposal, int64_t first_frame);

  // ---- rules and messages

  // Uses the project's present rules from the next frame on.
  Status watch_rules();
  int64_t events_raised() const { return rules_ ? rules_->raised() : 0; }
  bool has_rules() const { return rules_.has_value(); }
  // Sends their events, and the health of live cameras, from now on to the project's push targets, instead of
  // the previous ones. `credentials`: null: the file at default_credential_path(). Errors: as Push::open().
  Status open_push(std::shared_ptr<const CredentialStore> credentials);
  Push* push() { return push_.get(); }  // null: nothing is sent

  // ---- live cameras

  // Analyses every set until `seconds` have passed (0: indefinitely), a stop request, or false from `sink`.
  // Errors: of the cameras and the chain.
  Status follow(double seconds, const StopSource& stop,
                const std::function<bool(const FrameResultRef&)>& sink);
  // Parts of follow(). The newest set; nothing: none came in that time. ErrorKind::cancelled on a stop
  // request.
  Result<std::optional<int64_t>> next_set(double limit_s, const StopSource& stop);
  Result<FrameResultRef> compute_set(int64_t set, const StopSource& stop);
  // Passes a set to rules, results and the monitor of the cameras' delays.
  void take_set(const FrameResultRef& result);

  // Applies the project's delays to the cameras.
  void correct_delays();
  // Keeps packets for recordings that begin before their request (recording.before_s), and records events if
  // the project says so. Call again when its parameters change.
  void prepare_recordings();
  Status keep_past();                               // starts now, instead of the previous one
  const Past* past() const { return past_.get(); }  // null: none is kept
  // Records the streams as a project of that path, from recording.before_s before that set on, as far as they
  // are kept; begin_results() then writes its results.
  Status record(const std::filesystem::path& project, int64_t set);
  const Recorder* recorder() const { return recorder_.get(); }  // null: nothing is recorded
  std::optional<EndedRecording> finish_recording();             // nothing: there was no recording

  OffsetWatcher& offsets() { return offsets_; }

  // Figures of the latest frames of the last analysis, or of the live cameras, if people come from
  // detections; one per camera, empty: none.
  std::vector<DetectorState> detectors() const;
  // One sentence per camera whose detector has a fault.
  std::vector<std::string> detector_faults() const;
  // Health of live cameras, with faults of their detectors, over the last seconds.
  LiveHealth live_health();

 private:
  DeviceBackends backends() const;  // those of the analysis's device
  Status write(const FrameResultRef& result);
  Delivered delivered() const;
  Status write_set(const FrameResult& result, const std::vector<FloorEvent>& events);
  std::vector<FloorEvent> raise_events(const FrameResultRef& result);
  void name_people(const FrameResult& result, std::vector<FloorEvent>* events);
  Status open_events();
  void watch_offsets(const FrameResult& result);
  void watch_detectors(const FrameResult& result);
  void apply_accepted(int64_t first_frame);
  void report_health();
  void record_events(int64_t frame, const std::vector<FloorEvent>& events);

  const ThreadCheck thread_;
  const Project& project_;
  const RunOptions options_;
  RunListener& listener_;
  Analysis* analysis_ = nullptr;
  ResultsOutput results_;
  OffsetWatcher offsets_;
  std::optional<DetectorWatch> detectors_;  // watches from the first frame with people from detections
  Delivered results_need_;                  // parts needed by the results
  std::vector<std::string> faults_;         // live: by camera, as judged last
  int64_t faults_judged_ns_ = 0;
  std::vector<OffsetProposal> accepted_;  // to be applied when the chain is stopped
  std::optional<RuleWatch> rules_;        // nothing: none are watched
  // IDs of events in progress, by rule, the chain's ID and first frame.
  std::map<std::tuple<std::string, int64_t, int64_t>, int64_t> shown_ids_;
  std::unique_ptr<Push> push_;        // null: nothing is sent
  double recording_start_utc_s_ = 0;  // start of a pushed recording, seconds since 1970; 0: unknown
  // Live cameras only:
  std::unique_ptr<Past> past_;                                                   // null: none is kept
  std::unique_ptr<Recorder> recorder_;                                           // null: nothing is recorded
  const std::shared_ptr<KeptPictures> kept_ = std::make_shared<KeptPictures>();  // shared by both
  std::optional<EventTrigger> trigger_;      // nothing: events are not recorded
  bool event_told_ = false;                  // an event to be recorded is in progress
  std::unique_ptr<EventWriter> event_file_;  // next to the results, if there are rules
  bool writing_failed_ = false;
  int64_t health_reported_ns_ = 0;
};

// Description of an opened analysis for its results.

// `backends`: of the analysis's device, to copy pictures from. `device_description`: "CPU, 2 threads".
// Errors: of the device.
Result<RunDescription> describe_run(Analysis& analysis, const DeviceBackends& backends,
                                    std::string device_description);

// Opens a project's live cameras without an analysis.

// Opens them as Analysis::open() does; files among them are played in real time. Errors: those of
// LiveFrameSource::open().
Result<std::unique_ptr<LiveFrameSource>> open_live_cameras(const Project& project,
                                                           const AnalysisOptions& options);

}  // namespace vantage
