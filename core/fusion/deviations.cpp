#include "core/fusion/deviations.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "core/detections/skeletons.h"
#include "core/fusion/body_box.h"
#include "core/fusion/detail/box_evidence.h"

namespace vantage {
namespace {

using fusion_detail::BoxShape;

constexpr int kMiddle = 0, kTop = 1, kBottom = 2;
// Sightings below which, and share of the errors visible between cameras below which, nothing is learnt.
constexpr size_t kMinSightings = 60;
constexpr double kMinVisible = 0.02;
// Sightings over which errors are compared.
constexpr int kLags = 12;
// A bottom that is less probably that of the feet does not count.
constexpr double kMinFeet = 0.3;
constexpr double kStep_m = 0.02;  // of differences
constexpr float kCut_px = 0.5F;

// A row of the least squares that the position in a frame comes close to: fusion.h without its other terms.
struct Row {
  int kind = 0;
  double off = 0, weight = 0;
  Eigen::RowVector3d slope;  // by x, y and height
};

// The probability that the box ends at the feet, as in fusion_detail::nats().
double feet_share(double off, const PersonDetection& detection, double visible) {
  const bool feet = feet_seen(detection);
  const double from = feet ? fusion_detail::kHiddenFeet : fusion_detail::kGuessedFeet;
  const double hidden =
      std::lerp(from, fusion_detail::kMaxHiddenFeet, std::clamp(2 * (1 - visible), 0.0, 1.0));
  const double spread = fusion_detail::spread_of_bottom(feet);
  const double seen = (1 - hidden) * std::exp(-off * off / (2 * spread * spread));
  const bool may_hide = off <= 0 && off >= -fusion_detail::kLongestUnseen;
  return seen / (seen + (may_hide ? hidden * fusion_detail::kUnseenFeet : 0));
}

// The rows of one camera's box: middle, top and bottom, without those that the picture cuts.
std::vector<Row> rows_of(const FusedPerson& person, const CameraEvidence& evidence,
                         const PersonDetection& detection, const PinholeCamera<double>& camera) {
  const BodyBox body = body_box(camera, person.x_m, person.y_m, person.height_m);
  if (!body.seen) return {};
  const auto values = [&](const Eigen::Vector3d& moved) {
    const BoxShape shape = fusion_detail::shape_of(
        body_box(camera, person.x_m + moved.x(), person.y_m + moved.y(), person.height_m + moved.z()));
    return Eigen::Vector3d(shape.x, shape.top, shape.bottom);
  };
  const double height_px = fusion_detail::shape_of(body).height;
  Eigen::Matrix3d slopes;
  for (int axis = 0; axis < 3; ++axis) {
    const Eigen::Vector3d step = kStep_m * Eigen::Vector3d::Unit(axis);
    slopes.col(axis) = (values(step) - values(-step)) / (2 * kStep_m * height_px);
  }
  const PixelBox box = box_of(detection, camera);
  const Eigen::Vector3d off =
      (Eigen::Vector3d((box.left + box.right) / 2, box.top, box.bottom) - values(Eigen::Vector3d::Zero())) /
      height_px;
  const auto per = [](double spread) { return 1 / (spread * spread); };
  std::vector<Row> rows = {{kMiddle, off[kMiddle], per(fusion_detail::kSharesOfX), slopes.row(kMiddle)}};
  if (body.cut.top <= body.whole.top + kCut_px)
    rows.push_back({kTop, off[kTop], per(fusion_detail::kSharesOfTop), slopes.row(kTop)});
  const double feet = feet_share(off[kBottom], detection, evidence.visible);
  if (body.cut.bottom >= body.whole.bottom - kCut_px && feet > kMinFeet)
    rows.push_back({kBottom, off[kBottom], feet * per(fusion_detail::spread_of_bottom(feet_seen(detection))),
                    slopes.row(kBottom)});
  return rows;
}

// Autocovariance over 0, 1, ... lags of errors that last as `lasting` says after weighting.
std::vector<double> passed_on(std::span<const double> weights, std::span<const double> lasting, size_t lags) {
  std::vector<double> passed(lags);
  for (size_t lag = 0; lag < lags; ++lag)
    for (size_t i = 0; i < weights.size(); ++i)
      for (size_t k = 0; k < weights.size(); ++k) {
        const size_t apart = i > k + lag ? i - k - lag : k + lag - i;
        passed[lag] += weights[i] * weights[k] * lasting[std::min(apart, lasting.size() - 1)];
      }
  return passed;
}

// Amounts, not below 0, of two courses that add up to a third one, by least squares.
Eigen::Vector2d amounts(const Eigen::MatrixX2d& courses, const Eigen::VectorXd& sum) {
  const Eigen::Vector2d both = (courses.transpose() * courses).ldlt().solve(courses.transpose() * sum);
  if (both.minCoeff() >= 0) return both;
  Eigen::Vector2d best = Eigen::Vector2d::Zero();
  for (int one = 0; one < 2; ++one) {
    Eigen::Vector2d alone = Eigen::Vector2d::Zero();
    alone[one] = std::max(0.0, courses.col(one).dot(sum) / courses.col(one).squaredNorm());
    if ((sum - courses * alone).squaredNorm() < (sum - courses * best).squaredNorm()) best = alone;
  }
  return best;
}

PersonDeviation deviation(const std::array<double, 4>& variances, double more_m2) {
  const double x = std::sqrt(variances[0] + more_m2), y = std::sqrt(variances[1] + more_m2);
  // The grid's own steps, as for cells.
  constexpr double kHeightStep_m = PeopleFusion::kHeights_m[1] - PeopleFusion::kHeights_m[0];
  return {x, y, x * y > 0 ? variances[2] / (x * y) : 0,
          std::sqrt(variances[3] + kHeightStep_m * kHeightStep_m / 12)};
}

}  // namespace

void DeviationLearner::add(int64_t path, int64_t frame, const FusedPerson& person,
                           std::array<double, 2> on_path_m, std::span<const CameraDetections> seen,
                           std::span<const PinholeCamera<double>> cameras) {
  Sighting sighting{path, frame, {on_path_m[0] - person.x_m, on_path_m[1] - person.y_m}, {}, {}};
  std::vector<Row> rows;
  for (const CameraEvidence& one : person.evidence) {
    if (one.detection < 0) continue;
    const auto camera = static_cast<size_t>(one.camera);
    const std::vector<Row> its =
        rows_of(person, one, seen[camera].people[static_cast<size_t>(one.detection)], cameras[camera]);
    if (its.empty()) continue;
    BoxError& error = sighting.errors.emplace_back(BoxError{one.camera});
    for (const Row& row : its) error.off[row.kind] = static_cast<float>(row.off);
    rows.insert(rows.end(), its.begin(), its.end());
  }
  if (sighting.errors.size() < 2) return;
  const auto count = static_cast<Eigen::Index>(rows.size());
  Eigen::MatrixX3d slopes(count, 3);
  Eigen::VectorXd weights(count);
  for (Eigen::Index i = 0; i < count; ++i) slopes.row(i) = rows[i].slope, weights[i] = rows[i].weight;
  constexpr double kPerPlace = 1 / (fusion_detail::kPosteriorReach_m * fusion_detail::kPosteriorReach_m),
                   kPerHeight = 1 / (fusion_detail::kHeightSpread_m * fusion_detail::kHeightSpread_m);
  Eigen::Matrix3d normal = slopes.transpose() * weights.asDiagonal() * slopes;
  normal.diagonal() += Eigen::Vector3d(kPerPlace, kPerPlace, kPerHeight);
  // How far an error in each row moves the person, and what of it is left in each row.
  const Eigen::Matrix3Xd moves = normal.ldlt().solve(slopes.transpose() * weights.asDiagonal());
  const Eigen::MatrixXd left = Eigen::MatrixXd::Identity(count, count) - slopes * moves;
  for (Eigen::Index i = 0; i < count; ++i) {
    const int kind = rows[i].kind;
    const Eigen::Vector3d move = moves.col(i);
    const std::array<double, 4> by = {move.x() * move.x(), move.y() * move.y(), move.x() * move.y(),
                                      move.z() * move.z()};
    for (size_t k = 0; k < by.size(); ++k) sighting.shares[kind][k] += static_cast<float>(by[k]);
    squares_[kind] += rows[i].off * rows[i].off, count_[kind] += 1;
    for (Eigen::Index k = 0; k < count; ++k) explained_[kind][rows[k].kind] += left(i, k) * left(i, k);
  }
  sightings_.push_back(std::move(sighting));
}

// Calls `take` with two sightings of a path that many frames apart.
template <typename Take>
void DeviationLearner::for_pairs(int64_t apart, const Take& take) const {
  for (size_t i = 0, k = 0; i < sightings_.size(); ++i) {
    const Sighting& one = sightings_[i];
    k = std::max(i, k);
    while (k < sightings_.size() && sightings_[k].path == one.path && sightings_[k].frame < one.frame + apart)
      ++k;
    if (k < sightings_.size() && sightings_[k].path == one.path && sightings_[k].frame == one.frame + apart)
      take(one, sightings_[k]);
  }
}

int64_t DeviationLearner::usual_gap() const {
  std::vector<int64_t> gaps;
  for (size_t i = 1; i < sightings_.size(); ++i)
    if (sightings_[i].path == sightings_[i - 1].path)
      gaps.push_back(sightings_[i].frame - sightings_[i - 1].frame);
  if (gaps.empty()) return 0;
  const auto middle = gaps.begin() + std::ssize(gaps) / 2;
  std::nth_element(gaps.begin(), middle, gaps.end());
  return *middle;
}

// Variances of the errors by kind, so that squared errors are as large as expected. Nothing where cameras
// hardly show them.
std::optional<std::array<double, DeviationLearner::kKinds>> DeviationLearner::variances() const {
  std::vector<int> kinds;
  for (int kind = 0; kind < kKinds; ++kind) {
    if (count_[kind] == 0) continue;
    if (explained_[kind][kind] < kMinVisible * count_[kind]) return std::nullopt;
    kinds.push_back(kind);
  }
  for (std::array<double, kKinds> found = {};; found = {}) {
    const auto count = std::ssize(kinds);
    if (count == 0) return std::nullopt;
    Eigen::MatrixXd explained(count, count);
    Eigen::VectorXd squares(count);
    for (Eigen::Index i = 0; i < count; ++i) {
      squares[i] = squares_[kinds[i]];
      for (Eigen::Index k = 0; k < count; ++k) explained(i, k) = explained_[kinds[i]][kinds[k]];
    }
    const Eigen::VectorXd solved = explained.fullPivLu().solve(squares);
    Eigen::Index smallest = 0;
    if (solved.minCoeff(&smallest) >= 0) {
      for (Eigen::Index i = 0; i < count; ++i) found[kinds[i]] = solved[i];
      return found;
    }
    kinds.erase(kinds.begin() + smallest);
  }
}

// Correlation of the errors of one person in one camera over 0, 1, ... steps, middles and bottoms together.
std::vector<double> DeviationLearner::lasting(int64_t step) const {
  std::vector<double> lasting = {1};
  for (int lag = 1; lag <= kLags; ++lag) {
    double both = 0, each = 0;
    for_pairs(lag * step, [&](const Sighting& one, const Sighting& later) {
      for (const BoxError& a : one.errors) {
        const auto b = std::ranges::find(later.errors, a.camera, &BoxError::camera);
        if (b == later.errors.end()) continue;
        for (const auto& [kind, spread] :
             {std::pair{kMiddle, fusion_detail::kSharesOfX}, {kBottom, fusion_detail::kSharesOfBottom}}) {
          if (!a.off[kind] || !b->off[kind]) continue;
          const double first = *a.off[kind] / spread, second = *b->off[kind] / spread;
          both += first * second, each += (first * first + second * second) / 2;
        }
      }
    });
    lasting.push_back(each > 0 ? std::max(0.0, both / each) : lasting.back());
  }
  return lasting;
}

std::vector<SightingDeviation> DeviationLearner::learn(const SmoothedErrors& smoothing) const {
  const auto variances = sightings_.size() < kMinSightings ? std::nullopt : this->variances();
  if (!variances) return {};
  std::vector<std::array<double, 4>> of_boxes;
  double mean_m2 = 0;
  for (const Sighting& one : sightings_) {
    auto& sum = of_boxes.emplace_back();
    for (size_t k = 0; k < sum.size(); ++k)
      for (int kind = 0; kind < kKinds; ++kind) sum[k] += (*variances)[kind] * one.shares[kind][k];
    mean_m2 += (sum[0] + sum[1]) / 2 / static_cast<double>(sightings_.size());
  }
  // Moves of positions by smoothing: errors of boxes, errors that all cameras share and that do not last,
  // and the walks' own turns.
  const size_t lags = smoothing.removed_m2.size();
  Eigen::VectorXd moved = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(lags));
  for (size_t lag = 0; lag < lags; ++lag) {
    double sum = 0;
    size_t pairs = 0;
    for_pairs(static_cast<int64_t>(lag) * smoothing.step, [&](const Sighting& one, const Sighting& later) {
      for (int axis = 0; axis < 2; ++axis) sum += one.smoothed_by_m[axis] * later.smoothed_by_m[axis] / 2;
      ++pairs;
    });
    if (pairs < kMinSightings / 2) return {};
    moved[static_cast<Eigen::Index>(lag)] = sum / static_cast<double>(pairs);
  }
  std::vector<double> removes(smoothing.weights.begin(), smoothing.weights.end());
  removes[removes.size() / 2] -= 1;
  const std::vector<double> last = lasting(smoothing.step), single = {1, 0};
  const std::vector<double> boxes = passed_on(removes, last, lags), common = passed_on(removes, single, lags);
  Eigen::MatrixX2d courses(moved.size(), 2);
  Eigen::VectorXd rest = moved;
  for (Eigen::Index lag = 0; lag < moved.size(); ++lag) {
    rest[lag] -= mean_m2 * boxes[lag];
    courses.row(lag) << common[lag], smoothing.removed_m2[lag];
  }
  const Eigen::Vector2d found = amounts(courses, rest);
  const double kept = passed_on(smoothing.weights, last, 1)[0];
  const double more_m2 = found[0] * passed_on(smoothing.weights, single, 1)[0] + found[1] * courses(0, 1);
  std::vector<SightingDeviation> learnt;
  for (size_t i = 0; i < sightings_.size(); ++i) {
    std::array<double, 4> variances_m2 = of_boxes[i];
    for (size_t k = 0; k < 3; ++k) variances_m2[k] *= kept;
    learnt.push_back({sightings_[i].path, sightings_[i].frame, deviation(variances_m2, more_m2),
                      deviation(variances_m2, more_m2 + moved[0])});
  }
  return learnt;
}

}  // namespace vantage
