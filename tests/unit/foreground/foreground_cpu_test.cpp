#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <random>
#include <span>

#include "core/algorithms.h"
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
  model->set_parameters(ParameterStore::of(parameters));
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
    return [light](int k, double value) {
      const double zero = k == 0 ? 16 : 128;
      return zero + light * (value - zero);
    };
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
  // Three levels of chroma off: a garment like the ground, unless they are the colour that shadows take on.
  const auto tinted = [&](double cb, double cr) {
    return [cb, cr](int k, double value) {
      return k == 0 ? 16 + 0.7 * (value - 16) : 128 + 0.7 * (value - 128) + (k == 1 ? cb : cr);
    };
  };
  ForegroundParameters unaware = with;
  unaware.shaded_chroma_weight = 0;
  EXPECT_EQ(share(with, tinted(-3, 2)), 1) << "a garment";
  EXPECT_EQ(share(unaware, tinted(-3, 2)), 0) << "which single samples do not tell";
  EXPECT_EQ(share(with, tinted(2, -2)), 0) << "a bluish shadow";
}

// The mask leaves shadows and dark surfaces out; the indicator says that somebody could be there unseen.
TEST(ForegroundCpu, ShadeAndDarkSurfacesAreUndecided) {
  const auto in_light = [](double light) {
    return [light](int k, double value) {
      const double zero = k == 0 ? 16 : 128;
      return zero + light * (value - zero);
    };
  };
  const auto inside = [&](const ForegroundParameters& p, double learnt, double shown) {
    const auto model = make_model(p);
    EXPECT_TRUE(model->learn(patterned_picture(64, 16, 48, in_light(learnt)), 0));
    const ForegroundImages images = *model->apply(patterned_picture(64, 16, 48, in_light(shown)), 1);
    EXPECT_EQ(images.mask.view<uint8_t>().at(32, 32), 0);
    EXPECT_EQ(images.indicator.view<uint8_t>().at(4, 4), 0) << "in full light";
    return images.indicator.view<uint8_t>().at(32, 32);
  };
  constexpr int kUndecided = 115;  // 0.45 of 255
  EXPECT_EQ(inside({}, 1, 0.7), kUndecided) << "shade";
  EXPECT_EQ(inside({}, 1, 0.95), 0) << "noise";
  EXPECT_EQ(inside({}, 0.1, 0.1), kUndecided) << "a dark surface";
  EXPECT_EQ(inside({.undecided = 0}, 1, 0.7), 0);
  EXPECT_EQ(inside({.undecided = 0}, 0.1, 0.1), 0);
}

