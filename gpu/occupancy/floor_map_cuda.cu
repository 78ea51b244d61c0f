// The CUDA implementation of core/people/occupancy/floor_map.h: one thread a cell, 32 cells
// reading one word of each layer.
#include <memory>

#include "core/people/occupancy/floor_map.h"
#include "gpu/algorithms.h"
#include "gpu/runtime/work.h"

namespace vantage::gpu {
namespace {

constexpr int kThreads = 128;

__global__ void __launch_bounds__(kThreads)
    map_floor(const ImageView<const uint32_t> occupancy, int ny, int nz, int first_layer,
              const ImageView<uint16_t> columns, const ImageView<uint16_t> tops) {
  const int x = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  if (x >= columns.width) return;
  for (int y = static_cast<int>(blockIdx.y); y < ny; y += static_cast<int>(gridDim.y)) {
    uint32_t count = 0, top = 0;
    for (int z = first_layer; z < nz; ++z) {
      if ((__ldg(occupancy.row(y + ny * z) + x / 32) >> (x % 32) & 1u) == 0) continue;
      ++count;
      top = static_cast<uint32_t>(z) + 1;
    }
    columns.at(x, y) = static_cast<uint16_t>(count);
    tops.at(x, y) = static_cast<uint16_t>(top);
  }
}

class FloorMapperCuda final : public FloorMapper {
 public:
  FloorMapperCuda(const Arguments& arguments, std::shared_ptr<Context> context,
                  std::unique_ptr<Stream> stream)
      : grid_(arguments.grid), context_(std::move(context)), stream_(std::move(stream)) {
    set_parameters({});
  }

  void set_parameters(const FloorMapParameters& parameters) override {
    first_layer_ = floor_map::first_layer(grid_, parameters.lowest_m);
  }

  Result<FloorMap> map(const Image& occupancy, int64_t frame) override {
    MemoryPool& pool = context_->device_pool();
    VANTAGE_TRY(floor_map::check(grid_, occupancy, pool.place()));
    FloorMap map{grid_, frame, {}, {}};
    VANTAGE_ASSIGN(map.columns, Image::make(ImageType::u16, grid_.nx, grid_.ny, pool));
    VANTAGE_ASSIGN(map.tops, Image::make(ImageType::u16, grid_.nx, grid_.ny, pool));
    VANTAGE_TRY(context_->run([&]() -> Status {
      Work work(*stream_, {.name = "floor map", .frame = frame});
      VANTAGE_TRY(work.reads(occupancy.buffer()));
      VANTAGE_TRY(work.writes(map.columns.buffer()));
      VANTAGE_TRY(work.writes(map.tops.buffer()));
      const auto across = blocks_for(grid_.nx, kThreads);
      const auto down = static_cast<unsigned>(grid_.ny < 65535 ? grid_.ny : 65535);
      VANTAGE_TRY(launch(work, "map_floor", {dim3(across, down), dim3(kThreads)}, map_floor,
                         occupancy.view<uint32_t>(), grid_.ny, grid_.nz, first_layer_,
                         map.columns.writable_view<uint16_t>(), map.tops.writable_view<uint16_t>()));
      return work.finish();
    }));
    return map;
  }

 private:
  const VoxelGrid grid_;
  std::shared_ptr<Context> context_;
  std::unique_ptr<Stream> stream_;
  int first_layer_ = 0;
};

Result<std::unique_ptr<FloorMapper>> make(const BackendContext& backend,
                                          const FloorMapper::Arguments& arguments) {
  VANTAGE_TRY(floor_map::check(arguments));
  VANTAGE_ASSIGN(std::shared_ptr<Context> context, Context::get(backend.device_index));
  VANTAGE_ASSIGN(std::unique_ptr<Stream> stream, Stream::make(context, "floor map", backend.trace));
  return std::make_unique<FloorMapperCuda>(arguments, std::move(context), std::move(stream));
}

}  // namespace

void register_floor_map_cuda(BackendRegistry& registry) {
  registry.add<FloorMapper>(Device::cuda, make);
}

}  // namespace vantage::gpu
