#include "core/primitives/luma_thumbnail.h"

#include "core/algorithms.h"

namespace vantage {
namespace {

class LumaThumbnailsCpu final : public LumaThumbnails {
 public:
  Result<Deferred<LumaThumbnail>> make(const Picture& picture) override {
    return Deferred(luma_thumbnail(picture.plane(0)));
  }
};

}  // namespace

LumaThumbnail luma_thumbnail(const ImageView<const uint8_t>& luma) {
  std::array<int32_t, LumaThumbnail::kCells> sums{};
  uint64_t fingerprint = 0;
  for (int row = 0; row < LumaThumbnail::kHeight; ++row) {
    const auto rows = ThumbnailSpan::of(row, luma.height, LumaThumbnail::kHeight);
    for (int column = 0; column < LumaThumbnail::kWidth; ++column) {
      const auto columns = ThumbnailSpan::of(column, luma.width, LumaThumbnail::kWidth);
      int32_t& sum = sums[static_cast<size_t>(row * LumaThumbnail::kWidth + column)];
      for (int y = rows.begin; y < rows.end; y += 2)
        for (int x = columns.begin; x < columns.end; x += 2) {
          const uint8_t value = luma.row(y)[x];
          sum += value;
          fingerprint += value * thumbnail_weight(x, y, luma.width);
        }
    }
  }
  return luma_thumbnail(sums, fingerprint, luma.width, luma.height);
}

LumaThumbnail luma_thumbnail(const std::array<int32_t, LumaThumbnail::kCells>& sums, uint64_t fingerprint,
                             int width, int height) {
  LumaThumbnail thumbnail;
  thumbnail.fingerprint = fingerprint;
  for (int i = 0; i < LumaThumbnail::kCells; ++i) {
    const auto columns = ThumbnailSpan::of(i % LumaThumbnail::kWidth, width, LumaThumbnail::kWidth);
    const auto rows = ThumbnailSpan::of(i / LumaThumbnail::kWidth, height, LumaThumbnail::kHeight);
    const auto cell = static_cast<size_t>(i);
    thumbnail.mean[cell] =
        static_cast<float>(sums[cell]) / static_cast<float>(columns.count() * rows.count());
  }
  return thumbnail;
}

void register_luma_thumbnails_cpu(BackendRegistry& registry) {
  registry.add<LumaThumbnails>(
      Device::cpu,
      [](const BackendContext&, const LumaThumbnails::Arguments&) -> Result<std::unique_ptr<LumaThumbnails>> {
        return std::make_unique<LumaThumbnailsCpu>();
      });
}

}  // namespace vantage
