// Explains why a person is at a position of the floor in a frame, or no one: the evidence, expectation and
// blind areas of each camera, the figures that the search for people compares with its thresholds, and the
// decisive threshold.
//
// The examined position is that of the person found within kWhyReach_m of the given one, else of the rejected
// peak within it, else the given one itself.
//
// Thresholds are varied, not only compared: the search is repeated with other values until the outcome within
// kWhyReach_m of the position changes. Parameters of the search for people are varied on the frame's masks
// and volume, those of carving by carving its indicators again; changes of foreground or past are not.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/threads.h"
#include "core/fusion/place_evidence.h"
#include "core/people/place_figures.h"
#include "core/run/analysis.h"
#include "core/why/answer.h"

namespace vantage {

inline constexpr double kWhyReach_m = 0.3;

// One parameter that decides about people, with the figure that it is compared with.
struct WhyThreshold {
  std::string stage, name;       // "people", "min_own"
  double setting = 0;            // its value
  std::optional<double> figure;  // in the parameter's unit; nothing: it is compared with no single figure
  bool holds = true;             // the figure satisfies it
  // The outcome at the position changes from this value on, if all else is unchanged; nothing: no value in
  // its range changes it.
  std::optional<double> changes_at;
  bool decisive = false;
  std::string parameter() const { return stage + "." + name; }
};

struct WhyPlace {
  int64_t frame = 0;
  bool preview = false;  // the frame is not exact
  double asked_x_m = 0, asked_y_m = 0;
  PeopleSource source = PeopleSource::volume;  // never automatic
  std::string not_searched;                    // why people are not searched for here; empty: they are
  bool looked = true;                          // false: too few detections, so that the people are unknown
  int32_t person = -1;                         // the person found here, among the frame's people; -1: none
  std::optional<RejectReason> rejected;  // the reason why the peak here was rejected; nothing: there is none
  PlaceFigures figures;
  std::optional<PlaceEvidence> detections;  // nothing if the frame has none
  std::optional<double> probability;        // the occupancy map's, if people come from it
  // Maximum carving.threshold at which the footprint would have enough volume; nothing: none would.
  std::optional<double> agreement;
  int max_cameras = 0;  // maximum number of cameras that see one voxel over the footprint
  std::vector<WhyThreshold> thresholds;
  bool together = false;  // the decisive ones change the outcome only together
};

// `result`: of the analysis, with its people. Errors: invalid_argument without a calibration, or not
// analysed; cancelled; the device's.
Result<WhyPlace> why_place(const Project& project, Analysis& analysis, const FrameResult& result, double x_m,
                           double y_m, const StopSource& stop);

// `people`: names of the frame's people, may be empty.
Report describe(const WhyPlace& place, const Project& project, std::span<const std::string> people);

}  // namespace vantage
