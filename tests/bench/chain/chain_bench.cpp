// What the whole chain on the CPU costs beside what nobody gets round: on uu-voxel-1p (4 cameras, 644x486),
// in one run, on the same CPUs,
//
//   decode         libavcodec alone, the four videos side by side
//   decode + MOG2  the same frames through OpenCV's MOG2 with its defaults; the conversion to BGR that it
//                  needs is measured on its own and left out
//   chain          ours, decode to tracks, grid 256x256x64 of 25 mm voxels
//
// Whatever learns has seen the empty-scene clips before. The process is bound to --threads CPUs, so that all
// three share the same. Per frame set: wall time, and CPU time of the whole process, which hardly depends on
// what else runs on the machine. Prints JSON, the median over rounds by wall time.
#include <fmt/core.h>
#include <sched.h>
#include <sys/resource.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#ifdef VANTAGE_BENCH_OPENCV
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/video/background_segm.hpp>
#endif

#include "core/algorithms.h"
#include "core/base/json.h"
#include "core/base/trace.h"
#include "core/run/analysis.h"
#include "core/video/video_source.h"
#include "tests/support/choose_instruction_set.h"
#include "tests/support/uu_voxel.h"

namespace vantage {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using test::kUuVoxelCameras;

struct Options {
  std::string data;
  int threads = 2, frames = 300, rounds = 3;
};

[[noreturn]] void give_up(const std::string& message) {
  fmt::print(stderr, "chain_bench: {}\n", message);
  std::exit(1);
}

template <typename T>
T checked(Result<T> result) {
  if (!result) give_up(result.error().message());
  return std::move(*result);
}

struct Cost {
  double wall_ms = 0, cpu_ms = 0;  // per frame set
};

double cpu_seconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

Cost measure(int frames, const std::function<void()>& work) {
  const double cpu = cpu_seconds();
  const auto start = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  return {1e3 * wall.count() / frames, 1e3 * (cpu_seconds() - cpu) / frames};
}

Cost median(std::vector<Cost> costs) {
  std::sort(costs.begin(), costs.end(), [](const Cost& a, const Cost& b) { return a.wall_ms < b.wall_ms; });
  return costs[costs.size() / 2];
}

#ifdef VANTAGE_BENCH_OPENCV
Cost operator-(const Cost& a, const Cost& b) {
  return {a.wall_ms - b.wall_ms, a.cpu_ms - b.cpu_ms};
}
#endif
Cost operator+(const Cost& a, const Cost& b) {
  return {a.wall_ms + b.wall_ms, a.cpu_ms + b.cpu_ms};
}

ordered_json to_json(const Cost& cost) {
  return {{"wall_ms", cost.wall_ms}, {"cpu_ms", cost.cpu_ms}};
}

std::string clip(const Options& options, int camera, const char* file) {
  return (fs::path(options.data) / test::uu_voxel_camera(camera) / file).string();
}

// Every frame up to `frames` of each camera's video, the cameras side by side.
void decode_all(const Options& options, const char* file, int frames,
                const std::function<void(int camera, const Picture&)>& use) {
  tbb::parallel_for(0, kUuVoxelCameras, [&](int camera) {
    const auto source = checked(open_video(clip(options, camera, file), {}));
    for (int i = 0; i < frames; ++i) {
      const Result<DecodedFrame> frame = source->read();
      if (!frame && frame.error().kind == ErrorKind::end_of_stream) return;
      if (!frame) give_up(frame.error().message());
      use(camera, frame->picture);
    }
  });
}

#ifdef VANTAGE_BENCH_OPENCV
// The decoder gives planar 4:2:0 here.
cv::Mat bgr_of(const Picture& picture) {
  cv::Mat packed(picture.height() * 3 / 2, picture.width(), CV_8UC1), bgr;
  uint8_t* out = packed.data;
  for (int k = 0; k < picture.plane_count(); ++k) {
    const ImageView<const uint8_t> plane = picture.plane(k);
    for (int y = 0; y < plane.height; ++y, out += plane.width) std::copy_n(plane.row(y), plane.width, out);
  }
  cv::cvtColor(packed, bgr, cv::COLOR_YUV2BGR_I420);
  return bgr;
}

struct Peer {
  Cost conversion, mog2;
};

Peer measure_mog2(const Options& options, const Cost& decode) {
  cv::setNumThreads(1);  // the cameras are side by side already
  std::vector<cv::Ptr<cv::BackgroundSubtractorMOG2>> models;
  std::vector<cv::Mat> masks(kUuVoxelCameras);
  for (int c = 0; c < kUuVoxelCameras; ++c) models.push_back(cv::createBackgroundSubtractorMOG2());
  const auto apply = [&](int camera, const Picture& picture) {
    const auto c = static_cast<size_t>(camera);
    models[c]->apply(bgr_of(picture), masks[c]);
  };
  decode_all(options, "background.avi", 1 << 20, apply);
  const Cost with_conversion = measure(options.frames, [&] {
    decode_all(options, "video.avi", options.frames, [](int, const Picture& picture) { bgr_of(picture); });
  });
  const Cost all = measure(options.frames, [&] { decode_all(options, "video.avi", options.frames, apply); });
  return {with_conversion - decode, all - with_conversion};
}
#endif

Project project_of(const Options& options) {
  Project project;
  project.parameters = default_parameters();
  const std::vector<Camera> cameras = test::uu_voxel_cameras(options.data);
  for (int c = 0; c < kUuVoxelCameras; ++c) {
    ProjectCamera camera;
    camera.name = test::uu_voxel_camera(c);
    camera.video = clip(options, c, "video.avi");
    camera.background = clip(options, c, "background.avi");
    camera.calibration = cameras[c];
    project.cameras.push_back(std::move(camera));
  }
  VoxelGrid grid{{-2.9, -2.7, 0}, 0.025, 256, 256, 64};  // the person sits at (0.35, 0.5) m
  project.grid = grid;
  return project;
}

struct Ours {
  Cost cost;
  ordered_json stages = ordered_json::object();  // mean ms of each, on its own thread
};

Ours measure_chain(const Options& options) {
  BackendRegistry registry;
  register_cpu_backends(registry);
  TraceRecorder trace;
  AnalysisOptions analysis_options;
  analysis_options.backends = {&registry, Device::cpu, {&trace}};
  const auto analysis = checked(Analysis::open(project_of(options), analysis_options));
  checked(analysis->pipeline().frame(0, {}, {}));  // learns the empty-scene clips
  trace.clear();
  Ours ours;
  ours.cost = measure(options.frames, [&] {
    const Status status = analysis->pipeline().analyse({1, options.frames + 1}, ExecutionMode::threaded,
                                                       [](const FrameResultRef&) { return true; }, {});
    if (!status) give_up(status.error().message());
  });
  for (const SpanStatistics& row : summarize(trace.snapshot()))
    if (row.kind == SpanKind::stage) ours.stages[row.name] = row.mean_ms;
  return ours;
}

void bind_to_cpus(int threads) {
  cpu_set_t allowed, chosen;
  CPU_ZERO(&chosen);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) give_up("cannot read the CPUs of this process");
  for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&chosen) < threads; ++cpu)
    if (CPU_ISSET(cpu, &allowed)) CPU_SET(cpu, &chosen);
  if (CPU_COUNT(&chosen) < threads) give_up("this machine has fewer CPUs than --threads");
  if (sched_setaffinity(0, sizeof chosen, &chosen) != 0) give_up("cannot bind to CPUs");
}

