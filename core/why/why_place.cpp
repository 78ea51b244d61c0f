#include "core/why/why_place.h"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <vector>

#include "core/base/threads.h"
#include "core/carving/voxel_votes.h"
#include "core/detections/detection_parameters.h"
#include "core/pipeline/head_views.h"
#include "core/pipeline/stages/stage_types.h"
#include "core/why/detail/place_search.h"

namespace vantage::why_detail {
namespace {

// The thresholds that decide about people, each varied until the outcome at a position changes.

// A parameter, and the direction in which it lets more people be found.
struct Lever {
  const char *stage, *name;
  int more;
};
// In the order in which the search applies them.
constexpr Lever kVolume[] = {{"carving", "min_cameras", -1}, {"carving", "threshold", -1},
                             {"people", "min_volume_l", -1}, {"people", "min_height_m", -1},
                             {"people", "max_height_m", 1},  {"people", "min_fill", -1},
                             {"people", "min_own", -1},      {"people", "separation_m", -1}};
constexpr Lever kOccupancy[] = {
    {"occupancy", "prior", 1}, {"occupancy", "sigma", -1}, {"people", "separation_m", -1}};
constexpr Lever kFused[] = {
    {"fusion", "min_score", -1}, {"fusion", "detection_rate", -1}, {"fusion", "person_cost", -1}};

std::span<const Lever> levers_of(PeopleSource source) {
  if (source == PeopleSource::volume) return kVolume;
  if (source == PeopleSource::occupancy) return kOccupancy;
  return kFused;
}

const Lever& lever_of(PeopleSource source, const WhyThreshold& threshold) {
  const std::span<const Lever> all = levers_of(source);
  return *std::find_if(all.begin(), all.end(), [&](const Lever& lever) {
    return lever.stage == threshold.stage && lever.name == threshold.name;
  });
}

const ParameterDescription& description_of(const ParameterStore& parameters, const WhyThreshold& threshold) {
  const auto& tables = parameters.tables();
  const auto table = std::find_if(tables.begin(), tables.end(),
                                  [&](const ParameterTable* one) { return one->stage == threshold.stage; });
  return *(*table)->find(threshold.name);
}

// The score of the best box that would fit if its score were higher.
std::optional<double> weak_score(const PlaceEvidence& evidence) {
  std::optional<double> best;
  for (const CameraAtPlace& camera : evidence.cameras)
    if (camera.answer == CameraAnswer::weak) best = std::max(best.value_or(0), camera.score);
  return best;
}

// The figure to compare with the parameter, in its unit.
std::optional<double> figure_of(const WhyPlace& place, const std::string& parameter,
                                const ParameterStore& parameters) {
  const PlaceFigures& figures = place.figures;
  if (parameter == "carving.min_cameras") return place.max_cameras;
  if (parameter == "carving.threshold") return place.agreement;
  if (parameter == "people.min_volume_l") return figures.volume_l / figures.decided;
  if (parameter == "people.min_height_m" || parameter == "people.max_height_m") return figures.height_m;
  if (parameter == "people.min_fill") return figures.foreground / figures.decided;
  if (parameter == "people.min_own") return figures.own / figures.decided;
  if (parameter == "people.separation_m" && figures.neighbour >= 0) return figures.neighbour_m;
  if (parameter == "fusion.min_score" && place.detections) return weak_score(*place.detections);
  if (parameter == "fusion.person_cost" && place.detections)
    return place.detections->gain_nats + parameters.get<FusionParameters>().person_cost;
  return std::nullopt;
}

// Bisects one parameter of a search.
class Trial {
 public:
  Trial(PlaceSearch& search, const ParameterStore& parameters, const StopSource& stop, const WhyPlace& place)
      : search_(search), parameters_(parameters), stop_(stop), place_(place), found_(place.person >= 0) {}

