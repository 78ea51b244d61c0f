#include "core/calibration/solve/points_solve.h"

#include <ceres/autodiff_cost_function.h>
#include <ceres/rotation.h>
#include <fmt/core.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "core/calibration/adjust/adjustment.h"
#include "core/calibration/adjust/uncertainty.h"
#include "core/calibration/solve/detail/board_poses.h"
#include "core/calibration/solve/detail/seen_through_lens.h"

namespace vantage {
namespace {

constexpr double kMinSine2 = 1e-4;  // of the angle between rays that meet: 0.6 degrees
const char* const kClickRemedy =
    "Click more points that several cameras show, fix two cameras, or enter coordinates of points.";

struct Click {
  size_t camera = 0, point = 0, number = 0;  // number: among the point's clicks
  Eigen::Vector2d at_px;
};

// A click by the change of its camera and the point's position.
struct ClickError {
  Eigen::Matrix3d rotation;
  Eigen::Vector3d center;
  LensValues lens;
  Lens<double> fixed;
  Eigen::Vector2d at_px;

  ClickError(const Camera& camera, const Eigen::Vector2d& click)
      : rotation(camera.rotation_cam_from_world()),
        center(camera.center_in_world_m()),
        lens(lens_values(camera.model())),
        fixed(camera.model()),
        at_px(click) {}

  template <typename T>
  bool operator()(const T* change, const T* point, T* off) const {
    T from_center[3], before[3], seen[3], values[kLensValues];
    for (int i = 0; i < 3; ++i) from_center[i] = point[i] - center[i] - change[3 + i];
    for (int row = 0; row < 3; ++row)
      before[row] = rotation(row, 0) * from_center[0] + rotation(row, 1) * from_center[1] +
                    rotation(row, 2) * from_center[2];
    ceres::AngleAxisRotatePoint(change, before, seen);
    for (size_t i = 0; i < kLensValues; ++i) values[i] = T(lens[i]);
    values[kFx] *= T(1) + change[6], values[kFy] *= T(1) + change[6];
    if (!project_seen(values, fixed, seen, &off[0], &off[1])) return false;
    off[0] -= at_px.x(), off[1] -= at_px.y();
    return true;
  }
};

// The estimate: every camera, and the points that are placed.
struct State {
  std::vector<Camera> cameras;
  std::vector<std::optional<Eigen::Vector3d>> points;
  double cost = INFINITY;
};

class PointsSolver {
 public:
  explicit PointsSolver(const PointsInput& input) : input_(input) {}

  Result<PointsSolution> solve() {
    VANTAGE_TRY(gather());
    VANTAGE_TRY(check_world());
    VANTAGE_ASSIGN(State state, best_state());
    drop_useless(&state);
    VANTAGE_TRY(check_counts(state));
    double sigma_px = kExpectedClick_px;
    VANTAGE_TRY(adjust(&state, kFirstLoss_px));
    VANTAGE_TRY(adjust(&state, loss_px(state)));
    for (;;) {
      VANTAGE_ASSIGN(const Covered covered, covariance_of(state, &sigma_px));
      if (covered.open.empty()) return solution(state, covered, sigma_px);
      VANTAGE_TRY(drop_open(covered, &state));
      VANTAGE_TRY(adjust(&state, loss_px(state)));
    }
  }

 private:
  // The changes are about the state's cameras, and 0 again afterwards. Columns of the covariance: the first
  // value of each; -1: fixed.
  struct Values {
    std::vector<std::array<double, kChanges>> changes;
    std::vector<std::array<double, 3>> points;
    std::vector<int> camera_at, point_at;
  };

  struct Covered {
    Eigen::MatrixXd covariance;
    std::vector<size_t> open;  // blocks: of the cameras, then of the points
    std::vector<int> camera_at, point_at;
    int redundancy = 0;
  };

  bool free(size_t camera) const { return input_.cameras[camera].solve_pose; }
  Eigen::Index values_of(size_t camera) const { return input_.cameras[camera].solve_focal ? 7 : 6; }
  const std::string& name_of(size_t camera) const { return input_.cameras[camera].camera.name(); }
  bool known(size_t point) const { return input_.points[point].known_m.has_value(); }

