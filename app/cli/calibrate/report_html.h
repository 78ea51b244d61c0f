// The report of a calibration as one HTML page that needs nothing else, and what it is made of.
#pragma once

#include <string>
#include <vector>

#include "core/calibration/solve/measure.h"
#include "core/calibration/solve/points_solve.h"
#include "core/check/check.h"

namespace vantage::cli {

struct ReportedCamera {
  UncertainCamera uncertain;  // named
  bool has_std = false;       // its covariance is known
  double turned_std_deg = 0, moved_std_m = 0, focal_std = 0;
};

struct CalibrationReport {
  std::string project;
  std::vector<ReportedCamera> cameras;
  double height_m = 0;  // of the map
  FloorErrorMap map;
  std::vector<FloorZone> zones;
  std::vector<SolvedPoint> points;  // clicked in the project; may be none
  std::vector<std::string> notes;   // on these
  std::vector<CheckItem> checks;    // about the calibration; none: not checked
  std::string board_html;           // board_report_html(); may be empty
};

std::string report_html(const CalibrationReport& report);

}  // namespace vantage::cli
