#include "core/carving/carving_cpu.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <new>
#include <numeric>
#include <string>
#include <utility>

#include "core/carving/arguments.h"
#include "core/carving/carving.h"
#include "core/carving/carving_kernel.h"
#include "core/carving/rule.h"
#include "core/carving/sample.h"
#include "core/carving/shell.h"

namespace vantage {
namespace {

using carving::kBlock;
using carving::OccupancyBits;

constexpr int64_t kRowsPerTask = 16;

// Whether sums can still reach the limit with `remaining` full votes to come. Added one by one, as the votes
// are: rounding is monotone, so no voxel that would reach it is ever given up.
bool can_reach(float sum, int remaining, float limit) {
  for (int i = 0; i < remaining; ++i) sum += 255.0f;
  return sum >= limit;
}

class CarverCpu final : public Carver {
 public:
  CarverCpu(const Arguments& arguments, TraceRecorder* trace)
      : grid_(arguments.grid),
        keep_occupancy_(arguments.keep_occupancy),
        trace_(trace),
        occupied_(grid_),
        shell_(grid_) {
    for (const PinholeCamera<double>& camera : arguments.cameras)
      cameras_.push_back(cast_camera<float>(camera));
    quads_.resize(cameras_.size());
    x_in_world_m_.resize(static_cast<size_t>(occupied_.words_per_row()) * kBlock);
    for (size_t x = 0; x < x_in_world_m_.size(); ++x)
      x_in_world_m_[x] = voxel_center_f32(grid_, 0, static_cast<int>(x));
    rows_.resize(static_cast<size_t>(occupied_.rows()));
  }

  void set_parameters(const CarvingParameters& parameters) override {
    rules_ = vote_rules(parameters, camera_count());
    lowest_limit_ = rules_[static_cast<size_t>(needed_cameras(parameters, camera_count()))].limit;
  }

  Result<CarvedVolume> carve(std::span<const Image> indicators, bool keep_confidence,
                             int64_t frame) override {
    VANTAGE_TRY(check_indicators(indicators, cameras_, {}));
    CarvedVolume volume;
    volume.grid = grid_;
    volume.frame = frame;
    if (keep_confidence) {
      VANTAGE_ASSIGN(volume.confidence, Image::make(ImageType::f32, grid_.nx,
                                                    static_cast<int>(occupied_.rows()), HostPool::shared()));
    }
    try {
      prepare_quads(indicators, frame);
      carve_rows(keep_confidence ? &volume.confidence : nullptr, frame);
      VANTAGE_TRY(extract_shell(volume, frame));
      if (keep_occupancy_) VANTAGE_TRY(copy_occupancy(volume));
    } catch (const std::bad_alloc&) {
      return fail(ErrorKind::out_of_memory, "no memory to carve", "carving", "Choose larger voxels.");
    }
    return volume;
  }

 private:
  struct RowCounts {
    int64_t occupied = 0, shell = 0;
  };

  int camera_count() const { return static_cast<int>(cameras_.size()); }

  void prepare_quads(std::span<const Image> indicators, int64_t frame) {
    const SpanGuard span(trace_, "pack_indicators", "cpu carving", frame, -1, SpanKind::kernel);
    images_.assign(cameras_.size(), {});
    for (size_t c = 0; c < cameras_.size(); ++c) {
      const Image& image = indicators[c];
      if (!image || image.width() < 2 || image.height() < 2) continue;  // no 2x2 support: every sample is 0
      const ImageView<const uint8_t> view = image.view<uint8_t>();
      std::vector<uint32_t>& quads = quads_[c];
      const auto pitch = static_cast<size_t>(view.width - 1);
      quads.resize(pitch * static_cast<size_t>(view.height - 1));
      tbb::parallel_for(0, view.height - 1, [&](int y) {
        carving::make_quads(view.row(y), view.row(y + 1), view.width,
                            quads.data() + static_cast<size_t>(y) * pitch);
      });
      images_[c] = {quads.data(), view.width - 1, view.width, view.height};
    }
  }

  void carve_rows(Image* confidence, int64_t frame) {
    const SpanGuard span(trace_, "carve_rows", "cpu carving", frame, -1, SpanKind::kernel);
    tbb::parallel_for(tbb::blocked_range<int64_t>(0, occupied_.rows(), kRowsPerTask),
                      [&](const tbb::blocked_range<int64_t>& range) {
                        for (int64_t row = range.begin(); row < range.end(); ++row)
                          carve_row(row, confidence
                                             ? confidence->writable_view<float>().row(static_cast<int>(row))
                                             : nullptr);
                      });
  }

