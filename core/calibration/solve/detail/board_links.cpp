#include "core/calibration/solve/detail/board_links.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "core/base/quantile.h"

namespace vantage {
namespace {

using Eigen::Isometry3d;

constexpr double kLinkNear_rad = 0.26;  // 15 degrees; and so much of the distance, sideways
constexpr size_t kMostTold = 200;       // views that tell of one link; more change nothing

// One of two groups as seen from the other.
struct Told {
  Isometry3d first_from_second;
  double range_m = 0;  // the farther board's distance
};

// 0 the same, 1 and more apart.
double apart(const Told& a, const Told& b) {
  const Eigen::AngleAxisd turn(a.first_from_second.linear().transpose() * b.first_from_second.linear());
  const double shift = (a.first_from_second.translation() - b.first_from_second.translation()).norm();
  return turn.angle() / kLinkNear_rad + shift / (kLinkNear_rad * std::max({a.range_m, b.range_m, 1e-9}));
}

struct Link {
  int first = 0, second = 0;  // groups, first < second
  Isometry3d first_from_second;
  size_t support = 0;
};

// The one of what was told that all of it is nearest to.
Link middle_of(int first, int second, const std::vector<Told>& told) {
  Link link{first, second, Isometry3d::Identity(), 0};
  double best = INFINITY;
  for (const Told& one : told) {
    double sum = 0;
    size_t support = 0;
    for (const Told& other : told) {
      const double off = apart(one, other);
      sum += std::min(off, 1.0), support += off < 1;
    }
    if (sum < best) best = sum, link.first_from_second = one.first_from_second, link.support = support;
  }
  return link;
}

class Linker {
 public:
  Linker(const JoinedInput& input, const std::vector<PosedView>& views) : input_(input), views_(views) {
    const size_t cameras = input.camera_names.size();
    links_.camera_from_group.resize(cameras);
    links_.group_from_board.assign(input.boards.size(), Isometry3d::Identity());
    for (size_t c = 0; c < cameras; ++c) links_.camera_group.push_back(static_cast<int>(c));
    for (size_t b = 0; b < input.boards.size(); ++b) links_.board_group.push_back(static_cast<int>(b));
    for (const PosedView& view : views) {
      const int camera = view.view.camera;
      const bool held = input.hand_held[static_cast<size_t>(camera)];
      pictures_[{held ? camera : -1, view.view.instant}].push_back(&view);
      if (!held) links_.camera_from_group[static_cast<size_t>(camera)] = Isometry3d::Identity();
    }
  }

  BoardLinks link() {
    while (link_cameras() || link_boards() || link_by_ways()) {
    }
    return std::move(links_);
  }

 private:
  int camera_group(const PosedView& view) const {
    return links_.camera_group[static_cast<size_t>(view.view.camera)];
  }
  int board_group(const PosedView& view) const {
    return links_.board_group[static_cast<size_t>(view.view.board)];
  }
  // Pose of the board's group before the camera's; a hand-held camera is a group of its own.
  Isometry3d group_pose(const PosedView& view) const {
    const auto& camera = links_.camera_from_group[static_cast<size_t>(view.view.camera)];
    const Isometry3d pose =
        view.camera_from_board * links_.group_from_board[static_cast<size_t>(view.view.board)].inverse();
    return camera ? camera->inverse() * pose : pose;
  }

  using PairsTold = std::map<std::pair<int, int>, std::vector<Told>>;

  // `one`: whose group must be the same in both views; `other`: whose groups are linked.
  template <typename Same, typename Other, typename Tell>
  std::optional<Link> best_link(bool hand_held, const Same& same, const Other& other,
                                const Tell& tell) const {
    PairsTold pairs;
    for (const auto& [picture, views] : pictures_) {
      if (picture.first >= 0 && !hand_held) continue;
      for (const PosedView* a : views)
        for (const PosedView* b : views) {
          if (same(*a) != same(*b) || other(*a) >= other(*b)) continue;
          std::vector<Told>& told = pairs[{other(*a), other(*b)}];
          if (told.size() >= kMostTold) continue;
          const double range_m =
              std::max(a->camera_from_board.translation().norm(), b->camera_from_board.translation().norm());
          told.push_back({tell(*a, *b), range_m});
        }
    }
    std::optional<Link> best;
    for (const auto& [pair, told] : pairs)
      if (const Link link = middle_of(pair.first, pair.second, told); !best || link.support > best->support)
        best = link;
    return best;
  }

