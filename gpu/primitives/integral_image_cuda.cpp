#include <string>

#include "gpu/algorithms.h"
#include "gpu/primitives/integral_image.cuh"
#include "gpu/runtime/work.h"

namespace vantage::gpu {
namespace {

bool same_but_addresses(const IntegralRequest& a, const IntegralRequest& b) {
  return a.in_type == b.in_type && a.out_type == b.out_type && a.kind == b.kind && a.count == b.count &&
         a.out.first.width == b.out.first.width && a.out.first.height == b.out.first.height;
}

class IntegralImageCuda final : public IntegralImage {
 public:
  IntegralImageCuda(std::shared_ptr<Context> context, std::unique_ptr<Stream> stream,
                    const Arguments& arguments)
      : context_(std::move(context)),
        stream_(std::move(stream)),
        algorithm_(arguments.algorithm.value_or(IntegralAlgorithm::single_pass)),
        scan_(arguments.scan.value_or(WarpScan::kogge_stone)) {}

  Status run(const IntegralRequest& request) override {
    VANTAGE_TRY(check_integral_request(request));
    const bool fresh = !scratch_ || !same_but_addresses(prepared_, request);
    if (fresh) {
      scratch_.reset();
      const size_t bytes = integral_scratch_bytes(request, algorithm_);
      VANTAGE_ASSIGN(scratch_, context_->device_pool().take(bytes > 0 ? bytes : 1));
      prepared_ = request;
    }
    VANTAGE_ASSIGN(const EventRef done, context_->run([&]() -> Result<EventRef> {
      Work work(*stream_, {.name = "integral image"});
      VANTAGE_TRY(work.writes(scratch_));
      if (fresh)
        VANTAGE_TRY(work.enqueue("prepare integral scratch", [&](cudaStream_t stream) {
          return integral_prepare_scratch(stream, request, algorithm_, scratch_->data());
        }));
      VANTAGE_TRY(work.enqueue("integral_image", [&](cudaStream_t stream) {
        return integral_image(stream, request, algorithm_, scan_, scratch_->data());
      }));
      VANTAGE_TRY(work.finish());
      return work.done();
    }));
    return context_->wait(done);
  }

 private:
  std::shared_ptr<Context> context_;
  std::unique_ptr<Stream> stream_;
  const IntegralAlgorithm algorithm_;
  const WarpScan scan_;
  BufferRef scratch_;
  IntegralRequest prepared_;
};

// Of the published ones two scan with shuffles.
Status check_arguments(const IntegralImage::Arguments& arguments) {
  const IntegralAlgorithm algorithm = arguments.algorithm.value_or(IntegralAlgorithm::single_pass);
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
