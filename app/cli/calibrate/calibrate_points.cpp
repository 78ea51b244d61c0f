// vantage-cli calibrate points: cameras and points from clicks.

#include "app/cli/calibrate/calibrate.h"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/cli/calibrate/read_cameras.h"
#include "app/cli/calibrate/uncertainty.h"
#include "app/cli/common/chain.h"
#include "app/cli/common/command.h"
#include "app/cli/common/project_arguments.h"
#include "core/base/file.h"
#include "core/calibration/solve/points_solve.h"
#include "core/calibration/solve/solution_report.h"
#include "core/calibration/solve/world_from_points.h"
#include "core/geometry/upright_box.h"
#include "core/project/change_world.h"

namespace vantage::cli {
namespace {

struct PointsCommand {
  std::string project, points, out;
  std::vector<std::string> cameras;
  bool focal = false, json = false;
};

void points(const PointsCommand& command) {
  const Project project = value_or_fail(load_project(command.project));
  PointsInput input;
  for (const Camera& camera : calibrated_or_fail(project)) input.cameras.push_back({camera, false, false});
  for (const std::string& name : command.cameras) {
    const ProjectCamera& named = project.cameras[camera_named(project, name, "--camera")];
    if (!named.calibration)
      fail_command({ErrorKind::not_found, "this camera has no calibration, and its lens is needed", name,
                    "Solve its lens first: vantage-cli calibrate boards --lens-pictures."});
    for (PointsCamera& camera : input.cameras)
      if (camera.camera.name() == name) camera.solve_pose = true, camera.solve_focal = command.focal;
  }
  input.points = points_or_fail(project, command.points);
  const PointsSolution solution = value_or_fail(solve_points(input));
  if (!command.out.empty()) {
    std::vector<Camera> cameras;
    for (const PointsSolvedCamera& camera : solution.cameras) cameras.push_back(camera.camera);
    check_or_fail(write_file_atomically(command.out, calibration_to_json(cameras)));
  }
  ReportValue covariance;
  if (!solution.together.cameras.empty())
    covariance = ReportValue::ready(uncertainty_json(solution.together));
  print_report(report_of(solution, covariance), command.json);
}

}  // namespace

void add_points(CLI::App& calibrate) {
  auto command = std::make_shared<PointsCommand>();
  CLI::App* app = calibrate.add_subcommand(
      "points", "Solves camera poses and points from points clicked in several views.");
  app->footer(
      "Points without coordinates are triangulated; cameras that are not named are fixed. Without --camera "
      "only points are solved.\n"
      "Example: vantage-cli calibrate points hall.vantage --points clicks.csv --camera cam2 --out hall.json");
  app->add_option("project", command->project, "the project")->required()->type_name("P.vantage");
  add_points_option(*app, &command->points);
  app->add_option("--camera", command->cameras, "a camera whose pose is solved; may be repeated");
  app->add_flag("--focal", command->focal, "solve the focal length of these cameras, too");
  app->add_option("--out", command->out, "write the calibration of all cameras to this file (Vantage JSON)");
  app->add_flag("--json", command->json, "print the report as JSON, with every residual and covariance");
  app->callback([command] { points(*command); });
}

// vantage-cli calibrate level and scale: floor, origin, up and scale of a project's world.

namespace {

struct WorldCommand {
  std::string project, points, out;
  std::vector<std::string> floor, corners;
  std::string origin, towards_x, box;
  std::vector<std::string> lengths;
  bool known = false, json = false;
};

// The named points triangulated by the project's cameras; known coordinates are ignored.
class PlacedPoints {
 public:
  PlacedPoints(const Project& project, std::vector<ClickedPoint> points) : clicked_(std::move(points)) {
    solution_ = value_or_fail(triangulate_points(calibrated_or_fail(project), clicked_));
    for (const std::string& note : solution_.notes) fmt::print(stderr, "{}\n", note);
  }

  Eigen::Vector3d at(const std::string& name, const char* option) const {
    for (const SolvedPoint& point : solution_.points)
      if (point.name == name) {
        if (point.at_m) return *point.at_m;
        fail_command({ErrorKind::bad_data, "its position is unknown: fewer than two cameras show it", name,
                      "Click it in another camera, too."});
      }
    throw CLI::ValidationError(option, "there is no point '" + name + "'");
  }

