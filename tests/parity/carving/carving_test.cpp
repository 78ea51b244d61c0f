// Carving: reference against every device.
//
// Tolerance: a voxel's place in a picture may be off by up to 0.04 px, as core/carving/block_positions.h
// allows; the reference turns that into a slack per voxel, from how steep the indicator is there and whether
// the sample is about to leave the picture, and kRounding covers the quotient. A shell voxel may differ only
// when its own confidence, or that of one of its six neighbours, is within its slack of the threshold. Where
// every vote is 0 or 255 that leaves the borders of the views only.
#include "core/carving/carving.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "tests/reference/carving.h"
#include "tests/support/backends.h"
#include "tests/support/camera_ring.h"
#include "tests/support/data.h"
#include "tests/support/dense_carving.h"
#include "tests/support/pictures.h"
#include "tests/support/uu_voxel.h"

namespace vantage {
namespace {

constexpr double kRounding = 1e-6;

VoxelGrid grid_round_origin(int nx, int ny, int nz, double voxel_m) {
  return {{-nx * voxel_m / 2, -ny * voxel_m / 2, 0.5 - nz * voxel_m / 2}, voxel_m, nx, ny, nz};
}

// Soft ellipses, so that indicators have slopes, full regions and empty ones.
Image blobs(int width, int height, std::mt19937& random) {
  Image image = test::random_image(width, height, random);  // random padding
  std::uniform_real_distribution<double> unit(0, 1);
  struct Blob {
    double x, y, rx, ry;
  };
  std::vector<Blob> blobs;
  for (int i = 0; i < 6; ++i)
    blobs.push_back({unit(random) * width, unit(random) * height, (0.1 + 0.3 * unit(random)) * width,
                     (0.1 + 0.3 * unit(random)) * height});
  const ImageView<uint8_t> view = image.writable_view<uint8_t>();
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      double level = 0;
      for (const Blob& b : blobs)
        level = std::max(level,
                         255 * std::clamp(3 - 3 * std::hypot((x - b.x) / b.rx, (y - b.y) / b.ry), 0.0, 1.0));
      view.at(x, y) = static_cast<uint8_t>(level);
    }
  return image;
}

class CarvingParity : public ::testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    if (!device_.has<Carver>()) GTEST_SKIP() << device_.why_missing();
  }

  struct Carved {
    std::vector<uint32_t> ids;
    VolumeCounts counts;
    Image confidence;
  };

  Carved carve(const Carver::Arguments& scene, const std::vector<Image>& indicators,
               const CarvingParameters& parameters, bool keep) {
    const auto carver = device_.create<Carver>(scene);
    carver->set_parameters(parameters);
    return carve_with(*carver, indicators, keep);
  }

  Carved carve_with(Carver& carver, const std::vector<Image>& indicators, bool keep) {
    std::vector<Image> placed;
    for (const Image& image : indicators) placed.push_back(device_.to_device(image));
    const CarvedVolume volume = carver.carve(placed, keep, 3).value();
    EXPECT_EQ(volume.frame, 3);
    EXPECT_EQ(static_cast<bool>(volume.confidence), keep);
    Carved result{{}, volume.counts.get().value(), keep ? device_.to_host(volume.confidence) : Image{}};
    if (result.counts.shell > 0) {
      const Image ids = device_.to_host(volume.shell_ids.get().value());
      EXPECT_EQ(ids.height(), 1);
      if (ids.width() < result.counts.shell) ADD_FAILURE() << "fewer IDs than counted";
      const uint32_t* first = ids.view<uint32_t>().data;
      result.ids.assign(first, first + std::min<int64_t>(result.counts.shell, ids.width()));
    }
    return result;
  }

  // The source's rule: what does not depend on who sees what.
  static CarvingParameters of_all(double threshold) { return {threshold, 1, VoteDivisor::all}; }

  Carved check(const std::vector<Camera>& cameras, const VoxelGrid& grid,
               const std::vector<Image>& indicators, double threshold) {
    return check(cameras, grid, indicators, of_all(threshold));
  }

  // Carves with and without confidence and compares with the reference.
  Carved check(const std::vector<Camera>& cameras, const VoxelGrid& grid,
               const std::vector<Image>& indicators, const CarvingParameters& parameters) {
    const double threshold = parameters.threshold;
    const Carver::Arguments scene{models_of(cameras), grid};
    std::vector<ImageView<const uint8_t>> views;
    for (const Image& image : indicators)
      views.push_back(image ? image.view<uint8_t>() : ImageView<const uint8_t>{});
    const reference::CarvedReference expected = reference::carve(
        scene.cameras, views, grid, {parameters.min_cameras, parameters.divide_by == VoteDivisor::all});
    const Carved carved = carve(scene, indicators, parameters, true);
    check_confidence(carved, expected, threshold);
    check_shell(carved.ids, expected, threshold);
    const Carved without = carve(scene, indicators, parameters, false);
    EXPECT_EQ(without.ids, carved.ids) << "keeping the confidence must not change the shell";
    EXPECT_EQ(without.counts.occupied, carved.counts.occupied);
    return carved;
  }

  static void check_confidence(const Carved& carved, const reference::CarvedReference& expected,
                               double threshold) {
    const VoxelGrid& grid = expected.grid;
    ASSERT_EQ(carved.confidence.width(), grid.nx);
    ASSERT_EQ(carved.confidence.height(), grid.ny * grid.nz);
    int64_t surely = 0, perhaps = 0;
    for (size_t id = 0; id < expected.confidence.size(); ++id) {
      const auto x = static_cast<int>(id % static_cast<size_t>(grid.nx));
      const auto row = static_cast<int>(id / static_cast<size_t>(grid.nx));
      const double tolerance = expected.slack[id] + kRounding;
      ASSERT_NEAR(carved.confidence.view<float>().at(x, row), expected.confidence[id], tolerance)
          << "voxel " << id;
      surely += expected.confidence[id] >= threshold + tolerance;
      perhaps += expected.confidence[id] >= threshold - tolerance;
    }
    EXPECT_GE(carved.counts.occupied, surely);
    EXPECT_LE(carved.counts.occupied, perhaps);
  }

  static void check_shell(const std::vector<uint32_t>& ids, const reference::CarvedReference& expected,
                          double threshold) {
    EXPECT_TRUE(std::adjacent_find(ids.begin(), ids.end(), std::greater_equal<>()) == ids.end())
        << "not ascending";
    const std::vector<uint32_t> wanted = expected.shell_ids(threshold);
    std::vector<uint32_t> different;
    std::set_symmetric_difference(ids.begin(), ids.end(), wanted.begin(), wanted.end(),
                                  std::back_inserter(different));
    for (const uint32_t id : different) {
      ASSERT_LT(id, expected.confidence.size());
      EXPECT_TRUE(may_differ(id, expected, threshold))
          << "voxel " << id << ", confidence " << expected.confidence[id];
    }
    EXPECT_LE(different.size(), 5 + wanted.size() / 10);
  }

  static bool may_differ(uint32_t id, const reference::CarvedReference& expected, double threshold) {
    const VoxelGrid& g = expected.grid;
    const int x = static_cast<int>(id) % g.nx, y = static_cast<int>(id) / g.nx % g.ny,
              z = static_cast<int>(id) / (g.nx * g.ny);
    const int around[7][3] = {{0, 0, 0}, {-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}};
    return std::any_of(std::begin(around), std::end(around), [&](const int(&d)[3]) {
      const int u = x + d[0], v = y + d[1], w = z + d[2];
      if (u < 0 || v < 0 || w < 0 || u >= g.nx || v >= g.ny || w >= g.nz) return false;
      const auto i = static_cast<size_t>(g.linear_id(u, v, w));
      return std::abs(expected.confidence[i] - threshold) <= expected.slack[i] + kRounding;
    });
  }

  // Carver and dense loop, bit by bit, with and without confidence; one carver for all frames, so that
  // nothing of a frame may be left in the next. Returns how many voxels were occupied in all.
  int64_t check_against_dense(const Carver::Arguments& scene, const std::vector<std::vector<Image>>& frames,
                              const CarvingParameters& parameters) {
    const auto carver = device_.create<Carver>(scene);
    carver->set_parameters(parameters);
    Carver::Arguments without_skipping = scene;
    without_skipping.skip_decided = false;
    const auto plain = device_.create<Carver>(without_skipping);
    plain->set_parameters(parameters);
    int64_t occupied = 0;
    for (const std::vector<Image>& indicators : frames) {
      const test::DenseVolume expected = test::carve_densely(scene, parameters, indicators);
      occupied += expected.counts.occupied;
      for (const bool keep : {false, true}) {
        const Carved carved = carve_with(*carver, indicators, keep);
        EXPECT_EQ(carved.ids, expected.shell_ids) << "keep confidence " << keep;
        EXPECT_EQ(carved.counts.occupied, expected.counts.occupied);
        if (keep) check_bits(carved.confidence, expected.confidence);
        const Carved whole = carve_with(*plain, indicators, keep);
        EXPECT_EQ(whole.ids, expected.shell_ids) << "without skipping, keep confidence " << keep;
        if (keep) check_bits(whole.confidence, expected.confidence);
      }
    }
    return occupied;
  }

  static void check_bits(const Image& confidence, const std::vector<float>& expected) {
    const auto view = confidence.view<float>();
    for (size_t id = 0; id < expected.size(); ++id)
      ASSERT_EQ(view.at(static_cast<int>(id) % view.width, static_cast<int>(id) / view.width), expected[id])
          << "voxel " << id;
  }

  std::vector<Image> all_blobs(const std::vector<Camera>& cameras, std::mt19937& random) {
    std::vector<Image> images;
    for (const Camera& camera : cameras)
      images.push_back(blobs(camera.width_px(), camera.height_px(), random));
    return images;
  }

  test::DeviceUnderTest device_{GetParam()};
};

