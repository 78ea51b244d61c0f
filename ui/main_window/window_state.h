// The window's state of the open project: the project, what the session is doing, the frame that is shown,
// the tracks of its results, the marked range. Everything in the window reads it here; MainWindow alone
// changes it, with what the session reports.
#pragma once

#include <QFlags>
#include <QObject>
#include <QString>
#include <QStringList>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/byte_stream.h"
#include "core/check/check.h"
#include "core/check/offset_agreement.h"
#include "core/export/case/case_export.h"
#include "core/export/figure/figure.h"
#include "core/image/backend/device.h"
#include "core/image/backend/memory_transfer.h"
#include "core/live/credentials.h"
#include "core/run/calibrations_by_people.h"
#include "core/run/mask_scores.h"
#include "core/run/run_under_both.h"
#include "core/run/sweep_project.h"
#include "core/session/session.h"
#include "core/setup/alignment/align.h"
#include "ui/platform/height_map_runner.h"
#include "ui/platform/local_camera.h"
#include "ui/views/gl_view.h"
#include "ui/widgets/timeline.h"

namespace vantage::ui {

enum class Change : uint16_t {
  project = 2,        // the project
  other_project = 4,  // with `project`: another one than before, or none
  status = 8,         // what the session is doing; comes many times a second
  mode = 16,          // what decides which actions are available: of `status`, or work of the window
  frame = 32,         // the frame that is shown
  tracks = 64,        // the tracks of the results
  frame_rate = 128,   // with `status`: the recording's frame rate
  range = 256,        // the marked range
  clock = 512,        // the recording's time of day
};
Q_DECLARE_FLAGS(Changes, Change)
Q_DECLARE_OPERATORS_FOR_FLAGS(Changes)

// Work of the window that keeps analyses and other work from starting.
struct RunningWork {
  QString activity;   // "Finding offsets", for the status bar
  QString why_busy;   // "Offsets are being found.", why other work cannot start
  double share = -1;  // done so far, 0 to 1; negative: not known
};

class WindowState final : public QObject {
  Q_OBJECT
 public:
  bool open() const { return open_; }
  const Project& project() const { return project_; }  // default-constructed while none is open
  // The last `Change::project` in detail; everything where it is another project.
  const ProjectChange& project_change() const { return project_change_; }
  // As the project's file has them.
  const ParameterStore& saved_parameters() const { return saved_parameters_; }
  const SessionStatus& status() const { return status_; }
  bool live() const { return status_.live != nullptr; }
  bool recording() const { return status_.live && status_.live->recording; }
  // Live cameras only: something of their past can be shown.
  bool past() const { return status_.live && status_.frame_count > status_.live->first_frame; }
  // The first frame that can be shown.
  int64_t first_frame() const { return status_.live ? status_.live->first_frame : 0; }
  // The frame rate of the recording that is open, or was open last; never 0.
  double frame_rate() const { return frame_rate_; }
  const ShownFrameRef& shown() const { return shown_; }  // null: none yet
  const TracksRef& tracks() const { return tracks_; }    // null: there are none
  const MarkedRange& range() const { return range_; }
  const std::optional<RecordingClock>& clock() const { return clock_; }  // nothing: not known
  FrameTimes times() const { return {frame_rate_, clock_}; }
  FrameRange frames_of_range() const;  // everything where nothing is marked
  // The project that is being opened; empty: none is, or it has no file.
  const QString& opening_file() const { return opening_file_; }
  bool opening() const { return opening_; }
  bool busy() const { return status_.analysing || work_.has_value(); }
  bool stopping() const { return stopping_; }  // the analysis was told to end, and has not yet
  QString why_busy() const;
  const std::optional<RunningWork>& work() const { return work_; }

  // What was known of the project before goes at once; what still arrives of it is dropped.
  void begin_opening(const QString& file);
  void begin_stopping();
  // A project was opened, or the one that is open has changed.
  void set_project(const Project& project);
  void close();
  void set_status(const SessionStatus& status);
  // Without a project, frames and tracks are those of one that was closed, and are dropped.
  void show(const ShownFrameRef& shown);
  void set_tracks(const TracksRef& tracks);
  void set_range(const MarkedRange& range);
  void set_clock(const std::optional<RecordingClock>& clock);
  void set_work(const std::optional<RunningWork>& work);
  // The session has reported the project that `before` has, too: takes what the session does not know.
  void resume(const WindowState& before);

 signals:
  // There is no project for a short time, nor frame, tracks and range: what was known of the former one goes.
  void forgotten();
  void changed(vantage::ui::Changes what);

