// The CUDA implementation of core/carving/carving.h.
//
// Per frame, as one graph of kernels that run concurrently with one another: ranges of the indicators' tiles
// and pixel quads (ranges.cuh, pixel_quads.cuh), decisions for blocks of voxels (decide.cuh), the
// undecided blocks voxel by voxel (carve.cuh), the shell's bits and how many there are (shell.cuh). Which
// pixels a block reads is computed on the CPU when the carver is made, from the same projections, and
// uploaded once. What takes time is waiting for memory, one read after the other, and how many lines a read
// of the cache touches, not moving bytes: every thread has all its reads in flight at once, and a sample is
// one read.
//
// No one waits for a frame. The counts arrive in pinned memory. The shell's IDs are written when a caller
// asks for them: how many there are decides how much memory they need, and no useful bound is known
// beforehand, as almost every voxel may be shell. Until then a volume keeps the shell as bits.
#include <algorithm>
#include <limits>
#include <span>
#include <string>

#include "core/carving/block_table.h"
#include "core/carving/carving.h"
#include "gpu/algorithms.h"
#include "gpu/carving/carve.cuh"
#include "gpu/carving/decide.cuh"
#include "gpu/carving/pixel_quads.cuh"
#include "gpu/carving/ranges.cuh"
#include "gpu/carving/shell.cuh"
#include "gpu/runtime/kernel_graph.h"
#include "gpu/runtime/launch_shapes.h"
#include "gpu/runtime/upload.h"

namespace vantage::gpu {
namespace {

// More than the largest GPU of today holds at once, so that the last ones end together.
constexpr uint32_t kCarveThreadBlocks = 1056;

CarvingGrid carving_grid(const VoxelGrid& grid, const BlockTable& table) {
  CarvingGrid words;
  words.nx = static_cast<uint32_t>(grid.nx);
  words.ny = static_cast<uint32_t>(grid.ny);
  words.nz = static_cast<uint32_t>(grid.nz);
  words.words_per_row = blocks_for(words.nx, 32);
  words.words = words.words_per_row * words.ny * words.nz;
  words.occupied_stride = words.words_per_row;
  words.blocks = table.blocks;
  return words;
}

// Constants, and working memory kept from frame to frame; only this carver's stream uses it.
struct Scratch {
  DeviceBuffer<float> x_m, y_m, z_m;       // written once
  DeviceBuffer<BlockView> block_views;     // the same
  DeviceBuffer<BlockPositions> positions;  // the same; empty where voxels are projected
  DeviceBuffer<uint16_t> tiles, block_ranges;
  DeviceBuffer<CarvingCounters> counters;
  DeviceBuffer<BlockIndex> undecided;
  DeviceBuffer<uint32_t> quads;  // these two hold what counts in the next frame
  DeviceBuffer<uint16_t> strips;
};

// The bits written for a volume.
struct ShellBits {
  DeviceBuffer<uint32_t> occupied;      // unless the volume keeps it
  DeviceBuffer<uint32_t> shell;         // a bit a voxel
  DeviceBuffer<uint32_t> block_counts;  // shell voxels of each thread block of find_shell()
};

// Writes a shell's IDs when they are asked for, also when the carver is gone: on a stream of its own, and
// without spans, because the record of spans may be gone as well.
class IdWriter {
 public:
  IdWriter(std::shared_ptr<Context> context, std::unique_ptr<Stream> stream)
      : context_(std::move(context)), stream_(std::move(stream)) {}

  Result<Image> write(const CarvingGrid& grid, const ShellBits& bits, int64_t count) {
    const int capacity = static_cast<int>(std::max<int64_t>(1, count));
    VANTAGE_ASSIGN(Image ids, Image::make(ImageType::u32, capacity, 1, context_->device_pool()));
    VANTAGE_TRY(context_->run([&]() -> Status {
      Work work(*stream_, {});
      VANTAGE_TRY(work.writes(ids.buffer()));
      VANTAGE_TRY(work.reads({bits.shell, bits.block_counts}));
      const LaunchGrid blocks{dim3(blocks_for(shell_threads(grid), kCarvingThreads)), dim3(kCarvingThreads)};
      VANTAGE_TRY(launch(work, "write_ids", blocks, write_ids, grid, bits.shell.data(),
                         bits.block_counts.data(), ids.writable_view<uint32_t>().data));
      return work.finish();
    }));
    return ids;
  }

