// The running Gaussian: reference against every device, over sequences of frames.
//
// Tolerance: the indicator, before rounding to 8 bits, may be off by kLevelError, so the stored level by half
// a level more. Float keeps 24 bits; a sequence of some ten updates of means up to 255 loses a few 1e-5 of a
// grey level, which the steepest indicator used here (255 levels over 2 sigma of 1 grey level) makes 1e-2. At
// an outline the error of a neighbour's vote, a few 1e-6, is multiplied by a distance of up to some 100 sigma
// and then by 255 levels over 3.5 sigma, which makes some 1e-2 again. Minima and maxima over windows keep
// that bound. Where the reference lies that close to the mask's threshold, rounding decides whether a pixel
// counts as background and is learnt: there, and only there, the reference follows the device's mask, so that
// every pixel of every frame is compared.
#include "core/foreground/foreground.h"

#include <gtest/gtest.h>

#include <random>

#include "core/foreground/light_change.h"
#include "core/foreground/pixel_evidence.h"
#include "tests/reference/foreground.h"
#include "tests/support/backends.h"
#include "tests/support/pictures.h"

namespace vantage {
namespace {

constexpr double kLevelError = 0.05;

struct Size {
  int width, height;
};
constexpr Size kSizes[] = {{1, 1}, {1, 9}, {13, 1}, {2, 2}, {3, 5}, {33, 17}, {64, 32}, {131, 70}, {260, 31}};
constexpr PictureLayout kLayouts[] = {PictureLayout::i420, PictureLayout::nv12};

// A noisy still scene through which a bright, coloured block walks.
class Scene {
 public:
  Scene(PictureLayout layout, Size size, unsigned seed)
      : layout_(layout),
        size_(size),
        random_(seed),
        still_(test::random_picture(layout, size.width, size.height, random_)) {}

  // `light` multiplies what the picture shows above black, `blue` and `red` those channels besides.
  Picture next(bool with_block, double light = 1, double blue = 1, double red = 1) {
    Picture picture = test::random_picture(layout_, size_.width, size_.height, random_);  // random padding
    ++time_;
    for (int k = 0; k < picture.plane_count(); ++k) {
      const ImageView<uint8_t> out = picture.writable_plane(k);
      const ImageView<const uint8_t> still = still_.plane(k);
      const int block = std::max(1, out.width / 3), left = time_ * 2 % std::max(1, out.width);
      for (int y = 0; y < out.height; ++y)
        for (int x = 0; x < out.width; ++x) {
          const bool inside = with_block && x >= left && x < left + block && y >= out.height / 4;
          const double zero = k == 0 ? 16 : 128;
          // Luma well above black: there a block's light is no quotient of nearly nothing.
          const double scene = k == 0 ? std::max<double>(still.at(x, y), 32) : still.at(x, y);
          const double value = scene + (inside ? 60 : 0);
          double shown = zero + light * (value - zero);
          if (k > 0) {
            const bool planar = layout_ == PictureLayout::i420, is_blue = planar ? k == 1 : x % 2 == 0;
            const double gain = is_blue ? blue : red;
            const auto share = static_cast<double>(is_blue ? kBlueShare : kRedShare);
            shown =
                128 + gain * (shown - 128) + share * (gain - 1) * block_luma(picture, planar ? x : x / 2, y);
          }
          out.at(x, y) = level(shown + noise_(random_));
        }
    }
    return picture;
  }

 private:
  static double block_luma(const Picture& picture, int block_x, int block_y) {
    const ImageView<const uint8_t> luma = picture.plane(0);
    double sum = 0, count = 0;
    for (int y = 2 * block_y; y < std::min(2 * block_y + 2, luma.height); ++y)
      for (int x = 2 * block_x; x < std::min(2 * block_x + 2, luma.width); ++x)
        sum += luma.at(x, y) - 16, ++count;
    return sum / count;
  }
  static uint8_t level(double value) { return static_cast<uint8_t>(std::clamp(value, 0.0, 255.0)); }

  PictureLayout layout_;
  Size size_;
  std::mt19937 random_;
  std::normal_distribution<double> noise_{0.5, 2.5};
  Picture still_;
  int time_ = 0;
};

class ForegroundParity : public ::testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    if (!device_.has<ForegroundModel>()) GTEST_SKIP() << device_.why_missing();
  }

