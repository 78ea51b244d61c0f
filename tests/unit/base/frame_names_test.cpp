// The frame of each file of a folder, as people name such files.
#include "core/base/frame_names.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace vantage {
namespace {

using Names = std::vector<std::string>;
using Frames = std::vector<std::optional<int64_t>>;

FrameNameOptions of_pictures() {
  FrameNameOptions options;
  options.pictures = true;
  return options;
}

template <typename Name>
Names made(int count, const Name& name) {
  Names names;
  for (int i = 0; i < count; ++i) names.push_back(name(i));
  std::sort(names.begin(), names.end());  // as folders are listed
  return names;
}

// The frames of names that hold the picture's place between "<" and ">" where that is not known otherwise.
void expect_counted(const Names& names, const std::vector<int64_t>& expected,
                    const FrameNameOptions& options = {}) {
  const auto read = frames_of_names(names, options);
  ASSERT_TRUE(read) << names.front() << ": " << read.error().message();
  ASSERT_EQ(read->frames.size(), expected.size());
  for (size_t i = 0; i < names.size(); ++i) EXPECT_EQ(read->frames[i], expected[i]) << names[i];
}

std::string hash_of(std::mt19937& random, int length) {
  std::string text;
  for (int i = 0; i < length; ++i) text += "0123456789abcdef"[random() % 16];
  return text;
}

TEST(FrameNames, OneNumberCountsWhateverElseStandsThere) {
  std::mt19937 random(5);
  for (const auto& [before, behind] :
       std::vector<std::pair<std::string, std::string>>{{"frame_", "_640x480.png"},      // a size behind
                                                        {"cam1_", "_cam2.txt"},          // camera numbers
                                                        {"2024-05-17_", "_take3.json"},  // a date and a take
                                                        {"", ".jpg"},
                                                        {"frame (", ").png"},
                                                        {"img-", "-v2.jpg"},
                                                        {"GOPR0123_", ".HEVC.png"},
                                                        {"cam01_", "_keypoints.json"}}) {
    Names names;
    std::vector<int64_t> frames;
    for (int i = 0; i < 24; ++i) {
      names.push_back(before + std::to_string(i) + behind);
      frames.push_back(i);
    }
    expect_counted(names, frames);
    expect_counted(names, frames, of_pictures());
  }
  Names hashed;
  std::vector<int64_t> frames;
  for (int i = 1; i <= 40; ++i) {
    hashed.push_back(fmt::format("frame_{:06}_jpg.rf.", i) + hash_of(random, 32) + ".jpg");
    frames.push_back(i);
  }
  expect_counted(hashed, frames);
  for (int i = 0; i < 40; ++i) hashed[i] = fmt::format("cam2_{}-", i + 1) + hash_of(random, 8) + ".txt";
  expect_counted(hashed, frames);
}

TEST(FrameNames, PicturesAreInTheOrderOfTheirNumbers) {
  for (const char* form :
       {"{}.png", "frame{}.jpg", "cam1.{}.jpg", "{}_left.png", "shot-{}-final.png", "img{}x.png"}) {
    const Names names =
        made(12, [&](int i) { return fmt::format(fmt::runtime(form), i); });  // 0, 1, 10, 11, 2, ...
    const auto read = frames_of_names(names, of_pictures());
    ASSERT_TRUE(read) << form << ": " << read.error().message();
    for (size_t i = 0; i < names.size(); ++i)
      EXPECT_EQ(fmt::format(fmt::runtime(form), read->frames[i].value_or(-1)), names[i]);
  }
  const auto words = frames_of_names({"zeta.png", "beta.png", "alpha.png"}, of_pictures());
  ASSERT_TRUE(words);
  EXPECT_EQ(words->frames, (Frames{2, 1, 0}));
  EXPECT_EQ(words->by, FrameNames::By::order);
  EXPECT_TRUE(naturally_before("a9", "a10"));
  EXPECT_TRUE(naturally_before("a009", "a10"));
  EXPECT_FALSE(naturally_before("b", "a10"));
}

TEST(FrameNames, StrangersAreLeftOutAndNamed) {
  for (const std::string stranger : {"cover.png", "background_0001.png", "img_0003_copy.png",
                                     "._img_0001.png", "Thumbs.db", ".DS_Store", "img_final.png"}) {
    Names names = made(10, [](int i) { return fmt::format("img_{:04}.png", i); });
    names.push_back(stranger);
    const auto read = frames_of_names(names, of_pictures());
    ASSERT_TRUE(read) << stranger << ": " << read.error().message();
    for (int64_t i = 0; i < 10; ++i) EXPECT_EQ(read->frames[i], i) << stranger;
    EXPECT_FALSE(read->frames.back()) << stranger;
    EXPECT_EQ(read->left_out, Names{stranger});
    EXPECT_NE(read->said.find("left out: " + stranger), std::string::npos) << read->said;
  }
}

TEST(FrameNames, TimesAreTimes) {
  const auto frames_at = [](const Names& names, const FrameNameOptions& options) {
    const auto read = frames_of_names(names, options);
    EXPECT_TRUE(read) << names.front() << ": " << read.error().message();
    if (!read) return std::vector<int64_t>();
    EXPECT_EQ(read->by, FrameNames::By::time) << names.front() << ": " << read->said;
    std::vector<int64_t> frames;
    for (const auto& frame : read->frames) frames.push_back(frame.value_or(-1));
    return frames;
  };
  std::vector<int64_t> count(24);
  for (size_t i = 0; i < count.size(); ++i) count[i] = static_cast<int64_t>(i);
  const auto of = [](const std::function<std::string(int)>& name) {
    Names names;
    for (int i = 0; i < 24; ++i) names.push_back(name(i));
    return names;
  };
  EXPECT_EQ(frames_at(of([](int i) { return fmt::format("{}.png", 40 * i); }), of_pictures()), count);
  EXPECT_EQ(
      frames_at(of([](int i) { return fmt::format("t_{:05}.png", static_cast<int>(1000.0 * i / 30 + 0.5)); }),
                of_pictures()),
      count);
  EXPECT_EQ(
      frames_at(of([](int i) { return fmt::format("{}.jpg", 1'700'000'000'000LL + 40 * i); }), of_pictures()),
      count);
  EXPECT_EQ(
      frames_at(of([](int i) { return fmt::format("cam1_{}.jpg", 1'700'000'000'123'456LL + 33'367LL * i); }),
                {}),
      count);
  EXPECT_EQ(frames_at(of([](int i) { return fmt::format("s{}.{:03}.png", 40 * i / 1000, 40 * i % 1000); }),
                      of_pictures()),
            count);
  FrameNameOptions short_video;
  short_video.frame_rate = 25, short_video.frame_count = 200;
  EXPECT_EQ(frames_at(of([](int i) { return fmt::format("{}.json", 40 * i); }), short_video), count)
      << "beyond the video's frames";
  Names gap = of([](int i) { return fmt::format("{}.png", 40 * i); });
  gap.erase(gap.begin() + 5);
  EXPECT_EQ(frames_at(gap, of_pictures())[5], 6) << "a picture that is missing";
}

TEST(FrameNames, TimesTellTheRate) {
  const auto rate_of = [](long long start, long long step) {
    Names names;
    for (int i = 0; i < 24; ++i) names.push_back(fmt::format("{}.png", start + step * i));
    return frames_of_names(names, of_pictures()).value().frame_rate;
  };
  EXPECT_DOUBLE_EQ(rate_of(0, 40), 25);
  EXPECT_DOUBLE_EQ(rate_of(1'700'000'000'000, 250), 4) << "of a clock, in milliseconds";
  EXPECT_NEAR(rate_of(1'700'000'000'123'456, 33'367), 29.97, 0.01) << "in microseconds";
  EXPECT_EQ(rate_of(0, 1), 0) << "a count";
  EXPECT_EQ(rate_of(0, 130), 0) << "no rate that cameras have: perhaps a count";
}

TEST(FrameNames, DoubtIsAQuestion) {
  const auto question = [](const Names& names, const FrameNameOptions& options) {
    const auto read = frames_of_names(names, options);
    EXPECT_FALSE(read) << names.front() << ": " << read->said;
    return read ? std::string() : read.error().message();
  };
  const auto of = [](const std::function<std::string(int)>& name) {
    Names names;
    for (int i = 0; i < 24; ++i) names.push_back(name(i));
    return names;
  };
  const Names two = of([](int i) { return fmt::format("{:04}_{:04}.json", i + 1, 500 + 2 * i); });
  EXPECT_NE(question(two, {}).find("--frames-by 1 or --frames-by 2"), std::string::npos);
  FrameNameOptions second;
  second.rule = "2";
  EXPECT_EQ(frames_of_names(two, second)->frames[3], 506);
  const Names forties = of([](int i) { return fmt::format("{}.txt", 40 * i); });
  EXPECT_NE(question(forties, {}).find("milliseconds at 25 frames/s, or every 40th frame"),
            std::string::npos);
  second.rule = "1";
  EXPECT_EQ(frames_of_names(forties, second)->frames[3], 120);
  second.rule = "time";
  EXPECT_EQ(frames_of_names(forties, second)->frames[3], 3);
  std::mt19937 random(7);
  const Names hashes = of([&](int) { return fmt::format("{}.txt", random()); });
  EXPECT_NE(question(hashes, {}).find("--frames-by order"), std::string::npos);
  second.rule = "order";
  EXPECT_EQ(frames_of_names({"b.txt", "a.txt"}, second)->frames, (Frames{1, 0}));
  question({"a.json", "b.json", "c.json"}, {});
  question(of([](int i) { return fmt::format("cam{}_{:03}.png", i / 12 + 1, i % 12); }), of_pictures());
  FrameNameOptions formerly;
  formerly.ask = false;
  EXPECT_EQ(frames_of_names(two, formerly)->frames[3], 506)
      << "the last number, as projects made earlier have it";
}

TEST(FrameNames, MissingNumbersStayFramesOfTheirOwn) {
  expect_counted({"img_0007.png", "img_0008.png", "img_0011.png"}, {7, 8, 11}, of_pictures());
  expect_counted({"c_00000000.png", "c_00000005.png", "c_00000010.png", "c_00000015.png"}, {0, 5, 10, 15},
                 of_pictures());
  expect_counted({"cam1_000000000012_keypoints.json"}, {12});
}

}  // namespace
}  // namespace vantage