  // True when the outcome has changed.
  Result<bool> changed(const std::vector<std::pair<const WhyThreshold*, double>>& values) const {
    if (stop_.stop_requested()) return fail(ErrorKind::cancelled, "stopped");
    ParameterStore tried = parameters_;
    for (const auto& [threshold, value] : values)
      VANTAGE_TRY(tried.set(threshold->stage, threshold->name, value));
    VANTAGE_ASSIGN(const bool somebody, search_.somebody(tried, place_.figures.x_m, place_.figures.y_m));
    return somebody != found_;
  }

  // The direction in which the outcome may change.
  int direction(const WhyThreshold& threshold) const {
    const int more = lever_of(place_.source, threshold).more;
    return found_ ? -more : more;
  }

  // A value just beyond the figure; nothing: there is no figure, or none in that direction within the range.
  std::optional<double> beyond_figure(const WhyThreshold& threshold) const {
    if (!threshold.figure) return std::nullopt;
    const ParameterDescription& about = description_of(parameters_, threshold);
    const int towards = direction(threshold);
    const double step = about.type == ParameterType::integer ? 0 : kNudge * (about.maximum - about.minimum);
    const double value = *threshold.figure + towards * step;
    if (towards * (value - threshold.setting) <= 0 || value < about.minimum || value > about.maximum)
      return std::nullopt;
    return value;
  }

  Result<std::optional<double>> changes_at(const WhyThreshold& threshold) const {
    const ParameterDescription& about = description_of(parameters_, threshold);
    const int towards = direction(threshold);
    const double end = towards > 0 ? about.maximum : about.minimum;
    if (towards * (end - threshold.setting) <= 0) return std::nullopt;
    if (about.type == ParameterType::integer) return stepwise(threshold, end, towards);
    std::optional<double> far;
    for (const std::optional<double> tried : {beyond_figure(threshold), std::optional(end)}) {
      if (!tried || far) continue;
      VANTAGE_ASSIGN(const bool other, changed({{&threshold, *tried}}));
      if (other) far = tried;
    }
    if (!far) return std::nullopt;
    return bisected(threshold, about, *far, towards);
  }

 private:
  static constexpr double kNudge = 1e-3;      // share of a parameter's range
  static constexpr double kTolerance = 1e-3;  // likewise; for a logarithmic one a factor of 1.02
  static constexpr int kMaxSteps = 14;
  static constexpr int kMaxIntegers = 64;

  Result<std::optional<double>> stepwise(const WhyThreshold& threshold, double end, int towards) const {
    double value = threshold.setting + towards;
    for (int i = 0; i < kMaxIntegers && towards * (end - value) >= 0; ++i, value += towards) {
      VANTAGE_ASSIGN(const bool other, changed({{&threshold, value}}));
      if (other) return std::optional(value);
    }
    return std::nullopt;
  }

  Result<std::optional<double>> bisected(const WhyThreshold& threshold, const ParameterDescription& about,
                                         double far, int towards) const {
    double near = threshold.setting;
    const auto close = [&] {
      return about.logarithmic ? std::abs(std::log(far / near)) < std::log(1.02)
                               : std::abs(far - near) < kTolerance * (about.maximum - about.minimum);
    };
    for (int i = 0; i < kMaxSteps && !close(); ++i) {
      const double middle = about.logarithmic ? std::sqrt(near * far) : (near + far) / 2;
      VANTAGE_ASSIGN(const bool other, changed({{&threshold, middle}}));
      (other ? far : near) = middle;
    }
    // Rounds to a short value with the same effect.
    const double digit = std::pow(10.0, std::floor(std::log10(std::max(std::abs(far - near), 1e-9))));
    double rounded = (towards > 0 ? std::ceil(far / digit) : std::floor(far / digit)) * digit;
    rounded = std::clamp(rounded, about.minimum, about.maximum);
    VANTAGE_ASSIGN(const bool other, changed({{&threshold, rounded}}));
    return std::optional(other ? rounded : far);
  }