  bool link_cameras() {
    const auto best = best_link(
        false, [&](const PosedView& view) { return board_group(view); },
        [&](const PosedView& view) { return camera_group(view); },
        [&](const PosedView& a, const PosedView& b) { return group_pose(a) * group_pose(b).inverse(); });
    if (best) merge_cameras(*best);
    return best.has_value();
  }

  bool link_boards() {
    const auto best = best_link(
        true, [&](const PosedView& view) { return camera_group(view); },
        [&](const PosedView& view) { return board_group(view); },
        [&](const PosedView& a, const PosedView& b) { return group_pose(a).inverse() * group_pose(b); });
    if (best) merge_boards(*best);
    return best.has_value();
  }

  // Views that link a camera's and a board's group: at each instant the one with the most corners.
  std::map<int64_t, const PosedView*> way_of(int cameras, int boards) const {
    std::map<int64_t, const PosedView*> way;
    for (const auto& [picture, views] : pictures_)
      for (const PosedView* view : views) {
        if (picture.first >= 0 || camera_group(*view) != cameras || board_group(*view) != boards) continue;
        const PosedView*& best = way[picture.second];
        if (!best || view->view.corners.size() > best->view.corners.size()) best = view;
      }
    return way;
  }

  // Two groups of cameras, each of which sees another group of boards: the two with the most instants.
  bool link_by_ways() {
    std::set<std::pair<int, int>> seen;  // camera's group, board's group
    for (const PosedView& view : views_)
      if (!input_.hand_held[static_cast<size_t>(view.view.camera)])
        seen.emplace(camera_group(view), board_group(view));
    size_t most = 0;
    std::pair<int, int> first, second;
    std::optional<HandEye> best;
    for (const auto& one : seen)
      for (const auto& other : seen) {
        if (one.first >= other.first || one.second == other.second) continue;
        const auto way = way_of(one.first, one.second), to = way_of(other.first, other.second);
        std::vector<std::pair<Isometry3d, Isometry3d>> pairs;
        for (const auto& [instant, view] : way)
          if (const auto at = to.find(instant); at != to.end())
            pairs.emplace_back(group_pose(*view), group_pose(*at->second));
        if (pairs.size() <= most) continue;
        if (auto found = solve_hand_eye(pairs))
          best = found, most = pairs.size(), first = one, second = other;
      }
    if (!best) return false;
    merge_cameras({first.first, second.first, best->z.inverse(), most});
    if (first.second < second.second)
      merge_boards({first.second, second.second, best->x, most});
    else
      merge_boards({second.second, first.second, best->x.inverse(), most});
    return true;
  }

  void merge_cameras(const Link& link) {
    for (size_t c = 0; c < links_.camera_group.size(); ++c) {
      if (links_.camera_group[c] != link.second || !links_.camera_from_group[c]) continue;
      links_.camera_group[c] = link.first;
      links_.camera_from_group[c] = *links_.camera_from_group[c] * link.first_from_second.inverse();
    }
  }

  void merge_boards(const Link& link) {
    for (size_t b = 0; b < links_.board_group.size(); ++b) {
      if (links_.board_group[b] != link.second) continue;
      links_.board_group[b] = link.first;
      links_.group_from_board[b] = link.first_from_second * links_.group_from_board[b];
    }
  }

  const JoinedInput& input_;
  const std::vector<PosedView>& views_;
  std::map<std::pair<int, int64_t>, std::vector<const PosedView*>> pictures_;  // hand-held camera or -1
  BoardLinks links_;
};

}  // namespace

BoardLinks link_boards(const JoinedInput& input, const std::vector<PosedView>& views) {
  return Linker(input, views).link();
}

}  // namespace vantage
