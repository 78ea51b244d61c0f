// People who leave and come back, by the colours of their clothes.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "core/tracking/paths/path_tracker.h"

namespace vantage {
namespace {

constexpr double kRate = 10;

struct Clothes {
  std::array<float, 3> trunk, legs;
  double height_m = 1.75;
};
constexpr Clothes kRed{{90, 110, 190}, {60, 130, 125}, 1.78}, kBlue{{80, 170, 100}, {120, 120, 130}, 1.68},
    kWhite{{200, 128, 128}, {150, 110, 140}, 1.83};

struct Stay {
  Clothes clothes;
  double begin_s = 0, end_s = 0, y_m = 0;
};

// Everyone walks to and fro along x. Two cameras of different light see them; errors last for about a second.
std::vector<SeenFrame> seen_of(const std::vector<Stay>& stays, double seconds, uint32_t seed,
                               bool colored = true) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<std::array<double, 7>> errors(stays.size());
  std::vector<SeenFrame> frames;
  for (int64_t f = 0; f < static_cast<int64_t>(seconds * kRate); ++f) {
    SeenFrame& frame = frames.emplace_back(SeenFrame{f, {}, {}});
    const double time_s = static_cast<double>(f) / kRate;
    for (size_t i = 0; i < stays.size(); ++i) {
      const Stay& stay = stays[i];
      for (double& error : errors[i]) error = 0.9 * error + 0.43 * normal(random);
      if (time_s < stay.begin_s || time_s >= stay.end_s) continue;
      FloorPerson& person = frame.people.emplace_back();
      person.x_m = std::abs(std::remainder(time_s, 8)) - 2 + 0.03 * normal(random);
      person.y_m = stay.y_m + 0.03 * normal(random);
      person.height_m = stay.clothes.height_m + 0.03 * errors[i][6], person.confidence = 0.95;
      for (int32_t camera = 0; colored && camera < 2; ++camera) {
        BodyColor color{camera, stay.clothes.trunk, stay.clothes.legs};
        for (size_t k = 0; k < 3; ++k) {
          const double scale = k == 0 ? 10 : 4, light = camera == 1 && k == 0 ? 25 : 0;
          (*color.trunk)[k] += static_cast<float>(scale * errors[i][k] + light);
          (*color.legs)[k] += static_cast<float>(scale * errors[i][3 + k] + light);
        }
        person.colors.push_back(color);
      }
    }
  }
  return frames;
}

std::vector<PersonPath> followed(const std::vector<SeenFrame>& frames, double return_s = 600,
                                 double window_s = 0, std::vector<PersonReturn>* returns = nullptr) {
  PathParameters parameters;
  parameters.method = PathMethod::motion;
  parameters.return_s = return_s, parameters.window_s = window_s;
  return follow_paths(frames, kRate, parameters, {}, {}, returns).value();
}

const std::vector<Stay> kComesBack = {{kRed, 0, 60, 0}, {kBlue, 0, 20, 3}, {kBlue, 32, 60, 3}};

TEST(Returns, WhoComesBackKeepsTheId) {
  const std::vector<PersonPath> paths = followed(seen_of(kComesBack, 60, 1));
  ASSERT_EQ(paths.size(), 2U);
  const PersonPath& blue = paths[0].points.front().y_m > 1 ? paths[0] : paths[1];
  EXPECT_EQ(blue.points.size(), 480U) << "no points bridge the absence";
  EXPECT_EQ(followed(seen_of(kComesBack, 60, 1), 0).size(), 3U) << "off";
  EXPECT_EQ(followed(seen_of(kComesBack, 60, 1), 10).size(), 3U) << "away for longer than that";
  EXPECT_EQ(followed(seen_of(kComesBack, 60, 1, false)).size(), 3U) << "no colours say so";
}

TEST(Returns, InWindowsToo) {
  EXPECT_EQ(followed(seen_of(kComesBack, 60, 2), 600, 8).size(), 2U);
}

TEST(Returns, AnotherPersonIsNew) {
  EXPECT_EQ(followed(seen_of({{kRed, 0, 60, 0}, {kBlue, 0, 20, 3}, {kWhite, 32, 60, 3}}, 60, 3)).size(), 3U);
}

// Many wear that: the next may be a stranger.
TEST(Returns, DarkClothesAreNotSure) {
  constexpr Clothes kDark{{58, 131, 127}, {54, 131, 126}, 1.79};
  EXPECT_EQ(followed(seen_of({{kRed, 0, 60, 0}, {kDark, 0, 20, 3}, {kDark, 32, 60, 3}}, 60, 7)).size(), 3U);
}

// One of two who are dressed alike comes back: who, no one can tell. Each is proposed.
TEST(Returns, AlikeClothesAreNotJoined) {
  std::vector<PersonReturn> returns;
  const auto frames =
      seen_of({{kRed, 0, 60, 0}, {kBlue, 0, 20, 3}, {kBlue, 0, 20, 6}, {kBlue, 32, 60, 3}}, 60, 4);
  EXPECT_EQ(followed(frames, 600, 0, &returns).size(), 4U);
  ASSERT_EQ(returns.size(), 2U);
  double sum = 0;
  for (const PersonReturn& one : returns) {
    EXPECT_FALSE(one.joined());
    EXPECT_EQ(one.left.frame, 199);
    EXPECT_EQ(one.came.frame, 320);
    EXPECT_EQ(one.came_id, 4);
    sum += one.probability;
  }
  EXPECT_NE(returns[0].left_id, returns[1].left_id);
  EXPECT_GT(sum, 0.5);
  EXPECT_LE(sum, 1);
}

// Two who leave and come back together: each explains the other's return.
TEST(Returns, AreDecidedTogether) {
  std::vector<PersonReturn> returns;
  const auto frames = seen_of(
      {{kRed, 0, 60, 0}, {kBlue, 0, 20, 3}, {kWhite, 0, 20, 6}, {kBlue, 32, 60, 3}, {kWhite, 32, 60, 6}}, 60,
      8);
  EXPECT_EQ(followed(frames, 600, 0, &returns).size(), 3U);
  ASSERT_EQ(returns.size(), 2U);
  for (const PersonReturn& one : returns) {
    EXPECT_TRUE(one.joined());
    EXPECT_GE(one.probability, 0.995);
    EXPECT_NEAR(one.left.y_m, one.came.y_m, 0.5);
  }
}

// No camera sees a person both before and after: their light is known from those whom both see.
TEST(Returns, CamerasOfOtherLightAreCompared) {
  auto frames = seen_of({{kRed, 0, 60, 0}, {kWhite, 0, 60, 6}, {kBlue, 0, 20, 3}, {kBlue, 32, 60, 3}}, 60, 9);
  for (SeenFrame& frame : frames)
    for (FloorPerson& person : frame.people)
      if (std::abs(person.y_m - 3) < 1)
        std::erase_if(person.colors,
                      [&](const BodyColor& color) { return color.camera == (frame.frame < 250 ? 1 : 0); });
  EXPECT_EQ(followed(frames).size(), 3U);
}

// Two dressed alike come while one who is dressed so is away.
TEST(Returns, OfTwoWhoMayBeItNeitherIs) {
  EXPECT_EQ(
      followed(seen_of({{kRed, 0, 60, 0}, {kBlue, 0, 20, 3}, {kBlue, 32, 60, 3}, {kBlue, 33, 60, 6}}, 60, 5))
          .size(),
      4U);
}

// The one who is still there is not the one who comes.
TEST(Returns, NoOneIsInTwoPlaces) {
  EXPECT_EQ(followed(seen_of({{kRed, 0, 60, 0}, {kBlue, 0, 60, 3}, {kBlue, 32, 60, 6}}, 60, 6)).size(), 3U);
}

// Crowds whose people come and go; clothes at random, so that some are alike.
TEST(Returns, AreRarelyWrong) {
  int64_t joined = 0, right = 0, returns = 0;
  for (uint32_t seed = 100; seed < 112; ++seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> share(0, 1);
    std::vector<Stay> stays;
    constexpr size_t kPeople = 10;
    for (size_t i = 0; i < kPeople; ++i) {
      Clothes clothes;
      for (auto* part : {&clothes.trunk, &clothes.legs})
        *part = {static_cast<float>(40 + 160 * share(random)),
                 static_cast<float>(128 + 30 * (share(random) - .5)),
                 static_cast<float>(128 + 30 * (share(random) - .5))};
      clothes.height_m = 1.6 + 0.3 * share(random);
      const double left_s = 15 + 20 * share(random), back_s = left_s + 10 + 5 * share(random);
      const double y_m = 3.0 * static_cast<double>(i);
      // Every second one comes back; another one takes the place of the others.
      stays.push_back({clothes, 0, left_s, y_m});
      if (i % 2 == 1)
        for (auto* part : {&clothes.trunk, &clothes.legs})
          for (float& channel : *part) channel += static_cast<float>(60 * (share(random) - .5));
      stays.push_back({clothes, back_s, 70, y_m});
    }
    const std::vector<SeenFrame> frames = seen_of(stays, 70, seed);
    for (const PersonPath& path : followed(frames)) {
      const auto who = [&](const PathPoint& point) { return std::lround(point.y_m / 3); };
      const PathPoint first = path.points.front(), last = path.points.back();
      if (last.frame < 690 || first.frame > 0) continue;
      ++joined, right += who(first) == who(last) && who(first) % 2 == 0;
    }
    returns += kPeople / 2;
  }
  fmt::print("{} returns, {} joined, {} rightly\n", returns, joined, right);
  EXPECT_EQ(joined, right);
  EXPECT_GE(static_cast<double>(right), 0.8 * static_cast<double>(returns));
}

}  // namespace
}  // namespace vantage
