// The session that a front end drives. Commands (core/session/commands.h) return at once; the session's
// thread carries them out and reports to the listener. Results are immutable. The session knows a front end
// only through the listener.
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
  std::shared_ptr<ResultsWatcher> results;             // null: none
  std::shared_ptr<const CredentialStore> credentials;  // live cameras' credentials; as AnalysisOptions has it
  LiveOptions live;                                    // synchronisation of live cameras
};

enum class FrameState : uint8_t { not_analysed, current, out_of_date };

// One frame of the timeline's strips.
struct FrameSummary {
  FrameState state = FrameState::not_analysed;
  int16_t people = -1;     // when it was analysed; -1: unknown
  bool continued = false;  // on the CPU, after the device failed
  bool operator==(const FrameSummary&) const = default;
};

// Summaries of live sets: entry i covers the sets from first + i * every on.
struct SetSummaries {
  std::vector<FrameSummary> entries;
  int64_t first = 0, every = 1;
};
using SetSummariesRef = std::shared_ptr<const SetSummaries>;

// The past of live cameras, which is always kept.
struct PastStatus {
  RecordingState kept;  // kept.problem: why nothing more is kept
  double limit_s = 0;
  int64_t limit_bytes = 0;
};

// State of live cameras. Their newest set is always analysed; Analyse also writes the results until Stop.
// Meanwhile the past can be examined: Seek and Step go there, Pause stops, Play plays from the frame shown,
// FollowLive returns to the present.
struct LiveStatus {
  LiveHealth health;
  bool following = true;   // the present is shown
  double shown_utc_s = 0;  // the instant shown, since 1970; 0: nothing yet
  double behind_s = 0;     // age of that instant
  int64_t written = 0;     // sets in the results while they are written
  // Events of the project's rules, from when the rules were made or changed.
  LiveEventsRef events = std::make_shared<const std::vector<FloorEvent>>();
  std::vector<PushState> push;  // one per target of the project's messages; empty: nothing is sent from here
  // First frame set that can be shown, of the past or the recording; SessionStatus::frame_count is the end,
  // 0: there is none.
  int64_t first_frame = 0;
  PastStatus past;
  std::optional<RecordingState> recording;  // in progress; nothing: none was begun
  std::filesystem::path recorded_project;
  bool records_event = false;  // an event began the recording, which ends with it
  SetSummariesRef summaries;   // one per set that can be shown; null: none
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
  double seconds_left = -1;    // until the analysis ends; -1: unknown
  std::string activity;        // "Analysing 18 fps, 0:38"; empty when idle
  std::string undoes, redoes;  // names of the changes that Undo and Redo revert and repeat; empty: none
  bool unsaved = false;        // the project differs from its file
  bool on_cpu = false;         // also after the device failed
  // Unix time of unsaved changes that a program left when it ended early; 0: none.
  int64_t recoverable_s = 0;
  // Another owner of the open project: it is read-only here, can only be saved under another name, and its
  // results stay in memory.
  std::optional<ProcessOwner> held_by;
  // Changes by another program in the file since it was read, as text; empty: none.
  std::string changed_outside;
  // Videos and empty-scene clips that are not at the project's paths, as text; empty: none.
  std::string missing;
  std::vector<size_t> without_video;  // cameras whose videos are missing
  std::string keeps_from_analysing;   // why nothing is analysed, and what to do; empty: nothing prevents it
  std::shared_ptr<const LiveStatus> live;  // null: a recording of files
};

// A step that Undo or Redo has carried out, or that the front end must carry out.
struct RepeatedStep {
  std::string what;
  bool undone = false;              // else redone
  std::function<void()> carry_out;  // the part outside the project (command::Did); null: nothing is left
};

// Called on the session's thread, which a debug build asserts; implementations pass calls to their own
// thread.
class SessionListener {
 public:
  virtual ~SessionListener() = default;
  virtual void on_opened(const Project& project) = 0;  // after opening and after every change of the project
  virtual void on_frame(ShownFrameRef shown) = 0;      // the frame to show
  virtual void on_status(const SessionStatus& status) = 0;
  virtual void on_results(std::vector<FrameSummary> frames) = 0;  // per frame, for the timeline's strips
  // After opening, after an analysis and after every change of the repairs; null: there are none.
  virtual void on_tracks(TracksRef tracks) = 0;
  // A camera is out of step; each finding is reported once, and again when it was applied.
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

  // Thread-safe, returns at once; commands are carried out in order, of seeks only the newest.
  virtual void post(SessionCommand command) = 0;
};

// Serves the open project's results to other programs, as a front end switches it: stored results, and what a
// run or live cameras add. Thread-safe.

struct ServeChoice {
  std::string address;  // "127.0.0.1:8080", "[::1]:0"; port 0: a free one
  std::string token;    // required of clients; empty: none is required
  // PEM files for TLS (https://): the server's certificate, and its private key without a password. Both
  // empty: no TLS.
  std::filesystem::path certificate = {}, key = {};
  bool pictures = false;        // also serves the cameras' newest pictures, and clips, which show people
  std::string mark_token = {};  // required to mark events; empty: no one can mark any
};

class ResultService {
 public:
  virtual ~ResultService() = default;
  // True if other machines can reach the address; they need a token. invalid_argument for invalid addresses.
  virtual Result<bool> reaches_others(const std::string& address) const = 0;
  // Replaces what was served before. `folder`: of the project's results, which may not exist yet. Returns the
  // URL for clients: "http://127.0.0.1:8080/", "https://…" with a certificate. Blocks while it reads the
  // results. Errors: io where the port is in use; invalid_argument as above, and for an address that others
  // reach without a token; not_found, io, bad_data where certificate or key cannot be used.
  virtual Result<std::string> start(const ServeChoice& choice, const std::filesystem::path& folder) = 0;
  // Waits for answers in flight, about a second at most.
  virtual void stop() = 0;
};

}  // namespace vantage
