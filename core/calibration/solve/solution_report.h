// Reports on solved cameras, clips and points, for vantage-cli calibrate and the window. Fields:
// resources/docs/formats/reports.md.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/report.h"
#include "core/calibration/solve/board_solve.h"
#include "core/calibration/solve/clip_offsets.h"
#include "core/calibration/solve/measure.h"
#include "core/calibration/solve/points_solve.h"

namespace vantage {

// Adds a camera's turn and shift, with standard deviations.
void add_change(const CameraChange& change, double turned_std_deg, double moved_std_m, Report* to);

// `covariance`: of the free cameras; null: left out.
Report report_of(const PointsSolution& solution, const ReportValue& covariance = {});

// A camera solved by boards, and the timing of its clip; the clip's rate in frames/s, 0: not known.
Report report_of(const BoardsSolution& solution, size_t camera);
Report report_of(const ClipTiming& clip, double frame_rate);
// A measurement by clicks; nothing: the cameras no longer show its position.
Report report_of(const ClickedMeasure& measure, const std::optional<Measured>& found);
// Differences of the halves of the pictures.
Report report_of(const CrossValidation& halves, const std::vector<CameraSolution>& cameras);

}  // namespace vantage
