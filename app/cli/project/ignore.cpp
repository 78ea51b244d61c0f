#include <fmt/core.h>
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/common/command.h"
#include "app/cli/common/floor_text.h"
#include "app/cli/common/project_arguments.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/geometry/ignored_region.h"
#include "core/image/image_files.h"
#include "core/project/json_parts.h"
#include "core/project/project.h"
#include "core/video/video_source.h"

namespace vantage::cli {

// vantage-cli ignore: parts of a camera's picture that do not count.

namespace {

struct IgnoreOptions {
  std::string project, camera;
  std::vector<std::string> polygons;
  std::string image;
  int remove = 0;
  bool clear = false, json = false;

  bool changes() const { return !polygons.empty() || !image.empty() || remove > 0 || clear; }
};

struct PictureSize {
  int width = 0, height = 0;
};

// Size of the calibration's pictures, else of the video's. Errors: those of opening it.
Result<PictureSize> picture_size(const ProjectCamera& camera) {
  if (camera.calibration) return PictureSize{camera.calibration->width_px(), camera.calibration->height_px()};
  VANTAGE_ASSIGN(const auto video, open_video(camera.video, {}));
  return PictureSize{video->info().width_px, video->info().height_px};
}

// "x,y x,y x,y".
std::vector<Eigen::Vector2d> read_polygon(const std::string& text) {
  std::string commas = text;
  std::replace(commas.begin(), commas.end(), ' ', ',');
  const std::vector<double> numbers = read_numbers(commas);
  if (numbers.size() < 6 || numbers.size() % 2 != 0)
    throw CLI::ValidationError("--polygon", "\"X,Y X,Y X,Y\" in pixels, three corners or more, is expected");
  std::vector<Eigen::Vector2d> corners;
  for (size_t i = 0; i < numbers.size(); i += 2) corners.emplace_back(numbers[i], numbers[i + 1]);
  return corners;
}

IgnoredRegions regions_of_image(const std::string& path, const ProjectCamera& camera) {
  const Image mask = value_or_fail(read_png_gray(path, HostPool::shared()));
  const PictureSize size = value_or_fail(picture_size(camera));
  if (mask.width() != size.width || mask.height() != size.height)
    fail_command({ErrorKind::invalid_argument,
                  "has " + size_text(mask.width(), mask.height()) + " px, pictures of " + camera.name +
                      " have " + size_text(size.width, size.height) + " px",
                  path, "Paint the mask over a picture of this camera."});
  Result<IgnoredRegions> regions = regions_of_mask(mask.view<uint8_t>());
  if (!regions) regions.error().where = path;
  return value_or_fail(std::move(regions));
}

void change(const IgnoreOptions& options, ProjectCamera* camera) {
  IgnoredRegions& regions = camera->ignored;
  if (options.remove > static_cast<int>(regions.size()))
    fail_command({ErrorKind::not_found,
                  "has no ignored region " + std::to_string(options.remove) + ", but " +
                      std::to_string(regions.size()),
                  camera->name, "`vantage-cli ignore` lists them, from 1."});
  if (options.clear) regions.clear();
  if (options.remove > 0) regions.erase(regions.begin() + options.remove - 1);
  const PictureSize size = picture_size(*camera).value_or(PictureSize{});
  for (const std::string& text : options.polygons) {
    Result<IgnoredRegion> region = make_ignored_region(read_polygon(text), size.width, size.height);
    if (!region) region.error().where = camera->name;
    regions.push_back(value_or_fail(std::move(region)));
  }
  if (options.image.empty()) return;
  for (IgnoredRegion& region : regions_of_image(options.image, *camera)) regions.push_back(std::move(region));
}

// Share of the picture, 0 to 1; nothing: its size is unknown.
std::optional<double> ignored_share(const ProjectCamera& camera) {
  if (camera.ignored.empty()) return 0.0;
  const Result<PictureSize> size = picture_size(camera);
  if (!size) return std::nullopt;
  return IgnoredPixels(camera.ignored, size->width, size->height).share();
}

void print(const IgnoreOptions& options, const Project& project) {
  auto list = nlohmann::ordered_json::array();
  bool any = false;
  for (const ProjectCamera& camera : project.cameras) {
    if (!options.camera.empty() && camera.name != options.camera) continue;
    const std::optional<double> share = ignored_share(camera);
    list.push_back({{"name", camera.name},
                    {"ignored_share", share ? nlohmann::ordered_json(*share) : nlohmann::ordered_json()},
                    {"ignored_regions", project_detail::ignored_json(camera.ignored)}});
    if (options.json || camera.ignored.empty()) continue;
    any = true;
    fmt::print("{}{}\n", camera.name,
               share ? fmt::format(": {:.2f} % of the picture is ignored", 100 * *share) : "");
    for (size_t i = 0; i < camera.ignored.size(); ++i) {
      const std::vector<Eigen::Vector2d>& corners = camera.ignored[i].corners_px;
      fmt::print("  {} ", i + 1);
      constexpr size_t kMaxPrinted = 8;
      for (size_t k = 0; k < std::min(corners.size(), kMaxPrinted); ++k)
        fmt::print(" {:g},{:g}", corners[k].x(), corners[k].y());
      fmt::print("{}\n", corners.size() > kMaxPrinted ? fmt::format(" … {} corners", corners.size()) : "");
    }
  }
  if (options.json) return print_json(nlohmann::ordered_json{{"cameras", list}});
  if (!any) fmt::print("nothing is ignored: --polygon or --image adds regions\n");
}

void run_ignore(const IgnoreOptions& options) {
  for (const std::string& text : options.polygons) static_cast<void>(read_polygon(text));
  auto [project, stamp] = read_project_or_fail(options.project);
  const auto camera = std::ranges::find(project.cameras, options.camera, &ProjectCamera::name);
  if (!options.camera.empty() && camera == project.cameras.end())
    fail_command({ErrorKind::not_found, "there is no camera of this name", options.camera,
                  "`vantage-cli ignore` without a camera lists all."});
  if (options.changes()) {
    change(options, &*camera);
    write_project_or_fail(project, stamp);
  }
  print(options, project);
}

}  // namespace

void add_ignore(CLI::App& app) {
  auto options = std::make_shared<IgnoreOptions>();
  CLI::App* command = app.add_subcommand(
      "ignore", "List or change the parts of a camera's picture that do not count: time stamps, screens.");
  command->footer(
      "What is under an ignored region is unknown, neither scene nor person. Pixels are those of the "
      "picture, "
      "with its\n"
      "distortion, from the upper left one, 0,0. Leave a margin of a few pixels. The areas of an image "
      "become "
      "polygons\n"
      "in the project, within a pixel of their borders.\n"
      "Example: vantage-cli ignore hall.vantage cam2 --polygon \"0,0 410,0 410,48 0,48\"");
  command->add_option("project", options->project, "the project")->required()->type_name("P.vantage");
  CLI::Option* camera = command->add_option("camera", options->camera, "the camera's name; none: all");
  command->add_option("--polygon", options->polygons, "add a region, by three corners or more, in pixels")
      ->type_name("\"X,Y X,Y X,Y\"")
      ->needs(camera);
  command
      ->add_option("--image", options->image,
                   "add regions where the pixels of a PNG of the picture's size are not 0 (black)")
      ->type_name("MASK.png")
      ->needs(camera);
  CLI::Option* clear =
      command->add_flag("--clear", options->clear, "remove the camera's regions, before others are added");
  clear->needs(camera);
  command->add_option("--remove", options->remove, "remove the region of that number, from 1")
      ->type_name("NUMBER")
      ->check(CLI::PositiveNumber)
      ->needs(camera)
      ->excludes(clear);
  add_json_flag(*command, &options->json);
  command->callback([options] { run_ignore(*options); });
}

}  // namespace vantage::cli
