// Follows people from frame to frame; with memory.
#pragma once

#include <memory>

#include "core/pipeline/stage.h"
#include "core/tracking/association.h"

namespace vantage {

std::unique_ptr<Stage> make_tracking_stage(double frame_rate, std::unique_ptr<TrackAssociation> association);

}  // namespace vantage
