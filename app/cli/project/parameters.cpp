// vantage-cli parameters: what can be set, made from the tables; also makes resources/docs/parameters.md.
#include <algorithm>
#include <cstdio>

#include "app/cli/common/command.h"
#include "core/base/formatted.h"
#include "core/base/former_parameter_names.h"
#include "core/base/json.h"
#include "core/people/triangulation/triangulation.h"
#include "core/project/parameters_json.h"
#include "core/project/project.h"

namespace vantage::cli {
namespace {

using Tables = std::vector<const ParameterTable*>;

struct ParametersOptions {
  std::string stage;
  bool json = false, markdown = false;
};

// A project's, and that of the subcommand `heads`.
Tables all_tables() {
  Tables tables = default_parameters().tables();
  tables.push_back(&parameter_table<TriangulationParameters>());
  return tables;
}

Tables tables_of(const std::string& stage) {
  Tables tables = all_tables();
  if (stage.empty()) return tables;
  std::string known;
  for (const ParameterTable* table : tables) known += (known.empty() ? "" : ", ") + table->stage;
  std::erase_if(tables, [&](const ParameterTable* table) { return table->stage != stage; });
  if (tables.empty())
    throw CLI::ValidationError("STAGE", "there is no stage '" + stage + "'; there are " + known);
  return tables;
}

std::vector<std::string> former_names(const ParameterTable& table, const ParameterDescription& entry) {
  std::vector<std::string> names;
  for (const FormerParameterName& former : former_parameter_names())
    if (former.stage == table.stage && former.name == entry.name) names.emplace_back(former.former);
  return names;
}

nlohmann::ordered_json describe(const ParameterTable& table, const ParameterDescription& entry) {
  constexpr const char* kTypes[] = {"real", "integer", "boolean", "choice"};
  nlohmann::ordered_json json = {{"name", table.stage + '.' + entry.name},
                                 {"display_name", entry.display_name},
                                 {"type", kTypes[static_cast<size_t>(entry.type)]},
                                 {"default", parameter_value_json(entry, entry.default_value)}};
  if (entry.type == ParameterType::choice) {
    json["choices"] = entry.choices;
  } else if (entry.type != ParameterType::boolean) {
    json["minimum"] = parameter_value_json(entry, entry.minimum);
    json["maximum"] = parameter_value_json(entry, entry.maximum);
  }
  json["unit"] = entry.unit;
  json["expert"] = entry.expert;
  json["help"] = entry.help;
  json["former_names"] = former_names(table, entry);
  return json;
}

nlohmann::ordered_json json_of(const Tables& tables) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const ParameterTable* table : tables)
    for (const ParameterDescription& entry : table->entries) json.push_back(describe(*table, entry));
  return json;
}

void print_markdown(const Tables& tables) {
  std::printf(
      "# Parameters\n\n"
      "Set for one run with `--set STAGE.PARAMETER=VALUE`, in a project with the window's Parameters panel\n"
      "(F6) or under `parameters` of its file ([formats.md](formats.md)). A plus marks those that the panel\n"
      "shows behind *More*. Names of earlier versions are still read. The stage `triangulation` is that of\n"
      "`vantage-cli heads` alone.\n\n"
      "This page is made by `vantage-cli parameters --markdown > resources/docs/parameters.md`.\n");
  for (const ParameterTable* table : tables) {
    std::printf(
        "\n## %s: `%s`\n\n| Parameter | In the window | Default | Range | Meaning |\n|---|---|---|---|---|\n",
        table->display_name.c_str(), table->stage.c_str());
    for (const ParameterDescription& entry : table->entries) {
      std::string help = entry.help;
      for (const std::string& former : former_names(*table, entry)) help += " Formerly `" + former + "`.";
      std::printf("| `%s` | %s%s | %s | %s | %s |\n", entry.name.c_str(), entry.display_name.c_str(),
                  entry.expert ? " +" : "", ParameterStore::to_text(entry, entry.default_value).c_str(),
                  ParameterStore::range_text(entry).c_str(), help.c_str());
    }
  }
}

void print_text(const Tables& tables) {
  for (const ParameterTable* table : tables) {
    std::printf("%s (%s)\n", table->stage.c_str(), table->display_name.c_str());
    for (const ParameterDescription& entry : table->entries)
      std::printf("  %s=%s  (%s)\n      %s: %s\n", (table->stage + '.' + entry.name).c_str(),
                  ParameterStore::to_text(entry, entry.default_value).c_str(),
                  ParameterStore::range_text(entry).c_str(), entry.display_name.c_str(), entry.help.c_str());
  }
}

void parameters(const ParametersOptions& options) {
  const Tables tables = tables_of(options.stage);
  if (options.json)
    print_json(json_of(tables));
  else if (options.markdown)
    print_markdown(tables);
  else
    print_text(tables);
}

}  // namespace

void add_parameters(CLI::App& app) {
  auto options = std::make_shared<ParametersOptions>();
  CLI::App* command = app.add_subcommand(
      "parameters", "List what can be set with --set: default, range, unit and meaning of each.");
  command->footer("Example: vantage-cli parameters foreground");
  command->add_option("stage", options->stage, "only this stage's")->type_name("STAGE");
  CLI::Option* json = command->add_flag("--json", options->json, "print JSON");
  command->add_flag("--markdown", options->markdown, "print the reference page")->excludes(json);
  command->callback([options] { parameters(*options); });
}

}  // namespace vantage::cli
