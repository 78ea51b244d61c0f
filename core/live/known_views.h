// Views of calibrated cameras when their calibration was first used, kept next to the project: a camera that
// is turned while no one watches is detected when the project is opened again.
//
// One JSON file ("vantage-views-1") with each camera's name, the hash of its calibration, the time and the
// mean luma of the view's thumbnail. A view kept with another calibration is ignored. Thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/primitives/luma_thumbnail.h"

namespace vantage {

struct KnownView {
  std::array<float, LumaThumbnail::kCells> luma{};
  double utc_s = 0;  // the time of keeping it, seconds since 1970
};

class KnownViews {
 public:
  // The file need not exist; it is read at each call.
  explicit KnownViews(std::filesystem::path path) : path_(std::move(path)) {}

  // Empty where none was kept with that calibration. Errors: io, bad_data.
  Result<std::optional<KnownView>> find(const std::string& camera, uint64_t calibration) const;
  // Replaces the camera's view. Errors: likewise.
  Status keep(const std::string& camera, uint64_t calibration, const KnownView& view);

 private:
  const std::filesystem::path path_;
  mutable std::mutex mutex_;
};

}  // namespace vantage
