// heads_bench VIDEO [lbpcascade.xml]: milliseconds from a picture in the device's memory to suppressed boxes.
//
// With an LBP cascade of OpenCV also that one's, on the same pictures, in turns: detectMultiScale with our
// scale step 2^(1/4), from 24 pixels on. Its stride is two pixels on levels of scale below 2 and one above,
// as heads.stride_px=2; ours is also measured at stride 1. Exit codes: 0 done, 1 failed, 2 wrong usage.
#include <fmt/core.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <set>

#include "app/backends/backends.h"
#include "core/heads/heads.h"
#include "core/image/backend/memory_transfer.h"
#include "core/video/video_source.h"
#include "tests/bench/timing.h"
#include "tests/support/choose_instruction_set.h"

#ifdef VANTAGE_WITH_OPENCV
#include <opencv2/core.hpp>
#include <opencv2/objdetect.hpp>
#endif

namespace vantage::bench {
namespace {

constexpr size_t kPictures = 4;
constexpr size_t kRounds = 7;

Result<std::vector<Picture>> read_pictures(const std::string& path) {
  VANTAGE_ASSIGN(const auto source, open_video(path, {}));
  std::vector<Picture> pictures;
  while (pictures.size() < kPictures) {
    const Result<DecodedFrame> frame = source->read();
    if (!frame && frame.error().kind != ErrorKind::end_of_stream) return tl::unexpected(frame.error());
    if (!frame) break;
    if (frame->picture) pictures.push_back(frame->picture);
  }
  if (pictures.empty()) return fail(ErrorKind::bad_data, "no picture can be decoded", path, "Give a video.");
  return pictures;
}

// What works on all pictures, one after the other.
struct Contender {
  std::string name;
  std::function<Result<size_t>(const Picture&)> detect;  // how many were found
};

Result<Contender> ours(const Backends& backends, Device device, const Picture& first, int stride) {
  HeadParameters parameters;
  parameters.stride_px = stride;
  parameters.largest_px = 4000;
  VANTAGE_ASSIGN(std::shared_ptr<HeadDetector> detector,
                 backends.registry.create<HeadDetector>(device, {nullptr, backends.device_index},
                                                        {built_in_head_model()}));
  VANTAGE_ASSIGN(HeadSearch search, plan_head_search(first.width(), first.height(), parameters));
  const std::string name = std::string(device_name(device)) + ", stride " + std::to_string(stride) + ", " +
                           std::to_string(search.windows) + " windows";
  VANTAGE_TRY(detector->prepare(std::move(search), parameters));
  return Contender{name, [detector](const Picture& picture) -> Result<size_t> {
                     VANTAGE_ASSIGN(const HeadsInView view, detector->detect(picture, 0));
                     return view.heads.size();
                   }};
}

#ifndef VANTAGE_WITH_OPENCV
Result<Contender> opencv(const std::string& cascade_file) {
  return fail(ErrorKind::unsupported, "this program was built without OpenCV", cascade_file,
              "Leave the cascade out, or install libopencv-objdetect-dev and configure again.");
}
void let_opencv_use(int) {}
#else
void let_opencv_use(int threads) {
  cv::setNumThreads(threads);
}
Result<Contender> opencv(const std::string& cascade_file) {
  const auto cascade = std::make_shared<cv::CascadeClassifier>();
  if (!std::filesystem::exists(cascade_file) || !cascade->load(cascade_file))
    return fail(ErrorKind::bad_data, "OpenCV reads no cascade from this file", cascade_file,
                "Give one of its lbpcascade_*.xml.");
  return Contender{"OpenCV LBP cascade", [cascade](const Picture& picture) -> Result<size_t> {
                     const ImageView<const uint8_t> luma = picture.plane(0);
                     const cv::Mat gray(luma.height, luma.width, CV_8UC1, const_cast<uint8_t*>(luma.data),
                                        luma.stride_bytes);
                     std::vector<cv::Rect> found;
                     cascade->detectMultiScale(gray, found, std::exp2(0.25), 3, 0, cv::Size(24, 24));
                     return found.size();
                   }};
}
#endif

Status measure(const std::vector<Contender>& contenders, const std::vector<Picture>& pictures, int threads) {
  std::vector<size_t> found(contenders.size());
  Status status;
  std::vector<std::function<void()>> calls;
  for (size_t i = 0; i < contenders.size(); ++i)
    calls.emplace_back([&, i] {
      found[i] = 0;
      for (const Picture& picture : pictures) {
        const Result<size_t> heads = contenders[i].detect(picture);
        if (!heads) status = tl::unexpected(heads.error());
        found[i] += heads.value_or(0);
      }
    });
  const std::vector<HostTime> times = times_in_turn(calls, {0, kRounds});
  VANTAGE_TRY(status);
  const auto count = static_cast<double>(pictures.size());
  for (size_t i = 0; i < contenders.size(); ++i)
    fmt::print("{}, {} threads: {:.3f} ms a picture (least {:.3f}), {:.1f} found in each\n",
               contenders[i].name, threads, times[i].median_us / 1e3 / count, times[i].min_us / 1e3 / count,
               static_cast<double>(found[i]) / count);
  return {};
}

Status bench_device(const Backends& backends, std::vector<Picture> pictures) {
  VANTAGE_ASSIGN(
      const std::unique_ptr<MemoryTransfer> transfer,
      backends.registry.create<MemoryTransfer>(backends.device, {nullptr, backends.device_index}, {}));
  for (Picture& picture : pictures) {
    VANTAGE_ASSIGN(picture, transfer->upload(picture, -1, 0));
  }
  std::vector<Contender> contenders;
  for (const int stride : {2, 1}) {
    VANTAGE_ASSIGN(contenders.emplace_back(), ours(backends, backends.device, pictures[0], stride));
  }
  return measure(contenders, pictures, 1);
}

Status bench_cpu(const Backends& backends, const std::vector<Picture>& pictures,
                 const std::string& cascade_file) {
  std::vector<Contender> contenders;
  for (const int stride : {2, 1}) {
    VANTAGE_ASSIGN(contenders.emplace_back(), ours(backends, Device::cpu, pictures[0], stride));
  }
  if (!cascade_file.empty()) {
    VANTAGE_ASSIGN(contenders.emplace_back(), opencv(cascade_file));
  }
  for (const int threads : std::set<int>{1, 2, tbb::this_task_arena::max_concurrency()}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                    static_cast<size_t>(threads));
    let_opencv_use(threads);
    VANTAGE_TRY(measure(contenders, pictures, threads));
  }
  return {};
}

Status run(const std::string& video, const std::string& cascade_file) {
  VANTAGE_ASSIGN(const std::vector<Picture> pictures, read_pictures(video));
  VANTAGE_ASSIGN(const Backends backends, open_backends("auto", nullptr));
  fmt::print("{} pictures of {} x {}, {} rounds in turns\n", pictures.size(), pictures[0].width(),
             pictures[0].height(), kRounds);
  if (backends.device != Device::cpu) VANTAGE_TRY(bench_device(backends, pictures));
  return bench_cpu(backends, pictures, cascade_file);
}

}  // namespace
}  // namespace vantage::bench

int main(int argc, char** argv) {
  vantage::test::choose_instruction_set();
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // a run that is stopped leaves what it knows by then
  if (argc != 2 && argc != 3) {
    fmt::print(stderr, "heads_bench VIDEO [lbpcascade.xml]\n");
    return 2;
  }
  const vantage::Status done = vantage::bench::run(argv[1], argc == 3 ? argv[2] : "");
  if (!done) fmt::print(stderr, "heads_bench: {}\n", done.error().message());
  return done ? 0 : 1;
}
