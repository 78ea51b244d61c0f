// Foreground segmentation on recordings with truth masks: quality and time of ours beside OpenCV's MOG2 and
// KNN, on the same frames, with the same threads, in the same run. A recording is a folder of either kind:
//   camN_empty.mp4, camN.mp4, truth/masks/camN/frame_%06d.png      (as `vantage-cli synth` writes them)
//   camN/background.avi, camN/video.avi, gt_masks/camN_frame_%04d.png
// Each method sees the whole empty clip, then the frames of the video in order from --first. The peers run
// with their defaults on BGR, made outside their time; they are also shown with an opening of 3 and a closing
// of 7 pixels, whose time does not count either. A pixel of the peers' shadow class counts as background.
#include <fmt/core.h>
#include <tbb/global_control.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#ifdef VANTAGE_BENCH_OPENCV
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/video/background_segm.hpp>
#endif

#include "core/algorithms.h"
#include "core/foreground/foreground.h"
#include "core/image/image_files.h"
#include "core/video/video_source.h"
#include "tests/support/choose_instruction_set.h"

namespace vantage {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<std::string> recordings, set;
  int threads = 1;
  int64_t first = 0, last = -1;
  bool no_peers = false, reliability = false;
  std::string write;
};

template <typename T>
T checked(Result<T> result) {
  if (result) return std::move(*result);
  fmt::print(stderr, "foreground_bench: {}\n", result.error().message());
  std::exit(1);
}

void check(const Status& status) {
  if (status) return;
  fmt::print(stderr, "foreground_bench: {}\n", status.error().message());
  std::exit(1);
}

double milliseconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

struct CameraFiles {
  std::string name;
  fs::path empty, video;
  std::map<int64_t, fs::path> truth;  // by frame
};

// The number at the end of a file's name.
int64_t frame_of(const fs::path& file) {
  const std::string stem = file.stem().string();
  return std::stoll(stem.substr(stem.find_last_of('_') + 1));
}

std::vector<CameraFiles> cameras_of(const fs::path& folder) {
  std::vector<CameraFiles> cameras;
  const bool drawn = fs::exists(folder / "gt_masks");
  for (int c = 1;; ++c) {
    CameraFiles camera;
    camera.name = "cam" + std::to_string(c);
    camera.empty = drawn ? folder / camera.name / "background.avi" : folder / (camera.name + "_empty.mp4");
    camera.video = drawn ? folder / camera.name / "video.avi" : folder / (camera.name + ".mp4");
    if (!fs::exists(camera.video)) return cameras;
    const fs::path masks = drawn ? folder / "gt_masks" : folder / "truth" / "masks" / camera.name;
    for (const fs::directory_entry& entry : fs::directory_iterator(masks))
      if (!drawn || entry.path().filename().string().starts_with(camera.name + "_"))
        camera.truth[frame_of(entry.path())] = entry.path();
    cameras.push_back(std::move(camera));
  }
}

class Method {
 public:
  virtual ~Method() = default;
  virtual void start() = 0;
  // Both leave their time in last_ms.
  virtual void learn(const Picture& picture) = 0;
  virtual void apply(const Picture& picture) = 0;
  struct Mask {
    std::string name;
    Image mask;
  };
  virtual std::vector<Mask> masks() = 0;
  virtual Image indicator() const { return {}; }  // none: the method has only masks
  double last_ms = 0;
};

class Ours final : public Method {
 public:
  explicit Ours(const ForegroundParameters& parameters) : parameters_(parameters) {
    register_foreground_cpu(registry_);
  }
  void start() override {
    model_ = checked(registry_.create<ForegroundModel>(Device::cpu, {}, {}));
    model_->set_parameters(ParameterStore::of(parameters_));
  }
  void learn(const Picture& picture) override {
    last_ms = milliseconds([&] { check(model_->learn(picture, 0)); });
  }
  void apply(const Picture& picture) override {
    last_ms = milliseconds([&] { images_ = checked(model_->apply(picture, 0)); });
  }
  std::vector<Mask> masks() override { return {{"ours", images_.mask}}; }
  Image indicator() const override { return images_.indicator; }

 private:
  BackendRegistry registry_;
  ForegroundParameters parameters_;
  std::unique_ptr<ForegroundModel> model_;
  ForegroundImages images_;
};

