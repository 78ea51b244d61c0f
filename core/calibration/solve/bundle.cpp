#include "core/calibration/solve/bundle.h"

#include <ceres/dynamic_autodiff_cost_function.h>
#include <ceres/rotation.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/text.h"
#include "core/calibration/adjust/adjustment.h"
#include "core/calibration/adjust/uncertainty.h"
#include "core/calibration/solve/detail/bundle_slopes.h"
#include "core/calibration/solve/detail/seen_through_lens.h"
#include "core/geometry/lens_inverse.h"

namespace vantage {
namespace {

constexpr double kMinSigma_px = 0.01;  // corners are not found better than this
const char* const kRemedy = "Check the board's size and that the pictures show it.";

template <typename T>
bool project_values(const T* lens, const Lens<double>& fixed, const T* camera, const T* board,
                    const T* joined, double x_m, double y_m, T* x_px, T* y_px) {
  T point[3] = {T(x_m), T(y_m), T(0)};
  T world[3], seen[3];
  if (joined) {
    const T on_joined[3] = {point[0], point[1], point[2]};
    ceres::AngleAxisRotatePoint(joined, on_joined, point);
    for (int i = 0; i < 3; ++i) point[i] += joined[3 + i];
  }
  ceres::AngleAxisRotatePoint(board, point, world);
  for (int i = 0; i < 3; ++i) world[i] += board[3 + i];
  ceres::AngleAxisRotatePoint(camera, world, seen);
  for (int i = 0; i < 3; ++i) seen[i] += camera[3 + i];
  return project_seen(lens, fixed, seen, x_px, y_px);
}

// Position of the corner at the time that the bundle counts its picture for.
template <typename T>
void seen_in_step(const BundleCorner& corner, double height_px, const T* timing, T* x_px, T* y_px) {
  const double row = height_px > 0 ? corner.y_px / height_px - 0.5 : 0;
  const T later = timing[kDelay] - timing[kReadout] * row;
  *x_px = corner.x_px + later * corner.velocity_px.x();
  *y_px = corner.y_px + later * corner.velocity_px.y();
}

// One kind of error for all corners, with derivatives in parts of one length: their templates are
// instantiated once.
struct CornerError {
  static constexpr int kDerivatives = 8;     // at a time
  enum class Last { none, joined, timing };  // the block behind lens, camera and board

  BundleCorner corner;
  const Lens<double>& fixed;
  Last last;
  double height_px;

  template <typename T>
  bool operator()(const T* const* blocks, T* residual) const {
    T x_px = T(corner.x_px), y_px = T(corner.y_px);
    if (!project_values(blocks[0], fixed, blocks[1], blocks[2], last == Last::joined ? blocks[3] : nullptr,
                        corner.x_m, corner.y_m, &residual[0], &residual[1]))
      return false;
    if (last == Last::timing) seen_in_step(corner, height_px, blocks[3], &x_px, &y_px);
    residual[0] -= x_px, residual[1] -= y_px;
    return true;
  }

