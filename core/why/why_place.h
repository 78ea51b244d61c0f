// Why a person is at a place of the floor in a frame, or no one: what each camera saw, expected and could not
// see, the figures that the search for people compares with its thresholds, and which threshold decides.
//
// The place examined is that of the person found within kWhyReach_m of the one asked for, else of the
// rejected peak within it, else the very place.
//
// A threshold is tried, not only compared: the search is made again with other values of it, until the
// outcome within kWhyReach_m of the place is the other one. Parameters of the search for people are tried in
// the frame's masks and volume, those of carving by carving its indicators again; what a changed foreground
// or a changed past would do is not.
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

// One parameter that decides about people, next to the figure that it is compared with.
struct WhyThreshold {
  std::string stage, name;       // "people", "min_own"
  double setting = 0;            // its value
  std::optional<double> figure;  // in the parameter's terms; nothing: it is compared with no single figure
  bool holds = true;             // the figure satisfies it
  // The outcome at the place is the other one from this value on, all else unchanged; nothing: no value in
  // its range changes it.
  std::optional<double> changes_at;
  bool decisive = false;
  std::string parameter() const { return stage + "." + name; }
};

struct WhyPlace {
  int64_t frame = 0;
  bool preview = false;  // of a frame that is not exact
  double asked_x_m = 0, asked_y_m = 0;
  PeopleSource source = PeopleSource::volume;  // never automatic
  std::string not_searched;                    // why people are not searched for here; empty: they are
  bool looked = true;                          // false: too few detections, who is here is unknown
  int32_t person = -1;                         // who is found here, among the frame's people; -1: no one
  std::optional<RejectReason> rejected;        // of the peak here; nothing: there is none
  PlaceFigures figures;
  std::optional<PlaceEvidence> detections;  // where the frame has any
  std::optional<double> probability;        // of the occupancy map, where people come from it
  // The largest carving.threshold at which the footprint would hold enough volume; nothing: none would.
  std::optional<double> agreement;
  int max_cameras = 0;  // the largest number of cameras that see one voxel over the footprint
  std::vector<WhyThreshold> thresholds;
  bool together = false;  // the decisive ones change the outcome only together
};

// `result`: of the analysis, with its people. Errors: without a calibration, or not analysed
// (invalid_argument); cancelled; the device's.
Result<WhyPlace> why_place(const Project& project, Analysis& analysis, const FrameResult& result, double x_m,
                           double y_m, const StopSource& stop);

// `people`: what the frame's people are called, may be empty.
Report describe(const WhyPlace& place, const Project& project, std::span<const std::string> people);

}  // namespace vantage