 private:
  std::shared_ptr<Context> context_;
  std::unique_ptr<Stream> stream_;
};

class CarverCuda final : public Carver {
 public:
  CarverCuda(const Arguments& arguments, std::shared_ptr<Context> context, std::unique_ptr<Stream> stream,
             std::shared_ptr<IdWriter> id_writer)
      : grid_(arguments.grid),
        keep_occupancy_(arguments.keep_occupancy),
        skip_decided_(arguments.skip_decided),
        context_(std::move(context)),
        stream_(std::move(stream)),
        id_writer_(std::move(id_writer)),
        graph_(context_) {
    for (const PinholeCamera<double>& camera : arguments.cameras)
      cameras_.push_back(cast_camera<float>(camera));
    polynomial_ = std::all_of(cameras_.begin(), cameras_.end(), [](const PinholeCamera<float>& camera) {
      return camera.lens == LensModel::polynomial;
    });
    set_parameters({});
  }

  // Computes and uploads what stands still and takes the working memory.
  Status prepare(std::span<const PinholeCamera<double>> models) {
    const VoxelCenters centers(grid_);
    const BlockTable table = make_block_table(models, grid_, centers);
    words_ = carving_grid(grid_, table);
    VANTAGE_ASSIGN(scratch_.x_m, upload(*stream_, std::span(centers.x)));
    VANTAGE_ASSIGN(scratch_.y_m, upload(*stream_, std::span(centers.y)));
    VANTAGE_ASSIGN(scratch_.z_m, upload(*stream_, std::span(centers.z)));
    VANTAGE_ASSIGN(scratch_.block_views, upload(*stream_, std::span(table.block_views)));
    if (!table.block_positions.empty()) {
      VANTAGE_ASSIGN(scratch_.positions, upload(*stream_, std::span(table.block_positions)));
    }
    VANTAGE_TRY(prepare_tiles());
    VANTAGE_TRY(prepare_quads());
    const auto all_blocks = static_cast<size_t>(table.blocks.count());
    VANTAGE_ASSIGN(scratch_.counters, DeviceBuffer<CarvingCounters>::take(*context_, 1));
    // Whole thread blocks of carve_blocks read it, before they know how much of it there is.
    VANTAGE_ASSIGN(scratch_.undecided, filled<BlockIndex>(*stream_, all_blocks + kCarvingThreads / 32, 0));
    VANTAGE_ASSIGN(scratch_.block_ranges,
                   DeviceBuffer<uint16_t>::take(*context_, all_blocks * cameras_.size()));
    return {};
  }

  void set_parameters(const CarvingParameters& parameters) override {
    rules_ = vote_rules(parameters, camera_count());
    lowest_limit_ = rules_[needed_cameras(parameters, camera_count())].limit;
  }

  Result<CarvedVolume> carve(std::span<const Image> indicators, bool keep_confidence,
                             int64_t frame) override {
    VANTAGE_TRY(check_indicators(indicators, cameras_, context_->device_pool().place()));
    CarvedVolume volume;
    volume.grid = grid_;
    volume.frame = frame;
    if (keep_confidence) {
      VANTAGE_TRY(check_row_count());
      VANTAGE_ASSIGN(volume.confidence,
                     Image::make(ImageType::f32, grid_.nx, grid_.ny * grid_.nz, context_->device_pool()));
    }
    if (keep_occupancy_) {
      VANTAGE_TRY(check_row_count());
      VANTAGE_ASSIGN(volume.occupancy, Image::make(ImageType::u32, static_cast<int>(words_.words_per_row),
                                                   grid_.ny * grid_.nz, context_->device_pool()));
    }
    VANTAGE_ASSIGN(const ShellBits bits, shell_bits());
    VANTAGE_ASSIGN(volume.counts, find(indicators, volume, bits, frame));
    volume.shell_size_bytes = bits.shell.ref()->size_bytes() + bits.block_counts.ref()->size_bytes();
    volume.shell_ids =
        Deferred<Image>([writer = id_writer_, grid = words_, counts = volume.counts,
                         bits = ShellBits{{}, bits.shell, bits.block_counts}]() -> Result<Image> {
          const Result<VolumeCounts>& known = counts.get();
          if (!known) return fail(known.error());
          return writer->write(grid, bits, known->shell);
        });
    return volume;
  }

