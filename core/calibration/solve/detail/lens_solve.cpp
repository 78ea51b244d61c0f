#include "core/calibration/solve/detail/lens_solve.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>
#include <vector>

#include "core/calibration/solve/board.h"
#include "core/calibration/solve/bundle.h"
#include "core/calibration/solve/detail/board_poses.h"
#include "core/calibration/solve/detail/seen_through_lens.h"
#include "core/geometry/lens_inverse.h"

namespace vantage {
namespace {

// First guesses for a camera's lens, from its views of a board: polynomial by homographies (guess_lens());
// fisheye by a search over focal lengths of a lens that shows equal angles at equal distances, since
// homographies do not hold far off the axis; rational by both.

// Views that the search takes, spread over all; focal lengths in parts of the picture's width a radian, from
// a circle of 180 degrees that fills half of the picture's height to 50 degrees over its width.
constexpr size_t kSearchViews = 16;
constexpr double kFirstFocal = 0.08, kLastFocal = 1.15, kFocalStep = 1.08;

BundleCamera lens_of(LensModel model, const LensValues& values) {
  BundleCamera lens{.lens = values, .lens_free = {}};
  lens.fixed.lens = model;
  lens.pose_free = false;
  return lens;
}

// Sum of the corners' misses, each at most a tenth of the picture.
double missed_px(const std::vector<Board>& boards, const std::vector<BoardView>& views,
                 const BundleCamera& lens, double width_px) {
  const double max_px = 0.1 * width_px;
  double sum = 0;
  for (const BoardView& view : views) {
    const Board& board = boards[view.board];
    const auto pose = guess_pose(board, view, lens);
    for (const BoardCorner& corner : view.corners) {
      double off = max_px;
      if (pose) {
        const Eigen::Vector2d at = project_corner(lens, {pose_values(*pose), true}, board.x_m(corner.index),
                                                  board.y_m(corner.index));
        off = (at - Eigen::Vector2d(corner.x_px, corner.y_px)).norm();
      }
      sum += off < max_px ? off : max_px;
    }
  }
  return sum;
}

std::vector<BoardView> spread_views(const std::vector<BoardView>& views) {
  if (views.size() <= kSearchViews) return views;
  std::vector<BoardView> some;
  for (size_t i = 0; i < kSearchViews; ++i) some.push_back(views[i * views.size() / kSearchViews]);
  return some;
}

// A lens that shows equal angles at equal distances from the middle of the picture.
LensValues equidistant_lens(const std::vector<Board>& boards, const std::vector<BoardView>& views,
                            int width_px, int height_px) {
  const std::vector<BoardView> some = spread_views(views);
  LensValues best = {};
  double best_px = INFINITY;
  for (double focal_px = kFirstFocal * width_px; focal_px < kLastFocal * width_px; focal_px *= kFocalStep) {
    const LensValues lens = {focal_px, focal_px, (width_px - 1) / 2.0, (height_px - 1) / 2.0};
    const double missed = missed_px(boards, some, lens_of(LensModel::fisheye, lens), width_px);
    if (missed < best_px) best = lens, best_px = missed;
  }
  return best;
}

// The fraction that is nearest to atan(r) / r: the same lens as a rational one.
LensValues as_rational(LensValues equidistant) {
  equidistant[kK1] = 735.0 / 945, equidistant[kK2] = 64.0 / 945;
  equidistant[kK4] = 1050.0 / 945, equidistant[kK5] = 225.0 / 945;
  return equidistant;
}

// Lenses without poses, all fixed. Empty if the views are inconclusive.
std::vector<BundleCamera> guess_lenses(LensModel model, const std::vector<Board>& boards,
                                       const std::vector<BoardView>& views, int width_px, int height_px) {
  std::vector<BundleCamera> guesses;
  if (views.empty()) return guesses;
  if (model != LensModel::fisheye)
    if (const auto pinhole = guess_lens(boards, views, width_px, height_px))
      guesses.push_back(lens_of(model, *pinhole));
  if (model == LensModel::polynomial) return guesses;
  const LensValues equidistant = equidistant_lens(boards, views, width_px, height_px);
  guesses.push_back(lens_of(model, model == LensModel::fisheye ? equidistant : as_rational(equidistant)));
  return guesses;
}

// A lens is determined when these standard deviations stay below: the focal length's in parts of itself, the
// centre's in parts of the picture's width, and of rational and fisheye lenses the distance from the centre
// at which they show an angle, in parts of itself.
constexpr double kMaxFocalStd = 0.01, kMaxCenterStd = 0.02, kMaxRadiusStd = 0.01;
// Rational and fisheye lenses: what is nearly open to one camera may be open to all together.
constexpr double kMinLensEigenvalue = 1e-10;
// Coefficients that are known only as far out as corners are seen are solved if the pictures need them: if
// the RMS without them is so many times as large.
constexpr double kNeededRms = 1.01;

LensFree free_of(std::initializer_list<LensValue> values) {
  LensFree free = {};
  for (const LensValue value : values) free[value] = true;
  return free;
}

// Sets of a lens's values to solve: the requested one first, then ever smaller ones.
std::vector<LensFree> solved_values(LensModel model, bool k3) {
  std::vector<LensFree> all;
  if (model == LensModel::fisheye)
    return {free_of({kFx, kFy, kCx, kCy, kK1, kK2, kK3, kK4}),
            free_of({kFx, kFy, kCx, kCy, kK1, kK2, kK3}),
            free_of({kFx, kFy, kCx, kCy, kK1, kK2}),
            free_of({kFx, kFy, kCx, kCy, kK1}),
            free_of({kFx, kFy, kK1}),
            free_of({kFx, kFy})};
  if (model == LensModel::rational) {
    all.push_back(free_of({kFx, kFy, kCx, kCy, kK1, kK2, kP1, kP2, kK3, kK4, kK5, kK6}));
    all.push_back(free_of({kFx, kFy, kCx, kCy, kK1, kK2, kP1, kP2, kK3, kK4, kK5}));
    all.push_back(free_of({kFx, kFy, kCx, kCy, kK1, kK2, kP1, kP2, kK4}));
  } else if (k3) {
    all.push_back(free_of({kFx, kFy, kCx, kCy, kK1, kK2, kP1, kP2, kK3}));
  }
  all.push_back(free_of({kFx, kFy, kCx, kCy, kK1, kK2, kP1, kP2}));
  all.push_back(free_of({kFx, kFy, kCx, kCy, kK1, kK2}));
  all.push_back(free_of({kFx, kFy, kCx, kCy, kK1}));
  all.push_back(free_of({kFx, kFy, kK1}));
  all.push_back(free_of({kFx, kFy}));
  return all;
}

std::string listed(const std::vector<std::string>& names) {
  std::string list = names.empty() ? "" : names[0];
  for (size_t i = 1; i < names.size(); ++i) list += (i + 1 < names.size() ? ", " : " and ") + names[i];
  return list;
}

// "k3 and k4 are fixed at 0: these pictures do not determine them".
std::string fixed_text(const LensFree& requested, const LensFree& solved) {
  std::vector<std::string> names;
  for (size_t i = kK1; i < kLensValues; ++i)
    if (requested[i] && !solved[i]) names.emplace_back(kLensNames[i]);
  const bool center = requested[kCx] && !solved[kCx];
  if (!center && names.size() == 1) return names[0] + " is fixed at 0: these pictures do not determine it";
  std::string text = listed(names) + (center ? " at 0" : " are fixed at 0");
  if (center) text = "cx and cy are fixed at the centre of the picture" + (names.empty() ? "" : ", " + text);
  return text + ": these pictures do not determine them";
}

bool place_is_determined(const BundleReport& report, const LensValues& lens, int width_px) {
  if (!report.undetermined.empty()) return false;
  const auto std_of = [&](size_t value) {
    const int index = report.lens_index[0][value];
    return index < 0 ? 0.0 : std::sqrt(report.covariance(index, index));
  };
  for (const size_t focal : {kFx, kFy})
    if (!(lens[focal] > 0) || !(std_of(focal) <= kMaxFocalStd * lens[focal])) return false;
  for (const size_t center : {kCx, kCy})
    if (!(std_of(center) <= kMaxCenterStd * width_px)) return false;
  return true;
}

// Deviation of a lens along one line from its centre, by the covariance of its focal length and radial
// coefficients.
class RadialSpread {
 public:
  RadialSpread(const BundleCamera& camera, const BundleReport& report) : camera_(camera) {
    for (const size_t value : {kFx, kFy, kK1, kK2, kK3, kK4, kK5, kK6})
      if (report.lens_index[0][value] >= 0) values_.push_back(value);
    const auto count = static_cast<Eigen::Index>(values_.size());
    covariance_.resize(count, count);
    for (Eigen::Index i = 0; i < count; ++i)
      for (Eigen::Index k = 0; k < count; ++k)
        covariance_(i, k) =
            report.covariance(report.lens_index[0][values_[i]], report.lens_index[0][values_[k]]);
  }

