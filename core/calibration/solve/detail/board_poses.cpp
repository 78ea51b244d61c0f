#include "core/calibration/solve/detail/board_poses.h"

#include <opencv2/calib3d.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "core/base/quantile.h"
#include "core/base/text.h"
#include "core/calibration/solve/detail/joined_boards.h"
#include "core/geometry/dense.h"
#include "core/geometry/lens_inverse.h"

namespace vantage {
namespace {

using Eigen::Isometry3d;

constexpr double kAgreement_rad = 0.26;  // 15 degrees: half turns differ by 180

// Input of solvePnP. It knows polynomial lenses itself; of others it gets the corners as seen by a camera
// without a lens that is turned towards the board, so that even one far off the axis is before it.
struct SeenBoard {
  std::vector<cv::Point3d> object;
  std::vector<cv::Point2d> picture;
  cv::Matx33d matrix = cv::Matx33d::eye();
  cv::Vec<double, 5> distortion;
  Eigen::Matrix3d turned_from_camera = Eigen::Matrix3d::Identity();

  SeenBoard(const Board& board, const BoardView& view, const BundleCamera& camera) {
    const auto& v = camera.lens;
    if (camera.fixed.lens != LensModel::polynomial) {
      turn_to(board, view, camera);
      return;
    }
    matrix = {v[kFx], 0, v[kCx], 0, v[kFy], v[kCy], 0, 0, 1};
    distortion = {v[kK1], v[kK2], v[kP1], v[kP2], v[kK3]};
    for (const BoardCorner& corner : view.corners) add(board, corner, {corner.x_px, corner.y_px});
  }

 private:
  void add(const Board& board, const BoardCorner& corner, const Eigen::Vector2d& at) {
    object.emplace_back(board.x_m(corner.index), board.y_m(corner.index), 0);
    picture.emplace_back(at.x(), at.y());
  }

  void turn_to(const Board& board, const BoardView& view, const BundleCamera& camera) {
    constexpr double kMaxRadius = 3.5;  // 74 degrees off: further corners would outweigh all others
    const Lens<double> lens = lens_with(camera.lens, camera.fixed);
    std::vector<std::pair<const BoardCorner*, Eigen::Vector3d>> rays;
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (const BoardCorner& corner : view.corners) {
      const auto at = straightened(lens, {(corner.x_px - camera.lens[kCx]) / camera.lens[kFx],
                                          (corner.y_px - camera.lens[kCy]) / camera.lens[kFy]});
      if (!at) continue;
      rays.emplace_back(&corner, Eigen::Vector3d(at->x(), at->y(), 1).normalized());
      sum += rays.back().second;
    }
    turned_from_camera = Eigen::Quaterniond::FromTwoVectors(sum, Eigen::Vector3d::UnitZ()).toRotationMatrix();
    for (const auto& [corner, ray] : rays) {
      const Eigen::Vector3d turned = turned_from_camera * ray;
      const Eigen::Vector2d at = turned.hnormalized();
      if (turned.z() > 0 && at.norm() <= kMaxRadius) add(board, *corner, at);
    }
  }
};

double angle_between(const Isometry3d& a, const Isometry3d& b) {
  return Eigen::AngleAxisd(a.linear().transpose() * b.linear()).angle();
}

// Half a turn about the middle of the board.
Isometry3d half_turn(const Board& board) {
  Isometry3d turn = Isometry3d::Identity();
  turn.linear() = Eigen::Vector3d(-1, -1, 1).asDiagonal();
  turn.translation() = Eigen::Vector3d(board.x_m(board.columns - 1), board.y_m(board.corner_count() - 1), 0);
  return turn;
}

void turn_order(const Board& board, BoardView* view) {
  for (BoardCorner& corner : view->corners) corner.index = board.half_turned(corner.index);
  std::reverse(view->corners.begin(), view->corners.end());
}

void turn(const Board& board, PosedView* view) {
  turn_order(board, &view->view);
  view->camera_from_board = view->camera_from_board * half_turn(board);
}

// A pose of camera b as seen from camera a, and its number of instants.
struct Pair {
  Isometry3d a_from_b;
  size_t support = 0, against = 0;
};

class RigBuilder {
 public:
  RigBuilder(const Board& board, std::vector<PosedView> views, const std::vector<std::string>& names,
             const std::vector<BundleCamera>& lenses, int64_t world_instant, const OrderHints& hints)
      : board_(board), names_(names), lenses_(lenses), world_instant_(world_instant), hints_(hints) {
    for (PosedView& view : views) views_[view.view.instant].emplace(view.view.camera, std::move(view));
  }