  void carve_row(int64_t row, float* confidence) {
    const int y = static_cast<int>(row % grid_.ny), z = static_cast<int>(row / grid_.ny);
    carving::VoxelBlock block{nullptr, voxel_center_f32(grid_, 1, y), voxel_center_f32(grid_, 2, z)};
    uint64_t* words = occupied_.row(row);
    const int count = occupied_.words_per_row();
    RowCounts counts;
    for (int w = 0; w < count; ++w) {
      block.x_in_world_m = x_in_world_m_.data() + static_cast<size_t>(w) * kBlock;
      alignas(64) float sums[kBlock] = {};
      alignas(64) int32_t seeing[kBlock] = {};
      words[w] = add_all_votes(block, confidence == nullptr, sums, seeing)
                     ? carving::compare_sums(sums, seeing, rules_.data())
                     : 0;
      if (w == count - 1) words[w] &= occupied_.tail_mask();
      counts.occupied += std::popcount(words[w]);
      if (confidence) {
        const int first = w * kBlock, end = std::min(grid_.nx, first + kBlock);
        for (int x = first; x < end; ++x)
          confidence[x] = sums[x - first] / rules_[static_cast<size_t>(seeing[x - first])].full;
      }
    }
    rows_[static_cast<size_t>(row)] = counts;
  }

  // False when it gave up because no voxel of the block can reach the limit any more.
  bool add_all_votes(const carving::VoxelBlock& block, bool may_give_up, float* sums, int32_t* seeing) const {
    float largest = 0;
    for (int c = 0; c < camera_count(); ++c) {
      if (may_give_up && !can_reach(largest, camera_count() - c, lowest_limit_)) return false;
      const carving::QuadImage& image = images_[static_cast<size_t>(c)];
      if (image.quads)
        largest = carving::add_votes(cameras_[static_cast<size_t>(c)], image, block, sums, seeing);
    }
    return true;
  }

  Status extract_shell(CarvedVolume& volume, int64_t frame) {
    const SpanGuard span(trace_, "extract_shell", "cpu carving", frame, -1, SpanKind::kernel);
    const tbb::blocked_range<int64_t> all_rows(0, occupied_.rows(), kRowsPerTask);
    tbb::parallel_for(all_rows, [&](const tbb::blocked_range<int64_t>& range) {
      for (int64_t row = range.begin(); row < range.end(); ++row)
        rows_[static_cast<size_t>(row)].shell = carving::shell_row(
            occupied_, static_cast<int>(row % grid_.ny), static_cast<int>(row / grid_.ny), shell_.row(row));
    });
    VolumeCounts totals;
    for (RowCounts& row : rows_) {
      totals.occupied += row.occupied;
      // From here on: where the row's IDs start.
      totals.shell += std::exchange(row.shell, totals.shell);
    }
    VANTAGE_ASSIGN(volume.shell_ids,
                   Image::make(ImageType::u32, static_cast<int>(std::max<int64_t>(1, totals.shell)), 1,
                               HostPool::shared()));
    uint32_t* ids = volume.shell_ids.writable_view<uint32_t>().data;
    tbb::parallel_for(all_rows, [&](const tbb::blocked_range<int64_t>& range) {
      for (int64_t row = range.begin(); row < range.end(); ++row)
        carving::write_ids(shell_.row(row), shell_.words_per_row(), static_cast<uint32_t>(row * grid_.nx),
                           ids + rows_[static_cast<size_t>(row)].shell);
    });
    volume.counts = totals;
    return {};
  }

  Status copy_occupancy(CarvedVolume& volume) const {
    const int words = (grid_.nx + 31) / 32;
    VANTAGE_ASSIGN(volume.occupancy, Image::make(ImageType::u32, words, static_cast<int>(occupied_.rows()),
                                                 HostPool::shared()));
    const ImageView<uint32_t> view = volume.occupancy.writable_view<uint32_t>();
    for (int row = 0; row < view.height; ++row)
      for (int w = 0; w < words; ++w)
        view.at(w, row) = static_cast<uint32_t>(occupied_.row(row)[w / 2] >> (32 * (w % 2)));
    return {};
  }

  VoxelGrid grid_;
  bool keep_occupancy_;
  TraceRecorder* trace_;
  std::vector<PinholeCamera<float>> cameras_;
  std::vector<VoteRule> rules_;
  float lowest_limit_ = 0;
  std::vector<float> x_in_world_m_;  // padded to whole blocks
  // Working memory, kept from frame to frame.
  OccupancyBits occupied_, shell_;
  std::vector<RowCounts> rows_;
  std::vector<std::vector<uint32_t>> quads_;
  std::vector<carving::QuadImage> images_;
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
