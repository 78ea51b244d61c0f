#include "core/calibration/people/people_solve.h"

#include <fmt/core.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "core/base/text.h"
#include "core/calibration/adjust/uncertainty.h"
#include "core/calibration/people/detail/all_cameras.h"
#include "core/calibration/people/detail/people_footage.h"
#include "core/calibration/people/detail/tangents.h"
#include "core/calibration/solve/camera_values.h"

namespace vantage {
namespace {

double with_bend(double std, double bent) {
  return std::hypot(std, bent);
}

std::string change_text(const PeopleLens& lens) {
  return fmt::format(
      "focal length {:+.2f} % (+- {:.2f}), k1 {:+.3f} (+- {:.3f}), {:.1f} px at the picture's corner",
      100 * lens.focal_change, 100 * with_bend(lens.focal_std, kBentFocal), lens.k1_change,
      with_bend(lens.k1_std, kBentK1), lens.corner_px);
}

}  // namespace

std::string_view lens_verdict_name(LensVerdict verdict) {
  constexpr std::array<std::string_view, 6> kNames = {"not judged", "fits",   "wrong",
                                                      "open",       "solved", "barely solved"};
  return kNames[static_cast<size_t>(verdict)];
}

LensVerdict judge_fixed_lens(const PeopleLens& shown) {
  const double focal_std = with_bend(shown.focal_std, kBentFocal), k1_std = with_bend(shown.k1_std, kBentK1);
  if (std::abs(shown.focal_change) > kWrongLensDeviations * focal_std ||
      std::abs(shown.k1_change) > kWrongLensDeviations * k1_std)
    return LensVerdict::wrong;
  return kWrongLensDeviations * focal_std <= kSeenFocal && kWrongLensDeviations * k1_std <= kSeenK1
             ? LensVerdict::fits
             : LensVerdict::open;
}

double corner_shift_px(const Camera& camera, double k1_change) {
  const PinholeCamera<double>& model = camera.model();
  const double x = std::max(model.cx_px, model.width_px - model.cx_px) / model.fx_px,
               y = std::max(model.cy_px, model.height_px - model.cy_px) / model.fy_px;
  const double radius2 = x * x + y * y;
  return std::abs(k1_change) * radius2 * std::hypot(x * model.fx_px, y * model.fy_px);
}

std::string lens_text(const PeopleLens& lens) {
  switch (lens.verdict) {
    case LensVerdict::not_judged:
      return {};
    case LensVerdict::fits:
      return "the fixed lens fits; people show " + change_text(lens) + " from it";
    case LensVerdict::wrong:
      return "the fixed lens does not fit: people show " + change_text(lens) + " from it";
    case LensVerdict::open:
      return "people do not determine whether the fixed lens fits; they show " + change_text(lens) +
             " from it";
    case LensVerdict::solved:
      return "lens solved: " + change_text(lens);
    case LensVerdict::barely_solved:
      return "lens solved, but the footage hardly shows it: " + change_text(lens);
  }
  return {};
}

namespace {

using namespace people_calibration_detail;

constexpr int kTurns = 6;
constexpr int kAllCameras = 3;  // the turn from which free cameras, too, locate people
// The loss narrows from turn to turn, down to the scatter of outlines where nothing hides them.
constexpr double kFirstScatter_px = 16, kNarrows = 0.4;
// kReach of a camera that may be anywhere.
constexpr double kFirstReach = 0.35;
constexpr double kMinScatter_px = 0.3;
// The first rotation: the displacement is searched for within this share of the picture, among people whose
// boxes are about as tall as expected.
constexpr double kMaxDisplaced = 0.3, kMaxTaller = 0.3, kDisplacementCell_px = 12;

class PeopleSolver {
 public:
  PeopleSolver(const PeopleSolveInput& input, const StopSource& stop)
      : input_(input), stop_(stop), footage_(input), tangents_(input.cameras) {
    tangents_.free = input_.free, tangents_.stop = stop_;
  }

