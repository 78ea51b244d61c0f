#include "core/calibration/solve/board_solve.h"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/base/text.h"
#include "core/calibration/solve/detail/board_poses.h"
#include "core/calibration/solve/detail/joined_boards.h"
#include "core/calibration/solve/detail/lens_solve.h"

namespace vantage {
namespace {

using Eigen::Isometry3d;

Result<Camera> camera_of(const BoardCamera& like, const BundleCamera& solved,
                         const Isometry3d& camera_from_world) {
  PinholeCamera<double> m;
  const LensValues& lens = solved.lens;
  static_cast<Lens<double>&>(m) = lens_with(lens, solved.fixed);
  m.width_px = like.width_px, m.height_px = like.height_px;
  m.fx_px = lens[kFx], m.fy_px = lens[kFy], m.cx_px = lens[kCx], m.cy_px = lens[kCy];
  const Eigen::Matrix3d rotation = camera_from_world.linear();
  for (int i = 0; i < 9; ++i) m.rotation_cam_from_world[i] = rotation(i / 3, i % 3);
  for (int i = 0; i < 3; ++i) m.translation_cam_from_world_m[i] = camera_from_world.translation()[i];
  return Camera::make(like.name, m);
}

double angle_to_sight(const Board& board, const BoardView& view, const BundleCamera& lens) {
  const auto pose = guess_pose(board, view, lens);
  if (!pose) return 0;
  const Eigen::Vector3d normal = pose->linear().col(2);
  return std::acos(std::clamp(std::abs(normal.dot(pose->translation().normalized())), 0.0, 1.0));
}

class Solver {
 public:
  Solver(const BoardsInput& input, const BoardsOptions& options) : input_(input), options_(options) {}

  Result<BoardsSolution> solve() {
    VANTAGE_TRY(check());
    VANTAGE_TRY(solve_lenses());
    if (!input_.views.empty()) VANTAGE_TRY(place());
    fill_bundle();
    auto report = adjust(&bundle_, options_.stop);
    if (!report) return fail(std::move(report).error());
    if (!report->undetermined.empty())
      return fail(ErrorKind::bad_data, "the pictures do not determine: " + report->undetermined,
                  "calibration", "Record the board in more poses that several cameras see.");
    VANTAGE_TRY(fill_solution(*report));
    if (options_.cross_validate) {
      solution_.cross_validation = vantage::cross_validate(bundle_, options_.stop);
      if (solution_.cross_validation && solution_.cross_validation->doubtful())
        enlarge(solution_.cross_validation->ratio);
    }
    return std::move(solution_);
  }

 private:
  std::vector<BoardView> views_of(int camera) const {
    std::vector<BoardView> views;
    for (const auto* list : {&input_.lens_views, &input_.views})
      for (const BoardView& view : *list)
        if (view.camera == camera) views.push_back(view);
    return views;
  }

  Status check() const {
    VANTAGE_TRY(check_boards(input_.boards));
    const Board& first = input_.boards[0];
    if (!input_.views.empty() && !first.names_corners() && first.columns == first.rows)
      return fail(
          ErrorKind::unsupported, "a board with as many columns as rows looks the same after a quarter turn",
          "board",
          "Take a board with different numbers of corners for the poses; for lenses alone it will do.");
    if (input_.boards.size() > 1)
      for (const BoardCamera& camera : input_.cameras)
        if (camera.timing_free[kDelay] || camera.timing_free[kReadout])
          return fail(ErrorKind::unsupported, "offsets of clips are solved with one board, not with several",
                      camera.name, "Solve them with one of the boards first.");
    for (size_t c = 0; c < input_.cameras.size(); ++c) {
      const BoardCamera& camera = input_.cameras[c];
      const auto views = views_of(static_cast<int>(c));
      if (camera.hand_held && input_.boards.size() == 1)
        return fail(ErrorKind::invalid_argument, "a hand-held camera links boards, but there is only one",
                    camera.name, "Give two boards or more.");
      if (views.empty())
        return fail(ErrorKind::bad_data, "the board was found in none of this camera's pictures", camera.name,
                    board_advice(first));
      if (camera.given &&
          (camera.given->width_px() != camera.width_px || camera.given->height_px() != camera.height_px))
        return fail(
            ErrorKind::invalid_argument,
            fmt::format("the lens given is for pictures of {}x{}, these have {}x{}", camera.given->width_px(),
                        camera.given->height_px(), camera.width_px, camera.height_px),
            camera.name, "Give the lens of these pictures.");
    }
    return {};
  }

  Status solve_lenses() {
    for (size_t c = 0; c < input_.cameras.size(); ++c) {
      VANTAGE_ASSIGN(SolvedLens lens, solve_lens(input_.boards, input_.cameras[c],
                                                 views_of(static_cast<int>(c)), options_.k3, options_.stop));
      lenses_.push_back(std::move(lens));
    }
    return {};
  }

