#include "core/algorithms.h"
#include "core/people/occupancy/occupancy_map.h"

namespace vantage {
namespace {

class OccupancyMapperCpu final : public OccupancyMapper {
 public:
  OccupancyMapperCpu(Arguments arguments, TraceRecorder* trace)
      : arguments_(std::move(arguments)), trace_(trace), masks_(arguments_.cameras.size()) {}

  Status prepare(const MarginalParameters& parameters) override {
    parameters_ = parameters;
    plan_ = occupancy_map::make_plan(arguments_, parameters);
    return {};
  }
  const OccupancyPlan& plan() const override { return plan_; }

  Result<Marginals> estimate(std::span<const Image> masks, int64_t frame) override {
    VANTAGE_TRY(occupancy_map::check(arguments_, masks, {}));
    const SpanGuard span(trace_, "occupancy map", "cpu occupancy map", frame, -1, SpanKind::kernel);
    std::vector<MarginalView> views(masks.size());
    for (size_t c = 0; c < masks.size(); ++c) {
      views[c].rectangles = plan_.views[c].rectangles;
      if (masks[c]) views[c].mask = small_mask(c, masks[c].view<uint8_t>());
    }
    return occupancy_marginals(views, plan_.cell_count(), parameters_);
  }

 private:
  ImageView<const uint8_t> small_mask(size_t camera, const ImageView<const uint8_t>& mask) {
    const OccupancyPlan::View& view = plan_.views[camera];
    const auto width = static_cast<size_t>(view.width);
    std::vector<uint8_t>& pixels = masks_[camera];
    pixels.resize(width * static_cast<size_t>(view.height));
    for (int y = 0; y < view.height; ++y)
      for (int x = 0; x < view.width; ++x)
        pixels[static_cast<size_t>(y) * width + static_cast<size_t>(x)] =
            mask.at(x * view.step + view.step / 2, y * view.step + view.step / 2);
    return {pixels.data(), view.width, view.height, width};
  }

  const Arguments arguments_;
  TraceRecorder* const trace_;
  MarginalParameters parameters_;
  OccupancyPlan plan_;
  std::vector<std::vector<uint8_t>> masks_;
};

}  // namespace

void register_occupancy_map_cpu(BackendRegistry& registry) {
  registry.add<OccupancyMapper>(
      Device::cpu,
      [](const BackendContext& context,
         const OccupancyMapper::Arguments& arguments) -> Result<std::unique_ptr<OccupancyMapper>> {
        VANTAGE_TRY(occupancy_map::check(arguments));
        return std::make_unique<OccupancyMapperCpu>(arguments, context.trace);
      });
}

}  // namespace vantage