TEST_P(CarvingParity, GridsOfAllShapes) {
  const int shapes[][3] = {{1, 1, 1},  {1, 1, 40},  {1, 40, 1},   {40, 1, 1},   {63, 5, 4},  {64, 5, 4},
                           {65, 5, 4}, {128, 3, 2}, {37, 29, 19}, {129, 31, 7}, {16, 16, 64}};
  unsigned seed = 410;
  for (const auto& shape : shapes)
    for (const double threshold : {0.3, 0.7, 1.0}) {
      SCOPED_TRACE(::testing::Message() << shape[0] << "x" << shape[1] << "x" << shape[2] << ", threshold "
                                        << threshold << ", seed " << ++seed);
      std::mt19937 random(seed);
      const std::vector<Camera> cameras = test::camera_ring({});
      check(cameras,
            grid_round_origin(shape[0], shape[1], shape[2], 1.6 / *std::max_element(shape, shape + 3)),
            all_blobs(cameras, random), threshold);
    }
}

TEST_P(CarvingParity, OneToSevenCamerasWithAndWithoutLens) {
  unsigned seed = 510;
  for (const int count : {1, 2, 3, 5, 7})
    for (const bool distorted : {false, true}) {
      SCOPED_TRACE(::testing::Message()
                   << count << " cameras, distorted " << distorted << ", seed " << ++seed);
      std::mt19937 random(seed);
      const std::vector<Camera> cameras = test::camera_ring({.cameras = count, .distorted = distorted});
      const Carved carved =
          check(cameras, grid_round_origin(33, 30, 25, 0.05), all_blobs(cameras, random), 0.45);
      EXPECT_GT(carved.counts.occupied, 0);
    }
}

