#include "tools/bench/footage.h"

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cmath>
#include <future>
#include <thread>

#include "core/project/missing_files.h"
#include "core/run/analysis.h"
#include "core/synth/wave_texture.h"
#include "core/video/video_source.h"
#include "tools/bench/gpu_busy_share.h"

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
  options.pipeline.cache_bytes = 0;  // each frame is used once
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
  many.grid = value_or_fail(project.effective_grid());  // the same for every number
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
  }  // all spans of device work are complete when its streams are destroyed
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
        together.arrive_and_drop();  // nothing waits for it
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
  // first frames of a pass are not compared, nor those of a stretch during the start of its threads.
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
    if (pass == 0) start = trace_now_ns();  // memory and clips are ready only now
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
      // Masks and counts of a device are on the host by then, or were never requested.
      times.latency_ms.push_back(1e-6 * static_cast<double>(trace_now_ns() - there));
    }
    end = trace_now_ns();
  }  // all spans of device work are complete when its streams are destroyed
  times.gpu_busy_share = gpu_busy_share(trace.snapshot(), start, end);
  return times;
}

namespace {

constexpr int kStreamWidth_px = 1280, kStreamHeight_px = 960;
constexpr double kCameraHeight_m = 2.5, kLookAtHeight_m = 1.0;

ImageView<uint8_t> cleared(Image& image) {
  const ImageView<uint8_t> view = image.writable_view<uint8_t>();
  for (int y = 0; y < view.height; ++y) std::fill_n(view.row(y), view.width, uint8_t{0});
  return view;
}

Image host_image(ImageType type, int width, int height) {
  return value_or_fail(Image::make(type, width, height, HostPool::shared()));
}

}  // namespace

BenchDevice::BenchDevice(const std::string& choice)
    : backends_(value_or_fail(open_backends(choice, nullptr))) {
  rates_ = value_or_fail(measure_rates(backends_));
  transfer_ = create<MemoryTransfer>({});
}

Image BenchDevice::to_device(const Image& image) const {
  return value_or_fail(transfer_->upload(image, 0, 0));
}

void BenchDevice::wait_for(const Image& image) const {
  check_or_fail(transfer_->wait_for(image));
}

Picture BenchDevice::noise_picture(int width, int height) {
  PictureFormat format;
  format.width = width, format.height = height;
  Picture made = value_or_fail(Picture::make(format, HostPool::shared()));
  for (int p = 0; p < made.plane_count(); ++p) {
    const auto plane = made.writable_plane(p);
    for (int y = 0; y < plane.height; ++y)
      for (int x = 0; x < plane.width; ++x) plane.at(x, y) = static_cast<uint8_t>(100 + random_() % 9);
  }
  return value_or_fail(transfer_->upload(made, 0, 0));
}

Picture BenchDevice::clouds(int width, int height, double moved_px) {
  PictureFormat format;
  format.width = width, format.height = height;
  Picture made = value_or_fail(Picture::make(format, HostPool::shared()));
  const auto plane = made.writable_plane(0);
  const WaveTexture texture(kBenchSeed, 8, 80);
  for (int y = 0; y < plane.height; ++y)
    for (int x = 0; x < plane.width; ++x) {
      const double turn_x = 6.28 * x / plane.width, turn_y = 6.28 * y / plane.height;
      const double level = texture(x - moved_px * std::sin(turn_y), y + moved_px * std::cos(turn_x));
      plane.at(x, y) = static_cast<uint8_t>(std::clamp(level + random_() % 5 - 2.0, 0.0, 255.0));
    }
  for (int p = 1; p < made.plane_count(); ++p) {
    const auto chroma = made.writable_plane(p);
    for (int y = 0; y < chroma.height; ++y) std::fill_n(chroma.row(y), chroma.width, uint8_t{128});
  }
  return value_or_fail(transfer_->upload(made, 0, 0));
}

Image BenchDevice::noise_image(ImageType type, int width, int height) {
  Image made = host_image(type, width, height);
  for (int y = 0; y < height; ++y) {
    std::byte* row = made.buffer()->data() + static_cast<size_t>(y) * made.stride_bytes();
    for (int x = 0; x < width; ++x) {
      if (type == ImageType::f32)
        reinterpret_cast<float*>(row)[x] = static_cast<float>(random_() % 256);
      else
        reinterpret_cast<uint8_t*>(row)[x] = static_cast<uint8_t>(random_());
    }
  }
  return to_device(made);
}