  // The standard deviation of the direction's pixel, as a share of its distance from the centre.
  double at(const Eigen::Vector3d& direction) const {
    const Eigen::Vector2d shown = shown_by(camera_.lens, direction);
    Eigen::VectorXd slope(covariance_.rows());
    for (Eigen::Index i = 0; i < slope.size(); ++i) {
      LensValues more = camera_.lens, less = camera_.lens;
      const size_t value = values_[i];
      const double step = 1e-6 * std::max(1.0, std::abs(camera_.lens[value]));
      more[value] += step, less[value] -= step;
      slope[i] = (shown_by(more, direction) - shown_by(less, direction)).dot(shown.normalized()) / (2 * step);
    }
    return std::sqrt(slope.dot(covariance_ * slope)) / shown.norm();
  }

 private:
  Eigen::Vector2d shown_by(const LensValues& lens, const Eigen::Vector3d& direction) const {
    Eigen::Vector2d at;
    project_seen(lens.data(), camera_.fixed, direction.data(), &at.x(), &at.y());
    return at - Eigen::Vector2d(lens[kCx], lens[kCy]);
  }

  const BundleCamera& camera_;
  std::vector<size_t> values_;
  Eigen::MatrixXd covariance_;
};

// Extent to which the lens's bend is known, and does not fold back: nowhere, to the corner of the board
// farthest out, or all over the picture.
enum class KnownBend { nowhere, at_corners, all_over };

bool knows(const RadialSpread& spread, const Lens<double>& lens, const Eigen::Vector2d& bent) {
  // A fisheye's picture may reach beyond what a camera shows.
  const double largest = std::tan(kMaxFisheyeAngle_rad);
  const bool unbounded = lens.lens == LensModel::fisheye && lens.max_radius2 > 0.999 * largest * largest;
  for (const double share : {0.25, 0.5, 0.75, 1.0}) {
    auto at = straightened(lens, share * bent);
    if (!at && unbounded) at = largest * bent.normalized();
    if (!at || !(spread.at({at->x(), at->y(), 1}) <= kMaxRadiusStd)) return false;
  }
  return true;
}

KnownBend known_bend(const BundleReport& report, const BundleCamera& camera,
                     const std::vector<BundleCorner>& corners, int width_px, int height_px) {
  if (report.smallest_eigenvalue < kMinLensEigenvalue) return KnownBend::nowhere;
  const auto bent_of = [&](double x_px, double y_px) {
    return Eigen::Vector2d((x_px - camera.lens[kCx]) / camera.lens[kFx],
                           (y_px - camera.lens[kCy]) / camera.lens[kFy]);
  };
  Eigen::Vector2d seen = Eigen::Vector2d::Zero(), picture = seen;
  for (const BundleCorner& corner : corners)
    if (const auto bent = bent_of(corner.x_px, corner.y_px); bent.norm() > seen.norm()) seen = bent;
  for (const double x_px : {0.0, width_px - 1.0})
    for (const double y_px : {0.0, height_px - 1.0})
      if (const auto bent = bent_of(x_px, y_px); bent.norm() > picture.norm()) picture = bent;
  const Lens<double> lens = lens_with(camera.lens, camera.fixed);
  const RadialSpread spread(camera, report);
  if (!knows(spread, lens, seen)) return KnownBend::nowhere;
  return knows(spread, lens, picture) ? KnownBend::all_over : KnownBend::at_corners;
}

constexpr const char* kRecordLens =
    "Record the board close to this camera in ten or more pictures, slanted by 20 to 45 degrees to all sides "
    "and reaching all corners of the picture, or give the lens (--lens).";

LensModel model_of(const BoardCamera& camera) {
  if (camera.model) return *camera.model;
  return camera.given ? camera.given->model().lens : LensModel::polynomial;
}

class LensSolver {
 public:
  LensSolver(const std::vector<Board>& boards, const BoardCamera& camera, const std::vector<BoardView>& views,
             bool k3, const StopSource& stop)
      : boards_(boards), camera_(camera), views_(views), stop_(stop), model_(model_of(camera)), k3_(k3) {}