 private:
  int camera_count() const { return static_cast<int>(cameras_.size()); }

  // Rows of an image are counted by int.
  Status check_row_count() const {
    if (int64_t{grid_.ny} * grid_.nz <= std::numeric_limits<int>::max()) return {};
    return fail(ErrorKind::invalid_argument, "the grid has too many rows to keep the volume", "carving");
  }

  // The planes of all cameras follow one another.
  Status prepare_quads() {
    size_t words = 0, strips = 0;
    for (const PinholeCamera<float>& camera : cameras_) {
      const uint32_t wide = blocks_for(static_cast<uint32_t>(camera.width_px), kStripWidth);
      const uint32_t high = blocks_for(static_cast<uint32_t>(camera.height_px), kStripHeight);
      quads_.push_back({nullptr, wide * kStripWidth, nullptr});
      words += size_t{wide} * kStripWidth * static_cast<size_t>(camera.height_px);
      strips += size_t{wide} * high;
    }
    VANTAGE_ASSIGN(scratch_.quads, DeviceBuffer<uint32_t>::take(*context_, words));
    static_assert(kVariedStrip == 0xffff);
    VANTAGE_ASSIGN(scratch_.strips, filled<uint16_t>(*stream_, strips, 0xff));
    uint32_t* next_word = scratch_.quads.data();
    uint16_t* next_strip = scratch_.strips.data();
    for (size_t c = 0; c < cameras_.size(); ++c) {
      QuadPlane& plane = quads_[c];
      plane.data = next_word, plane.strips = next_strip;
      next_word += size_t{plane.stride} * static_cast<size_t>(cameras_[c].height_px);
      next_strip += size_t{plane.strips_wide()} *
                    blocks_for(static_cast<uint32_t>(cameras_[c].height_px), kStripHeight);
    }
    return {};
  }

  Status prepare_tiles() {
    std::vector<PyramidLayout> layouts;
    size_t tiles = 0;
    for (const PinholeCamera<float>& camera : cameras_) {
      const PyramidLayout& layout =
          layouts.emplace_back(PyramidLayout::of(camera.width_px, camera.height_px, kPyramidLevels));
      tiles += static_cast<size_t>(layout.tiles);
      const auto across = [](int tiles_a_side) {
        return static_cast<uint32_t>((tiles_a_side + kTopTiles - 1) / kTopTiles);
      };
      range_blocks_.x = std::max(range_blocks_.x, across(layout.level[0].width));
      range_blocks_.y = std::max(range_blocks_.y, across(layout.level[0].height));
    }
    range_blocks_.z = static_cast<uint32_t>(cameras_.size());
    VANTAGE_ASSIGN(scratch_.tiles, DeviceBuffer<uint16_t>::take(*context_, tiles));
    uint16_t* next = scratch_.tiles.data();
    for (size_t c = 0; c < layouts.size(); ++c) {
      TileLevels& levels = pyramids_.emplace_back();
      levels.tiles = next;
      next += layouts[c].tiles;
      levels.levels = layouts[c].levels;
      for (int i = 0; i < levels.levels; ++i) {
        const PyramidLayout::Level& level = layouts[c].level[i];
        // Pictures have at most 2^15 pixels a side: BlockView::kLargestSide_px.
        levels.level[i] = {level.offset, static_cast<uint16_t>(level.width),
                           static_cast<uint16_t>(level.height)};
      }
    }
    return {};
  }

