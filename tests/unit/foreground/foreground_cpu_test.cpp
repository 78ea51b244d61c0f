#include "core/foreground/foreground_cpu.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <random>

#include "core/foreground/foreground.h"
#include "core/foreground/gaussian_kernel.h"
#include "tests/support/instruction_sets.h"
#include "tests/support/pictures.h"

namespace vantage {
namespace {

std::unique_ptr<ForegroundModel> make_model(const ForegroundParameters& parameters = {},
                                            TraceRecorder* trace = nullptr) {
  BackendRegistry registry;
  register_foreground_cpu(registry);
  BackendContext context;
  context.trace = trace;
  auto model = registry.create<ForegroundModel>(Device::cpu, context, {.camera = 2}).value();
  model->set_parameters(parameters);
  return model;
}

Picture flat_picture(int width, int height, uint8_t luma, uint8_t cb, uint8_t cr) {
  Picture picture = Picture::make({PictureLayout::i420, width, height}, HostPool::shared()).value();
  const uint8_t levels[] = {luma, cb, cr};
  for (int k = 0; k < 3; ++k) {
    const ImageView<uint8_t> plane = picture.writable_plane(k);
    for (int y = 0; y < plane.height; ++y) std::fill_n(plane.row(y), plane.width, levels[k]);
  }
  return picture;
}

std::vector<Picture> noisy_frames(int count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Picture> frames;
  for (int i = 0; i < count; ++i)
    frames.push_back(test::random_picture(PictureLayout::nv12, 301, 97, random));
  return frames;
}

// The last indicator after learning half of the frames and segmenting the rest.
Image last_indicator(const std::vector<Picture>& frames) {
  const auto model = make_model({.learning_rate = 0.1});
  Image last;
  for (size_t i = 0; i < frames.size(); ++i) {
    if (i < frames.size() / 2)
      EXPECT_TRUE(model->learn(frames[i], static_cast<int64_t>(i)));
    else
      last = model->apply(frames[i], static_cast<int64_t>(i)).value().indicator;
  }
  return last;
}

// d = difference / min_sigma; the indicator runs from 0 at d_low to 255 at d_high.
TEST(ForegroundCpu, TheIndicatorIsLinearBetweenItsDistances) {
  const ForegroundParameters p{
      .distance_low = 4, .distance_high = 14, .chroma_weight = 1, .min_sigma = 6, .darkest_shadow = 1};
  const auto level_at = [&](int luma, int cb) {
    const auto model = make_model(p);
    EXPECT_TRUE(model->learn(flat_picture(8, 8, 100, 128, 128), 0));
    const ForegroundImages images =
        model->apply(flat_picture(8, 8, static_cast<uint8_t>(luma), static_cast<uint8_t>(cb), 128), 1)
            .value();
    const int level = images.indicator.view<uint8_t>().at(3, 3);
    EXPECT_EQ(images.mask.view<uint8_t>().at(3, 3), level >= 128 ? 255 : 0);
    EXPECT_EQ(images.mask_count.get().value(), level >= 128 ? 64 : 0);
    return level;
  };
  EXPECT_EQ(level_at(100, 128), 0);
  EXPECT_EQ(level_at(124, 128), 0) << "d = 4";
  EXPECT_EQ(level_at(130, 128), 26) << "d = 5, 25.5 rounded";
  EXPECT_EQ(level_at(70, 128), 26) << "darker counts as brighter does";
  EXPECT_EQ(level_at(154, 128), 128) << "d = 9: one half is foreground";
  EXPECT_EQ(level_at(153, 128), 123);
  EXPECT_EQ(level_at(190, 128), 255);
  EXPECT_EQ(level_at(100, 158), 26) << "chroma alone";
  EXPECT_EQ(level_at(118, 152), 26) << "d^2 = 9 + 16";
}

TEST(ForegroundCpu, ForegroundIsNotLearntAndBackgroundIs) {
  const ForegroundParameters p{.learning_rate = 0.2};
  const auto model = make_model(p);
  ASSERT_TRUE(model->learn(flat_picture(6, 6, 80, 128, 128), 0));
  for (int frame = 1; frame < 60; ++frame)
    ASSERT_EQ(model->apply(flat_picture(6, 6, 220, 128, 128), frame)->mask_count.get().value(), 36)
        << "stays foreground";
  for (int frame = 60; frame < 120; ++frame)
    ASSERT_TRUE(model->apply(flat_picture(6, 6, 60, 128, 128), frame));
  // The mean has come to 60; before, 80 would have been at distance 0.
  const ForegroundImages images = model->apply(flat_picture(6, 6, 80, 128, 128), 120).value();
  EXPECT_GT(images.indicator.view<uint8_t>().at(0, 0), 0);
}

// A flat scene in which a rectangle has other values; the share of foreground inside and outside it.
struct Shares {
  double inside, outside;
};
Shares shares_of(const Image& mask, int left, int top, int size) {
  const ImageView<const uint8_t> view = mask.view<uint8_t>();
  int64_t inside = 0, outside = 0;
  for (int y = 0; y < view.height; ++y)
    for (int x = 0; x < view.width; ++x) {
      const bool in = x >= left && x < left + size && y >= top && y < top + size;
      (in ? inside : outside) += view.at(x, y) != 0;
    }
  const double area = size * size, all = view.width * view.height;
  return {static_cast<double>(inside) / area, static_cast<double>(outside) / (all - area)};
}

// A scene with colour and pattern; `change` gives the values inside a rectangle.
template <typename Change>
Picture patterned_picture(int size, int from, int to, const Change& change) {
  Picture picture = flat_picture(size, size, 0, 110, 150);
  for (int k = 0; k < 3; ++k) {
    const ImageView<uint8_t> plane = picture.writable_plane(k);
    const int scale = k == 0 ? 1 : 2;
    for (int y = 0; y < plane.height; ++y)
      for (int x = 0; x < plane.width; ++x) {
        double value = k == 0 ? 140 + 30 * ((x / 4 + y / 4) % 2) : plane.at(x, y);
        const bool inside = x * scale >= from && x * scale < to && y * scale >= from && y * scale < to;
        if (inside) value = change(k, value);
        plane.at(x, y) = static_cast<uint8_t>(std::lround(value));
      }
  }
  return picture;
}

TEST(ForegroundCpu, ShadowsAreBackgroundAndDarkThingsAreNot) {
  const auto same = [](int, double value) { return value; };
  const auto lit = [](double light) {
    return [light](int k, double value) { return k == 0 ? light * value : 128 + light * (value - 128); };
  };
  // As dark as a shadow, but of another colour.
  const auto coloured = [&](int k, double value) { return k == 0 ? 0.7 * value : k == 1 ? 160.0 : 100.0; };
  const ForegroundParameters with{.darkest_shadow = 0.6}, without{.darkest_shadow = 1};
  const auto share = [&](const ForegroundParameters& p, const auto& change) {
    const auto model = make_model(p);
    EXPECT_TRUE(model->learn(patterned_picture(64, 0, 0, same), 0));
    const Shares shares = shares_of(model->apply(patterned_picture(64, 16, 48, change), 1)->mask, 16, 16, 32);
    EXPECT_EQ(shares.outside, 0);
    return shares.inside;
  };
  EXPECT_EQ(share(with, lit(0.65)), 0) << "a shadow";
  EXPECT_EQ(share(without, lit(0.5)), 1) << "without its suppression";
  EXPECT_EQ(share(with, lit(0.15)), 1) << "too dark for one";
  EXPECT_EQ(share(with, coloured), 1) << "another colour";
}

TEST(ForegroundCpu, CleaningRemovesSpecksAndFillsHoles) {
  const auto mask_with = [&](int opening, int closing) {
    const auto model = make_model({.opening = opening, .closing = closing});
    EXPECT_TRUE(model->learn(flat_picture(40, 40, 60, 128, 128), 0));
    Picture picture = flat_picture(40, 40, 60, 128, 128);
    const ImageView<uint8_t> luma = picture.writable_plane(0);
    luma.at(5, 5) = 255;  // a speck
    for (int y = 15; y < 30; ++y)
      for (int x = 15; x < 30; ++x) luma.at(x, y) = x == 22 && y == 22 ? 60 : 255;  // a hole
    return model->apply(picture, 1).value().mask;
  };
  const Image raw = mask_with(0, 0), opened = mask_with(1, 0), closed = mask_with(0, 1);
  EXPECT_EQ(raw.view<uint8_t>().at(5, 5), 255);
  EXPECT_EQ(raw.view<uint8_t>().at(22, 22), 0);
  EXPECT_EQ(opened.view<uint8_t>().at(5, 5), 0);
  EXPECT_EQ(opened.view<uint8_t>().at(15, 15), 255) << "what is large keeps its corners";
  EXPECT_EQ(closed.view<uint8_t>().at(5, 5), 255);
  EXPECT_EQ(closed.view<uint8_t>().at(22, 22), 255);
}

TEST(ForegroundCpu, WhatStandsStillIsAbsorbedAtItsRate) {
  const auto frames_until_absorbed = [](double rate) {
    const auto model = make_model({.absorption_rate = rate});
    EXPECT_TRUE(model->learn(flat_picture(6, 6, 50, 128, 128), 0));
    for (int frame = 1; frame <= 400; ++frame)
      if (model->apply(flat_picture(6, 6, 220, 128, 128), frame)->mask_count.get().value() == 0) return frame;
    return 0;
  };
  EXPECT_EQ(frames_until_absorbed(0), 0) << "never";
  const int slow = frames_until_absorbed(0.01), fast = frames_until_absorbed(0.02);
  EXPECT_GT(slow, 50);
  EXPECT_NEAR(2 * fast, slow, 6);
}

// The scene brightens by 40 levels over 2000 frames.
TEST(ForegroundCpu, SlowDriftIsFollowed) {
  const auto model = make_model({});
  ASSERT_TRUE(model->learn(flat_picture(16, 16, 100, 128, 128), 0));
  for (int frame = 1; frame <= 2000; ++frame) {
    const auto level = static_cast<uint8_t>(100 + frame / 50);
    ASSERT_EQ(model->apply(flat_picture(16, 16, level, 128, 128), frame)->mask_count.get().value(), 0)
        << "frame " << frame;
  }
}

TEST(ForegroundCpu, TheNumberOfThreadsDoesNotMatter) {
  const std::vector<Picture> frames = noisy_frames(8, 51);
  const tbb::global_control more_than_cores(tbb::global_control::max_allowed_parallelism, 8);
  const auto run_with = [&](int threads) {
    tbb::task_arena arena(threads);
    return arena.execute([&] { return last_indicator(frames); });
  };
  const Image one = run_with(1);
  for (const int threads : {2, 3, 8})
    EXPECT_TRUE(test::same_pixels<uint8_t>(run_with(threads), one)) << threads;
}

TEST(ForegroundCpu, EveryInstructionSetGivesTheSameBits) {
  const std::vector<Picture> frames = noisy_frames(8, 52);
  const Image expected = last_indicator(frames);
  test::for_each_instruction_set(
      [&] { EXPECT_TRUE(test::same_pixels<uint8_t>(last_indicator(frames), expected)); });
}

TEST(ForegroundCpu, LayoutsAgree) {
  std::mt19937 random(53);
  const auto planar_model = make_model(), interleaved_model = make_model();
  for (int frame = 0; frame < 4; ++frame) {
    const Picture planar = test::random_picture(PictureLayout::i420, 31, 21, random);
    Picture interleaved = test::random_picture(PictureLayout::nv12, 31, 21, random);
    for (int y = 0; y < 21; ++y)
      std::copy_n(planar.plane(0).row(y), 31, interleaved.writable_plane(0).row(y));
    for (int y = 0; y < 11; ++y)
      for (int x = 0; x < 32; ++x)
        interleaved.writable_plane(1).at(x, y) = planar.plane(1 + x % 2).at(x / 2, y);
    EXPECT_TRUE(test::same_pixels<uint8_t>(planar_model->apply(planar, frame)->indicator,
                                           interleaved_model->apply(interleaved, frame)->indicator));
  }
}

// Rows of every length around a block, between guards.
TEST(ForegroundCpu, RowsAreWrittenExactly) {
  constexpr int kGuard = 3;
  std::mt19937 random(54);
  test::for_each_instruction_set([&] {
    for (const int width : {1, 2, 15, 16, 17, 63, 64, 65, 127, 128, 129, 130}) {
      const int chroma_width = (width + 1) / 2;
      std::vector<float> mean(static_cast<size_t>(width + 2 * kGuard), 50), variance(mean.size(), 9),
          chroma(mean.size(), 2);
      std::vector<uint8_t> samples(mean.size()), indicator(mean.size(), 77), mask(mean.size(), 77);
      for (uint8_t& sample : samples) sample = static_cast<uint8_t>(random());
      const auto guarded = [&](const auto& values, auto guard, int count) {
        for (int i = 0; i < kGuard; ++i) {
          EXPECT_EQ(values[static_cast<size_t>(i)], guard) << "before, width " << width;
          EXPECT_EQ(values[static_cast<size_t>(kGuard + count + i)], guard) << "after, width " << width;
        }
      };
      const foreground::GaussianRow row{mean.data() + kGuard, variance.data() + kGuard};
      const GaussianSettings settings = gaussian_settings({});
      std::vector<float> light(mean.size(), 8);
      foreground::light_row({samples.data(), nullptr, mean.data() + kGuard, nullptr}, width, 0.5f,
                            light.data() + kGuard);
      guarded(light, 8.0f, chroma_width);
      foreground::vote_row(samples.data(), width, light.data() + kGuard, chroma.data(), settings, row,
                           indicator.data() + kGuard);
      foreground::mask_row(indicator.data() + kGuard, width, mask.data() + kGuard);
      guarded(indicator, 77, width), guarded(mask, 77, width);
      foreground::update_luma_row(samples.data(), width, mask.data() + kGuard, settings, row);
      guarded(mean, 50.0f, width), guarded(variance, 9.0f, width);
      foreground::learn_row(samples.data(), 1, width, 0.5f, row);
      guarded(mean, 50.0f, width), guarded(variance, 9.0f, width);
      std::vector<float> distances(mean.size(), 8), chroma_mean(mean.size(), 50),
          chroma_variance(mean.size(), 9);
      const foreground::GaussianRow chroma_model{chroma_mean.data() + kGuard,
                                                 chroma_variance.data() + kGuard};
      foreground::chroma_row(samples.data(), samples.data(), 1, chroma_width, settings, chroma_model,
                             chroma_model, light.data() + kGuard, distances.data() + kGuard);
      guarded(distances, 8.0f, chroma_width);
      foreground::update_chroma_row(samples.data(), 1, width, mask.data() + kGuard, mask.data() + kGuard,
                                    settings, chroma_model);
      guarded(chroma_mean, 50.0f, chroma_width), guarded(chroma_variance, 9.0f, chroma_width);
    }
  });
}

TEST(ForegroundCpu, WorkIsSeenAsSpans) {
  TraceRecorder trace;
  const auto model = make_model({}, &trace);
  ASSERT_TRUE(model->learn(flat_picture(4, 4, 1, 2, 3), -1));
  ASSERT_TRUE(model->apply(flat_picture(4, 4, 1, 2, 3), 7));
  const std::vector<TraceSpan> spans = trace.snapshot();
  ASSERT_EQ(spans.size(), 2u);
  EXPECT_EQ(spans[1].frame, 7);
  EXPECT_EQ(spans[1].camera, 2);
}

TEST(ForegroundCpu, AForeignStateIsRefused) {
  struct Foreign final : ForegroundState {
    size_t size_bytes() const override { return 0; }
  };
  EXPECT_EQ(make_model()->restore(Foreign{}).error().kind, ErrorKind::invalid_argument);
}

TEST(ForegroundCpu, ParametersAreDescribed) {
  const ParameterTable& table = parameter_table<ForegroundParameters>();
  EXPECT_EQ(table.entries.size(), 10u);
  for (const ParameterDescription& entry : table.entries) {
    EXPECT_FALSE(entry.help.empty()) << entry.name;
    EXPECT_LE(entry.minimum, entry.default_value) << entry.name;
    EXPECT_GE(entry.maximum, entry.default_value) << entry.name;
  }
  ParameterStore store({&table});
  ASSERT_TRUE(store.set_from_text("foreground.min_sigma=2.5"));
  EXPECT_EQ(store.get<ForegroundParameters>().min_sigma, 2.5);
}

}  // namespace
}  // namespace vantage
