#include "core/heads/heads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <random>

#include "core/base/file.h"
#include "core/heads/heads_cpu.h"
#include "tests/reference/heads.h"
#include "tests/support/camera_ring.h"
#include "tests/support/head_problems.h"
#include "tests/support/instruction_sets.h"

namespace vantage {
namespace {

TEST(HeadModel, SurvivesTheFile) {
  std::mt19937 random(3);
  HeadModel model = test::random_head_model(70, random);
  model.head_from = 77;
  model.description = "made by a test\nline two\n";
  const auto path = std::filesystem::path(::testing::TempDir()) / "test.model";
  ASSERT_TRUE(write_head_model(path, model));
  const HeadModel read = read_head_model(path).value();
  EXPECT_EQ(read.description, model.description);
  EXPECT_EQ(read.accept_from, model.accept_from);
  EXPECT_EQ(read.head_from, model.head_from);
  EXPECT_EQ(read.score_unit, model.score_unit);
  ASSERT_EQ(read.weak.size(), model.weak.size());
  for (size_t t = 0; t < read.weak.size(); ++t) {
    EXPECT_EQ(read.weak[t].table, model.weak[t].table);
    EXPECT_EQ(read.weak[t].reject_below, model.weak[t].reject_below);
    EXPECT_EQ(kHeadBlocks[read.weak[t].block], kHeadBlocks[model.weak[t].block]);
  }
}

TEST(HeadModel, DamageIsNoticed) {
  std::mt19937 random(4);
  const std::string good = serialize_head_model(test::random_head_model(8, random));
  for (size_t i = 0; i < good.size(); i += 37) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x10);
    const auto model = parse_head_model(bad, "a file");
    ASSERT_FALSE(model) << i;
    EXPECT_EQ(model.error().kind, ErrorKind::bad_data);
  }
  for (const size_t size : {size_t{0}, size_t{5}, good.size() / 2, good.size() - 1})
    EXPECT_FALSE(parse_head_model(std::string_view(good).substr(0, size), "a file"));
}

TEST(HeadModel, TheBuiltInOneIsWhole) {
  EXPECT_GE(built_in_head_model()->weak.size(), 100u);
  EXPECT_NE(built_in_head_model()->description.find("train-heads"), std::string::npos);
}

TEST(HeadDetection, EqualOnEveryInstructionSet) {
  std::mt19937 random(11);
  const Picture picture = test::shapes_picture(251, 143, random);
  const HeadModel model = test::random_head_model(60, random);
  for (const int stride : {1, 2}) {
    HeadParameters parameters;
    parameters.stride_px = stride;
    const HeadSearch search = plan_head_search(251, 143, parameters).value();
    const auto expected = reference::head_windows(picture.plane(0), search, model, 100);
    EXPECT_GT(expected.size(), 0u);
    test::for_each_instruction_set([&] {
      HeadPlanes planes;
      planes.build(picture.plane(0), search);
      const std::vector<HeadHit> hits = find_head_windows(planes, search, model, 100);
      ASSERT_EQ(hits.size(), expected.size());
      for (size_t i = 0; i < hits.size(); ++i) {
        EXPECT_EQ(hits[i].key, heads::key_of(expected[i].level, expected[i].x, expected[i].y));
        EXPECT_EQ(hits[i].score, expected[i].score);
      }
    });
  }
}

TEST(HeadSearch, CoversEveryWindowOnce) {
  HeadParameters parameters;
  parameters.stride_px = 1;
  const HeadSearch search = plan_head_search(333, 222, parameters).value();
  int64_t windows = 0;
  for (const HeadLevel& level : search.levels)
    windows += int64_t{level.width - kHeadWindow + 1} * (level.height - kHeadWindow + 1);
  EXPECT_EQ(search.windows, windows);
}

