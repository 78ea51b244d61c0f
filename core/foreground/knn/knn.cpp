#include "core/foreground/knn/knn.h"

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/video/background_segm.hpp>

#include <cmath>
#include <string>

#include "core/foreground/clean_image.h"
#include "core/foreground/foreground.h"
#include "core/foreground/pixel_evidence.h"

namespace vantage {

template <>
const ParameterTable& parameter_table<KnnParameters>() {
  using P = KnnParameters;
  using enum ParameterOption;
  static const ParameterTable table = ParameterTable::make<P>(
      "knn", "Foreground by KNN",
      {
          real<&P::distance>("Distance", "grey levels", 1, 200,
                             "A sample explains a pixel that differs from it by less than this in B, G and R "
                             "together.",
                             added),
          integer<&P::history_frames>("History", "frames", 2, 10000,
                                      "Of how many learnt frames samples are kept.", expert, relearns, added),
          boolean<&P::detect_shadows>("Detect shadows",
                                      "A pixel that is a darker version of a sample is not foreground.",
                                      expert, added),
          real<&P::learning_rate>(
              "Learning rate", "per frame", 0.000001, 1,
              "How fast samples are replaced after the scene was learnt, also where people stand: a person "
              "who stays is absorbed after about 0.05 / rate frames.",
              expert, logarithmic, added),
      });
  return table;
}

namespace {

constexpr double kByHistory = -1;     // OpenCV's learning rate: 1 / frames seen, at least 1 / history
constexpr uint8_t kForeground = 255;  // OpenCV's mask: 0 scene, 127 shadow, 255 foreground

class KnnCpu final : public ForegroundModel, public PixelExplainer {
 public:
  explicit KnnCpu(int camera) : camera_(camera) { reset(); }

  void reset() override {
    model_ = cv::createBackgroundSubtractorKNN();
    width_ = height_ = 0;
    learnt_ = 0;
    configure();
  }

  void set_parameters(const ParameterStore& parameters) override {
    parameters_ = parameters.get<KnnParameters>();
    cleaning_ = cleaning_steps(parameters.get<ForegroundParameters>());
    configure();
  }

  Status learn(const Picture& empty_scene, int64_t) override {
    VANTAGE_TRY(take(empty_scene));
    return show(kByHistory);
  }

  // As many pictures as a clip of a second has.
  int showings() const override { return 13; }

  Result<ForegroundImages> apply(const Picture& picture, int64_t) override {
    VANTAGE_TRY(take(picture));
    VANTAGE_TRY(show(learnt_ == 0 ? kByHistory : parameters_.learning_rate));
    VANTAGE_ASSIGN(Image votes, Image::make(ImageType::u8, width_, height_, HostPool::shared()));
    VANTAGE_ASSIGN(Image spare, Image::make(ImageType::u8, width_, height_, HostPool::shared()));
    copy_votes(votes.writable_view<uint8_t>());
    clean_image(votes, spare, cleaning_);
    // Votes are 0 or 255, and stay so when they are cleaned: the indicator is the mask.
    return ForegroundImages{votes, votes, count(votes.view<uint8_t>())};
  }

  // OpenCV keeps its samples to itself; the mean of those that are the scene it tells.
  Result<PixelEvidence> explain(const Picture& picture, int x_px, int y_px) const override {
    if (!picture || picture.place().kind != MemoryKind::host || picture.width() != width_ ||
        picture.height() != height_)
      return fail(ErrorKind::invalid_argument, "the picture is not one of the model's", where());
    if (x_px < 0 || y_px < 0 || x_px >= width_ || y_px >= height_)
      return fail(ErrorKind::invalid_argument, "no such pixel", where());
    PixelEvidence evidence;
    evidence.mask_begins = parameters_.distance;
    try {
      cv::Mat ycrcb, bgr, scene;
      to_bgr(picture, &ycrcb, &bgr);
      model_->getBackgroundImage(scene);
      const auto value = bgr.at<cv::Vec3b>(y_px, x_px), mean = scene.at<cv::Vec3b>(y_px, x_px);
      for (int c = 0; c < 3; ++c) {
        evidence.components.push_back({.name = std::string(1, "BGR"[c]),
                                       .value = static_cast<double>(value[c]),
                                       .mean = static_cast<double>(mean[c])});
        evidence.distance = std::hypot(evidence.distance, value[c] - mean[c]);
      }
    } catch (const cv::Exception& error) {
      return fail(ErrorKind::out_of_memory, error.what(), where());
    }
    return evidence;
  }