// The grid reaches behind the cameras and far out of every picture, where the lens folds back.
TEST_P(CarvingParity, VoxelsBehindCamerasAndBeyondTheLens) {
  unsigned seed = 610;
  for (const LensModel lens : test::kLensModels)
    for (const double radius_m : {0.4, 1.0, 2.0}) {
      SCOPED_TRACE(::testing::Message()
                   << "ring of " << radius_m << " m, seed " << ++seed << ", lens " << static_cast<int>(lens));
      std::mt19937 random(seed);
      const std::vector<Camera> cameras =
          test::camera_ring({.cameras = 3, .radius_m = radius_m, .height_m = 0.9, .lens = lens});
      check(cameras, grid_round_origin(41, 39, 23, 0.11), all_blobs(cameras, random), 1.0 / 3);
      check(cameras, grid_round_origin(41, 39, 23, 0.11), all_blobs(cameras, random), 0.2);
    }
}

// A ring so tight, and a grid so large, that every number of cameras from none to all sees some voxel.
TEST_P(CarvingParity, VoxelsThatOnlySomeCamerasSee) {
  unsigned seed = 660;
  for (const int least : {1, 2, 3, 4, 9})
    for (const VoteDivisor divisor : {VoteDivisor::seeing, VoteDivisor::all}) {
      SCOPED_TRACE(::testing::Message()
                   << "at least " << least << ", divided by "
                   << (divisor == VoteDivisor::all ? "all" : "seeing") << ", seed " << ++seed);
      std::mt19937 random(seed);
      const std::vector<Camera> cameras = test::camera_ring({.radius_m = 1.3});
      std::vector<Image> indicators = all_blobs(cameras, random);
      const VoxelGrid grid = grid_round_origin(37, 35, 21, 0.1);
      const Carved carved = check(cameras, grid, indicators, {0.4, least, divisor});
      EXPECT_GT(carved.counts.occupied, 0);
      indicators[1] = {};
      check(cameras, grid, indicators, {0.4, least, divisor});
    }
}

