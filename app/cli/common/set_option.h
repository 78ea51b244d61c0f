// --set STAGE.PARAMETER=VALUE, the same in every subcommand that takes it. Wrong assignments are wrong usage.
#pragma once

#include <string>
#include <vector>

#include "app/cli/common/command.h"
#include "core/base/parameters.h"
#include "core/project/project.h"

namespace vantage::cli {

struct SetOption {
  std::vector<std::string> assignments = {};

  // `stages` names what can be set: "heads or triangulation"; empty: all stages of a project.
  void add_to(CLI::App& command, const std::string& stages = {});
  void apply_to(Project* project) const;
  ParameterStore apply_to(std::vector<const ParameterTable*> tables) const;
};

}  // namespace vantage::cli
