#include "core/foreground/ignored_painter.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/base/trace.h"

namespace vantage {
namespace {

class IgnoredPainterCpu final : public IgnoredPainter {
 public:
  IgnoredPainterCpu(Arguments arguments, TraceRecorder* trace)
      : arguments_(std::move(arguments)), trace_(trace) {}

  Result<ForegroundImages> paint(const ForegroundImages& images, int64_t frame) override {
    VANTAGE_TRY(check_size(images, arguments_.ignored));
    const SpanGuard span(trace_, "paint_ignored", "cpu foreground", frame, arguments_.camera,
                         SpanKind::kernel);
    const int width = images.mask.width(), height = images.mask.height();
    ForegroundImages painted;
    VANTAGE_ASSIGN(painted.indicator, Image::make(ImageType::u8, width, height, HostPool::shared()));
    VANTAGE_ASSIGN(painted.mask, Image::make(ImageType::u8, width, height, HostPool::shared()));
    const auto ignored = arguments_.ignored.view<uint8_t>();
    const auto from = images.indicator.view<uint8_t>(), mask_from = images.mask.view<uint8_t>();
    const auto to = painted.indicator.writable_view<uint8_t>(),
               mask_to = painted.mask.writable_view<uint8_t>();
    int64_t count = 0;
    for (int y = 0; y < height; ++y) {
      const uint8_t *skip = ignored.row(y), *level = from.row(y), *in = mask_from.row(y);
      uint8_t *level_to = to.row(y), *in_to = mask_to.row(y);
      int row_count = 0;
      for (int x = 0; x < width; ++x) {
        level_to[x] = skip[x] ? kIgnoredLevel : level[x];
        in_to[x] = skip[x] ? uint8_t{0} : in[x];
        row_count += in_to[x] != 0;
      }
      count += row_count;
    }
    painted.mask_count = count;
    return painted;
  }

 private:
  const Arguments arguments_;
  TraceRecorder* const trace_;
};

}  // namespace

Status IgnoredPainter::check_size(const ForegroundImages& images, const Image& ignored) {
  if (images.mask.width() == ignored.width() && images.mask.height() == ignored.height()) return {};
  return fail(ErrorKind::invalid_argument,
              "the ignored regions are of pictures of " + size_text(ignored.width(), ignored.height()) +
                  " px, not " + size_text(images.mask.width(), images.mask.height()) + " px",
              "foreground");
}

void register_ignored_painter_cpu(BackendRegistry& registry) {
  registry.add<IgnoredPainter>(
      Device::cpu,
      [](const BackendContext& context,
         const IgnoredPainter::Arguments& arguments) -> Result<std::unique_ptr<IgnoredPainter>> {
        return std::make_unique<IgnoredPainterCpu>(arguments, context.trace);
      });
}

}  // namespace vantage
