// The session, which a front end drives. Commands (core/session/commands.h) return at once; the session's
// thread carries them out and reports to the listener. Results are immutable. Upstream never calls
// downstream's owner: the listener is the only way back.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/process_owner.h"
#include "core/base/result.h"
#include "core/push/push_queue.h"
#include "core/run/offset_watcher.h"
#include "core/run/recorder.h"
#include "core/run/results_output.h"
#include "core/session/commands.h"
#include "core/session/live_events.h"
#include "core/session/recorded_tracks.h"
#include "core/session/shown_frame.h"

namespace vantage {

struct SessionOptions {
  DeviceBackends backends;
  std::shared_ptr<HardwareDecode> hardware;
  std::string device_description;                      // for the results' header: "CPU, 2 threads"
  std::shared_ptr<ResultsWatcher> results;             // null: no one watches them
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

// Summaries of live sets: entry i stands for the sets from first + i * every on.
struct SetSummaries {
  std::vector<FrameSummary> entries;
  int64_t first = 0, every = 1;
};
using SetSummariesRef = std::shared_ptr<const SetSummaries>;

// What is always kept of live cameras, to look back at.
struct PastStatus {
  RecordingState kept;  // kept.problem: why nothing more is kept
  double limit_s = 0;
  int64_t limit_bytes = 0;
};

// Live cameras. Their newest set goes through the chain all the time; analyse() also writes the results,
// until stop(). Meanwhile their past can be examined: seek() and step() go there, pause() stands still,
// play() plays on from what is shown, follow_live() goes back to what the cameras see now.
struct LiveStatus {
  LiveHealth health;
  bool following = true;   // what the cameras see now is shown
  double shown_utc_s = 0;  // the instant shown, since 1970; 0: nothing yet
  double behind_s = 0;     // how long ago that is
  int64_t written = 0;     // sets in the results, while they are written
  // Events of the project's rules, compared with every set from when they were made or changed.
  LiveEventsRef events = std::make_shared<const std::vector<FloorEvent>>();
  std::vector<PushState> push;  // by target of the project's messages; empty: nothing is sent from here
  // Frames are sets. The first one that can be shown, of the past or of the recording;
  // SessionStatus::frame_count ends behind the last one, 0: there is none.
  int64_t first_frame = 0;
  PastStatus past;
  std::optional<RecordingState> recording;  // that is being made; nothing: none was begun
  std::filesystem::path recorded_project;
  bool records_event = false;  // it was begun by an event, and ends with it
  SetSummariesRef summaries;   // of the sets that can be shown; null: of none
};

struct SessionStatus {
  bool open = false;
  bool playing = false;
  bool analysing = false;
  int64_t frame = 0;
  int64_t frame_count = 0;
  bool frame_count_exact = false;
  double frame_rate = 0;
  double analysed_fps = 0;     // while analysing or playing
  double seconds_left = -1;    // of the analysis; -1: unknown
  std::string activity;        // "Analysing 18 fps, 0:38"; empty when idle
  std::string undoes, redoes;  // what Undo and Redo are about, in words; empty: there is nothing
  bool unsaved = false;        // the project differs from its file
  bool on_cpu = false;         // the chain runs on the CPU, be it since the device failed
  // Since when unsaved changes of a program that ended early lie there (Unix time); 0: there are none.
  int64_t recoverable_s = 0;
  // Another owner of the open project: here it is read-only, saved under another name only, and its results
  // stay in memory.
  std::optional<ProcessOwner> held_by;
  // The changes of another program in the project's file since it was read, in words; empty: nothing.
  std::string changed_outside;
  // Which videos and empty-scene clips are not where the project says, in words; empty: all are there.
  std::string missing;
  std::vector<size_t> without_video;       // cameras whose videos are among these
  std::string keeps_from_analysing;        // why nothing is analysed, and what to do; empty: nothing does
  std::shared_ptr<const LiveStatus> live;  // null: a recording of files
};

// A step that Undo or Redo has carried out, or that the front end has to carry out.
struct RepeatedStep {
  std::string what;
  bool undone = false;              // else redone
  std::function<void()> carry_out;  // what lies outside the project (command::Did); null: all is done
};

// Called on the session's thread, which a debug build asserts; implementations hand over to their own.
class SessionListener {
 public:
  virtual ~SessionListener() = default;
  virtual void on_opened(const Project& project) = 0;  // after open() and after every change of the project
  virtual void on_frame(ShownFrameRef shown) = 0;      // the frame to show
  virtual void on_status(const SessionStatus& status) = 0;
  virtual void on_results(std::vector<FrameSummary> frames) = 0;  // per frame, for the timeline's strips
  // After opening, after an analysis and after every change of the repairs; null: there are none.
  virtual void on_tracks(TracksRef tracks) = 0;
  // A camera is out of step; each finding is told once, and once more when it was applied.
  virtual void on_offset_proposal(const OffsetProposal& proposal, bool applied) = 0;
  virtual void on_why(const WhyReport& report) = 0;  // the answer to Explain
  virtual void on_error(const Error& error) = 0;     // one message for the message bar
  virtual void on_note(const std::string& note) = 0;
  virtual void on_step(const RepeatedStep& step) = 0;
};

class Session {
 public:
  static std::unique_ptr<Session> make(SessionOptions options, std::shared_ptr<SessionListener> listener);
  virtual ~Session() = default;  // stops and joins

  // Called from any thread, at once; commands are carried out in order, of seeks only the newest.
  virtual void post(SessionCommand command) = 0;
};

// Serving the open project's results to other programs, as a front end switches it: what is on disk, and what
// a run or live cameras add while they write. All functions may be called from any thread.

struct ServeChoice {
  std::string address;  // "127.0.0.1:8080", "[::1]:0"; port 0: one that is free
  std::string token;    // that clients have to send; empty: none is asked for
  // Files in PEM form for TLS (https://): the server's certificate, and its private key without a password.
  // Both empty: without.
  std::filesystem::path certificate = {}, key = {};
  bool pictures = false;        // the cameras' newest pictures, too, and clips, which show people
  std::string mark_token = {};  // that events are marked with; empty: no one marks any
};

class ResultService {
 public:
  virtual ~ResultService() = default;
  // Whether other machines reach the address; they need a token. invalid_argument: it is none.
  virtual Result<bool> reaches_others(const std::string& address) const = 0;
  // In place of what was served before. `folder`: where the project's results lie or will lie. Returns where
  // clients ask: "http://127.0.0.1:8080/", "https://…" with a certificate. Reads the results, so it waits for
  // the disk. Errors: io where the port is in use; invalid_argument as above, and where others would be let
  // in without a token; not_found, io, bad_data where certificate or key cannot be used.
  virtual Result<std::string> start(const ServeChoice& choice, const std::filesystem::path& folder) = 0;
  // Waits for answers in flight, at most about a second.
  virtual void stop() = 0;
};

}  // namespace vantage