  Result<RigGuess> build() {
    const auto world = views_.find(world_instant_);
    if (world == views_.end())
      return fail(ErrorKind::invalid_argument, "no camera sees the board in the frame chosen as the world",
                  "frame " + std::to_string(world_instant_),
                  "Choose an examined frame (--every) in which the board is seen.");
    if (hints_.half_turned)
      for (auto& [camera, view] : world->second)
        if ((*hints_.half_turned)[camera]) turn(board_, &view);
    VANTAGE_TRY(place_cameras(world->second.begin()->first));
    return place_boards();
  }

 private:
  std::vector<Isometry3d> candidates(int64_t instant, const PosedView& a, const PosedView& b) const {
    std::vector<Isometry3d> found = {a.camera_from_board * b.camera_from_board.inverse()};
    const bool stated = hints_.half_turned && instant == world_instant_;
    if (board_.has_half_turn() && !stated)
      found.push_back(a.camera_from_board * half_turn(board_) * b.camera_from_board.inverse());
    return found;
  }

  std::optional<Isometry3d> hinted(int a, int b) const {
    const auto& first = hints_.camera_from_world[a];
    const auto& second = hints_.camera_from_world[b];
    if (!first || !second) return {};
    return *first * second->inverse();
  }

  // The candidate, of all instants', with the most agreement.
  std::optional<Pair> pair_of(int a, int b) const {
    std::vector<std::vector<Isometry3d>> all;
    for (const auto& [instant, views] : views_) {
      const auto first = views.find(a), second = views.find(b);
      if (first == views.end() || second == views.end()) continue;
      all.push_back(candidates(instant, first->second, second->second));
    }
    if (all.empty()) return {};
    const auto near = [](const Isometry3d& x, const Isometry3d& y) {
      return angle_between(x, y) < kAgreement_rad;
    };
    const auto supporters = [&](const Isometry3d& pose) {
      return static_cast<size_t>(std::count_if(all.begin(), all.end(), [&](const auto& poses) {
        return std::any_of(poses.begin(), poses.end(), [&](const Isometry3d& p) { return near(p, pose); });
      }));
    };
    const auto hint = hinted(a, b);
    Pair best;
    for (const auto& poses : all)
      for (const Isometry3d& pose : poses) {
        // Half turns differ by 180 degrees: of the two the hint takes the nearer.
        if (hint && angle_between(pose, *hint) > 1.0) continue;
        const size_t support = supporters(pose);
        if (support > best.support) best = {pose, support, 0};
      }
    if (best.support == 0) return {};
    if (!hint)
      for (const auto& poses : all)
        for (const Isometry3d& pose : poses)
          if (!near(pose, best.a_from_b)) best.against = std::max(best.against, supporters(pose));
    return best;
  }

  Status place_cameras(int root) {
    std::set<int> cameras;
    for (const auto& [instant, views] : views_)
      for (const auto& [camera, view] : views) cameras.insert(camera);
    placed_ = {{root, Isometry3d::Identity()}};
    while (placed_.size() < cameras.size()) {
      std::optional<Pair> best;
      int next = -1, from = -1;
      for (const auto& [known, pose] : placed_)
        for (const int camera : cameras) {
          if (placed_.count(camera)) continue;
          const auto pair = pair_of(camera, known);
          if (!pair || pair->support <= pair->against || (best && pair->support <= best->support)) continue;
          best = pair, next = camera, from = known;
        }
      if (!best) return not_connected(cameras);
      placed_[next] = best->a_from_b * placed_[from];
    }
    return {};
  }

  Status not_connected(const std::set<int>& cameras) const {
    std::string missing;
    bool seen = false;
    for (const int camera : cameras) {
      if (placed_.count(camera)) continue;
      append_item(&missing, names_[camera]);
      for (const auto& [known, pose] : placed_) seen = seen || pair_of(camera, known).has_value();
    }
    if (seen && board_.has_half_turn())
      return fail(ErrorKind::bad_data,
                  "the board looks the same after half a turn, and these pictures do not determine which way "
                  "round it is seen",
                  missing,
                  "Give a calibration with rough poses (--lens), name the cameras that see the board rotated "
                  "by 180 degrees relative to the others (--half-turn; none: no camera), also record the "
                  "board tilted and carried about, or print one with an even and an odd number of corners.");
    return fail(ErrorKind::bad_data,
                "this camera never sees the board at the same time as a camera whose pose is known", missing,
                "Record the board where both see it at the same time, or check that the videos are in step.");
  }

