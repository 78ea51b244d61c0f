#include "app/cli/bench/footage.h"

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cmath>
#include <future>
#include <thread>

#include "app/cli/bench/gpu_busy_share.h"
#include "core/project/missing_files.h"
#include "core/run/analysis.h"
#include "core/video/video_source.h"

namespace vantage::cli {
namespace {

std::string describe(const Project& project, int width_px, int height_px, int64_t frames) {
  return std::to_string(project.cameras.size()) + " x " + std::to_string(width_px) + "x" +
         std::to_string(height_px) + ", " + std::to_string(frames) + " frames";
}

AnalysisOptions analysis_options(const Backends& backends, TraceRecorder* trace) {
  AnalysisOptions options;
  options.backends = backends.on_device(trace);
  options.hardware = backends.hardware;
  options.pipeline.cache_bytes = 0;  // every frame is seen once
  return options;
}

}  // namespace

BenchFootage open_footage(const std::filesystem::path& path, int64_t frames) {
  BenchFootage footage;
  footage.project = value_or_fail(load_project(path));
  check_or_fail(check_project_files(footage.project));
  const auto source = value_or_fail(open_video(footage.project.cameras.at(0).video, {}));
  const int64_t count = value_or_fail(source->wait_for_frame_count(interrupted()));
  footage.frames = std::min(frames, count);
  const VideoInfo info = source->info();
  footage.description = describe(footage.project, info.width_px, info.height_px, footage.frames);
  return footage;
}

BenchFootage render_footage(const std::filesystem::path& folder, const SynthOptions& options,
                            int64_t frames) {
  const std::filesystem::path project = folder / (folder.filename().string() + ".vantage");
  if (std::error_code code; !std::filesystem::exists(project, code)) {
    Progress progress("rendering footage");
    const auto total = static_cast<int64_t>(options.cameras * options.seconds * options.frame_rate);
    const auto report = [&](double share) {
      progress.update(std::llround(share * static_cast<double>(total)), total);
    };
    check_or_fail(render_recording(options, folder, report, interrupted()));
  }
  return open_footage(project, frames);
}

Project with_cameras(const Project& project, int cameras) {
  Project many = project;
  many.grid = value_or_fail(project.effective_grid());  // the same one whatever the number
  many.cameras.clear();
  for (int i = 0; i < cameras; ++i) {
    ProjectCamera camera = project.cameras[static_cast<size_t>(i) % project.cameras.size()];
    camera.name = "cam" + std::to_string(i + 1);
    many.cameras.push_back(std::move(camera));
  }
  return many;
}

Project with_grid(const Project& project, int side, int layers) {
  Project other = project;
  VoxelGrid grid = value_or_fail(project.effective_grid());
  const double side_m = grid.voxel_size_m * std::max(grid.nx, grid.ny);
  const double middle_m[2] = {grid.origin_in_world_m[0] + grid.voxel_size_m * grid.nx / 2,
                              grid.origin_in_world_m[1] + grid.voxel_size_m * grid.ny / 2};
  grid.voxel_size_m = side_m / side;
  grid.nx = grid.ny = side;
  grid.nz = layers;
  for (int axis = 0; axis < 2; ++axis) grid.origin_in_world_m[axis] = middle_m[axis] - side_m / 2;
  other.grid = grid;
  return other;
}

ChainTimes run_chain(const BenchDevice& device, const Project& project, int64_t frames,
                     const std::function<void()>& ready) {
  TraceRecorder trace;
  ChainTimes times;
  {
    const auto analysis = value_or_fail(Analysis::open(project, analysis_options(device.backends(), &trace)));
    value_or_fail(analysis->pipeline().frame(0, {}, interrupted()));
    if (ready) ready();
    trace.clear();
    times.first = 1;
    const int64_t start = trace_now_ns();
    check_or_fail(analysis->pipeline().analyse(
        {1, frames}, ExecutionMode::threaded,
        [&](const FrameResultRef&) {
          times.done_ns.push_back(trace_now_ns());
          return true;
        },
        interrupted()));
    times.seconds = static_cast<double>(trace_now_ns() - start) * 1e-9;
    times.frames = static_cast<int64_t>(times.done_ns.size());
  }  // spans of work on a device are all there when its streams are gone
  times.spans = trace.snapshot();
  if (times.frames == 0)
    fail_command({ErrorKind::invalid_argument, "the footage is too short to measure a chain", "bench",
                  "Give a recording of at least two frames."});
  return times;
}

std::vector<ChainTimes> run_chains_together(const BenchDevice& device, int count, const Project& project,
                                            int64_t frames) {
  std::vector<std::unique_ptr<BenchDevice>> devices;
  for (int i = 0; i < count; ++i)
    devices.push_back(std::make_unique<BenchDevice>(device.on_gpu() ? "cuda:" + std::to_string(i) : "cpu"));
  std::barrier together(count);
  std::vector<std::future<ChainTimes>> running;
  for (const auto& each : devices)
    running.push_back(std::async(std::launch::async, [&, own = each.get()] {
      try {
        return run_chain(*own, project, frames, [&] { together.arrive_and_wait(); });
      } catch (...) {
        together.arrive_and_drop();  // no one waits for it
        throw;
      }
    }));
  std::vector<ChainTimes> times;
  for (std::future<ChainTimes>& chain : running) times.push_back(chain.get());
  return times;
}

std::vector<TimingsPair> run_with_and_without_timings(const BenchDevice& device, const Project& project,
                                                      int64_t frames, double seconds) {
  // A chain that goes back learns its empty scenes again, which takes as long as some hundred frames: the
  // first frames of a pass are not compared, nor are those of a stretch that come while its threads start.
  constexpr int64_t kMaxLeadIn = 25, kStretch = 100, kStarting = 10;
  const int64_t lead_in = std::min(kMaxLeadIn, (frames - 1) / 2);
  const int64_t stretches = std::max<int64_t>(1, (frames - 1 - lead_in) / kStretch);
  const int64_t length = (frames - 1 - lead_in) / stretches;
  TraceRecorder trace;
  const auto open = [&](TraceRecorder* recorder) {
    return value_or_fail(Analysis::open(project, analysis_options(device.backends(), recorder)));
  };
  const auto timed = open(&trace), untimed = open(nullptr);
  const auto rate = [&](Analysis& analysis, FrameRange range) {
    const int64_t starting = std::min(kStarting, (range.end - range.begin) / 2);
    int64_t start = trace_now_ns(), end = start, done = 0;
    check_or_fail(analysis.pipeline().analyse(
        range, ExecutionMode::threaded,
        [&](const FrameResultRef&) {
          end = trace_now_ns();
          if (++done == starting) start = end;
          return true;
        },
        interrupted()));
    return static_cast<double>(done - starting) * 1e9 / static_cast<double>(end - start);
  };
  std::vector<TimingsPair> pairs;
  Progress progress("with and without timings");
  int64_t start = 0;
  for (int64_t pass = 0; pass < 2 || static_cast<double>(trace_now_ns() - start) < 1e9 * seconds; ++pass) {
    for (Analysis* analysis : {timed.get(), untimed.get()})
      if (lead_in > 0) rate(*analysis, {1, 1 + lead_in});
    for (int64_t stretch = 0; stretch < stretches; ++stretch) {
      const int64_t first = 1 + lead_in + stretch * length;
      TimingsPair pair;
      for (int64_t turn = 0; turn < 2; ++turn) {
        const bool with = (pass + stretch + turn) % 2 == 0;
        (with ? pair.with : pair.without) = rate(with ? *timed : *untimed, {first, first + length});
      }
      if (pass > 0) pairs.push_back(pair);
      progress.update(2 * length * std::ssize(pairs), -1);
    }
    if (pass == 0) start = trace_now_ns();  // only now are memory and clips there
  }
  return pairs;
}

PacedTimes run_paced(const BenchDevice& device, const Project& project, int64_t frames, double frames_per_s) {
  TraceRecorder trace;
  PacedTimes times;
  int64_t start = 0, end = 0;
  {
    const auto analysis = value_or_fail(Analysis::open(project, analysis_options(device.backends(), &trace)));
    value_or_fail(analysis->pipeline().frame(0, {}, interrupted()));
    start = trace_now_ns();
    for (int64_t frame = 1; frame < frames; ++frame) {
      const int64_t there = start + std::llround(static_cast<double>(frame) * 1e9 / frames_per_s);
      std::this_thread::sleep_for(std::chrono::nanoseconds(there - trace_now_ns()));
      const FrameResultRef result = value_or_fail(analysis->pipeline().frame(frame, {}, interrupted()));
      // Masks and counts of a device are on the host by then, or were never asked for.
      times.latency_ms.push_back(1e-6 * static_cast<double>(trace_now_ns() - there));
    }
    end = trace_now_ns();
  }  // spans of work on a device are all there when its streams are gone
  times.gpu_busy_share = gpu_busy_share(trace.snapshot(), start, end);
  return times;
}

}  // namespace vantage::cli