  PlaceSearch& search_;
  const ParameterStore& parameters_;
  const StopSource& stop_;
  const WhyPlace& place_;
  const bool found_;
};

// Distance of the change from the present value, as a share of the range.
double way_of(const WhyThreshold& threshold, const ParameterStore& parameters) {
  const ParameterDescription& about = description_of(parameters, threshold);
  return std::abs(*threshold.changes_at - threshold.setting) / (about.maximum - about.minimum);
}

void choose_decisive(const ParameterStore& parameters, WhyPlace* place) {
  WhyThreshold* best = nullptr;
  for (WhyThreshold& one : place->thresholds) {
    if (!one.changes_at) continue;
    // Failing thresholds come before passing ones.
    const auto rank = [&](const WhyThreshold& of) {
      return std::pair(place->person < 0 && of.holds, way_of(of, parameters));
    };
    if (!best || rank(one) < rank(*best)) best = &one;
  }
  if (best) best->decisive = true;
}

// Changes all failing thresholds, each to just beyond its figure.
Status try_together(const Trial& trial, WhyPlace* place) {
  std::vector<std::pair<const WhyThreshold*, double>> values;
  for (const WhyThreshold& one : place->thresholds) {
    if (one.holds) continue;
    const std::optional<double> value = trial.beyond_figure(one);
    if (!value) return {};
    values.emplace_back(&one, *value);
  }
  if (values.size() < 2) return {};
  VANTAGE_ASSIGN(place->together, trial.changed(values));
  if (!place->together) return {};
  for (WhyThreshold& one : place->thresholds)
    for (const auto& [threshold, value] : values)
      if (threshold == &one) one.changes_at = value, one.decisive = true;
  return {};
}

// The source's thresholds with the figures of `place`; none is varied yet.
std::vector<WhyThreshold> thresholds_of(const WhyPlace& place, const ParameterStore& parameters) {
  std::vector<WhyThreshold> thresholds;
  for (const Lever& lever : levers_of(place.source)) {
    WhyThreshold& one = thresholds.emplace_back();
    one.stage = lever.stage, one.name = lever.name;
    one.setting = parameters.get(one.stage, one.name).value_or(0);
    one.figure = figure_of(place, one.parameter(), parameters);
    // With fewer cameras than that, all are required.
    const double asked = one.name == "min_cameras"
                             ? std::min(one.setting, static_cast<double>(place.figures.cameras.size()))
                             : one.setting;
    const bool no_volume = one.name == "threshold";  // at any agreement
    one.holds = one.figure ? lever.more * (asked - *one.figure) >= 0 : !no_volume;
  }
  return thresholds;
}

// Fills in changes_at, decisive and WhyPlace::together. Errors: cancelled; the search's.
Status try_thresholds(PlaceSearch& search, const ParameterStore& parameters, const StopSource& stop,
                      WhyPlace* place) {
  const Trial trial(search, parameters, stop, *place);
  const bool nobody = place->person < 0;
  const bool all_hold = std::all_of(place->thresholds.begin(), place->thresholds.end(),
                                    [](const WhyThreshold& one) { return one.holds; });
  for (WhyThreshold& one : place->thresholds) {
    // Carving again takes longest: a passing threshold is skipped where another fails.
    if (nobody && one.holds && !all_hold && place->source == PeopleSource::volume) continue;
    VANTAGE_ASSIGN(one.changes_at, trial.changes_at(one));
  }
  choose_decisive(parameters, place);
  const bool decided = std::any_of(place->thresholds.begin(), place->thresholds.end(),
                                   [](const WhyThreshold& one) { return one.decisive; });
  return nobody && !decided ? try_together(trial, place) : Status();
}

}  // namespace

}  // namespace vantage::why_detail