  Status gather() {
    for (size_t p = 0; p < input_.points.size(); ++p)
      for (size_t k = 0; k < input_.points[p].clicks.size(); ++k) {
        const PointClick& click = input_.points[p].clicks[k];
        const auto camera =
            std::find_if(input_.cameras.begin(), input_.cameras.end(),
                         [&](const PointsCamera& one) { return one.camera.name() == click.camera; });
        if (camera == input_.cameras.end())
          return fail(ErrorKind::invalid_argument, "there is no calibrated camera '" + click.camera + "'",
                      input_.points[p].name, "Name cameras as the project does.");
        clicks_.push_back({static_cast<size_t>(camera - input_.cameras.begin()), p, k, click.at_px});
      }
    return {};
  }

  static Status world_open() {
    return fail(
        ErrorKind::bad_data,
        "the gauge is open: nothing fixes the origin, the axes and the scale of the world", "calibration",
        "Fix two cameras, or one camera and the coordinates of a point, or the coordinates of three points.");
  }

  // The gauge: fixed cameras and known coordinates determine the world.
  Status check_world() const {
    const auto fixed = std::count_if(input_.cameras.begin(), input_.cameras.end(),
                                     [](const PointsCamera& camera) { return !camera.solve_pose; });
    const auto points = std::count_if(input_.points.begin(), input_.points.end(),
                                      [](const ClickedPoint& point) { return point.known_m.has_value(); });
    return !any_free() || fixed >= 2 || (fixed == 1 && points >= 1) || points >= 3 ? Status() : world_open();
  }

  // The point nearest to the rays of the cameras that are placed; nothing where these do not cross.
  std::optional<Eigen::Vector3d> triangulated(size_t point, const std::vector<Camera>& cameras,
                                              const std::vector<bool>& placed) const {
    Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
    Eigen::Vector3d right = Eigen::Vector3d::Zero();
    int rays = 0;
    for (const Click& click : clicks_) {
      if (click.point != point || !placed[click.camera]) continue;
      const auto ray = cameras[click.camera].ray(click.at_px);
      if (!ray) continue;
      const Eigen::Matrix3d across =
          Eigen::Matrix3d::Identity() - ray->direction_in_world * ray->direction_in_world.transpose();
      sum += across, right += across * ray->origin_in_world_m;
      ++rays;
    }
    if (rays < 2 || Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(sum).eigenvalues()[0] < kMinSine2)
      return {};
    return Eigen::Vector3d(sum.ldlt().solve(right));
  }

  void triangulate_all(const std::vector<bool>& placed, State* state) const {
    for (size_t p = 0; p < input_.points.size(); ++p)
      state->points[p] = known(p) ? input_.points[p].known_m : triangulated(p, state->cameras, placed);
  }

  // Places the free camera by the placed points; false: not determined.
  bool resect(size_t camera, State* state) const {
    std::vector<Eigen::Vector3d> points;
    std::vector<Eigen::Vector2d> seen;
    for (const Click& click : clicks_) {
      if (click.camera != camera || !state->points[click.point]) continue;
      const auto at = state->cameras[camera].undistort(click.at_px);
      if (!at) continue;
      points.push_back(*state->points[click.point]), seen.push_back(*at);
    }
    const auto pose = pose_of_points(points, seen);
    if (!pose) return false;
    PinholeCamera<double> model = state->cameras[camera].model();
    for (int row = 0; row < 3; ++row) {
      model.translation_cam_from_world_m[row] = pose->translation()[row];
      for (int column = 0; column < 3; ++column)
        model.rotation_cam_from_world[3 * row + column] = pose->linear()(row, column);
    }
    const Result<Camera> made = Camera::make(name_of(camera), model);
    if (made) state->cameras[camera] = *made;
    return made.has_value();
  }

  State given_state() const {
    State state;
    for (const PointsCamera& camera : input_.cameras) state.cameras.push_back(camera.camera);
    state.points.resize(input_.points.size());
    triangulate_all(std::vector<bool>(input_.cameras.size(), true), &state);
    return state;
  }

