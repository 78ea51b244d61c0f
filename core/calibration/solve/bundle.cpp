#include "core/calibration/solve/bundle.h"

#include <ceres/ceres.h>
#include <ceres/rotation.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/base/quantile.h"
#include "core/calibration/solve/detail/least_squares.h"
#include "core/calibration/solve/detail/timing_scatter.h"

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
void take_back(const BundleCorner& corner, double height_px, const T* timing, T* x_px, T* y_px) {
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
    if (last == Last::timing) take_back(corner, height_px, blocks[3], &x_px, &y_px);
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

// The problem and, in their order, its residuals and free blocks.
struct Built {
  std::unique_ptr<ceres::Problem> problem;
  std::vector<ceres::ResidualBlockId> residuals;
  std::vector<double*> blocks;
};

void hold_lens(BundleCamera& camera, ceres::Problem& problem) {
  std::vector<int> held;
  for (int i = 0; i < kLensValues; ++i)
    if (!camera.lens_free[static_cast<size_t>(i)]) held.push_back(i);
  if (held.size() == kLensValues)
    problem.SetParameterBlockConstant(camera.lens.data());
  else if (!held.empty())
    problem.SetManifold(camera.lens.data(), new ceres::SubsetManifold(kLensValues, held));
}

// True if some of it is free.
bool hold_timing(BundleCamera& camera, ceres::Problem& problem) {
  std::vector<int> held;
  for (size_t i = 0; i < kTimingValues; ++i)
    if (!camera.timing_free[i]) held.push_back(static_cast<int>(i));
  if (held.size() == kTimingValues)
    problem.SetParameterBlockConstant(camera.timing.data());
  else if (!held.empty())
    problem.SetManifold(camera.timing.data(), new ceres::SubsetManifold(kTimingValues, held));
  return held.size() < kTimingValues;
}

Built build(Bundle& bundle, const std::vector<double>& loss_px) {
  Built built;
  built.problem = std::make_unique<ceres::Problem>();
  ceres::Problem& problem = *built.problem;
  for (const BundleCorner& corner : bundle.corners) {
    BundleCamera& camera = bundle.cameras[static_cast<size_t>(corner.camera)];
    BundleBoard& board = bundle.boards[static_cast<size_t>(corner.board)];
    std::vector<double*> blocks = {camera.lens.data(), camera.cam_from_world.data(),
                                   board.world_from_board.data()};
    CornerError::Last last = CornerError::Last::none;
    if (timed(camera)) {
      last = CornerError::Last::timing;
      blocks.push_back(camera.timing.data());
    } else if (corner.joined >= 0) {
      last = CornerError::Last::joined;
      blocks.push_back(bundle.joined[static_cast<size_t>(corner.joined)].board_from_joined.data());
    }
    built.residuals.push_back(
        problem.AddResidualBlock(CornerError::cost({corner, camera.fixed, last, camera.height_px}),
                                 new ceres::HuberLoss(loss_px[static_cast<size_t>(corner.camera)]), blocks));
  }
  const auto used = [&](double* block, bool free) {
    if (!problem.HasParameterBlock(block)) return false;
    if (!free) problem.SetParameterBlockConstant(block);
    return free;
  };
  for (BundleCamera& camera : bundle.cameras) {
    if (!problem.HasParameterBlock(camera.lens.data())) continue;
    hold_lens(camera, problem);
    if (!problem.IsParameterBlockConstant(camera.lens.data())) built.blocks.push_back(camera.lens.data());
  }
  for (BundleCamera& camera : bundle.cameras)
    if (used(camera.cam_from_world.data(), camera.pose_free))
      built.blocks.push_back(camera.cam_from_world.data());
  for (BundleCamera& camera : bundle.cameras)
    if (problem.HasParameterBlock(camera.timing.data()) && hold_timing(camera, problem))
      built.blocks.push_back(camera.timing.data());
  for (BundleBoard& board : bundle.boards)
    if (used(board.world_from_board.data(), board.free))
      built.blocks.push_back(board.world_from_board.data());
  for (BundleJoined& joined : bundle.joined)
    if (used(joined.board_from_joined.data(), joined.free))
      built.blocks.push_back(joined.board_from_joined.data());
  return built;
}

const BundleJoined* joined_of(const Bundle& bundle, const BundleCorner& corner) {
  return corner.joined < 0 ? nullptr : &bundle.joined[static_cast<size_t>(corner.joined)];
}

std::vector<Eigen::Vector2d> residuals_of(const Bundle& bundle) {
  std::vector<Eigen::Vector2d> residuals;
  for (const BundleCorner& corner : bundle.corners) {
    const BundleCamera& camera = bundle.cameras[static_cast<size_t>(corner.camera)];
    Eigen::Vector2d seen;
    take_back(corner, camera.height_px, camera.timing.data(), &seen.x(), &seen.y());
    residuals.push_back(project_corner(camera, bundle.boards[static_cast<size_t>(corner.board)], corner.x_m,
                                       corner.y_m, joined_of(bundle, corner)) -
                        seen);
  }
  return residuals;
}

// 1.4826 times the median distance from 0: the standard deviation of a normal distribution, whatever a few
// outliers do.
std::vector<double> scatter_of(const Bundle& bundle, const std::vector<Eigen::Vector2d>& residuals) {
  std::vector<std::vector<double>> of_camera(bundle.cameras.size());
  for (size_t i = 0; i < residuals.size(); ++i)
    for (const double value : {residuals[i].x(), residuals[i].y()})
      of_camera[static_cast<size_t>(bundle.corners[i].camera)].push_back(std::abs(value));
  std::vector<double> scatter;
  for (std::vector<double>& values : of_camera) {
    if (values.empty()) {
      scatter.push_back(1);
      continue;
    }
    scatter.push_back(std::max(1.4826 * upper_median(std::move(values)), kMinSigma_px));
  }
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

void index_values(const Bundle& bundle, const Built& built, BundleReport* report) {
  int next = 0;
  for (const BundleCamera& camera : bundle.cameras) {
    std::array<int, kLensValues> index;
    index.fill(-1);
    const auto* block = camera.lens.data();
    if (std::find(built.blocks.begin(), built.blocks.end(), block) != built.blocks.end())
      for (size_t i = 0; i < kLensValues; ++i)
        if (camera.lens_free[i]) index[i] = next++;
    report->lens_index.push_back(index);
  }
  const auto is_free = [&](const double* block) {
    return std::find(built.blocks.begin(), built.blocks.end(), block) != built.blocks.end();
  };
  const auto index_of_pose = [&](const PoseValues& pose) {
    return is_free(pose.data()) ? std::exchange(next, next + 6) : -1;
  };
  for (const BundleCamera& camera : bundle.cameras)
    report->pose_index.push_back(index_of_pose(camera.cam_from_world));
  for (const BundleCamera& camera : bundle.cameras) {
    const bool free = is_free(camera.timing.data());
    auto& index = report->timing_index.emplace_back();
    for (size_t i = 0; i < kTimingValues; ++i) index[i] = free && camera.timing_free[i] ? next++ : -1;
  }
  for (const BundleBoard& board : bundle.boards) index_of_pose(board.world_from_board);
  for (const BundleJoined& joined : bundle.joined)
    report->joined_index.push_back(index_of_pose(joined.board_from_joined));
}

std::string name_of(const Bundle& bundle, const BundleReport& report, int value) {
  for (size_t c = 0; c < bundle.cameras.size(); ++c) {
    for (size_t i = 0; i < kLensValues; ++i)
      if (report.lens_index[c][i] == value) return "camera " + std::to_string(c + 1) + ' ' + kLensNames[i];
    const int pose = report.pose_index[c];
    if (pose >= 0 && value >= pose && value < pose + 6) return "camera " + std::to_string(c + 1) + " pose";
    if (report.timing_index[c][kDelay] == value) return "camera " + std::to_string(c + 1) + " offset";
    if (report.timing_index[c][kReadout] == value) return "camera " + std::to_string(c + 1) + " readout";
  }
  for (size_t k = 0; k < report.joined_index.size(); ++k)
    if (const int pose = report.joined_index[k]; pose >= 0 && value >= pose && value < pose + 6)
      return "the pose of board " + std::to_string(k + 1) + " relative to the others";
  return "a board's pose";
}

// inv(H) (sum of sigma^2 H of each camera) inv(H), H = J'J.
Status find_covariance(const Bundle& bundle, Built& built, const std::vector<double>& loss_px,
                       BundleReport* report) {
  ceres::Problem::EvaluateOptions options;
  options.parameter_blocks = built.blocks;
  options.residual_blocks = built.residuals;
  options.apply_loss_function = false;
  ceres::CRSMatrix jacobian;
  if (!built.problem->Evaluate(options, nullptr, nullptr, nullptr, &jacobian))
    return fail(ErrorKind::bad_data, "a corner lies behind its camera", "calibration",
                "Check the board's size.");
  const Eigen::Index n = jacobian.num_cols;
  report->sigma_px = sigmas_of(bundle, report->residuals_px, loss_px, n);
  Eigen::MatrixXd normal = Eigen::MatrixXd::Zero(n, n), weighted = normal;
  for (int row = 0; row < jacobian.num_rows; ++row) {
    const auto camera = static_cast<size_t>(bundle.corners[static_cast<size_t>(row / 2)].camera);
    const double variance = report->sigma_px[camera] * report->sigma_px[camera];
    const int begin = jacobian.rows[static_cast<size_t>(row)],
              end = jacobian.rows[static_cast<size_t>(row) + 1];
    for (int a = begin; a < end; ++a)
      for (int b = begin; b < end; ++b) {
        const auto i = jacobian.cols[static_cast<size_t>(a)], j = jacobian.cols[static_cast<size_t>(b)];
        const double product =
            jacobian.values[static_cast<size_t>(a)] * jacobian.values[static_cast<size_t>(b)];
        normal(i, j) += product, weighted(i, j) += variance * product;
      }
  }
  const InvertedNormal inverted = invert_normal(normal);
  report->smallest_eigenvalue = inverted.smallest;
  for (const Eigen::Index value : inverted.open) {
    if (!report->undetermined.empty()) report->undetermined += ", ";
    report->undetermined += name_of(bundle, *report, static_cast<int>(value));
  }
  if (!report->undetermined.empty()) return {};
  report->covariance = inverted.inverse * weighted * inverted.inverse;
  report->timing_scatter = timing_scatter(bundle, jacobian, loss_px, *report);
  return {};
}

}  // namespace

LensValues lens_values(const PinholeCamera<double>& m) {
  return {m.fx_px, m.fy_px, m.cx_px, m.cy_px, m.k1, m.k2, m.p1, m.p2, m.k3, m.k4, m.k5, m.k6};
}

Eigen::Vector2d project_corner(const BundleCamera& camera, const BundleBoard& board, double x_m, double y_m,
                               const BundleJoined* joined) {
  Eigen::Vector2d pixel(NAN, NAN);
  project_values(camera.lens.data(), camera.fixed, camera.cam_from_world.data(),
                 board.world_from_board.data(), joined ? joined->board_from_joined.data() : nullptr, x_m, y_m,
                 &pixel.x(), &pixel.y());
  return pixel;
}

Result<BundleReport> adjust(Bundle* bundle) {
  BundleReport report;
  std::vector<double> loss_px(bundle->cameras.size(), kFirstLoss_px);
  VANTAGE_TRY([&] {
    Built built = build(*bundle, loss_px);
    return minimise(built.problem.get(), kRemedy);
  }());
  loss_px = scatter_of(*bundle, residuals_of(*bundle));
  for (double& loss : loss_px) loss *= kLossSigmas;
  Built built = build(*bundle, loss_px);
  VANTAGE_TRY(minimise(built.problem.get(), kRemedy));
  report.residuals_px = residuals_of(*bundle);
  index_values(*bundle, built, &report);
  VANTAGE_TRY(find_covariance(*bundle, built, loss_px, &report));
  return report;
}

}  // namespace vantage
