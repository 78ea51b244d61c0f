#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <new>
#include <utility>

#include "core/algorithms.h"
#include "core/carving/block_table.h"
#include "core/carving/carving.h"
#include "core/carving/cut.h"
#include "core/carving/detail/carving_kernel.h"
#include "core/carving/range_pyramid.h"
#include "core/carving/voxel_votes.h"

namespace vantage {
namespace {

using carving::kLanes;
using carving::OccupancyBits;

// Eight voxels along x are one byte of an occupancy word.
static_assert(std::endian::native == std::endian::little && kBlockSide == 8);

// A box of blocks, from the first to before the last.
struct BlockBox {
  int x0, y0, z0, x1, y1, z1;
};

class CarverCpu final : public Carver {
 public:
  CarverCpu(const Arguments& arguments, TraceRecorder* trace)
      : grid_(arguments.grid),
        keep_occupancy_(arguments.keep_occupancy),
        skip_decided_(arguments.skip_decided),
        trace_(trace),
        cameras_(cast_cameras(arguments.cameras)),
        centers_(grid_),
        table_(make_block_table(arguments.cameras, grid_, centers_)),
        pyramids_(cameras_.size()),
        occupied_(grid_),
        shell_(grid_) {
    group_written_.resize(table_.groups.count());
    row_active_.resize(static_cast<size_t>(table_.blocks.ny) * static_cast<size_t>(table_.blocks.nz));
    layers_.resize(grid_.nz);
  }

  void set_parameters(const CarvingParameters& parameters) override {
    rules_ = vote_rules(parameters, camera_count());
    lowest_limit_ = rules_[needed_cameras(parameters, camera_count())].limit;
  }

  Result<CarvedVolume> carve(std::span<const Image> indicators, bool keep_confidence,
                             int64_t frame) override {
    VANTAGE_TRY(check_indicators(indicators, cameras_, {}));
    CarvedVolume volume;
    volume.grid = grid_;
    volume.frame = frame;
    confidence_ = {};
    if (keep_confidence) {
      VANTAGE_ASSIGN(volume.confidence, Image::make(ImageType::f32, grid_.nx,
                                                    static_cast<int>(occupied_.rows()), HostPool::shared()));
      confidence_ = volume.confidence.writable_view<float>();
    }
    try {
      find_ranges(indicators, frame);
      carve_groups(frame);
      VANTAGE_TRY(extract_shell(volume, frame));
      if (keep_occupancy_) VANTAGE_TRY(copy_occupancy(volume));
    } catch (const std::bad_alloc&) {
      return fail(ErrorKind::out_of_memory, "no memory to carve", "carving", "Choose larger voxels.");
    }
    return volume;
  }

 private:
  int camera_count() const { return static_cast<int>(cameras_.size()); }

  void find_ranges(std::span<const Image> indicators, int64_t frame) {
    const SpanGuard span(trace_, "indicator_ranges", "cpu carving", frame, -1, SpanKind::kernel);
    images_.assign(cameras_.size(), {});
    tbb::parallel_for(size_t{0}, cameras_.size(), [&](size_t c) {
      if (!indicators[c]) return;
      images_[c] = indicators[c].view<uint8_t>();
      pyramids_[c].build(images_[c]);
    });
  }

  void carve_groups(int64_t frame) {
    const SpanGuard span(trace_, "carve_blocks", "cpu carving", frame, -1, SpanKind::kernel);
    std::fill(row_active_.begin(), row_active_.end(), uint8_t{0});
    tbb::parallel_for(0, table_.groups.count(), [&](int group) { carve_group(group); });
  }

  // The state of one block or group in this frame.
  struct Known {
    BlockVotes votes;
    BlockState state = BlockState::undecided;
    std::vector<IndicatorRange> ranges;  // of the cameras that see some of it
  };

