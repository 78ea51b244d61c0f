// vantage-cli figure: writes a view of a frame as a picture for papers, or of a span as a film.

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "app/cli/common/chain.h"
#include "app/cli/common/command.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/export/figure/figure.h"
#include "core/export/figure/scalar_plot.h"
#include "core/project/project.h"
#include "core/project/variants.h"

namespace vantage::cli {
namespace {

// Options of `figure --view scene` in addition to a figure's own.

struct FigureSceneArguments {
  SceneFigure scene;
  std::string distance = "fit", color = "person", slice;
  std::vector<double> look_at_m;
  std::vector<CLI::Option*> options;
};

void add_scene_options(CLI::App& command, FigureSceneArguments& arguments) {
  SceneFigure& scene = arguments.scene;
  const auto add = [&](CLI::Option* option) {
    option->group("Scene");
    arguments.options.push_back(option);
    return option;
  };
  add(command.add_option("--azimuth", scene.azimuth_deg, "position of the eye: degrees from x towards y"))
      ->check(CLI::Range(-360.0, 360.0))
      ->capture_default_str();
  add(command.add_option("--elevation", scene.elevation_deg, "its degrees above the floor"))
      ->check(CLI::Range(kMinSceneElevation_deg, kMaxSceneElevation_deg))
      ->capture_default_str();
  add(command.add_option("--distance", arguments.distance,
                         "distance to the target in metres, or fit: floor and all cameras are in view"))
      ->type_name("METRES|fit")
      ->capture_default_str();
  add(command.add_option("--look-at", arguments.look_at_m, "target of the view; the middle if absent"))
      ->type_name("X,Y,Z")
      ->delimiter(',')
      ->expected(3);
  CLI::Option* turn =
      add(command.add_option(
              "--turn", scene.turn_deg,
              "degrees by which the eye moves around during the film, counter-clockwise from above"))
          ->check(CLI::Range(-kMaxSceneTurn_deg, kMaxSceneTurn_deg));
  add(command.add_option("--seconds", scene.seconds,
                         "of a film that turns about one frame; 30 degrees a second if absent"))
      ->check(CLI::Range(0.04, kMaxSceneFilm_s))
      ->needs(turn);
  add(command.add_option("--color", arguments.color, "meaning of the volume's colour: person or height"))
      ->check(CLI::IsMember({"person", "height"}))
      ->capture_default_str();
  add(command.add_option("--slice", arguments.slice, "the confidence on a plane: x=, y= or z= metres"))
      ->type_name("z=1.0");
}

// `wanted`: the view is the scene; these options are wrong usage for others.
SceneFigure scene_of(const FigureSceneArguments& arguments, bool wanted) {
  for (const CLI::Option* option : arguments.options)
    if (!wanted && option->count() > 0)
      throw CLI::ValidationError(option->get_name(), "only with --view scene");
  SceneFigure scene = arguments.scene;
  if (arguments.distance != "fit") {
    const char* end = arguments.distance.data() + arguments.distance.size();
    const auto read = std::from_chars(arguments.distance.data(), end, scene.distance_m.emplace());
    if (read.ec != std::errc() || read.ptr != end || !(*scene.distance_m > 0))
      throw CLI::ValidationError("--distance", "metres above 0, or fit");
  }
  if (!arguments.look_at_m.empty()) scene.look_at_m = Eigen::Vector3d(arguments.look_at_m.data());
  scene.by_height = arguments.color == "height";
  if (!arguments.slice.empty()) scene.slice = parse_slice(arguments.slice);
  return scene;
}

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
      append_item(&possible, figure_overlay_name(overlay));
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
  fmt::print("{}: {} x {} px, {} {}\n", arguments.out, made.width_px, made.height_px, made.frames,
             made.frames == 1 ? "frame" : "frames");
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
  command->add_option("--camera", options->camera, "camera, by name; the first if absent");
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
  add_json_flag(*command, &options->json);
  command->callback([options] { draw_figure(*options); });
}

// vantage-cli plot: plots results over time, as a histogram, or one over the other, into a file.

namespace {

namespace fs = std::filesystem;

struct PlotArguments {
  std::string source, variant, frames, kind = "time", out;
  std::vector<std::string> figures;
  int bins = 0, width_px = static_cast<int>(Plot().width_px), height_px = static_cast<int>(Plot().height_px);
  bool json = false;
};

fs::path results_of(const PlotArguments& arguments) {
  if (fs::is_directory(arguments.source)) {
    if (!arguments.variant.empty())
      throw CLI::ValidationError("--variant", "only with a project: a folder of results has no variants");
    return arguments.source;
  }
  const Project project = value_or_fail(load_project(arguments.source));
  if (arguments.variant.empty()) return project.results_folder();
  static_cast<void>(value_or_fail(read_variant(project.path, arguments.variant, default_parameters())));
  return variant_results(project.path, arguments.variant);
}

ScalarPlotKind kind_of(const std::string& name) {
  for (const ScalarPlotKind kind : kScalarPlotKinds)
    if (scalar_plot_name(kind) == name) return kind;
  throw CLI::ValidationError("--kind", "time, histogram or scatter is expected");
}

nlohmann::ordered_json told(const ResultScalars& scalars, const PlotArguments& arguments) {
  nlohmann::ordered_json json = {{"file", arguments.out},
                                 {"kind", arguments.kind},
                                 {"frames", scalars.frames.size()},
                                 {"figures", nlohmann::ordered_json::array()}};
  for (const ScalarSeries& series : scalars.series) {
    int64_t known = 0;
    double sum = 0, low = std::numeric_limits<double>::infinity(), high = -low;
    for (const double value : series.values)
      if (std::isfinite(value))
        ++known, sum += value, low = std::min(low, value), high = std::max(high, value);
    nlohmann::ordered_json one = {{"name", series.name}, {"unit", series.unit}, {"known_frames", known}};
    if (known > 0) one.update({{"mean", sum / static_cast<double>(known)}, {"min", low}, {"max", high}});
    json["figures"].push_back(one);
  }
  return json;
}

void plot(const PlotArguments& arguments) {
  const ScalarPlotKind kind = kind_of(arguments.kind);
  if (kind == ScalarPlotKind::scatter && arguments.figures.size() != 2)
    throw CLI::ValidationError("--of", "a scatter plot shows two figures, the second over the first");
  if (kind != ScalarPlotKind::histogram && arguments.bins != 0)
    throw CLI::ValidationError("--bins", "only of a histogram");
  const FrameRange frames = arguments.frames.empty() ? FrameRange{0, std::numeric_limits<int64_t>::max()}
                                                     : parse_frames(arguments.frames);
  const ResultScalars scalars = value_or_fail(read_scalars(results_of(arguments), arguments.figures, frames));
  ScalarPlot made = value_or_fail(scalar_plot(scalars, kind, arguments.bins));
  made.plot.width_px = arguments.width_px, made.plot.height_px = arguments.height_px;
  check_or_fail(write_scalar_plot(made, arguments.out));
  const nlohmann::ordered_json json = told(scalars, arguments);
  if (arguments.json) return print_json(json);
  fmt::print("{}: {} frames\n", arguments.out, scalars.frames.size());
  for (const auto& one : json["figures"])
    if (one["known_frames"].get<int64_t>() > 0)
      fmt::print("  {}: mean {:.6g}, {:.6g} to {:.6g} {}\n", one["name"].get<std::string>(),
                 one["mean"].get<double>(), one["min"].get<double>(), one["max"].get<double>(),
                 one["unit"].get<std::string>());
}

std::string figures_text() {
  std::string text = "Figures:\n";
  for (const ScalarKind& kind : scalar_kinds()) {
    std::string name = scalar_name(kind);
    name.resize(std::max<size_t>(name.size() + 2, 22), ' ');
    text += "  " + name + std::string(kind.meaning) +
            (kind.unit.empty() ? "" : " (" + std::string(kind.unit) + ")") + "\n";
  }
  return text;
}

}  // namespace

void add_plot(CLI::App& app) {
  auto options = std::make_shared<PlotArguments>();
  CLI::App* command =
      app.add_subcommand("plot", "Draw figures of results over time, their histogram, or one over another.");
  command->footer(
      figures_text() +
      "Example: vantage-cli plot hall.vantage --of people,litres --out P.svg\n"
      "Example: vantage-cli plot hall.results --of speed_m_per_s:3 --kind histogram --bins 20 --out "
      "P.pdf\n"
      "Example: vantage-cli plot hall.vantage --of people,ms:carving --kind scatter --out P.csv");
  command->add_option("source", options->source, "a project, whose results are read, or a folder of results")
      ->required()
      ->check(CLI::ExistingPath);
  command->add_option("--of", options->figures, "figures, by the names below; of a scatter plot x and y")
      ->required()
      ->delimiter(',')
      ->type_name("NAME,…");
  command->add_option("--kind", options->kind, "time, histogram or scatter")
      ->check(CLI::IsMember({"time", "histogram", "scatter"}))
      ->capture_default_str();
  command->add_option("--frames", options->frames, "only these, B excluded; all if absent")->type_name("A:B");
  command->add_option("--variant", options->variant, "the results kept under that variant of the project")
      ->type_name("NAME");
  command->add_option("--bins", options->bins, "of a histogram; by the number of values if absent")
      ->check(CLI::Range(1, kMaxBins));
  command->add_option("--width", options->width_px, "of the page in pixels; wider for long names")
      ->check(CLI::Range(kMinPlot_px, kMaxPlot_px))
      ->capture_default_str();
  command->add_option("--height", options->height_px, "of the page in pixels")
      ->check(CLI::Range(kMinPlot_px, kMaxPlot_px))
      ->capture_default_str();
  command
      ->add_option("--out", options->out, "F.svg, F.pdf (96 pixels an inch) or F.png; F.csv for the values")
      ->required();
  add_json_flag(*command, &options->json);
  command->callback([options] { plot(*options); });
}

}  // namespace vantage::cli
