#include <cstdio>

#include "app/backends/backend_option.h"
#include "app/backends/backends.h"
#include "app/cli/common/set_option.h"
#include "app/cli/common/value_or_fail.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/image/png.h"
#include "core/optical_flow/flow_courier.h"
#include "core/optical_flow/flow_file.h"
#include "core/project/parameters_json.h"

namespace vantage::cli {
namespace {

struct FlowOptions {
  std::string earlier, later, out, color, confidence, mask, initial, truth, backend = "auto";
  SetOption set;
  double longest_px = 0;
  bool json = false;
};

FlowField estimate(const FlowOptions& options, const OpticalFlowParameters& parameters,
                   const Backends& backends) {
  HostPool& pool = HostPool::shared();
  const FlowCourier memory = value_or_fail(FlowCourier::make(backends.on_device()));
  const Image earlier = value_or_fail(memory.upload(value_or_fail(read_png_gray(options.earlier, pool))));
  const Image later = value_or_fail(memory.upload(value_or_fail(read_png_gray(options.later, pool))));
  FlowRequest request;
  request.confidence = !options.confidence.empty() || options.json;
  if (!options.mask.empty())
    request.mask = value_or_fail(memory.upload(value_or_fail(read_png_gray(options.mask, pool))));
  if (!options.initial.empty())
    request.initial = value_or_fail(memory.upload(value_or_fail(read_flo(options.initial, pool))));
  const auto flow = value_or_fail(backends.on_device().create<OpticalFlow>({}));
  flow->set_parameters(parameters);
  value_or_fail(flow->next(earlier, {}, 0));
  return value_or_fail(memory.download(value_or_fail(flow->next(later, request, 1))));
}

void write_files(const FlowOptions& options, const FlowField& field) {
  check_or_fail(write_flo(options.out, field));
  if (!options.color.empty())
    check_or_fail(write_png_rgb(options.color,
                                value_or_fail(color_flow(field, options.longest_px, HostPool::shared()))));
  if (!options.confidence.empty()) check_or_fail(write_png_gray(options.confidence, field.confidence));
}

nlohmann::ordered_json describe(const FlowOptions& options, const OpticalFlowParameters& parameters,
                                const Backends& backends, const FlowField& field) {
  const FlowStatistics statistics = flow_statistics(field);
  nlohmann::ordered_json json = {{"width", field.width},
                                 {"height", field.height},
                                 {"backend", device_name(backends.device)},
                                 {"known_vectors", statistics.known},
                                 {"mean_px", statistics.mean_px},
                                 {"longest_px", statistics.longest_px}};
  if (field.confidence) json["mean_confidence"] = statistics.mean_confidence;
  if (!options.truth.empty())
    json["endpoint_error_px"] =
        value_or_fail(mean_endpoint_error(field, value_or_fail(read_flo(options.truth, HostPool::shared()))));
  for (const ParameterDescription& entry : parameter_table<OpticalFlowParameters>().entries)
    json["parameters"]["flow." + entry.name] = parameter_value_json(entry, entry.get(&parameters));
  return json;
}

void print_text(const nlohmann::ordered_json& json, const std::string& out) {
  std::printf("%dx%d, %lld known vectors, mean %.3f px, longest %.3f px\n", json["width"].get<int>(),
              json["height"].get<int>(), static_cast<long long>(json["known_vectors"].get<int64_t>()),
              json["mean_px"].get<double>(), json["longest_px"].get<double>());
  if (json.contains("mean_confidence"))
    std::printf("mean confidence %.3f\n", json["mean_confidence"].get<double>());
  if (json.contains("endpoint_error_px"))
    std::printf("end-point error %.4f px\n", json["endpoint_error_px"].get<double>());
  std::printf("written to %s\n", out.c_str());
}

void flow(const FlowOptions& options) {
  const auto parameters =
      options.set.apply_to({&parameter_table<OpticalFlowParameters>()}).get<OpticalFlowParameters>();
  const Backends backends = value_or_fail(open_backends(options.backend, nullptr));
  for (const std::string& note : backends.notes) std::fprintf(stderr, "%s\n", note.c_str());
  const FlowField field = estimate(options, parameters, backends);
  write_files(options, field);
  const nlohmann::ordered_json json = describe(options, parameters, backends, field);
  if (options.json)
    print_json(json);
  else
    print_text(json, options.out);
}

}  // namespace

void add_flow(CLI::App& app) {
  auto options = std::make_shared<FlowOptions>();
  CLI::App* command =
      app.add_subcommand("flow", "Dense optical flow from one picture to the next (Farneback).");
  command->footer(
      "Example: vantage-cli flow frame10.png frame11.png --out flow.flo --color flow.png --set "
      "flow.window_px=15");
  command->add_option("earlier", options->earlier, "PNG, grey or colour")->required();
  command->add_option("later", options->later, "PNG of the same size")->required();
  command->add_option("--out", options->out, "the flow, Middlebury .flo")->required();
  command->add_option("--color", options->color, "PNG: hue is direction, saturation is length");
  command->add_option("--longest", options->longest_px,
                      "length in px of full colour; that of the longest vector if absent");
  command->add_option("--confidence", options->confidence, "PNG: forward-backward confidence, 255 = 1");
  command->add_option("--mask", options->mask, "PNG: vectors are unknown where it is 0");
  command->add_option("--initial", options->initial, ".flo to start from");
  command->add_option("--truth", options->truth, ".flo to compare with: prints the mean end-point error");
  options->set.add_to(*command, "flow");
  add_backend_option(*command, options->backend, "where it runs; auto takes a GPU when there is one");
  command->add_flag("--json", options->json, "print JSON");
  command->callback([options] { flow(*options); });
}

}  // namespace vantage::cli
