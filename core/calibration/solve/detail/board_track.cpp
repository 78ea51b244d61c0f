#include "core/calibration/solve/detail/board_track.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/base/quantile.h"
#include "core/geometry/dense.h"

namespace vantage {
namespace {

constexpr size_t kMinCommon = 12;     // frames in which both cameras see the board
constexpr size_t kMaxCompared = 150;  // more add little
constexpr double kMinShare = 0.2;     // of the frames of the camera that sees it less often
constexpr double kKept = 0.6;         // of the frames, by how well they fit
constexpr size_t kBoardPoints = 4;
constexpr size_t kMinCorners = 4;

const BoardCorner* corner_of(const BoardView& view, int index) {
  const auto found = std::lower_bound(view.corners.begin(), view.corners.end(), index,
                                      [](const BoardCorner& corner, int i) { return corner.index < i; });
  return found != view.corners.end() && found->index == index ? &*found : nullptr;
}

// Four points of the board, before the camera.
Eigen::Matrix<double, 3, kBoardPoints> points_before(const Board& board, const Eigen::Isometry3d& pose) {
  Eigen::Matrix<double, 3, kBoardPoints> points;
  const std::array<int, kBoardPoints> corners = {0, board.columns - 1, board.corner_count() - board.columns,
                                                 board.corner_count() - 1};
  for (size_t i = 0; i < kBoardPoints; ++i)
    points.col(static_cast<Eigen::Index>(i)) =
        pose * Eigen::Vector3d(board.x_m(corners[i]), board.y_m(corners[i]), 0);
  return points;
}

using Points = Eigen::Matrix<double, 3, Eigen::Dynamic>;

// Median distance, over the frames, of the board's points of the two cameras, when the motion that fits most
// frames best brings one onto the other.
double misfit_m(const std::vector<std::pair<const Points*, const Points*>>& frames) {
  std::vector<size_t> kept(frames.size());
  for (size_t i = 0; i < kept.size(); ++i) kept[i] = i;
  std::vector<double> apart(frames.size());
  for (int round = 0; round < 3; ++round) {
    const auto count = static_cast<Eigen::Index>(kept.size() * kBoardPoints);
    Points from(3, count), to(3, count);
    for (size_t k = 0; k < kept.size(); ++k) {
      const auto at = static_cast<Eigen::Index>(k * kBoardPoints);
      from.middleCols<kBoardPoints>(at) = *frames[kept[k]].first;
      to.middleCols<kBoardPoints>(at) = *frames[kept[k]].second;
    }
    const Eigen::Matrix4d motion = similarity_between(from, to, false);
    for (size_t i = 0; i < frames.size(); ++i)
      apart[i] = ((motion.topLeftCorner<3, 3>() * *frames[i].first).colwise() +
                  motion.topRightCorner<3, 1>() - *frames[i].second)
                     .colwise()
                     .norm()
                     .mean();
    kept.resize(frames.size());
    for (size_t i = 0; i < kept.size(); ++i) kept[i] = i;
    std::stable_sort(kept.begin(), kept.end(), [&](size_t a, size_t b) { return apart[a] < apart[b]; });
    kept.resize(std::max(kMinCommon / 2, static_cast<size_t>(kKept * static_cast<double>(kept.size()))));
  }
  return quantile(apart, 0.5);
}

std::map<int64_t, Points> points_of(const Board& board, const BoardPoses& poses) {
  std::map<int64_t, Points> points;
  for (const auto& [frame, pose] : poses) points[frame] = points_before(board, pose);
  return points;
}

// Misfits by offset; offsets at which the cameras have too little in common are left out. Fewer after a stop.
std::map<int64_t, double> misfits(const std::map<int64_t, Points>& first,
                                  const std::map<int64_t, Points>& second,
                                  const std::function<void(double share)>& progress, const StopSource& stop) {
  std::map<int64_t, double> all;
  const auto fewer = static_cast<double>(std::min(first.size(), second.size()));
  const size_t needed = std::max(kMinCommon, static_cast<size_t>(kMinShare * fewer));
  if (first.size() < needed || second.size() < needed) return all;
  const int64_t from = second.begin()->first - first.rbegin()->first,
                to = second.rbegin()->first - first.begin()->first;
  std::vector<const Points*> of_second(
      static_cast<size_t>(second.rbegin()->first - second.begin()->first + 1));
  for (const auto& [frame, points] : second) of_second[frame - second.begin()->first] = &points;
  for (int64_t offset = from; offset <= to && !stop.stop_requested(); ++offset) {
    progress(static_cast<double>(offset - from) / static_cast<double>(to - from + 1));
    std::vector<std::pair<const Points*, const Points*>> common;
    for (const auto& [frame, points] : first) {
      const auto at =
          static_cast<size_t>(frame + offset - second.begin()->first);  // negative: beyond the end
      if (at < of_second.size() && of_second[at]) common.emplace_back(&points, of_second[at]);
    }
    if (common.size() < needed) continue;
    if (const size_t step = common.size() / kMaxCompared; step > 1) {
      size_t kept = 0;
      for (size_t i = 0; i < common.size(); i += step) common[kept++] = common[i];
      common.resize(kept);
    }
    all[offset] = misfit_m(common);
  }
  return all;
}

// Weights of pictures, after Lagrange, for a position between them and for a velocity there. The noise of the
// two is independent: otherwise a delay that is solved by the velocity comes out too long.
struct Between {
  std::array<double, 5> place = {}, velocity = {};