void run(const Options& options) {
  bind_to_cpus(options.threads);
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<size_t>(options.threads));
  std::vector<Cost> decode, conversion, mog2, chain;
  Ours ours;
  for (int round = 0; round < options.rounds; ++round) {
    decode.push_back(measure(options.frames, [&] {
      decode_all(options, "video.avi", options.frames, [](int, const Picture&) {});
    }));
#ifdef VANTAGE_BENCH_OPENCV
    const Peer peer = measure_mog2(options, decode.back());
    conversion.push_back(peer.conversion), mog2.push_back(peer.mog2);
#endif
    ours = measure_chain(options);
    chain.push_back(ours.cost);
  }
  ordered_json json = {{"recording", "uu-voxel-1p"},
                       {"threads", options.threads},
                       {"frames", options.frames},
                       {"rounds", options.rounds},
                       {"decode", to_json(median(decode))}};
  if (!mog2.empty()) {
    const Cost peer = median(decode) + median(mog2);
    json["bgr_conversion"] = to_json(median(conversion));
    json["decode_and_mog2"] = to_json(peer);
    json["ratio"] = {{"wall", median(chain).wall_ms / peer.wall_ms},
                     {"cpu", median(chain).cpu_ms / peer.cpu_ms}};
  }
  json["chain"] = to_json(median(chain));
  json["stage_ms"] = ours.stages;
  fmt::print("{}\n", json_text(json, 1));
}

}  // namespace
}  // namespace vantage

int main(int argc, char** argv) {
  vantage::test::choose_instruction_set();
  vantage::Options options;
  if (const char* data = std::getenv("VANTAGE_DATA_DIR")) options.data = std::string(data) + "/uu-voxel-1p";
  CLI::App app("The chain on the CPU beside decoding and MOG2.");
  app.add_option("--data", options.data, "folder of uu-voxel-1p")->check(CLI::ExistingDirectory);
  app.add_option("--threads", options.threads, "CPUs to use")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  app.add_option("--frames", options.frames, "frame sets")->check(CLI::Range(1, 425))->capture_default_str();
  app.add_option("--rounds", options.rounds, "the median of so many")
      ->check(CLI::Range(1, 99))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  if (options.data.empty()) {
    fmt::print(stderr, "chain_bench: give --data or set VANTAGE_DATA_DIR\n");
    return 2;
  }
  vantage::run(options);
  return 0;
}