  // Starts from the fixed cameras and known points: each free camera as soon as enough points are placed.
  State resected_state() const {
    State state = given_state();
    std::vector<bool> placed;
    for (size_t c = 0; c < input_.cameras.size(); ++c) placed.push_back(!free(c));
    for (bool again = true; again;) {
      again = false;
      triangulate_all(placed, &state);
      for (size_t c = 0; c < placed.size(); ++c)
        if (!placed[c] && resect(c, &state)) placed[c] = again = true;
    }
    triangulate_all(std::vector<bool>(placed.size(), true), &state);
    return state;
  }

  Result<State> best_state() const {
    State given = given_state();
    if (!any_free()) return given;
    State resected = resected_state();
    for (State* state : {&given, &resected})
      if (const Status adjusted = adjust(state, kFirstLoss_px); !adjusted) state->cost = INFINITY;
    return given.cost <= resected.cost ? given : resected;
  }

  // Clicks whose point is placed and whose camera or point is solved.
  bool used(const Click& click, const State& state) const {
    return state.points[click.point] && (free(click.camera) || !known(click.point));
  }

  // Points behind one of their cameras, and points of one camera alone, are useless.
  void drop_useless(State* state) const {
    for (const Click& click : clicks_)
      if (!known(click.point) && state->points[click.point] &&
          !state->cameras[click.camera].project(*state->points[click.point]))
        state->points[click.point].reset();
  }

  Status check_counts(const State& state) const {
    std::vector<size_t> counts(input_.cameras.size());
    for (const Click& click : clicks_) counts[click.camera] += state.points[click.point] ? 1 : 0;
    for (size_t c = 0; c < counts.size(); ++c) {
      if (!free(c)) continue;
      const size_t needed = input_.cameras[c].solve_focal ? kMinFocalPoints : kMinPosePoints;
      if (counts[c] < needed)
        return fail(ErrorKind::bad_data,
                    fmt::format("{} of its points are known or seen by another camera; {} are needed",
                                counts[c], needed),
                    name_of(c), kClickRemedy);
    }
    return {};
  }

  // Residuals of used clicks. The blocks: cameras, then points.
  Adjustment build(const State& state, double loss_px, Values* values) const {
    values->changes.resize(state.cameras.size());
    for (const auto& point : state.points) {
      const Eigen::Vector3d at = point.value_or(Eigen::Vector3d::Zero());
      values->points.push_back({at.x(), at.y(), at.z()});
    }
    Adjustment adjustment;
    for (const Click& click : clicks_)
      if (used(click, state))
        adjustment.add(new ceres::AutoDiffCostFunction<ClickError, 2, kChanges, 3>(
                           new ClickError(state.cameras[click.camera], click.at_px)),
                       Loss{.scale = loss_px},
                       {values->changes[click.camera].data(), values->points[click.point].data()});
    for (size_t c = 0; c < state.cameras.size(); ++c) {
      std::array<bool, kChanges> its;
      its.fill(free(c)), its[6] = free(c) && input_.cameras[c].solve_focal;
      values->camera_at.push_back(adjustment.block(name_of(c), values->changes[c], its)[0]);
    }
    for (size_t p = 0; p < state.points.size(); ++p)
      values->point_at.push_back(adjustment.block(input_.points[p].name, values->points[p], !known(p))[0]);
    return adjustment;
  }

  Status adjust(State* state, double loss_px) const {
    Values values;
    Adjustment adjustment = build(*state, loss_px, &values);
    if (adjustment.empty()) return {};
    VANTAGE_TRY(adjustment.solve({}, kClickRemedy));
    state->cost = adjustment.cost();
    for (size_t c = 0; c < state->cameras.size(); ++c) {
      const auto changed = changed_camera(state->cameras[c], CameraChange(values.changes[c].data()));
      if (!changed)
        return fail(ErrorKind::bad_data, "the points do not determine the focal length", name_of(c),
                    kClickRemedy);
      if (free(c)) state->cameras[c] = *changed;
    }
    for (size_t p = 0; p < state->points.size(); ++p)
      if (state->points[p] && !known(p)) state->points[p] = Eigen::Vector3d(values.points[p].data());
    return {};
  }