// No head that a person between the two heights has is lost to the calibration.
TEST(HeadSearch, CalibrationKeepsWhatFits) {
  const HeadParameters parameters;
  const std::vector<Camera> cameras = test::camera_ring({4, 640, 480});
  std::mt19937 random(5);
  int checked = 0;
  for (const Camera& camera : cameras) {
    const HeadSearch all = plan_head_search(camera.width_px(), camera.height_px(), parameters).value();
    const HeadSearch search =
        plan_head_search(camera.width_px(), camera.height_px(), parameters, &camera).value();
    EXPECT_LT(search.windows, all.windows * 3 / 4);
    for (int i = 0; i < 400; ++i) {
      std::uniform_real_distribution<double> place(-1.5, 1.5), height(1.25, 2.05);
      const Eigen::Vector3d head(place(random), place(random), height(random) - 0.12);
      const auto pixel = camera.project(head);
      if (!pixel) continue;
      const double size = camera.model().fx_px * 0.24 / (head - camera.center_in_world_m()).norm();
      const int l = static_cast<int>(std::lround(kHeadLevelsPerOctave * std::log2(size / kHeadHeight)));
      const auto level =
          std::find_if(search.levels.begin(), search.levels.end(), [&](const HeadLevel& candidate) {
            return std::lround(kHeadLevelsPerOctave * std::log2(candidate.scale)) == l;
          });
      if (level == search.levels.end()) continue;
      const double x = pixel->x() / level->scale - 12, y = pixel->y() / level->scale - 9.5;
      if (x < 0 || y < 0 || x + kHeadWindow > level->width || y + kHeadWindow > level->height) continue;
      const bool searched = std::any_of(search.tiles.begin(), search.tiles.end(), [&](const HeadTile& tile) {
        return tile.level == level - search.levels.begin() && x >= tile.x && x < tile.x + kHeadTileWidth &&
               y >= tile.y && y < tile.y + kHeadTileHeight;
      });
      EXPECT_TRUE(searched) << "at " << head.transpose();
      ++checked;
    }
  }
  EXPECT_GT(checked, 100);
}

TEST(HeadSearch, CamerasThatHangAskewAreTurned) {
  const HeadParameters parameters;
  for (const double roll : {-1.0, -0.4, 0.1, 0.6}) {
    const Camera camera = test::rolled_camera(640, 480, roll);
    const HeadSearch search = plan_head_search(640, 480, parameters, &camera).value();
    const double lean = std::atan2(search.turn.sine, search.turn.cosine);
    EXPECT_NEAR(lean, roll, 0.1) << roll;
    // A person whose head is seen at a pixel stands below it in the turned picture.
    const Eigen::Vector2d head = *camera.project({0, 0, 1.65}), chest = *camera.project({0, 0, 1.35});
    const Eigen::Vector2d along = chest - head;
    const double side = std::cos(lean) * along.x() + std::sin(lean) * along.y();
    const double below = std::cos(lean) * along.y() - std::sin(lean) * along.x();
    EXPECT_LT(std::abs(side), 0.1 * below);
    // The middle stays where it is.
    const auto box = box_in_picture(search, {search.width / 2.f - 9, search.height / 2.f - 11, 18, 22, 1, 0});
    ASSERT_TRUE(box);
    EXPECT_NEAR(box->x, 320 - 9, 1e-3);
    EXPECT_NEAR(box->y, 240 - 11, 1e-3);
    EXPECT_FALSE(box_in_picture(search, {0, 0, 4, 4, 1, 0}));
  }
  HeadParameters as_it_is;
  as_it_is.upright = false;
  const Camera askew = test::rolled_camera(640, 480, 0.4), upright = test::rolled_camera(640, 480, 0.02);
  EXPECT_FALSE(plan_head_search(640, 480, as_it_is, &askew)->turn.turned());
  EXPECT_FALSE(plan_head_search(640, 480, parameters, &upright)->turn.turned());
  EXPECT_FALSE(plan_head_search(640, 480, parameters)->turn.turned());
}