  double error_of(const PosedView& view, const Isometry3d& root_from_board) const {
    BundleCamera camera = lenses_[view.view.camera];
    camera.cam_from_world = pose_values(placed_.at(view.view.camera));
    const BundleBoard board{.world_from_board = pose_values(root_from_board)};
    double sum = 0;
    for (const BoardCorner& corner : view.view.corners) {
      const Eigen::Vector2d p =
          project_corner(camera, board, board_.x_m(corner.index), board_.y_m(corner.index));
      const double distance = (p - Eigen::Vector2d(corner.x_px, corner.y_px)).norm();
      sum += std::isfinite(distance) ? std::min(distance, 1e4) : 1e4;
    }
    return sum;
  }

  double turned_error_of(const PosedView& view, const Isometry3d& root_from_board, bool* turned) const {
    const double straight = error_of(view, root_from_board);
    *turned = false;
    const bool stated = hints_.half_turned && view.view.instant == world_instant_;
    if (!board_.has_half_turn() || stated) return straight;
    const double half = error_of(view, root_from_board * half_turn(board_));
    *turned = half < straight;
    return std::min(half, straight);
  }

  // The board's pose with the smallest error in all its views; views that see it the other way round are
  // turned.
  Isometry3d place_board(std::map<int, PosedView>* views) const {
    Isometry3d best = Isometry3d::Identity();
    double best_error = INFINITY;
    for (const auto& [camera, view] : *views) {
      const Isometry3d pose = placed_.at(camera).inverse() * view.camera_from_board;
      double error = 0;
      bool turned = false;
      for (const auto& [other, seen] : *views) error += turned_error_of(seen, pose, &turned);
      if (error < best_error) best = pose, best_error = error;
    }
    for (auto& [camera, view] : *views) {
      bool turned = false;
      turned_error_of(view, best, &turned);
      if (turned) turn(board_, &view);
    }
    return best;
  }

  // True if half a turn brings the world nearer to the known one.
  bool world_is_turned(const Isometry3d& root_from_world) const {
    if (!board_.has_half_turn() || hints_.half_turned) return false;
    for (const auto& [camera, pose] : placed_) {
      const auto& hint = hints_.camera_from_world[camera];
      if (hint)
        return angle_between(pose * root_from_world, *hint) >
               angle_between(pose * root_from_world * half_turn(board_), *hint);
    }
    return false;
  }

  RigGuess place_boards() {
    std::map<int64_t, Isometry3d> boards;
    for (auto& [instant, views] : views_) boards[instant] = place_board(&views);
    Isometry3d root_from_world = boards[world_instant_];
    if (world_is_turned(root_from_world)) {
      for (auto& [camera, view] : views_[world_instant_]) turn(board_, &view);
      boards[world_instant_] = root_from_world = root_from_world * half_turn(board_);
    }
    RigGuess rig;
    rig.camera_from_world.resize(names_.size());
    for (const auto& [camera, pose] : placed_) rig.camera_from_world[camera] = pose * root_from_world;
    for (const auto& [instant, pose] : boards) {
      rig.instants.push_back(instant);
      rig.world_from_board.push_back(root_from_world.inverse() * pose);
      for (const auto& [camera, view] : views_[instant]) rig.views.push_back(view.view);
    }
    return rig;
  }

