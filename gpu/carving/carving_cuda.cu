#include "gpu/carving/carving_cuda.h"

#include <cstring>
#include <cub/device/device_scan.cuh>
#include <limits>
#include <string>

#include "core/carving/arguments.h"
#include "core/carving/carving.h"
#include "gpu/carving/carving_kernels.cuh"
#include "gpu/runtime/work.h"

namespace vantage::gpu {
namespace {

static_assert(sizeof(CarvingView) % sizeof(uint32_t) == 0);
static_assert(sizeof(long long) == sizeof(VolumeCounts::shell));

uint32_t blocks_for(uint32_t words, uint32_t words_per_block) {
  return words / words_per_block + (words % words_per_block != 0);
}

GridWords grid_words(const VoxelGrid& grid) {
  GridWords words;
  words.nx = static_cast<uint32_t>(grid.nx);
  words.ny = static_cast<uint32_t>(grid.ny);
  words.nz = static_cast<uint32_t>(grid.nz);
  words.words_per_row = blocks_for(words.nx, 32);
  words.words = words.words_per_row * words.ny * words.nz;
  return words;
}

template <typename T>
T* as(const BufferRef& buffer) {
  return reinterpret_cast<T*>(buffer->data());
}

// Working memory, kept from frame to frame; only this carver's stream uses it.
struct Scratch {
  BufferRef centers, views, occupied, shell, block_counts, block_starts, totals, scan;
  size_t scan_bytes = 0;
};

class CarverCuda final : public Carver {
 public:
  CarverCuda(const Arguments& arguments, std::shared_ptr<Context> context, std::unique_ptr<Stream> stream)
      : grid_(arguments.grid),
        keep_occupancy_(arguments.keep_occupancy),
        words_(grid_words(grid_)),
        context_(std::move(context)),
        stream_(std::move(stream)) {
    for (const PinholeCamera<double>& camera : arguments.cameras)
      cameras_.push_back(cast_camera<float>(camera));
    set_parameters({});
  }

  // Takes the working memory and uploads the voxel centres.
  Status prepare() {
    MemoryPool& pool = context_->device_pool();
    const uint32_t blocks = blocks_for(words_.words, kCarvingThreads);
    VANTAGE_ASSIGN(scratch_.views, pool.take(views_bytes() + rules_bytes()));
    VANTAGE_ASSIGN(scratch_.occupied, pool.take(words_.words * sizeof(uint32_t)));
    VANTAGE_ASSIGN(scratch_.shell, pool.take(words_.words * sizeof(uint32_t)));
    VANTAGE_ASSIGN(scratch_.block_counts, pool.take(blocks * sizeof(uint32_t)));
    VANTAGE_ASSIGN(scratch_.block_starts, pool.take(blocks * sizeof(uint32_t)));
    VANTAGE_ASSIGN(scratch_.totals, pool.take(sizeof(VolumeCounts)));
    VANTAGE_TRY(context_->run([&] {
      return context_->check(
          cub::DeviceScan::ExclusiveSum(nullptr, scratch_.scan_bytes, as<uint32_t>(scratch_.block_counts),
                                        as<uint32_t>(scratch_.block_starts), blocks, stream_->handle()),
          "size the scan");
    }));
    VANTAGE_ASSIGN(scratch_.scan, pool.take(scratch_.scan_bytes));
    return upload_centers();
  }

