#include "ui/main_window/calibrate/calibrate_proposals.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "core/calibration/solve/measure.h"
#include "core/calibration/solve/solution_report.h"
#include "core/calibration/solve/world_from_points.h"
#include "core/project/camera_in_time.h"
#include "core/project/change_world.h"
#include "core/run/calibrations_by_people.h"
#include "ui/widgets/numbers.h"

namespace vantage::ui {
namespace {

QString proposal_tr(const char* text) {
  return QCoreApplication::translate("CalibrationProposal", text);
}

const QString kNone = QStringLiteral("\u2013");

QString words(const std::string& text) {
  return QString::fromStdString(text);
}

QString in_line(const Report& report, const char* between = " ") {
  return words(report.sentences()).replace('\n', QLatin1String(between));
}

QString two_lines(const std::string& text) {
  return words(text).replace(QStringLiteral(" \u00b1"), QStringLiteral("\n\u00b1"));
}

// Said where the world becomes another one.
QString drawn_text(const Project& project) {
  const size_t drawn = project.zones.size() + project.lines.size() + project.repairs.size() +
                       project.truth.size() + project.boxes.size();
  if (!project.calibrated() || drawn == 0) return {};
  return proposal_tr(
             "\nWhat was drawn (%1 zones, lines, repairs, true people, boxes) keeps its "
             "coordinates, which are other positions then.")
      .arg(drawn);
}

// The proposal's row for a camera's report.
CalibrateProposalRow row_of(const Report& camera, const QString& floor) {
  return {words(camera.text("name")),
          two_lines(camera.text("turned_deg")),
          two_lines(camera.text("moved_m")),
          floor,
          words(camera.text("before_px") + "\n\u2192 " + camera.text("after_px")),
          words(camera.sentences())};
}

QString floor_text(const Camera& before, const Camera& after, const std::optional<VoxelGrid>& grid) {
  if (!grid) return kNone;
  const auto compared = compare_cameras(before, after, &*grid);
  return compared && !compared->floor.empty()
             ? QString::fromStdString(unit_text(compared->max_m, {"cm", 1, 100}))
             : kNone;
}

// The grid of a project with some cameras calibrated: none where they have no common view.
std::optional<VoxelGrid> grid_of(const Project& project) {
  if (project.grid) return project.grid;
  const auto fitted = project.calibrated() ? project.effective_grid() : Result<VoxelGrid>(VoxelGrid{});
  return fitted && fitted->nx > 0 ? std::optional(*fitted) : std::nullopt;
}

// Cameras by the project's names, as they stand at that frame set.
std::function<void(Project&)> taking(std::vector<Camera> cameras, int64_t frame = 0) {
  return [cameras = std::move(cameras), frame](Project& project) {
    for (ProjectCamera& camera : project.cameras)
      for (const Camera& solved : cameras)
        if (solved.name() == camera.name) replace_calibration_at(&camera, frame, solved);
  };
}

// Points by name; one that is not placed is an error.
class PlacedPoints {
 public:
  static Result<PlacedPoints> of(const Project& project) {
    PlacedPoints placed;
    VANTAGE_ASSIGN(placed.solution_, triangulate_points(project.named_calibrations(), project.points));
    return placed;
  }
  Result<Eigen::Vector3d> at(const std::string& name) const {
    for (const SolvedPoint& point : solution_.points)
      if (point.name == name && point.at_m) return *point.at_m;
    return fail(ErrorKind::bad_data, "its position is unknown: fewer than two cameras show it", name,
                "Click it in another camera, too.");
  }
  Result<std::vector<Eigen::Vector3d>> all(const std::vector<std::string>& names) const {
    std::vector<Eigen::Vector3d> places;
    for (const std::string& name : names) {
      VANTAGE_ASSIGN(const Eigen::Vector3d place, at(name));
      places.push_back(place);
    }
    return places;
  }