  Status place() {
    std::vector<PosedView> views;
    std::vector<BundleCamera> lenses;
    std::vector<std::string> names;
    OrderHints hints;
    hints.half_turned = options_.half_turned;
    for (size_t c = 0; c < lenses_.size(); ++c) {
      const BoardCamera& camera = input_.cameras[c];
      lenses.push_back(lenses_[c].lens), names.push_back(camera.name);
      const bool known = camera.given && camera.given_pose;
      hints.camera_from_world.push_back(known ? std::optional(camera.given->cam_from_world()) : std::nullopt);
    }
    for (const BoardView& view : input_.views)
      if (const auto pose = guess_pose(board_of(view), view, lenses[view.camera]))
        views.push_back({view, *pose});
    solution_.posed = true;
    if (input_.boards.size() > 1) return join(std::move(views), names, lenses);
    const auto most = instant_most_see(views, [](const PosedView&) { return true; });
    solution_.world_instant = options_.world_instant.value_or(most.value_or(0));
    VANTAGE_ASSIGN(
        rig_, guess_rig(input_.boards[0], std::move(views), names, lenses, solution_.world_instant, hints));
    return {};
  }

  Status join(std::vector<PosedView> views, const std::vector<std::string>& names,
              const std::vector<BundleCamera>& lenses) {
    std::vector<bool> hand_held;
    for (const BoardCamera& camera : input_.cameras) hand_held.push_back(camera.hand_held);
    VANTAGE_ASSIGN(joined_, join_boards({input_.boards, names, lenses, hand_held, options_.world_instant},
                                        std::move(views)));
    rig_ = joined_.rig;
    solution_.world_board = joined_.root, solution_.world_instant = joined_.world_instant;
    for (size_t b = 0; b < input_.boards.size(); ++b) {
      const auto& pose = joined_.root_from_board[b];
      bundle_.joined.push_back(
          {pose_values(pose.value_or(Isometry3d::Identity())), pose && b != joined_.root});
    }
    return {};
  }

  const Board& board_of(const BoardView& view) const { return input_.boards[view.board]; }

  // A view for a lens has a pose of its own; others may be of a board that is joined to the one posed.
  void add_view(const BoardView& view, int pose, bool lens_view, bool unlinked = false) {
    const Board& board = board_of(view);
    const bool is_joined = !lens_view && static_cast<size_t>(view.board) != solution_.world_board;
    for (const BoardCorner& corner : view.corners) {
      bundle_.corners.push_back({.camera = view.camera,
                                 .board = pose,
                                 .x_m = board.x_m(corner.index),
                                 .y_m = board.y_m(corner.index),
                                 .x_px = corner.x_px,
                                 .y_px = corner.y_px,
                                 .velocity_px = {corner.velocity_px[0], corner.velocity_px[1]},
                                 .joined = is_joined ? view.board : -1});
      solution_.residuals.push_back({.camera = view.camera,
                                     .instant = view.instant,
                                     .lens_view = lens_view,
                                     .index = corner.index,
                                     .seen_x_px = corner.x_px,
                                     .seen_y_px = corner.y_px,
                                     .board = view.board,
                                     .unlinked = unlinked});
    }
  }

  void fill_bundle() {
    for (size_t c = 0; c < lenses_.size(); ++c) {
      const bool placed = solution_.posed && rig_.camera_from_world[c];
      BundleCamera camera = lenses_[c].lens;
      camera.pose_free = placed;
      if (placed) camera.cam_from_world = pose_values(*rig_.camera_from_world[c]);
      if (placed) camera.timing_free = input_.cameras[c].timing_free;
      camera.height_px = input_.cameras[c].height_px;
      bundle_.cameras.push_back(camera);
    }
    for (size_t i = 0; i < rig_.instants.size(); ++i) {
      const bool world = rig_.instants[i] == solution_.world_instant;
      bundle_.boards.push_back({pose_values(rig_.world_from_board[i]), !world});
      if (world) bundle_.boards.back().world_from_board = {};
    }
    for (const BoardView& view : rig_.views) {
      const auto at = std::lower_bound(rig_.instants.begin(), rig_.instants.end(), view.instant);
      add_view(view, static_cast<int>(at - rig_.instants.begin()), false);
    }
    for (const LinkingPicture& picture : joined_.pictures) {
      bundle_.boards.push_back({pose_values(picture.camera_from_board), true});
      for (const BoardView& view : picture.views)
        add_view(view, static_cast<int>(bundle_.boards.size()) - 1, false);
    }
    for (const BoardView& view : input_.lens_views) add_lens_view(view, false);
    for (const BoardView& view : joined_.without_link) add_lens_view(view, true);
    solution_.instants = rig_.instants;
  }

