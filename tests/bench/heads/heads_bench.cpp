// heads_bench VIDEO [lbpcascade.xml]: milliseconds from a picture in the device's memory to suppressed boxes.
//
// With an LBP cascade of OpenCV also that one's, on the same pictures in the same run: detectMultiScale with
// our scale step 2^(1/4), from 24 pixels on. Its stride is two pixels on levels of scale below 2 and one
// above, as heads.stride=2; ours is also measured at stride 1.
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>

#include "app/backends/backends.h"
#include "core/backend/memory_transfer.h"
#include "core/heads/heads.h"
#include "core/video/video_source.h"

#ifdef VANTAGE_WITH_OPENCV
#include <opencv2/core.hpp>
#include <opencv2/objdetect.hpp>
#endif

namespace vantage {
namespace {

constexpr int kPictures = 16, kRounds = 7;

// Median over rounds of the mean over the pictures.
double milliseconds(const std::function<void(int)>& detect) {
  std::vector<double> rounds;
  for (int round = 0; round <= kRounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < kPictures; ++i) detect(i);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    if (round > 0) rounds.push_back(took.count() / kPictures);
  }
  std::sort(rounds.begin(), rounds.end());
  return rounds[kRounds / 2];
}

std::vector<Picture> read_pictures(const std::string& path) {
  const auto source = open_video(path, {}).value();
  std::vector<Picture> pictures;
  while (static_cast<int>(pictures.size()) < kPictures) {
    auto frame = source->read();
    if (!frame) break;
    if (frame->picture) pictures.push_back(frame->picture);
  }
  for (size_t i = 0; !pictures.empty() && pictures.size() < static_cast<size_t>(kPictures); ++i)
    pictures.push_back(pictures[i]);
  return pictures;
}

void bench(const Backends& backends, Device device, const std::vector<Picture>& host, int threads) {
  std::unique_ptr<MemoryTransfer> transfer;
  if (device != Device::cpu)
    transfer = backends.registry.create<MemoryTransfer>(device, {nullptr, backends.device_index}, {}).value();
  std::vector<Picture> pictures = host;
  for (Picture& picture : pictures)
    if (transfer) picture = transfer->upload(picture, -1, 0).value();
  for (const int stride : {2, 1}) {
    HeadParameters parameters;
    parameters.stride = stride;
    parameters.largest_px = 4000;
    const auto detector =
        backends.registry
            .create<HeadDetector>(device, {nullptr, backends.device_index}, {built_in_head_model()})
            .value();
    HeadSearch search = plan_head_search(host[0].width(), host[0].height(), parameters).value();
    const int64_t windows = search.windows;
    if (!detector->prepare(std::move(search), parameters)) return;
    size_t heads = 0;
    const double ms = milliseconds(
        [&](int i) { heads += detector->detect(pictures[static_cast<size_t>(i)], i).value().heads.size(); });
    std::printf("%s, %d threads, stride %d: %.3f ms a picture of %dx%d, %lld windows, %.1f heads\n",
                std::string(device_name(device)).c_str(), threads, stride, ms, host[0].width(),
                host[0].height(), static_cast<long long>(windows),
                static_cast<double>(heads) / ((kRounds + 1) * kPictures));
  }
}

#ifdef VANTAGE_WITH_OPENCV
void bench_opencv(const std::string& cascade_file, const std::vector<Picture>& pictures, int threads) {
  cv::setNumThreads(threads);
  cv::CascadeClassifier cascade(cascade_file);
  std::vector<cv::Mat> grays;
  for (const Picture& picture : pictures) {
    const ImageView<const uint8_t> luma = picture.plane(0);
    grays.emplace_back(luma.height, luma.width, CV_8UC1, const_cast<uint8_t*>(luma.data), luma.stride_bytes);
  }
  const double ms = milliseconds([&](int i) {
    std::vector<cv::Rect> found;
    cascade.detectMultiScale(grays[static_cast<size_t>(i)], found, std::exp2(0.25), 3, 0, cv::Size(24, 24));
  });
  std::printf("OpenCV LBP cascade, %d threads: %.3f ms a picture\n", threads, ms);
}
#endif

int run(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "heads_bench VIDEO [lbpcascade.xml]\n");
    return 2;
  }
  const std::vector<Picture> pictures = read_pictures(argv[1]);
  if (pictures.empty()) return 1;
  const Backends backends = open_backends("auto", nullptr).value();
  for (const int threads : {1, 2, 0}) {
    const int most = threads > 0 ? threads : tbb::this_task_arena::max_concurrency();
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, static_cast<size_t>(most));
    bench(backends, Device::cpu, pictures, most);
#ifdef VANTAGE_WITH_OPENCV
    if (argc > 2) bench_opencv(argv[2], pictures, most);
#endif
  }
  if (backends.device != Device::cpu) bench(backends, backends.device, pictures, 1);
  return 0;
}

}  // namespace
}  // namespace vantage

int main(int argc, char** argv) {
  return vantage::run(argc, argv);
}