  Result<PeopleSolution> solve() {
    for (int turn = 0; turn < kTurns; ++turn) {
      if (turn == 0 || turn == kAllCameras) {
        VANTAGE_ASSIGN(people_, footage_.find_people(presents(), turn == 0 ? fixed() : all(), stop_));
      }
      if (turn == 0) give_first_rotations();
      VANTAGE_TRY(give_outlines(turn == 0 ? kFirstReach : kReach));
      for (const Touch touch : {kBelow, kAbove})
        tangents_.scatter_px[touch] =
            std::max(kFirstScatter_px * std::pow(kNarrows, turn), own_scatter_px(touch));
      VANTAGE_ASSIGN(covariance_, adjust_poses(&tangents_));
    }
    return solution();
  }

 private:
  Camera present(size_t camera) const {
    return changed_camera(input_.cameras[camera], camera_change(tangents_.changes[camera]))
        .value_or(input_.cameras[camera]);
  }

  std::vector<Camera> presents() const {
    std::vector<Camera> cameras;
    for (size_t c = 0; c < input_.cameras.size(); ++c) cameras.push_back(present(c));
    return cameras;
  }

  std::vector<bool> all() const { return std::vector<bool>(input_.cameras.size(), true); }
  std::vector<bool> fixed() const {
    std::vector<bool> fixed = input_.free;
    fixed.flip();
    return fixed;
  }

  // The most frequent displacement of a free camera's boxes from the expected ones, as a rotation.
  void give_first_rotations() {
    for (size_t c = 0; c < input_.cameras.size(); ++c) {
      if (!input_.free[c]) continue;
      const Camera camera = present(c);
      const PinholeCamera<double>& model = camera.model();
      std::map<std::pair<int, int>, int> votes;
      for (size_t f = 0; f < footage_.frames().size(); ++f)
        for (const FoundPerson& person : people_[f])
          if (const auto body = PeopleFootage::expected(camera, person))
            for (const PersonOutline& outline : footage_.frames()[f]->cameras[c])
              vote(place_of(outline.box), *body, model, &votes);
      const auto most = std::max_element(votes.begin(), votes.end(),
                                         [](const auto& a, const auto& b) { return a.second < b.second; });
      if (most == votes.end()) continue;
      tangents_.changes[c][0] += std::atan(-most->first.second * kDisplacementCell_px / model.fy_px);
      tangents_.changes[c][1] += std::atan(most->first.first * kDisplacementCell_px / model.fx_px);
    }
  }

  static void vote(const BoxPlace& seen, const BoxPlace& body, const PinholeCamera<double>& model,
                   std::map<std::pair<int, int>, int>* votes) {
    const double x = seen.middle_px - body.middle_px, y = seen.top_px - body.top_px;
    if (std::abs(x) > kMaxDisplaced * model.width_px || std::abs(y) > kMaxDisplaced * model.height_px ||
        std::abs(std::log(seen.height_px / body.height_px)) > kMaxTaller)
      return;
    const auto column = static_cast<int>(std::lround(x / kDisplacementCell_px)),
               row = static_cast<int>(std::lround(y / kDisplacementCell_px));
    for (int v = -1; v <= 1; ++v)
      for (int u = -1; u <= 1; ++u) (*votes)[{column + u, row + v}] += u == 0 && v == 0 ? 2 : 1;
  }

  // Assigns each camera's outlines to the people of their frame, one to one, nearest in all; those of one
  // person in two cameras become a pair.
  Status give_outlines(double free_reach) {
    tangents_.outlines.clear(), tangents_.pairs.clear();
    outlines_of_.assign(input_.cameras.size(), 0);
    people_used_ = 0;
    const std::vector<Camera> cameras = presents();
    for (size_t f = 0; f < footage_.frames().size(); ++f) {
      std::vector<std::vector<size_t>> of_person(people_[f].size());  // indices in tangents_.outlines
      for (size_t c = 0; c < input_.cameras.size(); ++c) {
        const std::vector<int> assigned =
            footage_.assign(f, c, cameras[c], people_[f], input_.free[c] ? free_reach : kReach);
        for (size_t p = 0; p < assigned.size(); ++p) {
          if (assigned[p] < 0) continue;
          const auto& outline = footage_.body(f, c, static_cast<size_t>(assigned[p]));
          if (!outline) continue;
          of_person[p].push_back(tangents_.outlines.size());
          tangents_.outlines.push_back(*outline);
        }
      }
      for (const std::vector<size_t>& its : of_person) add_pairs(its);
    }
    for (size_t c = 0; c < input_.cameras.size(); ++c)
      if (input_.free[c] && outlines_of_[c] < kMinOutlines)
        return too_few_outlines(input_.cameras[c], outlines_of_[c]);
    return {};
  }

