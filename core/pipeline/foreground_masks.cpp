#include "core/pipeline/foreground_masks.h"

namespace vantage {

Result<std::vector<Image>> foreground_masks(const std::vector<ForegroundImages>& foreground,
                                            MemoryTransfer* transfer, int64_t frame) {
  std::vector<Image> masks;
  for (const ForegroundImages& camera : foreground) masks.push_back(camera.mask);
  if (!transfer) return masks;
  return transfer->download_all(masks, frame);
}

}  // namespace vantage
