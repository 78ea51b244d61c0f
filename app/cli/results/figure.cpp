// vantage-cli figure: a view of a frame as a picture for papers, or of a span as a film.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/cli/common/chain.h"
#include "app/cli/common/value_or_fail.h"
#include "app/cli/results/figure_scene.h"
#include "core/export/figure/figure.h"
#include "core/project/variants.h"

namespace vantage::cli {
namespace {

struct FigureArguments {
  ChainOptions chain;
  int64_t frame = -1;
  std::string view = "camera", camera, out, variant, against, compared_by = "difference";
  std::vector<std::string> overlays;
  int width_px = FigureView().width_px;
  FigureSceneArguments scene;
  bool json = false;
};

FigureKind kind_named(const std::string& name) {
  for (const FigureKind kind : kFigureKinds)
    if (figure_kind_name(kind) == name) return kind;
  throw CLI::ValidationError("--view", "camera, plan, heightmap or scene is expected");
}

std::set<FigureOverlay> overlays_named(const std::vector<std::string>& names, FigureKind kind) {
  if (names.empty()) return default_figure_overlays(kind);
  std::set<FigureOverlay> overlays;
  if (names == std::vector<std::string>{"none"}) return overlays;
  for (const std::string& name : names) {
    std::string possible;
    bool found = false;
    for (const FigureOverlay overlay : figure_overlays(kind)) {
      possible += (possible.empty() ? "" : ", ") + std::string(figure_overlay_name(overlay));
      if (figure_overlay_name(overlay) != name) continue;
      overlays.insert(overlay);
      found = true;
    }
    if (!found)
      throw CLI::ValidationError("--overlays", "'" + name + "' is none of this view's: " + possible);
  }
  return overlays;
}

FigureComparison comparison_named(const std::string& name) {
  for (const FigureComparison how : kFigureComparisons)
    if (comparison_name(how) == name) return how;
  throw CLI::ValidationError("--compare-by", "difference or side_by_side is expected");
}

FigureView view_of(const FigureArguments& arguments, const Project& project) {
  FigureView view;
  view.kind = kind_named(arguments.view);
  view.overlays = overlays_named(arguments.overlays, view.kind);
  view.width_px = arguments.width_px;
  if (view.kind != FigureKind::camera && !arguments.camera.empty())
    throw CLI::ValidationError("--camera", "only with --view camera");
  view.scene = scene_of(arguments.scene, view.kind == FigureKind::scene);
  if (view.kind == FigureKind::camera && !arguments.camera.empty())
    view.camera = static_cast<size_t>(camera_named(project, arguments.camera, "--camera"));
  return view;
}

void draw_figure(const FigureArguments& arguments) {
  if ((arguments.frame >= 0) == !arguments.chain.frames.empty())
    throw CLI::ValidationError(
        "--frame", "give either --frame for a picture or a film that turns, or --frames for a film");
  FigureOptions options;
  options.project = load_project_or_fail(arguments.chain);
  if (!arguments.variant.empty()) {
    options.project.parameters =
        value_or_fail(read_variant(options.project.path, arguments.variant, default_parameters())).parameters;
    options.variant = arguments.variant;
  }
  if (!arguments.against.empty())
    options.second = {
        arguments.against,
        value_or_fail(read_variant(options.project.path, arguments.against, default_parameters())).parameters,
        comparison_named(arguments.compared_by)};
  options.view = view_of(arguments, options.project);
  options.frames = arguments.frame >= 0 ? FrameRange{arguments.frame, arguments.frame + 1}
                                        : parse_frames(arguments.chain.frames);
  options.out = arguments.out;
  check_or_fail(check_figure(options));
  TraceRecorder trace;
  const Backends backends = open_backends_or_fail(arguments.chain, &trace);
  options.backends = backends.on_device(&trace);
  options.hardware = backends.hardware;
  options.stop = interrupted();
  ExportedFigure made;
  {
    Progress progress("figure");
    options.progress = [&](int64_t done, int64_t total) { progress.update(done, total); };
    made = value_or_fail(export_figure(options));
  }
  if (arguments.json)
    return print_json(nlohmann::ordered_json{{"file", arguments.out},
                                             {"width_px", made.width_px},
                                             {"height_px", made.height_px},
                                             {"frames", made.frames},
                                             {"caption", made.caption}});
  std::printf("%s: %d x %d px, %lld %s\n", arguments.out.c_str(), made.width_px, made.height_px,
              static_cast<long long>(made.frames), made.frames == 1 ? "frame" : "frames");
}

}  // namespace

void add_figure(CLI::App& app) {
  auto options = std::make_shared<FigureArguments>();
  CLI::App* command = app.add_subcommand(
      "figure", "Draw a view as a picture or film: scale, colour bar, and a caption with the parameters.");
  command->footer(
      "The same pixels as Export Figure and Export Film in the window. Overlays of a camera: mask, flow,\n"
      "detections, heads, people, trails, floor (zones and lines); of the plan: floor_map, floor, trails,\n"
      "people; of the height map: heads; of the scene: volume, floor_map, floor, trails, skeletons,\n"
      "people. Ctrl-C leaves nothing half-written.\n"
      "Example: vantage-cli figure hall.vantage --camera cam2 --frame 120 --overlays mask,people --out "
      "F.png\n"
      "Example: vantage-cli figure hall.vantage --camera cam2 --frame 120 --against strict --out D.png\n"
      "Example: vantage-cli figure hall.vantage --view plan --frames 0:250 --width 1920 --out F.mp4\n"
      "Example: vantage-cli figure hall.vantage --view scene --frame 120 --turn 360 --out F.mp4");
  add_chain_options(*command, options->chain);
  add_frames_option(*command, options->chain);
  command->add_option("--frame", options->frame, "frame of the base camera, from 0")
      ->check(CLI::NonNegativeNumber);
  command
      ->add_option("--view", options->view, "camera, plan (the floor from above), heightmap or scene (3-D)")
      ->check(CLI::IsMember({"camera", "plan", "heightmap", "scene"}))
      ->capture_default_str();
  command->add_option("--camera", options->camera,
                      "whose picture, by the camera's name; the first if absent");
  command
      ->add_option("--overlays", options->overlays, "what is drawn over it, or none; by default mask,people")
      ->delimiter(',')
      ->type_name("NAME,…");
  add_scene_options(*command, options->scene);
  command->add_option("--width", options->width_px, "of the whole figure in pixels, even")
      ->check(CLI::Range(kMinFigureWidth_px, kMaxFigureWidth_px))
      ->capture_default_str();
  command->add_option("--variant", options->variant, "with the parameters of that variant of the project")
      ->type_name("NAME")
      ->excludes("--set");
  CLI::Option* against = command
                             ->add_option("--against", options->against,
                                          "B: a variant whose people and foreground are compared with those "
                                          "of the project, or of --variant, A")
                             ->type_name("NAME");
  command
      ->add_option("--compare-by", options->compared_by,
                   "difference (one picture, in colour what only one has) or side_by_side")
      ->check(CLI::IsMember({"difference", "side_by_side"}))
      ->needs(against)
      ->capture_default_str();
  command->add_option("--out", options->out, "F.png for a picture; F.mp4, F.mkv or F.avi for a film")
      ->required();
  command->add_flag("--json", options->json, "print size and caption as JSON");
  command->callback([options] { draw_figure(*options); });
}

}  // namespace vantage::cli