TEST(HeadSearch, HeadsOfTheRightSizeAreLikely) {
  const HeadParameters parameters;
  const Camera camera = test::rolled_camera(640, 480, 0);
  const HeadSearch search = plan_head_search(640, 480, parameters, &camera).value();
  const auto likelihood = [&](double person_m, double times) {
    const Eigen::Vector3d head(0.3, 0.2, person_m - 0.12);
    const Eigen::Vector2d pixel = *camera.project(head);
    const double size = times * 0.24 * camera.model().fx_px / (head - camera.center_in_world_m()).norm();
    const Detection box{static_cast<float>(pixel.x() + 0.5 - 0.4 * size),
                        static_cast<float>(pixel.y() + 0.5 - 0.5 * size),
                        static_cast<float>(0.8 * size),
                        static_cast<float>(size),
                        1,
                        0};
    EXPECT_EQ(likelihood_of_size(plan_head_search(640, 480, parameters).value(), parameters, box), 1);
    return likelihood_of_size(search, parameters, box);
  };
  EXPECT_GT(likelihood(1.65, 1), 0.99);
  EXPECT_GT(likelihood(1.85, 1), 0.5);
  EXPECT_GT(likelihood(1.45, 1), 0.5);
  EXPECT_LT(likelihood(1.65, 2.2), 0.15);
  EXPECT_LT(likelihood(1.65, 0.45), 0.15);
}

// The definition asks every window about every other one.
TEST(HeadDetection, AHeadIsWhatAllWindowsAroundItSay) {
  std::mt19937 random(8);
  HeadParameters parameters;
  parameters.overlap = 1;
  const HeadSearch search = plan_head_search(640, 480, parameters).value();
  HeadModel model;
  model.accept_from = 10;
  std::map<uint32_t, int32_t> scores;
  for (int i = 0; i < 4000; ++i) {
    const int l = static_cast<int>(random() % search.levels.size());
    const HeadLevel& level = search.levels[l];
    const auto place = [&](int size) {
      return static_cast<int>(random() % static_cast<unsigned>(size - kHeadWindow + 1));
    };
    const int x = place(level.width), y = place(level.height);
    scores[heads::key_of(l, x, y)] = 10 + static_cast<int32_t>(random() % 50);
  }
  std::vector<HeadHit> hits;
  std::vector<Detection> boxes;
  for (const auto& [key, score] : scores) {
    hits.push_back({key, score});
    boxes.push_back(heads::detection_of(key, static_cast<float>(search.levels[key >> 26].scale)));
  }
  std::shuffle(hits.begin(), hits.end(), random);
  const auto found = suppress_heads(hits, search, model, parameters).value();
  ASSERT_GT(found.size(), 50u);
  for (const Detection& head : found) {
    int32_t said = 0;
    size_t i = 0;
    for (const auto& [key, score] : scores)
      if (heads::windows_overlap(head, boxes[i++]))
        said += heads::excess_of(score, model.accept_from, search.levels[key >> 26].window_step);
    EXPECT_EQ(head.score, heads::final_score(said, model.score_unit));
  }
}

TEST(HeadDetection, PartsOfAHeadGo) {
  HeadModel model;
  model.score_unit = 1;
  model.head_from = 2;
  const HeadParameters parameters;
  const HeadSearch search = plan_head_search(640, 480, parameters).value();
  const std::vector<Detection> boxes = {{110, 130, 18, 22, 5, 0},   // the chin of the next
                                        {100, 100, 36, 44, 9, 0},   //
                                        {130, 100, 36, 44, 7, 0},   // somebody behind
                                        {300, 100, 36, 44, 3, 0},   //
                                        {305, 110, 18, 22, 4, 0},   // better than the one around it
                                        {400, 100, 36, 44, 1, 0}};  // too weak
  const std::vector<int32_t> kept = {0, 1, 2, 3, 4, 5};
  const std::vector<Detection> heads =
      final_heads(boxes.data(), kept.data(), static_cast<int32_t>(kept.size()), search, model, parameters);
  ASSERT_EQ(heads.size(), 3u);
  EXPECT_EQ(heads[0].score, 9);
  EXPECT_EQ(heads[1].score, 7);
  EXPECT_EQ(heads[2].score, 4);
}

TEST(HeadSearch, WrongSizesAreErrors) {
  const HeadParameters parameters;
  EXPECT_FALSE(plan_head_search(9000, 100, parameters));
  const Camera camera = test::camera_ring({4, 640, 480}).front();
  EXPECT_FALSE(plan_head_search(camera.width_px() + 2, camera.height_px(), parameters, &camera));
}

}  // namespace
}  // namespace vantage
