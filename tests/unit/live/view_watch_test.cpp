// Frozen, covered and turned cameras, from pictures made for it.
#include "core/live/view_watch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "core/base/file.h"
#include "tests/support/data.h"

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

// The view of one run is kept for the next: a camera that was turned in between is told from the first
// seconds on, until it is turned back.
TEST(ViewWatch, ACameraThatWasTurnedBetweenTwoRuns) {
  constexpr double kKept_utc_s = 1'795'300'000;  // 21 November 2026
  ViewWatch first;
  Scene scene;
  int64_t now = 0;
  after(first, scene, ViewWatch::kSettled_s - 1, &now);
  EXPECT_FALSE(first.settled(kKept_utc_s)) << "it may yet be a bad moment";
  after(first, scene, 3, &now);
  const auto kept = first.settled(kKept_utc_s);
  ASSERT_TRUE(kept);

  ViewWatch as_it_was(nullptr, kept);
  scene.light = 0.7;
  int64_t later = 0;
  EXPECT_EQ(after(as_it_was, scene, 8, &later), "");
  EXPECT_FALSE(as_it_was.settled(kKept_utc_s)) << "there is one";

  ViewWatch turned(nullptr, kept);
  scene.light = 1, scene.shift_px = 37;
  later = 0;
  const std::string said = after(turned, scene, 4, &later);
  EXPECT_NE(said.find("turned"), std::string::npos) << said;
  EXPECT_NE(said.find("2026-11-21"), std::string::npos) << said;
  EXPECT_NE(after(turned, scene, 60, &later), "") << "it does not get used to it";
  scene.shift_px = 0;
  EXPECT_EQ(after(turned, scene, 1, &later), "");
}

TEST(ViewWatch, AViewThatIsSaidToBeRightTakesThePlaceOfTheOneBefore) {
  ViewWatch first;
  Scene scene;
  int64_t now = 0;
  after(first, scene, ViewWatch::kSettled_s + 2, &now);
  ViewWatch watch(nullptr, first.settled(1'795'300'000));
  scene.shift_px = 37;
  now = 0;
  ASSERT_NE(after(watch, scene, 5, &now), "");
  ASSERT_TRUE(watch.turned());
  watch.accept();
  EXPECT_FALSE(watch.turned());
  EXPECT_FALSE(watch.settled(0)) << "nothing was seen since";
  EXPECT_EQ(after(watch, scene, 5, &now), "");
  EXPECT_FALSE(watch.known_since_utc_s());
  const auto kept = watch.settled(1'795'400'000);
  ASSERT_TRUE(kept) << "without a minute's wait";

  ViewWatch next(nullptr, kept);
  now = 0;
  EXPECT_EQ(after(next, scene, 5, &now), "");
  scene.shift_px = 0;
  EXPECT_NE(after(next, scene, 5, &now), "") << "what was right before is turned now";
}

TEST(ViewWatch, AViewThatWasDisturbedIsNotKept) {
  ViewWatch watch;
  Scene scene;
  int64_t now = 0;
  after(watch, scene, 50, &now);
  scene.shift_px = 37;
  after(watch, scene, 1, &now);
  scene.shift_px = 0;
  after(watch, scene, 50, &now);
  EXPECT_FALSE(watch.settled(0));
  after(watch, scene, 12, &now);
  EXPECT_TRUE(watch.settled(0));
}

TEST(KnownViews, BelongToTheirCalibration) {
  const TemporaryFolder folder;
  KnownViews views(folder.path() / "hall.views.json");
  KnownView view;
  for (size_t i = 0; i < view.luma.size(); ++i) view.luma[i] = static_cast<float>(i % 251) + 0.25F;
  view.utc_s = 1'795'300'000;
  EXPECT_FALSE(views.find("cam1", 7).value());
  ASSERT_TRUE(views.keep("cam1", 7, view));
  ASSERT_TRUE(views.keep("cam2", 9, {}));
  const auto found = KnownViews(folder.path() / "hall.views.json").find("cam1", 7);
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->luma, view.luma);
  EXPECT_EQ((*found)->utc_s, view.utc_s);
  EXPECT_FALSE(views.find("cam1", 8).value()) << "calibrated anew";
  ASSERT_TRUE(views.keep("cam1", 8, {}));
  EXPECT_FALSE(views.find("cam1", 7).value());
  EXPECT_TRUE(views.find("cam2", 9).value());
  ASSERT_TRUE(write_file_atomically(folder.path() / "hall.views.json", "[]"));
  EXPECT_EQ(views.find("cam1", 8).error().kind, ErrorKind::bad_data);
  EXPECT_FALSE(views.keep("cam1", 8, {})) << "what is there stays";
}

}  // namespace
}  // namespace vantage::test