  // `around`: the state of the group around it.
  void classify(const BlockView* views, const Known* around, Known& known) const {
    known.votes = {};
    known.ranges.resize(cameras_.size());
    for (size_t c = 0; c < cameras_.size(); ++c) {
      if (images_[c].data && views[c].sees_any()) {
        const bool inherited = around && around->ranges[c].constant();
        known.ranges[c] = inherited ? around->ranges[c] : pyramids_[c].range(views[c]);
        known.votes.add(known.ranges[c], views[c].sees_all());
      }
      const int max = known.votes.high + known.votes.partial_high,
                rest = 255 * (camera_count() - static_cast<int>(c) - 1);
      if (may_give_up() && vote_of(max + rest) < lowest_limit_) {
        known.state = BlockState::empty;
        return;
      }
    }
    known.state = block_state(known.votes, rules_.data());
  }

  // True if a voxel that can no longer be occupied needs no further votes.
  bool may_give_up() const { return skip_decided_ && !confidence_.data; }

  bool decided(const Known& known) const {
    if (!skip_decided_ || known.state == BlockState::undecided) return false;
    return !confidence_.data || known.votes.constant();
  }

  void carve_group(int group) {
    const BlockGrid &groups = table_.groups, &blocks = table_.blocks;
    const int gx = group % groups.nx, gy = group / groups.nx % groups.ny,
              gz = group / (groups.nx * groups.ny);
    const BlockBox box{gx * kGroupSide,
                       gy * kGroupSide,
                       gz * kGroupSide,
                       std::min(blocks.nx, (gx + 1) * kGroupSide),
                       std::min(blocks.ny, (gy + 1) * kGroupSide),
                       std::min(blocks.nz, (gz + 1) * kGroupSide)};
    Known known;
    classify(table_.of_group(group), nullptr, known);
    uint8_t& written = group_written_[group];
    if (decided(known)) {
      // An empty group that was empty in the frame before is zero already.
      if (known.state == BlockState::full || written || confidence_.data) fill(box, known);
      written = known.state == BlockState::full;
      return;
    }
    written = 1;
    Known inner;
    for (int z = box.z0; z < box.z1; ++z)
      for (int y = box.y0; y < box.y1; ++y)
        for (int x = box.x0; x < box.x1; ++x) {
          const int block = blocks.index(x, y, z);
          classify(table_.of_block(block), &known, inner);
          const BlockBox alone{x, y, z, x + 1, y + 1, z + 1};
          if (decided(inner))
            fill(alone, inner);
          else
            carve_block(block, alone, inner);
        }
  }

  // Rows of the box's voxels: call(row of the volume, y, z).
  template <typename F>
  void for_each_row(const BlockBox& box, const F& call) const {
    const int y1 = std::min(grid_.ny, box.y1 * kBlockSide), z1 = std::min(grid_.nz, box.z1 * kBlockSide);
    for (int z = box.z0 * kBlockSide; z < z1; ++z)
      for (int y = box.y0 * kBlockSide; y < y1; ++y) call(y + int64_t{grid_.ny} * z, y, z);
  }

  uint8_t* bytes_of(int64_t row) { return reinterpret_cast<uint8_t*>(occupied_.row(row)); }
  uint8_t tail_of(int block_x) const {  // the bits of that byte of a row that are voxels
    return static_cast<uint8_t>(0xff >> std::max(0, (block_x + 1) * kBlockSide - grid_.nx));
  }
  void mark_active(int block_y, int block_z) {
    uint8_t& active = row_active_[static_cast<size_t>(block_y) +
                                  static_cast<size_t>(table_.blocks.ny) * static_cast<size_t>(block_z)];
    std::atomic_ref(active).store(1, std::memory_order_relaxed);
  }
  bool is_active(int y, int z) const {
    return row_active_[static_cast<size_t>(y / kBlockSide) +
                       static_cast<size_t>(table_.blocks.ny) * static_cast<size_t>(z / kBlockSide)] != 0;
  }

