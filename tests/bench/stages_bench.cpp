// Times the chain's stages on every device found: each with the bytes or samples counted for one call and the
// rate reached. Usage: stages_bench [OUT.json]. Prints a table; figures are medians over `repeats` batches of
// calls enqueued back to back, each batch ended by waiting for its last result.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>

#include "app/backends/backends.h"
#include "core/backend/memory_transfer.h"
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

  void carving(int nx, int ny, int nz, double filled) {
    std::vector<PinholeCamera<double>> cameras;
    std::vector<Image> indicators;
    for (int c = 0; c < 4; ++c) {
      cameras.push_back(corner_camera(c));
      indicators.push_back(indicator(filled));
    }
    VoxelGrid grid;
    grid.nx = nx, grid.ny = ny, grid.nz = nz;
    grid.voxel_size_m = 6.0 / nx;
    grid.origin_in_world_m[0] = grid.origin_in_world_m[1] = -3;
    auto carver = checked(backends_.registry.create<Carver>(backends_.device, context_, {cameras, grid}));
    int64_t frame = 0;
    char name[80];
    std::snprintf(name, sizeof name, "carving %dx%dx%d, 4 cameras, %.0f %% foreground", nx, ny, nz,
                  100 * filled);
    measure(name, 4.0 * static_cast<double>(grid.count()), "samples", 20, [&](bool wait) {
      auto volume = checked(carver->carve(indicators, false, frame++));
      if (wait) checked(Result<VolumeCounts>(volume.counts.get()));
    });
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
  Image indicator(double filled) {
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

  // At a corner of an 8 m square, 2.5 m high, looking at the middle.
  static PinholeCamera<double> corner_camera(int index) {
    const double x = index & 1 ? 4.0 : -4.0, y = index & 2 ? 4.0 : -4.0, z = 2.5;
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
