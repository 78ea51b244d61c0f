#include "core/foreground/camera_shake.h"

#include <gtest/gtest.h>

#include "core/algorithms.h"
#include "core/foreground/steady_model.h"
#include "core/image/picture.h"
#include "tests/support/textured_pictures.h"

namespace vantage {
namespace {

constexpr int kShakenWidth = 320, kShakenHeight = 240;

Image small(const Picture& picture) {
  return reduced_mean(picture.plane(0), RestView::factor_of(picture.width()), HostPool::shared()).value();
}

std::shared_ptr<const RestView> rest_of(const Picture& picture) {
  return std::make_shared<const RestView>(small(picture).view<uint8_t>(),
                                          RestView::factor_of(picture.width()));
}

constexpr SceneOffset kOffsets[] = {{0.5, 0}, {0, -0.5}, {1.3, 0.8}, {-2.6, 1.1}, {4, -5}, {-6, -3}};

TEST(CameraShake, IsFoundToATenthOfAPixel) {
  std::mt19937 random(5);
  const test::TexturedScene scene(1);
  const auto rest = rest_of(scene.seen(2 * kShakenWidth, 2 * kShakenHeight, 0, 0, random));
  for (const auto& [x, y] : kOffsets) {
    const auto found =
        rest->find(small(scene.seen(2 * kShakenWidth, 2 * kShakenHeight, x, y, random)).view<uint8_t>());
    ASSERT_TRUE(found) << x << ' ' << y;
    EXPECT_NEAR(found->x_px, x, 0.1);
    EXPECT_NEAR(found->y_px, y, 0.1);
  }
}

// Two people who cover a quarter of the picture stand in other places, and the light is another.
TEST(CameraShake, IsFoundBehindPeopleAndInOtherLight) {
  std::mt19937 random(6);
  const test::TexturedScene scene(2);
  Picture first = scene.seen(kShakenWidth, kShakenHeight, 0, 0, random);
  test::fill_luma(first, 30, 30, 80, 235, 40);
  const auto rest = rest_of(first);
  for (const auto& [x, y] : kOffsets) {
    Picture picture = scene.seen(kShakenWidth, kShakenHeight, x, y, random, 1, 0.8, 12);
    test::fill_luma(picture, 120, 20, 170, 240, 60);
    test::fill_luma(picture, 210, 50, 260, 240, 200);
    const auto found = rest->find(small(picture).view<uint8_t>());
    ASSERT_TRUE(found) << x << ' ' << y;
    EXPECT_NEAR(found->x_px, x, 0.2);
    EXPECT_NEAR(found->y_px, y, 0.2);
  }
}

TEST(CameraShake, IsNotFoundWhereNothingTells) {
  std::mt19937 random(7);
  const test::TexturedScene scene(3);
  const auto picture = [&](double x) { return small(scene.seen(kShakenWidth, kShakenHeight, x, 0, random)); };
  const auto rest = rest_of(scene.seen(kShakenWidth, kShakenHeight, 0, 0, random));
  EXPECT_FALSE(rest->find(picture(40).view<uint8_t>())) << "the camera was moved, that is no shaking";
  Picture blank = scene.seen(kShakenWidth, kShakenHeight, 0, 0, random);
  test::fill_luma(blank, 0, 0, kShakenWidth, kShakenHeight, 90);
  EXPECT_FALSE(rest_of(blank)->find(picture(2).view<uint8_t>())) << "a scene without texture";
  if (const auto covered = rest->find(small(blank).view<uint8_t>()))
    EXPECT_LT(length_px(*covered), kStill_px);
  const Picture tiny = scene.seen(2, 2, 0, 0, random);
  EXPECT_FALSE(rest_of(tiny)->find(small(tiny).view<uint8_t>()));
  EXPECT_FALSE(rest->find(small(tiny).view<uint8_t>()));
}

TEST(CameraShake, APersonWhoWalksIsNone) {
  std::mt19937 random(8);
  const test::TexturedScene scene(4);
  const auto seen = [&](int left) {
    Picture picture = scene.seen(kShakenWidth, kShakenHeight, 0, 0, random);
    for (int y = 25; y < 235; ++y)  // a large striped coat
      for (int x = left; x < left + 100; ++x)
        picture.writable_plane(0).at(x, y) = (x - left) / 6 % 2 ? 30 : 220;
    return picture;
  };
  const auto rest = rest_of(seen(50));
  for (const int step : {2, 4, 8})
    if (const auto found = rest->find(small(seen(50 + step)).view<uint8_t>()))
      EXPECT_LT(length_px(*found), kStill_px) << step;
}

TEST(CameraShake, PicturesTellWhereTheCameraRests) {
  std::mt19937 random(9);
  const test::TexturedScene scene(5);
  std::vector<Picture> pictures;
  for (int i = 0; i < 15; ++i)
    pictures.push_back(
        scene.seen(kShakenWidth, kShakenHeight, 3 * std::sin(2.1 * i), 2 * std::sin(1.3 * i), random));
  const ShakenView shake = find_shake(pictures).value();
  ASSERT_TRUE(shake.rest);
  EXPECT_NEAR(shake.largest_px, 3.5, 0.8);
  for (int i = 0; i < 15; ++i) {
    const auto& offset = shake.offsets[i];
    ASSERT_TRUE(offset);
    EXPECT_NEAR(offset->x_px - shake.offsets[0]->x_px, 3 * std::sin(2.1 * i), 0.2);
  }
  pictures.resize(1);
  EXPECT_EQ(find_shake(pictures)->largest_px, 0);
  EXPECT_FALSE(find_shake({})->rest);
}

TEST(CameraShake, TheViewAtRestIsWrittenAndRead) {
  std::mt19937 random(10);
  const test::TexturedScene scene(6);
  const auto rest = rest_of(scene.seen(kShakenWidth, kShakenHeight, 0, 0, random));
  const Image moved = small(scene.seen(kShakenWidth, kShakenHeight, 2, -1, random));
  ByteWriter writer;
  rest->write(&writer);
  ByteReader reader(writer.bytes());
  const auto again = RestView::read(&reader);
  ASSERT_TRUE(again);
  const auto before = rest->find(moved.view<uint8_t>()), after = (*again)->find(moved.view<uint8_t>());
  ASSERT_TRUE(before && after);
  EXPECT_EQ(before->x_px, after->x_px);
  EXPECT_EQ(before->y_px, after->y_px);
  ByteReader cut(std::string_view(writer.bytes()).substr(0, 40));
  EXPECT_FALSE(RestView::read(&cut));
}

class SteadyModelTest : public testing::Test {
 protected:
  SteadyModelTest() {
    register_foreground_cpu(registry_);
    register_picture_steadier_cpu(registry_);
  }

