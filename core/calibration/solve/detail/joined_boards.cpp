#include "core/calibration/solve/detail/joined_boards.h"

#include <fmt/core.h>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/quantile.h"
#include "core/base/result.h"
#include "core/base/text.h"
#include "core/calibration/solve/camera_values.h"

namespace vantage {
namespace {

// Links of cameras with boards, of several that are joined rigidly, and their relative poses; the steps are
// those of joined_boards.h.

// Groups of what is linked, named by the lowest of their members, in whose coordinates they are.
struct BoardLinks {
  std::vector<int> camera_group;                                    // hand-held cameras have one each
  std::vector<std::optional<Eigen::Isometry3d>> camera_from_group;  // nothing: hand-held, or without a view
  std::vector<int> board_group;
  std::vector<Eigen::Isometry3d> group_from_board;
};

// Links with more views come first.
BoardLinks link_boards(const JoinedInput& input, const std::vector<PosedView>& views);

using Eigen::Isometry3d;

constexpr double kLinkNear_rad = 0.26;  // 15 degrees; and so much of the distance, sideways
constexpr size_t kMostTold = 200;       // views of one link; more change nothing

// One of two groups as seen from the other.
struct Told {
  Isometry3d first_from_second;
  double range_m = 0;  // the farther board's distance
};

// 0: the same; 1 and more: apart.
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

// The pose nearest to all that were reported.
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
      const bool held = input.hand_held[camera];
      pictures_[{held ? camera : -1, view.view.instant}].push_back(&view);
      if (!held) links_.camera_from_group[camera] = Isometry3d::Identity();
    }
  }

  BoardLinks link() {
    while (link_cameras() || link_boards() || link_by_ways()) {
    }
    return std::move(links_);
  }

 private:
  int camera_group(const PosedView& view) const { return links_.camera_group[view.view.camera]; }
  int board_group(const PosedView& view) const { return links_.board_group[view.view.board]; }
  // Pose of the board's group before the camera's; a hand-held camera is a group of its own.
  Isometry3d group_pose(const PosedView& view) const {
    const auto& camera = links_.camera_from_group[view.view.camera];
    const Isometry3d pose = view.camera_from_board * links_.group_from_board[view.view.board].inverse();
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
      if (!input_.hand_held[view.view.camera]) seen.emplace(camera_group(view), board_group(view));
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

BoardLinks link_boards(const JoinedInput& input, const std::vector<PosedView>& views) {
  return Linker(input, views).link();
}

// Advice on what to record if boards do not link all cameras.

struct LinkedGroup {
  std::set<int> cameras, boards;  // boards that are linked with one that these cameras see
  std::set<int64_t> instants;     // at which they see one
};

std::string joined_names(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) append_item(&text, name);
  return text;
}

std::string cameras_text(const JoinedInput& input, const LinkedGroup& group) {
  std::set<std::string> names;
  for (const int camera : group.cameras) names.insert(input.camera_names[camera]);
  return joined_names(names);
}

// "board 3", "one of the boards 1, 2".
std::string boards_text(const LinkedGroup& group) {
  std::set<std::string> numbers;
  for (const int board : group.boards) numbers.insert(std::to_string(board + 1));
  return (numbers.size() == 1 ? "board " : "one of the boards ") + joined_names(numbers);
}

std::vector<LinkedGroup> groups_of(const JoinedInput& input, const std::vector<PosedView>& views,
                                   const BoardLinks& links) {
  std::map<int, LinkedGroup> groups;
  for (const PosedView& view : views) {
    const auto camera = static_cast<size_t>(view.view.camera);
    if (input.hand_held[camera]) continue;
    LinkedGroup& group = groups[links.camera_group[camera]];
    group.cameras.insert(view.view.camera), group.instants.insert(view.view.instant);
    for (size_t b = 0; b < links.board_group.size(); ++b)
      if (links.board_group[b] == links.board_group[view.view.board])
        group.boards.insert(static_cast<int>(b));
  }
  std::vector<LinkedGroup> list;
  for (auto& [number, group] : groups) list.push_back(std::move(group));
  return list;
}