 private:
  void forget();
  bool is_awaited(const Project& project) const;

  bool open_ = false, opening_ = false, stopping_ = false;
  QString opening_file_;
  Project project_;
  ProjectChange project_change_;
  ParameterStore saved_parameters_;
  SessionStatus status_;
  double frame_rate_ = 25;
  ShownFrameRef shown_;
  TracksRef tracks_;
  MarkedRange range_;
  std::optional<RecordingClock> clock_;
  std::optional<RunningWork> work_;
};

// The services that app hands to the window.

class RunMarker;
class SessionBridge;

// Each gets everything but the backends.
using CheckFunction = std::function<CheckReport(const Project&, const CheckOptions&)>;
using AlignFunction = std::function<Result<Alignment>(const Project&, AlignOptions)>;
using FigureFunction = std::function<Result<ExportedFigure>(FigureOptions)>;
using CaseFunction = std::function<Result<ExportedCase>(CaseOptions)>;
using AgreementFunction =
    std::function<Result<std::vector<SilhouetteShare>>(const Project&, OffsetAgreementOptions)>;

using PeopleFunction = std::function<Result<PeopleSolution>(
    const Project&, const std::vector<bool>& free, bool solve_lenses, FrameRange,
    const std::function<void(int64_t, int64_t)>& progress, const StopSource&)>;

struct FootageRequest {
  FrameRange range = {};
  double max_offset_s = FootageInput().max_offset_s;
  std::optional<double> mean_height_m = std::nullopt;  // as FootageInput has it
};
using FootageFunction = std::function<Result<FootageSolution>(
    const Project&, const FootageRequest&, const std::function<void(int64_t, int64_t)>& progress,
    const FootageProgressCallback& found, const StopSource&)>;

using SweepFunction = std::function<Status(
    const Project&, const SweepRequest&,
    const std::function<void(size_t value, const SweepPoint& point)>& measured, const StopSource&)>;

using ScoreMasksFunction = std::function<Result<std::vector<MaskScore>>(
    const Project&, const DrawnMasks&, const std::function<void(size_t done, size_t all)>& progress,
    const StopSource&)>;
// Masks by camera, from one frame to another.
using CarryMasksFunction = std::function<Result<std::map<std::string, Image>>(
    const Project&, const std::map<std::string, Image>&, int64_t from, int64_t to, const StopSource&)>;

using ComparePeopleFunction = std::function<Result<ComparedByPeople>(
    const Project&, const BothCalibrations&, const std::function<void(int64_t done, int64_t total)>& progress,
    const StopSource&)>;

// Everything outlives the window.
struct WindowServices {
  Session* session = nullptr;
  SessionBridge* bridge = nullptr;
  SpanReaders* spans = nullptr;
  std::shared_ptr<MemoryTransfer> transfer = host_memory();  // downloads pictures of the chain's device
  LaunchLookup launches;                                     // of the kernels in `spans`; empty: not known
  SurfaceFactory surfaces;
  CheckFunction check;  // empty: there are no checks
  HeightStudyFactory height_study;
  AlignFunction align;  // empty: no offsets are found
  AgreementFunction agreement;
  PeopleFunction place_by_people;           // empty: people place no cameras
  ComparePeopleFunction compare_by_people;  // empty: calibrations are not compared by people
  SweepFunction sweep;                      // empty: nothing is swept
  ScoreMasksFunction score_masks;           // empty: masks are not measured
  CarryMasksFunction carry_masks;           // empty: none are carried
  CaseFunction export_case;                 // empty: none can be exported
  FigureFunction export_figure;             // empty: none can be drawn
  QString backend;                          // "CPU, 2 threads", shown in the status bar
  QStringList gpus;                         // names of all there are, by number
  QString demonstration;                    // the demonstration's project; empty where there is none yet
  // Renders it, and returns its project; empty: none can be.
  std::function<Result<std::filesystem::path>(const std::function<void(double share)>& progress,
                                              const StopSource&)>
      make_demonstration;
  // Runs the backend's notes ("why no GPU") into the status bar's tooltip.
  QStringList notes;
  std::shared_ptr<CredentialStore> credentials;             // of live cameras; null: none are kept
  std::shared_ptr<ResultService> result_service;            // null: nothing is served
  std::function<std::vector<LocalCamera>()> local_cameras;  // empty: the program opens none
  RunMarker* marker = nullptr;    // of this run; null: nothing is known of runs before
  FootageFunction solve_footage;  // empty: footage solves no cameras
};

}  // namespace vantage::ui
