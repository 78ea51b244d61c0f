#include "core/people/occupancy/floor_map.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <memory>
#include <string>

#include "core/algorithms.h"

namespace vantage {

namespace floor_map {

Status check(const FloorMapper::Arguments& arguments) {
  const VoxelGrid& grid = arguments.grid;
  if (grid.nx <= 0 || grid.ny <= 0 || grid.nz <= 0 || !(grid.voxel_size_m > 0))
    return fail(ErrorKind::invalid_argument, "the voxel grid is empty", "floor map",
                "Give a grid with at least one voxel.");
  if (grid.nz > std::numeric_limits<uint16_t>::max())
    return fail(ErrorKind::invalid_argument, "the grid has more than 65535 layers", "floor map",
                "Choose larger voxels.");
  return {};
}

Status check(const VoxelGrid& grid, const Image& occupancy, MemoryPlace place) {
  if (!occupancy || occupancy.type() != ImageType::u32 || occupancy.place() != place)
    return fail(ErrorKind::invalid_argument, "the occupancy is missing or lies in another memory",
                "floor map");
  if (occupancy.width() != (grid.nx + 31) / 32 || int64_t{occupancy.height()} != int64_t{grid.ny} * grid.nz)
    return fail(ErrorKind::invalid_argument,
                "the occupancy of " + std::to_string(occupancy.width()) + "x" +
                    std::to_string(occupancy.height()) + " words is not of this grid",
                "floor map");
  return {};
}

}  // namespace floor_map

namespace {

class FloorMapperCpu final : public FloorMapper {
 public:
  FloorMapperCpu(const Arguments& arguments, TraceRecorder* trace) : grid_(arguments.grid), trace_(trace) {}

  void set_parameters(const FloorMapParameters& parameters) override {
    first_layer_ = floor_map::first_layer(grid_, parameters.lowest_m);
  }

  Result<FloorMap> map(const Image& occupancy, int64_t frame) override {
    VANTAGE_TRY(floor_map::check(grid_, occupancy, {}));
    const SpanGuard span(trace_, "map_floor", "cpu floor map", frame, -1, SpanKind::kernel);
    FloorMap map{grid_, frame, {}, {}};
    VANTAGE_ASSIGN(map.columns, Image::make(ImageType::u16, grid_.nx, grid_.ny, HostPool::shared()));
    VANTAGE_ASSIGN(map.tops, Image::make(ImageType::u16, grid_.nx, grid_.ny, HostPool::shared()));
    const ImageView<const uint32_t> words = occupancy.view<uint32_t>();
    const ImageView<uint16_t> columns = map.columns.writable_view<uint16_t>();
    const ImageView<uint16_t> tops = map.tops.writable_view<uint16_t>();
    tbb::parallel_for(tbb::blocked_range<int>(0, grid_.ny, 16), [&](const tbb::blocked_range<int>& range) {
      for (int y = range.begin(); y < range.end(); ++y) map_row(words, y, columns.row(y), tops.row(y));
    });
    return map;
  }

 private:
  void map_row(const ImageView<const uint32_t>& words, int y, uint16_t* columns, uint16_t* tops) const {
    std::fill_n(columns, grid_.nx, uint16_t{0});
    std::fill_n(tops, grid_.nx, uint16_t{0});
    for (int z = first_layer_; z < grid_.nz; ++z) {
      const uint32_t* row = words.row(y + grid_.ny * z);
      for (int w = 0; w < words.width; ++w)
        for (uint32_t bits = row[w]; bits != 0; bits &= bits - 1) {
          const int x = 32 * w + std::countr_zero(bits);
          ++columns[x];
          tops[x] = static_cast<uint16_t>(z + 1);
        }
    }
  }

  const VoxelGrid grid_;
  TraceRecorder* const trace_;
  int first_layer_ = 0;
};

}  // namespace

void register_floor_map_cpu(BackendRegistry& registry) {
  registry.add<FloorMapper>(
      Device::cpu,
      [](const BackendContext& context,
         const FloorMapper::Arguments& arguments) -> Result<std::unique_ptr<FloorMapper>> {
        VANTAGE_TRY(floor_map::check(arguments));
        auto mapper = std::make_unique<FloorMapperCpu>(arguments, context.trace);
        mapper->set_parameters({});
        return mapper;
      });
}

}  // namespace vantage
