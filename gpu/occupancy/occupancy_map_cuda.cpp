// The CUDA implementation of core/people/occupancy/occupancy_map.h: all cameras and cells of an
// iteration in three kernels and two integral images (gpu/primitives). Sums over rectangles are added
// exactly, so the same masks always give the same bits.
#include <algorithm>
#include <bit>
#include <memory>
#include <span>

#include "core/people/occupancy/occupancy_map.h"
#include "gpu/algorithms.h"
#include "gpu/occupancy/occupancy_kernels.h"
#include "gpu/primitives/integral_image/integral_image.h"
#include "gpu/runtime/upload.h"
#include "gpu/runtime/work.h"

namespace vantage::gpu {
namespace {

using namespace occupancy;

// Enqueued before the host looks whether anything still moves: a look costs as much as a few of them.
constexpr int kIterationsPerLook = 20;

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
    std::ranges::fill(host_moved_.values(), 0u);
    for (int first = 0; first < parameters_.iterations; first += kIterationsPerLook) {
      const int end = std::min(first + kIterationsPerLook, parameters_.iterations);
      VANTAGE_ASSIGN(const EventRef done, context_->run([&] {
        return enqueue(first == 0 ? masks : std::span<const Image>(), first, end, frame);
      }));
      VANTAGE_TRY(context_->wait(done));
      if (step_of(end - 1) <= Marginals::kStill) break;
    }
    Marginals found;
    found.probability.assign(host_q_.data(), host_q_.data() + scene_.cells);
    while (found.iterations < parameters_.iterations && step_of(found.iterations) > Marginals::kStill)
      ++found.iterations;
    found.iterations = std::min(found.iterations + 1, parameters_.iterations);
    return found;
  }

 private:
  // How far the farthest probability went in an iteration that has arrived.
  double step_of(int iteration) const { return std::bit_cast<double>(host_moved_.data()[iteration]); }
  size_t pixels() const {
    return static_cast<size_t>(scene_.cameras) * static_cast<size_t>(scene_.width) *
           static_cast<size_t>(scene_.height);
  }

  Status take_memory() {
    Context& context = *context_;
    const auto cameras = static_cast<size_t>(scene_.cameras), cells = static_cast<size_t>(scene_.cells);
    const auto iterations = static_cast<size_t>(parameters_.iterations);
    const size_t sums =
        2 * cameras * static_cast<size_t>(scene_.width + 1) * static_cast<size_t>(scene_.height + 1);
    VANTAGE_ASSIGN(masks_, DeviceBuffer<SourceMask>::take(context, cameras));
    VANTAGE_ASSIGN(small_, DeviceBuffer<uint8_t>::take(context, pixels()));
    VANTAGE_ASSIGN(background_, DeviceBuffer<int32_t>::take(context, cameras));
    VANTAGE_ASSIGN(steps_, DeviceBuffer<double>::take(context, pixels()));
    VANTAGE_ASSIGN(logs_, DeviceBuffer<double>::take(context, pixels()));
    VANTAGE_ASSIGN(empty_, DeviceBuffer<double>::take(context, 2 * pixels()));
    VANTAGE_ASSIGN(sums_, DeviceBuffer<double>::take(context, sums));
    VANTAGE_ASSIGN(q_, DeviceBuffer<double>::take(context, cells));
    VANTAGE_ASSIGN(moved_, DeviceBuffer<unsigned long long>::take(context, iterations));
    VANTAGE_ASSIGN(host_masks_, PinnedBuffer<SourceMask>::take(context, cameras));
    VANTAGE_ASSIGN(host_q_, PinnedBuffer<double>::take(context, cells));
    VANTAGE_ASSIGN(host_moved_, PinnedBuffer<unsigned long long>::take(context, iterations));
    scene_.masks = masks_.data();
    scene_.small = small_.data(), scene_.background = background_.data();
    scene_.steps = steps_.data(), scene_.logs = logs_.data();
    scene_.empty = empty_.data(), scene_.sums = sums_.data();
    scene_.q = q_.data(), scene_.moved = moved_.data();
    return prepare_integrals();
  }

