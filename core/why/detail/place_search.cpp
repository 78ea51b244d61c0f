#include "core/why/detail/place_search.h"

#include <algorithm>
#include <cmath>

#include "core/algorithms.h"
#include "core/base/hash.h"
#include "core/pipeline/head_views.h"
#include "core/project/scene_plan.h"
#include "core/why/why_place.h"

namespace vantage::why_detail {
namespace {

// On the CPU for every device: the repeated computations are small, and give the same results.
const BackendRegistry& cpu() {
  static const BackendRegistry registry = [] {
    BackendRegistry made;
    register_cpu_backends(made);
    return made;
  }();
  return registry;
}

uint64_t carving_hash(const ParameterStore& parameters) {
  return Hasher()
      .add(parameters.hash(parameter_table<CarvingParameters>().stage))
      .add(parameters.hash(parameter_table<FloorMapParameters>().stage))
      .value();
}

}  // namespace

MayStand PlaceInput::may_stand() const {
  if (areas.empty()) return {};
  return [this](double x_m, double y_m) { return in_any(areas, {x_m, y_m}); };
}

Result<PlaceInput> place_input(const Project& project, Analysis& analysis, const FrameResult& result) {
  PlaceInput input;
  input.result = &result;
  input.cameras = analysis.cameras(result.frame);
  input.grid = result.floor_map()->grid;
  input.areas = project.areas();
  input.fusion_floor = fusion_floor(project, input.grid);
  input.ignored = project.ignored_pixels(project.calibrations(result.frame));
  VANTAGE_ASSIGN(input.indicators, analysis.host_indicators(result));
  for (const Image& indicator : input.indicators)
    input.masks.push_back(indicator ? sample_mask(indicator.view<uint8_t>()) : MaskSamples());
  return input;
}

PlaceSearch::PlaceSearch(const PlaceInput& input, const ParameterStore& parameters, PeopleSource source)
    : input_(input),
      source_(source),
      carving_hash_(carving_hash(parameters)),
      finder_(input.grid, input.cameras, input.may_stand()),
      fused_(input.fusion_floor, input.cameras, input.areas, input.ignored) {}

Result<bool> PlaceSearch::somebody(const ParameterStore& parameters, double x_m, double y_m) {
  const auto search = source_ == PeopleSource::volume      ? &PlaceSearch::in_volume
                      : source_ == PeopleSource::occupancy ? &PlaceSearch::in_occupancy
                                                           : &PlaceSearch::in_detections;
  VANTAGE_ASSIGN(const std::vector<FoundPerson> people, (this->*search)(parameters));
  return std::any_of(people.begin(), people.end(), [&](const FoundPerson& person) {
    return std::hypot(person.x_m - x_m, person.y_m - y_m) <= kWhyReach_m;
  });
}

Result<std::vector<FoundPerson>> PlaceSearch::in_volume(const ParameterStore& parameters) {
  finder_.set_parameters(parameters.get<PeopleParameters>());
  if (carving_hash(parameters) == carving_hash_) return finder_.find(input_.floor(), input_.masks).people;
  VANTAGE_ASSIGN(const FloorMap map, carved(parameters));
  return finder_.find({map.columns.view<uint16_t>(), map.tops.view<uint16_t>()}, input_.masks).people;
}

Result<FloorMap> PlaceSearch::carved(const ParameterStore& parameters) {
  if (!carver_) {
    VANTAGE_ASSIGN(carver_, cpu().create<Carver>(Device::cpu, {}, {input_.cameras, input_.grid, true}));
    VANTAGE_ASSIGN(mapper_, cpu().create<FloorMapper>(Device::cpu, {}, {input_.grid}));
  }
  carver_->set_parameters(parameters.get<CarvingParameters>());
  mapper_->set_parameters(parameters.get<FloorMapParameters>());
  VANTAGE_ASSIGN(const CarvedVolume volume, carver_->carve(input_.indicators, false, input_.result->frame));
  return mapper_->map(volume.occupancy, input_.result->frame);
}

Result<Marginals> PlaceSearch::marginals(const ParameterStore& parameters) {
  if (!occupancy_) {
    VANTAGE_ASSIGN(occupancy_, cpu().create<OccupancyMapper>(Device::cpu, {},
                                                             {input_.cameras, input_.grid, input_.areas}));
  }
  VANTAGE_TRY(occupancy_->prepare(parameters.get<MarginalParameters>()));
  const Result<std::vector<Image>>& masks = input_.result->foreground()->host_masks.get();
  if (!masks) return fail(masks.error());
  return occupancy_->estimate(*masks, input_.result->frame);
}

Result<double> PlaceSearch::probability(const ParameterStore& parameters, double x_m, double y_m) {
  VANTAGE_ASSIGN(const Marginals all, marginals(parameters));
  const MarginalCells& cells = occupancy_->plan().cells;
  double largest = 0;
  size_t cell = 0;
  for (int y = 0; y < cells.ny; ++y)
    for (int x = 0; x < cells.nx; ++x, ++cell)
      if (std::hypot(cells.left_m + (x + 0.5) * cells.cell_m - x_m,
                     cells.low_m + (y + 0.5) * cells.cell_m - y_m) <= kWhyReach_m)
        largest = std::max(largest, all.probability[cell]);
  return largest;
}

Result<std::vector<FoundPerson>> PlaceSearch::in_occupancy(const ParameterStore& parameters) {
  VANTAGE_ASSIGN(const Marginals all, marginals(parameters));
  std::vector<FoundPerson> people;
  const double separation_m = parameters.get<PeopleParameters>().separation_m;
  for (const FloorPerson& person : occupancy_->plan().people_in_areas(all, separation_m)) {
    FoundPerson& found = people.emplace_back();
    found.x_m = person.x_m, found.y_m = person.y_m;
  }
  return people;
}

Result<std::vector<FoundPerson>> PlaceSearch::in_detections(const ParameterStore& parameters) {
  fused_.configure(parameters);
  PeopleArtifact found;
  fused_.find(input_.result->artifacts.detections->cameras, input_.masks, head_boxes(input_.result->heads()),
              &found);
  return found.found.people;
}

}  // namespace vantage::why_detail