TEST(ForegroundCpu, CleaningRemovesSpecksAndFillsHoles) {
  const auto mask_with = [&](int opening, int closing) {
    const auto model = make_model({.opening_px = opening, .closing_px = closing});
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

// A patterned scene in another light, with something of another colour in its middle third.
Picture lit_scene(double light, bool occupied) {
  constexpr int kSize = 96;
  Picture picture = patterned_picture(kSize, kSize / 3, 2 * kSize / 3, [&](int k, double value) {
    return !occupied ? value : k == 0 ? value + 20 : k == 1 ? 150.0 : 120.0;
  });
  for (int k = 0; k < 3; ++k) {
    const ImageView<uint8_t> plane = picture.writable_plane(k);
    const double zero = k == 0 ? 16 : 128;
    for (int y = 0; y < plane.height; ++y)
      for (int x = 0; x < plane.width; ++x)
        plane.at(x, y) = static_cast<uint8_t>(std::lround(zero + light * (plane.at(x, y) - zero)));
  }
  return picture;
}

TEST(ForegroundCpu, SuddenChangesOfLightAreFollowed) {
  const auto shares = [](const ForegroundParameters& p, double light) {
    const auto model = make_model(p);
    EXPECT_TRUE(model->learn(lit_scene(1, false), 0));
    EXPECT_EQ(model->apply(lit_scene(1, false), 1)->mask_count.get().value(), 0);
    // For a while, so that a wrong update would show, and back.
    for (int frame = 2; frame < 40; ++frame) EXPECT_TRUE(model->apply(lit_scene(light, true), frame));
    const Shares changed = shares_of(model->apply(lit_scene(light, true), 40)->mask, 32, 32, 32);
    const Shares back = shares_of(model->apply(lit_scene(1, true), 41)->mask, 32, 32, 32);
    EXPECT_EQ(back.outside, 0) << light;
    EXPECT_GT(back.inside, 0.99) << light;
    return changed;
  };
  for (const double light : {0.55, 0.7, 0.9, 1.1, 1.3}) {
    const Shares followed = shares({.learning_rate = 0.02}, light);
    EXPECT_EQ(followed.outside, 0) << light;
    EXPECT_GT(followed.inside, 0.99) << light;
  }
  EXPECT_GT(shares({.largest_change = 1}, 1.3).outside, 0.9) << "without";
  EXPECT_GT(shares({.largest_change = 1}, 0.55).outside, 0.4) << "without, darker than a shadow";
}

// The scene brightens by a third over 600 frames: faster than the running update alone follows.
TEST(ForegroundCpu, SlowDriftIsFollowed) {
  const auto foreground_after_drift = [](double largest_change) {
    const auto model = make_model({.largest_change = largest_change});
    EXPECT_TRUE(model->learn(lit_scene(1, false), 0));
    int64_t most = 0;
    for (int frame = 1; frame <= 600; ++frame)
      most =
          std::max(most, model->apply(lit_scene(1 + frame / 1800.0, false), frame)->mask_count.get().value());
    return most;
  };
  EXPECT_EQ(foreground_after_drift(2), 0);
  EXPECT_GT(foreground_after_drift(1), 0);
}

// Half a pixel of sway is no foreground, a bar of another grey is.
TEST(ForegroundCpu, DisplacedEdgesAreBackground) {
  const auto edge_picture = [](double at, int bar_from, int bar_to) {
    Picture picture = flat_picture(64, 64, 60, 128, 128);
    const ImageView<uint8_t> luma = picture.writable_plane(0);
    for (int y = 0; y < 64; ++y)
      for (int x = 0; x < 64; ++x) {
        luma.at(x, y) = static_cast<uint8_t>(60 + 120 * std::clamp(x + 1 - at, 0.0, 1.0));
        if (y >= bar_from && y < bar_to) luma.at(x, y) = 230;
      }
    return picture;
  };
  const auto foreground_of = [&](double displacement, double at, int bar_from, int bar_to) {
    const auto model = make_model({.displacement_px = displacement, .opening_px = 0, .closing_px = 0});
    EXPECT_TRUE(model->learn(edge_picture(32, 0, 0), 0));
    return model->apply(edge_picture(at, bar_from, bar_to), 1)->mask_count.get().value();
  };
  EXPECT_EQ(foreground_of(0.75, 32.5, 0, 0), 0);
  EXPECT_GE(foreground_of(0, 32.5, 0, 0), 64);
  EXPECT_EQ(foreground_of(0.75, 32, 20, 30), 640);
}

// A blurred outline counts from its middle on, not from where it begins to differ.
TEST(ForegroundCpu, BlurredOutlinesAreSharpened) {
  const auto width_of = [](double edge) {
    const auto model = make_model({.edge = edge, .opening_px = 0, .closing_px = 0});
    EXPECT_TRUE(model->learn(flat_picture(64, 8, 60, 128, 128), 0));
    Picture picture = flat_picture(64, 8, 60, 128, 128);
    const ImageView<uint8_t> luma = picture.writable_plane(0);
    for (int y = 0; y < 8; ++y)
      for (int x = 20; x < 40; ++x) luma.at(x, y) = x == 20 || x == 39 ? 90 : 180;
    return model->apply(picture, 1)->mask_count.get().value() / 8;
  };
  EXPECT_EQ(width_of(0), 20);
  EXPECT_EQ(width_of(0.45), 18);
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

// Cleaned and sharpened masks of blocks before a nearly even background, whose light changes.
TEST(ForegroundCpu, EveryInstructionSetGivesTheSameMasks) {
  std::mt19937 random(57);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  std::vector<Picture> frames;
  for (int i = 0; i < 6; ++i) {
    Picture picture = flat_picture(301, 97, 0, 120, 134);
    const ImageView<uint8_t> luma = picture.writable_plane(0);
    for (int y = 0; y < 97; ++y)
      for (int x = 0; x < 301; ++x) luma.at(x, y) = static_cast<uint8_t>(60 + 4 * i + x / 8 + below(5));
    for (int k = 0; i >= 3 && k < 60; ++k) {
      const int left = below(290), top = below(90), side = 1 + below(9);
      for (int y = top; y < std::min(97, top + side); ++y)
        for (int x = left; x < std::min(301, left + side); ++x)
          luma.at(x, y) = static_cast<uint8_t>(200 - 20 * i);
    }
    frames.push_back(std::move(picture));
  }
  const auto masks = [&] {
    const auto model = make_model({.edge = 0.45, .opening_px = 1, .closing_px = 2, .learning_rate = 0.1});
    std::vector<Image> made;
    for (int i = 0; i < 6; ++i) {
      if (i < 3)
        EXPECT_TRUE(model->learn(frames[i], i));
      else
        made.push_back(model->apply(frames[i], i).value().mask);
    }
    return made;
  };
  const std::vector<Image> expected = masks();
  int64_t foreground = 0;
  for (int y = 0; y < 97; ++y)
    foreground += std::ranges::count(std::span(expected[0].view<uint8_t>().row(y), 301), 255);
  EXPECT_GT(foreground, 100);
  EXPECT_LT(foreground, 301 * 97 / 2);
  test::for_each_instruction_set([&] {
    const std::vector<Image> found = masks();
    for (size_t i = 0; i < expected.size(); ++i)
      EXPECT_TRUE(test::same_pixels<uint8_t>(found[i], expected[i])) << i;
  });
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
          chroma(mean.size(), 2), low(mean.size(), 8), high(mean.size(), 8), luma(mean.size(), 8),
          light(mean.size(), 8), difference(mean.size(), 8), distance(mean.size(), 8);
      std::vector<uint8_t> samples(mean.size()), indicator(mean.size(), 77), mask(mean.size(), 77);
      for (uint8_t& sample : samples) sample = static_cast<uint8_t>(random());
      const auto guarded = [&](const auto& values, auto guard, int count) {
        for (int i = 0; i < kGuard; ++i) {
          EXPECT_EQ(values[i], guard) << "before, width " << width;
          EXPECT_EQ(values[kGuard + count + i], guard) << "after, width " << width;
        }
      };
      const auto from = [&](auto& values) { return values.data() + kGuard; };
      const foreground::GaussianRow row{from(mean), from(variance)};
      const GaussianSettings settings = gaussian_settings({});
      const FrameLight frame = frame_light(16, {{1.1f, 1.2f, 0.9f}}, 0.6f);
      foreground::light_row({samples.data(), nullptr, from(mean), nullptr}, width, frame, from(luma),
                            from(light), from(difference));
      guarded(luma, 8.0f, chroma_width), guarded(light, 8.0f, chroma_width);
      guarded(difference, 8.0f, chroma_width);
      foreground::interval_row({from(mean), from(mean), from(mean)}, width, 0.5f, from(low), from(high));
      guarded(low, 8.0f, width), guarded(high, 8.0f, width);
      const foreground::SceneRow scene{from(low), from(high), from(variance)};
      foreground::distance_row(samples.data(), width, from(mean), scene, from(light),
                               {from(chroma), from(difference), from(chroma), from(difference)}, frame,
                               settings, from(distance));
      guarded(distance, 8.0f, width);
      foreground::vote_row({from(distance), from(distance), from(distance)}, width, {from(luma), from(light)},
                           frame, settings, from(indicator));
      foreground::mask_row(from(indicator), width, from(mask));
      guarded(indicator, 77, width), guarded(mask, 77, width);
      foreground::update_luma_row(samples.data(), width, from(mask), frame, settings, row);
      guarded(mean, 50.0f, width), guarded(variance, 9.0f, width);
      foreground::learn_row(samples.data(), 1, width, 0.5f, row);
      guarded(mean, 50.0f, width), guarded(variance, 9.0f, width);
      std::vector<float> distances(mean.size(), 8), chroma_mean(mean.size(), 50),
          chroma_variance(mean.size(), 9), cb(mean.size(), 8), cr(mean.size(), 8), shaded(mean.size(), 8);
      const foreground::BlockRow blocks{from(luma), from(light), from(difference),
                                        from(cb),   from(cr),    from(distances)};
      foreground::chroma_row({samples.data(), samples.data(), 1}, chroma_width, frame, settings, scene, scene,
                             blocks);
      guarded(distances, 8.0f, chroma_width), guarded(cb, 8.0f, chroma_width);
      guarded(cr, 8.0f, chroma_width);
      foreground::BlockRow dark = blocks;
      dark.chroma = from(shaded);
      foreground::shade_row(blocks, dark, blocks, chroma_width, frame, settings);
      guarded(shaded, 8.0f, chroma_width);
      foreground::update_chroma_row(samples.data(), 1, width, from(luma), frame.balance[0], from(mask),
                                    from(mask), frame, settings, {from(chroma_mean), from(chroma_variance)});
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
  EXPECT_EQ(table.entries.size(), 20u);
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