  Between(int pictures, double u) {
    const int reach = pictures / 2;
    double both = 0, square = 0;
    for (int i = 0; i < pictures; ++i) {
      double value = 1, slope = 0;
      for (int j = 0; j < pictures; ++j) {
        if (j == i) continue;
        slope = (slope * (u - (j - reach)) + value) / (i - j);
        value *= (u - (j - reach)) / (i - j);
      }
      const auto at = static_cast<size_t>(i);
      place[at] = value, velocity[at] = slope;
      both += value * slope, square += value * value;
    }
    const double mean = 1.0 / pictures, share = both / (square - mean);
    for (size_t i = 0; i < static_cast<size_t>(pictures); ++i)
      velocity[i] = (velocity[i] - share * (place[i] - mean)) / (1 - share * u);
  }
};

// The best one behind offsets that are clearly worse than `best`: its neighbours are as good because the
// board moves little from one picture to the next.
template <typename Iterator>
double best_beyond(Iterator from, Iterator end, double best) {
  constexpr double kBarrier = 1.5;
  double rival = std::numeric_limits<double>::infinity();
  bool beyond = false;
  for (; from != end; ++from) {
    beyond = beyond || from->second > kBarrier * best;
    if (beyond) rival = std::min(rival, from->second);
  }
  return rival;
}

}  // namespace

void BoardTrack::add(const BoardView& view) {
  views_[view.instant] = view;
}

int BoardTrack::pictures_between_others() const {
  int count = 0;
  for (const auto& [frame, view] : views_) count += views_.contains(frame - 1) && views_.contains(frame + 1);
  return count;
}

// A point of the polynomial through five pictures, or three where five do not show it. `u`: from the middle
// one on, in pictures.
std::optional<BoardCorner> BoardTrack::between(int index, int64_t picture, double u) const {
  std::vector<const BoardCorner*> around;
  for (const int reach : {2, 1}) {
    around.clear();
    for (int64_t i = picture - reach; i <= picture + reach; ++i)
      if (const auto view = views_.find(i); view != views_.end())
        if (const BoardCorner* corner = corner_of(view->second, index)) around.push_back(corner);
    if (around.size() == static_cast<size_t>(2 * reach + 1)) break;
    if (reach == 1) return {};
  }
  const Between weights(static_cast<int>(around.size()), u);
  BoardCorner corner{index};
  for (size_t i = 0; i < around.size(); ++i) {
    corner.x_px += weights.place[i] * around[i]->x_px, corner.y_px += weights.place[i] * around[i]->y_px;
    corner.velocity_px[0] += weights.velocity[i] * around[i]->x_px;
    corner.velocity_px[1] += weights.velocity[i] * around[i]->y_px;
  }
  return corner;
}

std::optional<BoardView> BoardTrack::at(double frame, double readout_frames, double height_px) const {
  const auto middle = views_.find(std::llround(frame));
  if (middle == views_.end()) return {};
  BoardView found{middle->second.camera, 0, {}};
  for (const BoardCorner& near : middle->second.corners) {
    const double time = frame - readout_frames * (near.y_px / height_px - 0.5);
    const int64_t picture = std::llround(time);
    const auto corner = between(near.index, picture, time - static_cast<double>(picture));
    if (!corner) continue;
    found.corners.push_back(*corner);
  }
  if (found.corners.size() < kMinCorners) return {};
  return found;
}

std::optional<WholeOffset> whole_offset(const Board& board, const BoardPoses& first, const BoardPoses& second,
                                        const std::function<void(double share)>& progress,
                                        const StopSource& stop) {
  const std::map<int64_t, double> all =
      misfits(points_of(board, first), points_of(board, second), progress, stop);
  if (all.empty() || stop.stop_requested()) return {};
  const auto best = std::min_element(all.begin(), all.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  std::vector<double> values;
  for (const auto& [offset, misfit] : all) values.push_back(misfit);
  const double rival = std::min(best_beyond(std::next(best), all.end(), best->second),
                                best_beyond(std::make_reverse_iterator(best), all.rend(), best->second));
  const double floor_m = std::max(best->second, 1e-9);
  WholeOffset found{best->first, quantile(std::move(values), 0.5) / floor_m, rival / floor_m};
  return found;
}

}  // namespace vantage
