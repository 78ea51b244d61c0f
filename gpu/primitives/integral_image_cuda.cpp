#include <string>

#include "gpu/algorithms.h"
#include "gpu/primitives/integral_image/integral_image.h"
#include "gpu/primitives/published/integral.h"
#include "gpu/runtime/work.h"

namespace vantage::gpu {
namespace {

constexpr IntegralAlgorithm kOurs = IntegralAlgorithm::single_pass;

class IntegralImageCuda final : public IntegralImage {
 public:
  IntegralImageCuda(std::shared_ptr<Context> context, std::unique_ptr<Stream> stream,
                    const Arguments& arguments)
      : context_(std::move(context)),
        stream_(std::move(stream)),
        algorithm_(arguments.algorithm.value_or(kOurs)),
        scan_(arguments.scan.value_or(WarpScan::kogge_stone)) {}

  Status run(const IntegralRequest& request) override {
    VANTAGE_TRY(check_integral_request(request));
    VANTAGE_TRY(algorithm_ == kOurs ? integral_.prepare(*context_, request) : take_scratch(request));
    VANTAGE_ASSIGN(const EventRef done, context_->run([&]() -> Result<EventRef> {
      Work work(*stream_, {.name = "integral image"});
      VANTAGE_TRY(algorithm_ == kOurs ? enqueue_ours(work) : enqueue_published(work, request));
      VANTAGE_TRY(work.finish());
      return work.done();
    }));
    return context_->wait(done);
  }

 private:
  Status enqueue_ours(Work& work) {
    VANTAGE_TRY(work.writes(integral_.scratch()));
    return integral_.enqueue(work);
  }

  Status take_scratch(const IntegralRequest& request) {
    const size_t bytes = published::integral_scratch_bytes(request, algorithm_);
    if (scratch_ && scratch_.count() >= bytes) return {};
    scratch_ = {};
    VANTAGE_ASSIGN(scratch_, DeviceBuffer<std::byte>::take(*context_, bytes));
    return {};
  }
  Status enqueue_published(Work& work, const IntegralRequest& request) {
    VANTAGE_TRY(work.writes(scratch_));
    return published::enqueue_integral_image(work, request, algorithm_, scan_, scratch_.data());
  }

  std::shared_ptr<Context> context_;
  std::unique_ptr<Stream> stream_;
  const IntegralAlgorithm algorithm_;
  const WarpScan scan_;
  RepeatedIntegral integral_;
  DeviceBuffer<std::byte> scratch_;  // of a published algorithm
};

// Two of the published ones scan with shuffles.
Status check_arguments(const IntegralImage::Arguments& arguments) {
  const IntegralAlgorithm algorithm = arguments.algorithm.value_or(kOurs);
  if (!arguments.scan || algorithm == IntegralAlgorithm::scan_row_brlt ||
      algorithm == IntegralAlgorithm::scan_row_column)
    return {};
  return fail(ErrorKind::invalid_argument, "this algorithm has no choice of scans", "integral image",
              "Leave the scan out, or choose ScanRow-BRLT or ScanRowColumn.");
}

}  // namespace

void register_integral_image_cuda(BackendRegistry& registry) {
  registry.add<IntegralImage>(
      Device::cuda,
      [](const BackendContext& backend,
         const IntegralImage::Arguments& arguments) -> Result<std::unique_ptr<IntegralImage>> {
        VANTAGE_TRY(check_arguments(arguments));
        VANTAGE_ASSIGN(std::shared_ptr<Context> context, Context::get(backend.device_index));
        VANTAGE_ASSIGN(std::unique_ptr<Stream> stream,
                       Stream::make(context, "integral image", backend.trace));
        return std::make_unique<IntegralImageCuda>(std::move(context), std::move(stream), arguments);
      });
}

}  // namespace vantage::gpu
