// Head detection: the definition against every device. Whole numbers throughout: equal windows, equal scores,
// equal boxes.
#include "core/heads/heads.h"

#include <gtest/gtest.h>

#include <iostream>
#include <random>

#include "tests/reference/heads.h"
#include "tests/support/backends.h"
#include "tests/support/head_problems.h"

namespace vantage {
namespace {

class HeadsParity : public ::testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    if (!device_.has<HeadDetector>()) GTEST_SKIP() << device_.why_missing();
    std::cout << "seed " << seed_ << "\n";
  }

  // What the definition finds, suppressed; also the number of windows before that.
  static HeadsInView expected(const Picture& picture, const HeadSearch& search, const HeadModel& model,
                              const HeadParameters& parameters, size_t* windows) {
    const auto found =
        reference::head_windows(picture.plane(0), search, model, windows_from(search, model, parameters));
    *windows = found.size();
    std::vector<HeadHit> hits;
    for (const reference::HeadWindow& window : found)
      hits.push_back({heads::key_of(window.level, window.x, window.y), static_cast<int32_t>(window.score)});
    HeadsInView view;
    view.heads = suppress_heads(hits, search, model, parameters).value();
    EXPECT_TRUE(add_faint_heads(hits, search, model, parameters, &view));
    return view;
  }

  static void expect_equal(const std::vector<Detection>& boxes, const std::vector<Detection>& wanted) {
    ASSERT_EQ(boxes.size(), wanted.size());
    for (size_t i = 0; i < boxes.size(); ++i) {
      EXPECT_EQ(boxes[i].x, wanted[i].x) << i;
      EXPECT_EQ(boxes[i].y, wanted[i].y) << i;
      EXPECT_EQ(boxes[i].w, wanted[i].w) << i;
      EXPECT_EQ(boxes[i].score, wanted[i].score) << i;
    }
  }

  size_t check(const Picture& picture, const HeadSearch& search, const HeadModel& model,
               const HeadParameters& parameters) {
    size_t windows = 0;
    const HeadsInView wanted = expected(picture, search, model, parameters, &windows);
    const auto detector = device_.create<HeadDetector>({std::make_shared<const HeadModel>(model)});
    EXPECT_TRUE(detector->prepare(search, parameters));
    const Picture there = device_.to_device(picture);
    for (int again = 0; again < 2; ++again) {  // what the first picture left behind must not matter
      const HeadsInView found = detector->detect(there, again).value();
      expect_equal(found.heads, wanted.heads);
      expect_equal(found.faint, wanted.faint);
      expect_equal(found.windows, wanted.windows);
    }
    return windows;
  }

  const unsigned seed_ = std::random_device{}();
  std::mt19937 random_{seed_};
  test::DeviceUnderTest device_{GetParam()};
};

TEST_P(HeadsParity, RandomModelsAndSizes) {
  size_t windows = 0;
  for (const auto& [width, height, weak, stride] :
       {std::array{203, 121, 60, 1}, {64, 48, 130, 2}, {319, 90, 5, 2}, {25, 24, 1, 1}, {130, 260, 40, 1}}) {
    HeadParameters parameters;
    parameters.stride_px = stride;
    const HeadSearch search = plan_head_search(width, height, parameters).value();
    windows += check(test::shapes_picture(width, height, random_), search,
                     test::random_head_model(weak, random_), parameters);
  }
  EXPECT_GT(windows, 0u);
}

TEST_P(HeadsParity, SomeTilesOnly) {
  HeadParameters parameters;
  HeadSearch search = plan_head_search(300, 200, parameters).value();
  HeadSearch some = search;
  some.tiles.clear();
  for (HeadLevel& level : some.levels) level.first_row = level.end_row = 0;
  for (size_t i = 0; i < search.tiles.size(); ++i) {
    if (i % 3 != 1) continue;
    const HeadTile tile = search.tiles[i];
    HeadLevel& level = some.levels[tile.level];
    if (!level.searched()) level.first_row = tile.y;
    level.end_row = std::min(level.height, tile.y + kHeadTileHeight + kHeadWindow - 1);
    some.tiles.push_back(tile);
  }
  check(test::shapes_picture(300, 200, random_), some, test::random_head_model(50, random_), parameters);
}

// A camera that hangs askew: the picture is turned, what is found lies in the camera's again.
TEST_P(HeadsParity, TurnedPictures) {
  HeadParameters parameters;
  parameters.smallest_px = 11;
  size_t windows = 0;
  for (const double roll : {-0.35, 0.2, 1.2}) {
    const Camera camera = test::rolled_camera(260, 190, roll);
    const HeadSearch search = plan_head_search(260, 190, parameters, &camera).value();
    EXPECT_TRUE(search.turn.turned());
    EXPECT_GT(search.width, 260);
    HeadModel model = test::random_head_model(40, random_);
    model.accept_from = 200;
    windows += check(test::shapes_picture(260, 190, random_), search, model, parameters);
  }
  EXPECT_GT(windows, 0u);
}

TEST_P(HeadsParity, NothingToSearch) {
  const HeadParameters parameters;
  const HeadSearch search = plan_head_search(20, 90, parameters).value();
  EXPECT_TRUE(search.tiles.empty());
  EXPECT_EQ(
      check(test::shapes_picture(20, 90, random_), search, test::random_head_model(9, random_), parameters),
      0u);
}

TEST_P(HeadsParity, MoreHeadsThanTheDeviceHasRoomFor) {
  HeadParameters parameters;
  parameters.stride_px = 1;
  HeadModel model = test::random_head_model(2, random_);
  for (WeakHeadClassifier& weak : model.weak) weak.reject_below = INT16_MIN;
  model.accept_from = -1000;
  const HeadSearch search = plan_head_search(140, 110, parameters).value();
  EXPECT_GT(check(test::shapes_picture(140, 110, random_), search, model, parameters), 4096u);
}

// Likewise of the windows that other views may speak for.
TEST_P(HeadsParity, MoreFaintWindowsThanTheDeviceHasRoomFor) {
  HeadParameters parameters;
  parameters.stride_px = 1;
  parameters.faint = 0.3;
  HeadModel model = test::random_head_model(2, random_);
  for (WeakHeadClassifier& weak : model.weak) weak.reject_below = INT16_MIN;
  model.accept_from = 150;
  const Camera camera = test::rolled_camera(260, 190, 0);
  const HeadSearch search = plan_head_search(260, 190, parameters, &camera).value();
  EXPECT_GT(check(test::shapes_picture(260, 190, random_), search, model, parameters), 4096u);
}

TEST_P(HeadsParity, WrongPicturesAreRefused) {
  const HeadParameters parameters;
  const auto detector = device_.create<HeadDetector>({built_in_head_model()});
  ASSERT_TRUE(detector->prepare(plan_head_search(100, 80, parameters).value(), parameters));
  const auto heads = detector->detect(device_.to_device(test::shapes_picture(102, 80, random_)), 0);
  ASSERT_FALSE(heads);
  EXPECT_EQ(heads.error().kind, ErrorKind::invalid_argument);
}

INSTANTIATE_TEST_SUITE_P(Devices, HeadsParity, ::testing::Values(Device::cpu, Device::cuda),
                         test::device_test_name);

}  // namespace
}  // namespace vantage
