#include <tbb/parallel_for.h>

#include "core/algorithms.h"
#include "core/sync/signatures.h"

namespace vantage {
namespace {

class SignatureExtractorCpu final : public SignatureExtractor {
 public:
  SignatureExtractorCpu(const Arguments& arguments, TraceRecorder* trace)
      : arguments_(arguments), layout_(signatures::lay_out(arguments)), trace_(trace) {}

  Result<Image> extract(std::span<const Image> indicators, int64_t frame) override {
    VANTAGE_TRY(signatures::check(arguments_, indicators, {}));
    const SpanGuard span(trace_, "frame_signatures", "cpu frame signatures", frame, -1, SpanKind::kernel);
    VANTAGE_ASSIGN(Image out, Image::make(ImageType::u32, layout_.columns,
                                          static_cast<int>(layout_.rows.size()), HostPool::shared()));
    const ImageView<uint32_t> view = out.writable_view<uint32_t>();
    tbb::parallel_for(0, view.height, [&](int row) { read_row(indicators, row, view.row(row)); });
    return out;
  }

 private:
  void read_row(std::span<const Image> indicators, int index, uint32_t* out) const {
    const signatures::Row& row = layout_.rows[static_cast<size_t>(index)];
    const Image& indicator = indicators[static_cast<size_t>(row.camera)];
    const int lines = indicator ? row.lines : 0;
    for (int r = lines; r < layout_.columns; ++r) out[r] = kNoSignature;
    if (lines == 0) return;
    const ImageView<const uint8_t> view = indicator.view<uint8_t>();
    const uint32_t* point = layout_.points.data() + row.first_point;
    for (int r = 0; r < lines; ++r) {
      uint32_t sum = 0;
      for (int i = 0; i < kLinePoints; ++i, ++point)
        if (*point != kNoPoint) sum += view.row(static_cast<int>(*point >> 16))[*point & 0xffffu];
      out[r] = sum;
    }
  }

  const Arguments arguments_;
  const signatures::Layout layout_;
  TraceRecorder* const trace_;
};

}  // namespace

void register_signatures_cpu(BackendRegistry& registry) {
  registry.add<SignatureExtractor>(
      Device::cpu,
      [](const BackendContext& context,
         const SignatureExtractor::Arguments& arguments) -> Result<std::unique_ptr<SignatureExtractor>> {
        VANTAGE_TRY(signatures::check(arguments));
        return std::make_unique<SignatureExtractorCpu>(arguments, context.trace);
      });
}

}  // namespace vantage
