#include "core/session/cpu_backends.h"

#include "core/carving/carving_cpu.h"
#include "core/features/daisy_cpu.h"
#include "core/foreground/foreground_cpu.h"
#include "core/heads/heads_cpu.h"
#include "core/height_map/cost_cpu.h"
#include "core/height_map/height_solver_cpu.h"
#include "core/occupancy/floor_map_cpu.h"
#include "core/occupancy/occupancy_map_cpu.h"
#include "core/optical_flow/optical_flow_cpu.h"
#include "core/primitives/integral_image.h"
#include "core/primitives/luma_thumbnail.h"
#include "core/primitives/nms.h"
#include "core/sync/signatures_cpu.h"
#include "core/tracking/association.h"
#include "core/tracking/mask_samples.h"

namespace vantage {

void register_cpu_backends(BackendRegistry& registry) {
  register_foreground_cpu(registry);
  register_carving_cpu(registry);
  register_floor_map_cpu(registry);
  register_occupancy_map_cpu(registry);
  register_heads_cpu(registry);
  register_daisy_cpu(registry);
  register_height_cost_cpu(registry);
  register_height_solver_cpu(registry);
  register_optical_flow_cpu(registry);
  register_cpu_integral_image(registry);
  register_cpu_nms(registry);
  register_cpu_luma_thumbnails(registry);
  register_signatures_cpu(registry);
  register_mask_sampler_cpu(registry);
  register_track_association_cpu(registry);
}

}  // namespace vantage
