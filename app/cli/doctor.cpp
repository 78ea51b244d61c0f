#include <tbb/version.h>

#include <CLI/Version.hpp>
#include <Eigen/Core>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "app/backends/backends.h"
#include "app/backends/cuda_module.h"
#include "app/cli/common/command.h"
#include "core/base/instruction_sets.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/detections/engine.h"
#include "core/video/av_handles.h"

namespace vantage::cli {
namespace {

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) append_item(&text, name);
  return text.empty() ? "none" : text;
}

void add_names(const std::string& key, const std::string& label, const std::vector<std::string>& names,
               Report* to) {
  to->add(key, label, names, joined(names));
}

Report device_report(const DeviceInfo& device) {
  const Unit gibibytes{"GiB", 1, 1.0 / (1 << 30)};
  Report row;
  row.add_count("index", "GPU", device.index), row.add("name", "name", device.name);
  row.add("compute", "compute",
          std::to_string(device.compute_major) + "." + std::to_string(device.compute_minor));
  row.add_count("multiprocessors", "multiprocessors", device.multiprocessors);
  row.add("memory_bytes", "memory", device.memory_bytes,
          unit_text(static_cast<double>(device.memory_bytes), gibibytes));
  row.add("free_bytes", "free", device.free_bytes,
          unit_text(static_cast<double>(device.free_bytes), gibibytes));
  row.add("driver", "driver", device.driver_version), row.add("runtime", "runtime", device.runtime_version);
  add_names("decoders", "decodes", device.decoders, &row);
  return row;
}

// Where the CUDA module was searched for, and what was found there.
void add_cuda_module(const CudaModuleSearch& search, Report* to) {
  std::vector<Report> places;
  for (const CudaModuleSearch::Place& place : search.places) {
    Report row;
    row.add("file", "CUDA module", place.file.string());
    row.add("problem", "found", place.problem, place.problem.empty() ? "in use" : place.problem);
    places.push_back(std::move(row));
  }
  to->add_data("cuda_module", search.module ? ReportValue(search.file.string()) : ReportValue());
  to->add_rows("cuda_modules", std::move(places));
}

// The instruction sets available to VANTAGE_SIMD.
Report instruction_sets_report() {
  std::vector<std::string> cpu, build;
  Report report{"Instruction sets"}, extensions;
  for (const InstructionSet& set : instruction_sets()) {
    if (set.in_cpu) cpu.emplace_back(set.name);
    if (set.in_build) build.emplace_back(set.name);
    extensions.add_data(set.name, set.extensions);
  }
  report.add("in_use", "in use", std::string(instruction_set_in_use().name));
  add_names("cpu", "of this CPU", cpu, &report), add_names("build", "of this build", build, &report);
  report.add_section("extensions", std::move(extensions));
  return report;
}

// Devices by algorithm, with its method if there are several.
Report backends_report(const BackendRegistry& registry) {
  std::map<std::string, std::vector<std::string>> devices;
  std::vector<std::string> names;
  for (const auto& [algorithm, method, device] : registry.entries()) {
    const std::string name = algorithm + (method.empty() ? "" : " (" + method + ")");
    if (!devices.contains(name)) names.push_back(name);
    devices[name].emplace_back(device_name(device));
  }
  Report report{"Algorithms"};
  for (const std::string& name : names) add_names(name, name, devices[name], &report);
  return report;
}

Report libraries_report() {
  const auto version = [](auto... parts) {
    std::string text;
    ((text += (text.empty() ? "" : ".") + std::to_string(parts)), ...);
    return text;
  };
  Report report{"Libraries"};
  for (const auto& [name, number] : ffmpeg_versions()) report.add(name, name, number);
  report.add("oneTBB", "oneTBB", version(TBB_VERSION_MAJOR, TBB_VERSION_MINOR));
  report.add("Eigen", "Eigen", version(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION));
  report.add("nlohmann-json", "nlohmann-json",
             version(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH));
  report.add("CLI11", "CLI11", std::string(CLI11_VERSION));
  return report;
}

// The inference engines of learned detectors.
Report engines_report() {
  const OnnxRuntimeFound found = find_onnx_runtime();
  Report report{"Detectors"}, runtime{"ONNX Runtime"};
  report.add("opencv_dnn", "OpenCV dnn", opencv_version());
  if (found.library.empty()) {
    report.add_unknown("onnx_runtime", "ONNX Runtime", "not found; searched for " + joined(found.looked));
    report.add_sentence(
        "It runs models several times faster. Debian 13 has it as libonnxruntime1.21. Debian 12 has no "
        "package: unpack a release for Linux and set VANTAGE_ONNXRUNTIME to its lib folder, or to "
        "libonnxruntime.so itself.");
  } else {
    runtime.add("version", "version", found.version), runtime.add("library", "library", found.library);
    report.add_section("onnx_runtime", std::move(runtime));
  }
  report.add_data("looked_for_onnx_runtime", found.looked);
  return report;
}

std::string interop_text(bool has_gpu) {
  if (!has_gpu) return "through the host: the chain runs on the CPU";
  return "CUDA-OpenGL interop where the window's OpenGL runs on the same GPU, else copied through the host; "
         "the window's status bar shows which of the two";
}

void diagnose(bool as_json) {
  const Result<std::vector<DeviceInfo>> devices = report_devices();
  const Result<Backends> backends = open_backends("auto", nullptr);
  if (!backends) fail_command(backends.error());
  std::vector<Report> gpus;
  if (devices)
    for (const DeviceInfo& device : *devices) gpus.push_back(device_report(device));
  Report report;
  report.add_sentence("version", VANTAGE_VERSION,
                      "vantage-cli " VANTAGE_VERSION ", " +
                          std::to_string(std::thread::hardware_concurrency()) + " processor threads");
  add_cuda_module(cuda_module(), &report);
  report.add_rows("gpus", std::move(gpus));
  if (devices)
    report.add_data("no_gpu", {});
  else
    report.add("no_gpu", "GPUs", devices.error().message(), "none: " + devices.error().message());
  report.add_section("instruction_sets", instruction_sets_report());
  add_names("software_decoders", "Software decoders", software_decoders(), &report);
  report.add("interop", "Drawing", interop_text(devices.has_value()));
  report.add_section("backends", backends_report(backends->registry));
  report.add_section("detectors", engines_report());
  report.add_section("libraries", libraries_report());
  print_report(report, as_json);
}

}  // namespace

void add_doctor(CLI::App& app) {
  auto as_json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand(
      "doctor", "List what this machine offers: GPUs, instruction sets, decoders, algorithms, libraries.");
  command->footer(
      "Example: vantage-cli doctor --json\n"
      "VANTAGE_SIMD=sse2|sse4|avx2|avx512 in the environment makes every program use a lower instruction set "
      "than the "
      "CPU's best.");
  command->add_flag("--json", *as_json, "print JSON");
  command->callback([as_json] { diagnose(*as_json); });
}

}  // namespace vantage::cli
