// vantage-cli calibrate convert: a calibration in another program's format.
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "app/cli/calibrate/calibrate_convert.h"
#include "app/cli/calibrate/read_cameras.h"
#include "app/cli/common/value_or_fail.h"
#include "core/base/json.h"
#include "core/calibration/formats/calibration.h"

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

void convert(ConvertCommand& command) {
  if (!command.size.empty()) read_size(command.size, &command.read);
  const std::string out = command.paths.back();
  command.paths.pop_back();
  std::vector<Camera> cameras;
  for (const std::string& path : command.paths)
    for (Camera& camera : cameras_or_fail(path, command.read)) {
      const bool known = std::any_of(cameras.begin(), cameras.end(),
                                     [&](const Camera& other) { return other.name() == camera.name(); });
      if (known)
        fail_command({ErrorKind::invalid_argument, "two cameras are called \"" + camera.name() + "\"", path,
                      "Give files whose cameras have different names."});
      cameras.push_back(std::move(camera));
    }
  const std::vector<std::filesystem::path> places =
      value_or_fail(save_calibration(cameras, command.format, out, command.replace));
  if (command.json) {
    nlohmann::ordered_json report = {{"format", command.format}};
    for (const Camera& camera : cameras) report["cameras"].push_back(camera.name());
    for (const auto& place : places) report["files"].push_back(place.string());
    print_json(report);
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
  add_read_options(*app, &command->read);
  app->add_option("--camera-type", command->read.camera_type,
                  "Only cameras of this type, of formats with several (CMU Panoptic JSON: hd, vga)");
  app->add_option("--size", command->size, "Picture size of files that do not hold it, as 1280x960");
  app->add_flag("--replace", command->replace, "Overwrite what is there");
  app->add_flag("--json", command->json, "Print what was written as JSON");
  app->footer("Example:\n  vantage-cli calibrate convert hall.vantage Calib.toml --format pose2sim");
  app->callback([command] { convert(*command); });
}

}  // namespace vantage::cli
