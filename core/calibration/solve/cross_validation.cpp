#include "core/calibration/solve/cross_validation.h"

#include <fmt/core.h>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "core/calibration/adjust/gauge.h"
#include "core/calibration/solve/camera_values.h"
#include "core/calibration/solve/detail/board_poses.h"
#include "core/calibration/solve/detail/bundle_slopes.h"
#include "core/geometry/dense.h"

namespace vantage {
namespace {

constexpr size_t kMaxBlocks = 8;  // of neighbouring boards, dealt to the halves in turn
constexpr double kMaxExpected = 4;
constexpr double kDoubtfulRatio = 1.25;

// The half of each board: 0 or 1; -1: fixed, in both.
std::vector<int> halves_of(const Bundle& bundle) {
  std::vector<std::vector<int>> seen_by(bundle.boards.size());
  for (const BundleCorner& corner : bundle.corners) {
    std::vector<int>& cameras = seen_by[corner.board];
    if (std::find(cameras.begin(), cameras.end(), corner.camera) == cameras.end())
      cameras.push_back(corner.camera);
  }
  std::map<std::vector<int>, std::vector<size_t>> alike;
  for (size_t b = 0; b < bundle.boards.size(); ++b) {
    std::sort(seen_by[b].begin(), seen_by[b].end());
    if (bundle.boards[b].free) alike[seen_by[b]].push_back(b);
  }
  std::vector<int> half(bundle.boards.size(), -1);
  size_t turn = 0;
  for (const auto& [cameras, boards] : alike) {
    const size_t blocks = std::min(kMaxBlocks, boards.size());
    for (size_t i = 0; i < boards.size(); ++i)
      half[boards[i]] = static_cast<int>((turn + i * blocks / boards.size()) % 2);
    turn += blocks;
  }
  return half;
}

// The part with the corners of these boards.
Bundle part_of(const Bundle& bundle, const std::vector<int>& half, int wanted, bool with_fixed) {
  Bundle part = bundle;
  std::erase_if(part.corners, [&](const BundleCorner& corner) {
    const int of = half[corner.board];
    return of != wanted && !(with_fixed && of < 0);
  });
  return part;
}

struct Half {
  Bundle bundle;
  BundleReport report;
};

// The differences of two solutions of the same cameras, as camera_values.h counts them.
Eigen::VectorXd difference(const Bundle& from, const Bundle& to) {
  Eigen::VectorXd values =
      Eigen::VectorXd::Zero(static_cast<Eigen::Index>(from.cameras.size()) * kCameraValues);
  for (size_t c = 0; c < from.cameras.size(); ++c) {
    const Eigen::Index first = static_cast<Eigen::Index>(c) * kCameraValues;
    const Eigen::Isometry3d a = pose_of(from.cameras[c].cam_from_world),
                            b = pose_of(to.cameras[c].cam_from_world);
    const Eigen::AngleAxisd turn(b.linear() * a.linear().transpose());
    values.segment<3>(first) = turn.angle() * turn.axis();
    values.segment<3>(first + 3) = b.inverse().translation() - a.inverse().translation();
    for (size_t i = 0; i < kLensValues; ++i)
      values[first + 6 + static_cast<Eigen::Index>(i)] = to.cameras[c].lens[i] - from.cameras[c].lens[i];
  }
  return values;
}

// Slopes of these values by the whole world's motion.
Eigen::MatrixXd by_world(const Bundle& bundle) {
  Eigen::MatrixXd slope =
      Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(bundle.cameras.size()) * kCameraValues, 6);
  for (size_t c = 0; c < bundle.cameras.size(); ++c) {
    if (!bundle.cameras[c].pose_free) continue;
    const Eigen::Isometry3d pose = pose_of(bundle.cameras[c].cam_from_world);
    slope.middleRows<6>(static_cast<Eigen::Index>(c) * kCameraValues) =
        effect_of_world(pose.linear(), pose.inverse().translation()).leftCols<6>();
  }
  return slope;
}

// The inverse of a covariance whose values have units of their own; values nearly fixed by others are left
// out. `rank`: of what is left.
Eigen::MatrixXd inverted(const Eigen::MatrixXd& covariance, int* rank) {
  constexpr double kMinShare = 1e-9;
  const Eigen::VectorXd scale = covariance.diagonal().cwiseSqrt().cwiseInverse();
  const auto [values, vectors] = symmetric_parts(scale.asDiagonal() * covariance * scale.asDiagonal());
  Eigen::VectorXd inverse = values;
  *rank = 0;
  for (double& value : inverse) {
    const bool kept = value > kMinShare * values.maxCoeff();
    value = kept ? 1 / value : 0, *rank += kept;
  }
  const Eigen::MatrixXd scaled = scale.asDiagonal() * vectors;
  return scaled * inverse.asDiagonal() * scaled.transpose();
}

void compare_halves(const std::array<Half, 2>& halves, CrossValidation* result) {
  const Eigen::MatrixXd covariance = covariance_of_cameras(halves[0].bundle, halves[0].report) +
                                     covariance_of_cameras(halves[1].bundle, halves[1].report);
  std::vector<Eigen::Index> solved;
  for (Eigen::Index i = 0; i < covariance.rows(); ++i)
    if (covariance(i, i) > 0) solved.push_back(i);
  if (solved.empty()) return;
  const Eigen::VectorXd apart = difference(halves[0].bundle, halves[1].bundle)(solved);
  const Eigen::MatrixXd expected = covariance(solved, solved);
  const Eigen::MatrixXd world = by_world(halves[0].bundle)(solved, Eigen::all);
  int rank = 0;
  const Eigen::MatrixXd weight = inverted(expected, &rank);
  // The world's motion is the halves' own; with fewer than two poses nothing is left of them then.
  const bool posed = !world.isZero(0);
  Eigen::MatrixXd motion = Eigen::MatrixXd::Zero(6, 6);
  if (posed) motion = inverse_of(world.transpose() * weight * world);
  const Eigen::VectorXd left = apart - world * (motion * (world.transpose() * (weight * apart)));
  const Eigen::MatrixXd left_expected = expected - world * motion * world.transpose();
  result->freedom = rank - (posed ? 6 : 0);
  if (result->freedom > 0) result->ratio = std::sqrt(left.dot(weight * left) / result->freedom);
  for (size_t k = 0; k < solved.size(); ++k) {
    CrossValidatedCamera& camera = result->cameras[solved[k] / kCameraValues];
    const auto value = solved[k] % kCameraValues;
    const auto at = static_cast<Eigen::Index>(k);
    if (value >= 6) continue;
    (value < 3 ? camera.turned_deg : camera.moved_m) += left[at] * left[at];
    (value < 3 ? camera.turned_std_deg : camera.moved_std_m) += std::max(0.0, left_expected(at, at));
  }
  for (CrossValidatedCamera& camera : result->cameras) {
    for (double* squares : {&camera.turned_deg, &camera.turned_std_deg, &camera.moved_m, &camera.moved_std_m})
      *squares = std::sqrt(*squares);
    camera.turned_deg *= 180 / M_PI, camera.turned_std_deg *= 180 / M_PI;
  }
}

// A board's corners: slopes of their residuals by what the half solved of cameras and by the board's pose,
// and the variances of their own noise.
struct BoardSlopes {
  Eigen::MatrixXd by_cameras, by_board;
  Eigen::VectorXd noise;
};

// Expected variance of each residual when the board's pose is fitted with the half's cameras fixed: the
// corners' own noise and the cameras' uncertainty, less what the pose takes up.
Eigen::VectorXd expected_variances(const BoardSlopes& slopes, const Eigen::MatrixXd& of_cameras) {
  const auto& [by_cameras, by_board, noise] = slopes;
  const Eigen::MatrixXd fit = solve_symmetric(by_board.transpose() * by_board, by_board.transpose());
  const Eigen::MatrixXd taken_up = fit * noise.asDiagonal() * fit.transpose();
  Eigen::VectorXd variances(noise.size());
  for (Eigen::Index row = 0; row < noise.size(); ++row)
    variances[row] = noise[row] * (1 - 2 * by_board.row(row).dot(fit.col(row))) +
                     by_board.row(row) * taken_up * by_board.row(row).transpose();
  const Eigen::MatrixXd left = by_cameras - by_board * (fit * by_cameras);
  return variances + (left * of_cameras).cwiseProduct(left).rowwise().sum();
}

// Slopes of the board that these corners show.
BoardSlopes board_slopes(const Half& half, const std::vector<BundleCorner>& corners,
                         const std::vector<size_t>& members, const Jacobian& slopes, int camera_columns) {
  const auto rows = static_cast<Eigen::Index>(2 * members.size());
  BoardSlopes its{Eigen::MatrixXd::Zero(rows, camera_columns), Eigen::MatrixXd::Zero(rows, 6),
                  Eigen::VectorXd(rows)};
  for (Eigen::Index row = 0; row < rows; ++row) {
    const size_t corner = members[row / 2];
    its.noise[row] = std::pow(half.report.sigma_px[corners[corner].camera], 2);
    // Columns behind the cameras' are those of the board's own pose.
    for (Jacobian::InnerIterator at(slopes, 2 * static_cast<Eigen::Index>(corner) + row % 2); at; ++at)
      if (at.col() < camera_columns)
        its.by_cameras(row, at.col()) = at.value();
      else
        its.by_board(row, (at.col() - camera_columns) % 6) = at.value();
  }
  return its;
}

// The half's covariance of lenses and poses, in the order of these columns.
Eigen::MatrixXd covariance_in(const BundleReport& columns, const BundleReport& half) {
  std::vector<int> places(static_cast<size_t>(columns.camera_columns));
  const auto put = [&](int column, int place) {
    if (column >= 0) places[column] = place;
  };
  for (size_t c = 0; c < columns.pose_index.size(); ++c) {
    for (size_t i = 0; i < kLensValues; ++i) put(columns.lens_index[c][i], half.lens_index[c][i]);
    for (int i = 0; columns.pose_index[c] >= 0 && i < 6; ++i)
      put(columns.pose_index[c] + i, half.pose_index[c] + i);
  }
  return half.covariance(places, places);
}

// Tries this half's cameras on the pictures of the other half.
Status try_on(const Half& half, Bundle others, const StopSource& stop, CrossValidation* result) {
  for (size_t c = 0; c < others.cameras.size(); ++c) {
    others.cameras[c] = half.bundle.cameras[c];
    others.cameras[c].pose_free = false;
    others.cameras[c].lens_free = {}, others.cameras[c].timing_free = {};
  }
  others.joined = half.bundle.joined;
  for (BundleJoined& joined : others.joined) joined.free = false;
  if (others.corners.empty()) return {};
  VANTAGE_ASSIGN(const BundleReport report, adjust(&others, stop));
  for (size_t c = 0; c < others.cameras.size(); ++c) {
    others.cameras[c].pose_free = half.bundle.cameras[c].pose_free;
    others.cameras[c].lens_free = half.bundle.cameras[c].lens_free;
  }
  BundleReport columns;
  VANTAGE_ASSIGN(const Jacobian slopes, slopes_of(&others, &columns));
  const Eigen::MatrixXd of_cameras = covariance_in(columns, half.report);
  std::map<int, std::vector<size_t>> of_board;
  for (size_t i = 0; i < others.corners.size(); ++i) of_board[others.corners[i].board].push_back(i);
  for (const auto& [board, members] : of_board) {
    const Eigen::VectorXd expected = expected_variances(
        board_slopes(half, others.corners, members, slopes, columns.camera_columns), of_cameras);
    for (size_t k = 0; k < members.size(); ++k) {
      CrossValidatedCamera& camera = result->cameras[others.corners[members[k]].camera];
      ++camera.corners;
      for (const int axis : {0, 1}) {
        const double variance = expected[static_cast<Eigen::Index>(2 * k) + axis];
        const double residual = report.residuals_px[members[k]][axis];
        camera.expected_rms_px += variance;
        camera.held_out_rms_px += std::min(residual * residual, kMaxExpected * kMaxExpected * variance);
      }
    }
  }
  return {};
}

}  // namespace

