// Agreement of the silhouettes under a project's offsets: the share of each camera's silhouette that the hull
// common to all cameras covers, at a few instants. It is high under right offsets where people move; an
// offset that is wrong by some frames thins the hulls.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/threads.h"
#include "core/check/silhouettes.h"
#include "core/image/backend/registry.h"
#include "core/project/project.h"

namespace vantage {

struct OffsetAgreementOptions {
  const BackendRegistry* backends = nullptr;
  int64_t first_frame = 0, last_frame = INT64_MAX;  // range of base frames that is examined
  StopSource stop;
};

// Shares by camera; nothing without a calibration or where nothing moves.
Result<std::vector<SilhouetteShare>> offset_agreement(const Project& project,
                                                      const OffsetAgreementOptions& options);

}  // namespace vantage