  void add_pairs(const std::vector<size_t>& outlines) {
    if (outlines.size() < 2) return;
    ++people_used_;
    for (size_t b = 0; b < outlines.size(); ++b) {
      ++outlines_of_[tangents_.outlines[outlines[b]].camera];
      for (size_t a = 0; a < b; ++a) tangents_.pairs.push_back({outlines[a], outlines[b]});
    }
  }

  // Scatter of the fixed cameras.
  double own_scatter_px(Touch touch) const {
    const auto fixed = [&](size_t a, size_t b) { return !input_.free[a] && !input_.free[b]; };
    return std::max(
        kMinScatter_px,
        robust_scatter(misses_px(tangents_, poses(tangents_.changes), fixed, {touch}), kWhereSeen));
  }

  // Scatter of a camera's own pairs.
  double scatter_of_px(const std::vector<PoseChange>& changes, size_t camera) const {
    const auto its = [camera](size_t a, size_t b) { return a == camera || b == camera; };
    return robust_scatter(misses_px(tangents_, poses(changes), its), kWhereSeen);
  }

  std::vector<Pose> poses(const std::vector<PoseChange>& changes) const {
    return tangents_.poses(changes, tangents_.lenses);
  }

  // Mean number of people at one position, where they all show the same.
  double people_per_place() const {
    std::set<std::pair<long, long>> places;
    double people = 0;
    for (const std::vector<FoundPerson>& frame : people_)
      for (const FoundPerson& person : frame) {
        places.emplace(std::lround(person.x_m / kPlace_m), std::lround(person.y_m / kPlace_m));
        ++people;
      }
    return places.empty() ? 1 : people / static_cast<double>(places.size());
  }

  // The covariance of all changes by solving without each part of the footage.
  Result<Eigen::MatrixXd> covariance_by_parts() const {
    const auto& frames = footage_.frames();
    const auto begin = [&](size_t part) { return part * frames.size() / kParts; };
    std::set<size_t> parts;
    for (size_t part = 0; part < kParts; ++part)
      if (begin(part) < begin(part + 1)) parts.insert(part);
    const auto without = [&](size_t part) -> Result<Eigen::VectorXd> {
      const int64_t first = frames[begin(part)]->frame, last = frames[begin(part + 1) - 1]->frame;
      TangentProblem rest = tangents_;
      std::erase_if(rest.pairs, [&](const OutlinePair& pair) {
        const int64_t frame = rest.outlines[pair.first].frame;
        return frame >= first && frame <= last;
      });
      VANTAGE_TRY(adjust_poses(&rest));
      return values_of(rest);
    };
    return jackknife(parts, without, stop_);
  }

  // The mean of two estimates: `by_parts`, and by what the pairs leave open, positions counted once.
  void fill_covariance(const Eigen::MatrixXd& by_parts, size_t camera, PeopleSolvedCamera* solved) const {
    if (!input_.free[camera]) return;
    const auto at = static_cast<Eigen::Index>(6 * camera);
    const auto first =
        6 * std::count(input_.free.begin(), input_.free.begin() + static_cast<long>(camera), true);
    solved->covariance.topLeftCorner<6, 6>() =
        by_parts.block<6, 6>(at, at) / 2 + people_per_place() / 2 * covariance_.block<6, 6>(first, first);
    solved->turned_std_deg = turned_std_deg(solved->covariance);
    solved->moved_std_m = moved_std_m(solved->covariance);
  }

  // True if placing a camera explains so much that the uncertainty of its pose matters.
  bool gains(const std::vector<PoseChange>& given) const {
    for (size_t c = 0; c < input_.cameras.size(); ++c)
      if (input_.free[c] && scatter_of_px(given, c) >= input_.min_gain * scatter_of_px(tangents_.changes, c))
        return true;
    return false;
  }