#ifdef VANTAGE_BENCH_OPENCV
cv::Mat bgr_of(const Picture& picture) {
  const int width = picture.width(), height = picture.height();
  const bool planar = picture.format().layout == PictureLayout::i420;
  cv::Mat packed(height + height / 2, width, CV_8UC1), bgr;
  uint8_t* out = packed.data;
  for (int k = 0; k < picture.plane_count(); ++k) {
    const ImageView<const uint8_t> plane = picture.plane(k);
    const int row_bytes = k > 0 && !planar ? width : plane.width;
    for (int y = 0; y < plane.height; ++y, out += row_bytes) std::copy_n(plane.row(y), row_bytes, out);
  }
  cv::cvtColor(packed, bgr, planar ? cv::COLOR_YUV2BGR_I420 : cv::COLOR_YUV2BGR_NV12);
  return bgr;
}

Image image_of(const cv::Mat& mat) {
  Image image = checked(Image::make(ImageType::u8, mat.cols, mat.rows, HostPool::shared()));
  const ImageView<uint8_t> out = image.writable_view<uint8_t>();
  for (int y = 0; y < mat.rows; ++y) std::copy_n(mat.ptr<uint8_t>(y), mat.cols, out.row(y));
  return image;
}

class Peer final : public Method {
 public:
  using Make = std::function<cv::Ptr<cv::BackgroundSubtractor>()>;
  Peer(std::string name, Make make) : name_(std::move(name)), make_(std::move(make)) {}
  void start() override { model_ = make_(); }
  void learn(const Picture& picture) override { apply(picture); }
  void apply(const Picture& picture) override {
    const cv::Mat bgr = bgr_of(picture);
    last_ms = milliseconds([&] { model_->apply(bgr, raw_); });
  }
  std::vector<Mask> masks() override {
    constexpr double kAboveShadow = 200;
    cv::Mat mask, cleaned;
    cv::threshold(raw_, mask, kAboveShadow, 255, cv::THRESH_BINARY);
    const auto square = [](int size) { return cv::getStructuringElement(cv::MORPH_RECT, {size, size}); };
    cv::morphologyEx(mask, cleaned, cv::MORPH_OPEN, square(3));
    cv::morphologyEx(cleaned, cleaned, cv::MORPH_CLOSE, square(7));
    return {{name_, image_of(mask)}, {name_ + ", opened and closed", image_of(cleaned)}};
  }

 private:
  std::string name_;
  Make make_;
  cv::Ptr<cv::BackgroundSubtractor> model_;
  cv::Mat raw_;
};
#endif

std::vector<std::unique_ptr<Method>> methods([[maybe_unused]] const Options& options,
                                             const ForegroundParameters& parameters) {
  std::vector<std::unique_ptr<Method>> all;
  all.push_back(std::make_unique<Ours>(parameters));
#ifdef VANTAGE_BENCH_OPENCV
  if (!options.no_peers) {
    cv::setNumThreads(options.threads);
    all.push_back(std::make_unique<Peer>("MOG2", [] { return cv::createBackgroundSubtractorMOG2(); }));
    all.push_back(std::make_unique<Peer>("KNN", [] { return cv::createBackgroundSubtractorKNN(); }));
  }
#endif
  return all;
}

struct Score {
  double iou = 0, precision = 0, recall = 0;
};

Score score(const ImageView<const uint8_t>& mask, const ImageView<const uint8_t>& truth) {
  int64_t both = 0, set = 0, person = 0;
  for (int y = 0; y < truth.height; ++y)
    for (int x = 0; x < truth.width; ++x) {
      const bool a = mask.at(x, y) > 127, b = truth.at(x, y) > 127;
      both += a && b, set += a, person += b;
    }
  const auto share = [&](int64_t of) {
    return of ? static_cast<double>(both) / static_cast<double>(of) : 1.0;
  };
  return {share(set + person - both), share(set), share(person)};
}

// How many pixels have each level of the indicator, and how many of them show a person.
struct Reliability {
  std::array<int64_t, 256> pixels{}, person{};

  void add(const ImageView<const uint8_t>& indicator, const ImageView<const uint8_t>& truth) {
    for (int y = 0; y < truth.height; ++y)
      for (int x = 0; x < truth.width; ++x) {
        const uint8_t level = indicator.at(x, y);
        ++pixels[level], person[level] += truth.at(x, y) > 127;
      }
  }
  // Level 0, fourteen ranges, level 255.
  void print() const {
    fmt::print("indicator      pixels  show a person\n");
    for (int first = 0, last = 0; first < 256; first = last + 1) {
      last = first == 0 ? 0 : first == 255 ? 255 : std::min(first + 18, 254);
      int64_t count = 0, set = 0;
      for (int level = first; level <= last; ++level) {
        count += pixels[level];
        set += person[level];
      }
      fmt::print("{:.2f} to {:.2f} {:9}  {:.3f}\n", first / 255.0, last / 255.0, count,
                 count ? static_cast<double>(set) / static_cast<double>(count) : 0.0);
    }
  }
};