  Eigen::Vector2d off_px(const Click& click, const State& state) const {
    const auto at = state.cameras[click.camera].project(*state.points[click.point]);
    return at ? Eigen::Vector2d(*at - click.at_px) : Eigen::Vector2d(INFINITY, INFINITY);
  }

  double loss_px(const State& state) const {
    std::vector<double> sizes;
    for (const Click& click : clicks_)
      if (used(click, state))
        for (const double value : off_px(click, state)) sizes.push_back(std::abs(value));
    return kLossSigmas * std::max(kExpectedClick_px, robust_scatter(std::move(sizes)));
  }

  Result<Covered> covariance_of(const State& state, double* sigma_px) const {
    Values values;
    Adjustment adjustment = build(state, loss_px(state), &values);
    Covered covered{{}, {}, values.camera_at, values.point_at};
    if (adjustment.columns() == 0) return covered;
    const auto found = adjustment.slopes(true);
    if (!found)
      return fail(ErrorKind::bad_data, "a point lies behind a camera that shows it", "calibration",
                  kClickRemedy);
    covered.redundancy = static_cast<int>(found->by_values.rows()) - adjustment.columns();
    // The cost is half the sum of squares; Huber's loss bounds what wrong clicks add.
    *sigma_px = std::sqrt((2 * found->cost + kExpectedWeight * kExpectedClick_px * kExpectedClick_px) /
                          (std::max(0, covered.redundancy) + kExpectedWeight));
    const InvertedNormal inverted = invert_normal(normal_equations(found->by_values));
    for (const Eigen::Index value : inverted.open) covered.open.push_back(adjustment.block_of(value));
    if (covered.open.empty()) covered.covariance = *sigma_px * *sigma_px * inverted.inverse;
    return covered;
  }

  // Points that remain open are left out; a camera that does is an error.
  Status drop_open(const Covered& covered, State* state) {
    for (const size_t block : covered.open) {
      if (block < state->cameras.size())
        return fail(ErrorKind::bad_data, "the points do not determine this camera's pose", name_of(block),
                    kClickRemedy);
      state->points[block - state->cameras.size()].reset();
    }
    return check_counts(*state);
  }

  bool any_free() const {
    return std::any_of(input_.cameras.begin(), input_.cameras.end(),
                       [](const PointsCamera& camera) { return camera.solve_pose; });
  }

  double rms_px(const Camera& camera, size_t number, const State& state) const {
    double sum = 0;
    int count = 0;
    for (const Click& click : clicks_) {
      if (click.camera != number || !state.points[click.point]) continue;
      if (const auto at = camera.project(*state.points[click.point]))
        sum += (*at - click.at_px).squaredNorm(), ++count;
    }
    return count > 0 ? std::sqrt(sum / count) : 0;
  }

  PointsSolvedCamera solved_camera(size_t c, const State& state, const Covered& covered) const {
    PointsSolvedCamera solved;
    const Camera& given = input_.cameras[c].camera;
    solved.camera = state.cameras[c], solved.free = free(c);
    for (const Click& click : clicks_)
      solved.clicks += click.camera == c && state.points[click.point] ? 1 : 0;
    solved.before_px = rms_px(given, c, state), solved.after_px = rms_px(solved.camera, c, state);
    if (!solved.free) return solved;
    solved.change = change_between(given, solved.camera);
    solved.turned_deg = solved.change.head<3>().norm() * 180 / M_PI;
    solved.moved_m = solved.change.segment<3>(3).norm();
    solved.focal_share = solved.change[6];
    const Eigen::Index size = values_of(c), at = covered.camera_at[c];
    solved.covariance.topLeftCorner(size, size) = covered.covariance.block(at, at, size, size);
    solved.turned_std_deg = turned_std_deg(solved.covariance);
    solved.moved_std_m = moved_std_m(solved.covariance);
    solved.focal_std = std::sqrt(solved.covariance(6, 6));
    return solved;
  }

