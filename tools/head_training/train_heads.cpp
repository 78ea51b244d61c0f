// vantage-cli train-heads: makes the head detector's model.
#include <fmt/core.h>

#include <chrono>
#include <filesystem>

#include "app/cli/common/command.h"
#include "core/base/json.h"
#include "core/heads/curve.h"
#include "tools/head_training/train.h"

namespace vantage::cli {
namespace {

struct TrainHeadsCommand {
  HeadTrainingOptions options;
  std::string out, negatives;
  bool json = false;
};

// The command that makes the same model; folders are stated without their path.
std::string command_line(const TrainHeadsCommand& command) {
  const HeadTrainingOptions& o = command.options;
  std::string line = fmt::format(
      "vantage-cli train-heads --seed {} --scenes {} --weak {} --others {} --alpha {:g} "
      "--clutter {:g} --textured {:g} --sporty {:g} --rolled {:g} --false-positives {:g}",
      o.seed, o.scenes, o.weak, o.others, o.alpha, o.shares.clutter, o.shares.textured, o.shares.sporty,
      o.shares.rolled, o.false_positives);
  if (!command.negatives.empty())
    line += " --negatives " + std::filesystem::path(command.negatives).filename().string();
  return line + " --out heads.model";
}

nlohmann::ordered_json json_of(const TrainHeadsCommand& command, const TrainedHeads& trained,
                               double seconds) {
  nlohmann::ordered_json curve = nlohmann::ordered_json::array();
  for (const double wanted : {0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0}) {
    const HeadCurve::Point point = trained.curve.at(wanted);
    curve.push_back(
        {{"false_positives", point.false_positives}, {"recall", point.recall}, {"score", point.score}});
  }
  return {{"out", command.out},
          {"weak_classifiers", trained.model.weak.size()},
          {"pictures", trained.curve.pictures()},
          {"heads", trained.curve.heads()},
          {"curve", curve},
          {"seconds", seconds}};
}

void train(const TrainHeadsCommand& command) {
  HeadTrainingOptions options = command.options;
  options.negatives = command.negatives;
  const auto start = std::chrono::steady_clock::now();
  std::unique_ptr<Progress> progress;
  std::string what;
  TrainedHeads trained = value_or_fail(train_heads(
      options,
      [&](const HeadTrainingProgress& p) {
        if (p.what != what) progress = std::make_unique<Progress>(what = p.what);
        progress->update(p.done, p.total);
      },
      interrupted()));
  progress.reset();
  trained.model.description = command_line(command) + "\n" + trained.curve.text();
  check_or_fail(write_head_model(command.out, trained.model));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  if (command.json) return print_json(json_of(command, trained, took.count()));
  fmt::print("{} weak classifiers in {:.0f} s, written to {}\n{}", trained.model.weak.size(), took.count(),
             command.out, trained.curve.text());
}

}  // namespace

void add_train_heads(CLI::App& app) {
  auto command = std::make_shared<TrainHeadsCommand>();
  CLI::App* sub = app.add_subcommand("train-heads", "Train the head detector from rendered people.");
  sub->footer(
      "The same arguments make the same model. Training uses only rendered pictures, unless a\n"
      "folder of pictures without heads is given.\n"
      "Example: vantage-cli train-heads --out heads.model --seed 1");
  HeadTrainingOptions& o = command->options;
  sub->add_option("--out", command->out, "the model")->required();
  sub->add_option("--negatives", command->negatives, "folder of PNG files without any head")
      ->check(CLI::ExistingDirectory);
  sub->add_option("--seed", o.seed, "another seed renders other people")->capture_default_str();
  sub->add_option("--scenes", o.scenes, "rendered scenes, twelve pictures each")
      ->check(CLI::Range(4, 10000))
      ->capture_default_str();
  sub->add_option("--weak", o.weak, "weak classifiers")
      ->check(CLI::Range(1, kMaxWeakClassifiers))
      ->capture_default_str();
  sub->add_option("--others", o.others, "windows without a head used at a time")
      ->check(CLI::Range(1000, 1000000))
      ->capture_default_str();
  sub->add_option("--alpha", o.alpha, "share of heads that may be lost")
      ->check(CLI::Range(0.001, 0.3))
      ->capture_default_str();
  sub->add_option("--clutter", o.shares.clutter, "share of pictures with painted clutter behind the people")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  sub->add_option("--textured", o.shares.textured, "share of pictures whose people are spotted")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  sub->add_option("--sporty", o.shares.sporty,
                  "share of people who bend far, half-dressed, capped, at times without a face")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  sub->add_option("--rolled", o.shares.rolled, "share of cameras rotated by up to 23 degrees")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  sub->add_option("--false-positives", o.false_positives,
                  "false positives per picture, on held-out scenes, at which the threshold is set")
      ->check(CLI::Range(0.001, 10.0))
      ->capture_default_str();
  add_json_flag(*sub, &command->json);
  sub->callback([command] { train(*command); });
}

}  // namespace vantage::cli
