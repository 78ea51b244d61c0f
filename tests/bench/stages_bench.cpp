// Times the chain's stages on every device found: each with the bytes or samples counted for one call and the
// rate reached. Usage: stages_bench [OUT.json]. Prints a table; figures are medians over `repeats` batches of
// calls enqueued back to back, each batch ended by waiting for its last result.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "app/backends/backends.h"
#include "core/backend/memory_transfer.h"
#include "core/base/trace.h"
#include "core/carving/carving.h"
#include "core/foreground/foreground.h"

namespace vantage {
namespace {

constexpr unsigned kSeed = 20;

template <typename T>
T checked(Result<T> result) {
  if (result) return std::move(*result);
  std::fprintf(stderr, "stages_bench: %s\n", result.error().message().c_str());
  std::exit(1);
}

void check(const Status& status) {
  if (status) return;
  std::fprintf(stderr, "stages_bench: %s\n", status.error().message().c_str());
  std::exit(1);
}

class Bench {
 public:
  explicit Bench(std::string_view choice) : backends_(checked(open_backends(choice, nullptr))) {
    context_.device_index = backends_.device_index;
    if (backends_.device == Device::cuda)
      transfer_ = checked(backends_.registry.create<MemoryTransfer>(Device::cuda, context_, {}));
  }

  void foreground(int width, int height) {
    auto model = checked(backends_.registry.create<ForegroundModel>(backends_.device, context_, {}));
    std::vector<Picture> pictures;
    for (int i = 0; i < 4; ++i) pictures.push_back(picture(width, height));
    check(model->learn(pictures[0], 0));
    int64_t frame = 0;
    // Read: the picture (1.5 B a pixel) and the model (mean and variance, 12 B); written: the model,
    // indicator and mask.
    const double bytes = (1.5 + 12 + 12 + 2) * width * height;
    measure("foreground " + size_text(width, height), bytes, "B", 50, [&](bool wait) {
      ++frame;
      auto made = checked(model->apply(pictures[static_cast<size_t>(frame % 4)], frame));
      if (wait) checked(Result<int64_t>(made.mask_count.get()));
    });
  }

  // From 4 cameras at the corners of an 8 m square, on random discs.
  void carving(int nx, int ny, int nz, double filled) {
    Carver::Arguments scene;
    std::vector<Image> indicators;
    for (int c = 0; c < 4; ++c) {
      scene.cameras.push_back(corner_camera(c, 4.0));
      indicators.push_back(discs(filled));
    }
    scene.grid = {{-3, -3, 0}, 6.0 / nx, nx, ny, nz};
    char name[80];
    std::snprintf(name, sizeof name, "carving %dx%dx%d, 4 cameras, %.0f %% foreground", nx, ny, nz,
                  100 * filled);
    carving(name, scene, indicators, false);
  }

  // Six people in a 12 m square, 1.5 m of their height: with and without skipping, with and without
  // confidence.
  void carving_people() {
    Carver::Arguments scene;
    std::vector<Image> indicators;
    for (int c = 0; c < 4; ++c) {
      scene.cameras.push_back(corner_camera(c, 6.0));
      indicators.push_back(people(scene.cameras.back()));
    }
    scene.grid = {{-6, -6, 0}, 12.0 / 512, 512, 512, 64};
    const std::string name = "carving 512x512x64, 4 cameras, 6 people";
    carving(name, scene, indicators, false);
    carving(name + ", confidence kept", scene, indicators, true);
    scene.skip_decided = false;
    carving(name + ", dense", scene, indicators, false);
  }

  void carving(const std::string& name, const Carver::Arguments& scene, const std::vector<Image>& indicators,
               bool keep_confidence) {
    TraceRecorder trace;
    BackendContext context = context_;
    context.trace = &trace;
    auto carver = checked(backends_.registry.create<Carver>(backends_.device, context, scene));
    int64_t frame = 0;
    measure(name, 4.0 * static_cast<double>(scene.grid.count()), "samples", 20, [&](bool wait) {
      auto volume = checked(carver->carve(indicators, keep_confidence, frame++));
      if (wait) checked(Result<VolumeCounts>(volume.counts.get()));
    });
    const CarvedVolume volume = checked(carver->carve(indicators, keep_confidence, frame));
    const VolumeCounts counts = checked(Result<VolumeCounts>(volume.counts.get()));
    std::printf("    %lld voxels occupied, %lld in the shell\n", static_cast<long long>(counts.occupied),
                static_cast<long long>(counts.shell));
    report_spans(trace);
  }

  const nlohmann::ordered_json& rows() const { return rows_; }
  const std::string& description() const { return backends_.description; }

 private:
  static std::string size_text(int width, int height) {
    return std::to_string(width) + "x" + std::to_string(height);
  }

  // work(true) also waits for its result.
  void measure(const std::string& name, double amount, const char* unit, int calls,
               const std::function<void(bool)>& work) {
    if (backends_.device == Device::cpu) calls = std::max(1, calls / 10);
    constexpr int kRepeats = 7;
    for (int i = 0; i < calls; ++i) work(i + 1 == calls);  // warm-up
    std::vector<double> seconds;
    for (int repeat = 0; repeat < kRepeats; ++repeat) {
      const int64_t start = trace_now_ns();
      for (int i = 0; i < calls; ++i) work(i + 1 == calls);
      seconds.push_back(static_cast<double>(trace_now_ns() - start) * 1e-9 / calls);
    }
    std::sort(seconds.begin(), seconds.end());
    const double median = seconds[kRepeats / 2];
    std::printf("%-55s %10.1f us  [%.1f .. %.1f]  %8.2f G%s/s\n", name.c_str(), median * 1e6,
                seconds.front() * 1e6, seconds.back() * 1e6, amount / median * 1e-9, unit);
    rows_.push_back({{"name", name},
                     {"device", backends_.description},
                     {"median_us", median * 1e6},
                     {"min_us", seconds.front() * 1e6},
                     {"max_us", seconds.back() * 1e6},
                     {"amount", amount},
                     {"unit", unit},
                     {"calls", calls},
                     {"repeats", kRepeats}});
  }