  std::unique_ptr<ForegroundModel> model(Steadying steady) {
    auto made = make_steady_model({&registry_}, ForegroundModel::kDefaultMethod, 0).value();
    ForegroundParameters parameters;
    parameters.steady = steady;
    made->set_parameters(ParameterStore::of(parameters));
    return made;
  }

  // With somebody in the middle, who moves with the scene.
  Picture shaken(int frame, bool man) {
    const double dx = amplitude_ * std::sin(2.1 * frame), dy = amplitude_ * std::sin(1.3 * frame);
    Picture picture = scene_.seen(kShakenWidth, kShakenHeight, dx, dy, random_);
    const auto right = static_cast<int>(std::lround(dx)), down = static_cast<int>(std::lround(dy));
    if (man) test::fill_luma(picture, 140 + right, 60 + down, 180 + right, 200 + down, 235);
    return picture;
  }
  void learn(ForegroundModel& model) {
    for (int frame = 0; frame < 10; ++frame) ASSERT_TRUE(model.learn(shaken(frame, false), frame));
  }
  // Pixels of the mask away from the man, and of him, as shares.
  static std::pair<double, double> shares(const Image& mask) {
    int outside = 0, inside = 0;
    for (int y = 0; y < kShakenHeight; ++y)
      for (int x = 0; x < kShakenWidth; ++x) {
        const bool set = mask.view<uint8_t>().at(x, y) != 0;
        if (x >= 144 && x < 176 && y >= 64 && y < 196) inside += set;
        if (x < 130 || x >= 190 || y < 50 || y >= 210) outside += set;
      }
    return {outside / double{kShakenWidth * kShakenHeight}, inside / (32.0 * 132)};
  }

