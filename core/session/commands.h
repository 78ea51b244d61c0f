// The commands that a front end gives a session, one struct each: Session::post(command::Seek{12}). A command
// that is added here gets an on() in SessionWorker.
//
// kUrgency says what a command interrupts, as far as it has to.
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

// Each kind interrupts the work of its own rank and below.
enum class Urgency : uint8_t {
  remark,  // a setting: nothing but refining, which is resumed
  seek,    // likewise; replaces an earlier seek
  change,  // also an analysis
  leave,   // everything
};

// Limits that a front end can change while the session works.
struct SessionLimits {
  size_t cache_bytes = size_t{2} << 30;       // results kept in memory for going back to
  size_t checkpoint_bytes = size_t{1} << 30;  // what stages with memory remembered, kept for replays
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
// Over the project's own file only while no one else has written it since: otherwise nothing is written, and
// SessionStatus::changed_outside tells.
struct Save {
  static constexpr Urgency kUrgency = Urgency::remark;
  std::filesystem::path path;
};
// Saves over what others wrote.
struct Overwrite {
  static constexpr Urgency kUrgency = Urgency::remark;
};
// The project becomes what others wrote, as a change that can be undone.
struct Reload {
  static constexpr Urgency kUrgency = Urgency::change;
};
// The project from who has it: it is read-only here no more.
struct TakeOver {
  static constexpr Urgency kUrgency = Urgency::remark;
};
// Has another program written the file, closed it, or brought missing videos back?
struct ExamineFile {
  static constexpr Urgency kUrgency = Urgency::remark;
};
// Keeps unsaved changes in a file of their own (core/session/autosave.h), so that a program that ends early
// loses nothing; removes that file where all is saved.
struct Autosave {
  static constexpr Urgency kUrgency = Urgency::remark;
};
// Restores the changes that SessionStatus::recoverable_s tells of; they can be undone.
struct Recover {
  static constexpr Urgency kUrgency = Urgency::change;
};

// ---- one frame, and playing

struct Seek {
  static constexpr Urgency kUrgency = Urgency::seek;
  int64_t frame = 0;
};
// Steps from the frame last asked for. Several steps add up: none replaces another.
struct Step {
  static constexpr Urgency kUrgency = Urgency::remark;
  int64_t frames = 0;
};
// In real time; frames are skipped for display when the chain is slower. Live cameras: their past, from the
// instant shown on.
struct Play {
  static constexpr Urgency kUrgency = Urgency::remark;
};
// Live cameras: shows what they see now.
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
// Off: playing shows pictures only.
struct SetAnalyseWhilePlaying {
  static constexpr Urgency kUrgency = Urgency::remark;
  bool on = false;
};

// ---- changes of the project

struct SetParameter {
  static constexpr Urgency kUrgency = Urgency::change;
  std::string stage, name;
  std::optional<double> value;  // nothing: its default
};
// Any other change; `what` names it ("box") for people, and so that the steps of one drag are undone
// together. `change` runs on the session's thread, on a copy.
struct Edit {
  static constexpr Urgency kUrgency = Urgency::change;
  std::string what;
  std::function<void(Project&)> change;
};
// An edit that adds a repair of identities to the project. It is compared with the tracks of the results
// first, as they are then; one that would change another person, or that does not apply, is an error.
struct Repair {
  static constexpr Urgency kUrgency = Urgency::change;
  IntendedRepair meant;
};
// While frames are analysed, from the next one on (Run::analyse). Otherwise the project is edited from where
// the camera came out of step.
struct ApplyOffset {
  static constexpr Urgency kUrgency = Urgency::remark;
  OffsetProposal proposal;
};
// A change outside the project, made by the front end, as a step of the history. `undo` and `redo` return to
// it by SessionListener::on_step.
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

// Runs the chain over a range; results go to NAME.results as `vantage-cli run` writes them, next to the
// frames of the same versions that are there already (a project never saved keeps them in memory). Of live
// cameras every set from now until Stop, in place of the results that are there.
struct Analyse {
  static constexpr Urgency kUrgency = Urgency::change;
  FrameRange range;
};
// An analysis of files ends because this arrives.
struct Stop {
  static constexpr Urgency kUrgency = Urgency::change;
};
// Live cameras are recorded from now on, as a project of that path (core/run/recorder.h), and the
// results go there. Parameters that are changed meanwhile are not in that project.
struct StartRecording {
  static constexpr Urgency kUrgency = Urgency::remark;
  std::filesystem::path project;
};
struct StopRecording {
  static constexpr Urgency kUrgency = Urgency::remark;
};
// Accepts a live camera's present view as the right one of its calibration: it is kept in place of the one
// before (core/live/known_views.h), and the camera is no longer reported as turned. Undo does not undo it.
struct AcceptView {
  static constexpr Urgency kUrgency = Urgency::remark;
  size_t camera = 0;
};
// Messages of live cameras are sent by what this machine allows and keeps of secrets by now, which is no part
// of the project (core/push/push_consent.h).
struct ReopenPush {
  static constexpr Urgency kUrgency = Urgency::remark;
};
// After an error of kind device_lost or out_of_memory: takes the chain to the CPU until the program ends, and
// continues the analysis that the error ended. What the device analysed stays current; what follows is
// marked.
struct ContinueOnCpu {
  static constexpr Urgency kUrgency = Urgency::change;
};

// ---- what is shown

// Every frame shown from now on carries a plane cut of the confidence volume (ShownFrame::cut).
struct SetCut {
  static constexpr Urgency kUrgency = Urgency::remark;
  std::optional<CutPlane> plane;  // nothing: none
};
// Why is a person at a place of a frame, or no one; why is a pixel in the mask? Answered once nothing else is
// to be done (SessionListener::on_why); a newer question replaces one that waits.
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
// The display path: true when the window cannot read the chain's device memory.
struct SetHostDisplay {
  static constexpr Urgency kUrgency = Urgency::leave;
  bool on = false;
};
// The session ends; its destructor posts it.
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
