// The CUDA implementation of core/occupancy/occupancy_map.h: all cameras and cells of an
// iteration in three kernels and two integral images (gpu/primitives). Sums over rectangles are added
// exactly, so the same masks always give the same bits.
#include <algorithm>
#include <cstring>
#include <memory>

#include "core/occupancy/occupancy_map.h"
#include "gpu/algorithms.h"
#include "gpu/occupancy/occupancy_kernels.cuh"
#include "gpu/primitives/integral_image.cuh"
#include "gpu/runtime/work.h"

namespace vantage::gpu {
namespace {

using occupancy::Rule;
using occupancy::Scene;
using occupancy::SourceMask;

// Enqueued before the host looks whether anything still moves: a look costs as much as a few of them.
constexpr int kIterationsPerLook = 20;

template <typename T>
T* as(const BufferRef& buffer) {
  return reinterpret_cast<T*>(buffer->data());
}

// An integral image of f64 with its scratch.
struct Integral {
  IntegralRequest request;
  static constexpr IntegralAlgorithm algorithm = IntegralAlgorithm::single_pass;
  BufferRef scratch;

  Status prepare(Context& context, const IntegralRequest& wanted) {
    request = wanted;
    VANTAGE_TRY(check_integral_request(request));
    const size_t bytes = integral_scratch_bytes(request, algorithm);
    VANTAGE_ASSIGN(scratch, context.device_pool().take(std::max<size_t>(bytes, 1)));
    return {};
  }
  Status clear(Work& work) const {
    VANTAGE_TRY(work.writes(scratch));
    return work.enqueue("prepare integral scratch", [&](cudaStream_t stream) {
      return integral_prepare_scratch(stream, request, algorithm, scratch->data());
    });
  }
  Status run(Work& work) const {
    return work.enqueue("integral_image", [&](cudaStream_t stream) {
      return integral_image(stream, request, algorithm, WarpScan::kogge_stone, scratch->data());
    });
  }
};

IntegralBatch batch_of(double* data, int width, int height) {
  const size_t stride = static_cast<size_t>(width) * sizeof(double);
  return {{data, width, height, stride}, stride * static_cast<size_t>(height)};
}

class OccupancyMapperCuda final : public OccupancyMapper {
 public:
  OccupancyMapperCuda(Arguments arguments, std::shared_ptr<Context> context, std::unique_ptr<Stream> stream)
      : arguments_(std::move(arguments)), context_(std::move(context)), stream_(std::move(stream)) {}

  Status prepare(const MarginalParameters& parameters) override {
    parameters_ = parameters;
    plan_ = occupancy_map::make_plan(arguments_, parameters);
    scene_ = {};
    scene_.cameras = static_cast<int>(plan_.views.size());
    scene_.cells = static_cast<int>(plan_.cell_count());
    for (const OccupancyPlan::View& view : plan_.views) {
      scene_.width = std::max(scene_.width, view.width);
      scene_.height = std::max(scene_.height, view.height);
    }
    VANTAGE_TRY(take_memory());
    return upload_plan();
  }
  const OccupancyPlan& plan() const override { return plan_; }

  Result<Marginals> estimate(std::span<const Image> masks, int64_t frame) override {
    VANTAGE_TRY(occupancy_map::check(arguments_, masks, context_->device_pool().place()));
    std::fill_n(as<double>(host_moved_), parameters_.iterations, 0.0);
    for (int first = 0; first < parameters_.iterations; first += kIterationsPerLook) {
      const int end = std::min(first + kIterationsPerLook, parameters_.iterations);
      VANTAGE_ASSIGN(const EventRef done, context_->run([&] {
        return enqueue(first == 0 ? masks : std::span<const Image>(), first, end, frame);
      }));
      VANTAGE_TRY(context_->wait(done));
      if (as<const double>(host_moved_)[end - 1] <= Marginals::kStill) break;
    }
    const double* moved = as<const double>(host_moved_);
    Marginals found;
    found.probability.assign(as<const double>(host_q_), as<const double>(host_q_) + scene_.cells);
    while (found.iterations < parameters_.iterations && moved[found.iterations] > Marginals::kStill)
      ++found.iterations;
    found.iterations = std::min(found.iterations + 1, parameters_.iterations);
    return found;
  }

