// Speed of one iteration of belief propagation on heights, at the source's size 781x621 and 25 labels.
//
// Bytes counted, the least an iteration moves: of half of the pixels four messages read, four written and the
// data cost read, each of 25 labels: N / 2 * 25 * 9 elements, 218 MB with 32 bits, 109 MB with 16. On the CPU
// the limit is a plain copy of as many bytes (5 of 9 read, 4 of 9 written) by as many threads in the same
// run; on the device the bytes over its copy rate (--copy-rate; measured 4.26 TB/s on an H200).
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "app/backends/backends.h"
#include "core/backend/memory_transfer.h"
#include "core/base/file.h"
#include "core/height_map/height_solver_cpu.h"
#include "tests/support/height_problem.h"

namespace vantage {
namespace {

struct Options {
  std::string json;
  double copy_rate_tb_per_s = 4.26;
  int width = 781, height = 621, iterations = 100, cpu_iterations = 6, repeats = 5;
  bool no_cpu = false;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.at(values.size() / 2);
}

double counted_bytes(const Options& options, int heights, double element) {
  return 0.5 * options.width * options.height * (heights + 1) * 9 * element;
}

std::vector<double> span_times(const TraceRecorder& trace, const char* name) {
  std::vector<double> times;
  for (const TraceSpan& span : trace.snapshot())
    if (span.name == name) times.push_back(static_cast<double>(span.duration_ns) * 1e-3);
  return times;
}

// A copy that reads `bytes` / 2 and writes `bytes` / 2.
double copy_us(double bytes, int repeats) {
  const size_t half = static_cast<size_t>(bytes / 2);
  std::vector<char> from(half, 1), to(half, 2);
  std::vector<double> times;
  for (int i = 0; i <= repeats; ++i) {
    const auto start = std::chrono::steady_clock::now();
    tbb::parallel_for(tbb::blocked_range<size_t>(0, half, size_t{1} << 20), [&](const auto& range) {
      std::memcpy(to.data() + range.begin(), from.data() + range.begin(), range.size());
    });
    times.push_back(
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
  }
  times.erase(times.begin());
  return median(times);
}

double cpu_us(const Options& options, const test::HeightFixture& fixture, HeightMapParameters parameters) {
  TraceRecorder trace;
  BackendRegistry registry;
  register_height_solver_cpu(registry);
  const auto solver = registry.create<HeightSolver>(Device::cpu, {&trace, 0}, fixture.arguments).value();
  parameters.iterations = parameters.check_every = options.cpu_iterations;
  solver->set_parameters(parameters);
  solver->solve(fixture.costs, {}, 0).value();
  std::vector<double> times = span_times(trace, "send_messages");
  times.erase(times.begin());
  return median(times);
}

// One iteration: the difference of solves of many and few iterations, so that packing and labels drop out and
// no event stands between the kernels.
double device_us(const Options& options, const Backends& backends, const test::HeightFixture& fixture,
                 HeightMapParameters parameters, double* rest_us) {
  TraceRecorder trace;
  const BackendContext context{&trace, backends.device_index};
  const auto transfer = backends.registry.create<MemoryTransfer>(Device::cuda, context, {}).value();
  CostVolume costs = fixture.costs;
  costs.costs = transfer->upload(costs.costs, 1, 0).value();
  parameters.check_every = 10000;
  parameters.memory_limit_mb = 1e5;
  std::vector<double> medians;
  for (const int iterations : {options.iterations, 3 * options.iterations}) {
    TraceRecorder own;
    {
      const auto solver =
          backends.registry
              .create<HeightSolver>(Device::cuda, {&own, backends.device_index}, fixture.arguments)
              .value();
      parameters.iterations = iterations;
      solver->set_parameters(parameters);
      // Frame numbers that no sampling picks.
      for (int i = 0; i <= options.repeats; ++i) solver->solve(costs, {}, 16 * i + 1).value();
    }
    std::vector<double> times = span_times(own, "height_map");
    times.erase(times.begin());
    medians.push_back(median(times));
  }
  const double iteration = (medians[1] - medians[0]) / (2 * options.iterations);
  *rest_us = medians[0] - options.iterations * iteration;
  return iteration;
}

const char* name_of(MessageMethod method) {
  return method == MessageMethod::linear ? "linear" : "published";
}

void bench_cpu(const Options& options, nlohmann::ordered_json& rows) {
  HeightMapParameters parameters;
  const test::HeightFixture fixture =
      test::height_fixture({options.width, options.height, parameters.heights}, parameters, 1);
  const double bytes = counted_bytes(options, parameters.heights, 4);
  for (const int threads : {1, 2}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                    static_cast<size_t>(threads));
    const double copy = copy_us(bytes, options.repeats);
    for (const MessageMethod method : {MessageMethod::linear, MessageMethod::published}) {
      parameters.method = method;
      const double us = cpu_us(options, fixture, parameters);
      std::printf(
          "CPU, %d thread%s %-9s  %8.1f ms an iteration, a copy of its %.0f MB %6.1f ms: %.2f times\n",
          threads, threads == 1 ? ", " : "s,", name_of(method), us * 1e-3, bytes * 1e-6, copy * 1e-3,
          us / copy);
      rows.push_back({{"device", "cpu"},
                      {"threads", threads},
                      {"method", name_of(method)},
                      {"iteration_us", us},
                      {"copy_us", copy},
                      {"times_copy", us / copy}});
      std::fflush(stdout);
    }
  }
}

void bench_device(const Options& options, const Backends& backends, nlohmann::ordered_json& rows) {
  for (const int heights : {24, 12, 48})
    for (const MessagePrecision precision : {MessagePrecision::fp32, MessagePrecision::fp16})
      for (const MessageMethod method : {MessageMethod::linear, MessageMethod::published})
        for (const double damping : {0.0, 0.3}) {
          if (heights != 24 && (method == MessageMethod::published || damping > 0)) continue;
          HeightMapParameters parameters;
          parameters.heights = heights;
          parameters.method = method;
          parameters.precision = precision;
          parameters.damping = damping;
          const test::HeightFixture fixture =
              test::height_fixture({options.width, options.height, heights}, parameters, 1);
          double rest = 0;
          const double us = device_us(options, backends, fixture, parameters, &rest);
          const bool half = precision == MessagePrecision::fp16;
          const double bytes = counted_bytes(options, heights, half ? 2 : 4);
          const double limit = bytes / (options.copy_rate_tb_per_s * 1e6);
          std::printf(
              "%s, %d labels, %s, %-9s damping %.1f: %7.2f us an iteration, limit %5.1f us: %3.0f %%; "
              "the rest of a solve %.0f us\n",
              backends.description.c_str(), heights + 1, half ? "fp16" : "fp32", name_of(method), damping, us,
              limit, 100 * limit / us, rest);
          std::fflush(stdout);
          rows.push_back({{"device", backends.description},
                          {"labels", heights + 1},
                          {"precision", half ? "fp16" : "fp32"},
                          {"method", name_of(method)},
                          {"damping", damping},
                          {"iteration_us", us},
                          {"limit_us", limit},
                          {"rest_us", rest}});
        }
}

int run(const Options& options) {
  nlohmann::ordered_json rows;
  if (!options.no_cpu) bench_cpu(options, rows);
  const Result<Backends> device = open_backends("cuda", nullptr);
  if (device)
    bench_device(options, *device, rows);
  else
    std::printf("No CUDA: %s\n", device.error().message().c_str());
  if (options.json.empty()) return 0;
  const nlohmann::ordered_json json = {{"bench", "height_map"},
                                       {"width", options.width},
                                       {"height", options.height},
                                       {"copy_rate_tb_per_s", options.copy_rate_tb_per_s},
                                       {"rows", rows}};
  const Status written = write_file_atomically(options.json, json.dump(2) + "\n");
  if (!written) std::fprintf(stderr, "%s\n", written.error().message().c_str());
  return written ? 0 : 1;
}

}  // namespace
}  // namespace vantage

int main(int argc, char** argv) {
  CLI::App app("Benchmark of belief propagation on heights");
  vantage::Options options;
  app.add_option("--json", options.json, "also write the figures to this file");
  app.add_option("--copy-rate", options.copy_rate_tb_per_s,
                 "the device's copy rate in TB/s, read plus written")
      ->capture_default_str();
  app.add_option("--width", options.width)->capture_default_str();
  app.add_option("--height", options.height)->capture_default_str();
  app.add_option("--iterations", options.iterations, "on the device")->capture_default_str();
  app.add_option("--repeats", options.repeats, "the median counts")->capture_default_str();
  app.add_flag("--no-cpu", options.no_cpu, "the device only");
  CLI11_PARSE(app, argc, argv);
  return vantage::run(options);
}