  SolvedTogether together(const State& state, const Covered& covered) const {
    SolvedTogether all;
    std::vector<size_t> which;
    for (size_t c = 0; c < state.cameras.size(); ++c)
      if (free(c)) which.push_back(c), all.cameras.push_back(state.cameras[c]);
    const auto size = static_cast<Eigen::Index>(which.size());
    Eigen::MatrixXd slope = Eigen::MatrixXd::Zero(size * kCameraValues, covered.covariance.rows());
    for (Eigen::Index i = 0; i < size; ++i) {
      const size_t c = which[i];
      slope.block(i * kCameraValues, covered.camera_at[c], kCameraValues, values_of(c)) =
          values_of_change(state.cameras[c]).leftCols(values_of(c));
    }
    all.covariance = slope * covered.covariance * slope.transpose();
    return all;
  }

  Status check_determined(const PointsSolvedCamera& solved) const {
    if (!solved.free) return {};
    if (solved.turned_std_deg <= kMaxPointsTurn_deg && solved.moved_std_m <= kMaxPointsMove_m &&
        solved.focal_std <= kMaxPointsFocal)
      return {};
    return fail(
        ErrorKind::bad_data,
        fmt::format("the points determine it only to +- {:.2f} degrees, +- {:.0f} mm", solved.turned_std_deg,
                    1000 * solved.moved_std_m) +
            (solved.focal_std > 0 ? fmt::format(", +- {:.1f} % of the focal length", 100 * solved.focal_std)
                                  : std::string()),
        solved.camera.name(), "Click points that lie farther apart, at several heights and distances.");
  }

  SolvedPoint solved_point(size_t p, const State& state, const Covered& covered) const {
    SolvedPoint solved;
    solved.name = input_.points[p].name, solved.at_m = state.points[p], solved.known = known(p);
    if (!solved.at_m) return solved;
    if (covered.point_at[p] >= 0)
      solved.std_m = covered.covariance.diagonal().segment<3>(covered.point_at[p]).cwiseMax(0).cwiseSqrt();
    return solved;
  }

  Result<PointsSolution> solution(const State& state, const Covered& covered, double sigma_px) const {
    PointsSolution all;
    all.sigma_px = sigma_px, all.redundancy = covered.redundancy;
    for (size_t c = 0; c < state.cameras.size(); ++c) {
      all.cameras.push_back(solved_camera(c, state, covered));
      VANTAGE_TRY(check_determined(all.cameras.back()));
    }
    all.together = together(state, covered);
    for (size_t p = 0; p < state.points.size(); ++p) all.points.push_back(solved_point(p, state, covered));
    for (const Click& click : clicks_) {
      SolvedPoint& point = all.points[click.point];
      if (!point.at_m) continue;
      const Eigen::Vector2d off = off_px(click, state);
      const bool doubtful = off.norm() > kDoubtfulSigmas * std::max(sigma_px, kExpectedClick_px);
      point.clicks.push_back({click.camera, off, doubtful});
      point.rms_px += off.squaredNorm();
      if (doubtful)
        all.notes.push_back(
            fmt::format("{} in {} lies {:.0f} px from where the other clicks place it: check this click",
                        point.name, name_of(click.camera), off.norm()));
    }
    for (SolvedPoint& point : all.points) {
      if (!point.clicks.empty())
        point.rms_px = std::sqrt(point.rms_px / static_cast<double>(point.clicks.size()));
      if (!point.at_m) all.notes.push_back(point.name + " is not placed: no two cameras' rays cross there");
    }
    return all;
  }

  const PointsInput& input_;
  std::vector<Click> clicks_;
};

}  // namespace

Result<PointsSolution> solve_points(const PointsInput& input) {
  return PointsSolver(input).solve();
}

Result<PointsSolution> triangulate_points(const std::vector<Camera>& cameras,
                                          std::vector<ClickedPoint> points) {
  PointsInput input;
  for (const Camera& camera : cameras) input.cameras.push_back({camera, false, false});
  for (ClickedPoint& point : points) {
    point.known_m.reset();
    std::erase_if(point.clicks, [&](const PointClick& click) {
      return std::none_of(cameras.begin(), cameras.end(),
                          [&](const Camera& camera) { return camera.name() == click.camera; });
    });
  }
  input.points = std::move(points);
  return solve_points(input);
}

}  // namespace vantage