 private:
  size_t pixels() const {
    return static_cast<size_t>(scene_.cameras) * static_cast<size_t>(scene_.width) *
           static_cast<size_t>(scene_.height);
  }

  Status take_memory() {
    MemoryPool& pool = context_->device_pool();
    const auto cameras = static_cast<size_t>(scene_.cameras), cells = static_cast<size_t>(scene_.cells);
    const auto iterations = static_cast<size_t>(parameters_.iterations);
    const size_t sums =
        2 * cameras * static_cast<size_t>(scene_.width + 1) * static_cast<size_t>(scene_.height + 1);
    constexpr size_t kDouble = sizeof(double);
    VANTAGE_ASSIGN(masks_, pool.take(cameras * sizeof(SourceMask)));
    VANTAGE_ASSIGN(rectangles_, pool.take(cameras * cells * sizeof(BodyRectangle)));
    VANTAGE_ASSIGN(small_, pool.take(pixels()));
    VANTAGE_ASSIGN(background_, pool.take(cameras * sizeof(int32_t)));
    VANTAGE_ASSIGN(steps_, pool.take(pixels() * kDouble));
    VANTAGE_ASSIGN(logs_, pool.take(pixels() * kDouble));
    VANTAGE_ASSIGN(empty_, pool.take(2 * pixels() * kDouble));
    VANTAGE_ASSIGN(sums_, pool.take(sums * kDouble));
    VANTAGE_ASSIGN(q_, pool.take(cells * kDouble));
    VANTAGE_ASSIGN(moved_, pool.take(iterations * kDouble));
    VANTAGE_ASSIGN(host_masks_, context_->pinned_pool().take(cameras * sizeof(SourceMask)));
    VANTAGE_ASSIGN(host_q_, context_->pinned_pool().take(cells * kDouble));
    VANTAGE_ASSIGN(host_moved_, context_->pinned_pool().take(iterations * kDouble));
    scene_.masks = as<SourceMask>(masks_), scene_.rectangles = as<BodyRectangle>(rectangles_);
    scene_.small = as<uint8_t>(small_), scene_.background = as<int32_t>(background_);
    scene_.steps = as<double>(steps_), scene_.logs = as<double>(logs_);
    scene_.empty = as<double>(empty_), scene_.sums = as<double>(sums_);
    scene_.q = as<double>(q_), scene_.moved = as<unsigned long long>(moved_);
    return prepare_integrals();
  }

  Status prepare_integrals() {
    const int width = scene_.width, height = scene_.height;
    VANTAGE_TRY(log_integral_.prepare(
        *context_,
        {IntegralType::f64, IntegralType::f64, IntegralKind::inclusive, scene_.cameras,
         batch_of(as<double>(steps_), width, height), batch_of(as<double>(logs_), width, height)}));
    return empty_integral_.prepare(
        *context_,
        {IntegralType::f64, IntegralType::f64, IntegralKind::exclusive, 2 * scene_.cameras,
         batch_of(as<double>(empty_), width, height), batch_of(as<double>(sums_), width + 1, height + 1)});
  }

  Status upload_plan() {
    const size_t cells = plan_.cell_count();
    const size_t bytes = plan_.views.size() * cells * sizeof(BodyRectangle);
    VANTAGE_ASSIGN(const BufferRef staging, context_->pinned_pool().take(bytes));
    for (size_t c = 0; c < plan_.views.size(); ++c)
      std::memcpy(as<BodyRectangle>(staging) + c * cells, plan_.views[c].rectangles.data(),
                  cells * sizeof(BodyRectangle));
    return context_->run([&]() -> Status {
      Work work(*stream_, {});
      VANTAGE_TRY(work.reads(staging));
      VANTAGE_TRY(work.writes(rectangles_));
      VANTAGE_TRY(work.copy("copy rectangles to device", rectangles_->data(), staging->data(), bytes));
      VANTAGE_TRY(log_integral_.clear(work));
      VANTAGE_TRY(empty_integral_.clear(work));
      return work.finish();
    });
  }

