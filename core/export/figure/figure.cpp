#include "core/export/figure/figure.h"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "core/base/text.h"

namespace vantage {
namespace {

bool film(const std::filesystem::path& out) {
  const std::string ending = out.extension().string();
  return ending == ".mp4" || ending == ".mkv" || ending == ".avi";
}

tl::unexpected<Error> wrong(std::string what, std::string where, std::string remedy) {
  return fail(ErrorKind::invalid_argument, std::move(what), std::move(where), std::move(remedy));
}

std::string listed(const std::vector<FigureOverlay>& overlays) {
  std::string text;
  for (const FigureOverlay overlay : overlays) append_item(&text, figure_overlay_name(overlay));
  return text;
}

bool needs_calibration(const FigureView& view) {
  const auto shows = [&](FigureOverlay overlay) { return view.overlays.contains(overlay); };
  return view.kind != FigureKind::camera || shows(FigureOverlay::people) || shows(FigureOverlay::trails) ||
         shows(FigureOverlay::floor);
}

Status check_view(const FigureView& view, const Project& project) {
  const std::vector<FigureOverlay> possible = figure_overlays(view.kind);
  for (const FigureOverlay overlay : view.overlays)
    if (std::find(possible.begin(), possible.end(), overlay) == possible.end())
      return wrong("this view cannot show that", std::string(figure_overlay_name(overlay)),
                   "Choose from " + listed(possible) + ".");
  if (view.kind == FigureKind::camera && view.camera >= project.cameras.size())
    return wrong("there is no such camera", std::to_string(view.camera), "Choose one of the project's.");
  if (view.width_px < kMinFigureWidth_px || view.width_px > kMaxFigureWidth_px || view.width_px % 2 != 0)
    return wrong("a figure cannot be that wide", std::to_string(view.width_px) + " px",
                 "Choose an even number from " + std::to_string(kMinFigureWidth_px) + " to " +
                     std::to_string(kMaxFigureWidth_px) + ".");
  if (view.kind == FigureKind::scene) VANTAGE_TRY(check_scene_figure(view.scene));
  if (needs_calibration(view) && !project.calibrated())
    return wrong("without a calibration there is no floor to draw", {},
                 "Calibrate the cameras, or draw a camera's picture without people, trails and floor.");
  return {};
}

Status check_second(const FigureView& view) {
  const bool people = view.overlays.contains(FigureOverlay::people);
  if ((view.kind == FigureKind::camera && (people || view.overlays.contains(FigureOverlay::mask))) ||
      (view.kind == FigureKind::plan && people))
    return {};
  return wrong("this view shows nothing that is compared", std::string(figure_kind_name(view.kind)),
               "Draw a camera with mask or people, or the plan with people.");
}

}  // namespace

std::string_view comparison_name(FigureComparison how) {
  return how == FigureComparison::difference ? "difference" : "side_by_side";
}

std::string_view figure_kind_name(FigureKind kind) {
  constexpr std::array<std::string_view, 4> kNames = {"camera", "plan", "heightmap", "scene"};
  return kNames[static_cast<size_t>(kind)];
}

std::string_view figure_overlay_name(FigureOverlay overlay) {
  constexpr std::array<std::string_view, 10> kNames = {
      "mask", "flow", "detections", "heads", "people", "trails", "floor", "floor_map", "volume", "skeletons"};
  return kNames[static_cast<size_t>(overlay)];
}

std::string_view figure_overlay_words(FigureOverlay overlay) {
  constexpr std::array<std::string_view, 10> kWords = {
      "foreground", "optical flow",    "detections", "heads",  "people",
      "trails",     "zones and lines", "floor map",  "volume", "skeletons"};
  return kWords[static_cast<size_t>(overlay)];
}

std::vector<FigureOverlay> figure_overlays(FigureKind kind) {
  using enum FigureOverlay;
  if (kind == FigureKind::plan) return {floor_map, floor, trails, people};
  if (kind == FigureKind::height_map) return {heads};
  if (kind == FigureKind::scene) return {volume, floor_map, floor, trails, skeletons, people};
  return {mask, flow, floor, trails, detections, heads, people};
}

std::set<FigureOverlay> default_figure_overlays(FigureKind kind) {
  using enum FigureOverlay;
  if (kind == FigureKind::plan) return {floor_map, floor, trails, people};
  if (kind == FigureKind::height_map) return {heads};
  if (kind == FigureKind::scene) return {volume, floor, trails, people};
  return {mask, people};
}

Status check_figure(const FigureOptions& options) {
  if (!options.project.has_pictures())
    return wrong("the project has no videos", {}, "Add cameras with videos.");
  if (options.project.live())
    return wrong("figures are drawn of recordings, not of live cameras", {}, "Record the cameras first.");
  VANTAGE_TRY(check_view(options.view, options.project));
  if (options.second) VANTAGE_TRY(check_second(options.view));
  const int64_t count = options.frames.end - options.frames.begin;
  if (options.frames.begin < 0 || count < 1)
    return wrong("the span holds no frame",
                 std::to_string(options.frames.begin) + ":" + std::to_string(options.frames.end), {});
  const bool turns = options.view.kind == FigureKind::scene && options.view.scene.turn_deg != 0;
  if (options.out.extension() == ".png" && turns)
    return wrong("a picture does not turn", options.out.string(),
                 "Choose a name that ends in .mp4, or no turn.");
  if (options.out.extension() == ".png")
    return count > 1 ? Status(wrong("a picture shows one frame", options.out.string(),
                                    "Choose one frame, or a name that ends in .mp4."))
                     : Status();
  if (film(options.out)) return {};
  return wrong("this is not a file type for figures", options.out.string(),
               "Use a name that ends in .png for a picture; .mp4, .mkv or .avi for a film.");
}

namespace {

constexpr double kRadians = std::numbers::pi / 180;

Status within(const char* name, double value, double low, double high, const char* unit) {
  if (value >= low && value <= high) return {};
  return fail(ErrorKind::invalid_argument, std::string("a scene has no such ") + name,
              fmt::format("{:g}", value) + unit,
              fmt::format("Choose {} from {:g} to {:g}{}.", name, low, high, unit));
}

}  // namespace

Status check_scene_figure(const SceneFigure& scene) {
  VANTAGE_TRY(within("azimuth", scene.azimuth_deg, -360, 360, " degrees"));
  VANTAGE_TRY(
      within("elevation", scene.elevation_deg, kMinSceneElevation_deg, kMaxSceneElevation_deg, " degrees"));
  if (scene.distance_m) VANTAGE_TRY(within("distance", *scene.distance_m, 0.1, kMaxSceneDistance_m, " m"));
  if (scene.look_at_m)
    for (const double value : *scene.look_at_m)
      VANTAGE_TRY(within("position", value, -kMaxSceneDistance_m, kMaxSceneDistance_m, " m"));
  VANTAGE_TRY(within("turn", scene.turn_deg, -kMaxSceneTurn_deg, kMaxSceneTurn_deg, " degrees"));
  return within("time", scene.seconds, 0, kMaxSceneFilm_s, " s");
}

int64_t turning_pictures(const SceneFigure& scene, double frame_rate) {
  if (scene.turn_deg == 0) return 0;
  const double seconds = scene.seconds > 0 ? scene.seconds : std::abs(scene.turn_deg) / kSceneTurn_deg_per_s;
  return std::max<int64_t>(1, std::lround(seconds * frame_rate));
}

OrbitCamera scene_camera(const SceneFigure& scene, const OrbitCamera& fitted, double film_share) {
  OrbitCamera camera = fitted;
  camera.look_from((scene.azimuth_deg + film_share * scene.turn_deg) * kRadians,
                   scene.elevation_deg * kRadians);
  if (scene.distance_m) camera.set_distance_m(*scene.distance_m);
  if (scene.look_at_m) camera.look_at(*scene.look_at_m);
  return camera;
}

}  // namespace vantage