  Result<std::shared_ptr<const ForegroundState>> save() const override { return no_state(); }
  Status restore(const ForegroundState&) override { return no_state(); }

 private:
  static tl::unexpected<Error> no_state() {
    return fail(ErrorKind::unsupported, "OpenCV's KNN does not let its state be saved", "foreground");
  }

  std::string where() const { return "foreground, camera " + std::to_string(camera_ + 1); }

  void configure() {
    model_->setDist2Threshold(parameters_.distance * parameters_.distance);
    model_->setHistory(parameters_.history_frames);
    model_->setDetectShadows(parameters_.detect_shadows);
  }

  // The picture as OpenCV takes it. Errors: another size or another memory than the contract allows.
  Status take(const Picture& picture) {
    if (picture.place().kind != MemoryKind::host)
      return fail(ErrorKind::invalid_argument, "the picture is not in host memory", where());
    if (width_ > 0 && (picture.width() != width_ || picture.height() != height_))
      return fail(ErrorKind::invalid_argument, "the picture's size differs from the first one's", where(),
                  "Use an empty-scene clip and a video of the same size.");
    width_ = picture.width(), height_ = picture.height();
    try {
      to_bgr(picture, &ycrcb_, &bgr_);
    } catch (const cv::Exception& error) {
      return fail(ErrorKind::out_of_memory, error.what(), where());
    }
    return {};
  }

  // Chroma is repeated, so that pictures of odd sizes are taken as well.
  static void to_bgr(const Picture& picture, cv::Mat* ycrcb, cv::Mat* bgr) {
    ycrcb->create(picture.height(), picture.width(), CV_8UC3);
    const bool planar = picture.format().layout == PictureLayout::i420;
    const int step = planar ? 1 : 2;
    for (int y = 0; y < picture.height(); ++y) {
      const uint8_t* luma = picture.plane(0).row(y);
      const uint8_t* cb = picture.plane(1).row(y / 2);
      const uint8_t* cr = planar ? picture.plane(2).row(y / 2) : cb + 1;
      uint8_t* out = ycrcb->ptr<uint8_t>(y);
      for (int x = 0; x < picture.width(); ++x, out += 3)
        out[0] = luma[x], out[1] = cr[step * (x / 2)], out[2] = cb[step * (x / 2)];
    }
    cv::cvtColor(*ycrcb, *bgr, cv::COLOR_YCrCb2BGR);
  }

  // OpenCV replaces samples at random: the same numbers for the same picture of the same camera.
  Status show(double learning_rate) {
    cv::theRNG().state = 0x9E3779B97F4A7C15ULL + static_cast<uint64_t>(camera_) * 1000003 + learnt_;
    try {
      model_->apply(bgr_, raw_, learning_rate);
    } catch (const cv::Exception& error) {
      return fail(ErrorKind::out_of_memory, error.what(), "foreground");
    }
    ++learnt_;
    return {};
  }

  void copy_votes(const ImageView<uint8_t>& votes) const {
    for (int y = 0; y < height_; ++y) {
      const uint8_t* from = raw_.ptr<uint8_t>(y);
      for (int x = 0; x < width_; ++x) votes.row(y)[x] = from[x] == kForeground ? 255 : 0;
    }
  }

  static int64_t count(const ImageView<const uint8_t>& mask) {
    int64_t pixels = 0;
    for (int y = 0; y < mask.height; ++y)
      for (int x = 0; x < mask.width; ++x) pixels += mask.row(y)[x] != 0;
    return pixels;
  }

  int camera_;
  KnnParameters parameters_;
  std::vector<CleaningStep> cleaning_ = cleaning_steps({});
  cv::Ptr<cv::BackgroundSubtractorKNN> model_;
  cv::Mat ycrcb_, bgr_, raw_;
  int width_ = 0, height_ = 0;
  uint64_t learnt_ = 0;  // pictures shown to the model
};

}  // namespace

void register_knn_cpu(BackendRegistry& registry) {
  registry.add<ForegroundModel>(
      "knn", Device::cpu,
      [](const BackendContext&, const ForegroundModel::Arguments& arguments)
          -> Result<std::unique_ptr<ForegroundModel>> { return std::make_unique<KnnCpu>(arguments.camera); });
}

}  // namespace vantage
