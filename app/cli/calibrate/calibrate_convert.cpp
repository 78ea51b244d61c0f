// vantage-cli calibrate convert: a calibration in another program's format.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli/calibrate/calibrate_convert.h"
#include "app/cli/common/value_or_fail.h"
#include "core/base/file.h"
#include "core/calibration/calibration.h"
#include "core/project/project.h"

namespace vantage::cli {
namespace {

struct ConvertCommand {
  std::vector<std::string> paths;  // the last is written
  std::string format, size;
  CalibrationOptions read;
  bool replace = false, json = false;
};

void read_size(const std::string& text, CalibrationOptions* options) {
  int length = 0;
  if (std::sscanf(text.c_str(), "%dx%d%n", &options->width_px, &options->height_px, &length) != 2 ||
      static_cast<size_t>(length) != text.size() || options->width_px < 1 || options->height_px < 1)
    throw CLI::ValidationError("--size", "'" + text + "' is not a size such as 1280x960");
}

std::vector<Camera> cameras_of(const std::string& path, const CalibrationOptions& options) {
  if (std::filesystem::path(path).extension() != ".vantage")
    return value_or_fail(read_calibration(path, options)).cameras;
  const Project project = value_or_fail(load_project(path));
  std::vector<Camera> cameras;
  for (const ProjectCamera& camera : project.cameras) {
    if (!camera.calibration) continue;
    cameras.push_back(*camera.calibration);
    cameras.back().set_name(camera.name);
  }
  if (cameras.empty())
    fail_command({ErrorKind::not_found, "no camera of the project is calibrated", path,
                  "Give the project a calibration first: vantage-cli new --calibration."});
  return cameras;
}

// OUT itself, or files in it where each camera is one.
std::filesystem::path place_of(const std::string& out, const CalibrationFile& file, size_t count) {
  std::error_code code;
  const bool folder = count > 1 || std::filesystem::is_directory(out, code) || out.ends_with('/');
  return file.name.empty() || !folder ? std::filesystem::path(out) : std::filesystem::path(out) / file.name;
}

void check_absent(const std::filesystem::path& path) {
  std::error_code code;
  if (std::filesystem::exists(path, code))
    fail_command({ErrorKind::invalid_argument, "is there already", path.string(),
                  "Give another OUT, or --replace to overwrite it."});
}

void convert(ConvertCommand& command) {
  if (!command.size.empty()) read_size(command.size, &command.read);
  const std::string out = command.paths.back();
  command.paths.pop_back();
  std::vector<Camera> cameras;
  for (const std::string& path : command.paths)
    for (Camera& camera : cameras_of(path, command.read)) {
      const bool known = std::any_of(cameras.begin(), cameras.end(),
                                     [&](const Camera& other) { return other.name() == camera.name(); });
      if (known)
        fail_command({ErrorKind::invalid_argument, "two cameras are called \"" + camera.name() + "\"", path,
                      "Give files whose cameras have different names."});
      cameras.push_back(std::move(camera));
    }
  const std::vector<CalibrationFile> files = value_or_fail(write_calibration(cameras, command.format));
  std::vector<std::filesystem::path> places;
  for (const CalibrationFile& file : files) {
    places.push_back(place_of(out, file, files.size()));
    if (!command.replace) check_absent(places.back());
  }
  for (size_t i = 0; i < files.size(); ++i) {
    std::error_code code;
    if (places[i] != std::filesystem::path(out)) std::filesystem::create_directories(out, code);
    if (const Status written = write_file_atomically(places[i], files[i].text); !written)
      fail_command(written.error());
  }
  if (command.json) {
    nlohmann::ordered_json report = {{"format", command.format}};
    for (const Camera& camera : cameras) report["cameras"].push_back(camera.name());
    for (const auto& place : places) report["files"].push_back(place.string());
    std::printf("%s\n", report.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace).c_str());
    return;
  }
  std::printf("%zu cameras in metres, z up\n", cameras.size());
  for (const auto& place : places) std::printf("%s\n", place.string().c_str());
}

}  // namespace

void add_convert(CLI::App& calibrate) {
  auto command = std::make_shared<ConvertCommand>();
  CLI::App* app = calibrate.add_subcommand(
      "convert", "Writes calibrations, or those of a project, in another program's format.");
  app->add_option("paths", command->paths,
                  "Calibration files, or a project; then the file to write, or a folder where the format has "
                  "a file for each camera")
      ->required()
      ->expected(2, -1)
      ->type_name("IN... OUT");
  app->add_option("--format", command->format, "Format to write")
      ->required()
      ->check(CLI::IsMember(written_calibration_formats()));
  app->add_option("--unit-scale", command->read.unit_scale_m,
                  "Metres per unit of the files read, where they do not state it");
  app->add_option("--up-axis", command->read.up_axis, "Axis of the files read that points up: z, -y, ...");
  app->add_option("--camera-type", command->read.camera_type,
                  "Only cameras of this type, of formats with several (CMU Panoptic JSON: hd, vga)");
  app->add_option("--size", command->size, "Picture size of files that do not hold it, as 1280x960");
  app->add_flag("--replace", command->replace, "Overwrite what is there");
  app->add_flag("--json", command->json, "Print what was written as JSON");
  app->footer("Example:\n  vantage-cli calibrate convert hall.vantage Calib.toml --format pose2sim");
  app->callback([command] { convert(*command); });
}

}  // namespace vantage::cli
