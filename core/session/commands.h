// Commands from a front end to a session, one struct each: Session::post(command::Seek{12}). A new command
// gets an on() in SessionWorker. kUrgency states the work that a command interrupts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "core/carving/cut.h"
#include "core/pipeline/pipeline.h"
#include "core/project/project.h"
#include "core/run/offset_watcher.h"
#include "core/tracks/repairs/repairs.h"
#include "core/why/answer.h"

namespace vantage {

// A command interrupts work of its own rank and below.
enum class Urgency : uint8_t {
  remark,  // a setting: interrupts only refining, which is resumed
  seek,    // likewise; replaces an earlier seek
  change,  // also interrupts an analysis
  leave,   // interrupts everything
};

// Limits that a front end can change during a session.
struct SessionLimits {
  size_t cache_bytes = size_t{2} << 30;       // results kept in memory for going back
  size_t checkpoint_bytes = size_t{1} << 30;  // state of stages with memory, kept for replays
  double trail_s = 4;                         // length of trails
};

namespace command {

// ---- the project

struct OpenFile {
  static constexpr Urgency kUrgency = Urgency::leave;
  std::filesystem::path path;
};
struct OpenProject {
  static constexpr Urgency kUrgency = Urgency::leave;
  Project project;
};
struct Close {
  static constexpr Urgency kUrgency = Urgency::leave;
};
// Saves over the project's file only if no other program has written it since: otherwise nothing is written,
// and SessionStatus::changed_outside is set.
struct Save {
  static constexpr Urgency kUrgency = Urgency::remark;
  std::filesystem::path path;
};
// Saves over changes of others.
struct Overwrite {
  static constexpr Urgency kUrgency = Urgency::remark;
};
// Loads the changes of others, as a change that can be undone.
struct Reload {
  static constexpr Urgency kUrgency = Urgency::change;
};
// Takes the project's lock from its owner: the project is no longer read-only here.
struct TakeOver {
  static constexpr Urgency kUrgency = Urgency::remark;
};
// Checks whether another program has written or closed the file, or restored missing videos.
struct ExamineFile {
  static constexpr Urgency kUrgency = Urgency::remark;
};
// Keeps unsaved changes in a file of their own (core/session/autosave.h), so that nothing is lost if the
// program ends early; removes that file where all is saved.
struct Autosave {
  static constexpr Urgency kUrgency = Urgency::remark;
};
// Restores the changes of SessionStatus::recoverable_s; they can be undone.
struct Recover {
  static constexpr Urgency kUrgency = Urgency::change;
};

// ---- one frame, and playing

struct Seek {
  static constexpr Urgency kUrgency = Urgency::seek;
  int64_t frame = 0;
};
// Steps from the frame requested last. Steps add up: none replaces another.
struct Step {
  static constexpr Urgency kUrgency = Urgency::remark;
  int64_t frames = 0;
};
// Plays in real time; frames are not displayed where the chain is slower. Live cameras: plays the past from
// the instant shown.
struct Play {
  static constexpr Urgency kUrgency = Urgency::remark;
};
// Live cameras: shows the present.
struct FollowLive {
  static constexpr Urgency kUrgency = Urgency::remark;
};
struct Pause {
  static constexpr Urgency kUrgency = Urgency::remark;
};
// 1: real time; negative plays backwards.
struct SetPlaybackRate {
  static constexpr Urgency kUrgency = Urgency::remark;
  double rate = 1;
};
// Off: playing shows only pictures.
struct SetAnalyseWhilePlaying {
  static constexpr Urgency kUrgency = Urgency::remark;
  bool on = false;
};

// ---- changes of the project

struct SetParameter {
  static constexpr Urgency kUrgency = Urgency::change;
  std::string stage, name;
  std::optional<double> value;  // nothing: the default
};
// Any other change of the project. `what` names it ("box") for users, and so that the steps of one drag are
// undone together. `change` runs on the session's thread, on a copy.
struct Edit {
  static constexpr Urgency kUrgency = Urgency::change;
  std::string what;
  std::function<void(Project&)> change;
};
// An edit that adds a repair of identities. It is first compared with the tracks of the results; one that
// would change another person, or does not apply, is an error.
struct Repair {
  static constexpr Urgency kUrgency = Urgency::change;
  IntendedRepair meant;
};
// While frames are analysed, applies from the next one (Run::analyse). Otherwise the project is edited from
// the frame where the camera lost step.
struct ApplyOffset {
  static constexpr Urgency kUrgency = Urgency::remark;
  OffsetProposal proposal;
};
// A change outside the project, made by the front end, as a step of the history. `undo` and `redo` reach it
// by SessionListener::on_step.
struct Did {
  static constexpr Urgency kUrgency = Urgency::remark;
  std::string what;
  std::function<void()> undo, redo;
};
struct Undo {
  static constexpr Urgency kUrgency = Urgency::change;
};
struct Redo {
  static constexpr Urgency kUrgency = Urgency::change;
};

// ---- analyses

// Runs the chain over a range. Results are written to NAME.results as by `vantage-cli run`, next to existing
// frames of the same versions (in memory for a project that was never saved). Live cameras: analyses every
// set until Stop and replaces existing results.
struct Analyse {
  static constexpr Urgency kUrgency = Urgency::change;
  FrameRange range;
};
// Stop ends the analysis of files.
struct Stop {
  static constexpr Urgency kUrgency = Urgency::change;
};
// Records live cameras from now on, as a project of that path (core/run/recorder.h) with its results. Later
// changes of parameters are not in that project.
struct StartRecording {
  static constexpr Urgency kUrgency = Urgency::remark;
  std::filesystem::path project;
};
struct StopRecording {
  static constexpr Urgency kUrgency = Urgency::remark;
};
// Accepts a live camera's present view for its calibration: it replaces the stored one
// (core/live/known_views.h), and the camera is no longer reported as turned. Undo does not revert it.
struct AcceptView {
  static constexpr Urgency kUrgency = Urgency::remark;
  size_t camera = 0;
};
// Sends messages of live cameras by the present permissions and secrets of this machine, which are not part
// of the project (core/push/push_consent.h).
struct ReopenPush {
  static constexpr Urgency kUrgency = Urgency::remark;
};
// After an error of kind device_lost or out_of_memory: moves the chain to the CPU until the program ends, and
// continues the analysis that the error ended. Results of the device stay current; those that follow are
// marked.
struct ContinueOnCpu {
  static constexpr Urgency kUrgency = Urgency::change;
};

// ---- what is shown

// Adds a slice of the confidence volume to every frame shown from now on (ShownFrame::cut).
struct SetCut {
  static constexpr Urgency kUrgency = Urgency::remark;
  std::optional<CutPlane> plane;  // nothing: none
};
// Asks why a person is at a position of a frame, or no one is, or why a pixel is in the mask. Answered once
// nothing else is to be done (SessionListener::on_why); a newer question replaces one that waits.
struct Explain {
  static constexpr Urgency kUrgency = Urgency::remark;
  WhyQuestion question;
};
struct SetOffsetWatch {
  static constexpr Urgency kUrgency = Urgency::remark;
  OffsetWatch watch = OffsetWatch::off;
};
struct SetLimits {
  static constexpr Urgency kUrgency = Urgency::remark;
  SessionLimits limits;
};
// The display path: true where the window cannot read the chain's device memory.
struct SetHostDisplay {
  static constexpr Urgency kUrgency = Urgency::leave;
  bool on = false;
};
// Ends the session; its destructor posts it.
struct Quit {
  static constexpr Urgency kUrgency = Urgency::leave;
};

}  // namespace command

using SessionCommand =
    std::variant<command::OpenFile, command::OpenProject, command::Close, command::Save, command::Overwrite,
                 command::Reload, command::TakeOver, command::ExamineFile, command::Autosave,
                 command::Recover, command::Seek, command::Step, command::Play, command::FollowLive,
                 command::Pause, command::SetPlaybackRate, command::SetAnalyseWhilePlaying,
                 command::SetParameter, command::Edit, command::Repair, command::ApplyOffset, command::Did,
                 command::Undo, command::Redo, command::Analyse, command::Stop, command::StartRecording,
                 command::StopRecording, command::AcceptView, command::ReopenPush, command::ContinueOnCpu,
                 command::SetCut, command::Explain, command::SetOffsetWatch, command::SetLimits,
                 command::SetHostDisplay, command::Quit>;

inline Urgency urgency_of(const SessionCommand& command) {
  return std::visit([](const auto& posted) { return posted.kUrgency; }, command);
}

}  // namespace vantage
