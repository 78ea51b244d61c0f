#include <tbb/version.h>

#include <CLI/Version.hpp>
#include <Eigen/Core>
#include <cstdio>
#include <thread>

#include "app/backends/backends.h"
#include "app/cli/common/command.h"
#include "core/base/instruction_sets.h"
#include "core/base/json.h"
#include "core/detections/engine.h"
#include "core/video/av_handles.h"

namespace vantage::cli {
namespace {

using nlohmann::ordered_json;

ordered_json devices_json(const Result<std::vector<DeviceInfo>>& devices) {
  ordered_json json = ordered_json::array();
  if (!devices) return json;
  for (const DeviceInfo& device : *devices)
    json.push_back(
        {{"index", device.index},
         {"name", device.name},
         {"compute", std::to_string(device.compute_major) + "." + std::to_string(device.compute_minor)},
         {"multiprocessors", device.multiprocessors},
         {"memory_bytes", device.memory_bytes},
         {"free_bytes", device.free_bytes},
         {"driver", device.driver_version},
         {"runtime", device.runtime_version},
         {"decoders", device.decoders}});
  return json;
}

// The instruction sets that VANTAGE_SIMD chooses from.
ordered_json instruction_sets_json() {
  ordered_json json = {{"in_use", instruction_set_in_use().name},
                       {"cpu", ordered_json::array()},
                       {"build", ordered_json::array()},
                       {"extensions", ordered_json::object()}};
  for (const InstructionSet& set : instruction_sets()) {
    if (set.in_cpu) json["cpu"].push_back(set.name);
    if (set.in_build) json["build"].push_back(set.name);
    json["extensions"][set.name] = set.extensions;
  }
  return json;
}

// Algorithm, with its method where there are several -> devices that have it.
ordered_json backends_json(const BackendRegistry& registry) {
  ordered_json json = ordered_json::object();
  for (const auto& [algorithm, method, device] : registry.entries())
    json[algorithm + (method.empty() ? "" : " (" + method + ")")].push_back(device_name(device));
  return json;
}

ordered_json libraries_json() {
  ordered_json json = ordered_json::object();
  for (const auto& [name, version] : ffmpeg_versions()) json[name] = version;
  json["oneTBB"] = std::to_string(TBB_VERSION_MAJOR) + "." + std::to_string(TBB_VERSION_MINOR);
  json["Eigen"] = std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "." +
                  std::to_string(EIGEN_MINOR_VERSION);
  json["nlohmann-json"] = std::to_string(NLOHMANN_JSON_VERSION_MAJOR) + "." +
                          std::to_string(NLOHMANN_JSON_VERSION_MINOR) + "." +
                          std::to_string(NLOHMANN_JSON_VERSION_PATCH);
  json["CLI11"] = CLI11_VERSION;
  return json;
}

// The engines that run learned detectors.
ordered_json engines_json() {
  const OnnxRuntimeFound found = find_onnx_runtime();
  ordered_json json = {{"opencv_dnn", opencv_version()}};
  json["onnx_runtime"] = found.library.empty()
                             ? ordered_json()
                             : ordered_json{{"version", found.version}, {"library", found.library}};
  json["looked_for_onnx_runtime"] = found.looked;
  return json;
}

std::string joined(const ordered_json& list) {
  std::string text;
  for (const ordered_json& item : list) text += (text.empty() ? "" : ", ") + item.get<std::string>();
  return text.empty() ? "none" : text;
}

void print_engines(const ordered_json& engines) {
  std::printf("  %-24s %s\n", "OpenCV dnn", engines["opencv_dnn"].get<std::string>().c_str());
  if (const ordered_json& runtime = engines["onnx_runtime"]; !runtime.is_null()) {
    std::printf("  %-24s %s, %s\n", "ONNX Runtime", runtime["version"].get<std::string>().c_str(),
                runtime["library"].get<std::string>().c_str());
    return;
  }
  std::printf("  %-24s not found; searched for %s.\n", "ONNX Runtime",
              joined(engines["looked_for_onnx_runtime"]).c_str());
  std::printf(
      "  %-24s It runs models several times faster. Debian 13 has it as libonnxruntime1.21. Debian 12 has "
      "no\n"
      "  %-24s package: unpack a release for Linux and set VANTAGE_ONNXRUNTIME to its lib folder, or to\n"
      "  %-24s libonnxruntime.so itself.\n",
      "", "", "");
}

void print_text(const ordered_json& report) {
  std::printf("vantage-cli %s, %u processor threads\n", VANTAGE_VERSION, std::thread::hardware_concurrency());
  std::printf("\nGPUs\n");
  if (report["gpus"].empty()) std::printf("  none: %s\n", report["no_gpu"].get<std::string>().c_str());
  for (const ordered_json& gpu : report["gpus"])
    std::printf(
        "  %d: %s, compute %s, %d multiprocessors, %.1f of %.1f GiB free, driver %s, runtime %s\n     "
        "decodes %s\n",
        gpu["index"].get<int>(), gpu["name"].get<std::string>().c_str(),
        gpu["compute"].get<std::string>().c_str(), gpu["multiprocessors"].get<int>(),
        gpu["free_bytes"].get<double>() / (1 << 30), gpu["memory_bytes"].get<double>() / (1 << 30),
        gpu["driver"].get<std::string>().c_str(), gpu["runtime"].get<std::string>().c_str(),
        joined(gpu["decoders"]).c_str());
  const ordered_json& sets = report["instruction_sets"];
  std::printf("\nInstruction sets\n  %-24s %s\n  %-24s %s\n  %-24s %s\n", "in use",
              sets["in_use"].get<std::string>().c_str(), "of this CPU", joined(sets["cpu"]).c_str(),
              "of this build", joined(sets["build"]).c_str());
  std::printf("\nSoftware decoders\n  %s\n", joined(report["software_decoders"]).c_str());
  std::printf("\nDrawing\n  %s\n", report["interop"].get<std::string>().c_str());
  std::printf("\nAlgorithms\n");
  for (const auto& [algorithm, devices] : report["backends"].items())
    std::printf("  %-24s %s\n", algorithm.c_str(), joined(devices).c_str());
  std::printf("\nDetectors\n");
  print_engines(report["detectors"]);
  std::printf("\nLibraries\n");
  for (const auto& [name, version] : report["libraries"].items())
    std::printf("  %-24s %s\n", name.c_str(), version.get<std::string>().c_str());
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
  ordered_json report;
  report["version"] = VANTAGE_VERSION;
  report["gpus"] = devices_json(devices);
  report["no_gpu"] = devices ? ordered_json() : ordered_json(devices.error().message());
  report["instruction_sets"] = instruction_sets_json();
  report["software_decoders"] = software_decoders();
  report["interop"] = interop_text(devices.has_value());
  report["backends"] = backends_json(backends->registry);
  report["detectors"] = engines_json();
  report["libraries"] = libraries_json();
  if (as_json)
    print_json(report);
  else
    print_text(report);
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