  void set_parameters(const CarvingParameters& parameters) override {
    rules_ = vote_rules(parameters, camera_count());
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
    VANTAGE_ASSIGN(const VolumeCounts counts, find(indicators, volume, frame));
    const int capacity = static_cast<int>(std::max<int64_t>(1, counts.shell));
    VANTAGE_ASSIGN(volume.shell_ids, Image::make(ImageType::u32, capacity, 1, context_->device_pool()));
    VANTAGE_TRY(context_->run([&]() -> Status {
      Work work(*stream_, {.name = "carving ids", .frame = frame});
      VANTAGE_TRY(work.writes(volume.shell_ids.buffer()));
      VANTAGE_TRY(work.writes(scratch_.shell));
      const LaunchGrid blocks{dim3(blocks_for(words_.words, kCarvingThreads)), dim3(kCarvingThreads)};
      VANTAGE_TRY(launch(work, "write_ids", blocks, write_ids, words_, as<uint32_t>(scratch_.shell),
                         as<uint32_t>(scratch_.block_starts),
                         volume.shell_ids.writable_view<uint32_t>().data));
      return work.finish();
    }));
    volume.counts = counts;
    return volume;
  }

 private:
  int camera_count() const { return static_cast<int>(cameras_.size()); }

  // Rows of an image are counted by int.
  Status check_row_count() const {
    if (int64_t{grid_.ny} * grid_.nz <= std::numeric_limits<int>::max()) return {};
    return fail(ErrorKind::invalid_argument, "the grid has too many rows to keep the volume", "carving");
  }

  size_t views_bytes() const { return cameras_.size() * sizeof(CarvingView); }
  size_t rules_bytes() const { return (cameras_.size() + 1) * sizeof(VoteRule); }

  // Copies to the device through pinned memory, on the carver's stream.
  Status enqueue_upload(Work& work, const BufferRef& staging, const BufferRef& to, size_t size) {
    VANTAGE_TRY(work.reads(staging));
    VANTAGE_TRY(work.writes(to));
    return work.copy("copy host to device", to->data(), staging->data(), size);
  }

  Status upload_centers() {
    const int counts[3] = {grid_.nx, grid_.ny, grid_.nz};
    size_t total = 0;
    for (const int count : counts) total += static_cast<size_t>(count);
    VANTAGE_ASSIGN(scratch_.centers, context_->device_pool().take(total * sizeof(float)));
    VANTAGE_ASSIGN(const BufferRef staging, context_->pinned_pool().take(total * sizeof(float)));
    float* center = as<float>(staging);
    for (int axis = 0; axis < 3; ++axis)
      for (int i = 0; i < counts[axis]; ++i) *center++ = voxel_center_f32(grid_, axis, i);
    return context_->run([&]() -> Status {
      Work work(*stream_, {});
      VANTAGE_TRY(enqueue_upload(work, staging, scratch_.centers, total * sizeof(float)));
      return work.finish();
    });
  }

  // Views, behind them the rules.
  Result<BufferRef> stage_views(std::span<const Image> indicators) {
    VANTAGE_ASSIGN(BufferRef staging, context_->pinned_pool().take(views_bytes() + rules_bytes()));
    for (size_t c = 0; c < cameras_.size(); ++c) {
      CarvingView view{cameras_[c], {}};
      if (indicators[c]) view.indicator = indicators[c].view<uint8_t>();
      std::memcpy(staging->data() + c * sizeof view, &view, sizeof view);
    }
    std::memcpy(staging->data() + views_bytes(), rules_.data(), rules_bytes());
    return staging;
  }