  Result<ShellBits> shell_bits() {
    ShellBits bits;
    if (!keep_occupancy_) {
      VANTAGE_ASSIGN(bits.occupied, DeviceBuffer<uint32_t>::take(*context_, words_.words));
    }
    VANTAGE_ASSIGN(bits.shell, DeviceBuffer<uint32_t>::take(*context_, words_.words));
    VANTAGE_ASSIGN(bits.block_counts, DeviceBuffer<uint32_t>::take(
                                          *context_, blocks_for(shell_threads(words_), kCarvingThreads)));
    return bits;
  }

  // Occupancy, shell and their counts.
  Result<Deferred<VolumeCounts>> find(std::span<const Image> indicators, CarvedVolume& volume,
                                      const ShellBits& bits, int64_t frame) {
    VANTAGE_ASSIGN(const auto arrived, PinnedBuffer<CarvingTotals>::take(*context_, 1));
    VANTAGE_ASSIGN(const EventRef done, context_->run([&]() -> Result<EventRef> {
      Work work(*stream_, {.name = "carving", .frame = frame});
      for (const Image& indicator : indicators)
        if (indicator) VANTAGE_TRY(work.reads(indicator.buffer()));
      VANTAGE_TRY(work.reads({scratch_.x_m, scratch_.y_m, scratch_.z_m, scratch_.block_views}));
      if (scratch_.positions) VANTAGE_TRY(work.reads(scratch_.positions));
      VANTAGE_TRY(
          work.writes({scratch_.tiles, scratch_.quads, scratch_.strips, scratch_.undecided,
                       scratch_.block_ranges, scratch_.counters, bits.shell, bits.block_counts, arrived}));
      if (bits.occupied) VANTAGE_TRY(work.writes(bits.occupied));
      for (const Image* image : {&volume.confidence, &volume.occupancy})
        if (*image) VANTAGE_TRY(work.writes(image->buffer()));
      const CarvingScene scene = scene_of(indicators, volume, bits);
      VANTAGE_TRY(
          graph_.launch(work, camera_count() <= kFewCameras
                                  ? kernels_of<kFewCameras>(indicators, scene, bits, arrived)
                                  : kernels_of<kMaxCarvingCameras>(indicators, scene, bits, arrived)));
      VANTAGE_TRY(work.finish());
      return work.done();
    }));
    return Deferred<VolumeCounts>([context = context_, done, arrived]() -> Result<VolumeCounts> {
      VANTAGE_TRY(context->wait(done));
      const CarvingTotals totals = *arrived.data();
      return VolumeCounts{.shell = totals.shell, .occupied = totals.occupied};
    });
  }

  CarvingScene scene_of(std::span<const Image> indicators, CarvedVolume& volume,
                        const ShellBits& bits) const {
    CarvingScene scene{};
    scene.grid = words_;
    scene.cameras = camera_count();
    scene.skip = skip_decided_;
    scene.lowest_limit = lowest_limit_;
    for (size_t c = 0; c < cameras_.size(); ++c)
      scene.present |= uint64_t{static_cast<bool>(indicators[c])} << c;
    std::copy(rules_.begin(), rules_.end(), scene.rules);
    scene.block_views = scratch_.block_views.data();
    scene.positions = reinterpret_cast<const float4*>(scratch_.positions.data());
    scene.x_m = scratch_.x_m.data(), scene.y_m = scratch_.y_m.data();
    scene.z_m = scratch_.z_m.data();
    if (volume.confidence) scene.confidence = volume.confidence.writable_view<float>();
    if (volume.occupancy) {
      const ImageView<uint32_t> kept = volume.occupancy.writable_view<uint32_t>();
      scene.occupied = kept.data;
      scene.grid.occupied_stride = static_cast<uint32_t>(kept.stride_bytes / sizeof(uint32_t));
    } else {
      scene.occupied = bits.occupied.data();
    }
    scene.undecided = scratch_.undecided.data();
    scene.block_ranges = scratch_.block_ranges.data();
    scene.counters = scratch_.counters.data();
    return scene;
  }