  std::unique_ptr<ForegroundModel> make_model(const ForegroundParameters& parameters) {
    auto model = device_.create<ForegroundModel>({.camera = 0});
    model->set_parameters(ParameterStore::of(parameters));
    return model;
  }

  struct HostImages {
    Image indicator, mask;
    int64_t mask_count = 0;
  };
  HostImages apply(ForegroundModel& model, const Picture& picture, int64_t frame) {
    const ForegroundImages images = model.apply(device_.to_device(picture), frame).value();
    return {device_.to_host(images.indicator), device_.to_host(images.mask), images.mask_count.get().value()};
  }

  void check(const HostImages& images, const Picture& picture, reference::Foreground& reference) {
    const ImageView<const uint8_t> indicator = images.indicator.view<uint8_t>(),
                                   mask = images.mask.view<uint8_t>();
    std::vector<bool> decided;
    for (int y = 0; y < mask.height; ++y)
      for (int x = 0; x < mask.width; ++x) decided.push_back(mask.at(x, y) != 0);
    const std::vector<double> expected = reference.apply(reference::to_frame(picture), decided, kLevelError);
    ASSERT_EQ(decided.size(), expected.size());
    int64_t set = 0;
    size_t i = 0;
    for (int y = 0; y < indicator.height; ++y)
      for (int x = 0; x < indicator.width; ++x, ++i) {
        const int level = indicator.at(x, y);
        ASSERT_EQ(mask.at(x, y), level >= 128 ? 255 : 0) << "at " << x << ", " << y;
        set += level >= 128;
        ASSERT_NEAR(level, expected[i], 0.5 + kLevelError) << "at " << x << ", " << y;
      }
    compared_ += static_cast<int64_t>(i), foreground_ += set;
    EXPECT_EQ(images.mask_count, set);
  }

  test::DeviceUnderTest device_{GetParam()};
  int64_t compared_ = 0, foreground_ = 0;
};

TEST_P(ForegroundParity, SequencesOfAllSizesAndLayouts) {
  unsigned seed = 20260;
  for (const PictureLayout layout : kLayouts)
    for (const Size size : kSizes) {
      SCOPED_TRACE(::testing::Message() << size.width << "x" << size.height << ", layout "
                                        << static_cast<int>(layout) << ", seed " << ++seed);
      const ForegroundParameters parameters{.distance_low = 2.5,
                                            .distance_high = 9,
                                            .chroma_weight = 1.7,
                                            .min_sigma = 1.5,
                                            .learning_rate = 0.05};
      Scene scene(layout, size, seed);
      const auto model = make_model(parameters);
      reference::Foreground expected(parameters);
      for (int frame = 0; frame < 7; ++frame) {
        const Picture empty = scene.next(false);
        ASSERT_TRUE(model->learn(device_.to_device(empty), frame));
        expected.learn(reference::to_frame(empty));
      }
      for (int frame = 0; frame < 30; ++frame) {
        SCOPED_TRACE(::testing::Message() << "frame " << frame);
        const Picture picture = scene.next(true);
        check(apply(*model, picture, frame), picture, expected);
        if (HasFatalFailure()) return;
      }
    }
  EXPECT_GT(foreground_, compared_ / 20) << "the scenes have to hold foreground";
  EXPECT_LT(foreground_, compared_ * 3 / 4) << "and background";
}