  Status prepare_integrals() {
    const int width = scene_.width, height = scene_.height;
    VANTAGE_TRY(log_integral_.prepare(
        *context_, {IntegralType::f64, IntegralType::f64, IntegralKind::inclusive, scene_.cameras,
                    batch_of(steps_.data(), width, height), batch_of(logs_.data(), width, height)}));
    return empty_integral_.prepare(
        *context_, {IntegralType::f64, IntegralType::f64, IntegralKind::exclusive, 2 * scene_.cameras,
                    batch_of(empty_.data(), width, height), batch_of(sums_.data(), width + 1, height + 1)});
  }

  Status upload_plan() {
    std::vector<BodyRectangle> rectangles;
    rectangles.reserve(plan_.views.size() * plan_.cell_count());
    for (const OccupancyPlan::View& view : plan_.views)
      rectangles.insert(rectangles.end(), view.rectangles.begin(), view.rectangles.end());
    VANTAGE_ASSIGN(rectangles_, upload(*stream_, std::span(rectangles)));
    scene_.rectangles = rectangles_.data();
    return {};
  }

  // Iterations [first, end); before the first one the masks are taken.
  Result<EventRef> enqueue(std::span<const Image> masks, int first, int end, int64_t frame) {
    Work work(*stream_, {.name = "occupancy map", .frame = frame});
    VANTAGE_TRY(
        work.writes({masks_, small_, background_, steps_, logs_, empty_, sums_, q_, moved_, host_masks_,
                     host_q_, host_moved_, log_integral_.scratch(), empty_integral_.scratch()}));
    VANTAGE_TRY(work.reads(rectangles_));
    const Rule rule{parameters_.prior, parameters_.sigma, parameters_.step};
    if (first == 0) VANTAGE_TRY(start(work, masks, rule));
    for (int i = first; i < end; ++i) {
      VANTAGE_TRY(log_integral_.enqueue(work));
      VANTAGE_TRY(enqueue_write_empty(work, scene_, i));
      VANTAGE_TRY(empty_integral_.enqueue(work));
      VANTAGE_TRY(enqueue_move_cells(work, scene_, rule, i));
    }
    VANTAGE_TRY(work.copy("copy probabilities to host", host_q_, q_, q_.count()));
    VANTAGE_TRY(work.copy("copy probabilities to host", host_moved_, moved_, static_cast<size_t>(end)));
    VANTAGE_TRY(work.finish());
    return work.done();
  }

  Status start(Work& work, std::span<const Image> masks, const Rule& rule) {
    SourceMask* sources = host_masks_.data();
    for (size_t c = 0; c < masks.size(); ++c) {
      const OccupancyPlan::View& view = plan_.views[c];
      sources[c] = {nullptr, 0, view.step, view.width, view.height};
      if (!masks[c]) continue;
      VANTAGE_TRY(work.reads(masks[c].buffer()));
      const ImageView<const uint8_t> mask = masks[c].view<uint8_t>();
      sources[c].data = mask.data, sources[c].stride_bytes = static_cast<int64_t>(mask.stride_bytes);
    }
    VANTAGE_TRY(work.copy("copy addresses to device", masks_, host_masks_, masks.size()));
    VANTAGE_TRY(work.set_zero(background_));
    VANTAGE_TRY(work.set_zero(steps_));
    VANTAGE_TRY(work.set_zero(moved_));
    VANTAGE_TRY(enqueue_shrink_masks(work, scene_));
    return enqueue_start_cells(work, scene_, rule);
  }

  const Arguments arguments_;
  std::shared_ptr<Context> context_;
  std::unique_ptr<Stream> stream_;
  MarginalParameters parameters_;
  OccupancyPlan plan_;
  Scene scene_{};
  RepeatedIntegral log_integral_, empty_integral_;
  DeviceBuffer<SourceMask> masks_;
  DeviceBuffer<BodyRectangle> rectangles_;
  DeviceBuffer<uint8_t> small_;
  DeviceBuffer<int32_t> background_;
  DeviceBuffer<double> steps_, logs_, empty_, sums_, q_;
  DeviceBuffer<unsigned long long> moved_;  // bits of doubles
  PinnedBuffer<SourceMask> host_masks_;
  PinnedBuffer<double> host_q_;
  PinnedBuffer<unsigned long long> host_moved_;
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