  // Occupancy, shell and their counts; waits for the counts.
  Result<VolumeCounts> find(std::span<const Image> indicators, CarvedVolume& volume, int64_t frame) {
    VANTAGE_ASSIGN(const BufferRef views, stage_views(indicators));
    VANTAGE_ASSIGN(const BufferRef arrived, context_->pinned_pool().take(sizeof(VolumeCounts)));
    VANTAGE_ASSIGN(const EventRef done, context_->run([&]() -> Result<EventRef> {
      Work work(*stream_, {.name = "carving", .frame = frame});
      for (const Image& indicator : indicators)
        if (indicator) VANTAGE_TRY(work.reads(indicator.buffer()));
      for (const BufferRef& buffer : {scratch_.occupied, scratch_.shell, scratch_.block_counts,
                                      scratch_.block_starts, scratch_.totals, scratch_.scan, arrived})
        VANTAGE_TRY(work.writes(buffer));
      for (const Image* image : {&volume.confidence, &volume.occupancy})
        if (*image) VANTAGE_TRY(work.writes(image->buffer()));
      VANTAGE_TRY(enqueue_upload(work, views, scratch_.views, views_bytes() + rules_bytes()));
      VANTAGE_TRY(work.set_zero(scratch_.totals->data(), sizeof(VolumeCounts)));
      VANTAGE_TRY(enqueue_kernels(work, volume.confidence));
      if (volume.occupancy) VANTAGE_TRY(enqueue_occupancy(work, volume.occupancy));
      VANTAGE_TRY(work.copy("copy voxel counts to host", arrived->data(), scratch_.totals->data(),
                            sizeof(VolumeCounts)));
      VANTAGE_TRY(work.finish());
      return work.done();
    }));
    VANTAGE_TRY(context_->wait(done));
    return *as<const VolumeCounts>(arrived);
  }

  Status enqueue_kernels(Work& work, Image& confidence) {
    const ImageView<float> confidence_view =
        confidence ? confidence.writable_view<float>() : ImageView<float>{};
    VANTAGE_TRY(launch(work, "carve_occupancy",
                       {dim3(blocks_for(words_.words, kCarvingThreads / 32)), dim3(kCarvingThreads)},
                       carve_occupancy, words_, as<float>(scratch_.centers), as<CarvingView>(scratch_.views),
                       camera_count(),
                       reinterpret_cast<const VoteRule*>(scratch_.views->data() + views_bytes()),
                       confidence_view, as<uint32_t>(scratch_.occupied)));
    const uint32_t blocks = blocks_for(words_.words, kCarvingThreads);
    VANTAGE_TRY(launch(work, "find_shell", {dim3(blocks), dim3(kCarvingThreads)}, find_shell, words_,
                       as<uint32_t>(scratch_.occupied), as<uint32_t>(scratch_.shell),
                       as<uint32_t>(scratch_.block_counts), as<VolumeCounts>(scratch_.totals)));
    return work.enqueue("scan_counts", [&](cudaStream_t stream) {
      return cub::DeviceScan::ExclusiveSum(scratch_.scan->data(), scratch_.scan_bytes,
                                           as<uint32_t>(scratch_.block_counts),
                                           as<uint32_t>(scratch_.block_starts), blocks, stream);
    });
  }

  Status enqueue_occupancy(Work& work, Image& occupancy) {
    const ImageView<uint32_t> view = occupancy.writable_view<uint32_t>();
    const size_t row_bytes = words_.words_per_row * sizeof(uint32_t);
    return work.copy_2d("copy occupancy", view.data, view.stride_bytes, scratch_.occupied->data(), row_bytes,
                        row_bytes, view.height);
  }

  VoxelGrid grid_;
  bool keep_occupancy_;
  GridWords words_;
  std::shared_ptr<Context> context_;
  std::unique_ptr<Stream> stream_;
  std::vector<PinholeCamera<float>> cameras_;
  std::vector<VoteRule> rules_;
  Scratch scratch_;
};

Result<std::unique_ptr<Carver>> make(const BackendContext& backend, const Carver::Arguments& arguments) {
  VANTAGE_TRY(check_arguments(arguments));
  VANTAGE_ASSIGN(std::shared_ptr<Context> context, Context::get(backend.device_index));
  VANTAGE_ASSIGN(std::unique_ptr<Stream> stream, Stream::make(context, "carving", backend.trace));
  auto carver = std::make_unique<CarverCuda>(arguments, std::move(context), std::move(stream));
  VANTAGE_TRY(carver->prepare());
  return carver;
}

}  // namespace

void register_carving_cuda(BackendRegistry& registry) {
  registry.add<Carver>(Device::cuda, make);
}

}  // namespace vantage::gpu