TEST_P(CarvingParity, TooFewCamerasNeverOccupy) {
  const std::vector<Camera> cameras = test::camera_ring({});
  const VoxelGrid inside = grid_round_origin(9, 8, 7, 0.05);  // seen whole by every camera
  const Image full = test::constant_image(161, 121, 255);
  const auto occupied = [&](const std::vector<Image>& indicators, int least) {
    return check(cameras, inside, indicators, {1.0, least, VoteDivisor::seeing}).counts.occupied;
  };
  EXPECT_EQ(occupied({full, full, full, Image{}}, 3), inside.count()) << "all that see agree";
  EXPECT_EQ(occupied({full, full, Image{}, Image{}}, 3), 0);
  EXPECT_EQ(occupied({full, full, Image{}, Image{}}, 2), inside.count());
  EXPECT_EQ(occupied({full, full, full, Image{}}, 4), 0);
  EXPECT_EQ(occupied({full, full, full, full}, 64), inside.count()) << "all, where there are fewer";
}

TEST_P(CarvingParity, WhiteNoise) {
  std::mt19937 random(710);
  const std::vector<Camera> cameras = test::camera_ring({.width_px = 95, .height_px = 77});
  std::vector<Image> noise;
  for (const Camera& camera : cameras)
    noise.push_back(test::random_image(camera.width_px(), camera.height_px(), random));
  check(cameras, grid_round_origin(40, 40, 24, 0.05), noise, 0.5);
}

// Full, empty and missing indicators: confidences are exact fractions, and a tie with the threshold is
// occupied.
TEST_P(CarvingParity, SkippingChangesNoBitOnSyntheticMasks) {
  unsigned seed = 810;
  for (const double radius_m : {3.0, 1.2, 0.6})  // the nearest stand inside the grid
    for (const CarvingParameters& parameters :
         {CarvingParameters{}, CarvingParameters{1.0, 3, VoteDivisor::seeing},
          CarvingParameters{0.5, 1, VoteDivisor::seeing}, CarvingParameters{0.6, 1, VoteDivisor::all}}) {
      SCOPED_TRACE(::testing::Message() << "ring of " << radius_m << " m"
                                        << ", threshold " << parameters.threshold << ", seed " << ++seed);
      const bool distorted = seed % 2 == 0;
      std::mt19937 random(seed);
      const std::vector<Camera> cameras =
          test::camera_ring({.radius_m = radius_m, .height_m = 0.9, .distorted = distorted});
      std::vector<std::vector<Image>> frames;
      for (int frame = 0; frame < 3; ++frame) frames.push_back(all_blobs(cameras, random));
      frames[1][2] = {};  // a camera without a picture
      std::vector<Image> noise;
      for (const Camera& camera : cameras)
        noise.push_back(test::random_image(camera.width_px(), camera.height_px(), random));
      frames.push_back(noise);
      frames.push_back(std::vector<Image>(cameras.size(), test::constant_image(161, 121, 0)));
      frames.push_back(std::vector<Image>(cameras.size(), test::constant_image(161, 121, 255)));
      frames.push_back(frames[0]);
      EXPECT_GT(
          check_against_dense({models_of(cameras), grid_round_origin(59, 51, 37, 0.05)}, frames, parameters),
          0);
    }
}

// Frame 425 and the same with one camera blind; the grid is wider than what the cameras see together.
TEST_P(CarvingParity, SkippingChangesNoBitOnARealRecording) {
  VANTAGE_NEED_DATA(folder, "uu-voxel-1p");
  const std::vector<Image> masks = test::uu_voxel_masks(folder);
  std::vector<Image> blind = masks;
  blind[1] = {};
  const Carver::Arguments scene{models_of(test::uu_voxel_cameras(folder)),
                                {{-1.5, -1.5, -0.2}, 0.04, 110, 105, 60}};
  for (const CarvingParameters& parameters :
       {CarvingParameters{}, CarvingParameters{1.0, 1, VoteDivisor::all}, CarvingParameters{0.7, 2, {}}})
    EXPECT_GT(check_against_dense(scene, {masks, blind, masks}, parameters), 0);
}

