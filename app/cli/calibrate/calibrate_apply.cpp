// vantage-cli calibrate apply: another calibration for a project that keeps all else.
#include "app/cli/calibrate/calibrate_apply.h"

#include <algorithm>
#include <cstdio>

#include "app/cli/calibrate/read_cameras.h"
#include "app/cli/common/project_change.h"
#include "app/cli/common/value_or_fail.h"
#include "core/base/formatted.h"
#include "core/calibration/formats/calibration.h"
#include "core/geometry/camera_change.h"
#include "core/project/camera_in_time.h"

namespace vantage::cli {
namespace {

constexpr double kSameStand = 1e-9;  // radians and metres

struct ApplyCommand {
  std::string project, calibration;
  CalibrationOptions read;
  int64_t from_frame = 0;
};

std::string change_text(const Camera* before, const Camera& now) {
  if (!before) return "calibrated";
  const CameraChange change = change_between(*before, now);
  return formatted("turned by %.2f degrees, moved by %.0f mm", change.head<3>().norm() * 180 / M_PI,
                   1000 * change.segment<3>(3).norm());
}

// Fails where the project's camera is calibrated for pictures of another size than the file's.
void check_size(const ProjectCamera& camera, const Camera& given, const std::string& file) {
  if (!camera.calibration || (camera.calibration->width_px() == given.width_px() &&
                              camera.calibration->height_px() == given.height_px()))
    return;
  fail_command({ErrorKind::bad_data,
                formatted("%s: the file's pictures have %dx%d, the project's %dx%d", camera.name.c_str(),
                          given.width_px(), given.height_px(), camera.calibration->width_px(),
                          camera.calibration->height_px()),
                file,
                "Make the project again with this file: vantage-cli new has options for scaled pictures."});
}

// Applies a calibration from a frame on: a camera with an unchanged pose needs no other one.
void give(int64_t from_frame, const Camera& given, ProjectCamera* camera) {
  if (from_frame <= 0) return replace_calibration(camera, given);
  if (!camera->calibration)
    fail_command({ErrorKind::invalid_argument, "has no calibration from the beginning", camera->name,
                  "Apply one without --from first."});
  const Camera& stands = *camera->calibration_at(from_frame);
  if (change_between(stands, given).norm() > kSameStand || !same_lens(stands, given))
    add_later_calibration(camera, from_frame, given);
}

void apply(ApplyCommand command) {
  ReadProject read = read_project_or_fail(command.project);
  if (command.from_frame > 0 && read.project.live())
    fail_command({ErrorKind::invalid_argument, "live cameras have one pose", command.project,
                  "Apply the calibration without --from."});
  take_size_of(read.project, &command.read);
  const Calibration calibration = value_or_fail(read_calibration(command.calibration, command.read));
  std::string names;
  int changed = 0;
  for (const Camera& given : calibration.cameras) {
    names += (names.empty() ? "" : ", ") + given.name();
    const auto camera = std::find_if(read.project.cameras.begin(), read.project.cameras.end(),
                                     [&](const ProjectCamera& one) { return one.name == given.name(); });
    if (camera == read.project.cameras.end()) continue;
    check_size(*camera, given, command.calibration);
    const Camera* stands = camera->calibration_at(command.from_frame);
    std::printf("%-10s %s\n", camera->name.c_str(), change_text(stands, given).c_str());
    give(command.from_frame, given, &*camera);
    ++changed;
  }
  if (changed == 0)
    fail_command({ErrorKind::not_found, "no camera of the file has the name of a camera of the project",
                  command.calibration, "The file holds " + names + "."});
  write_project_or_fail(read.project, read.stamp);
}

}  // namespace

void add_apply(CLI::App& calibrate) {
  auto command = std::make_shared<ApplyCommand>();
  CLI::App* app = calibrate.add_subcommand(
      "apply", "Applies the poses and lenses of a calibration to a project's cameras, by name.");
  app->footer(
      "Zones, rules, notes and parameters stay; results are out of date where a camera changed.\n"
      "Later calibrations of a camera (--from, calibrate bumped --apply) keep their pose relative to the "
      "first one.\n"
      "Example: vantage-cli calibrate apply hall.vantage hall.json");
  app->add_option("project", command->project, "The project")->required();
  app->add_option("calibration", command->calibration, "The calibration file")->required();
  app->add_option("--from", command->from_frame,
                  "Apply it to cameras whose pose changes, from this frame of the first camera on; the time "
                  "before keeps its calibration")
      ->check(CLI::PositiveNumber);
  add_read_options(*app, &command->read);
  app->callback([command] { apply(*command); });
}

}  // namespace vantage::cli