// `links` has two groups of fixed cameras or more.
Error not_linked(const JoinedInput& input, const std::vector<PosedView>& views, const BoardLinks& links) {
  const std::vector<LinkedGroup> groups = groups_of(input, views, links);
  const LinkedGroup &first = groups[0], &other = groups[1];
  Error error{ErrorKind::bad_data,
              fmt::format("no picture links this camera's boards ({}) with those of {} ({})",
                          boards_text(other), cameras_text(input, first), boards_text(first)),
              cameras_text(input, other), ""};
  const auto both = std::count_if(first.instants.begin(), first.instants.end(),
                                  [&](int64_t instant) { return other.instants.count(instant) > 0; });
  const bool held = std::find(input.hand_held.begin(), input.hand_held.end(), true) != input.hand_held.end();
  if (held)
    error.remedy = fmt::format(
        "Film {} and {} at once with the hand-held camera: no picture shows both. Boards between them will "
        "do, too, if each picture shows two.",
        boards_text(first), boards_text(other));
  else if (both > 1)
    error.remedy = fmt::format(
        "Both see boards that are carried together at {} instants, which do not determine their relative "
        "pose: turn the boards to several sides, about more than one axis, while both see one. If boards lie "
        "still, film two at once with a hand-held camera (--hand-held).",
        static_cast<int>(both));
  else
    error.remedy =
        "Carry the boards so that both see one at the same time, turned to several sides, or let one camera "
        "see two boards at once. If boards lie still, film two at once with a hand-held camera "
        "(--hand-held).";
  return error;
}

using Eigen::Isometry3d;

class Joiner {
 public:
  Joiner(const JoinedInput& input, std::vector<PosedView> views) : input_(input), views_(std::move(views)) {}

  Result<JoinedBoards> join() {
    const BoardLinks links = link_boards(input_, views_);
    VANTAGE_TRY(check(links));
    choose_boards(links);
    VANTAGE_TRY(choose_world());
    joined_.rig.camera_from_world = links.camera_from_group;
    place_instants();
    place_pictures();
    return std::move(joined_);
  }

 private:
  bool is_hand_held(const PosedView& view) const { return input_.hand_held[view.view.camera]; }
  bool is_placed(const PosedView& view) const { return joined_.root_from_board[view.view.board].has_value(); }

  Status check(const BoardLinks& links) const {
    std::set<int> groups;
    for (const PosedView& view : views_)
      if (!is_hand_held(view)) groups.insert(links.camera_group[view.view.camera]);
    if (groups.size() <= 1) return {};
    return fail(not_linked(input_, views_, links));
  }

