// State shared by the modes of a session: the open project with the run over its frames, and access to the
// listener. Used only by the session's thread.
#pragma once

#include <cassert>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/threads.h"
#include "core/display/trails.h"
#include "core/project/missing_files.h"
#include "core/project/project.h"
#include "core/run/run.h"
#include "core/session/detail/command_queue.h"
#include "core/session/detail/project_file.h"
#include "core/session/session.h"

namespace vantage {

// Undo and redo of users' changes, in one order. A slider drag is one change: changes of the project with one
// name that follow each other within a second are undone together.

class ProjectHistory {
 public:
  static constexpr size_t kMaxSteps = 200;  // older ones are dropped

  struct Step {
    std::string what;
    Project project = {};                   // the state that the step leads to
    std::function<void()> undo, redo = {};  // for steps outside the project; null: a step of the project
  };

  void clear() { undo_.clear(), redo_.clear(), last_name_.clear(); }
  std::string undoes() const { return undo_.empty() ? std::string() : undo_.back().what; }
  std::string redoes() const { return redo_.empty() ? std::string() : redo_.back().what; }

  // `name` has changed the project from `before`.
  void note(Project before, const std::string& name, int64_t now_ns) {
    if (name != last_name_ || now_ns - last_ns_ >= 1'000'000'000 || undo_.empty())
      add({name, std::move(before), nullptr});
    redo_.clear();
    last_name_ = name;
    last_ns_ = now_ns;
  }
  void note(const command::Did& did) {
    add({did.what, {}, did.undo, did.redo});
    redo_.clear();
    last_name_.clear();
  }
  // Requires an existing step; `present` becomes the step of the other direction. The path does not change.
  Step undo(const Project& present) { return move(undo_, redo_, present); }
  Step redo(const Project& present) { return move(redo_, undo_, present); }

 private:
  void add(Step step) {
    undo_.push_back(std::move(step));
    if (undo_.size() > kMaxSteps) undo_.pop_front();
  }
  Step move(std::deque<Step>& from, std::deque<Step>& to, const Project& present) {
    Step step = std::move(from.back());
    from.pop_back();
    to.push_back({step.what, step.undo ? Project() : present, step.undo, step.redo});
    step.project.path = present.path;
    last_name_.clear();
    return step;
  }

  std::deque<Step> undo_, redo_;
  std::string last_name_;
  int64_t last_ns_ = 0;
};

// One mode of work of a session's thread, with its own flags.
class SessionMode {
 public:
  virtual ~SessionMode() = default;
  // Adds its part to the status for the listener.
  virtual void describe(SessionStatus& status) = 0;
};

// A device that failed, while the project is as it was then: its results are as valid as the CPU's.
struct DeviceFailure {
  std::optional<StageVersions> before;  // versions of the chain when it failed; nothing: no device has failed

  void forget() { *this = {}; }
};

struct SessionState {
  // The source of a shown frame's IDs.
  enum class Ids : uint8_t { of_results, of_chain, none };

  SessionState(SessionOptions session_options, std::shared_ptr<SessionListener> session_listener,
               CommandQueue& session_commands, RunListener& run_listener);

  // ---- the open project
  // Also true without an analysis: after a failure to open one, the project can still be edited, which opens
  // another, and saved.
  bool holds_project() const { return !project.cameras.empty(); }
  DeviceBackends backends() const;  // on the chain's device
  bool keeps_results() const;       // on disk, next to the project
  int64_t last_frame() const;
  double frame_rate() const;
  // Versions of all stages that results depend on: a frame is current while none has changed.
  StageVersions present_versions() const;
  StageVersions with_results(const StageVersions& versions) const;
  std::string_view last_stage() const;
  std::vector<size_t> without_video() const;  // cameras whose videos are missing
  Result<RunDescription> describe_run() const;

  // ---- to the listener
  SessionListener& listener() const {
    assert(thread.here());
    return *session_listener;
  }
  void report_error(const Error& error) const { listener().on_error(error); }
  void report_status();
  void report_status_in_turn();  // a few times a second
  int64_t trail_frames() const;
  // Adds the slice and the trails, which are stored nowhere.
  void hand_over(std::shared_ptr<ShownFrame> frame_to_show, Ids ids);

  // True at most once in the interval.
  static bool due(int64_t* last_ns, int64_t interval_ns);

  const ThreadCheck thread;
  const SessionOptions options;
  const std::shared_ptr<SessionListener> session_listener;
  CommandQueue& commands;

  Project project;
  std::unique_ptr<Analysis> analysis;  // null: nothing is open, or it could not be opened again
  Device device;                       // the chain's: the CPU once the device failed
  DeviceFailure failure;
  Run run;              // the analysis run
  std::string opening;  // progress of opening a project; empty: none is being opened
  ProjectFile file;
  ProjectHistory history;
  std::vector<MissingFile> missing;        // when the analysis was opened
  int64_t frame = 0;                       // requested
  int64_t frame_on_screen = -1;            // handed over last; -1: none of this analysis
  std::weak_ptr<const FrameResult> shown;  // result of that frame
  TrailStore trails;
  std::optional<CutPlane> cut;
  SessionLimits limits;
  std::vector<SessionMode*> modes;  // all that describe the status
  SessionStatus status;             // as reported last
  int64_t last_status_ns = 0;
};

}  // namespace vantage