  Result<SolvedLens> solve() const {
    if (camera_.given && !camera_.solve_lens) return SolvedLens{given_lens()};
    const std::vector<BundleCamera> starts = first_guesses();
    const std::vector<LensFree> requested = solved_values(model_, k3_);
    std::optional<Attempt> needed;
    for (const LensFree& free : requested) {
      // A known lens is kept whole rather than solved in parts.
      if (camera_.given && free != requested.front()) break;
      auto solved = best_of(starts, free);
      if (!solved) continue;
      if (needed && needed->rms_px * kNeededRms < solved->rms_px) break;
      if (solved->known == KnownBend::all_over)
        return SolvedLens{solved->lens, free == requested.front() ? "" : fixed_text(requested.front(), free)};
      if (!needed) needed = std::move(solved);
    }
    if (needed) return needed_lens(*needed, requested.front());
    if (camera_.given)
      return SolvedLens{given_lens(), "the lens is fixed as given: these pictures do not determine it"};
    return fail(ErrorKind::bad_data, "these pictures do not determine the lens", camera_.name, kRecordLens);
  }

 private:
  BundleCamera given_lens() const {
    BundleCamera lens{.lens = lens_values(camera_.given->model()), .lens_free = {}};
    lens.fixed = camera_.given->model();
    lens.pose_free = false;
    return lens;
  }

