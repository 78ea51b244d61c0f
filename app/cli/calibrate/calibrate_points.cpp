// vantage-cli calibrate points: cameras and points from clicks.
#include "app/cli/calibrate/calibrate_points.h"

#include <cstdio>

#include "app/cli/calibrate/read_cameras.h"
#include "app/cli/calibrate/uncertainty.h"
#include "app/cli/common/chain.h"
#include "app/cli/common/value_or_fail.h"
#include "core/base/file.h"
#include "core/base/formatted.h"
#include "core/base/json.h"
#include "core/calibration/solve/points_solve.h"

namespace vantage::cli {
namespace {

using nlohmann::ordered_json;

struct PointsCommand {
  std::string project, points, out;
  std::vector<std::string> cameras;
  bool focal = false, json = false;
};

ordered_json vector_json(const Eigen::Vector3d& v) {
  return {v.x(), v.y(), v.z()};
}

ordered_json camera_json(const PointsSolvedCamera& camera) {
  ordered_json json = {{"name", camera.camera.name()},
                       {"solved", camera.free},
                       {"clicks", camera.clicks},
                       {"before_px", camera.before_px},
                       {"after_px", camera.after_px}};
  if (!camera.free) return json;
  json["turned_deg"] = vector_json(camera.change.head<3>() * 180 / M_PI);
  json["turned_std_deg"] = camera.turned_std_deg;
  json["moved_m"] = vector_json(camera.change.segment<3>(3));
  json["moved_std_m"] = camera.moved_std_m;
  json["focal_change"] = camera.focal_share, json["focal_std"] = camera.focal_std;
  json["center_m"] = vector_json(camera.camera.center_in_world_m());
  return json;
}

ordered_json point_json(const SolvedPoint& point, const PointsSolution& solution) {
  ordered_json json = {{"name", point.name}, {"known", point.known}};
  if (!point.at_m) return json;
  json["at_m"] = vector_json(*point.at_m), json["std_m"] = vector_json(point.std_m);
  json["rms_px"] = point.rms_px;
  for (const SolvedClick& click : point.clicks)
    json["clicks"].push_back({{"camera", solution.cameras[click.camera].camera.name()},
                              {"off_px", {click.off_px.x(), click.off_px.y()}},
                              {"doubtful", click.doubtful}});
  return json;
}

ordered_json report_json(const PointsSolution& solution) {
  ordered_json json = {
      {"schema", "vantage-points-1"}, {"sigma_px", solution.sigma_px}, {"redundancy", solution.redundancy}};
  for (const PointsSolvedCamera& camera : solution.cameras) json["cameras"].push_back(camera_json(camera));
  for (const SolvedPoint& point : solution.points) json["points"].push_back(point_json(point, solution));
  if (!solution.together.cameras.empty()) json["covariance"] = uncertainty_json(solution.together);
  json["notes"] = solution.notes;
  return json;
}

void print_report(const PointsSolution& solution) {
  for (const PointsSolvedCamera& camera : solution.cameras) {
    const char* name = camera.camera.name().c_str();
    if (!camera.free) {
      std::printf("%-10s fixed; its %zu clicks miss by %.2f px\n", name, camera.clicks, camera.after_px);
      continue;
    }
    std::printf(
        "%-10s turned by %.3f degrees (+- %.3f), moved by %.1f mm (+- %.1f)%s; its %zu clicks missed by "
        "%.2f px, now %.2f\n",
        name, camera.turned_deg, camera.turned_std_deg, 1000 * camera.moved_m, 1000 * camera.moved_std_m,
        camera.focal_std > 0
            ? formatted(", focal length %+.2f %% (+- %.2f)", 100 * camera.focal_share, 100 * camera.focal_std)
                  .c_str()
            : "",
        camera.clicks, camera.before_px, camera.after_px);
  }
  for (const SolvedPoint& point : solution.points)
    if (point.at_m)
      std::printf("%-10s %9.4f %9.4f %9.4f m %s, %zu views, %.2f px\n", point.name.c_str(), point.at_m->x(),
                  point.at_m->y(), point.at_m->z(),
                  point.known ? "known" : formatted("+- %.1f mm", 1000 * point.std_m.norm()).c_str(),
                  point.clicks.size(), point.rms_px);
  for (const std::string& note : solution.notes) std::printf("%s\n", note.c_str());
  std::printf("clicks scatter by %.2f px\n", solution.sigma_px);
}

void points(const PointsCommand& command) {
  const Project project = value_or_fail(load_project(command.project));
  PointsInput input;
  for (const Camera& camera : calibrated_or_fail(project)) input.cameras.push_back({camera, false, false});
  for (const std::string& name : command.cameras) {
    const ProjectCamera& named =
        project.cameras[static_cast<size_t>(camera_named(project, name, "--camera"))];
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
  if (command.json)
    print_json(report_json(solution));
  else
    print_report(solution);
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
  app->add_option("project", command->project, "The project")->required()->type_name("P.vantage");
  add_points_option(*app, &command->points);
  app->add_option("--camera", command->cameras, "A camera whose pose is solved; may be repeated");
  app->add_flag("--focal", command->focal, "Solve the focal length of these cameras, too");
  app->add_option("--out", command->out, "Write the calibration of all cameras to this file (Vantage JSON)");
  app->add_flag("--json", command->json, "Print the report as JSON, with every residual and covariance");
  app->callback([command] { points(*command); });
}

}  // namespace vantage::cli