// What a pixel is said to be is what the reference finds of it before the frame, and what the frame then
// holds.
TEST_P(ForegroundParity, ExplainedPixels) {
  std::mt19937 random(20310);
  int foreground = 0, background = 0;
  for (const Size size : {Size{1, 1}, Size{3, 5}, Size{131, 70}}) {
    SCOPED_TRACE(::testing::Message() << size.width << "x" << size.height);
    const ForegroundParameters parameters{.learning_rate = 0.05};
    Scene scene(PictureLayout::nv12, size, 20311);
    const auto model = make_model(parameters);
    const auto& explainer = dynamic_cast<const PixelExplainer&>(*model);
    reference::Foreground expected(parameters);
    const Picture empty = scene.next(false);
    ASSERT_TRUE(model->learn(device_.to_device(empty), 0));
    expected.learn(reference::to_frame(empty));
    for (int frame = 0; frame < 6; ++frame) {
      const Picture picture = scene.next(true, frame == 3 ? 0.8 : 1);
      struct Asked {
        int x, y;
        PixelEvidence evidence;
      };
      std::vector<Asked> asked;
      for (int i = 0; i < 12; ++i) {
        const int x = static_cast<int>(random() % static_cast<unsigned>(size.width));
        const int y = static_cast<int>(random() % static_cast<unsigned>(size.height));
        const auto evidence = explainer.explain(picture, x, y);
        ASSERT_TRUE(evidence) << evidence.error().message();
        ASSERT_TRUE(evidence->gaussian && evidence->vote && evidence->components.size() == 3);
        const reference::Foreground::Pixel pixel = expected.pixel(reference::to_frame(picture), x, y);
        EXPECT_EQ(evidence->components[0].value, picture.plane(0).at(x, y));
        EXPECT_NEAR(evidence->components[0].mean, pixel.mean, 1e-3);
        EXPECT_NEAR(*evidence->components[0].sigma, pixel.sigma, 1e-3);
        EXPECT_NEAR(evidence->distance, pixel.distance, 1e-3 * (1 + pixel.distance));
        EXPECT_NEAR(evidence->gaussian->sharpened, pixel.sharpened, 1e-3 * (1 + pixel.distance));
        EXPECT_NEAR(*evidence->vote, pixel.vote, 1e-3);
        EXPECT_NEAR(evidence->gaussian->light, pixel.light, 1e-4);
        EXPECT_NEAR(evidence->gaussian->undecided, pixel.undecided, 1.0 / 255);
        EXPECT_NEAR(evidence->gaussian->gain, pixel.gain, 1e-4);
        EXPECT_DOUBLE_EQ(evidence->mask_begins, 4.0);
        asked.push_back({x, y, *evidence});
      }
      const HostImages images = apply(*model, picture, frame);
      for (const Asked& one : asked) {
        EXPECT_EQ(images.indicator.view<uint8_t>().at(one.x, one.y), one.evidence.gaussian->cleaned)
            << "asking changes nothing, and the frame holds what was said";
        (one.evidence.gaussian->cleaned >= 128 ? foreground : background) += 1;
      }
      check(images, picture, expected);
      if (HasFatalFailure()) return;
    }
    EXPECT_FALSE(explainer.explain(empty, size.width, 0));
    EXPECT_FALSE(explainer.explain(empty, 0, -1));
  }
  EXPECT_GT(foreground, 20);
  EXPECT_GT(background, 20);
}

