// What a front end drives. Commands return at once; a worker thread carries them out, newest seek first, and
// reports to the listener. Results are immutable. Upstream never calls downstream's owner: the listener is
// the only way back.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/process_owner.h"
#include "core/recording/recorder.h"
#include "core/run/offset_watcher.h"
#include "core/run/results_watcher.h"
#include "core/session/live_events.h"
#include "core/session/recorded_tracks.h"

namespace vantage {

struct SessionOptions {
  DeviceBackends backends;
  std::shared_ptr<HardwareDecode> hardware;
  std::string device_description;                      // for the results' header: "CPU, 2 threads"
  std::shared_ptr<ResultsWatcher> results;             // null: nobody watches them
  std::shared_ptr<const CredentialStore> credentials;  // of live cameras; as AnalysisOptions has it
  LiveOptions live;                                    // how live cameras are brought together
};

enum class FrameState : uint8_t { not_analysed, current, out_of_date };

// One frame of the timeline's strips.
struct FrameSummary {
  FrameState state = FrameState::not_analysed;
  int16_t people = -1;     // counted when it was analysed; -1: unknown
  bool continued = false;  // on the CPU, after the device failed
  bool operator==(const FrameSummary&) const = default;
};

// Of live sets: entry i stands for the sets from i * every on.
struct SetSummaries {
  std::vector<FrameSummary> entries;
  int64_t every = 1;
};
using SetSummariesRef = std::shared_ptr<const SetSummaries>;

// Live cameras. Their newest set goes through the chain all the time; analyse() also writes the results,
// until stop(). pause() leaves on screen what is there, play() goes back to what the cameras see now.
struct LiveStatus {
  LiveHealth health;
  bool following = true;   // what the cameras see now is shown, not what they saw when it was paused
  double shown_utc_s = 0;  // the moment shown, since 1970; 0: nothing yet
  double behind_s = 0;     // how long ago that is
  int64_t written = 0;     // sets in the results, while they are written
  // By the project's rules, held against every set from when they were made or changed.
  LiveEventsRef events = std::make_shared<const std::vector<FloorEvent>>();
  // Of start_recording(); as long as it lasts, seek() and step() show what was recorded, and play() returns
  // to the cameras. Frames are sets; SessionStatus::frame_count ends behind the last one that can be shown.
  std::optional<RecordingState> recording;  // nothing: none was begun
  std::filesystem::path recorded_project;
  SetSummariesRef summaries;  // of the sets whose results are written since then; null: of none
};

// What a front end may bound or lengthen while the session works.
struct SessionLimits {
  size_t cache_bytes = size_t{2} << 30;       // results kept in memory for going back to
  size_t checkpoint_bytes = size_t{1} << 30;  // what stages with memory remembered, kept for replays
  double trail_s = 4;                         // length of trails
};

struct SessionStatus {
  bool open = false;
  bool playing = false;
  bool analysing = false;
  int64_t frame = 0;
  int64_t frame_count = 0;
  bool frame_count_exact = false;
  double frame_rate = 0;
  double analysed_fps = 0;   // while analysing or playing
  double seconds_left = -1;  // of the analysis; -1: unknown
  std::string activity;      // "Analysing 18 fps, 0:38"; empty when idle
  bool can_undo = false, can_redo = false;
  bool unsaved = false;  // the project differs from its file
  bool on_cpu = false;   // the chain runs on the CPU, be it since the device failed
  // Since when unsaved changes of a program that ended early lie there (Unix time); 0: there are none.
  int64_t recoverable_s = 0;
  // Who else has the project open: here it is read-only, saved under another name only, and its results stay
  // in memory.
  std::optional<ProcessOwner> held_by;
  // What another program has changed in the project's file since it was read, in words; empty: nothing.
  std::string changed_outside;
  // Which videos and empty-scene clips are not where the project says, in words; empty: all are there.
  std::string missing;
  std::shared_ptr<const LiveStatus> live;  // null: a recording of files
};

// Called on the session's thread; implementations hand over to their own.
class SessionListener {
 public:
  virtual ~SessionListener() = default;
  virtual void on_opened(const Project& project) = 0;  // after open() and after every change of the project
  virtual void on_frame(FrameResultRef result) = 0;    // the frame to show
  virtual void on_status(const SessionStatus& status) = 0;
  virtual void on_results(std::vector<FrameSummary> frames) = 0;  // per frame, for the timeline's strips
  // After opening, after an analysis and after every change of the repairs; null: there are none.
  virtual void on_tracks(TracksRef tracks) = 0;
  // A camera is out of step; each finding is told once, and once more when it was applied.
  virtual void on_offset_proposal(const OffsetProposal& proposal, bool applied) = 0;
  virtual void on_error(const Error& error) = 0;  // one message for the message bar
  virtual void on_note(const std::string& note) = 0;
};

class Session {
 public:
  static std::unique_ptr<Session> make(SessionOptions options, std::shared_ptr<SessionListener> listener);
  virtual ~Session() = default;  // stops and joins