 private:
  PointsSolution solution_;
};

CalibrationProposal propose_world(const Project& project, const WorldFit& fit, const QString& text,
                                  bool keep_known) {
  CalibrationProposal proposal;
  proposal.what = "world";
  proposal.change = [change = fit.change, keep_known](Project& changed) {
    const std::vector<ClickedPoint> points = changed.points;
    change_world(change, &changed);
    if (keep_known) changed.points = points;  // their coordinates are of the new world
  };
  Project after = project;
  QStringList moved;
  for (const std::string& sentence : change_world(fit.change, &after))
    moved << QString::fromStdString(sentence);
  double off_m = 0;
  for (const double off : fit.off_m) off_m = std::max(off_m, std::abs(off));
  proposal.text = proposal_tr("%1 Fits to %2 mm. World scaled by %3, turned by %4\u00b0; %5.")
                      .arg(text)
                      .arg(1000 * off_m, 0, 'f', 1)
                      .arg(fit.change.scale, 0, 'f', 4)
                      .arg(Eigen::AngleAxisd(fit.change.rotation).angle() * 180 / M_PI, 0, 'f', 2)
                      .arg(moved.join(QStringLiteral(", ")));
  for (size_t c = 0; c < project.cameras.size(); ++c) {
    if (!project.cameras[c].calibration) continue;
    Report camera;
    camera.add("name", "", project.cameras[c].name);
    add_change(change_between(*project.cameras[c].calibration, *after.cameras[c].calibration), 0, 0, &camera);
    proposal.rows.push_back(row_of(camera, kNone));
    proposal.rows.back().misses = proposal_tr("as before");
  }
  return proposal;
}

}  // namespace

Result<CalibrationProposal> propose_by_points(const Project& project, const std::vector<std::string>& cameras,
                                              bool focal) {
  PointsInput input;
  for (const Camera& camera : project.named_calibrations()) {
    const bool free = std::find(cameras.begin(), cameras.end(), camera.name()) != cameras.end();
    input.cameras.push_back({camera, free, free && focal});
  }
  input.points = project.points;
  VANTAGE_ASSIGN(const PointsSolution solution, solve_points(input));
  const std::optional<VoxelGrid> grid = grid_of(project);
  CalibrationProposal proposal;
  proposal.world = ProposedWorld::same;
  proposal.what = "calibration";
  proposal.solved = {solution.together};
  proposal.residuals = std::make_shared<const Residuals>(residuals_of(solution, input.points));
  const Report report = report_of(solution);
  std::vector<Camera> solved;
  QStringList focals;
  for (size_t c = 0; c < solution.cameras.size(); ++c) {
    const PointsSolvedCamera& camera = solution.cameras[c];
    if (!camera.free) continue;
    solved.push_back(camera.camera);
    const Report& row = report.rows("cameras")[c];
    proposal.rows.push_back(row_of(row, floor_text(input.cameras[c].camera, camera.camera, grid)));
    if (camera.focal_std > 0)
      focals << QString::fromStdString(row.text("name") + "'s focal length by " + row.text("focal_change"));
  }
  proposal.text = proposal_tr("Placed by clicked points. %1").arg(in_line(report));
  if (!focals.isEmpty()) proposal.text += proposal_tr(" Changes %1.").arg(focals.join(QStringLiteral(", ")));
  proposal.change = taking(std::move(solved));
  return proposal;
}

CalibrationProposal propose_by_people(const Project& project, const PeopleSolution& solution, int64_t frame) {
  const std::optional<VoxelGrid> grid = grid_of(project);
  CalibrationProposal proposal;
  if (!solution.all_free) proposal.world = ProposedWorld::same;
  proposal.what = "calibration";
  const Report report =
      report_of(solution, project.named_calibrations(frame), grid ? &*grid : nullptr, false);
  proposal.text = proposal_tr("Placed by people: %1").arg(in_line(report));
  const auto add_open = [&](const Report& camera) {
    proposal.text += QStringLiteral(" \u25b2 %1: %2.").arg(words(camera.text("name")), in_line(camera, "; "));
  };
  const std::vector<size_t> wrong = wrong_lenses(solution);
  for (const size_t c : wrong) add_open(report.rows("cameras")[c]);
  if (!wrong.empty()) {
    proposal.text += proposal_tr(" Tick lenses to solve these, too, or solve them by a board.");
    return proposal;
  }
  std::vector<Camera> solved;
  for (size_t c = 0; c < solution.cameras.size(); ++c) {
    const PeopleSolvedCamera& camera = solution.cameras[c];
    const Report& row = report.rows("cameras")[c];
    if (!camera.free) continue;
    if (!camera.determined || camera.lens.verdict == LensVerdict::open ||
        camera.lens.verdict == LensVerdict::barely_solved)
      add_open(row);
    if (!camera.determined) continue;
    solved.push_back(camera.camera);
    solved.back().set_name(project.cameras[c].name);
    proposal.solved.push_back(solved_alone(solved.back(), camera.covariance));
    proposal.rows.push_back(row_of(row, grid ? words(row.text("floor_shift_m")) : kNone));
  }
  if (!solved.empty()) proposal.change = taking(std::move(solved), frame);
  return proposal;
}

namespace {

// Offers the solved offsets, and says which change.
void offer_offsets(const Project& project, const SolvedProjectBoards& solved,
                   const std::vector<BoardClip>& clips, CalibrationProposal* proposal) {
  if (solved.clips.empty()) return;
  const auto offsets = recording_offsets(project, clips, solved.clips, solved.solution.instants);
  if (!offsets) {
    proposal->text +=
        proposal_tr("\nThe offsets stay: %1.").arg(QString::fromStdString(offsets.error().what));
    return;
  }
  QStringList others, changes;
  for (const std::string& name : cameras_with_other_clips(project, clips))
    others << QString::fromStdString(name);
  for (const RecordingOffset& one : *offsets)
    changes << QStringLiteral("%1 %L2 \u2192 %L3")
                   .arg(QString::fromStdString(one.camera))
                   .arg(one.before_frames, 0, 'g', 6)
                   .arg(one.now_frames, 0, 'g', 6);
  if (others.empty())
    proposal->text +=
        proposal_tr("\nOffsets are applied, too, if ticked: %1.").arg(changes.join(QStringLiteral(", ")));
  else
    proposal->text +=
        proposal_tr(
            "\nOffsets are not applied unless ticked: the clip of %1 is not its own video. They are the "
            "recording's only if all clips begin together with the videos, in one run: %2.")
            .arg(others.join(QStringLiteral(", ")), changes.join(QStringLiteral(", ")));
  proposal->offsets = [offsets = *offsets](Project& changed) { take_offsets(offsets, &changed); };
  proposal->offsets_wanted = others.empty();
}

QString solved_by_text(const BoardsSolution& solution) {
  if (solution.boards.empty())
    return proposal_tr(
               "Solved by the board in %1 frames.\nThe world is the board in frame %2; the region is "
               "fitted again.")
        .arg(solution.instants.size())
        .arg(solution.world_instant);
  QString text = proposal_tr(
                     "Solved by %1 boards in %2 frames.\nThe world is board %3 in frame %4; the region "
                     "is fitted again.")
                     .arg(std::ranges::count_if(solution.boards, &BoardPlace::placed))
                     .arg(solution.instants.size())
                     .arg(solution.world_board + 1)
                     .arg(solution.world_instant);
  for (size_t b = 0; b < solution.boards.size(); ++b)
    if (!solution.boards[b].placed)
      text += proposal_tr("\n\u25b2 Board %1 is linked to no other board: it is used for lenses only.")
                  .arg(b + 1);
  return text;
}

QString deviations_text(double turned_rad, double moved_m) {
  return QStringLiteral("\u00b1 %L1\u00b0\n\u00b1 %L2 mm")
      .arg(turned_rad * 180 / M_PI, 0, 'f', 3)
      .arg(1000 * moved_m, 0, 'f', 1);
}

// Camera, deviations from the first camera and in the world, RMS, pictures.
CalibrateProposalRow board_row(const SolvedProjectBoards& solved, size_t c, const QString& tip) {
  const CameraSolution& camera = solved.solution.cameras[c];
  const auto relative = solved.solution.relative_deviation(c);
  const QString none = QStringLiteral("\u2013");
  return {QString::fromStdString(camera.camera.name()),
          relative ? deviations_text(relative->turned_rad, relative->moved_m) : none,
          camera.posed ? deviations_text(camera.rotation_std_rad.norm(), camera.center_std_m.norm()) : none,
          (camera.held.empty() ? QString() : QStringLiteral("\u25b2 ")) +
              proposal_tr("%1 px").arg(camera.rms_px, 0, 'f', 2),
          proposal_tr("%1 of %2").arg(camera.pictures).arg(solved.found[c].pictures),
          tip};
}

CalibrateProposalRow row_of_all(const SolvedProjectBoards& solved) {
  int used = 0, all = 0;
  for (size_t c = 0; c < solved.solution.cameras.size(); ++c)
    used += solved.solution.cameras[c].pictures, all += solved.found[c].pictures;
  return {proposal_tr("all"), QString(), QString(),
          proposal_tr("%1 px").arg(solved.solution.rms_px(), 0, 'f', 2),
          proposal_tr("%1 of %2").arg(used).arg(all)};
}

}  // namespace

CalibrationProposal propose_by_board(const Project& project, const SolvedProjectBoards& solved,
                                     const std::vector<BoardClip>& clips, const LeftOut& left_out) {
  CalibrationProposal proposal;
  proposal.what = "calibration by a board";
  proposal.solved = {solved.solution.together};
  std::vector<std::string> names;
  for (const CameraSolution& camera : solved.solution.cameras) names.push_back(camera.camera.name());
  proposal.residuals =
      std::make_shared<const Residuals>(residuals_of(solved.solution, names, solved.clips, left_out));
  proposal.text = solved_by_text(solved.solution);
  proposal.text += drawn_text(project);
  std::vector<Camera> cameras;
  bool open = false;  // something of a camera is not determined
  for (size_t c = 0; c < solved.solution.cameras.size(); ++c) {
    const CameraSolution& camera = solved.solution.cameras[c];
    const bool hand_held = c >= project.cameras.size(), timed = c < solved.clips.size();
    Report row = report_of(solved.solution, c);
    if (timed) row.add_section("timing", report_of(solved.clips[c], solved.found[c].frame_rate));
    const QString name = words(row.text("name"));
    open = open || !camera.held.empty();
    if (c > 0 && timed)
      proposal.text +=
          QStringLiteral("\n%1: %2.").arg(name, words(row.section("timing").text("offset_frames")));
    if (!camera.posed && !hand_held)
      proposal.text += proposal_tr("\n%1 sees the board at no time of the others: it stays.").arg(name);
    const QString hand = hand_held ? proposal_tr(
                                         "Hand-held: it links the boards, and is not one of the "
                                         "project's cameras.\n")
                                   : QString();
    proposal.rows.push_back(board_row(solved, c, hand + words(row.sentences())));
    if (camera.posed) cameras.push_back(camera.camera);
  }
  const auto first = std::ranges::find(solved.solution.cameras, true, &CameraSolution::posed);
  proposal.columns = {proposal_tr("Camera"),
                      first == solved.solution.cameras.end()
                          ? proposal_tr("Mutually")
                          : proposal_tr("To %1").arg(QString::fromStdString(first->camera.name())),
                      proposal_tr("In the world"), proposal_tr("RMS"), proposal_tr("Pictures")};
  proposal.rows.push_back(row_of_all(solved));
  if (open)
    proposal.text += proposal_tr(
        "\n\u25b2: the pictures do not determine all values of the camera; point at its row to read which.");
  if (const auto& halves = solved.solution.cross_validation)
    proposal.text += (halves->doubtful() ? QStringLiteral("\n\u25b2 ") : QStringLiteral("\n")) +
                     QString::fromStdString(halves->text());
  offer_offsets(project, solved, clips, &proposal);
  if (!cameras.empty())
    proposal.change = [take = taking(std::move(cameras))](Project& changed) {
      take(changed);
      changed.grid.reset();
    };
  return proposal;
}

namespace {

// Camera, focal length, deviations of direction and position, offset, boxes.
CalibrateProposalRow footage_row(const ProjectCamera& before, const FootageSolvedCamera& solved,
                                 const Report& report) {
  if (!solved.placed())
    return {QStringLiteral("\u25b2 ") + words(solved.name), proposal_tr("not found"), kNone, kNone, kNone,
            words(solved.reason + ". " + solved.remedy)};
  QString focal = two_lines(report.text("focal_px"));
  if (before.calibration)
    focal = QStringLiteral("%L1 \u2192 ").arg(before.calibration->model().fx_px, 0, 'f', 0) + focal;
  return {words(solved.name),
          focal,
          words(report.text("turned_std_deg") + "\n" + report.text("moved_std_m")),
          two_lines(report.text("offset_frames")),
          QStringLiteral("%L1").arg(solved.boxes),
          proposal_tr("By %L1 boxes of people whom another camera shows, too.").arg(solved.boxes)};
}

}  // namespace

CalibrationProposal propose_by_footage(const Project& project, const FootageSolution& solution) {
  CalibrationProposal proposal;
  proposal.what = "calibration from footage";
  const Report report = report_of(solution);
  proposal.text = proposal_tr("Solved from footage: %1").arg(in_line(report));
  proposal.columns = {proposal_tr("Camera"), proposal_tr("Focal length"), proposal_tr("Pose"),
                      proposal_tr("Offset"), proposal_tr("Boxes")};
  for (size_t c = 0; c < solution.cameras.size(); ++c) {
    const FootageSolvedCamera& camera = solution.cameras[c];
    proposal.rows.push_back(footage_row(project.cameras[c], camera, report.rows("cameras")[c]));
    if (!camera.placed())
      proposal.text += QStringLiteral("\n\u25b2 %1: %2. %3")
                           .arg(words(camera.name), words(camera.reason), words(camera.remedy)) +
                       (project.cameras[c].calibration
                            ? proposal_tr(" Its calibration is of another world then, and is removed.")
                            : QString());
  }
  proposal.text +=
      proposal_tr("\nOffsets are applied, too; the region is fitted again.") + drawn_text(project);
  // Cameras are as they were solved: a change of any drops the proposal.
  proposal.change = [solution](Project& changed) {
    static_cast<void>(apply_footage_solution(solution, &changed));
  };
  return proposal;
}

Result<CalibrationProposal> propose_level(const Project& project, const LevelChoice& choice) {
  VANTAGE_ASSIGN(const PlacedPoints points, PlacedPoints::of(project));
  LevelInput input;
  VANTAGE_ASSIGN(input.floor_m, points.all(choice.floor));
  for (const Camera& camera : project.named_calibrations())
    input.above_m.push_back(camera.center_in_world_m());
  if (!choice.origin.empty()) {
    VANTAGE_ASSIGN(input.origin_m, points.at(choice.origin));
  }
  if (!choice.towards_x.empty()) {
    VANTAGE_ASSIGN(input.towards_x_m, points.at(choice.towards_x));
  }
  VANTAGE_ASSIGN(const WorldFit fit, level_world(input));
  return propose_world(project, fit, proposal_tr("Levelled by %1 points.").arg(choice.floor.size()), false);
}

Result<CalibrationProposal> propose_scale(const Project& project, const std::string& from,
                                          const std::string& to, double length_m) {
  VANTAGE_ASSIGN(const PlacedPoints points, PlacedPoints::of(project));
  KnownLength length{{}, {}, length_m};
  VANTAGE_ASSIGN(length.from_m, points.at(from));
  VANTAGE_ASSIGN(length.to_m, points.at(to));
  VANTAGE_ASSIGN(const WorldFit fit, scale_world({&length, 1}));
  return propose_world(project, fit,
                       proposal_tr("%1 to %2 is %3 m, and was %4 m.")
                           .arg(QString::fromStdString(from), QString::fromStdString(to))
                           .arg(length_m, 0, 'f', 3)
                           .arg((length.to_m - length.from_m).norm(), 0, 'f', 3),
                       false);
}

Result<CalibrationProposal> propose_known(const Project& project) {
  VANTAGE_ASSIGN(const PlacedPoints points, PlacedPoints::of(project));
  std::vector<KnownPlace> places;
  for (const ClickedPoint& point : project.points) {
    if (!point.known_m) continue;
    if (const auto at = points.at(point.name)) places.push_back({*at, *point.known_m});
  }
  VANTAGE_ASSIGN(const WorldFit fit, align_world(places));
  return propose_world(project, fit, proposal_tr("Moved to %1 measured points.").arg(places.size()), true);
}

Result<CalibrationProposal> propose_box_world(const Project& project, const NamedBox& named,
                                              const std::vector<std::string>& names) {
  VANTAGE_ASSIGN(const PlacedPoints points, PlacedPoints::of(project));
  VANTAGE_ASSIGN(const std::vector<Eigen::Vector3d> at, points.all(names));
  const UprightBox& box = named.box;
  const auto corners = box.corners_in_world_m();
  std::vector<size_t> nearest = nearest_corners(box, at), distinct = nearest;
  std::sort(distinct.begin(), distinct.end());
  if (std::adjacent_find(distinct.begin(), distinct.end()) != distinct.end())
    return fail(ErrorKind::bad_data, "two of the points are nearest to the same corner of the box",
                "calibration", "Lay the box over the object first, or choose the corners' points alone.");
  std::vector<KnownPlace> places;
  for (size_t i = 0; i < at.size(); ++i) places.push_back({at[i], corners[nearest[i]]});
  VANTAGE_ASSIGN(const WorldFit fit, align_world(places));
  // The box states the object's position in the new world: it stays.
  CalibrationProposal proposal =
      propose_world(project, fit,
                    proposal_tr("The object in the box is %1 \u00d7 %2 \u00d7 %3 m.")
                        .arg(box.size_m.x(), 0, 'f', 3)
                        .arg(box.size_m.y(), 0, 'f', 3)
                        .arg(box.size_m.z(), 0, 'f', 3),
                    false);
  proposal.change = [change = proposal.change, named](Project& changed) {
    change(changed);
    if (NamedBox* its = box_named(changed.boxes, named.name)) its->box = named.box;
  };
  return proposal;
}

Result<UprightBox> box_at_points(const Project& project, const UprightBox& box,
                                 const std::vector<std::string>& names) {
  VANTAGE_ASSIGN(const PlacedPoints points, PlacedPoints::of(project));
  VANTAGE_ASSIGN(const std::vector<Eigen::Vector3d> at, points.all(names));
  return snapped(box, at);
}

// Proposals for cameras that were bumped in the middle of a recording.

namespace {

CalibrateProposalRow row_of(const QString& camera, const SolvedJump& jump, int64_t from_frame) {
  CalibrateProposalRow row{proposal_tr("%1\nfrom frame %2").arg(camera).arg(from_frame), kNone, kNone, kNone,
                           kNone};
  row.tip = proposal_tr("Jumped by %1 px between its frames %2 and %3; %4 places of the scene were compared.")
                .arg(jump.jump.moved_px, 0, 'f', 1)
                .arg(jump.jump.last_before)
                .arg(jump.jump.first_after)
                .arg(jump.jump.places.size());
  if (jump.turn) {
    row.turned = QStringLiteral("%L1\u00b0").arg(jump.turn->degrees, 0, 'f', 2);
    row.moved = QStringLiteral("0 cm");
    row.misses = QStringLiteral("%L1\n\u2192 %L2 px")
                     .arg(jump.turn->before_px, 0, 'f', 1)
                     .arg(jump.turn->after_px, 0, 'f', 1);
  }
  if (jump.floor_m) row.floor = QStringLiteral("%L1 cm").arg(100 * *jump.floor_m, 0, 'f', 1);
  return row;
}

// Why nothing can be proposed for a camera.
QString open_text(const QString& camera, const WatchedCamera& watched) {
  if (!watched.untold.empty())
    return proposal_tr("%1: cannot tell (%2).").arg(camera, QString::fromStdString(watched.untold));
  if (watched.solved()) return {};
  return proposal_tr(
             "%1 was moved, not only turned, or is not calibrated: place it by people or points after the "
             "jump.")
      .arg(camera);
}

}  // namespace

CalibrationProposal propose_bumps(const Project& project, const std::vector<WatchedCamera>& watched) {
  CalibrationProposal proposal;
  proposal.world = ProposedWorld::later;
  proposal.what = "calibration of bumped cameras";
  QStringList still, known, open;
  for (const WatchedCamera& one : watched) {
    const QString name = QString::fromStdString(project.cameras[one.camera].name);
    if (const QString text = open_text(name, one); !text.isEmpty()) open << text;
    if (one.jumps.empty() && one.untold.empty()) still << name;
    bool all_known = !one.jumps.empty();
    for (size_t j = 0; j < one.jumps.size(); ++j) {
      if (one.jumps[j].known_and_fits()) continue;
      all_known = false;
      proposal.rows.push_back(row_of(name, one.jumps[j], one.from_frames[j]));
    }
    if (all_known) known << name;
  }
  QStringList sentences;
  if (!proposal.rows.empty())
    sentences << proposal_tr(
        "Bumped cameras get a calibration from their jump on; earlier frames keep theirs. \"Floor\" is the "
        "error of positions there without it.");
  if (!still.isEmpty()) sentences << proposal_tr("Stands still: %1.").arg(still.join(QStringLiteral(", ")));
  if (!known.isEmpty())
    sentences << proposal_tr("Has a fitting calibration from its jump on: %1.")
                     .arg(known.join(QStringLiteral(", ")));
  sentences << open;
  proposal.text = sentences.join(QStringLiteral(" "));
  Project after = project;
  if (add_bumps(watched, &after) > 0)
    proposal.change = [watched](Project& changed) { add_bumps(watched, &changed); };
  return proposal;
}

}  // namespace vantage::ui