  // Fills an empty or full box, of one confidence if that is kept.
  void fill(const BlockBox& box, const Known& known) {
    const bool full = known.state == BlockState::full;
    const float confidence = static_cast<float>(vote_of(known.votes.low)) / rules_[known.votes.whole].full;
    const int x0 = box.x0 * kBlockSide, x1 = std::min(grid_.nx, box.x1 * kBlockSide);
    for_each_row(box, [&](int64_t row, int, int) {
      std::memset(bytes_of(row) + box.x0, full ? 0xff : 0, static_cast<size_t>(box.x1 - box.x0));
      if (full) bytes_of(row)[box.x1 - 1] &= tail_of(box.x1 - 1);
      if (confidence_.data)
        std::fill(confidence_.row(static_cast<int>(row)) + x0, confidence_.row(static_cast<int>(row)) + x1,
                  confidence);
    });
    for (int z = box.z0; z < box.z1 && full; ++z)
      for (int y = box.y0; y < box.y1; ++y) mark_active(y, z);
  }

  struct BlockSums {
    alignas(64) int32_t sums[kLanes] = {};
    alignas(64) int32_t seeing[kLanes] = {};  // of the cameras that see only some of the block
  };

  void carve_block(int block, const BlockBox& box, Known& known) {
    BlockSums sums;
    if (!add_all_votes(block, known, sums)) {
      known.state = BlockState::empty;
      fill(box, known);
      return;
    }
    const VoteRule* rules = rules_.data() + known.votes.whole;
    uint8_t rows[carving::kRowsPerBlock];
    carving::compare_sums(sums.sums, known.votes.partial > 0 ? sums.seeing : nullptr, rules, rows);
    uint8_t any = 0;
    for_each_row(box, [&](int64_t row, int y, int z) {
      const int at = y % kBlockSide + kBlockSide * (z % kBlockSide);
      bytes_of(row)[box.x0] = rows[at] & tail_of(box.x0);
      any |= bytes_of(row)[box.x0];
      if (!confidence_.data) return;
      const int count = std::min(kBlockSide, grid_.nx - box.x0 * kBlockSide);
      float* confidence = confidence_.row(static_cast<int>(row)) + box.x0 * kBlockSide;
      for (int x = 0; x < count; ++x) {
        const int lane = at * kBlockSide + x;
        confidence[x] = static_cast<float>(sums.sums[lane]) / rules[sums.seeing[lane]].full;
      }
    });
    if (any != 0) mark_active(box.y0, box.z0);
  }

  // False when it gave up: no voxel can reach the limit any more.
  bool add_all_votes(int block, const Known& known, BlockSums& out) const {
    const BlockVotes& votes = known.votes;
    const VoteRule& of_whole = rules_[votes.whole];
    const int32_t limit = std::isinf(of_whole.full) ? lowest_limit_ : of_whole.limit;
    const carving::VoxelBlock voxels = carving::voxels_of(block, table_.blocks, centers_);
    const BlockView* views = table_.of_block(block);
    int32_t largest = 0;
    int rest = votes.high + votes.partial_high;
    for (size_t c = 0; c < cameras_.size(); ++c) {
      if (!images_[c].data || !views[c].sees_any()) continue;
      const IndicatorRange range = known.ranges[c];
      rest -= range.high;
      const carving::BlockCamera camera{cameras_[c], table_.positions(block, c)};
      if (!views[c].sees_all()) {
        largest = carving::add_votes(camera, images_[c], voxels, out.sums, out.seeing);
      } else if (!range.constant() || !skip_decided_) {
        largest = carving::add_votes(camera, images_[c], voxels, out.sums, nullptr);
      } else if (range.high > 0) {
        carving::add_vote(vote_of(range.high), out.sums);
        largest += vote_of(range.high);
      }
      if (may_give_up() && largest + vote_of(rest) < limit) return false;
    }
    return true;
  }

  Status extract_shell(CarvedVolume& volume, int64_t frame) {
    const SpanGuard span(trace_, "extract_shell", "cpu carving", frame, -1, SpanKind::kernel);
    tbb::parallel_for(0, grid_.nz, [&](int z) { layers_[z] = find_shell(z); });
    VolumeCounts totals;
    for (VolumeCounts& layer : layers_) {
      totals.occupied += layer.occupied;
      // The layer's count becomes its first ID.
      totals.shell += std::exchange(layer.shell, totals.shell);
    }
    VANTAGE_ASSIGN(Image shell_ids,
                   Image::make(ImageType::u32, static_cast<int>(std::max<int64_t>(1, totals.shell)), 1,
                               HostPool::shared()));
    uint32_t* ids = shell_ids.writable_view<uint32_t>().data;
    tbb::parallel_for(0, grid_.nz, [&](int z) { write_layer_ids(z, ids + layers_[z].shell); });
    volume.counts = totals;
    volume.shell_size_bytes = shell_ids.size_bytes();
    volume.shell_ids = std::move(shell_ids);
    return {};
  }

