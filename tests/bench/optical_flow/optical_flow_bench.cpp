// Speed of optical flow on the CPU, levels 5, window 5, iterations 10, beside OpenCV in the same run, in
// turns. Where others use the machine, too, the quickest run and the CPU time say more than the median. On a
// GPU `vantage-cli bench flow` measures.
#include <fmt/core.h>
#include <tbb/global_control.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <functional>
#ifdef VANTAGE_BENCH_OPENCV
#include <opencv2/core.hpp>
#include <opencv2/video/tracking.hpp>
#endif

#include "core/algorithms.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/optical_flow/optical_flow.h"
#include "tests/support/choose_instruction_set.h"
#include "tests/support/flow_images.h"

namespace vantage {
namespace {

struct Options {
  std::string json;
  int repeats = 7;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.at(values.size() / 2);
}

// Times of one run: how long it took, and the time of all threads that it took.
struct Times {
  std::vector<double> wall_ms, cpu_ms;
  void add(const std::function<void()>& work) {
    const std::clock_t cpu = std::clock();
    const auto start = std::chrono::steady_clock::now();
    work();
    wall_ms.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    cpu_ms.push_back(1e3 * static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC);
  }
  nlohmann::ordered_json json() const {
    return {{"median_ms", median(wall_ms)},
            {"quickest_ms", *std::min_element(wall_ms.begin(), wall_ms.end())},
            {"cpu_ms", median(cpu_ms)}};
  }
};

struct Pair {
  Image pictures[2];
};

// Moves of 0 to about 9 px, different everywhere, and some noise, as cameras have.
Pair make_pair(int width, int height) {
  const WaveTexture texture(7, 8, 80);
  Pair pair{{test::moved_texture(texture, width, height, 0, 0),
             test::texture_image(texture, width, height, [&](int x, int y) {
               return std::pair(x - 5.0 * std::sin(y * 6.0 / height), y + 4.0 * std::cos(x * 6.0 / width));
             })}};
  std::mt19937 random(8);
  for (Image& image : pair.pictures)
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        uint8_t& value = image.writable_view<uint8_t>().at(x, y);
        value = static_cast<uint8_t>(std::clamp(int{value} + static_cast<int>(random() % 5) - 2, 0, 255));
      }
  return pair;
}

struct CpuTimes {
  Times sequence, pair, opencv;
};

CpuTimes time_cpu(const Pair& pair, const OpticalFlowParameters& p, int threads, int repeats) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, static_cast<size_t>(threads));
  BackendRegistry registry;
  register_optical_flow_cpu(registry);
  const auto flow = registry.create<OpticalFlow>(Device::cpu, {}, {}).value();
  flow->set_parameters(p);
  flow->next(pair.pictures[0], {}, 0).value();
  flow->next(pair.pictures[1], {}, 1).value();
  CpuTimes times;
  for (int i = 0; i < repeats; ++i) {
    times.sequence.add([&] { flow->next(pair.pictures[i % 2], {}, i).value(); });
    times.pair.add([&] {
      flow->reset();
      flow->next(pair.pictures[i % 2], {}, i).value();
      flow->next(pair.pictures[1 - i % 2], {}, i).value();
    });
    flow->next(pair.pictures[(i + 1) % 2], {}, i).value();
#ifdef VANTAGE_BENCH_OPENCV
    cv::setNumThreads(threads);
    const auto matrix = [](const Image& image) {
      const ImageView<const uint8_t> v = image.view<uint8_t>();
      return cv::Mat(v.height, v.width, CV_8UC1, const_cast<uint8_t*>(v.data), v.stride_bytes);
    };
    cv::Mat result;
    times.opencv.add([&] {
      cv::calcOpticalFlowFarneback(matrix(pair.pictures[0]), matrix(pair.pictures[1]), result,
                                   p.pyramid_scale, p.levels, p.window_px, p.iterations, p.poly_radius_px,
                                   p.poly_sigma_px, 0);
    });
#endif
  }
  return times;
}

nlohmann::ordered_json bench_cpu(const Pair& pair, const OpticalFlowParameters& p, int threads, int repeats) {
  const CpuTimes times = time_cpu(pair, p, threads, repeats);
  nlohmann::ordered_json row = {
      {"threads", threads}, {"sequence", times.sequence.json()}, {"pair", times.pair.json()}};
  if (!times.opencv.wall_ms.empty()) row["opencv"] = times.opencv.json();
  const char* const names[] = {"sequence", "pair", "opencv"};
  for (const char* name : names) {
    if (!row.contains(name)) continue;
    const auto& t = row[name];
    fmt::print("  {} thread{} {:8}  median {:8.2f} ms, quickest {:8.2f}, CPU time {:8.2f}", threads,
               threads == 1 ? ", " : "s,", name, t["median_ms"].get<double>(), t["quickest_ms"].get<double>(),
               t["cpu_ms"].get<double>());
    const auto times_opencv = [&](const char* what) {
      return row["opencv"][what].get<double>() / t[what].get<double>();
    };
    if (row.contains("opencv") && std::string_view(name) != "opencv")
      fmt::print(": {:.2f}, {:.2f}, {:.2f} times OpenCV's speed", times_opencv("median_ms"),
                 times_opencv("quickest_ms"), times_opencv("cpu_ms"));
    fmt::print("\n");
  }
  return row;
}

nlohmann::ordered_json bench_size(const Options& options, int width, int height) {
  const Pair pair = make_pair(width, height);
  nlohmann::ordered_json row = {{"width", width}, {"height", height}};
  fmt::print("{}x{}\n", width, height);
  for (const int threads : {1, 2}) row["cpu"].push_back(bench_cpu(pair, {}, threads, options.repeats));
  std::fflush(stdout);
  return row;
}

int run(const Options& options) {
  nlohmann::ordered_json rows;
  for (const auto& [width, height] : {std::pair(640, 480), {1280, 960}, {1920, 1080}})
    rows.push_back(bench_size(options, width, height));
  if (options.json.empty()) return 0;
  const nlohmann::ordered_json json = {{"bench", "optical_flow"}, {"sizes", rows}};
  const Status written = write_file_atomically(options.json, json_text(json, 2) + "\n");
  if (!written) fmt::print(stderr, "{}\n", written.error().message());
  return written ? 0 : 1;
}

}  // namespace
}  // namespace vantage

int main(int argc, char** argv) {
  vantage::test::choose_instruction_set();
  CLI::App app("Benchmark of optical flow");
  vantage::Options options;
  app.add_option("--json", options.json, "also write the figures to this file");
  app.add_option("--repeats", options.repeats, "runs, the median counts")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  return vantage::run(options);
}