  // The mean time of each step inside, as the trace has it.
  void report_spans(const TraceRecorder& trace) {
    struct Sum {
      double ns = 0;
      int count = 0;
    };
    std::map<std::string, Sum> sums;
    for (const TraceSpan& span : trace.snapshot()) {
      sums[span.name].ns += static_cast<double>(span.duration_ns);
      ++sums[span.name].count;
    }
    nlohmann::ordered_json& row = rows_.back();
    for (const auto& [name, sum] : sums) {
      const double mean_us = sum.ns * 1e-3 / sum.count;
      std::printf("    %-51s %10.1f us  (mean of %d)\n", name.c_str(), mean_us, sum.count);
      row["spans_us"][name] = mean_us;
    }
  }

  Picture picture(int width, int height) {
    PictureFormat format;
    format.width = width, format.height = height;
    Picture made = checked(Picture::make(format, HostPool::shared()));
    for (int p = 0; p < made.plane_count(); ++p) {
      const auto plane = made.writable_plane(p);
      for (int y = 0; y < plane.height; ++y)
        for (int x = 0; x < plane.width; ++x) plane.at(x, y) = static_cast<uint8_t>(100 + random_() % 9);
    }
    return transfer_ ? checked(transfer_->upload(made, 0, 0)) : made;
  }

  // Discs of full indicator on an empty picture until the wanted share is covered.
  Image discs(double filled) {
    Image made = checked(Image::make(ImageType::u8, 1280, 960, HostPool::shared()));
    const auto view = made.writable_view<uint8_t>();
    for (int y = 0; y < view.height; ++y) std::fill_n(view.row(y), view.width, uint8_t{0});
    int64_t covered = 0;
    while (static_cast<double>(covered) < filled * view.width * view.height) {
      const int cx = static_cast<int>(random_() % 1280), cy = static_cast<int>(random_() % 960), r = 60;
      for (int y = std::max(0, cy - r); y < std::min(960, cy + r); ++y)
        for (int x = std::max(0, cx - r); x < std::min(1280, cx + r); ++x)
          if ((x - cx) * (x - cx) + (y - cy) * (y - cy) < r * r && view.at(x, y) == 0)
            view.at(x, y) = 255, ++covered;
    }
    return transfer_ ? checked(transfer_->upload(made, 0, 0)) : made;
  }

  // Six upright bodies, 0.5 m wide and 1.75 m high, as the camera sees them: points all over them, each as
  // wide as the distance to the next.
  Image people(const PinholeCamera<double>& camera) {
    static constexpr double kPlaces_m[6][2] = {{0, 0},      {1.5, 0.8},   {-2, 1.2},
                                               {2.6, -2.2}, {-1.1, -2.4}, {0.4, 2.9}};
    Image made = checked(Image::make(ImageType::u8, camera.width_px, camera.height_px, HostPool::shared()));
    const auto view = made.writable_view<uint8_t>();
    for (int y = 0; y < view.height; ++y) std::fill_n(view.row(y), view.width, uint8_t{0});
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
    return transfer_ ? checked(transfer_->upload(made, 0, 0)) : made;
  }

  // At a corner of a square, 2.5 m high, looking at the middle.
  static PinholeCamera<double> corner_camera(int index, double half_side_m) {
    const double x = index & 1 ? half_side_m : -half_side_m, y = index & 2 ? half_side_m : -half_side_m,
                 z = 2.5;
    const double forward[3] = {-x, -y, 1.0 - z};
    const double length = std::sqrt(x * x + y * y + (1.0 - z) * (1.0 - z)), flat = std::sqrt(x * x + y * y);
    const double f[3] = {forward[0] / length, forward[1] / length, forward[2] / length};
    const double right[3] = {forward[1] / flat, -forward[0] / flat, 0};
    const double down[3] = {f[1] * right[2] - f[2] * right[1], f[2] * right[0] - f[0] * right[2],
                            f[0] * right[1] - f[1] * right[0]};
    PinholeCamera<double> c;
    c.width_px = 1280, c.height_px = 960;
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
    c.max_radius2 = 1.0 / 0.3;  // where 1 + 3 k1 r^2 = 0
    return c;
  }

  Backends backends_;
  BackendContext context_;
  std::unique_ptr<MemoryTransfer> transfer_;
  std::mt19937 random_{kSeed};
  nlohmann::ordered_json rows_ = nlohmann::ordered_json::array();
};

void run_on(std::string_view choice, nlohmann::ordered_json* rows) {
  Bench bench(choice);
  std::printf("%s (seed %u)\n", bench.description().c_str(), kSeed);
  bench.foreground(644, 486);
  bench.foreground(1280, 960);
  bench.foreground(1920, 1080);
  bench.carving(256, 256, 64, 0.05);
  bench.carving(512, 512, 64, 0.05);
  bench.carving(512, 512, 64, 0.5);
  bench.carving_people();
  for (const auto& row : bench.rows()) rows->push_back(row);
}

}  // namespace
}  // namespace vantage

int main(int argc, char** argv) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  vantage::run_on("cpu", &rows);
  const auto cuda = vantage::open_backends("cuda", nullptr);
  if (cuda) {
    vantage::run_on("cuda", &rows);
  } else {
    std::printf("no CUDA figures: %s\n", cuda.error().message().c_str());
  }
  if (argc > 1) std::ofstream(argv[1]) << rows.dump(1) << '\n';
  return 0;
}
