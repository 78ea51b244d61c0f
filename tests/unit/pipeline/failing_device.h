// Stands in for a GPU that is lost in the middle of a recording: everything runs on the CPU, registered for
// Device::cuda, and from one frame on carving says that the device is lost.
#pragma once

#include <memory>
#include <utility>

#include "core/carving/carving.h"
#include "core/foreground/foreground.h"
#include "core/foreground/ignored_painter.h"
#include "core/foreground/picture_steadier.h"
#include "core/heads/heads.h"
#include "core/image/backend/memory_transfer.h"
#include "core/image/backend/registry.h"
#include "core/optical_flow/optical_flow.h"
#include "core/people/mask_samples.h"
#include "core/people/occupancy/floor_map.h"
#include "core/people/occupancy/occupancy_map.h"
#include "core/tracking/association.h"

namespace vantage::test {

class CarverUntil final : public Carver {
 public:
  CarverUntil(std::unique_ptr<Carver> carver, int64_t lost_at)
      : carver_(std::move(carver)), lost_at_(lost_at) {}
  void set_parameters(const CarvingParameters& parameters) override { carver_->set_parameters(parameters); }
  Result<CarvedVolume> carve(std::span<const Image> indicators, bool keep_confidence,
                             int64_t frame) override {
    if (frame >= lost_at_)
      return fail(ErrorKind::device_lost, "the device was lost", "cuda:0", "Restart the program.");
    return carver_->carve(indicators, keep_confidence, frame);
  }

 private:
  std::unique_ptr<Carver> carver_;
  int64_t lost_at_;
};

template <typename I>
void lend_cpu(BackendRegistry& registry) {
  registry.add<I>(Device::cuda,
                  [&registry](const BackendContext& context, const typename I::Arguments& with) {
                    return registry.create<I>(Device::cpu, context, with);
                  });
}

// The registry has the CPU's implementations and outlives what is made from it.
inline void add_failing_device(BackendRegistry& registry, int64_t lost_at) {
  lend_cpu<ForegroundModel>(registry);
  lend_cpu<IgnoredPainter>(registry);
  lend_cpu<PictureSteadier>(registry);
  lend_cpu<FloorMapper>(registry);
  lend_cpu<OpticalFlow>(registry);
  lend_cpu<HeadDetector>(registry);
  lend_cpu<OccupancyMapper>(registry);
  lend_cpu<MaskSampler>(registry);
  lend_cpu<TrackAssociation>(registry);
  registry.add<Carver>(
      Device::cuda,
      [&registry, lost_at](const BackendContext& context,
                           const Carver::Arguments& with) -> Result<std::unique_ptr<Carver>> {
        VANTAGE_ASSIGN(std::unique_ptr<Carver> carver, registry.create<Carver>(Device::cpu, context, with));
        return std::make_unique<CarverUntil>(std::move(carver), lost_at);
      });
  lend_cpu<MemoryTransfer>(registry);  // pictures stay where they are
}

}  // namespace vantage::test
