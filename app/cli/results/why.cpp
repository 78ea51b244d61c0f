// vantage-cli why: why a person is at a place of the floor in a frame, or no one; why a pixel is in the mask.
#include <cmath>
#include <cstdio>

#include "app/cli/common/chain.h"
#include "app/cli/common/value_or_fail.h"
#include "core/why/answer_json.h"
#include "core/why/question.h"

namespace vantage::cli {
namespace {

struct WhyOptions {
  ChainOptions chain;
  int64_t frame = -1;
  std::vector<double> place;  // x, y in metres
  std::string camera;
  std::vector<int> pixel;  // column, row
  bool json = false;
};

WhyQuestion question_of(const WhyOptions& options, const Project& project) {
  if (!options.place.empty()) return {options.frame, FloorQuestion{options.place[0], options.place[1]}};
  const int camera = camera_named(project, options.camera, "--camera");
  return {options.frame, PixelQuestion{static_cast<size_t>(camera), options.pixel[0], options.pixel[1]}};
}

void tell_why(const WhyOptions& options) {
  if (options.place.empty() == options.pixel.empty())
    throw CLI::ValidationError("--place", "give either --place, or --camera and --pixel");
  for (const double coordinate : options.place)
    if (!std::isfinite(coordinate))
      throw CLI::ValidationError("--place", "two numbers are needed, in metres");
  Project project = load_project_or_fail(options.chain);
  const WhyQuestion question = question_of(options, project);
  const OpenedChain chain = open_chain_or_fail(options.chain, std::move(project));
  cut_to_recording_or_fail({options.frame, options.frame + 1}, chain.analysis->source());
  const FrameResultRef result =
      value_or_fail(chain.analysis->pipeline().frame(options.frame, {}, interrupted()));
  const WhyAnswer answer =
      value_or_fail(answer_to(question, chain.project, *chain.analysis, *result, interrupted()));
  if (options.json)
    print_json(json_of(answer));
  else
    std::printf("%s", text_of(answer).c_str());
}

}  // namespace

void add_why(CLI::App& app) {
  auto options = std::make_shared<WhyOptions>();
  CLI::App* command = app.add_subcommand(
      "why",
      "Explain why a person is found at a position of the floor, or not; or why a pixel is in the mask.");
  command->footer(
      "A place: what each camera saw, expected and could not see, and the thresholds of the search for "
      "people;\n"
      "each is tried with other values until the outcome changes, and the decisive one is named. A pixel: "
      "its\n"
      "colour compared with its model, distance, shadow, cleaning, and what the other stages make of it.\n"
      "Example: vantage-cli why hall.vantage --frame 120 --place 1.2,3.4\n"
      "Example: vantage-cli why hall.vantage --frame 120 --camera cam2 --pixel 640,360 --json");
  add_chain_options(*command, options->chain);
  command->add_option("--frame", options->frame, "frame of the base camera, from 0")
      ->required()
      ->check(CLI::NonNegativeNumber);
  command->add_option("--place", options->place, "position on the floor, in metres")
      ->type_name("X,Y")
      ->delimiter(',')
      ->expected(2);
  CLI::Option* camera = command->add_option("--camera", options->camera, "whose pixel, by the camera's name");
  CLI::Option* pixel = command->add_option("--pixel", options->pixel, "column and row of the picture, from 0")
                           ->type_name("U,V")
                           ->delimiter(',')
                           ->expected(2);
  camera->needs(pixel);
  pixel->needs(camera);
  command->add_flag("--json", options->json, "print JSON");
  command->callback([options] { tell_why(*options); });
}

}  // namespace vantage::cli
