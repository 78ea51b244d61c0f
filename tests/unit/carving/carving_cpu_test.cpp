#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "core/algorithms.h"
#include "core/carving/block_table.h"
#include "core/carving/carving.h"
#include "core/carving/cut.h"
#include "core/carving/detail/carving_kernel.h"
#include "core/carving/range_pyramid.h"
#include "core/carving/sample.h"
#include "core/carving/voxel_votes.h"
#include "tests/support/camera_ring.h"
#include "tests/support/data.h"
#include "tests/support/instruction_sets.h"
#include "tests/support/pictures.h"
#include "tests/support/uu_voxel.h"

namespace vantage {
namespace {

std::unique_ptr<Carver> make_carver(const Carver::Arguments& arguments, double threshold,
                                    TraceRecorder* trace = nullptr) {
  BackendRegistry registry;
  register_carving_cpu(registry);
  BackendContext context;
  context.trace = trace;
  auto carver = registry.create<Carver>(Device::cpu, context, arguments).value();
  carver->set_parameters({threshold, 1, VoteDivisor::all});
  return carver;
}

std::vector<uint32_t> ids_of(const CarvedVolume& volume) {
  const uint32_t* first = volume.shell_ids.get().value().view<uint32_t>().data;
  return {first, first + volume.counts.get().value().shell};
}

struct NoiseScene {
  std::vector<Image> indicators;
  Carver::Arguments arguments;