  // Iterations [first, end); before the first one the masks are taken.
  Result<EventRef> enqueue(std::span<const Image> masks, int first, int end, int64_t frame) {
    Work work(*stream_, {.name = "occupancy map", .frame = frame});
    for (const BufferRef& buffer : {masks_, small_, background_, steps_, logs_, empty_, sums_, q_, moved_,
                                    host_q_, host_moved_, log_integral_.scratch, empty_integral_.scratch})
      VANTAGE_TRY(work.writes(buffer));
    VANTAGE_TRY(work.reads(rectangles_));
    const Rule rule{parameters_.prior, parameters_.sigma, parameters_.step};
    if (first == 0) VANTAGE_TRY(start(work, masks, rule));
    for (int i = first; i < end; ++i) {
      VANTAGE_TRY(log_integral_.run(work));
      VANTAGE_TRY(work.enqueue(
          "write_empty", [&](cudaStream_t stream) { return occupancy::write_empty(stream, scene_, i); }));
      VANTAGE_TRY(empty_integral_.run(work));
      VANTAGE_TRY(work.enqueue(
          "move_cells", [&](cudaStream_t stream) { return occupancy::move_cells(stream, scene_, rule, i); }));
    }
    VANTAGE_TRY(work.copy("copy probabilities to host", host_q_->data(), q_->data(),
                          plan_.cell_count() * sizeof(double)));
    VANTAGE_TRY(work.copy("copy probabilities to host", host_moved_->data(), moved_->data(),
                          static_cast<size_t>(end) * sizeof(double)));
    VANTAGE_TRY(work.finish());
    return work.done();
  }

  Status start(Work& work, std::span<const Image> masks, const Rule& rule) {
    auto* sources = as<SourceMask>(host_masks_);
    for (size_t c = 0; c < masks.size(); ++c) {
      const OccupancyPlan::View& view = plan_.views[c];
      sources[c] = {nullptr, 0, view.step, view.width, view.height};
      if (!masks[c]) continue;
      VANTAGE_TRY(work.reads(masks[c].buffer()));
      const ImageView<const uint8_t> mask = masks[c].view<uint8_t>();
      sources[c].data = mask.data, sources[c].stride_bytes = static_cast<int64_t>(mask.stride_bytes);
    }
    VANTAGE_TRY(
        work.copy("copy addresses to device", masks_->data(), sources, masks.size() * sizeof(SourceMask)));
    VANTAGE_TRY(work.set_zero(background_->data(), masks.size() * sizeof(int32_t)));
    VANTAGE_TRY(work.set_zero(steps_->data(), pixels() * sizeof(double)));
    VANTAGE_TRY(work.set_zero(moved_->data(), static_cast<size_t>(parameters_.iterations) * sizeof(double)));
    VANTAGE_TRY(work.enqueue("sample_masks",
                             [&](cudaStream_t stream) { return occupancy::sample_masks(stream, scene_); }));
    return work.enqueue("start_cells",
                        [&](cudaStream_t stream) { return occupancy::start_cells(stream, scene_, rule); });
  }

  const Arguments arguments_;
  std::shared_ptr<Context> context_;
  std::unique_ptr<Stream> stream_;
  MarginalParameters parameters_;
  OccupancyPlan plan_;
  Scene scene_{};
  Integral log_integral_, empty_integral_;
  BufferRef masks_, rectangles_, small_, background_, steps_, logs_, empty_, sums_, q_, moved_;
  BufferRef host_masks_, host_q_, host_moved_;
};

}  // namespace

void register_occupancy_map_cuda(BackendRegistry& registry) {
  registry.add<OccupancyMapper>(
      Device::cuda,
      [](const BackendContext& backend,
         const OccupancyMapper::Arguments& arguments) -> Result<std::unique_ptr<OccupancyMapper>> {
        VANTAGE_TRY(occupancy_map::check(arguments));
        VANTAGE_ASSIGN(std::shared_ptr<Context> context, Context::get(backend.device_index));
        VANTAGE_ASSIGN(std::unique_ptr<Stream> stream, Stream::make(context, "occupancy map", backend.trace));
        return std::make_unique<OccupancyMapperCuda>(arguments, std::move(context), std::move(stream));
      });
}

}  // namespace vantage::gpu