TEST_P(CarvingParity, TiesCountAsOccupied) {
  const std::vector<Camera> cameras = test::camera_ring({});
  const VoxelGrid inside = grid_round_origin(9, 8, 7, 0.05);  // seen whole by every camera
  const auto shell = 9 * 8 * 7 - 7 * 6 * 5;
  const Image full = test::constant_image(161, 121, 255), empty = test::constant_image(161, 121, 0);
  const Image half = test::constant_image(161, 121, 128);
  const auto expect = [&](const std::vector<Image>& indicators, double threshold, bool occupied) {
    SCOPED_TRACE(::testing::Message() << "threshold " << threshold);
    const Carved carved = check(cameras, inside, indicators, threshold);
    EXPECT_EQ(carved.counts.occupied, occupied ? inside.count() : 0);
    EXPECT_EQ(carved.counts.shell, occupied ? shell : 0);
  };
  expect({full, full, full, full}, 1.0, true);
  expect({full, full, full, empty}, 0.75, true);
  expect({full, full, full, Image{}}, 0.75, true);
  expect({full, full, full, empty}, 0.7501, false);
  expect({Image{}, full, Image{}, full}, 0.5, true);
  expect({half, half, half, half}, 128.0 / 255, true);
  expect({half, half, half, half}, 128.1 / 255, false);
  expect({empty, empty, empty, empty}, 0.01, false);
  expect({Image{}, Image{}, Image{}, Image{}}, 0.01, false);
}

TEST_P(CarvingParity, PicturesWithoutASupport) {
  std::mt19937 random(3);
  for (const auto& [width, height] : {std::pair(1, 50), std::pair(50, 1), std::pair(1, 1), std::pair(2, 2)}) {
    SCOPED_TRACE(::testing::Message() << width << "x" << height);
    const std::vector<Camera> cameras =
        test::camera_ring({.cameras = 2, .width_px = width, .height_px = height});
    const Carved carved =
        check(cameras, grid_round_origin(20, 20, 20, 0.05),
              {test::constant_image(width, height, 255), test::constant_image(width, height, 255)}, 0.5);
    if (width == 1 || height == 1) {
      EXPECT_EQ(carved.counts.occupied, 0);
    }
  }
}

TEST_P(CarvingParity, OneCarverSegmentsFrameAfterFrame) {
  std::mt19937 random(9);
  const std::vector<Camera> cameras = test::camera_ring({});
  const Carver::Arguments scene{models_of(cameras), grid_round_origin(70, 20, 20, 0.03)};
  const auto carver = device_.create<Carver>(scene);
  for (int frame = 0; frame < 4; ++frame) {
    const std::vector<Image> indicators = all_blobs(cameras, random);
    std::vector<Image> placed;
    for (const Image& image : indicators) placed.push_back(device_.to_device(image));
    const CarvedVolume volume = carver->carve(placed, false, frame).value();
    const Carved alone = carve(scene, indicators, {}, false);
    ASSERT_EQ(volume.counts.get().value().shell, alone.counts.shell)
        << "nothing may be left from the frame before";
    if (alone.counts.shell == 0) continue;
    const Image ids = device_.to_host(volume.shell_ids.get().value());
    EXPECT_TRUE(std::equal(alone.ids.begin(), alone.ids.end(), ids.view<uint32_t>().data));
  }
}

TEST_P(CarvingParity, WrongInputIsRefused) {
  const std::vector<Camera> cameras = test::camera_ring({.cameras = 2});
  const auto carver = device_.create<Carver>({models_of(cameras), grid_round_origin(4, 4, 4, 0.1)});
  const Image right = device_.to_device(test::constant_image(161, 121, 255));
  const Image wrong = device_.to_device(test::constant_image(160, 121, 255));
  for (const std::vector<Image>& indicators :
       {std::vector<Image>{right}, {right, right, right}, {right, wrong}, {}}) {
    const Result<CarvedVolume> refused = carver->carve(indicators, false, 0);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::invalid_argument);
  }
  EXPECT_TRUE(carver->carve(std::vector<Image>{right, right}, false, 0)) << "still works after a refusal";
}

INSTANTIATE_TEST_SUITE_P(Devices, CarvingParity, ::testing::Values(Device::cpu, Device::cuda),
                         test::device_test_name);

}  // namespace
}  // namespace vantage