  const Board& board_;
  const std::vector<std::string>& names_;
  const std::vector<BundleCamera>& lenses_;
  int64_t world_instant_;
  const OrderHints& hints_;
  std::map<int64_t, std::map<int, PosedView>> views_;
  std::map<int, Isometry3d> placed_;  // camera from the first camera
};

}  // namespace

PoseValues pose_values(const Isometry3d& pose) {
  const Eigen::AngleAxisd rotation(pose.linear());
  const Eigen::Vector3d vector = rotation.angle() * rotation.axis();
  return {vector.x(),
          vector.y(),
          vector.z(),
          pose.translation().x(),
          pose.translation().y(),
          pose.translation().z()};
}

Isometry3d pose_of(const PoseValues& values) {
  const Eigen::Vector3d vector(values[0], values[1], values[2]);
  Isometry3d pose = Isometry3d::Identity();
  if (vector.norm() > 0)
    pose.linear() = Eigen::AngleAxisd(vector.norm(), vector.normalized()).toRotationMatrix();
  pose.translation() = Eigen::Vector3d(values[3], values[4], values[5]);
  return pose;
}

std::optional<LensValues> guess_lens(const std::vector<Board>& boards, const std::vector<BoardView>& views,
                                     int width_px, int height_px) {
  std::vector<std::vector<cv::Point3f>> objects;
  std::vector<std::vector<cv::Point2f>> pictures;
  for (const BoardView& view : views) {
    const Board& board = boards[view.board];
    objects.emplace_back(), pictures.emplace_back();
    for (const BoardCorner& corner : view.corners) {
      objects.back().emplace_back(static_cast<float>(board.x_m(corner.index)),
                                  static_cast<float>(board.y_m(corner.index)), 0.f);
      pictures.back().emplace_back(static_cast<float>(corner.x_px), static_cast<float>(corner.y_px));
    }
  }
  if (objects.empty()) return {};
  const cv::Matx33d matrix(cv::initCameraMatrix2D(objects, pictures, {width_px, height_px}, 1));
  const double focal_px = matrix(0, 0);
  if (!std::isfinite(focal_px) || focal_px < 0.1 * width_px || focal_px > 100.0 * width_px) return {};
  return LensValues{focal_px, focal_px, (width_px - 1) / 2.0, (height_px - 1) / 2.0};
}

std::optional<Isometry3d> guess_pose(const Board& board, const BoardView& view, const BundleCamera& lens) {
  const SeenBoard seen(board, view, lens);
  cv::Mat rotation_vector, translation;
  if (seen.object.size() < 6) return {};
  try {
    if (!cv::solvePnP(seen.object, seen.picture, seen.matrix, seen.distortion, rotation_vector, translation,
                      false, cv::SOLVEPNP_IPPE))
      return {};
    cv::solvePnP(seen.object, seen.picture, seen.matrix, seen.distortion, rotation_vector, translation, true,
                 cv::SOLVEPNP_ITERATIVE);
  } catch (const cv::Exception&) {
    return {};  // corners on one line, and the like
  }
  const cv::Vec3d r(rotation_vector), t(translation);
  for (int i = 0; i < 3; ++i)
    if (!std::isfinite(r[i]) || !std::isfinite(t[i])) return {};
  if (!(t[2] > 0)) return {};
  return seen.turned_from_camera.transpose() * pose_of({r[0], r[1], r[2], t[0], t[1], t[2]});
}

std::optional<int64_t> instant_most_see(const std::vector<PosedView>& views,
                                        const std::function<bool(const PosedView&)>& counts) {
  std::map<int64_t, std::set<int>> seen;
  for (const PosedView& view : views)
    if (counts(view)) seen[view.view.instant].insert(view.view.camera);
  const auto most = std::max_element(seen.begin(), seen.end(), [](const auto& a, const auto& b) {
    return a.second.size() < b.second.size();
  });
  return most == seen.end() ? std::nullopt : std::optional(most->first);
}

Result<RigGuess> guess_rig(const Board& board, std::vector<PosedView> views,
                           const std::vector<std::string>& camera_names,
                           const std::vector<BundleCamera>& lenses, int64_t world_instant,
                           const OrderHints& hints) {
  return RigBuilder(board, std::move(views), camera_names, lenses, world_instant, hints).build();
}

namespace {

using Pairs = std::span<const std::pair<Eigen::Isometry3d, Eigen::Isometry3d>>;

constexpr size_t kMinPairs = 3;
// Lower bound for the equations, by pair: turns of about 5 degrees about two axes.
constexpr double kMinTurns = 2e-3;

Eigen::Matrix3d nearest_rotation(const Eigen::Matrix3d& matrix) {
  const SingularParts3 parts = singular_parts(matrix);
  const Eigen::Matrix3d turn = parts.u * parts.v.transpose();
  return turn.determinant() < 0 ? Eigen::Matrix3d(-turn) : turn;
}

// z' b = a x for the rotations, linear in all 18 numbers of z' and x. True if they determine these.
bool solve_turns(Pairs pairs, HandEye* found) {
  Eigen::MatrixXd normal = Eigen::MatrixXd::Zero(18, 18);
  for (const auto& [a, b] : pairs) {
    Eigen::MatrixXd equations = Eigen::MatrixXd::Zero(9, 18);
    for (Eigen::Index column = 0; column < 3; ++column)
      for (Eigen::Index k = 0; k < 3; ++k)
        equations.block<3, 3>(3 * column, 3 * k).diagonal().setConstant(b.linear()(k, column));
    for (Eigen::Index column = 0; column < 3; ++column)
      equations.block<3, 3>(3 * column, 9 + 3 * column) = -a.linear();
    normal += equations.transpose() * equations / static_cast<double>(pairs.size());
  }
  const auto [values, vectors] = symmetric_parts(normal);
  const Eigen::VectorXd both = vectors.col(0);
  Eigen::Matrix3d z_back = Eigen::Map<const Eigen::Matrix3d>(both.data());
  Eigen::Matrix3d x = Eigen::Map<const Eigen::Matrix3d>(both.data() + 9);
  if (z_back.determinant() < 0) z_back = -z_back, x = -x;
  found->z.linear() = nearest_rotation(z_back).transpose(), found->x.linear() = nearest_rotation(x);
  return values[1] > std::max(kMinTurns, 10 * values[0]);
}

// t_b = R_z (R_a t_x + t_a) + t_z.
void solve_shifts(Pairs pairs, HandEye* found) {
  Eigen::Matrix<double, 6, 6> normal = Eigen::Matrix<double, 6, 6>::Zero();
  Eigen::Matrix<double, 6, 1> right = Eigen::Matrix<double, 6, 1>::Zero();
  for (const auto& [a, b] : pairs) {
    Eigen::Matrix<double, 3, 6> equations;
    equations << found->z.linear() * a.linear(), Eigen::Matrix3d::Identity();
    normal += equations.transpose() * equations;
    right += equations.transpose() * (b.translation() - found->z.linear() * a.translation());
  }
  const Eigen::VectorXd shifts = solve_symmetric(normal, right);
  found->x.translation() = shifts.head<3>(), found->z.translation() = shifts.tail<3>();
}

double missed_rad(const std::pair<Eigen::Isometry3d, Eigen::Isometry3d>& pair, const HandEye& found) {
  const Eigen::Matrix3d turn = found.z.linear() * pair.first.linear() * found.x.linear();
  return Eigen::AngleAxisd(turn.transpose() * pair.second.linear()).angle();
}

}  // namespace

std::optional<HandEye> solve_hand_eye(Pairs pairs) {
  constexpr int kPasses = 4;
  constexpr double kNear_rad = 0.02, kOutlier = 3;
  std::vector<std::pair<Eigen::Isometry3d, Eigen::Isometry3d>> kept(pairs.begin(), pairs.end());
  HandEye found{Eigen::Isometry3d::Identity(), Eigen::Isometry3d::Identity()};
  for (int pass = 0; pass < kPasses; ++pass) {
    if (kept.size() < kMinPairs) return {};
    solve_turns(kept, &found);  // wrong pairs may still hide what the others determine
    std::vector<double> missed;
    for (const auto& pair : pairs) missed.push_back(missed_rad(pair, found));
    const double limit = std::max(kNear_rad, kOutlier * upper_median(missed));
    std::vector<std::pair<Eigen::Isometry3d, Eigen::Isometry3d>> near;
    for (size_t i = 0; i < pairs.size(); ++i)
      if (missed[i] <= limit) near.push_back(pairs[i]);
    if (near.size() == kept.size()) break;
    kept = std::move(near);
  }
  if (kept.size() < kMinPairs || !solve_turns(kept, &found)) return {};
  solve_shifts(kept, &found);
  return found;
}

std::optional<Eigen::Isometry3d> pose_of_points(std::span<const Eigen::Vector3d> points_in_world_m,
                                                std::span<const Eigen::Vector2d> seen) {
  if (seen.size() < 4) return {};
  std::vector<cv::Point3d> points;
  std::vector<cv::Point2d> pixels;
  for (size_t i = 0; i < seen.size(); ++i) {
    const Eigen::Vector3d& p = points_in_world_m[i];
    points.emplace_back(p.x(), p.y(), p.z()), pixels.emplace_back(seen[i].x(), seen[i].y());
  }
  cv::Vec3d turn, shift;
  try {
    if (!cv::solvePnP(points, pixels, cv::Matx33d::eye(), cv::noArray(), turn, shift, false,
                      cv::SOLVEPNP_SQPNP))
      return {};
  } catch (const cv::Exception&) {
    return {};  // points on one line, and the like
  }
  const Eigen::Vector3d axis(turn[0], turn[1], turn[2]);
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  if (axis.norm() > 0) pose.linear() = Eigen::AngleAxisd(axis.norm(), axis.normalized()).toRotationMatrix();
  pose.translation() = Eigen::Vector3d(shift[0], shift[1], shift[2]);
  if (!pose.matrix().allFinite()) return {};
  return pose;
}

}  // namespace vantage