  virtual void open(const std::filesystem::path& path) = 0;
  virtual void open(const Project& project) = 0;
  virtual void close() = 0;
  // Over the project's own file only while nobody else has written it since: otherwise nothing is written,
  // and SessionStatus::changed_outside tells.
  virtual void save(const std::filesystem::path& path) = 0;
  virtual void overwrite() = 0;     // saves over what others wrote
  virtual void reload() = 0;        // takes over what others wrote, as a change that can be undone
  virtual void take_over() = 0;     // the project from who has it: it is read-only here no more
  virtual void look_at_file() = 0;  // has somebody written it, closed it, or brought missing videos back?
  // Keeps unsaved changes in a file of their own (core/session/autosave.h), so that a program that ends early
  // loses nothing; removes that file where all is saved.
  virtual void autosave() = 0;
  // Takes over the changes that recoverable_s tells of; they can be undone.
  virtual void recover() = 0;

  virtual void seek(int64_t frame) = 0;
  virtual void step(int64_t delta) = 0;  // from the frame last asked for
  virtual void play() = 0;  // in real time; frames are skipped for display when the chain is slower
  virtual void pause() = 0;
  virtual void set_playback_rate(double rate) = 0;      // 1 real time; negative plays backwards
  virtual void set_analyse_while_playing(bool on) = 0;  // off: playing shows pictures only

  virtual void set_parameter(const std::string& stage, const std::string& name, double value) = 0;
  virtual void reset_parameter(const std::string& stage, const std::string& name) = 0;
  // Any other change of the project; `what` names it ("box"), so that the steps of one drag are taken back
  // together. Runs on the session's thread, on a copy.
  virtual void edit(const std::string& what, std::function<void(Project&)> change) = 0;
  // An edit that adds a repair of identities to the project. It is held against the tracks of the results
  // first, as they are then; one that would change somebody else, or that does not hold, is an error.
  virtual void repair(const MeantRepair& meant) = 0;
  // While frames are analysed, from the next one on: none is lost, and those before it stay current.
  // Otherwise the project is edited from where the camera came out of step.
  virtual void apply_offset(const OffsetProposal& proposal) = 0;
  virtual void undo() = 0;
  virtual void redo() = 0;

  // Runs the chain over a range; results go to NAME.results as `vantage-cli run` writes them, beside the
  // frames of the same versions that are there already (a project never saved keeps them in memory). Of live
  // cameras every set from now until stop(), in place of the results that are there.
  virtual void analyse(FrameRange range) = 0;
  virtual void stop() = 0;
  // Live cameras are recorded from now on, as a project of that path (core/recording/recorder.h), and the
  // results go there. Parameters that are changed meanwhile are not in that project.
  virtual void start_recording(const std::filesystem::path& project) = 0;
  virtual void stop_recording() = 0;
  // What a live camera shows now is the right view of its calibration: it is kept in place of the one before
  // (core/live/known_views.h), and the camera is no longer told as turned. Not undone by undo().
  virtual void accept_view(size_t camera) = 0;
  // After an error of kind device_lost or out_of_memory: takes the chain to the CPU until the program ends,
  // and goes on with the analysis that the error ended. What the device analysed stays current; what follows
  // is marked.
  virtual void continue_on_cpu() = 0;
  // Every frame shown from now on carries a plane cut of the confidence volume (core/run/cut_artifact.h);
  // nothing: none.
  virtual void set_cut(std::optional<CutPlane> plane) = 0;
  virtual void set_offset_watch(OffsetWatch watch) = 0;  // off at first
  virtual void set_limits(const SessionLimits& limits) = 0;
  // The display path: true when the window cannot read the chain's device memory.
  virtual void set_host_display(bool on) = 0;
};

}  // namespace vantage
