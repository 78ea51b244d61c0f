// Jumps of the light of the whole picture: exposure and white balance, with and without somebody in it.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "core/algorithms.h"
#include "core/foreground/foreground.h"
#include "core/foreground/scene.h"

namespace vantage {
namespace {

constexpr int kRoomWidth = 192, kRoomHeight = 128;

// What the camera multiplies its channels by.
struct ChannelGains {
  double red = 1, green = 1, blue = 1;
};

using RoomColor = std::array<double, 3>;  // 0 to 255

uint8_t room_level(double value) {
  return static_cast<uint8_t>(std::lround(std::clamp(value, 0.0, 255.0)));
}

// A room of coloured tiles of four brightnesses, noisy, with a man in a red jacket who covers the columns
// from `from` to `to`, through a camera that clips at white. BT.601, limited range.
Picture room(const ChannelGains& gains, int from, int to, std::mt19937& random) {
  std::normal_distribution<double> noise(0, 1.2);
  Picture picture = Picture::make({PictureLayout::i420, kRoomWidth, kRoomHeight}, HostPool::shared()).value();
  const ImageView<uint8_t> luma = picture.writable_plane(0), cb = picture.writable_plane(1),
                           cr = picture.writable_plane(2);
  for (int y = 0; y < kRoomHeight; y += 2)
    for (int x = 0; x < kRoomWidth; x += 2) {
      const int tile = x / 16 + 3 * (y / 16);
      const double base = 60 + 35 * (tile % 4);
      RoomColor rgb{base + 12 * (tile % 3), base, base + 10 * (tile % 5) - 20};
      if (x >= from && x < to && y >= 8) rgb = {150, 40, 50};
      const double gain[] = {gains.red, gains.green, gains.blue};
      for (size_t c = 0; c < 3; ++c) rgb[c] = std::min(255.0, rgb[c] * gain[c]);
      const double value = 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2];
      for (int v = 0; v < 2; ++v)
        for (int u = 0; u < 2; ++u)
          luma.at(x + u, y + v) = room_level(16 + 219 * value / 255 + noise(random));
      cb.at(x / 2, y / 2) = room_level(128 + 224 * 0.564 * (rgb[2] - value) / 255 + 0.5 * noise(random));
      cr.at(x / 2, y / 2) = room_level(128 + 224 * 0.713 * (rgb[0] - value) / 255 + 0.5 * noise(random));
    }
  return picture;
}

std::unique_ptr<ForegroundModel> model_of_the_empty_room(std::mt19937& random,
                                                         const ForegroundParameters& parameters = {}) {
  BackendRegistry registry;
  register_foreground_cpu(registry);
  auto model = registry.create<ForegroundModel>(Device::cpu, {}, {}).value();
  model->set_parameters(ParameterStore::of(parameters));
  for (int frame = 0; frame < 10; ++frame) EXPECT_TRUE(model->learn(room({}, 0, 0, random), frame));
  return model;
}

// RoomShares of the pixels whom the man covers, and of the others, that are foreground.
struct RoomShares {
  double man = 0, room = 0;
};
RoomShares room_shares(const Image& mask, int from, int to) {
  const ImageView<const uint8_t> view = mask.view<uint8_t>();
  RoomShares shares;
  for (int y = 0; y < kRoomHeight; ++y)
    for (int x = 0; x < kRoomWidth; ++x)
      (x >= from && x < to && y >= 8 ? shares.man : shares.room) += view.at(x, y) != 0;
  const double man = (to - from) * (kRoomHeight - 8);
  if (man > 0) shares.man /= man;
  shares.room /= kRoomWidth * kRoomHeight - man;
  return shares;
}

// The man covers 30 % of the picture.
constexpr int kManFrom = 60, kManTo = 122;

constexpr ChannelGains kJumps[] = {{0.8, 1, 1.25}, {1.3, 1, 0.75}, {1, 0.85, 1},     {1.15, 1.15, 1.15},
                                   {0.7, 0.9, 1},  {1, 1, 0.8},    {0.85, 0.7, 0.6}, {1.3, 1.1, 1.4}};

TEST(ForegroundLight, JumpsOfEachChannelAreFollowedInTheFirstFrame) {
  for (const ChannelGains& gains : kJumps) {
    SCOPED_TRACE(testing::Message() << gains.red << ' ' << gains.green << ' ' << gains.blue);
    std::mt19937 random(28);
    const auto model = model_of_the_empty_room(random);
    const RoomShares empty = room_shares(model->apply(room(gains, 0, 0, random), 0)->mask, 0, 0);
    EXPECT_LT(empty.room, 0.002);
    const RoomShares both =
        room_shares(model->apply(room(gains, kManFrom, kManTo, random), 1)->mask, kManFrom, kManTo);
    EXPECT_LT(both.room, 0.01);
    EXPECT_GT(both.man, 0.97);
  }
}

TEST(ForegroundLight, WithoutFollowingTheRoomIsForeground) {
  std::mt19937 random(29);
  const auto model = model_of_the_empty_room(random, {.largest_change = 1});
  EXPECT_GT(room_shares(model->apply(room({0.8, 1, 1.25}, 0, 0, random), 0)->mask, 0, 0).room, 0.5);
}

// ChannelGains of every channel that change with every frame: lamps at another rhythm than the camera's.
TEST(ForegroundLight, FlickerIsFollowedAndNotLearnt) {
  std::mt19937 random(30);
  const auto model = model_of_the_empty_room(random, {.learning_rate = 0.02});
  for (int frame = 0; frame < 60; ++frame) {
    const double phase = 0.9 * frame;
    const ChannelGains gains{1 + 0.12 * std::sin(phase), 1 + 0.1 * std::sin(phase + 1),
                             1 + 0.15 * std::sin(phase + 2)};
    const RoomShares shares =
        room_shares(model->apply(room(gains, kManFrom, kManTo, random), frame)->mask, kManFrom, kManTo);
    ASSERT_LT(shares.room, 0.01) << frame;
    ASSERT_GT(shares.man, 0.97) << frame;
  }
  EXPECT_LT(room_shares(model->apply(room({}, 0, 0, random), 60)->mask, 0, 0).room, 0.002);
}

// The jump lies within the recording that the scene is learnt from: its pictures agree all the same.
TEST(ForegroundLight, AJumpWithinTheRecordingIsOneScene) {
  std::mt19937 random(31);
  std::vector<SceneSample> samples;
  for (int i = 0; i < 24; ++i)
    samples.push_back(
        {room(i < 8 ? ChannelGains{0.8, 1, 1.25} : ChannelGains{}, 4 * i, 4 * i + 30, random), i});
  const LearntScene scene = learn_scene(samples, StopSource()).value();
  const ImageView<const uint8_t> seen = scene.seen.view<uint8_t>();
  int64_t often = 0;
  for (int y = 0; y < seen.height; ++y)
    for (int x = 80; x < seen.width; ++x) often += seen.at(x, y) > 250;  // where nobody was
  EXPECT_GT(often, 0.98 * (seen.width - 80) * seen.height);
  BackendRegistry registry;
  register_foreground_cpu(registry);
  const auto model = registry.create<ForegroundModel>(Device::cpu, {}, {}).value();
  ASSERT_TRUE(model->learn(scene.dark, 0));
  ASSERT_TRUE(model->learn(scene.bright, 1));
  const RoomShares shares = room_shares(model->apply(samples[3].picture, 3)->mask, 12, 42);
  EXPECT_LT(shares.room, 0.01);
  EXPECT_GT(shares.man, 0.97);
}

}  // namespace
}  // namespace vantage