  VolumeCounts find_shell(int z) {
    VolumeCounts counts;
    for (int y = 0; y < grid_.ny; ++y) {
      if (!is_active(y, z)) continue;
      const int64_t row = y + int64_t{grid_.ny} * z;
      counts.shell += carving::shell_row(occupied_, y, z, shell_.row(row));
      for (int w = 0; w < occupied_.words_per_row(); ++w)
        counts.occupied += std::popcount(occupied_.row(row)[w]);
    }
    return counts;
  }

  void write_layer_ids(int z, uint32_t* ids) const {
    for (int y = 0; y < grid_.ny; ++y) {
      if (!is_active(y, z)) continue;
      const int64_t row = y + int64_t{grid_.ny} * z;
      ids = carving::write_ids(shell_.row(row), shell_.words_per_row(), static_cast<uint32_t>(row * grid_.nx),
                               ids);
    }
  }

  Status copy_occupancy(CarvedVolume& volume) const {
    const int words = (grid_.nx + 31) / 32;
    VANTAGE_ASSIGN(volume.occupancy, Image::make(ImageType::u32, words, static_cast<int>(occupied_.rows()),
                                                 HostPool::shared()));
    const ImageView<uint32_t> view = volume.occupancy.writable_view<uint32_t>();
    const size_t row_bytes = static_cast<size_t>(words) * sizeof(uint32_t);
    tbb::parallel_for(0, grid_.nz, [&](int z) {
      for (int y = 0; y < grid_.ny; ++y) {
        const int row = y + grid_.ny * z;
        if (is_active(y, z))
          std::memcpy(view.row(row), occupied_.row(row), row_bytes);
        else
          std::memset(view.row(row), 0, row_bytes);
      }
    });
    return {};
  }

  static std::vector<PinholeCamera<float>> cast_cameras(const std::vector<PinholeCamera<double>>& cameras) {
    std::vector<PinholeCamera<float>> cast;
    for (const PinholeCamera<double>& camera : cameras) cast.push_back(cast_camera<float>(camera));
    return cast;
  }

  const VoxelGrid grid_;
  const bool keep_occupancy_, skip_decided_;
  TraceRecorder* const trace_;
  const std::vector<PinholeCamera<float>> cameras_;
  const VoxelCenters centers_;
  const BlockTable table_;
  std::vector<VoteRule> rules_;
  int32_t lowest_limit_ = 0;  // of all rules
  // The current frame.
  std::vector<ImageView<const uint8_t>> images_;  // without data: none
  ImageView<float> confidence_;                   // without data: not kept
  // Working memory, kept from frame to frame.
  std::vector<RangePyramid> pyramids_;
  OccupancyBits occupied_, shell_;      // shell: of active rows only
  std::vector<uint8_t> group_written_;  // may hold occupied voxels
  std::vector<uint8_t> row_active_;     // by block along y and z: may hold occupied voxels in this frame
  std::vector<VolumeCounts> layers_;
};

}  // namespace

void register_carving_cpu(BackendRegistry& registry) {
  registry.add<Carver>(Device::cpu,
                       [](const BackendContext& context,
                          const Carver::Arguments& arguments) -> Result<std::unique_ptr<Carver>> {
                         VANTAGE_TRY(check_arguments(arguments));
                         try {
                           auto carver = std::make_unique<CarverCpu>(arguments, context.trace);
                           carver->set_parameters({});
                           return carver;
                         } catch (const std::bad_alloc&) {
                           return fail(ErrorKind::out_of_memory, "no memory for the voxel grid", "carving",
                                       "Choose larger voxels.");
                         }
                       });
}

}  // namespace vantage