  BackendRegistry registry_;
  std::mt19937 random_{11};
  const test::TexturedScene scene_{7};
  double amplitude_ = 4;
};

TEST_F(SteadyModelTest, MasksOfACameraThatShakesShowTheManAlone) {
  const auto steadied = model(Steadying::automatic), plain = model(Steadying::off);
  for (ForegroundModel* one : {steadied.get(), plain.get()}) {
    random_.seed(11);
    learn(*one);
  }
  EXPECT_NEAR(steadied->shake_px(), 5, 2);
  double plain_outside = 0;
  for (int frame = 10; frame < 18; ++frame) {
    const Picture picture = shaken(frame, true);
    const auto [outside, inside] = shares(steadied->apply(picture, frame)->mask);
    EXPECT_LT(outside, 0.004) << frame;  // what comes in at the borders is not known
    EXPECT_GT(inside, 0.97) << frame;
    plain_outside += shares(plain->apply(picture, frame)->mask).first / 8;
  }
  EXPECT_GT(plain_outside, 0.01) << "what there is to take out";
}

TEST_F(SteadyModelTest, ShakingIsSeenAlsoWhereTheEmptySceneWasStill) {
  amplitude_ = 0;
  const auto steadied = model(Steadying::automatic);
  learn(*steadied);
  amplitude_ = 4;
  ASSERT_TRUE(steadied->apply(shaken(31, true), 31));
  ASSERT_TRUE(steadied->apply(shaken(32, true), 32));  // may lie there for good
  for (const int frame : {64, 65, 70})
    EXPECT_LT(shares(steadied->apply(shaken(frame, true), frame)->mask).first, 0.004) << frame;
}

// Masks then stand where the recording shows people, not where the clip would.
TEST_F(SteadyModelTest, ACameraThatLiesBesideItsEmptySceneDoesNotShake) {
  amplitude_ = 0;
  const auto steadied = model(Steadying::automatic), plain = model(Steadying::off);
  for (ForegroundModel* one : {steadied.get(), plain.get()}) {
    random_.seed(11);
    learn(*one);
  }
  for (const int frame : {0, 32, 64}) {
    const Picture picture = scene_.seen(kShakenWidth, kShakenHeight, 1.5, 0, random_);
    const Image a = steadied->apply(picture, frame)->indicator, b = plain->apply(picture, frame)->indicator;
    for (int y = 0; y < kShakenHeight; ++y)
      for (int x = 0; x < kShakenWidth; ++x)
        ASSERT_EQ(a.view<uint8_t>().at(x, y), b.view<uint8_t>().at(x, y)) << frame;
  }
}

TEST_F(SteadyModelTest, NothingChangesWhereTheCameraKeepsStill) {
  amplitude_ = 0;
  const auto steadied = model(Steadying::automatic), plain = model(Steadying::off);
  for (int frame = 0; frame < 10; ++frame) {
    const Picture picture = shaken(frame, false);
    ASSERT_TRUE(steadied->learn(picture, frame) && plain->learn(picture, frame));
  }
  const Picture picture = shaken(10, true);
  const Image a = steadied->apply(picture, 10)->indicator, b = plain->apply(picture, 10)->indicator;
  for (int y = 0; y < kShakenHeight; ++y)
    for (int x = 0; x < kShakenWidth; ++x) ASSERT_EQ(a.view<uint8_t>().at(x, y), b.view<uint8_t>().at(x, y));
}

TEST_F(SteadyModelTest, StatesKeepTheViewAtRest) {
  const auto first = model(Steadying::automatic);
  learn(*first);
  const auto state = first->save().value();
  ByteWriter writer;
  ASSERT_TRUE(first->write(&writer));
  const auto restored = model(Steadying::automatic), read = model(Steadying::automatic);
  ASSERT_TRUE(restored->restore(*state));
  ByteReader reader(writer.bytes());
  ASSERT_TRUE(read->read(&reader));
  ASSERT_TRUE(reader.finish());
  const Picture picture = shaken(12, true);
  const Image wanted = first->apply(picture, 12)->indicator;
  for (ForegroundModel* one : {restored.get(), read.get()}) {
    const Image found = one->apply(picture, 12)->indicator;
    for (int y = 0; y < kShakenHeight; ++y)
      for (int x = 0; x < kShakenWidth; ++x)
        ASSERT_EQ(found.view<uint8_t>().at(x, y), wanted.view<uint8_t>().at(x, y));
  }
}

}  // namespace
}  // namespace vantage
