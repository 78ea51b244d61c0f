#include "core/people/occupancy/occupancy_map.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/algorithms.h"
#include "core/people/occupancy/floor_map.h"
#include "core/people/occupancy/marginals.h"

namespace vantage {

std::optional<size_t> OccupancyPlan::cell_at(double x_m, double y_m) const {
  const double x = std::floor((x_m - cells.left_m) / cells.cell_m),
               y = std::floor((y_m - cells.low_m) / cells.cell_m);
  if (!(x >= 0 && y >= 0 && x < cells.nx && y < cells.ny)) return {};
  return static_cast<size_t>(x) + static_cast<size_t>(cells.nx) * static_cast<size_t>(y);
}

int OccupancyPlan::cameras_at(double x_m, double y_m, uint64_t available) const {
  const std::optional<size_t> cell = cell_at(x_m, y_m);
  int seeing = 0;
  for (size_t c = 0; cell && c < views.size(); ++c)
    seeing += (available >> c & 1) != 0 && !views[c].rectangles[*cell].empty();
  return seeing;
}

std::vector<FloorPerson> OccupancyPlan::people_in_areas(const Marginals& marginals,
                                                        double separation_m) const {
  std::vector<double> probability = marginals.probability;
  for (double& q : probability)
    if (q <= prior) q = 0;
  std::vector<FloorPerson> people = probable_people(cells, probability, width_m, separation_m);
  std::erase_if(people, [&](const FloorPerson& person) {
    const std::optional<size_t> cell = cell_at(person.x_m, person.y_m);
    return !cell || !in_areas[*cell];
  });
  return people;
}

double OccupancyPlan::largest_in_areas(const Marginals& marginals) const {
  double largest = 0;
  for (size_t k = 0; k < in_areas.size(); ++k)
    if (in_areas[k]) largest = std::max(largest, marginals.probability[k]);
  return largest;
}

namespace occupancy_map {
namespace {

Status wrong(const std::string& what) {
  return fail(ErrorKind::invalid_argument, what, "occupancy map");
}

MarginalCells cells_over(const VoxelGrid& grid, double cell_m, double border_m) {
  constexpr double kWhole = 1e-9;  // 2.0000000001 cells are 2
  const auto count = [&](double length_m) { return static_cast<int>(std::ceil(length_m / cell_m - kWhole)); };
  const int border = count(border_m);
  const auto over = [&](int voxels) { return std::max(1, count(voxels * grid.voxel_size_m)) + 2 * border; };
  return {grid.origin_in_world_m[0] - border * cell_m, grid.origin_in_world_m[1] - border * cell_m, cell_m,
          over(grid.nx), over(grid.ny)};
}

// How far the areas reach beyond the position; negative inside.
double distance_to_m(const std::vector<FloorZone>& areas, const Eigen::Vector2d& place_m) {
  double away_m = areas.empty() ? 0 : std::numeric_limits<double>::infinity();
  for (const FloorZone& area : areas) away_m = std::min(away_m, -distance_inside_m(area, place_m));
  return away_m;
}

}  // namespace

Status check(const OccupancyMapper::Arguments& arguments) {
  if (arguments.cameras.empty() || arguments.cameras.size() > 64) return wrong("1 to 64 cameras are needed");
  if (arguments.grid.nx <= 0 || arguments.grid.ny <= 0 || !(arguments.grid.voxel_size_m > 0))
    return wrong("the grid is empty");
  return {};
}

Status check(const OccupancyMapper::Arguments& arguments, std::span<const Image> masks, MemoryPlace place) {
  if (masks.size() != arguments.cameras.size()) return wrong("there is not one mask for each camera");
  for (size_t c = 0; c < masks.size(); ++c) {
    if (!masks[c]) continue;
    const PinholeCamera<double>& camera = arguments.cameras[c];
    if (masks[c].type() != ImageType::u8 || masks[c].place() != place)
      return wrong("a mask is of another type or lies in another memory");
    if (masks[c].width() != camera.width_px || masks[c].height() != camera.height_px)
      return wrong("the mask of camera " + std::to_string(c + 1) + " is not of its picture's size");
  }
  return {};
}

OccupancyPlan make_plan(const OccupancyMapper::Arguments& arguments, const MarginalParameters& parameters) {
  OccupancyPlan plan;
  plan.width_m = parameters.width_m, plan.prior = parameters.prior;
  plan.cells = cells_over(arguments.grid, parameters.cell_m, parameters.border_m);
  for (const PinholeCamera<double>& camera : arguments.cameras) {
    OccupancyPlan::View& view = plan.views.emplace_back();
    view.step = std::max(1, camera.width_px / OccupancyPlan::kMaskWidth_px);
    view.width = camera.width_px / view.step, view.height = std::max(1, camera.height_px / view.step);
    view.rectangles = body_rectangles(camera, plan.cells, view.width, view.height, parameters);
  }
  const MarginalCells grid = cells_over(arguments.grid, parameters.cell_m, 0);
  const int border = (plan.cells.nx - grid.nx) / 2;
  for (int y = 0; y < plan.cells.ny; ++y)
    for (int x = 0; x < plan.cells.nx; ++x) {
      const Eigen::Vector2d middle(plan.cells.left_m + (x + 0.5) * plan.cells.cell_m,
                                   plan.cells.low_m + (y + 0.5) * plan.cells.cell_m);
      const bool over_grid = x >= border && y >= border && x < border + grid.nx && y < border + grid.ny;
      plan.in_areas.push_back(over_grid && in_any(arguments.areas, middle));
      if (distance_to_m(arguments.areas, middle) <= parameters.border_m || plan.in_areas.back()) continue;
      for (OccupancyPlan::View& view : plan.views) view.rectangles[x + plan.cells.nx * y] = {};
    }
  return plan;
}

}  // namespace occupancy_map

template <>
const ParameterTable& parameter_table<FloorMapParameters>() {
  using P = FloorMapParameters;
  static const ParameterTable table = ParameterTable::make<P>(
      "floor", "Floor map",
      {
          real<&P::lowest_m>("Minimum height", "m", 0, 1,
                             "Voxels below it are left out: shadows and reflections lie on the floor."),
      });
  return table;
}

template <>
const ParameterTable& parameter_table<MarginalParameters>() {
  using P = MarginalParameters;
  using enum ParameterOption;
  static const ParameterTable table = ParameterTable::make<P>(
      "occupancy", "Occupancy map",
      {
          real<&P::cell_m>("Cell size", "m", 0.05, 1, "Side of a cell of the floor."),
          real<&P::sigma>(
              "Fit tolerance", "", 0.0001, 1,
              "How exactly people, as rectangles, must fit the foreground; smaller decides more sharply.",
              logarithmic),
          real<&P::prior>("Prior", "", 0.0001, 0.5,
                          "Probability that a person stands in a cell before any picture is seen.",
                          logarithmic),
          real<&P::height_m>("Person height", "m", 0.5, 2.5,
                             "Height of the rectangles that stand for people.", expert),
          real<&P::width_m>("Person width", "m", 0.2, 1.5, "Width of the rectangles that stand for people.",
                            expert),
          real<&P::border_m>("Border", "m", 0, 10,
                             "People this far around the areas, or the grid, are estimated too but not "
                             "reported: their outlines are then not taken for other people's.",
                             expert),
          real<&P::step>("Step", "", 0.05, 1,
                         "Share of the full change that probabilities make in an iteration.", expert),
          integer<&P::iterations>("Maximum iterations", "", 1, 2000,
                                  "Fewer are made once nothing changes any more.", expert),
      });
  return table;
}

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
