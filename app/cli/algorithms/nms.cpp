#include <chrono>
#include <cstdio>
#include <map>

#include "app/backends/backend_option.h"
#include "app/backends/backends.h"
#include "app/cli/common/command.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/primitives/detection_csv.h"

namespace vantage::cli {
namespace {

struct NmsCommand {
  std::string boxes, out, method = "greedy", overlap, backend = "auto";
  float threshold = 0.5f, sigma = 0.5f, min_score = 0.001f;
  int partitions = 0;
  bool inclusive = false, across_classes = false, pixels = false, json = false;
};

// As published, map-reduce measures by the suppressor's area, suppresses at the threshold and counts pixels.
NmsOptions options_of(const NmsCommand& command) {
  static const std::map<std::string, NmsMethod> kMethods = {{"greedy", NmsMethod::greedy},
                                                            {"mapreduce", NmsMethod::mapreduce},
                                                            {"soft-linear", NmsMethod::soft_linear},
                                                            {"soft-gaussian", NmsMethod::soft_gaussian}};
  static const std::map<std::string, NmsOverlap> kOverlaps = {{"iou", NmsOverlap::iou},
                                                              {"own", NmsOverlap::own},
                                                              {"other", NmsOverlap::other},
                                                              {"min", NmsOverlap::smaller}};
  NmsOptions options;
  options.method = kMethods.at(command.method);
  if (options.method == NmsMethod::mapreduce) options = published_nms(command.threshold);
  options.rule.threshold = command.threshold;
  if (!command.overlap.empty()) options.rule.overlap = kOverlaps.at(command.overlap);
  options.rule.inclusive = options.rule.inclusive || command.inclusive;
  options.rule.per_class = !command.across_classes;
  if (command.pixels) options.rule.pixel = 1;
  options.sigma = command.sigma;
  options.min_score = command.min_score;
  options.partitions = command.partitions;
  return options;
}

void report(const NmsCommand& command, size_t boxes, size_t kept, const std::string& device, double ms) {
  if (!command.json) {
    std::printf("%zu of %zu boxes kept, %.3f ms (%s)\n", kept, boxes, ms, device.c_str());
    return;
  }
  nlohmann::ordered_json json = {{"boxes", boxes},   {"kept", kept},       {"method", command.method},
                                 {"device", device}, {"milliseconds", ms}, {"out", command.out}};
  if (command.partitions != 0) json["partitions"] = command.partitions;
  print_json(json);
}

void suppress(const NmsCommand& command) {
  if (command.partitions != 0 && command.method != "mapreduce")
    throw CLI::ValidationError("--partitions", "only --method mapreduce has partitions");
  const Result<std::string> text = read_file(command.boxes);
  if (!text) fail_command(text.error());
  const Result<DetectionTable> table = read_detections(*text, command.boxes);
  if (!table) fail_command(table.error());
  const Result<Backends> backends = open_backends(command.backend, nullptr);
  if (!backends) fail_command(backends.error());
  const auto nms = backends->on_device().create<NonMaximumSuppression>({});
  if (!nms) fail_command(nms.error());
  const NmsOptions options = options_of(command);
  const auto start = std::chrono::steady_clock::now();
  const Result<NmsResult> result = (*nms)->run(table->detections, options);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  if (!result) fail_command(result.error());
  const bool soft = options.method == NmsMethod::soft_linear || options.method == NmsMethod::soft_gaussian;
  if (const Status written = write_file_atomically(command.out, write_kept_rows(*table, *result, soft));
      !written)
    fail_command(written.error());
  report(command, table->rows.size(), result->kept.size(), backends->description, took.count());
}

}  // namespace

void add_nms(CLI::App& app) {
  auto options = std::make_shared<NmsCommand>();
  CLI::App* command =
      app.add_subcommand("nms", "Non-maximum suppression: of boxes that overlap, keep the best.");
  command->footer(
      "Example: vantage-cli nms boxes.csv --method greedy --threshold 0.5 --overlap iou --out keep.csv\n"
      "The published kernels, on a GPU: vantage-cli nms boxes.csv --method mapreduce --partitions 32 --out "
      "keep.csv");
  command->add_option("boxes", options->boxes, "CSV with the header x,y,w,h,score[,class]")->required();
  command->add_option("--out", options->out, "the kept rows, in the order of the input")->required();
  command->add_option("--method", options->method)
      ->check(CLI::IsMember({"greedy", "mapreduce", "soft-linear", "soft-gaussian"}))
      ->capture_default_str();
  command
      ->add_option("--partitions", options->partitions,
                   "mapreduce, on a GPU only: the published kernels, with a matrix of all pairs whose rows "
                   "are reduced in this many steps; up to 32768 boxes, at most 1024 a step. Without it no "
                   "matrix is made; the boxes kept are the same")
      ->check(CLI::Range(1, kMapReduceNmsMaxPartitions));
  command->add_option("--threshold", options->threshold, "overlap above which a box is suppressed")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command
      ->add_option(
          "--overlap", options->overlap,
          "common area over the union, the box's own area, the suppressor's (other) or the smaller one "
          "(min); iou unless the method is mapreduce, which takes other")
      ->check(CLI::IsMember({"iou", "own", "other", "min"}));
  command->add_flag("--inclusive", options->inclusive,
                    "a box is suppressed at the threshold too (mapreduce always)");
  command->add_flag("--across-classes", options->across_classes,
                    "boxes of different classes compete as well");
  command->add_flag("--pixels", options->pixels,
                    "a box covers the pixels x to x+w inclusive (mapreduce always)");
  command->add_option("--sigma", options->sigma, "soft-gaussian: width of the decay")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command
      ->add_option("--min-score", options->min_score,
                   "soft methods: boxes whose score falls below are dropped")
      ->capture_default_str();
  add_backend_option(*command, options->backend, "where it runs; auto takes a GPU when there is one");
  command->add_flag("--json", options->json, "print JSON");
  command->callback([options] { suppress(*options); });
}

}  // namespace vantage::cli
