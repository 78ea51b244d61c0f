#include "app/cli/calibrate/read_cameras.h"

#include <charconv>
#include <filesystem>
#include <string_view>

#include "app/cli/common/command.h"
#include "core/base/file.h"
#include "core/calibration/solve/world_from_points.h"

namespace vantage::cli {
namespace {

constexpr std::string_view kProjectEnding = ".vantage";

}  // namespace

void add_read_options(CLI::App& command, CalibrationOptions* options) {
  command.add_option("--unit-scale", options->unit_scale_m,
                     "metres per unit of the files read, where they do not state it");
  command.add_option("--up-axis", options->up_axis, "axis of the files read that points up: z, -y, ...");
}

void take_size_of(const Project& project, CalibrationOptions* options) {
  for (const ProjectCamera& camera : project.cameras)
    if (camera.calibration && options->width_px == 0)
      options->width_px = camera.calibration->width_px(),
      options->height_px = camera.calibration->height_px();
}

std::vector<Camera> calibrated_or_fail(const Project& project, int64_t frame) {
  std::vector<Camera> cameras = project.named_calibrations(frame);
  if (cameras.empty())
    fail_command({ErrorKind::not_found, "no camera of the project is calibrated", project.path.string(),
                  "Give the project a calibration first: vantage-cli new --calibration."});
  return cameras;
}

std::vector<Camera> cameras_or_fail(const std::string& path, const CalibrationOptions& options) {
  const size_t at = path.rfind(".vantage@");
  const std::string file = at == std::string::npos ? path : path.substr(0, at + kProjectEnding.size());
  if (std::filesystem::path(file).extension() != kProjectEnding)
    return value_or_fail(read_calibration(path, options)).cameras;
  int64_t frame = 0;
  if (at != std::string::npos) {
    const std::string number = path.substr(file.size() + 1);
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), frame);
    if (error != std::errc() || end != number.data() + number.size() || frame < 0)
      throw CLI::ValidationError(path, "'" + number + "' after @ is not a frame");
  }
  return calibrated_or_fail(value_or_fail(load_project(file)), frame);
}

std::vector<ClickedPoint> points_or_fail(const Project& project, const std::string& file) {
  if (!file.empty()) return value_or_fail(read_clicked_points(value_or_fail(read_file(file)), file));
  if (project.points.empty())
    fail_command({ErrorKind::not_found, "no points were clicked in the project", project.path.string(),
                  "Click some in the window (Calibrate), or give them with --points."});
  return project.points;
}

Result<VoxelGrid> region_of(const Project& project, const std::vector<Camera>& cameras) {
  if (project.grid) return *project.grid;
  return fit_grid_to_common_view(cameras, kDefaultVoxelSize_m, kDefaultGridHeight_m);
}

void add_points_option(CLI::App& command, std::string* file) {
  command
      .add_option("--points", *file,
                  "clicked points as CSV (point,camera,x_px,y_px[,x_m,y_m,z_m]); else the project's own")
      ->type_name("FILE.csv");
}

}  // namespace vantage::cli