Image BenchDevice::discs(int width, int height, double covered_share) {
  Image made = host_image(ImageType::u8, width, height);
  const ImageView<uint8_t> view = cleared(made);
  constexpr int kRadius = 60;
  int64_t covered = 0;
  while (static_cast<double>(covered) < covered_share * width * height) {
    const int cx = static_cast<int>(random_() % static_cast<unsigned>(width)),
              cy = static_cast<int>(random_() % static_cast<unsigned>(height));
    for (int y = std::max(0, cy - kRadius); y < std::min(height, cy + kRadius); ++y)
      for (int x = std::max(0, cx - kRadius); x < std::min(width, cx + kRadius); ++x)
        if ((x - cx) * (x - cx) + (y - cy) * (y - cy) < kRadius * kRadius && view.at(x, y) == 0)
          view.at(x, y) = 255, ++covered;
  }
  return to_device(made);
}

// Points all over the bodies, each as wide as the distance to the next.
Image BenchDevice::six_people(const PinholeCamera<double>& camera) const {
  static constexpr double kPlaces_m[6][2] = {{0, 0},      {1.5, 0.8},   {-2, 1.2},
                                             {2.6, -2.2}, {-1.1, -2.4}, {0.4, 2.9}};
  Image made = host_image(ImageType::u8, camera.width_px, camera.height_px);
  const ImageView<uint8_t> view = cleared(made);
  const auto splat = [&](double x_m, double y_m, double z_m) {
    const Pixel<double> p = project(camera, x_m, y_m, z_m);
    if (!p.in_front) return;
    constexpr int kReach_px = 4;
    for (int y = std::max(0, static_cast<int>(p.y) - kReach_px);
         y <= std::min(view.height - 1, static_cast<int>(p.y) + kReach_px); ++y)
      for (int x = std::max(0, static_cast<int>(p.x) - kReach_px);
           x <= std::min(view.width - 1, static_cast<int>(p.x) + kReach_px); ++x)
        view.at(x, y) = 255;
  };
  for (const auto& [x_m, y_m] : kPlaces_m)
    for (double z_m = 0.05; z_m < 1.75; z_m += 0.02)
      for (double side_m = -0.25; side_m <= 0.25; side_m += 0.02) {
        splat(x_m + side_m, y_m, z_m);
        splat(x_m, y_m + side_m, z_m);
      }
  return to_device(made);
}

namespace {

Camera corner_camera(int index, double half_side_m) {
  const double x = index & 1 ? half_side_m : -half_side_m, y = index & 2 ? half_side_m : -half_side_m;
  const double z = kCameraHeight_m, down_m = kLookAtHeight_m - z;
  const double length = std::sqrt(x * x + y * y + down_m * down_m), flat = std::sqrt(x * x + y * y);
  const double f[3] = {-x / length, -y / length, down_m / length};
  const double right[3] = {-y / flat, x / flat, 0};
  const double down[3] = {f[1] * right[2] - f[2] * right[1], f[2] * right[0] - f[0] * right[2],
                          f[0] * right[1] - f[1] * right[0]};
  PinholeCamera<double> c;
  c.width_px = kStreamWidth_px, c.height_px = kStreamHeight_px;
  c.fx_px = c.fy_px = 900, c.cx_px = 639.5, c.cy_px = 479.5, c.k1 = -0.1;
  for (int i = 0; i < 3; ++i) {
    c.rotation_cam_from_world[i] = right[i];
    c.rotation_cam_from_world[3 + i] = down[i];
    c.rotation_cam_from_world[6 + i] = f[i];
  }
  for (int r = 0; r < 3; ++r) {
    const double* row = c.rotation_cam_from_world + 3 * r;
    c.translation_cam_from_world_m[r] = -(row[0] * x + row[1] * y + row[2] * z);
  }
  return value_or_fail(Camera::make("cam" + std::to_string(index + 1), c));
}

}  // namespace

std::vector<Camera> corner_cameras(double half_side_m) {
  std::vector<Camera> cameras;
  for (int i = 0; i < 4; ++i) cameras.push_back(corner_camera(i, half_side_m));
  return cameras;
}

}  // namespace vantage::cli