  explicit NoiseScene(unsigned seed) {
    std::mt19937 random(seed);
    const std::vector<Camera> cameras = test::camera_ring({});
    for (const Camera& camera : cameras)
      indicators.push_back(test::random_image(camera.width_px(), camera.height_px(), random));
    arguments = {models_of(cameras), {{-1, -1, 0}, 0.02, 101, 97, 51}};
  }
};

// From the hand masks of a real recording: the volume of a seated person with chair.
TEST(CarvingCpu, LitresOfARealPerson) {
  VANTAGE_NEED_DATA(folder, "uu-voxel-1p");
  const std::vector<Image> masks = test::uu_voxel_masks(folder);
  // Well beyond what all four cameras see of the person.
  const VoxelGrid grid{{-1, -1, 0}, 0.01, 300, 300, 200};
  const Carver::Arguments arguments{models_of(test::uu_voxel_cameras(folder)), grid};
  for (const auto& [threshold, litres] : {std::pair(1.0, 175.0), std::pair(0.7, 350.0)}) {
    const CarvedVolume volume = make_carver(arguments, threshold)->carve(masks, false, 425).value();
    const double found = grid.liters(volume.counts.get().value().occupied);
    EXPECT_NEAR(found, litres, 0.03 * litres) << "at threshold " << threshold;
    RecordProperty(threshold == 1.0 ? "litres_at_1" : "litres_at_0_7", std::to_string(found));
  }
}

TEST(CarvingCpu, TheNumberOfThreadsDoesNotMatter) {
  const NoiseScene scene(21);
  const auto carver = make_carver(scene.arguments, 0.5);
  const tbb::global_control more_than_cores(tbb::global_control::max_allowed_parallelism, 8);
  const auto carve_with = [&](int threads) {
    tbb::task_arena arena(threads);
    return arena.execute([&] { return carver->carve(scene.indicators, true, 0).value(); });
  };
  const CarvedVolume one = carve_with(1);
  EXPECT_GT(ids_of(one).size(), 1000u);
  for (const int threads : {2, 3, 8}) {
    const CarvedVolume many = carve_with(threads);
    EXPECT_EQ(ids_of(many), ids_of(one)) << threads << " threads";
    EXPECT_TRUE(test::same_pixels<float>(many.confidence, one.confidence)) << threads << " threads";
  }
}

TEST(CarvingCpu, EveryInstructionSetGivesTheSameBits) {
  const NoiseScene scene(22);
  const auto carver = make_carver(scene.arguments, 0.5);
  const CarvedVolume expected = carver->carve(scene.indicators, true, 0).value();
  test::for_each_instruction_set([&] {
    const CarvedVolume volume = carver->carve(scene.indicators, true, 0).value();
    EXPECT_EQ(ids_of(volume), ids_of(expected));
    EXPECT_TRUE(test::same_pixels<float>(volume.confidence, expected.confidence));
    EXPECT_EQ(ids_of(carver->carve(scene.indicators, false, 0).value()), ids_of(expected))
        << "giving up early";
  });
}

// What lies in pooled buffers beyond the rows and the last ID is nobody's to write.
TEST(CarvingCpu, NothingIsWrittenOutsideTheOutputs) {
  const NoiseScene scene(23);
  const auto carver = make_carver(scene.arguments, 0.5);
  const int64_t shell = carver->carve(scene.indicators, true, 0).value().counts.get().value().shell;
  constexpr std::byte kGuard{0xA5};
  {
    // Every buffer of these sizes that the pool may hand out next.
    std::vector<Image> images;
    for (int i = 0; i < 16; ++i) {
      images.push_back(Image::make(ImageType::u32, static_cast<int>(shell), 1, HostPool::shared()).value());
      images.push_back(Image::make(ImageType::f32, 101, 97 * 51, HostPool::shared()).value());
    }
    for (const Image& image : images)
      std::memset(image.buffer()->data(), static_cast<int>(kGuard), image.size_bytes());
  }
  const CarvedVolume volume = carver->carve(scene.indicators, true, 0).value();
  const Image shell_ids = volume.shell_ids.get().value();
  const std::byte* ids = shell_ids.buffer()->data();
  size_t guards = 0;
  for (size_t i = static_cast<size_t>(shell) * 4; i < shell_ids.size_bytes(); ++i, ++guards)
    ASSERT_EQ(ids[i], kGuard) << "byte " << i;
  const auto* rows = volume.confidence.buffer()->data();
  for (size_t i = 0; i < volume.confidence.size_bytes(); ++i) {
    const bool beyond = i >= volume.confidence.stride_bytes() * 97 * 51;
    if (!beyond && i % volume.confidence.stride_bytes() < 101 * 4) continue;
    ASSERT_EQ(rows[i], kGuard) << "byte " << i;
    ++guards;
  }
  EXPECT_GT(guards, 1000u);
}

// Tiles of rows of every length against a plain loop; what lies beyond the row must not count.
TEST(CarvingCpu, TilesKnowTheirRange) {
  std::mt19937 random(26);
  test::for_each_instruction_set([&] {
    for (int width = 1; width < 150; width += width < 12 ? 1 : 7) {
      std::vector<uint8_t> pixels(4 * 200);
      for (uint8_t& pixel : pixels) pixel = static_cast<uint8_t>(random());
      const uint8_t* rows[4] = {pixels.data(), pixels.data() + 200, pixels.data() + 400, pixels.data() + 600};
      std::vector<uint16_t> tiles(static_cast<size_t>(width + 3) / 4 + 1, 0xabcd);
      carving::tile_ranges(rows, width, tiles.data());
      for (int tile = 0; tile < (width + 3) / 4; ++tile) {
        int low = 255, high = 0;
        for (int x = 4 * tile; x < std::min(width, 4 * tile + 4); ++x)
          for (const uint8_t* row : rows)
            low = std::min<int>(low, row[x]), high = std::max<int>(high, row[x]);
        ASSERT_EQ(tiles[tile], low | high << 8) << "width " << width << ", tile " << tile;
      }
      ASSERT_EQ(tiles.back(), 0xabcd) << "nothing is written behind the last tile";
    }
  });
}

TEST(CarvingCpu, PyramidsAnswerForEveryBox) {
  std::mt19937 random(27);
  for (const auto& [width, height] :
       {std::pair(1, 1), std::pair(5, 3), std::pair(64, 2), std::pair(161, 121)}) {
    const Image image = test::random_image(width, height, random);
    const auto view = image.view<uint8_t>();
    RangePyramid pyramid;
    pyramid.build(view);
    for (int i = 0; i < 500; ++i) {
      const auto pick = [&](int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); };
      int x0 = pick(width), x1 = pick(width), y0 = pick(height), y1 = pick(height);
      if (x0 > x1) std::swap(x0, x1);
      if (y0 > y1) std::swap(y0, y1);
      const auto u16 = [](int value) { return static_cast<uint16_t>(value); };
      const IndicatorRange range = pyramid.range({u16(x0), u16(y0), u16(x1 | BlockView::kWhole), u16(y1)});
      int low = 255, high = 0;
      for (int y = y0; y <= y1; ++y)
        for (int x = x0; x <= x1; ++x)
          low = std::min<int>(low, view.at(x, y)), high = std::max<int>(high, view.at(x, y));
      ASSERT_LE(range.low, low);
      ASSERT_GE(range.high, high);
      if (x0 == 0 && y0 == 0 && x1 == width - 1 && y1 == height - 1) {
        ASSERT_EQ(range.low, low);
        ASSERT_EQ(range.high, high);
      }
    }
  }
}

// The table's boxes hold every pixel that a voxel's sample reads, and no box is larger than that needs.
TEST(CarvingCpu, TablesKnowWhatBlocksRead) {
  const VoxelGrid grid{{-1, -1, 0}, 0.05, 43, 39, 21};
  for (const double radius_m : {3.0, 0.8}) {
    const std::vector<PinholeCamera<double>> cameras = models_of(test::camera_ring({.radius_m = radius_m}));
    const BlockTable table = make_block_table(cameras, grid, VoxelCenters(grid));
    for (int block = 0; block < table.blocks.count(); ++block)
      for (size_t c = 0; c < cameras.size(); ++c) {
        const PinholeCamera<float> camera = cast_camera<float>(cameras[c]);
        const int bx = block % table.blocks.nx, by = block / table.blocks.nx % table.blocks.ny,
                  bz = block / (table.blocks.nx * table.blocks.ny);
        int x0 = 1 << 20, y0 = x0, x1 = -1, y1 = -1, seen = 0, voxels = 0;
        for (int z = bz * kBlockSide; z < std::min(grid.nz, (bz + 1) * kBlockSide); ++z)
          for (int y = by * kBlockSide; y < std::min(grid.ny, (by + 1) * kBlockSide); ++y)
            for (int x = bx * kBlockSide; x < std::min(grid.nx, (bx + 1) * kBlockSide); ++x, ++voxels) {
              const PixelPlace p = voxel_place(camera, grid, table.positions(block, c), x, y, z);
              if (!p.in_front || !support_inside(camera.width_px, camera.height_px, p.x, p.y)) continue;
              ++seen;
              const auto px = static_cast<int>(p.x >> kPlaceBits), py = static_cast<int>(p.y >> kPlaceBits);
              x0 = std::min(x0, px), x1 = std::max(x1, px + 1);
              y0 = std::min(y0, py), y1 = std::max(y1, py + 1);
            }
        const BlockView& view = table.of_block(block)[c];
        ASSERT_EQ(view.sees_any(), seen > 0);
        ASSERT_EQ(view.sees_all(), seen == voxels);
        if (seen == 0) continue;
        ASSERT_EQ(view.x0, x0);
        ASSERT_EQ(view.right(), x1);
        ASSERT_EQ(view.y0, y0);
        ASSERT_EQ(view.bottom(), y1);
        const int group = table.groups.index(bx / kGroupSide, by / kGroupSide, bz / kGroupSide);
        const BlockView& around = table.of_group(group)[c];
        ASSERT_TRUE(around.x0 <= x0 && around.y0 <= y0 && around.right() >= x1 && around.bottom() >= y1);
        ASSERT_TRUE(!around.sees_all() || seen == voxels);
        ASSERT_FALSE(around.is_smooth());
      }
  }
}

// How far a place is from where it should be. Left of the picture places say no more than that.
double off_px(uint32_t place, double expected_px) {
  constexpr uint32_t kBeyondAll = (BlockView::kLargestSide_px + 1) * uint32_t{kPlaceSteps};
  if (place >= kBeyondAll) return std::max(expected_px, 0.0);
  return std::abs(place / double{kPlaceSteps} - expected_px);
}

// Every voxel of a block with polynomials is where the projection in double puts it, for cameras outside and
// inside the grid, also behind them and where the lens folds back. Outside nearly all blocks have them.
TEST(BlockPositions, LieWhereTheProjectionDoes) {
  const VoxelGrid grid{{-1.6, -1.6, 0}, 0.02, 160, 160, 72};
  for (const double radius_m : {4.0, 1.5, 0.7})
    for (const LensModel lens : test::kLensModels) {
      const PinholeCamera<double> camera = models_of(test::camera_ring(
          {.cameras = 1, .width_px = 1280, .height_px = 960, .radius_m = radius_m, .lens = lens}))[0];
      int smooth = 0, blocks = 0;
      double furthest_px = 0;
      for (int bz = 0; bz < grid.nz / kBlockSide; ++bz)
        for (int by = 0; by < grid.ny / kBlockSide; ++by)
          for (int bx = 0; bx < grid.nx / kBlockSide; ++bx, ++blocks) {
            const auto positions = fit_positions(camera, grid, bx, by, bz);
            if (!positions) continue;
            ++smooth;
            for (int i = 0; i < carving::kLanes; ++i) {
              const int x = i % 8, y = i / 8 % 8, z = i / 64;
              const Pixel<double> expected = project(camera, grid.center(0, 8 * bx + x),
                                                     grid.center(1, 8 * by + y), grid.center(2, 8 * bz + z));
              ASSERT_TRUE(expected.in_front);
              const PixelPlace p = place_in_block(*positions, x, y, z);
              furthest_px = std::max({furthest_px, off_px(p.x, expected.x), off_px(p.y, expected.y)});
            }
          }
      EXPECT_LT(furthest_px, 2 * kPositionError_px) << "ring of " << radius_m << " m";
      EXPECT_EQ(furthest_px > 0, smooth > 0);
      RecordProperty("smooth", smooth);
      const double share = static_cast<double>(smooth) / blocks;
      EXPECT_TRUE(radius_m > 3 ? share > 0.9 : radius_m > 1 || share < 0.9) << share;
    }
}

TEST(BlockPositions, OnlyWholeBlocksHaveThem) {
  const PinholeCamera<double> camera = models_of(test::camera_ring({.cameras = 1}))[0];
  const VoxelGrid grid{{-0.2, -0.2, 0.3}, 0.02, 17, 16, 23};
  EXPECT_TRUE(fit_positions(camera, grid, 1, 1, 1));
  EXPECT_FALSE(fit_positions(camera, grid, 2, 1, 1));
  EXPECT_FALSE(fit_positions(camera, grid, 1, 1, 2));
  EXPECT_TRUE(has_polynomials(grid, 64));
  EXPECT_FALSE(has_polynomials({{0, 0, 0}, 0.01, 1024, 1024, 256}, 16));
}

TEST(CarvingCpu, PicturesTooLargeForTheTablesAreRefused) {
  std::vector<PinholeCamera<double>> cameras = models_of(test::camera_ring({}));
  cameras[1].width_px = BlockView::kLargestSide_px + 1;
  BackendRegistry registry;
  register_carving_cpu(registry);
  const auto carver = registry.create<Carver>(Device::cpu, {}, {cameras, {{0, 0, 0}, 0.1, 2, 2, 2}});
  ASSERT_FALSE(carver);
  EXPECT_EQ(carver.error().kind, ErrorKind::invalid_argument);
}

TEST(CarvingCpu, GridsWithoutVoxelsOrCamerasAreRefused) {
  BackendRegistry registry;
  register_carving_cpu(registry);
  const std::vector<PinholeCamera<double>> cameras = models_of(test::camera_ring({}));
  const auto refused = [&](const Carver::Arguments& arguments) {
    const auto carver = registry.create<Carver>(Device::cpu, {}, arguments);
    return !carver && carver.error().kind == ErrorKind::invalid_argument;
  };
  EXPECT_FALSE(refused({cameras, {{0, 0, 0}, 0.1, 2, 2, 2}}));
  EXPECT_TRUE(refused({{}, {{0, 0, 0}, 0.1, 2, 2, 2}}));
  EXPECT_TRUE(refused({std::vector<PinholeCamera<double>>(65, cameras[0]), {{0, 0, 0}, 0.1, 2, 2, 2}}));
  EXPECT_TRUE(refused({cameras, {{0, 0, 0}, 0.1, 0, 2, 2}}));
  EXPECT_TRUE(refused({cameras, {{0, 0, 0}, 0.0, 2, 2, 2}}));
  EXPECT_TRUE(refused({cameras, {{0, 0, 0}, 0.1, 2048, 2048, 512}}));
}

TEST(CarvingCpu, WorkIsSeenAsSpans) {
  const NoiseScene scene(24);
  TraceRecorder trace;
  ASSERT_TRUE(make_carver(scene.arguments, 0.7, &trace)->carve(scene.indicators, false, 12));
  const std::vector<TraceSpan> spans = trace.snapshot();
  ASSERT_EQ(spans.size(), 3u);
  for (const TraceSpan& span : spans) {
    EXPECT_EQ(span.frame, 12);
    EXPECT_EQ(span.kind, SpanKind::kernel);
  }
}

TEST(CarvingCpu, ParametersAreDescribed) {
  ParameterStore store({&parameter_table<CarvingParameters>()});
  ASSERT_TRUE(store.set_from_text("carving.threshold=1"));
  EXPECT_EQ(store.get<CarvingParameters>().threshold, 1.0);
  EXPECT_FALSE(store.set_from_text("carving.threshold=1.01"));
  EXPECT_FALSE(store.set_from_text("carving.threshold=0"));
  ASSERT_TRUE(store.set_from_text("carving.min_cameras=2"));
  ASSERT_TRUE(store.set_from_text("carving.divide_by=all"));
  EXPECT_EQ(store.get<CarvingParameters>().min_cameras, 2);
  EXPECT_EQ(store.get<CarvingParameters>().divide_by, VoteDivisor::all);
  EXPECT_FALSE(store.set_from_text("carving.min_cameras=0"));
}

TEST(CarvingRule, SaysHowManyCamerasMustSee) {
  const CarvingParameters seeing{0.7, 3, VoteDivisor::seeing}, all{0.7, 1, VoteDivisor::all};
  EXPECT_EQ(needed_cameras(seeing, 16), 3);
  EXPECT_EQ(needed_cameras(seeing, 2), 2) << "never more than there are";
  EXPECT_EQ(needed_cameras(all, 4), 3);
  EXPECT_EQ(needed_cameras(all, 10), 7);
  EXPECT_EQ(needed_cameras({1.0, 1, VoteDivisor::all}, 5), 5);
  const std::vector<VoteRule> rules = vote_rules(seeing, 4);
  ASSERT_EQ(rules.size(), 5u);
  EXPECT_EQ(255.0f / rules[2].full, 0.0f) << "confidence of a voxel that two cameras see";
  EXPECT_EQ(rules[3].limit, vote_of(7 * 255 * 3) / 10);
  EXPECT_EQ(rules[2].limit, std::numeric_limits<int32_t>::max());
  EXPECT_EQ(rules[4].full, static_cast<float>(vote_of(255 * 4)));
  EXPECT_EQ(vote_rules({1.0, 1, VoteDivisor::all}, 64)[64].limit, vote_of(255 * 64)) << "the largest fits";
}

// The cut is the volume's own layer, bit for bit, and lies where that layer lies.
TEST(VolumeCut, IsALayerOfTheVolume) {
  const NoiseScene scene(25);
  const CarvingParameters parameters{0.5, 3, VoteDivisor::seeing};
  BackendRegistry registry;
  register_carving_cpu(registry);
  const auto carver = registry.create<Carver>(Device::cpu, {}, scene.arguments).value();
  carver->set_parameters(parameters);
  const CarvedVolume volume = carver->carve(scene.indicators, true, 0).value();
  const VoxelGrid& grid = volume.grid;
  const auto confidence = volume.confidence.view<float>();
  double found = 0;
  for (const CutPlane plane : {CutPlane{2, 0.511}, CutPlane{1, -0.3}, CutPlane{0, 0.77}, CutPlane{2, 0.0},
                               CutPlane{0, -1 + 101 * 0.02}}) {
    SCOPED_TRACE(::testing::Message() << "axis " << plane.axis << " at " << plane.at_m);
    const VolumeCut cut = cut_volume(scene.arguments, parameters, scene.indicators, plane).value();
    const auto values = cut.confidence.view<float>();
    for (int v = 0; v < values.height; ++v)
      for (int u = 0; u < values.width; ++u) {
        int index[3];
        for (int axis = 0; axis < 3; ++axis) {
          const double at_m = cut.origin_in_world_m[axis] + u * cut.u_step_m[axis] + v * cut.v_step_m[axis];
          index[axis] =
              static_cast<int>(std::lround((at_m - grid.origin_in_world_m[axis]) / grid.voxel_size_m - 0.5));
        }
        ASSERT_EQ(index[plane.axis], cut.layer);
        ASSERT_EQ(values.at(u, v), confidence.at(index[0], index[1] + grid.ny * index[2])) << u << ", " << v;
        ASSERT_LE(cut.seeing.view<uint8_t>().at(u, v), 4);
        found = std::max(found, double{values.at(u, v)});
      }
    EXPECT_LE(std::abs(grid.center(plane.axis, cut.layer) - plane.at_m), grid.voxel_size_m / 2 + 1e-9);
  }
  EXPECT_GT(found, 0.5);
  for (const CutPlane outside : {CutPlane{2, -0.01}, CutPlane{2, 1.03}, CutPlane{3, 0.0}, CutPlane{1, NAN}})
    EXPECT_FALSE(cut_volume(scene.arguments, parameters, scene.indicators, outside));
}

}  // namespace
}  // namespace vantage