  // Chooses the boards of the group that fixed cameras see most.
  void choose_boards(const BoardLinks& links) {
    std::map<int, int> seen;
    for (const PosedView& view : views_)
      if (!is_hand_held(view)) ++seen[links.board_group[view.view.board]];
    const auto most = std::max_element(seen.begin(), seen.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    std::set<int> boards_seen;
    for (const PosedView& view : views_) boards_seen.insert(view.view.board);
    joined_.root_from_board.resize(input_.boards.size());
    std::optional<Isometry3d> root_from_group;
    for (size_t b = 0; b < input_.boards.size(); ++b) {
      if (most == seen.end() || links.board_group[b] != most->first ||
          !boards_seen.count(static_cast<int>(b)))
        continue;
      if (!root_from_group) joined_.root = b, root_from_group = links.group_from_board[b].inverse();
      joined_.root_from_board[b] = *root_from_group * links.group_from_board[b];
    }
  }

  Status choose_world() {
    const auto counts = [&](const PosedView& view) { return !is_hand_held(view) && is_placed(view); };
    joined_.world_instant = input_.world_instant.value_or(instant_most_see(views_, counts).value_or(0));
    const auto shows = [&](const auto& wanted) {
      return std::any_of(views_.begin(), views_.end(), [&](const PosedView& view) {
        return view.view.instant == joined_.world_instant && wanted(view);
      });
    };
    if (shows(counts)) return {};
    const bool left_out = shows([&](const PosedView& view) { return !is_hand_held(view); });
    return fail(ErrorKind::invalid_argument,
                left_out ? "the frame chosen as the world shows only boards that are linked with no other"
                         : "no camera sees a board in the frame chosen as the world",
                "frame " + std::to_string(joined_.world_instant),
                "Choose an examined frame (--every) in which a linked board is seen.");
  }

  double error_of(const PosedView& view, const Isometry3d& camera_from_root) const {
    const Board& board = input_.boards[view.view.board];
    const BundleCamera& lens = input_.lenses[view.view.camera];
    const BundleBoard pose{pose_values(camera_from_root * *joined_.root_from_board[view.view.board])};
    double sum = 0;
    for (const BoardCorner& corner : view.view.corners) {
      const Eigen::Vector2d at = project_corner(lens, pose, board.x_m(corner.index), board.y_m(corner.index));
      const double distance = (at - Eigen::Vector2d(corner.x_px, corner.y_px)).norm();
      sum += std::isfinite(distance) ? std::min(distance, 1e4) : 1e4;
    }
    return sum;
  }

  // The root's pose, among those by one view, with the smallest error in all; without a camera's position it
  // is the pose before the hand-held one.
  Isometry3d place(const std::vector<const PosedView*>& views) const {
    const auto camera_from_group = [&](const PosedView& view) {
      const auto& placed = joined_.rig.camera_from_world[view.view.camera];
      return is_hand_held(view) ? Isometry3d(Isometry3d::Identity()) : *placed;
    };
    Isometry3d best = Isometry3d::Identity();
    double best_error = INFINITY;
    for (const PosedView* view : views) {
      const Isometry3d camera_from_root =
          view->camera_from_board * joined_.root_from_board[view->view.board]->inverse();
      const Isometry3d pose = camera_from_group(*view).inverse() * camera_from_root;
      double error = 0;
      for (const PosedView* other : views) error += error_of(*other, camera_from_group(*other) * pose);
      if (error < best_error) best = pose, best_error = error;
    }
    return best;
  }

  void place_instants() {
    std::map<int64_t, std::vector<const PosedView*>> instants;
    for (const PosedView& view : views_)
      if (!is_placed(view))
        joined_.without_link.push_back(view.view);
      else if (!is_hand_held(view))
        instants[view.view.instant].push_back(&view);
    RigGuess& rig = joined_.rig;
    for (const auto& [instant, views] : instants) {
      rig.instants.push_back(instant), rig.world_from_board.push_back(place(views));
      for (const PosedView* view : views) rig.views.push_back(view->view);
    }
    const auto world = std::lower_bound(rig.instants.begin(), rig.instants.end(), joined_.world_instant);
    const Isometry3d group_from_world = rig.world_from_board[world - rig.instants.begin()];
    for (auto& camera : rig.camera_from_world)
      if (camera) camera = *camera * group_from_world;
    for (Isometry3d& pose : rig.world_from_board) pose = group_from_world.inverse() * pose;
  }

  void place_pictures() {
    std::map<std::pair<int, int64_t>, std::vector<const PosedView*>> pictures;
    for (const PosedView& view : views_)
      if (is_hand_held(view) && is_placed(view))
        pictures[{view.view.camera, view.view.instant}].push_back(&view);
    for (const auto& [picture, views] : pictures) {
      if (views.size() < 2) {
        joined_.without_link.push_back(views[0]->view);
        continue;
      }
      LinkingPicture linking{place(views), {}};
      for (const PosedView* view : views) linking.views.push_back(view->view);
      joined_.pictures.push_back(std::move(linking));
    }
  }

  const JoinedInput& input_;
  std::vector<PosedView> views_;
  JoinedBoards joined_;
};

}  // namespace

std::vector<BoardPlace> board_places(const JoinedBoards& joined, const Bundle& bundle,
                                     const BundleReport& report) {
  std::vector<BoardPlace> places;
  for (size_t b = 0; b < joined.root_from_board.size(); ++b) {
    const PoseValues& pose = bundle.joined[b].board_from_joined;
    BoardPlace& place = places.emplace_back();
    place.placed = joined.root_from_board[b].has_value();
    place.world_board_from_board = pose_of(pose);
    const auto is_its = [b](const BoardView& view) { return static_cast<size_t>(view.board) == b; };
    place.views = static_cast<int>(std::count_if(joined.rig.views.begin(), joined.rig.views.end(), is_its));
    for (const LinkingPicture& picture : joined.pictures)
      place.views += static_cast<int>(std::count_if(picture.views.begin(), picture.views.end(), is_its));
    const int index = report.joined_index[b];
    if (index < 0) continue;
    const Eigen::Vector<double, 6> std = pose_deviations(pose, report.covariance.block<6, 6>(index, index));
    place.rotation_std_rad = std.head<3>(), place.shift_std_m = std.tail<3>();
  }
  return places;
}

Result<JoinedBoards> join_boards(const JoinedInput& input, std::vector<PosedView> views) {
  return Joiner(input, std::move(views)).join();
}

}  // namespace vantage
