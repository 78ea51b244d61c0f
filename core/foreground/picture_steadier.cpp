#include "core/foreground/picture_steadier.h"

#include "core/image/picture.h"

namespace vantage {
namespace {

class PictureSteadierCpu final : public PictureSteadier {
 public:
  PictureSteadierCpu(int camera, TraceRecorder* trace) : camera_(camera), trace_(trace) {}

  Result<Image> reduced_luma(const Picture& picture, int factor, int64_t frame) override {
    const SpanGuard span(trace_, "reduce_luma", "cpu foreground", frame, camera_, SpanKind::kernel);
    return reduced_mean(picture.plane(0), factor, HostPool::shared());
  }

  Result<Picture> shifted(const Picture& picture, const PictureShift& shift, int64_t frame) override {
    const SpanGuard span(trace_, "shift_picture", "cpu foreground", frame, camera_, SpanKind::kernel);
    return vantage::shifted(picture, shift, HostPool::shared());
  }

 private:
  const int camera_;
  TraceRecorder* const trace_;
};

}  // namespace

void register_picture_steadier_cpu(BackendRegistry& registry) {
  registry.add<PictureSteadier>(
      Device::cpu,
      [](const BackendContext& context,
         const PictureSteadier::Arguments& arguments) -> Result<std::unique_ptr<PictureSteadier>> {
        return std::make_unique<PictureSteadierCpu>(arguments.camera, context.trace);
      });
}

}  // namespace vantage
