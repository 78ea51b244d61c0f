// vantage-cli scene: what each camera's background model learns from the recording, as pictures.
#include <cstdio>
#include <filesystem>

#include "app/cli/common/command.h"
#include "app/cli/common/value_or_fail.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/image/png.h"
#include "core/pipeline/background.h"
#include "core/project/project.h"
#include "core/video/no_video.h"

namespace vantage::cli {
namespace {

struct SceneOptions {
  std::string project, out;
  bool json = false;
};

Result<Image> brightness(const LearntScene& scene) {
  const ImageView<const uint8_t> dark = scene.dark.plane(0), bright = scene.bright.plane(0);
  VANTAGE_ASSIGN(Image mean, Image::make(ImageType::u8, dark.width, dark.height, HostPool::shared()));
  const ImageView<uint8_t> out = mean.writable_view<uint8_t>();
  for (int y = 0; y < dark.height; ++y)
    for (int x = 0; x < dark.width; ++x)
      out.row(y)[x] = static_cast<uint8_t>((dark.row(y)[x] + bright.row(y)[x] + 1) / 2);
  return mean;
}

// Why nothing is learnt.
std::string reason_for_none(const Project& project, const ProjectCamera& camera) {
  if (!camera.background.empty()) return "it has an empty-scene clip";
  if (names_no_video(camera.video)) return "it has no video";
  return project.live() ? "it is live" : "";
}

nlohmann::ordered_json look_at(const Project& project, const ProjectCamera& camera,
                               const SceneOptions& options) {
  nlohmann::ordered_json out = {{"camera", camera.name}};
  std::string reason = reason_for_none(project, camera);
  std::optional<LearntScene> scene;
  if (reason.empty()) {
    VideoOpenOptions how;
    how.stop = interrupted();
    const auto source = value_or_fail(open_video(camera.video, how));
    scene = value_or_fail(
        scene_of_recording(*source, project.parameters.get<ForegroundParameters>().steady, interrupted()));
    if (!scene) reason = "the recording is too short, or does not state its length";
  }
  out["pictures"] = scene ? scene->pictures : 0;
  if (!scene) {
    out["reason"] = reason;
    if (!options.json) std::printf("%s: nothing is learnt, %s\n", camera.name.c_str(), reason.c_str());
    return out;
  }
  const std::filesystem::path folder = options.out;
  check_or_fail(write_png_gray(folder / (camera.name + "_scene.png"), value_or_fail(brightness(*scene))));
  check_or_fail(write_png_gray(folder / (camera.name + "_seen.png"), scene->seen));
  const double seldom = seldom_seen_share(*scene);
  out["seldom_seen_share"] = seldom;
  out["shake_px"] = scene->shake_px;
  if (!options.json)
    std::printf("%s: %d pictures; %.2f %% of the picture showed what was learnt in less than half of them\n",
                camera.name.c_str(), scene->pictures, 100 * seldom);
  if (!options.json && scene->rest)
    std::printf("%s: shakes by up to %.1f px, which is taken out\n", camera.name.c_str(), scene->shake_px);
  return out;
}

void scene(const SceneOptions& options) {
  const Project project = value_or_fail(load_project(options.project));
  check_or_fail(make_folder(options.out));
  auto cameras = nlohmann::ordered_json::array();
  for (const ProjectCamera& camera : project.cameras) cameras.push_back(look_at(project, camera, options));
  if (options.json) print_json(nlohmann::ordered_json{{"cameras", cameras}, {"out", options.out}});
}

}  // namespace

void add_scene(CLI::App& app) {
  auto options = std::make_shared<SceneOptions>();
  CLI::App* command = app.add_subcommand(
      "scene", "Show what is learnt as the empty scene from cameras without an empty-scene clip.");
  command->footer(
      "Writes DIR/CAMERA_scene.png, the brightness of what is learnt, and DIR/CAMERA_seen.png at half the "
      "size: how\n"
      "often each place showed that, 255 = in all pictures. People in CAMERA_scene.png are not found where "
      "they stand.\n"
      "Example: vantage-cli scene hall.vantage --out scene");
  command->add_option("project", options->project, "project file")->required()->type_name("P.vantage");
  command->add_option("--out", options->out, "folder for the pictures")->required()->type_name("DIR");
  command->add_flag("--json", options->json, "print the figures as JSON");
  command->callback([options] { scene(*options); });
}

}  // namespace vantage::cli
