#include "core/calibration/people/detail/floor_paths.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <complex>

#include "core/base/quantile.h"

namespace vantage::footage_detail {
namespace {

constexpr double kMaxBridged_s = 0.75;  // between two positions of a path
constexpr double kHiddenShare = 0.75;   // of the usual height: a track of less has its feet hidden throughout
constexpr double kOwnHeightStd_m = 0.05;

double angle_between(double a, double b) {
  return std::remainder(a - b, 2 * M_PI);
}

}  // namespace

std::optional<PathPoint> FloorPath::at(double time_s) const {
  const double step = time_s / kPathStep_s - static_cast<double>(first);
  const double low = std::floor(step);
  if (!(low >= 0 && low + 1 < static_cast<double>(points.size()))) return {};
  const PathPoint &a = points[static_cast<size_t>(low)], &b = points[static_cast<size_t>(low) + 1];
  if (!a.known || !b.known) return {};
  const double share = step - low;
  PathPoint point{true, (1 - share) * a.at_m + share * b.at_m};
  point.covariance = share < 0.5 ? a.covariance : b.covariance;
  return point;
}

double FloorPaths::density(const Eigen::Vector2d& at_m) const {
  const long x = std::lround(at_m.x()) - low_x, y = std::lround(at_m.y()) - low_y;
  int near = 0;
  for (long i = x - 1; i <= x + 1; ++i)
    for (long j = y - 1; j <= y + 1; ++j)
      if (i >= 0 && j >= 0 && i < static_cast<long>(cells.size()) && j < static_cast<long>(cells[i].size()))
        near += cells[i][j];
  constexpr double kUnseenArea_m2 = 30;
  return (near / 9.0 + static_cast<double>(counted) / kUnseenArea_m2 * 0.1 + 0.05) / (1.1 * counted + 1);
}

void FloorPaths::count_cells() {
  constexpr long kFar = 60;
  low_x = low_y = -kFar;
  cells.assign(2 * kFar + 1, std::vector<int>(2 * kFar + 1, 0));
  for (const FloorPath& path : paths)
    for (const PathPoint& point : path.points) {
      if (!point.known) continue;
      const long x = std::lround(point.at_m.x()) + kFar, y = std::lround(point.at_m.y()) + kFar;
      if (x >= 0 && y >= 0 && x <= 2 * kFar && y <= 2 * kFar) ++cells[x][y], ++counted;
    }
}

FloorPaths floor_paths(const PictureSize& size, const std::vector<PictureTrack>& tracks,
                       const FloorView& view, const HeightPrior& prior) {
  FloorPaths all{size, view, {}, {}};
  for (size_t t = 0; t < tracks.size(); ++t) {
    double height_m = view.heights_m[t], std_m = kOwnHeightStd_m;
    if (height_m < kHiddenShare * prior.mean_m || height_m > prior.mean_m / kHiddenShare)
      height_m = prior.mean_m, std_m = prior.std_m;
    all.height_std_m.push_back(std_m);
    std::vector<FloorPosition> positions;
    for (const BoxMark& mark : tracks[t].marks)
      if (auto position = position_of(size, view.values, mark, height_m, std_m))
        positions.push_back(*position);
    if (positions.size() < 3) continue;
    FloorPath path;
    path.track = t;
    path.first = std::lround(std::ceil(positions.front().time_s / kPathStep_s));
    const long last = std::lround(std::floor(positions.back().time_s / kPathStep_s));
    size_t next = 1;
    Eigen::Vector2d sum = Eigen::Vector2d::Zero();
    double squares = 0;
    int count = 0;
    for (long step = path.first; step <= last; ++step) {
      const double time_s = static_cast<double>(step) * kPathStep_s;
      while (next + 1 < positions.size() && positions[next].time_s < time_s) ++next;
      const FloorPosition &a = positions[next - 1], &b = positions[next];
      PathPoint& point = path.points.emplace_back();
      if (b.time_s - a.time_s > kMaxBridged_s) continue;
      const double share = std::clamp((time_s - a.time_s) / std::max(b.time_s - a.time_s, 1e-9), 0.0, 1.0);
      point.known = true;
      point.at_m = (1 - share) * a.at_m + share * b.at_m;
      point.covariance = (1 - share) * a.covariance + share * b.covariance;
      sum += point.at_m, squares += point.at_m.squaredNorm(), ++count;
    }
    if (count < 3) continue;
    path.extent_m = std::sqrt(std::max(0.0, squares / count - (sum / count).squaredNorm()));
    all.paths.push_back(std::move(path));
  }
  all.count_cells();
  return all;
}

Eigen::Matrix2d FloorPose::rotation() const {
  Eigen::Matrix2d turn;
  turn << std::cos(yaw), -std::sin(yaw), std::sin(yaw), std::cos(yaw);
  return turn;
}

FloorPose FloorPose::then(const FloorPose& next) const {
  return {angle_between(yaw + next.yaw, 0), next(at_m), delay_s + next.delay_s};
}

FloorPose FloorPose::inverse() const {
  FloorPose back{-yaw, Eigen::Vector2d::Zero(), -delay_s};
  back.at_m = -(back.rotation() * at_m);
  return back;
}

void FloorPose::put_into(FloorValues* values) const {
  (*values)[kYaw] = yaw, (*values)[kX] = at_m.x(), (*values)[kY] = at_m.y(), (*values)[kClock] = delay_s;
}

FloorPose pose_of(const FloorValues& values) {
  return {values[kYaw], {values[kX], values[kY]}, values[kClock]};
}

namespace {

constexpr double kScoreStep_s = 0.5;
// Neighbouring instants of a path have errors in common: so much of each counts.
constexpr double kIndependentShare = 0.4;
constexpr double kShownWhereVisible = 0.6;  // people are hidden from cameras that have them in view
constexpr double kMaxMismatch2 = 12;        // square, in standard deviations
constexpr double kHides_m = 0.3;            // people nearer than this to a line of sight hide what is behind
constexpr double kMinShown = 0.03;          // height of a box, of the picture's

struct Standing {
  size_t path;
  PathPoint point;  // in the world
  bool seen_by_other = false;
  double log_density = 0;
};

bool shows(const PlacedPaths& camera, const Eigen::Vector2d& at_m) {
  FloorValues values = camera.paths->view.values;
  camera.pose.put_into(&values);
  const PictureSize& size = camera.paths->size;
  const FloorAxes<double> axes = axes_of(values.data());
  const double depth = axes.ahead[0] * (at_m.x() - values[kX]) + axes.ahead[1] * (at_m.y() - values[kY]) +
                       axes.ahead[2] * (0.9 - values[kHeight]);
  if (depth < 0.8) return false;
  const UprightBox<double> box = upright_box<double>(size, values.data(), at_m.x(), at_m.y(), kAdultHeight_m);
  return box.middle > 0.06 * size.width_px && box.middle < 0.94 * size.width_px && box.top > 0 &&
         box.bottom < size.height_px && box.bottom - box.top > kMinShown * size.height_px;
}

std::vector<Standing> people_at(const PlacedPaths& camera, const PlacedPaths& other, double time_s) {
  std::vector<Standing> all;
  const Eigen::Matrix2d turn = camera.pose.rotation();
  for (size_t p = 0; p < camera.paths->paths.size(); ++p) {
    auto point = camera.paths->paths[p].at(time_s - camera.pose.delay_s);
    if (!point) continue;
    Standing one{p, *point};
    one.log_density = std::log(camera.paths->density(point->at_m));
    one.point.at_m = turn * point->at_m + camera.pose.at_m;
    one.point.covariance = turn * point->covariance * turn.transpose();
    one.seen_by_other = shows(other, one.point.at_m);
    all.push_back(one);
  }
  return all;
}

// Someone nearer stands before them: that the camera does not show them says nothing. `standing`: the
// camera's own people.
void hide_behind(const PlacedPaths& camera, const std::vector<Standing>& standing,
                 std::vector<Standing>* others) {
  const Eigen::Vector2d from = camera.pose(Eigen::Vector2d::Zero());
  for (Standing& one : *others) {
    if (!one.seen_by_other) continue;
    const Eigen::Vector2d off = one.point.at_m - from;
    one.seen_by_other = std::ranges::none_of(standing, [&](const Standing& before) {
      const Eigen::Vector2d its = before.point.at_m - from;
      const double along = its.dot(off) / off.norm();
      return along > 0 && along < off.norm() && (its - along / off.norm() * off).norm() < kHides_m;
    });
  }
}

struct TimeRange {
  double begin_s = 1e300, end_s = -1e300;
  explicit TimeRange(const PlacedPaths& camera) {
    for (const FloorPath& path : camera.paths->paths) {
      begin_s = std::min(begin_s, static_cast<double>(path.first) * kPathStep_s + camera.pose.delay_s);
      end_s = std::max(end_s, static_cast<double>(path.end()) * kPathStep_s + camera.pose.delay_s);
    }
  }
};

}  // namespace

double likelihood_together(const PlacedPaths& a, const PlacedPaths& b, double slop_m, int* together) {
  const TimeRange of_a(a), of_b(b);
  const double begin_s = std::max(of_a.begin_s, of_b.begin_s), end_s = std::min(of_a.end_s, of_b.end_s);
  double sum = 0;
  int common = 0;
  const double missed = std::log(1 - kShownWhereVisible);
  for (double time_s = std::ceil(begin_s / kScoreStep_s) * kScoreStep_s; time_s < end_s;
       time_s += kScoreStep_s) {
    std::vector<Standing> in_a = people_at(a, b, time_s), in_b = people_at(b, a, time_s);
    hide_behind(b, in_b, &in_a), hide_behind(a, in_a, &in_b);
    std::vector<bool> taken_a(in_a.size(), false), taken_b(in_b.size(), false);
    const auto if_alone = [&](const Standing& one) { return one.seen_by_other ? missed : 0.0; };
    while (true) {
      double best = 0, gained = 0;
      size_t best_i = 0, best_j = 0;
      for (size_t i = 0; i < in_a.size(); ++i)
        for (size_t j = 0; !taken_a[i] && j < in_b.size(); ++j) {
          if (taken_b[j]) continue;
          const Eigen::Vector2d off = in_a[i].point.at_m - in_b[j].point.at_m;
          if (off.squaredNorm() > 9) continue;
          const Eigen::Matrix2d covariance = in_a[i].point.covariance + in_b[j].point.covariance +
                                             slop_m * slop_m * Eigen::Matrix2d::Identity();
          const double miss2 = off.dot(covariance.inverse() * off);
          if (miss2 > kMaxMismatch2) continue;
          const double gain = std::log(kShownWhereVisible) - std::log(2 * M_PI) -
                              0.5 * std::log(covariance.determinant()) - miss2 / 2 -
                              0.5 * (in_a[i].log_density + in_b[j].log_density) -
                              0.5 * std::log(static_cast<double>(in_a.size() * in_b.size()));
          const double more = gain - if_alone(in_a[i]) - if_alone(in_b[j]);
          if (more > best) best = more, gained = gain, best_i = i, best_j = j;
        }
      if (!(best > 0)) break;
      taken_a[best_i] = taken_b[best_j] = true;
      sum += gained, ++common;
    }
    for (size_t i = 0; i < in_a.size(); ++i)
      if (!taken_a[i] && in_a[i].seen_by_other) sum += missed;
    for (size_t j = 0; j < in_b.size(); ++j)
      if (!taken_b[j] && in_b[j].seen_by_other) sum += missed;
  }
  if (together) *together = common;
  return kIndependentShare * sum;
}

bool fit_pose(const std::vector<PlacedPaths>& placed, double reach_m, double slop_m, PlacedPaths* moving) {
  const TimeRange range(*moving);
  Eigen::Matrix4d normal = Eigen::Matrix4d::Zero();
  Eigen::Vector4d right = Eigen::Vector4d::Zero();
  int count = 0;
  const Eigen::Matrix2d turn = moving->pose.rotation();
  Eigen::Matrix2d quarter;
  quarter << 0, -1, 1, 0;
  for (double time_s = range.begin_s; time_s < range.end_s; time_s += kScoreStep_s)
    for (const FloorPath& path : moving->paths->paths) {
      const auto own = path.at(time_s - moving->pose.delay_s);
      if (!own) continue;
      const Eigen::Vector2d turned = turn * own->at_m, at = turned + moving->pose.at_m;
      for (const PlacedPaths& other : placed) {
        const Eigen::Matrix2d its_turn = other.pose.rotation();
        std::optional<PathPoint> nearest, before, after;
        double least = reach_m;
        for (const FloorPath& its : other.paths->paths) {
          const auto point = its.at(time_s - other.pose.delay_s);
          if (!point) continue;
          const double off = (other.pose(point->at_m) - at).norm();
          if (off < least)
            least = off, nearest = point, before = its.at(time_s - other.pose.delay_s - kPathStep_s),
            after = its.at(time_s - other.pose.delay_s + kPathStep_s);
        }
        if (!nearest || !before || !after) continue;
        const Eigen::Vector2d speed = its_turn * (after->at_m - before->at_m) / (2 * kPathStep_s);
        const Eigen::Matrix2d covariance = turn * own->covariance * turn.transpose() +
                                           its_turn * nearest->covariance * its_turn.transpose() +
                                           slop_m * slop_m * Eigen::Matrix2d::Identity();
        // A later delay shows the moving one's people where they were before: by the others' speed.
        Eigen::Matrix<double, 2, 4> slopes;
        slopes.col(0) = quarter * turned;
        slopes.middleCols<2>(1).setIdentity();
        slopes.col(3) = -speed;
        const Eigen::Vector2d off = other.pose(nearest->at_m) - at;
        const Eigen::Matrix2d weight = covariance.inverse();
        const double miss2 = off.dot(weight * off), trust = 1 / (1 + miss2 / 4);
        normal += trust * slopes.transpose() * weight * slopes;
        right += trust * slopes.transpose() * weight * off;
        ++count;
      }
    }
  if (count < 6) return false;
  // Not far from where it was, in what nothing determines.
  const Eigen::Vector4d prior(1 / 0.3, 1 / 1.5, 1 / 1.5, 1 / 0.5);
  normal += Eigen::Matrix4d(prior.cwiseAbs2().asDiagonal());
  const Eigen::Vector4d step = normal.ldlt().solve(right);
  if (!step.allFinite()) return false;
  moving->pose.yaw = angle_between(moving->pose.yaw + std::clamp(step[0], -0.5, 0.5), 0);
  moving->pose.at_m += step.segment<2>(1);
  moving->pose.delay_s += std::clamp(step[3], -0.5, 0.5);
  return true;
}

namespace {

constexpr double kMinTogether_s = 3, kMinExtent_m = 0.4;
constexpr size_t kMaxLongPaths = 16, kMaxProposals = 40;
constexpr double kFitStd_m = 0.25;

std::vector<const FloorPath*> long_paths(const FloorPaths& all) {
  std::vector<const FloorPath*> chosen;
  for (const FloorPath& path : all.paths)
    if (static_cast<double>(path.points.size()) * kPathStep_s >= kMinTogether_s &&
        path.extent_m > kMinExtent_m)
      chosen.push_back(&path);
  std::ranges::stable_sort(chosen,
                           [](const auto* a, const auto* b) { return a->points.size() > b->points.size(); });
  if (chosen.size() > kMaxLongPaths) chosen.resize(kMaxLongPaths);
  return chosen;
}

using Complex = std::complex<double>;

// b's path turned and moved onto a's, b's step s being a's s + shift.
std::optional<PoseProposal> fit_paths(const FloorPath& a, const FloorPath& b, long shift) {
  const long begin = std::max(a.first, b.first + shift), end = std::min(a.end(), b.end() + shift);
  if (static_cast<double>(end - begin) * kPathStep_s < kMinTogether_s) return {};
  Complex sum_a, sum_b, cross;
  double squares_a = 0, squares_b = 0, count = 0, variance = 0;
  for (long step = begin; step < end; step += 2) {
    const PathPoint &in_a = a.points[step - a.first], &in_b = b.points[step - shift - b.first];
    if (!in_a.known || !in_b.known) continue;
    const double noise = (in_a.covariance.trace() + in_b.covariance.trace()) / 2;
    const double weight = 0.1 / (0.1 + noise);
    const Complex z(in_b.at_m.x(), in_b.at_m.y()), w(in_a.at_m.x(), in_a.at_m.y());
    sum_a += weight * w, sum_b += weight * z, cross += weight * w * std::conj(z);
    squares_a += weight * std::norm(w), squares_b += weight * std::norm(z), count += weight;
    variance += weight * noise;
  }
  if (count * 2 * kPathStep_s < 0.5 * kMinTogether_s) return {};
  const Complex middle_a = sum_a / count, middle_b = sum_b / count;
  const Complex turn = cross - count * middle_a * std::conj(middle_b);
  const double spread_a = squares_a - count * std::norm(middle_a),
               spread_b = squares_b - count * std::norm(middle_b);
  const double left = std::max(0.0, spread_a + spread_b - 2 * std::abs(turn));
  const double own = kFitStd_m * kFitStd_m + variance / count;
  PoseProposal found;
  found.gain = count * std::log((std::min(spread_a, spread_b) / count + own) / (left / count + own));
  found.pose.yaw = std::arg(turn);
  const Complex at = middle_a - std::polar(1.0, found.pose.yaw) * middle_b;
  found.pose.at_m = {at.real(), at.imag()};
  found.pose.delay_s = static_cast<double>(shift) * kPathStep_s;
  return found;
}

constexpr double kVoteYaw = M_PI / 18, kVoteCell_m = 0.5, kVoteReach_m = 16;
constexpr long kVoteShift = 2;          // steps of paths
constexpr size_t kVotesOfShift = 2500;  // pairs of positions
constexpr size_t kVotedProposals = 20;

// Positions of people by step.
std::vector<std::vector<Eigen::Vector2d>> positions_by_step(const FloorPaths& all, long first, long end) {
  std::vector<std::vector<Eigen::Vector2d>> by_step(static_cast<size_t>(std::max(0L, end - first)));
  for (const FloorPath& path : all.paths)
    for (size_t i = 0; i < path.points.size(); ++i)
      if (path.points[i].known)
        by_step[static_cast<size_t>(path.first - first) + i].push_back(path.points[i].at_m);
  return by_step;
}

// Poses that bring the most of b's people to a's at once: those who stand count, too, and where tracks are
// short.
std::vector<PoseProposal> poses_by_votes(const FloorPaths& a, const FloorPaths& b, long reach) {
  std::vector<PoseProposal> all;
  if (a.paths.empty() || b.paths.empty()) return all;
  long first = a.paths.front().first, end = first, first_b = b.paths.front().first, end_b = first_b;
  for (const FloorPath& path : a.paths) first = std::min(first, path.first), end = std::max(end, path.end());
  for (const FloorPath& path : b.paths)
    first_b = std::min(first_b, path.first), end_b = std::max(end_b, path.end());
  const auto in_a = positions_by_step(a, first, end), in_b = positions_by_step(b, first_b, end_b);
  constexpr int kSide = static_cast<int>(2 * kVoteReach_m / kVoteCell_m);
  std::vector<float> votes(static_cast<size_t>(kSide) * kSide);
  for (long shift = -reach; shift <= reach; shift += kVoteShift) {
    const long begin = std::max(first, first_b + shift), stop = std::min(end, end_b + shift);
    const auto pairs_at = [&](long step) {
      return in_a[static_cast<size_t>(step - first)].size() *
             in_b[static_cast<size_t>(step - shift - first_b)].size();
    };
    size_t pairs = 0;
    for (long step = begin; step < stop; ++step) pairs += pairs_at(step);
    const long stride = std::max(kVoteShift, static_cast<long>(pairs / kVotesOfShift) + 1);
    double most = 0;
    for (long step = begin; step < stop; step += stride)
      most += static_cast<double>(std::min(in_a[static_cast<size_t>(step - first)].size(),
                                           in_b[static_cast<size_t>(step - shift - first_b)].size()));
    if (most * static_cast<double>(stride) * kPathStep_s < kMinTogether_s) continue;
    for (int turn = 0; turn < 36; ++turn) {
      PoseProposal one{{turn * kVoteYaw, Eigen::Vector2d::Zero(), static_cast<double>(shift) * kPathStep_s}};
      const Eigen::Matrix2d rotation = one.pose.rotation();
      std::ranges::fill(votes, 0.0F);
      for (long step = begin; step < stop; step += stride) {
        const auto &its = in_a[static_cast<size_t>(step - first)],
                   &others = in_b[static_cast<size_t>(step - shift - first_b)];
        for (const Eigen::Vector2d& from : others) {
          const Eigen::Vector2d turned = rotation * from;
          for (const Eigen::Vector2d& to : its) {
            const Eigen::Vector2d cell = (to - turned) / kVoteCell_m + Eigen::Vector2d::Constant(kSide / 2.0);
            if (cell.x() >= 0 && cell.y() >= 0 && cell.x() < kSide && cell.y() < kSide)
              votes[static_cast<size_t>(cell.y()) * kSide + static_cast<size_t>(cell.x())] +=
                  1.0F / static_cast<float>(std::max(its.size(), others.size()));
          }
        }
      }
      // Four cells round a corner count together.
      for (size_t y = 0; y + 1 < kSide; ++y)
        for (size_t x = 0; x + 1 < kSide; ++x) {
          const float* const at = &votes[y * kSide + x];
          const double its = double{at[0]} + at[1] + at[kSide] + at[kSide + 1];
          if (its > one.gain)
            one.gain = its,
            one.pose.at_m = kVoteCell_m * Eigen::Vector2d(static_cast<double>(x) + 1 - kSide / 2.0,
                                                          static_cast<double>(y) + 1 - kSide / 2.0);
        }
      // Others of the people are not there.
      one.gain = (1.5 * one.gain - 0.5 * most) * static_cast<double>(stride);
      one.pose.yaw = angle_between(one.pose.yaw, 0);
      all.push_back(one);
    }
  }
  std::ranges::stable_sort(all, [](const auto& x, const auto& y) { return x.gain > y.gain; });
  if (all.size() > kVotedProposals) all.resize(kVotedProposals);
  return all;
}

}  // namespace

std::vector<PoseProposal> propose_poses(const FloorPaths& a, const FloorPaths& b, double max_offset_s) {
  std::vector<PoseProposal> all;
  const long reach = std::lround(max_offset_s / kPathStep_s);
  for (const FloorPath* in_a : long_paths(a))
    for (const FloorPath* in_b : long_paths(b)) {
      std::vector<std::optional<PoseProposal>> by_shift;
      for (long shift = -reach; shift <= reach; ++shift) by_shift.push_back(fit_paths(*in_a, *in_b, shift));
      // Peaks only.
      for (size_t i = 0; i < by_shift.size(); ++i) {
        if (!by_shift[i] || by_shift[i]->gain < 3) continue;
        bool peak = true;
        for (size_t j = i >= 2 ? i - 2 : 0; j < std::min(i + 3, by_shift.size()); ++j)
          peak = peak && (j == i || !by_shift[j] || by_shift[j]->gain <= by_shift[i]->gain);
        if (peak) all.push_back(*by_shift[i]);
      }
    }
  std::ranges::stable_sort(all, [](const auto& x, const auto& y) { return x.gain > y.gain; });
  if (all.size() > kMaxProposals) all.resize(kMaxProposals);
  // Both by turns: their gains are of two kinds.
  const std::vector<PoseProposal> voted = poses_by_votes(a, b, reach);
  std::vector<PoseProposal> mixed;
  for (size_t i = 0; i < std::max(all.size(), voted.size()); ++i) {
    if (i < all.size()) mixed.push_back(all[i]);
    if (i < voted.size()) mixed.push_back(voted[i]);
  }
  return mixed;
}

}  // namespace vantage::footage_detail
