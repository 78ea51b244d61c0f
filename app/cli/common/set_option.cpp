#include "app/cli/common/set_option.h"

namespace vantage::cli {
namespace {

void check_assignment(const Status& set) {
  if (!set) throw CLI::ValidationError("--set", set.error().message());
}

}  // namespace

void SetOption::add_to(CLI::App& command, const std::string& stages) {
  command
      .add_option("--set", assignments,
                  "a parameter for this run" + (stages.empty() ? "" : " of " + stages) +
                      ", repeatable; vantage-cli parameters lists them")
      ->type_name("STAGE.PARAMETER=VALUE");
}

void SetOption::apply_to(Project* project) const {
  for (const std::string& assignment : assignments) check_assignment(set_from_text(project, assignment));
}

ParameterStore SetOption::apply_to(std::vector<const ParameterTable*> tables) const {
  ParameterStore store(std::move(tables));
  for (const std::string& assignment : assignments) check_assignment(store.set_from_text(assignment));
  return store;
}

}  // namespace vantage::cli