  Result<PeopleSolution> solution() const {
    const std::vector<PoseChange> given(input_.cameras.size());
    const bool uncertainty_matters = gains(given);
    Eigen::MatrixXd by_parts;
    if (uncertainty_matters) {
      VANTAGE_ASSIGN(by_parts, covariance_by_parts());
    }
    PeopleSolution all;
    all.frames = static_cast<int64_t>(footage_.frames().size()), all.people = people_used_;
    for (size_t c = 0; c < input_.cameras.size(); ++c) {
      PeopleSolvedCamera solved;
      solved.free = input_.free[c], solved.outlines = outlines_of_[c];
      solved.camera = present(c);
      solved.before_px = scatter_of_px(given, c), solved.after_px = scatter_of_px(tangents_.changes, c);
      if (uncertainty_matters) fill_covariance(by_parts, c, &solved);
      solved.determined = solved.turned_std_deg <= kMaxTurnedStd_deg && solved.moved_std_m <= kMaxMovedStd_m;
      if (solved.determined) {
        solved.change = camera_change(tangents_.changes[c]);
      } else {
        solved.camera = input_.cameras[c], solved.after_px = solved.before_px;
      }
      solved.turned_deg = solved.change.head<3>().norm() * 180 / M_PI;
      solved.moved_m = solved.change.segment<3>(3).norm();
      all.cameras.push_back(std::move(solved));
    }
    return all;
  }

  const PeopleSolveInput& input_;
  const StopSource& stop_;
  PeopleFootage footage_;
  FoundPeople people_;
  TangentProblem tangents_;
  Eigen::MatrixXd covariance_;        // of the free changes, as if pairs were independent
  std::vector<int64_t> outlines_of_;  // cameras
  int64_t people_used_ = 0;
};

}  // namespace

FloorRectangle floor_around(const VoxelGrid& grid) {
  constexpr double kAround_m = 1;
  const double x = grid.origin_in_world_m[0], y = grid.origin_in_world_m[1];
  return {x - kAround_m, y - kAround_m, x + grid.nx * grid.voxel_size_m + kAround_m,
          y + grid.ny * grid.voxel_size_m + kAround_m};
}

std::vector<size_t> wrong_lenses(const PeopleSolution& solution) {
  std::vector<size_t> wrong;
  for (size_t c = 0; c < solution.cameras.size(); ++c)
    if (solution.cameras[c].lens.verdict == LensVerdict::wrong) wrong.push_back(c);
  return wrong;
}

std::string wrong_lenses_text(const PeopleSolution& solution) {
  const std::vector<size_t> wrong = wrong_lenses(solution);
  std::string names;
  for (const size_t camera : wrong) append_item(&names, solution.cameras[camera].camera.name());
  if (wrong.empty()) return {};
  return wrong.size() == 1 ? "The fixed lens of " + names + " does not fit, so that no camera is changed"
                           : "The fixed lenses of " + names + " do not fit, so that no camera is changed";
}

Status check_free_cameras(const std::vector<bool>& free, bool solve_lenses) {
  const auto moved = static_cast<size_t>(std::count(free.begin(), free.end(), true));
  if (moved == free.size() && moved >= 3) return {};
  if (solve_lenses)
    return fail(ErrorKind::invalid_argument,
                "people determine lenses only where all of three or more cameras are free", "calibration",
                "Free all cameras, or fix the lenses.");
  if (moved == 0 || moved + 2 > free.size())
    return fail(
        ErrorKind::invalid_argument,
        "people give poses of cameras relative to two or more fixed ones, or of all of three or more at once",
        "calibration", "Name the cameras that were moved, or all.");
  return {};
}

Result<PeopleSolution> solve_from_people(const PeopleSolveInput& input, const StopSource& stop) {
  VANTAGE_TRY(check_free_cameras(input.free, input.solve_lenses));
  if (std::count(input.free.begin(), input.free.end(), false) == 0) return solve_all_cameras(input, stop);
  return PeopleSolver(input, stop).solve();
}

}  // namespace vantage
