#include "core/calibration/solve/detail/joined_boards.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/calibration/solve/camera_values.h"
#include "core/calibration/solve/detail/board_links.h"
#include "core/calibration/solve/detail/joined_advice.h"

namespace vantage {
namespace {

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
  bool is_hand_held(const PosedView& view) const {
    return input_.hand_held[static_cast<size_t>(view.view.camera)];
  }
  bool is_placed(const PosedView& view) const {
    return joined_.root_from_board[static_cast<size_t>(view.view.board)].has_value();
  }

  Status check(const BoardLinks& links) const {
    std::set<int> groups;
    for (const PosedView& view : views_)
      if (!is_hand_held(view)) groups.insert(links.camera_group[static_cast<size_t>(view.view.camera)]);
    if (groups.size() <= 1) return {};
    return fail(not_linked(input_, views_, links));
  }

  // Chooses the boards of the group that fixed cameras see most.
  void choose_boards(const BoardLinks& links) {
    std::map<int, int> seen;
    for (const PosedView& view : views_)
      if (!is_hand_held(view)) ++seen[links.board_group[static_cast<size_t>(view.view.board)]];
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
    const Board& board = input_.boards[static_cast<size_t>(view.view.board)];
    const BundleCamera& lens = input_.lenses[static_cast<size_t>(view.view.camera)];
    const BundleBoard pose{
        pose_values(camera_from_root * *joined_.root_from_board[static_cast<size_t>(view.view.board)])};
    double sum = 0;
    for (const BoardCorner& corner : view.view.corners) {
      const Eigen::Vector2d at = project_corner(lens, pose, board.x_m(corner.index), board.y_m(corner.index));
      const double distance = (at - Eigen::Vector2d(corner.x_px, corner.y_px)).norm();
      sum += std::isfinite(distance) ? std::min(distance, 1e4) : 1e4;
    }
    return sum;
  }

  // The root's pose, among those by one view, with the smallest error in all; without a camera's place it is
  // the pose before the hand-held one.
  Isometry3d place(const std::vector<const PosedView*>& views) const {
    const auto camera_from_group = [&](const PosedView& view) {
      const auto& placed = joined_.rig.camera_from_world[static_cast<size_t>(view.view.camera)];
      return is_hand_held(view) ? Isometry3d(Isometry3d::Identity()) : *placed;
    };
    Isometry3d best = Isometry3d::Identity();
    double best_error = INFINITY;
    for (const PosedView* view : views) {
      const Isometry3d camera_from_root =
          view->camera_from_board * joined_.root_from_board[static_cast<size_t>(view->view.board)]->inverse();
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
    const Isometry3d group_from_world =
        rig.world_from_board[static_cast<size_t>(world - rig.instants.begin())];
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
