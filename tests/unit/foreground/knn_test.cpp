// The method knn: behind the contract where the program has it, an error that says so where it has not.
#include "core/foreground/knn/knn.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/algorithms.h"
#include "core/foreground/foreground.h"
#include "core/foreground/steady_model.h"

namespace vantage {
namespace {

const BackendRegistry& registry() {
  static const BackendRegistry made = [] {
    BackendRegistry registry;
    register_foreground_cpu(registry);
    register_picture_steadier_cpu(registry);
    return registry;
  }();
  return made;
}

Result<std::unique_ptr<ForegroundModel>> make_knn() {
  return registry().create<ForegroundModel>("knn", Device::cpu, {}, {});
}

class Knn : public testing::Test {
 protected:
  void SetUp() override {
    if (!registry().has<ForegroundModel>("knn", Device::cpu))
      GTEST_SKIP() << "built without OpenCV's video module";
  }
};

// Noise over a floor, with a square of other cloth from (20, 10) on where somebody is there.
class NoisyRoom {
 public:
  static constexpr int kColumns = 65, kRows = 49, kLeft = 20, kTop = 10, kSide = 20;
  Picture picture(bool somebody) {
    PictureFormat format;
    format.width = kColumns, format.height = kRows;
    Picture made = Picture::make(format, HostPool::shared()).value();
    for (int plane = 0; plane < 3; ++plane) {
      const int scale = plane == 0 ? 1 : 2;
      for (int y = 0; y < made.plane(plane).height; ++y)
        for (int x = 0; x < made.plane(plane).width; ++x)
          made.writable_plane(plane).row(y)[x] = level(plane, somebody && in_square(scale * x, scale * y));
    }
    return made;
  }
  static bool in_square(int x, int y) {
    return x >= kLeft && x < kLeft + kSide && y >= kTop && y < kTop + kSide;
  }

 private:
  uint8_t level(int plane, bool cloth) {
    const double mean = plane == 0 ? (cloth ? 60 : 120) : (cloth ? 150 : 128);
    return static_cast<uint8_t>(std::lround(mean + noise_(generator_)));
  }
  std::mt19937 generator_{5};
  std::normal_distribution<double> noise_{0, 1.5};
};

ParameterStore parameters(double learning_rate) {
  ParameterStore store({&parameter_table<ForegroundParameters>(), &parameter_table<KnnParameters>()});
  EXPECT_TRUE(store.set("knn", "learning_rate", learning_rate));
  return store;
}

std::unique_ptr<ForegroundModel> learnt(NoisyRoom& room) {
  std::unique_ptr<ForegroundModel> model = make_knn().value();
  model->set_parameters(parameters(KnnParameters().learning_rate));
  for (int i = 0; i < 25; ++i) EXPECT_TRUE(model->learn(room.picture(false), i));
  return model;
}

TEST_F(Knn, FindsWhatTheEmptySceneDidNotShow) {
  NoisyRoom room;
  const std::unique_ptr<ForegroundModel> model = learnt(room);
  const ForegroundImages images = model->apply(room.picture(true), 25).value();
  int64_t count = 0;
  for (int y = 0; y < NoisyRoom::kRows; ++y)
    for (int x = 0; x < NoisyRoom::kColumns; ++x) {
      const uint8_t value = images.mask.view<uint8_t>().at(x, y);
      EXPECT_EQ(value, NoisyRoom::in_square(x, y) ? 255 : 0) << x << ", " << y;
      EXPECT_EQ(images.indicator.view<uint8_t>().at(x, y), value) << x << ", " << y;
      count += value != 0;
    }
  EXPECT_EQ(images.mask_count.get().value(), count);
}

// Of a scene that was learnt from the recording there are two pictures, also behind the model that brings
// pictures to rest.
TEST_F(Knn, TwoPicturesAreEnoughWhereTheyAreShownOften) {
  NoisyRoom room;
  const Picture dark = room.picture(false), bright = room.picture(false);
  const std::unique_ptr<ForegroundModel> model = make_steady_model({&registry()}, "knn", 0).value();
  model->set_parameters(parameters(KnnParameters().learning_rate));
  EXPECT_GT(model->showings(), 1);
  for (int showing = 0; showing < model->showings(); ++showing)
    for (const Picture& picture : {dark, bright}) ASSERT_TRUE(model->learn(picture, -1));
  EXPECT_EQ(model->apply(room.picture(false), 0).value().mask_count.get().value(), 0);
  EXPECT_EQ(model->apply(room.picture(true), 1).value().mask_count.get().value(),
            NoisyRoom::kSide * NoisyRoom::kSide);
}

TEST_F(Knn, WhoStaysIsNotLearnt) {
  NoisyRoom room;
  const std::unique_ptr<ForegroundModel> model = learnt(room);
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(model->apply(room.picture(true), 25 + i));
  EXPECT_GE(model->apply(room.picture(true), 225).value().mask_count.get().value(),
            NoisyRoom::kSide * NoisyRoom::kSide * 99 / 100);
}

TEST_F(Knn, TheSamePicturesGiveTheSameMasks) {
  std::vector<std::vector<uint8_t>> masks;
  for (int time = 0; time < 2; ++time) {
    NoisyRoom room;
    if (time > 0) learnt(room);  // draws from the random numbers that OpenCV's models share
    room = {};
    std::unique_ptr<ForegroundModel> model = make_knn().value();
    model->set_parameters(parameters(0.2));
    std::vector<uint8_t>& bytes = masks.emplace_back();
    for (int i = 0; i < 40; ++i) {
      const ForegroundImages images = model->apply(room.picture(i % 3 == 0), i).value();
      const ImageView<const uint8_t> view = images.mask.view<uint8_t>();
      for (int y = 0; y < view.height; ++y) bytes.insert(bytes.end(), view.row(y), view.row(y) + view.width);
    }
  }
  EXPECT_EQ(masks[0], masks[1]);
}

TEST_F(Knn, ItsStateCannotBeSaved) {
  EXPECT_EQ(make_knn().value()->save().error().kind, ErrorKind::unsupported);
}

TEST(KnnMissing, AProgramWithoutItSaysSo) {
  const auto model = make_knn();
  if (model) GTEST_SKIP() << "this program has it";
  EXPECT_EQ(model.error().kind, ErrorKind::unsupported);
  EXPECT_NE(model.error().message().find("not part of this program"), std::string::npos);
}

}  // namespace
}  // namespace vantage
