// Options of `figure --view scene` in addition to a figure's own.
#pragma once

#include <string>
#include <vector>

#include "app/cli/common/command.h"
#include "core/export/figure/scene_figure.h"

namespace vantage::cli {

struct FigureSceneArguments {
  SceneFigure scene;
  std::string distance = "fit", color = "person", slice;
  std::vector<double> look_at_m;
  std::vector<CLI::Option*> options;
};
void add_scene_options(CLI::App& command, FigureSceneArguments& arguments);
// `wanted`: the view is the scene; of another one none of these options may be given.
SceneFigure scene_of(const FigureSceneArguments& arguments, bool wanted);

}  // namespace vantage::cli
