// The services that app hands to the window.
#pragma once

#include <QString>
#include <QStringList>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/span_readers.h"
#include "core/check/check.h"
#include "core/check/offset_agreement.h"
#include "core/export/case/case_export.h"
#include "core/export/figure/figure.h"
#include "core/image/backend/device.h"
#include "core/image/backend/memory_transfer.h"
#include "core/live/credentials.h"
#include "core/run/mask_scores.h"
#include "core/run/place_by_people.h"
#include "core/run/run_under_both.h"
#include "core/run/sweep_project.h"
#include "core/session/result_service.h"
#include "core/session/session.h"
#include "core/setup/alignment/align.h"
#include "ui/platform/height_map_runner.h"
#include "ui/platform/local_camera.h"
#include "ui/views/surface_factory.h"

namespace vantage::ui {

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
  QString demonstration;                    // the demonstration's project; empty where there is none
  // Runs the backend's notes ("why no GPU") into the status bar's tooltip.
  QStringList notes;
  std::shared_ptr<CredentialStore> credentials;             // of live cameras; null: none are kept
  std::shared_ptr<ResultService> result_service;            // null: nothing is served
  std::function<std::vector<LocalCamera>()> local_cameras;  // empty: the program opens none
  RunMarker* marker = nullptr;  // of this run; null: nothing is known of runs before
};

}  // namespace vantage::ui