  std::vector<KnownPlace> known() const {
    std::vector<KnownPlace> places;
    for (size_t i = 0; i < clicked_.size(); ++i)
      if (clicked_[i].known_m && solution_.points[i].at_m)
        places.push_back({*solution_.points[i].at_m, *clicked_[i].known_m});
    return places;
  }

 private:
  std::vector<ClickedPoint> clicked_;
  PointsSolution solution_;
};

// "0.6x0.4x1.2": along x, along y, up.
Eigen::Vector3d box_size(const std::string& text) {
  double x = 0, y = 0, z = 0;
  int length = 0;
  if (std::sscanf(text.c_str(), "%lfx%lfx%lf%n", &x, &y, &z, &length) != 3 ||
      static_cast<size_t>(length) != text.size() || !(x > 0) || !(y > 0) || !(z > 0) ||
      !std::isfinite(x * y * z))
    throw CLI::ValidationError("--box", "'" + text + "' is not a size in metres such as 0.6x0.4x1.2");
  return {x, y, z};
}

// The box's corners in the world that it defines: its first corner is the origin.
std::vector<KnownPlace> box_places(const WorldCommand& command, const PlacedPoints& points) {
  UprightBox box;
  box.size_m = box_size(command.box);
  box.base_in_world_m = {box.size_m.x() / 2, box.size_m.y() / 2, 0};
  const auto corners = box.corners_in_world_m();
  if (command.corners.size() > corners.size())
    throw CLI::ValidationError("--corners", "a box has eight corners");
  std::vector<KnownPlace> places;
  for (size_t i = 0; i < command.corners.size(); ++i)
    if (command.corners[i] != "-") places.push_back({points.at(command.corners[i], "--corners"), corners[i]});
  return places;
}

KnownLength length_from(const std::string& text, const PlacedPoints& points) {
  const size_t first = text.find(','), last = text.rfind(',');
  double length_m = 0;
  int used = 0;
  if (first == last || std::sscanf(text.c_str() + last + 1, "%lf%n", &length_m, &used) != 1 ||
      last + 1 + static_cast<size_t>(used) != text.size())
    throw CLI::ValidationError("--length", "'" + text + "' is not POINT,POINT,METRES");
  return {points.at(text.substr(0, first), "--length"),
          points.at(text.substr(first + 1, last - first - 1), "--length"), length_m};
}

WorldFit level_fit(const WorldCommand& command, const Project& project, const PlacedPoints& points) {
  if (command.known) return value_or_fail(align_world(points.known()));
  if (!command.box.empty()) return value_or_fail(align_world(box_places(command, points)));
  LevelInput input;
  for (const std::string& name : command.floor) input.floor_m.push_back(points.at(name, "--floor"));
  for (const Camera& camera : project.named_calibrations())
    input.above_m.push_back(camera.center_in_world_m());
  if (!command.origin.empty()) input.origin_m = points.at(command.origin, "--origin");
  if (!command.towards_x.empty()) input.towards_x_m = points.at(command.towards_x, "--x");
  return value_or_fail(level_world(input));
}

Report change_report(const WorldFit& fit, const std::vector<std::string>& moved) {
  const WorldChange& change = fit.change;
  const double turned_deg = Eigen::AngleAxisd(change.rotation).angle() * 180 / M_PI;
  double largest_m = 0;
  for (const double off : fit.off_m) largest_m = std::max(largest_m, std::abs(off));
  std::vector<double> rotation;
  for (int i = 0; i < 9; ++i) rotation.push_back(change.rotation(i / 3, i % 3));
  Report report;
  report.add_number("scale", "World scaled by", change.scale, {"", 6});
  report.add_number("turned_deg", "Turned by", turned_deg, {"\u00b0", 3});
  report.add_data("rotation", rotation);
  report.add("translation_m", "Origin moved by", change.translation_m,
             unit_text(change.translation_m.norm(), {"m", 3}));
  report.add("off_m", "Fits to", fit.off_m, unit_text(largest_m, {"mm", 1, 1000}));
  report.add_data("moved", moved);
  for (const std::string& sentence : moved) report.add_sentence(sentence);
  return report;
}

// With --out only the calibration is written, and the project is unchanged.
void change(const WorldCommand& command, ReadProject read, const WorldFit& fit) {
  const std::vector<ClickedPoint> points = read.project.points;
  std::vector<std::string> moved = change_world(fit.change, &read.project);
  if (command.known) read.project.points = points;  // their coordinates are in the new world
  if (command.out.empty()) {
    write_project_or_fail(read.project, read.stamp);
  } else {
    check_or_fail(write_file_atomically(command.out, calibration_to_json(read.project.named_calibrations())));
    moved = {"the calibration was written; the project stays as it is"};
  }
  print_report(change_report(fit, moved), command.json);
}

void add_common(CLI::App& app, const std::shared_ptr<WorldCommand>& command) {
  app.add_option("project", command->project, "the project")->required()->type_name("P.vantage");
  add_points_option(app, &command->points);
  app.add_option("--out", command->out,
                 "write the calibration of all cameras to this file (Vantage JSON); the project stays");
  add_json_flag(app, &command->json);
}

}  // namespace

void add_level(CLI::App& calibrate) {
  auto command = std::make_shared<WorldCommand>();
  CLI::App* app = calibrate.add_subcommand(
      "level",
      "Sets a project's floor, origin and up-axis from named points; its pictures stay as they are.");
  app->footer(
      "Cameras, region, zones, lines and the box move with the world; what moved is reported.\n"
      "Example: vantage-cli calibrate level hall.vantage --points clicks.csv --floor A,B,C --origin A --x B");
  add_common(*app, command);
  CLI::Option* floor =
      app->add_option("--floor", command->floor, "points on the floor, three or more: A,B,C")->delimiter(',');
  app->add_option("--origin", command->origin, "the point that becomes the floor's origin")->needs(floor);
  app->add_option("--x", command->towards_x, "a point towards which the x axis runs from the origin")
      ->needs(floor);
  CLI::Option* known =
      app->add_flag("--known", command->known, "move and scale the world to the points' known coordinates");
  CLI::Option* box = app->add_option("--box", command->box,
                                     "a box of known size that stands on the floor, in metres along x, along "
                                     "y and up: 0.6x0.4x1.2. Its first "
                                     "corner becomes the origin; it levels, moves and scales the world");
  CLI::Option* corners =
      app->add_option("--corners", command->corners,
                      "its clicked corners in order, - for a corner without a click: four around the lower "
                      "face, counter-clockwise from above, then those above them")
          ->delimiter(',');
  box->needs(corners), corners->needs(box);
  floor->excludes(known, box), known->excludes(box);
  app->callback([command] {
    if (command->floor.empty() && !command->known && command->box.empty())
      throw CLI::ValidationError("level", "give --floor, --box or --known");
    ReadProject read = read_project_or_fail(command->project);
    const PlacedPoints points(read.project, points_or_fail(read.project, command->points));
    const WorldFit fit = level_fit(*command, read.project, points);
    change(*command, std::move(read), fit);
  });
}

void add_scale(CLI::App& calibrate) {
  auto command = std::make_shared<WorldCommand>();
  CLI::App* app =
      calibrate.add_subcommand("scale", "Scales a project's world to lengths measured between named points.");
  app->footer(
      "The origin stays. Cameras, region, zones, lines and the box are scaled; what moved is reported.\n"
      "Example: vantage-cli calibrate scale hall.vantage --points clicks.csv --length A,B,2.45");
  add_common(*app, command);
  app->add_option("--length", command->lengths,
                  "two points and the metres between them: A,B,2.45; may be repeated")
      ->required();
  app->callback([command] {
    ReadProject read = read_project_or_fail(command->project);
    const PlacedPoints points(read.project, points_or_fail(read.project, command->points));
    std::vector<KnownLength> lengths;
    for (const std::string& text : command->lengths) lengths.push_back(length_from(text, points));
    const WorldFit fit = value_or_fail(scale_world(lengths));
    change(*command, std::move(read), fit);
  });
}

}  // namespace vantage::cli