  template <int Cameras>
  CarvingViews<Cameras> views_of(std::span<const Image> indicators) const {
    CarvingViews<Cameras> views{};
    for (size_t c = 0; c < cameras_.size(); ++c) {
      views.view[c].camera = cameras_[c];
      if (indicators[c]) views.view[c].indicator = indicators[c].view<uint8_t>();
      views.view[c].quads = quads_[c];
    }
    return views;
  }

  template <int Cameras>
  KernelSequence kernels_of(std::span<const Image> indicators, const CarvingScene& scene,
                            const ShellBits& bits, const PinnedBuffer<CarvingTotals>& arrived) const {
    const CarvingViews<Cameras> views = views_of<Cameras>(indicators);
    TilePyramids<Cameras> pyramids;
    std::copy_n(pyramids_.begin(), cameras_.size(), pyramids.of_camera);
    const dim3 threads(kCarvingThreads);
    KernelSequence kernels;
    kernels.add("find_ranges", {range_blocks_, threads}, find_ranges<Cameras>, views, pyramids,
                scene.counters);
    const uint32_t words_of_blocks = words_.words_per_row * static_cast<uint32_t>(words_.blocks.ny) *
                                     static_cast<uint32_t>(words_.blocks.nz);
    kernels.add("decide_blocks",
                {dim3(blocks_for(words_of_blocks, kDecideThreads / kLanesPerWord)), dim3(kDecideThreads),
                 Order::dependent},
                decide_blocks<Cameras>, scene, pyramids);
    // As many as can be at work at once; thread blocks without work leave at once.
    const uint32_t most =
        blocks_for(kBlockParts * static_cast<uint32_t>(words_.blocks.count()), kCarvingThreads / 32);
    kernels.add("carve_blocks", {dim3(std::min(most, kCarveThreadBlocks)), threads, Order::dependent},
                polynomial_ ? carve_blocks<Cameras, false> : carve_blocks<Cameras, true>, scene, views);
    kernels.add("find_shell",
                {dim3(blocks_for(shell_threads(words_), kCarvingThreads)), threads, Order::dependent},
                find_shell, scene.grid, scene.occupied, bits.shell.data(), bits.block_counts.data(),
                scene.counters, arrived.data());
    return kernels;
  }

  VoxelGrid grid_;
  bool keep_occupancy_, skip_decided_;
  CarvingGrid words_;
  dim3 range_blocks_{0, 0, 0};
  std::vector<TileLevels> pyramids_;
  std::vector<QuadPlane> quads_;
  std::shared_ptr<Context> context_;
  std::unique_ptr<Stream> stream_;
  std::shared_ptr<IdWriter> id_writer_;
  KernelGraph graph_;
  std::vector<PinholeCamera<float>> cameras_;
  bool polynomial_ = true;  // all lenses
  std::vector<VoteRule> rules_;
  int32_t lowest_limit_ = 0;  // of all rules
  Scratch scratch_;
};

Result<std::unique_ptr<Carver>> make(const BackendContext& backend, const Carver::Arguments& arguments) {
  VANTAGE_TRY(check_arguments(arguments));
  VANTAGE_ASSIGN(std::shared_ptr<Context> context, Context::get(backend.device_index));
  VANTAGE_ASSIGN(std::unique_ptr<Stream> stream, Stream::make(context, "carving", backend.trace));
  VANTAGE_ASSIGN(std::unique_ptr<Stream> id_stream, Stream::make(context, "shell IDs", nullptr));
  auto id_writer = std::make_shared<IdWriter>(context, std::move(id_stream));
  auto carver =
      std::make_unique<CarverCuda>(arguments, std::move(context), std::move(stream), std::move(id_writer));
  VANTAGE_TRY(carver->prepare(arguments.cameras));
  return carver;
}

}  // namespace

void register_carving_cuda(BackendRegistry& registry) {
  registry.add<Carver>(Device::cuda, make);
}

}  // namespace vantage::gpu
