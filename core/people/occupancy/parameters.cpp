#include "core/people/occupancy/floor_map.h"
#include "core/people/occupancy/marginals.h"

namespace vantage {

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

}  // namespace vantage