struct Tally {
  Reliability reliability;
  std::map<std::string, std::vector<Score>> scores;  // by camera
  std::vector<double> times_ms;
};

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void run_camera(const CameraFiles& files, const Options& options, std::vector<std::unique_ptr<Method>>& all,
                std::map<std::string, Tally>& tallies) {
  for (const auto& method : all) method->start();
  const auto empty = checked(open_video(files.empty.string(), {}));
  for (Result<DecodedFrame> frame = empty->read(); frame; frame = empty->read())
    if (frame->picture)
      for (const auto& method : all) method->learn(frame->picture);
  const auto video = checked(open_video(files.video.string(), {}));
  if (options.first > 0) check(video->seek(options.first));
  int64_t last = files.truth.empty() ? 0 : files.truth.rbegin()->first;
  if (options.last >= 0) last = std::min(last, options.last);
  for (int64_t n = options.first; n <= last; ++n) {
    const DecodedFrame frame = checked(video->read());
    if (!frame.picture) continue;
    const auto truth = files.truth.find(n);
    Image expected;
    if (truth != files.truth.end()) expected = checked(read_png_gray(truth->second, HostPool::shared()));
    for (const auto& method : all) {
      method->apply(frame.picture);
      bool first = true;
      if (n > options.first || expected)
        for (const Method::Mask& mask : method->masks()) {
          Tally& tally = tallies[mask.name];
          if (first) tally.times_ms.push_back(method->last_ms);
          first = false;
          if (!expected) continue;
          if (const Image indicator = method->indicator())
            tally.reliability.add(indicator.view<uint8_t>(), expected.view<uint8_t>());
          tally.scores[files.name].push_back(score(mask.mask.view<uint8_t>(), expected.view<uint8_t>()));
          if (!options.write.empty())
            check(write_png_gray(
                fs::path(options.write) / (mask.name + "_" + files.name + "_" + std::to_string(n) + ".png"),
                mask.mask));
        }
    }
  }
}

void print(const std::map<std::string, Tally>& tallies) {
  fmt::print("{:26} {:>8} {:>10} {:>8} {:>10}   IoU by camera\n", "", "mean IoU", "precision", "recall",
             "ms a frame");
  for (const auto& [name, tally] : tallies) {
    Score mean;
    std::string by_camera;
    for (const auto& [camera, scores] : tally.scores) {
      double iou = 0;
      for (const Score& s : scores) {
        const auto share = 1.0 / static_cast<double>(scores.size() * tally.scores.size());
        mean.iou += s.iou * share, mean.precision += s.precision * share, mean.recall += s.recall * share;
        iou += s.iou / static_cast<double>(scores.size());
      }
      char text[40];
      std::snprintf(text, sizeof text, " %.3f", iou);
      by_camera += text;
    }
    char time[40] = "";
    if (!tally.times_ms.empty()) std::snprintf(time, sizeof time, "%.3f", median(tally.times_ms));
    fmt::print("{:26} {:8.4f} {:10.4f} {:8.4f} {:>10}  {}\n", name, mean.iou, mean.precision, mean.recall,
               time, by_camera);
  }
}

int run(const Options& options) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<size_t>(options.threads));
  ParameterStore store({&parameter_table<ForegroundParameters>()});
  for (const std::string& assignment : options.set) check(store.set_from_text("foreground." + assignment));
  auto all = methods(options, store.get<ForegroundParameters>());
  for (const std::string& recording : options.recordings) {
    std::map<std::string, Tally> tallies;
    for (const CameraFiles& camera : cameras_of(recording)) run_camera(camera, options, all, tallies);
    fmt::print("{}, {} thread{}\n", recording, options.threads, options.threads == 1 ? "" : "s");
    print(tallies);
    if (options.reliability) tallies["ours"].reliability.print();
  }
  return 0;
}

}  // namespace
}  // namespace vantage

int main(int argc, char** argv) {
  vantage::test::choose_instruction_set();
  vantage::Options options;
  CLI::App app("Foreground segmentation: quality and time beside MOG2 and KNN");
  app.add_flag("--reliability", options.reliability,
               "also the share of persons at each level of the indicator");
  app.add_option("recordings", options.recordings, "folders with empty clips, videos and truth")->required();
  app.add_option("--set", options.set, "NAME=VALUE of a foreground parameter");
  app.add_option("--threads", options.threads, "threads of every method");
  app.add_option("--first", options.first, "first frame segmented");
  app.add_option("--last", options.last, "last frame segmented; else the last with truth");
  app.add_option("--write", options.write, "folder for the masks of frames with truth");
  app.add_flag("--no-peers", options.no_peers, "ours alone");
  CLI11_PARSE(app, argc, argv);
  return vantage::run(options);
}