bool CrossValidation::doubtful() const {
  return freedom > 0 && ratio > kDoubtfulRatio * (1 + 2 / std::sqrt(2.0 * freedom));
}

std::string CrossValidation::text() const {
  if (freedom <= 0) return {};
  std::string text = fmt::format(
      "The solutions of the two halves of the pictures differ by {:.2f} times their standard deviations "
      "({} "
      "values; 1 is expected, give or take {:.2f}).",
      ratio, freedom, 1 / std::sqrt(2.0 * freedom));
  if (doubtful())
    text +=
        " The standard deviations are enlarged by this factor. Causes are a lens model that does not fit, a "
        "board that is not flat, clips out of step and blurred corners.";
  return text;
}

std::optional<CrossValidation> cross_validate(const Bundle& solved, const StopSource& stop) {
  const std::vector<int> half = halves_of(solved);
  std::array<Half, 2> halves;
  for (const int side : {0, 1}) {
    Half& one = halves[static_cast<size_t>(side)];
    one.bundle = part_of(solved, half, side, true);
    for (size_t c = 0; c < solved.cameras.size(); ++c)
      if (std::none_of(one.bundle.corners.begin(), one.bundle.corners.end(), [&](const BundleCorner& corner) {
            return corner.camera == static_cast<int>(c) && half[corner.board] >= 0;
          }))
        return std::nullopt;
    Result<BundleReport> report = adjust(&one.bundle, stop);
    if (!report || !report->undetermined.empty()) return std::nullopt;
    one.report = std::move(*report);
  }
  CrossValidation result;
  result.cameras.resize(solved.cameras.size());
  compare_halves(halves, &result);
  for (const int side : {0, 1})
    if (!try_on(halves[static_cast<size_t>(side)], part_of(solved, half, 1 - side, false), stop, &result))
      return std::nullopt;
  for (CrossValidatedCamera& camera : result.cameras) {
    if (camera.corners == 0) continue;
    camera.held_out_rms_px = std::sqrt(camera.held_out_rms_px / camera.corners);
    camera.expected_rms_px = std::sqrt(camera.expected_rms_px / camera.corners);
  }
  return result;
}

}  // namespace vantage
