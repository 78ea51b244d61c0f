// Names that parameters had in earlier versions. They are read wherever parameters are named (project files,
// `--set`), and never written.
#pragma once

#include <span>
#include <string_view>

namespace vantage {

struct FormerParameterName {
  std::string_view stage, former, name;
};
// Names of one parameter are in order, the oldest first.
std::span<const FormerParameterName> former_parameter_names();

// A name that is no former one of the stage's is returned as it is.
std::string_view current_parameter_name(std::string_view stage, std::string_view name);
// The oldest name of the parameter that is now called `name`.
std::string_view first_parameter_name(std::string_view stage, std::string_view name);

}  // namespace vantage