TEST_P(ForegroundParity, DefaultsAndExtremeParameters) {
  unsigned seed = 20360;
  const ForegroundParameters cases[] = {{},
                                        {.chroma_weight = 0},
                                        {.min_sigma = 0.5},
                                        {.learning_rate = 0},
                                        {.learning_rate = 0.2},
                                        {.absorption_rate = 0.05},
                                        {.darkest_shadow = 1},
                                        {.shaded_chroma_weight = 0},
                                        {.shaded_chroma_weight = 200, .shade_blue = -0.2, .shade_red = 0.1},
                                        {.shade_blue = 0, .shade_red = 0},
                                        {.darkest_shadow = 0.1, .opening_px = 0, .closing_px = 0},
                                        {.opening_px = 0, .closing_px = 2},
                                        {.opening_px = 8, .closing_px = 8},
                                        {.displacement_px = 0},
                                        {.displacement_px = 1, .edge = 0},
                                        {.displacement_px = 0, .edge = 0.9, .opening_px = 0, .closing_px = 0},
                                        {.distance_low = 0, .distance_high = 2, .min_sigma = 1},
                                        {.distance_low = 40, .distance_high = 90}};
  for (const ForegroundParameters& parameters : cases) {
    SCOPED_TRACE(::testing::Message() << "case " << &parameters - cases << ", seed " << ++seed);
    Scene scene(PictureLayout::nv12, {75, 41}, seed);
    const auto model = make_model(parameters);
    reference::Foreground expected(parameters);
    for (int frame = 0; frame < 12; ++frame) {
      const Picture picture = scene.next(frame > 3);
      if (frame < 3) {
        ASSERT_TRUE(model->learn(device_.to_device(picture), frame));
        expected.learn(reference::to_frame(picture));
      } else {
        check(apply(*model, picture, frame), picture, expected);
      }
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(ForegroundParity, ChangesOfLight) {
  unsigned seed = 20460;
  for (const PictureLayout layout : kLayouts)
    for (const double largest_change : {1.0, 1.1, 2.0}) {
      SCOPED_TRACE(::testing::Message() << "largest change " << largest_change << ", seed " << ++seed);
      const ForegroundParameters parameters{
          .largest_change = largest_change, .displacement_px = 0.2, .learning_rate = 0.02};
      Scene scene(layout, {181, 97}, seed);
      const auto model = make_model(parameters);
      reference::Foreground expected(parameters);
      const Picture empty = scene.next(false);
      ASSERT_TRUE(model->learn(device_.to_device(empty), 0));
      expected.learn(reference::to_frame(empty));
      for (int frame = 1; frame < 12; ++frame) {
        SCOPED_TRACE(::testing::Message() << "frame " << frame);
        const bool other_balance = frame % 4 == 3;
        const Picture picture =
            scene.next(true,
                       frame < 4   ? 1
                       : frame < 8 ? 0.7
                                   : 1 + 0.02 * frame,
                       other_balance ? 1 + 0.03 * frame : 1, other_balance ? 1 - 0.02 * frame : 1);
        check(apply(*model, picture, frame), picture, expected);
        if (HasFatalFailure()) return;
      }
    }
  EXPECT_GT(foreground_, compared_ / 20);
}

TEST_P(ForegroundParity, TheFirstFrameIsTheSceneWhenNothingWasLearnt) {
  std::mt19937 random(7);
  const auto model = make_model({});
  reference::Foreground expected({});
  const Picture first = test::random_picture(PictureLayout::i420, 37, 23, random);
  const HostImages images = apply(*model, first, 0);
  EXPECT_EQ(images.mask_count, 0);
  EXPECT_TRUE(test::same_pixels<uint8_t>(images.indicator, test::constant_image(37, 23, 0)));
  check(images, first, expected);
  const Picture second = test::random_picture(PictureLayout::i420, 37, 23, random);
  check(apply(*model, second, 1), second, expected);
}

// A replay from a checkpoint gives the same bits as the first pass, also into a model that has seen nothing,
// and the checkpoint is not changed by what follows.
TEST_P(ForegroundParity, CheckpointsReplayBitForBit) {
  Scene scene(PictureLayout::nv12, {67, 35}, 11);
  std::vector<Picture> pictures;
  for (int frame = 0; frame < 30; ++frame) pictures.push_back(scene.next(frame > 5));
  const auto model = make_model({});
  ASSERT_TRUE(model->learn(device_.to_device(scene.next(false)), -1));
  std::vector<Image> first_pass;
  std::shared_ptr<const ForegroundState> checkpoint;
  for (int frame = 0; frame < 30; ++frame) {
    if (frame == 10) checkpoint = model->save().value();
    first_pass.push_back(apply(*model, pictures[frame], frame).indicator);
  }
  EXPECT_GT(checkpoint->size_bytes(), size_t{67} * 35 * 8);
  const auto fresh = make_model({});
  for (ForegroundModel* replay : {model.get(), fresh.get(), model.get()}) {
    ASSERT_TRUE(replay->restore(*checkpoint));
    for (int frame = 10; frame < 30; ++frame)
      ASSERT_TRUE(
          test::same_pixels<uint8_t>(apply(*replay, pictures[frame], frame).indicator, first_pass[frame]))
          << "frame " << frame;
  }
}

TEST_P(ForegroundParity, ResetForgetsAndOtherSizesAreRefused) {
  std::mt19937 random(5);
  const auto model = make_model({});
  const Picture small = device_.to_device(test::random_picture(PictureLayout::nv12, 16, 16, random));
  const Picture large = device_.to_device(test::random_picture(PictureLayout::nv12, 18, 16, random));
  ASSERT_TRUE(model->learn(small, 0));
  EXPECT_EQ(model->apply(large, 1).error().kind, ErrorKind::invalid_argument);
  EXPECT_EQ(model->learn(large, 1).error().kind, ErrorKind::invalid_argument);
  EXPECT_EQ(model->apply(Picture{}, 1).error().kind, ErrorKind::invalid_argument);
  model->reset();
  const ForegroundImages images = model->apply(large, 2).value();
  EXPECT_EQ(images.mask_count.get().value(), 0) << "after a reset the next frame is the scene";
}

INSTANTIATE_TEST_SUITE_P(Devices, ForegroundParity, ::testing::Values(Device::cpu, Device::cuda),
                         test::device_test_name);

}  // namespace
}  // namespace vantage