  void add_lens_view(const BoardView& view, bool unlinked) {
    const auto camera = static_cast<size_t>(view.camera);
    // A fixed lens is judged by the views for the pose, where there are some.
    const bool judged = bundle_.cameras[camera].pose_free || input_.cameras[camera].hand_held;
    if (lenses_[camera].lens.lens_free == LensFree{} && judged) return;
    const auto pose = guess_pose(board_of(view), view, lenses_[camera].lens);
    if (!pose) return;
    const Isometry3d world_from_camera = pose_of(bundle_.cameras[camera].cam_from_world).inverse();
    bundle_.boards.push_back({pose_values(world_from_camera * *pose), true});
    add_view(view, static_cast<int>(bundle_.boards.size()) - 1, true, unlinked);
  }

  void fill_errors(size_t c, CameraSolution* camera) const {
    std::vector<double> distances;
    double sum2 = 0, pose_sum2 = 0;
    std::map<std::pair<bool, int64_t>, int> pictures;  // of its lens alone, or of `views`
    for (size_t i = 0; i < bundle_.corners.size(); ++i) {
      const CornerResidual& residual = solution_.residuals[i];
      if (residual.camera != static_cast<int>(c)) continue;
      const double distance = std::hypot(residual.x_px, residual.y_px);
      distances.push_back(distance), sum2 += distance * distance;
      if (!residual.lens_view) pose_sum2 += distance * distance, ++camera->pose_corners;
      ++pictures[{residual.lens_view && !residual.unlinked, residual.instant}];
      const BundleCorner& corner = bundle_.corners[i];
      ++camera->coverage[coverage_part(corner.x_px, corner.y_px, camera->camera.width_px(),
                                       camera->camera.height_px())];
    }
    camera->pictures = static_cast<int>(pictures.size()),
    camera->corners = static_cast<int>(distances.size());
    if (distances.empty()) return;
    camera->rms_px = std::sqrt(sum2 / static_cast<double>(distances.size()));
    camera->pose_rms_px = camera->pose_corners > 0 ? std::sqrt(pose_sum2 / camera->pose_corners) : 0;
    std::sort(distances.begin(), distances.end());
    camera->median_px = distances[distances.size() / 2], camera->max_px = distances.back();
  }

  void fill_deviations(const CameraCovariance& covariance, CameraSolution* camera) const {
    const CameraValues std = covariance.diagonal().cwiseMax(0).cwiseSqrt();
    camera->rotation_std_rad = std.head<3>(), camera->center_std_m = std.segment<3>(3);
    for (size_t i = 0; i < kLensValues; ++i) camera->lens_std[i] = std[6 + static_cast<Eigen::Index>(i)];
  }

  // The covariance of the cameras that have a pose.
  void fill_together(const Eigen::MatrixXd& covariance) {
    std::vector<Eigen::Index> kept;
    for (size_t c = 0; c < solution_.cameras.size(); ++c) {
      if (!solution_.cameras[c].posed) continue;
      solution_.together.cameras.push_back(solution_.cameras[c].camera);
      for (Eigen::Index i = 0; i < kCameraValues; ++i)
        kept.push_back(static_cast<Eigen::Index>(c) * kCameraValues + i);
    }
    solution_.together.covariance = covariance(kept, kept);
  }

  void fill_advice(size_t c, CameraSolution* camera) const {
    if (!lenses_[c].held.empty()) camera->held.push_back(lenses_[c].held);
    const bool wanted = input_.cameras[c].solve_lens || !input_.cameras[c].given;
    if (!wanted) return;
    int slanted = 0;
    for (const BoardView& view : views_of(static_cast<int>(c)))
      slanted += angle_to_sight(board_of(view), view, lenses_[c].lens) > kSlantedBoard_rad;
    if (slanted < kMinSlantedBoards)
      camera->advice.push_back(fmt::format(
          "{} pictures show the board slanted by more than 15 degrees; record at least {}, to all "
          "sides",
          slanted, kMinSlantedBoards));
    std::string empty;
    for (const std::string_view place : uncovered_places(camera->coverage)) append_item(&empty, place);
    if (!empty.empty()) camera->advice.push_back("no corner was seen here; bring the board there: " + empty);
  }