namespace vantage {
namespace {

using why_detail::PlaceInput;

// Why people are not searched for at this position; empty: they are.
std::string not_searched(const PlaceInput& input, PeopleSource source, double x_m, double y_m) {
  if (!in_any(input.areas, {x_m, y_m}))
    return "outside the areas in which people are searched for; anyone here is left out";
  FloorRectangle floor = input.fusion_floor;
  const VoxelGrid& grid = input.grid;
  if (source != PeopleSource::fused)
    floor = {grid.origin_in_world_m[0], grid.origin_in_world_m[1],
             grid.origin_in_world_m[0] + grid.nx * grid.voxel_size_m,
             grid.origin_in_world_m[1] + grid.ny * grid.voxel_size_m};
  if (x_m >= floor.min_x_m && x_m <= floor.max_x_m && y_m >= floor.min_y_m && y_m <= floor.max_y_m) return {};
  return fmt::format("outside the floor that is searched, x {:.2f} to {:.2f}, y {:.2f} to {:.2f} m",
                     floor.min_x_m, floor.max_x_m, floor.min_y_m, floor.max_y_m);
}

// The index of the nearest one within reach; -1: none.
template <typename List, typename PlaceOf>
int32_t nearest(const List& list, double x_m, double y_m, const PlaceOf& place_of) {
  int32_t found = -1;
  double nearest_m = kWhyReach_m;
  for (size_t i = 0; i < list.size(); ++i) {
    const FoundPerson& one = place_of(list[i]);
    const double away_m = std::hypot(one.x_m - x_m, one.y_m - y_m);
    if (away_m <= nearest_m) found = static_cast<int32_t>(i), nearest_m = away_m;
  }
  return found;
}

// The examined position: that of the person found there, of the peak rejected there, or the given one.
std::pair<double, double> choose_place(const PeopleFound& found, WhyPlace* place) {
  const double x_m = place->asked_x_m, y_m = place->asked_y_m;
  place->person = nearest(found.people, x_m, y_m, std::identity());
  if (place->person >= 0) {
    const FoundPerson& person = found.people[place->person];
    return {person.x_m, person.y_m};
  }
  const int32_t peak = nearest(found.rejected, x_m, y_m,
                               [](const RejectedPeak& one) -> const FoundPerson& { return one.peak; });
  if (peak < 0) return {x_m, y_m};
  const RejectedPeak& rejected = found.rejected[peak];
  place->rejected = rejected.reason;
  return {rejected.peak.x_m, rejected.peak.y_m};
}

// Confidences of the voxels over the footprint, from the floor map's lowest layer up.
Status add_agreement(const PlaceInput& input, const ParameterStore& parameters, WhyPlace* place) {
  const Carver::Arguments scene{input.cameras, input.grid, false};
  VANTAGE_ASSIGN(const VoxelVoter voter,
                 VoxelVoter::make(scene, parameters.get<CarvingParameters>(), input.indicators));
  const auto people = parameters.get<PeopleParameters>();
  const VoxelGrid& grid = input.grid;
  const int radius = std::max(1, static_cast<int>(std::lround(people.footprint_m / 2 / grid.voxel_size_m)));
  const auto cell = [&](int axis, double at_m) {
    return static_cast<int>(std::floor((at_m - grid.origin_in_world_m[axis]) / grid.voxel_size_m));
  };
  const int x = cell(0, place->figures.x_m), y = cell(1, place->figures.y_m);
  const int x0 = std::max(0, x - radius), x1 = std::min(grid.nx, x + radius + 1);
  const int y0 = std::max(0, y - radius), y1 = std::min(grid.ny, y + radius + 1);
  const int lowest = floor_map::first_layer(grid, parameters.get<FloorMapParameters>().lowest_m);
  std::vector<float> confidences;
  const auto in_block = [&](int bx, int by, int bz) {
    const VoxelVoter::Block block(voter, bx * kBlockSide, by * kBlockSide, bz * kBlockSide);
    for (int vz = std::max(lowest, bz * kBlockSide); vz < std::min(grid.nz, (bz + 1) * kBlockSide); ++vz)
      for (int vy = std::max(y0, by * kBlockSide); vy < std::min(y1, (by + 1) * kBlockSide); ++vy)
        for (int vx = std::max(x0, bx * kBlockSide); vx < std::min(x1, (bx + 1) * kBlockSide); ++vx) {
          const VoxelVotes votes = block.votes(vx, vy, vz);
          place->max_cameras = std::max(place->max_cameras, votes.seeing);
          confidences.push_back(votes.confidence);
        }
  };
  for (int bz = lowest / kBlockSide; bz * kBlockSide < grid.nz; ++bz)
    for (int by = y0 / kBlockSide; by * kBlockSide < y1; ++by)
      for (int bx = x0 / kBlockSide; bx * kBlockSide < x1; ++bx) in_block(bx, by, bz);
  const double needed = std::ceil(people.min_volume_l * place->figures.decided / grid.liters(1));
  const auto rank = static_cast<size_t>(std::max(1.0, needed)) - 1;
  if (rank >= confidences.size()) return {};
  const auto at = confidences.begin() + static_cast<ptrdiff_t>(rank);
  std::nth_element(confidences.begin(), at, confidences.end(), std::greater<>());
  if (*at > 0) place->agreement = *at;
  return {};
}

Status check_result(const Project& project, const FrameResult& result) {
  if (!project.calibrated())
    return fail(ErrorKind::invalid_argument, "places on the floor are only known with a calibration", "",
                "Calibrate the cameras.");
  if (!result.people() || !result.floor_map() || !result.foreground() || !result.artifacts.detections)
    return fail(ErrorKind::invalid_argument, "people were not searched for in this frame", "", "Analyse it.");
  return {};
}

}  // namespace

Result<WhyPlace> why_place(const Project& project, Analysis& analysis, const FrameResult& result, double x_m,
                           double y_m, const StopSource& stop) {
  VANTAGE_TRY(check_result(project, result));
  VANTAGE_ASSIGN(const PlaceInput input, why_detail::place_input(project, analysis, result));
  const ParameterStore& parameters = project.parameters;
  const PeopleArtifact& people = *result.people();
  WhyPlace place;
  place.frame = result.frame, place.preview = result.preview;
  place.asked_x_m = x_m, place.asked_y_m = y_m;
  place.source = resolved_source(parameters, project.has_detections());
  place.looked = people.looked;
  const auto [at_x_m, at_y_m] = choose_place(people.found, &place);
  place.not_searched = not_searched(input, place.source, at_x_m, at_y_m);
  place.figures = place_figures({input.grid, input.cameras, input.floor(), input.masks, people.found.people,
                                 parameters.get<PeopleParameters>(), input.may_stand()},
                                at_x_m, at_y_m, place.person);
  if (const DetectionsArtifact* detections = result.detections(); detections && place.not_searched.empty()) {
    std::vector<FusedPerson> fused = people.fused;
    for (size_t i = fused.size(); i < people.found.people.size(); ++i) {
      const FoundPerson& one = people.found.people[i];
      FusedPerson& made = fused.emplace_back();
      made.x_m = one.x_m, made.y_m = one.y_m, made.height_m = one.height_m;
    }
    const std::vector<std::vector<HeadBox>> heads = head_boxes(result.heads());
    place.detections =
        evidence_at(at_x_m, at_y_m, {.cameras = detections->cameras, .heads = heads, .masks = input.masks},
                    fused, input.cameras, parameters.get<FusionParameters>(), input.ignored);
  }
  if (!place.not_searched.empty() || !place.looked) return place;
  if (place.source == PeopleSource::volume) VANTAGE_TRY(add_agreement(input, parameters, &place));
  why_detail::PlaceSearch search(input, parameters, place.source);
  if (place.source == PeopleSource::occupancy) {
    VANTAGE_ASSIGN(place.probability, search.probability(parameters, at_x_m, at_y_m));
  }
  place.thresholds = why_detail::thresholds_of(place, parameters);
  VANTAGE_TRY(why_detail::try_thresholds(search, parameters, stop, &place));
  return place;
}

}  // namespace vantage
