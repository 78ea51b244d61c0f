// Frozen, covered and turned cameras, from pictures made for it.
#include "core/live/view_watch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace vantage::test {
namespace {

constexpr PictureFormat kFormat{PictureLayout::i420, 160, 120};

// A scene with soft shapes, shifted by so many pixels, lit by so much, with a sensor's noise and a person.
struct Scene {
  std::mt19937 random{5};
  double shift_px = 0, light = 1, contrast = 1, noise = 1.5, person_x_px = -100;

  Picture picture() {
    Picture out = std::move(*Picture::make(kFormat, HostPool::shared()));
    std::normal_distribution<double> gauss(0, noise);
    auto luma = out.writable_plane(0);
    for (int y = 0; y < luma.height; ++y)
      for (int x = 0; x < luma.width; ++x) {
        const double u = x + shift_px;
        double value = 110 + contrast * (40 * std::sin(u * 0.21 + 2 * std::sin(y * 0.11)) +
                                         30 * std::cos(y * 0.17 + u * u * 0.0007));
        if (std::abs(x - person_x_px) < 14 && y > 30) value = 60;
        luma.row(y)[x] =
            static_cast<uint8_t>(std::clamp(value * light + (noise > 0 ? gauss(random) : 0), 0.0, 255.0));
      }
    return out;
  }
};

// What it says at the end of so many seconds at 10 pictures a second.
std::string after(ViewWatch& watch, Scene& scene, double seconds, int64_t* now_ns) {
  std::string last;
  for (int i = 0; i < static_cast<int>(seconds * 10); ++i) {
    *now_ns += 100'000'000;
    last = watch.look(scene.picture(), *now_ns);
  }
  return last;
}

TEST(ViewWatch, PeopleAndLampsAreNoProblem) {
  ViewWatch watch;
  Scene scene;
  int64_t now = 0;
  EXPECT_EQ(after(watch, scene, 4, &now), "");
  for (int i = 0; i < 20; ++i) {
    scene.person_x_px = i * 8;
    scene.light = 0.6 + 0.04 * i;
    EXPECT_EQ(after(watch, scene, 1, &now), "");
  }
}

TEST(ViewWatch, AFrozenPictureIsSeenAndForgotten) {
  ViewWatch watch;
  Scene scene;
  int64_t now = 0;
  after(watch, scene, 3, &now);
  const Picture still = scene.picture();
  for (int i = 0; i < 70; ++i) watch.look(still, now += 100'000'000);
  EXPECT_EQ(watch.look(still, now += 100'000'000), "the picture is frozen");
  EXPECT_EQ(after(watch, scene, 1, &now), "");
}

TEST(ViewWatch, ACoveredCamera) {
  ViewWatch watch;
  Scene scene;
  int64_t now = 0;
  after(watch, scene, 3, &now);
  scene.contrast = 0.02;
  EXPECT_EQ(after(watch, scene, 2, &now), "");
  EXPECT_NE(after(watch, scene, 3, &now).find("covered"), std::string::npos);
  scene.contrast = 1;
  EXPECT_EQ(after(watch, scene, 1, &now), "");
}

TEST(ViewWatch, ATurnedCamera) {
  ViewWatch watch;
  Scene scene;
  int64_t now = 0;
  after(watch, scene, 3, &now);
  scene.shift_px = 37;
  EXPECT_NE(after(watch, scene, 5, &now).find("turned"), std::string::npos);
  scene.shift_px = 0;
  EXPECT_EQ(after(watch, scene, 1, &now), "");
}

}  // namespace
}  // namespace vantage::test
