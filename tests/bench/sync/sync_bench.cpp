// Times the frame signatures on every device found: 4 cameras, 6 pairs, 96 twin lines a pair of 512 points.
// Median of 9 batches of frames enqueued back to back, each batch ended by waiting for its last result.
// Usage: sync_bench [OUT.json]
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <random>

#include "app/backends/backends.h"
#include "core/backend/memory_transfer.h"
#include "core/sync/epipolar.h"
#include "core/sync/signatures.h"
#include "tests/support/camera_ring.h"

namespace vantage {
namespace {

template <typename T>
T checked(Result<T> result) {
  if (result) return std::move(*result);
  std::fprintf(stderr, "sync_bench: %s\n", result.error().message().c_str());
  std::exit(1);
}

void measure(std::string_view choice, int width, int height, std::string* json) {
  constexpr int kLines = 96, kRepeats = 9;
  Backends backends = checked(open_backends(choice, nullptr));
  const BackendContext context{nullptr, backends.device_index};
  test::RingOptions ring;
  ring.width_px = width, ring.height_px = height;
  const std::vector<Camera> cameras = test::camera_ring(ring);
  SignatureExtractor::Arguments arguments{test::models_of(cameras), {}};
  const VoxelGrid volume{{-1, -1, 0}, 0.1, 20, 20, 18};
  for (int i = 0; i < ring.cameras; ++i)
    for (int j = i + 1; j < ring.cameras; ++j) {
      const EpipolarTwins twins = choose_epipolar_twins(cameras[static_cast<size_t>(i)],
                                                        cameras[static_cast<size_t>(j)], volume, kLines);
      arguments.pairs.push_back({i, j, twins.first, twins.second});
    }
  const auto extractor =
      checked(backends.registry.create<SignatureExtractor>(backends.device, context, arguments));
  std::unique_ptr<MemoryTransfer> transfer;
  if (backends.device == Device::cuda)
    transfer = checked(backends.registry.create<MemoryTransfer>(Device::cuda, context, {}));
  std::mt19937 random(5);
  std::vector<Image> indicators;
  for (int c = 0; c < ring.cameras; ++c) {
    Image image = checked(Image::make(ImageType::u8, width, height, HostPool::shared()));
    const ImageView<uint8_t> view = image.writable_view<uint8_t>();
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) view.at(x, y) = static_cast<uint8_t>(random());
    indicators.push_back(transfer ? checked(transfer->upload(image, 0, c)) : image);
  }
  const int calls = backends.device == Device::cuda ? 200 : 20;
  std::vector<double> microseconds;
  for (int repeat = 0; repeat <= kRepeats; ++repeat) {
    const int64_t start = trace_now_ns();
    Image last;
    for (int i = 0; i < calls; ++i) last = checked(extractor->extract(indicators, i));
    if (transfer) checked(transfer->download(last, 0, 0));
    if (repeat > 0) microseconds.push_back(static_cast<double>(trace_now_ns() - start) * 1e-3 / calls);
  }
  std::sort(microseconds.begin(), microseconds.end());
  const double median = microseconds[kRepeats / 2], pairs = static_cast<double>(arguments.pairs.size());
  // Each point reads its place (4 B) and a pixel (1 B).
  const double bytes = pairs * 2 * kLines * kLinePoints * 5;
  std::printf("%-24s %dx%d  %8.2f us a frame of 6 pairs [%.2f .. %.2f], %7.2f us a pair, %6.1f GB/s\n",
              backends.description.c_str(), width, height, median, microseconds.front(), microseconds.back(),
              median / pairs, bytes / median * 1e-3);
  char line[256];
  std::snprintf(
      line, sizeof line,
      "%s{\"name\": \"frame signatures %dx%d\", \"device\": \"%s\", \"median_us\": %.3f, \"pairs\": 6, "
      "\"lines\": %d, \"bytes\": %.0f}",
      json->empty() ? "" : ",\n ", width, height, backends.description.c_str(), median, kLines, bytes);
  *json += line;
}

}  // namespace
}  // namespace vantage

int main(int argc, char** argv) {
  std::string json;
  for (const std::string_view choice : {"cpu", "cuda"}) {
    if (const auto there = vantage::open_backends(choice, nullptr); !there) {
      std::printf("no %s figures: %s\n", std::string(choice).c_str(), there.error().message().c_str());
      continue;
    }
    vantage::measure(choice, 640, 480, &json);
    vantage::measure(choice, 1280, 960, &json);
  }
  if (argc > 1) std::ofstream(argv[1]) << '[' << json << "]\n";
  return 0;
}
