#include "app/cli/results/figure_scene.h"

#include <charconv>

#include "app/cli/common/slice.h"

namespace vantage::cli {

void add_scene_options(CLI::App& command, FigureSceneArguments& arguments) {
  SceneFigure& scene = arguments.scene;
  const auto add = [&](CLI::Option* option) {
    option->group("Scene");
    arguments.options.push_back(option);
    return option;
  };
  add(command.add_option("--azimuth", scene.azimuth_deg, "where the eye is: degrees from x towards y"))
      ->check(CLI::Range(-360.0, 360.0))
      ->capture_default_str();
  add(command.add_option("--elevation", scene.elevation_deg, "its degrees above the floor"))
      ->check(CLI::Range(kMinSceneElevation_deg, kMaxSceneElevation_deg))
      ->capture_default_str();
  add(command.add_option("--distance", arguments.distance,
                         "metres to what it looks at, or fit: floor and cameras are all in view"))
      ->type_name("METRES|fit")
      ->capture_default_str();
  add(command.add_option("--look-at", arguments.look_at_m, "what it looks at; the middle if absent"))
      ->type_name("X,Y,Z")
      ->delimiter(',')
      ->expected(3);
  CLI::Option* turn =
      add(command.add_option(
              "--turn", scene.turn_deg,
              "degrees that the eye goes around during the film, counter-clockwise from above"))
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

}  // namespace vantage::cli