  static ceres::CostFunction* cost(const CornerError& error) {
    auto* cost = new ceres::DynamicAutoDiffCostFunction<CornerError, kDerivatives>(new CornerError(error));
    cost->AddParameterBlock(kLensValues);
    cost->AddParameterBlock(6), cost->AddParameterBlock(6);
    if (error.last != Last::none)
      cost->AddParameterBlock(error.last == Last::joined ? 6 : static_cast<int>(kTimingValues));
    cost->SetNumResiduals(2);
    return cost;
  }
};

bool timed(const BundleCamera& camera) {
  return camera.timing_free[kDelay] || camera.timing_free[kReadout] || camera.timing[kDelay] != 0 ||
         camera.timing[kReadout] != 0;
}

constexpr std::array<const char*, kTimingValues> kTimingNames = {"offset", "readout"};

// Fills in the report's columns, too: those of cameras come first. Residuals are in the order of the corners.
Adjustment build(Bundle& bundle, const std::vector<double>& loss_px, BundleReport* report) {
  Adjustment adjustment;
  for (const BundleCorner& corner : bundle.corners) {
    const auto number = static_cast<size_t>(corner.camera);
    BundleCamera& camera = bundle.cameras[number];
    BundleBoard& board = bundle.boards[corner.board];
    std::vector<double*> blocks = {camera.lens.data(), camera.cam_from_world.data(),
                                   board.world_from_board.data()};
    CornerError::Last last = CornerError::Last::none;
    if (timed(camera)) {
      last = CornerError::Last::timing;
      blocks.push_back(camera.timing.data());
    } else if (corner.joined >= 0) {
      last = CornerError::Last::joined;
      blocks.push_back(bundle.joined[corner.joined].board_from_joined.data());
    }
    adjustment.add(CornerError::cost({corner, camera.fixed, last, camera.height_px}),
                   Loss{.scale = loss_px[number]}, blocks);
  }
  const auto name = [&](const BundleCamera& camera) {
    return "camera " + std::to_string(&camera - bundle.cameras.data() + 1);
  };
  for (BundleCamera& camera : bundle.cameras)
    report->lens_index.push_back(adjustment.block(name(camera), camera.lens, camera.lens_free, kLensNames));
  for (BundleCamera& camera : bundle.cameras)
    report->pose_index.push_back(
        adjustment.block(name(camera) + " pose", camera.cam_from_world, camera.pose_free)[0]);
  for (BundleCamera& camera : bundle.cameras)
    report->timing_index.push_back(
        adjustment.block(name(camera), camera.timing, camera.timing_free, kTimingNames));
  report->camera_columns = adjustment.columns();
  for (BundleBoard& board : bundle.boards)
    adjustment.block("a board's pose", board.world_from_board, board.free);
  for (BundleJoined& joined : bundle.joined) {
    const auto number = std::to_string(&joined - bundle.joined.data() + 1);
    report->joined_index.push_back(adjustment.block("the pose of board " + number + " relative to the others",
                                                    joined.board_from_joined, joined.free)[0]);
  }
  return adjustment;
}

const BundleJoined* joined_of(const Bundle& bundle, const BundleCorner& corner) {
  return corner.joined < 0 ? nullptr : &bundle.joined[corner.joined];
}

std::vector<Eigen::Vector2d> residuals_of(const Bundle& bundle) {
  std::vector<Eigen::Vector2d> residuals;
  for (const BundleCorner& corner : bundle.corners) {
    const BundleCamera& camera = bundle.cameras[corner.camera];
    Eigen::Vector2d seen;
    seen_in_step(corner, camera.height_px, camera.timing.data(), &seen.x(), &seen.y());
    residuals.push_back(project_corner(camera, bundle.boards[corner.board], corner.x_m, corner.y_m,
                                       joined_of(bundle, corner)) -
                        seen);
  }
  return residuals;
}

std::vector<double> scatter_of(const Bundle& bundle, const std::vector<Eigen::Vector2d>& residuals) {
  std::vector<std::vector<double>> of_camera(bundle.cameras.size());
  for (size_t i = 0; i < residuals.size(); ++i)
    for (const double value : {residuals[i].x(), residuals[i].y()})
      of_camera[bundle.corners[i].camera].push_back(std::abs(value));
  std::vector<double> scatter;
  for (std::vector<double>& values : of_camera)
    scatter.push_back(values.empty() ? 1 : std::max(robust_scatter(std::move(values)), kMinSigma_px));
  return scatter;
}

// RMS without outliers, with the free values taken off the count in proportion.
std::vector<double> sigmas_of(const Bundle& bundle, const std::vector<Eigen::Vector2d>& residuals,
                              const std::vector<double>& loss_px, Eigen::Index free_values) {
  std::vector<double> sum2(bundle.cameras.size()), count(bundle.cameras.size());
  for (size_t i = 0; i < residuals.size(); ++i) {
    const auto camera = static_cast<size_t>(bundle.corners[i].camera);
    const double limit2 = loss_px[camera] * loss_px[camera];
    sum2[camera] += std::min(residuals[i].squaredNorm(), limit2), count[camera] += 2;
  }
  const double all = 2 * static_cast<double>(residuals.size());
  const double share = std::max(all - static_cast<double>(free_values), 1.0) / all;
  std::vector<double> sigmas;
  for (size_t c = 0; c < sum2.size(); ++c)
    sigmas.push_back(count[c] > 0 ? std::max(std::sqrt(sum2[c] / (count[c] * share)), kMinSigma_px) : 0);
  return sigmas;
}

// Leaves out stretches of neighbouring boards, but no fixed ones: without these, poses have no reference.
std::vector<std::array<double, kTimingValues>> timing_scatter(const Bundle& bundle, const Jacobian& slopes,
                                                              const std::vector<double>& loss_px,
                                                              const BundleReport& report) {
  constexpr size_t kMinStretches = 8, kMaxStretches = 20;
  constexpr double kMinResidual_px = 1e-9;
  std::vector<std::array<double, kTimingValues>> scatter(bundle.cameras.size());
  const bool timed = std::ranges::any_of(
      report.timing_index, [](const auto& index) { return std::max(index[kDelay], index[kReadout]) >= 0; });
  const size_t boards = bundle.boards.size(), count = std::min(kMaxStretches, boards);
  if (!timed || boards < kMinStretches) return scatter;
  std::vector<std::vector<Eigen::Index>> stretches(count);
  std::vector<Eigen::Index> kept;
  Eigen::VectorXd residuals(slopes.rows());
  for (size_t i = 0; i < bundle.corners.size(); ++i) {
    const BundleCorner& corner = bundle.corners[i];
    const auto board = static_cast<size_t>(corner.board);
    const auto row = static_cast<Eigen::Index>(2 * i);
    std::vector<Eigen::Index>& rows = bundle.boards[board].free ? stretches[board * count / boards] : kept;
    rows.push_back(row), rows.push_back(row + 1);
    const Eigen::Vector2d& residual = report.residuals_px[i];
    residuals.segment<2>(row) =
        residual * std::min(1.0, loss_px[corner.camera] / std::max(residual.norm(), kMinResidual_px));
  }
  std::erase_if(stretches, [](const auto& rows) { return rows.empty(); });
  const Eigen::VectorXd variances =
      jackknife_by_steps(slopes, residuals, stretches, kept, report.camera_columns);
  if (variances.size() == 0) return scatter;
  for (size_t c = 0; c < scatter.size(); ++c)
    for (size_t i = 0; i < kTimingValues; ++i)
      if (const int at = report.timing_index[c][i]; at >= 0) scatter[c][i] = std::sqrt(variances[at]);
  return scatter;
}

Result<Jacobian> slopes_at(Adjustment& adjustment) {
  auto found = adjustment.slopes(false);
  if (found) return std::move(found->by_values);
  return fail(ErrorKind::bad_data, "a corner lies behind its camera", "calibration",
              "Check the board's size.");
}

// inv(H) (sum of sigma^2 H of each camera) inv(H), H = J'J.
Status find_covariance(const Bundle& bundle, Adjustment& adjustment, const std::vector<double>& loss_px,
                       BundleReport* report) {
  VANTAGE_ASSIGN(const Jacobian slopes, slopes_at(adjustment));
  report->sigma_px = sigmas_of(bundle, report->residuals_px, loss_px, slopes.cols());
  Eigen::VectorXd variances(slopes.rows());
  for (Eigen::Index row = 0; row < slopes.rows(); ++row)
    variances[row] = std::pow(report->sigma_px[bundle.corners[row / 2].camera], 2);
  const InvertedNormal inverted = invert_normal(normal_equations(slopes));
  report->smallest_eigenvalue = inverted.smallest;
  for (const Eigen::Index value : inverted.open)
    append_item(&report->undetermined, adjustment.name_of(value));
  if (!report->undetermined.empty()) return {};
  report->covariance = inverted.inverse * normal_equations(slopes, variances) * inverted.inverse;
  report->timing_scatter = timing_scatter(bundle, slopes, loss_px, *report);
  return {};
}

}  // namespace

LensValues lens_values(const PinholeCamera<double>& m) {
  return {m.fx_px, m.fy_px, m.cx_px, m.cy_px, m.k1, m.k2, m.p1, m.p2, m.k3, m.k4, m.k5, m.k6};
}

Lens<double> lens_with(const LensValues& values, const Lens<double>& fixed) {
  Lens<double> lens = fixed;
  lens.k1 = values[kK1], lens.k2 = values[kK2], lens.p1 = values[kP1], lens.p2 = values[kP2];
  lens.k3 = values[kK3], lens.k4 = values[kK4], lens.k5 = values[kK5], lens.k6 = values[kK6];
  complete_lens(&lens);
  return lens;
}

Eigen::Vector2d project_corner(const BundleCamera& camera, const BundleBoard& board, double x_m, double y_m,
                               const BundleJoined* joined) {
  Eigen::Vector2d pixel(NAN, NAN);
  project_values(camera.lens.data(), camera.fixed, camera.cam_from_world.data(),
                 board.world_from_board.data(), joined ? joined->board_from_joined.data() : nullptr, x_m, y_m,
                 &pixel.x(), &pixel.y());
  return pixel;
}

Result<Jacobian> slopes_of(Bundle* bundle, BundleReport* columns) {
  Adjustment adjustment = build(*bundle, std::vector<double>(bundle->cameras.size(), kFirstLoss_px), columns);
  return slopes_at(adjustment);
}

Result<BundleReport> adjust(Bundle* bundle, const StopSource& stop) {
  std::vector<double> loss_px(bundle->cameras.size(), kFirstLoss_px);
  BundleReport first, report;
  VANTAGE_TRY(build(*bundle, loss_px, &first).solve({}, kRemedy, stop));
  loss_px = scatter_of(*bundle, residuals_of(*bundle));
  for (double& loss : loss_px) loss *= kLossSigmas;
  Adjustment adjustment = build(*bundle, loss_px, &report);
  VANTAGE_TRY(adjustment.solve({}, kRemedy, stop));
  report.residuals_px = residuals_of(*bundle);
  VANTAGE_TRY(find_covariance(*bundle, adjustment, loss_px, &report));
  return report;
}

}  // namespace vantage