  Status fill_solution(const BundleReport& report) {
    for (size_t i = 0; i < report.residuals_px.size(); ++i)
      solution_.residuals[i].x_px = report.residuals_px[i].x(),
      solution_.residuals[i].y_px = report.residuals_px[i].y();
    Isometry3d floor_shift = Isometry3d::Identity();  // board's world from the floor's
    floor_shift.translation().z() = -options_.board_above_floor_m;
    const SolvedTogether all{{}, covariance_of_cameras(bundle_, report)};
    for (size_t c = 0; c < input_.cameras.size(); ++c) {
      CameraSolution camera;
      camera.posed = bundle_.cameras[c].pose_free;
      camera.lens_free = lenses_[c].lens.lens_free;
      const Isometry3d pose = pose_of(bundle_.cameras[c].cam_from_world);
      VANTAGE_ASSIGN(camera.camera, camera_of(input_.cameras[c], bundle_.cameras[c],
                                              camera.posed ? pose * floor_shift : pose));
      fill_errors(c, &camera);
      fill_deviations(all.of(c), &camera);
      camera.timing = bundle_.cameras[c].timing;
      for (size_t i = 0; i < kTimingValues; ++i)
        if (const int at = report.timing_index[c][i]; at >= 0)
          camera.timing_std[i] =
              std::max(std::sqrt(std::max(0.0, report.covariance(at, at))), report.timing_scatter[c][i]);
      fill_advice(c, &camera);
      solution_.cameras.push_back(std::move(camera));
    }
    fill_together(all.covariance);
    solution_.boards = board_places(joined_, bundle_, report);
    return {};
  }

  void enlarge(double ratio) {
    solution_.together.covariance *= ratio * ratio;
    for (CameraSolution& camera : solution_.cameras) {
      camera.center_std_m *= ratio, camera.rotation_std_rad *= ratio;
      for (double& std : camera.lens_std) std *= ratio;
    }
    for (BoardPlace& place : solution_.boards) place.shift_std_m *= ratio, place.rotation_std_rad *= ratio;
  }

  const BoardsInput& input_;
  const BoardsOptions& options_;
  std::vector<SolvedLens> lenses_;
  RigGuess rig_;
  JoinedBoards joined_;  // of several boards
  Bundle bundle_;
  BoardsSolution solution_;
};

}  // namespace

double BoardsSolution::rms_px() const {
  double sum2 = 0;
  for (const CornerResidual& one : residuals) sum2 += one.x_px * one.x_px + one.y_px * one.y_px;
  return residuals.empty() ? 0 : std::sqrt(sum2 / static_cast<double>(residuals.size()));
}

// With R the rotation, c the centre of a camera, w its small turn about its own axes, d its shift:
// the turn from camera a to b changes by w_b - R_b R_a^T w_a, the place R_a (c_b - c_a) by
// w_a x R_a (c_b - c_a) + R_a (d_b - d_a).
std::optional<RelativeDeviation> BoardsSolution::relative_deviation(size_t camera) const {
  const auto first = std::ranges::find(cameras, true, &CameraSolution::posed);
  const auto from = static_cast<size_t>(first - cameras.begin());
  if (camera <= from || camera >= cameras.size() || !cameras[camera].posed) return std::nullopt;
  const Eigen::Index b =
      kCameraValues * std::ranges::count(cameras.begin(),
                                         cameras.begin() + static_cast<std::ptrdiff_t>(camera), true,
                                         &CameraSolution::posed);
  if (b + kCameraValues > together.covariance.rows()) return std::nullopt;
  const Isometry3d pose_a = first->camera.cam_from_world(), pose_b = cameras[camera].camera.cam_from_world();
  const Eigen::Vector3d at = pose_a * cameras[camera].camera.center_in_world_m();
  Eigen::Matrix3d cross;
  cross << 0, -at.z(), at.y(), at.z(), 0, -at.x(), -at.y(), at.x(), 0;
  Eigen::Matrix<double, 6, 12> slope = Eigen::Matrix<double, 6, 12>::Zero();  // by w_a, d_a, w_b, d_b
  slope.block<3, 3>(0, 0) = -pose_b.linear() * pose_a.linear().transpose();
  slope.block<3, 3>(0, 6).setIdentity();
  slope.block<3, 3>(3, 0) = -cross;
  slope.block<3, 3>(3, 3) = -pose_a.linear();
  slope.block<3, 3>(3, 9) = pose_a.linear();
  Eigen::Matrix<double, 12, 12> both;
  for (const auto& [row, i] : {std::pair(0, Eigen::Index{0}), std::pair(6, b)})
    for (const auto& [column, j] : {std::pair(0, Eigen::Index{0}), std::pair(6, b)})
      both.block<6, 6>(row, column) = together.covariance.block<6, 6>(i, j);
  const Eigen::Vector<double, 6> variances = (slope * both * slope.transpose()).diagonal().cwiseMax(0);
  return RelativeDeviation{from, std::sqrt(variances.head<3>().sum()), std::sqrt(variances.tail<3>().sum())};
}

Result<BoardsSolution> solve_boards(const BoardsInput& input, const BoardsOptions& options) {
  auto solution = Solver(input, options).solve();
  if (options.stop.stop_requested()) return fail(ErrorKind::cancelled, "stopped", "calibration");
  return solution;
}

}  // namespace vantage