  std::vector<BundleCamera> first_guesses() const {
    if (camera_.given && camera_.given->model().lens == model_) return {given_lens()};
    return guess_lenses(model_, boards_, views_, camera_.width_px, camera_.height_px);
  }

  struct Attempt {
    BundleCamera lens;
    KnownBend known = KnownBend::nowhere;
    double rms_px = 0;
  };

  static SolvedLens needed_lens(const Attempt& attempt, const LensFree& requested) {
    std::string fixed =
        attempt.lens.lens_free == requested ? "" : fixed_text(requested, attempt.lens.lens_free) + "; ";
    return {attempt.lens, fixed + "the lens is not determined farther out than corners were seen"};
  }

  std::optional<Attempt> best_of(const std::vector<BundleCamera>& starts, const LensFree& free) const {
    std::optional<Attempt> best;
    for (const BundleCamera& start : starts)
      if (auto solved = attempt(start, free); solved && !(best && best->rms_px <= solved->rms_px))
        best = std::move(solved);
    return best;
  }

  std::optional<Attempt> attempt(const BundleCamera& first, const LensFree& free) const {
    Bundle bundle;
    BundleCamera camera = first;
    camera.lens_free = free;
    bundle.cameras.push_back(camera);
    for (const BoardView& view : views_) {
      const Board& board = boards_[view.board];
      const auto pose = guess_pose(board, view, first);
      if (!pose) continue;
      bundle.boards.push_back({pose_values(*pose), true});
      for (const BoardCorner& corner : view.corners)
        bundle.corners.push_back({0, static_cast<int>(bundle.boards.size()) - 1, board.x_m(corner.index),
                                  board.y_m(corner.index), corner.x_px, corner.y_px});
    }
    if (bundle.boards.empty()) return {};
    const Result<BundleReport> report = adjust(&bundle, stop_);
    Attempt solved{bundle.cameras[0], KnownBend::all_over, 0};
    if (!report || !place_is_determined(*report, solved.lens.lens, camera_.width_px)) return {};
    if (model_ != LensModel::polynomial)
      solved.known = known_bend(*report, solved.lens, bundle.corners, camera_.width_px, camera_.height_px);
    if (solved.known == KnownBend::nowhere) return {};
    for (const Eigen::Vector2d& residual : report->residuals_px) solved.rms_px += residual.squaredNorm();
    solved.rms_px = std::sqrt(solved.rms_px / static_cast<double>(bundle.corners.size()));
    return solved;
  }

  const std::vector<Board>& boards_;
  const BoardCamera& camera_;
  const std::vector<BoardView>& views_;
  const StopSource& stop_;
  LensModel model_;
  bool k3_;
};

}  // namespace

Result<SolvedLens> solve_lens(const std::vector<Board>& boards, const BoardCamera& camera,
                              const std::vector<BoardView>& views, bool k3, const StopSource& stop) {
  return LensSolver(boards, camera, views, k3, stop).solve();
}

}  // namespace vantage
