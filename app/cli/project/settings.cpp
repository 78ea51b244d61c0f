#include <fmt/core.h>
#include <algorithm>
#include <cstdio>
#include <memory>

#include "app/cli/common/command.h"
#include "app/cli/common/project_arguments.h"
#include "app/cli/evaluate/evaluate_figures.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/parameters.h"
#include "core/base/text.h"
#include "core/people/triangulation/triangulation.h"
#include "core/project/json_parts.h"
#include "core/project/project.h"
#include "core/project/project_store.h"
#include "core/project/variants.h"
#include "core/results/compare_results.h"
#include "core/results/compare_trackers.h"

namespace vantage::cli {

// vantage-cli parameters: lists all parameters from the tables; also generates resources/docs/parameters.md.

namespace {

using Tables = std::vector<const ParameterTable*>;

struct ParametersOptions {
  std::string stage;
  bool json = false, markdown = false;
};

// The tables of a project, and of the subcommand `heads`.
Tables all_tables() {
  Tables tables = default_parameters().tables();
  tables.push_back(&parameter_table<TriangulationParameters>());
  return tables;
}

Tables tables_of(const std::string& stage) {
  Tables tables = all_tables();
  if (stage.empty()) return tables;
  std::string known;
  for (const ParameterTable* table : tables) append_item(&known, table->stage);
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
  fmt::print(
      "# Parameters\n\n"
      "Set for one run with `--set STAGE.PARAMETER=VALUE`, in a project with the window's Parameters panel\n"
      "(F6) or under `parameters` of its file ([formats.md](formats.md)). The name in the window follows,\n"
      "with a plus where the panel shows it behind *More*. Names of earlier versions are still read. The\n"
      "stage `triangulation` is that of `vantage-cli heads` alone.\n\n"
      "This page is made by `vantage-cli parameters --markdown > resources/docs/parameters.md`.\n");
  for (const ParameterTable* table : tables) {
    fmt::print("\n## {}: `{}`\n\n| Parameter | Default (range) | Meaning |\n|---|---|---|\n",
               table->display_name, table->stage);
    for (const ParameterDescription& entry : table->entries) {
      std::string help = entry.help, value = ParameterStore::to_text(entry, entry.default_value);
      for (const std::string& former : former_names(*table, entry)) help += " Formerly `" + former + "`.";
      if (entry.type != ParameterType::boolean) value += " (" + ParameterStore::range_text(entry) + ')';
      fmt::print("| `{}` *{}*{} | {} | {} |\n", entry.name, entry.display_name, entry.expert ? " +" : "",
                 value, help);
    }
  }
}

void print_text(const Tables& tables) {
  for (const ParameterTable* table : tables) {
    fmt::print("{} ({})\n", table->stage, table->display_name);
    for (const ParameterDescription& entry : table->entries)
      fmt::print("  {}={}  ({})\n      {}: {}\n", (table->stage + '.' + entry.name),
                 ParameterStore::to_text(entry, entry.default_value), ParameterStore::range_text(entry),
                 entry.display_name, entry.help);
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
  CLI::Option* json = add_json_flag(*command, &options->json);
  command->add_flag("--markdown", options->markdown, "print the reference page")->excludes(json);
  command->callback([options] { parameters(*options); });
}

// vantage-cli variants: named parameter sets of a project, and the results of runs with them.

namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

struct VariantOptions {
  std::string project, name, other, results, truth;
  SetOption set;
  bool replace = false, json = false, copy = false;
  double beyond_m = CompareResultsOptions().beyond_m;
  IntervalOptions intervals;
};

// The results of a variant, and whether its parameters made them.
struct VariantResults {
  int64_t frames = 0;
  std::string version;
  bool current = false;
  std::optional<TrackingMetrics> metrics;  // with ground truth
};

std::optional<VariantResults> results_of(const Project& project, const Variant& variant,
                                         const GroundTruth& truth) {
  const fs::path folder = variant_results(project.path, variant.name);
  std::error_code none;
  if (!fs::exists(folder / "results.jsonl", none)) return std::nullopt;
  const ParametersOfResults of = value_or_fail(parameters_of_results(folder, default_parameters()));
  VariantResults results{
      of.frames, of.version, parameter_differences(of.parameters, variant.parameters).empty(), {}};
  if (truth.empty()) return results;
  const StoredResults stored = value_or_fail(read_results(folder));
  const auto paths = value_or_fail(follow_again(stored, ComparedMethod::recorded, project));
  const std::vector<int64_t> known = known_frames(stored);
  results.metrics = value_or_fail(measure_paths(paths, {known, known}, truth));
  return results;
}

ordered_json results_json(const std::optional<VariantResults>& results) {
  if (!results) return {};
  ordered_json json = {
      {"frames", results->frames}, {"version", results->version}, {"current", results->current}};
  if (results->metrics)
    json["metrics"] = {
        {"moda", results->metrics->clear.moda},    {"mota", results->metrics->clear.mota},
        {"idf1", results->metrics->identity.idf1}, {"hota", results->metrics->hota.hota},
        {"ospa_m", results->metrics->sets.ospa_m}, {"gospa_m", results->metrics->sets.gospa_m}};
  return json;
}

std::string results_text(const std::optional<VariantResults>& results) {
  if (!results) return "no results";
  std::string text = std::to_string(results->frames) + " frames" +
                     (results->current ? "" : ", out of date: analysed with other parameters");
  if (results->metrics)
    text += fmt::format(", MODA {:.3f}, IDF1 {:.3f}, HOTA {:.3f}", results->metrics->clear.moda,
                        results->metrics->identity.idf1, results->metrics->hota.hota);
  return text;
}

// Ground truth of --gt, or that drawn in the project.
GroundTruth truth_of(const VariantOptions& options, const Project& project) {
  if (options.truth.empty()) return ground_truth_of(project.truth);
  return value_or_fail(read_ground_truth(options.truth));
}

void list_variants(const VariantOptions& options) {
  const Project project = value_or_fail(load_project(options.project));
  const GroundTruth truth = truth_of(options, project);
  const StoredVariants stored = read_variants(project.path, default_parameters());
  ordered_json json = ordered_json::array();
  for (const Variant& variant : stored.variants) {
    const std::optional<VariantResults> results = results_of(project, variant, truth);
    const bool in_use = parameter_differences(variant.parameters, project.parameters).empty();
    json.push_back({{"name", variant.name},
                    {"in_use", in_use},
                    {"made_utc", variant.made_utc},
                    {"origin", variant.origin},
                    {"version", variant.version},
                    {"parameters", parameters_json(variant.parameters, true)},
                    {"results", results_json(results)}});
    if (!options.json)
      fmt::print("{}{}  {}, of {}; {}\n", variant.name, in_use ? " (in use)" : "", variant.made_utc,
                 variant.origin, results_text(results));
  }
  for (const Error& damaged : stored.damaged) fmt::print(stderr, "{}\n", damaged.message());
  if (options.json)
    print_json(json);
  else if (stored.variants.empty())
    fmt::print("no variants; `vantage-cli variants add` makes one\n");
}

void add_variant(const VariantOptions& options) {
  const Project project = value_or_fail(load_project(options.project));
  if (options.copy) {
    check_or_fail(keep_results(project.path, options.name, options.results, default_parameters()));
    fmt::print("{}: kept with its results\n", options.name);
    return;
  }
  Variant variant{options.name, {}, "the project", {}, project.parameters};
  if (!options.other.empty()) {
    variant = value_or_fail(read_variant(project.path, options.other, default_parameters()));
    variant.origin = "the variant " + options.other;
  } else if (!options.results.empty()) {
    ParametersOfResults of = value_or_fail(parameters_of_results(options.results, default_parameters()));
    variant.parameters = std::move(of.parameters);
    variant.origin = fs::path(options.results).filename().string() + " of version " + of.version;
  }
  variant.name = options.name;
  Project changed = project;
  changed.parameters = variant.parameters;
  options.set.apply_to(&changed);
  if (changed.detection_model != project.detection_model || changed.joints_model != project.joints_model)
    throw CLI::ValidationError("--set", "a variant holds parameters; the models belong to the project");
  variant.parameters = changed.parameters;
  for (const std::string& assignment : options.set.assignments) variant.origin += ", " + assignment;
  check_or_fail(write_variant(project.path, variant, options.replace));
  fmt::print("{}: {} parameters differ from the project's\n", options.name,
             parameter_differences(variant.parameters, project.parameters).size());
}

// Parameters of a variant or, without a name, of the project.
ParameterStore parameters_named(const Project& project, const std::string& name) {
  if (name.empty()) return project.parameters;
  return value_or_fail(read_variant(project.path, name, default_parameters())).parameters;
}

void print_difference(const VariantOptions& options) {
  const Project project = value_or_fail(load_project(options.project));
  const auto differences = parameter_differences(parameters_named(project, options.name),
                                                 parameters_named(project, options.other));
  ordered_json json = ordered_json::array();
  for (const ParameterDifference& one : differences) {
    json.push_back({{"key", one.key()},
                    {"unit", one.description->unit},
                    {"first", parameter_value_json(*one.description, one.first)},
                    {"second", parameter_value_json(*one.description, one.second)}});
    if (!options.json)
      fmt::print("{:32} {:>12} {:>12} {}\n", one.key(), ParameterStore::to_text(*one.description, one.first),
                 ParameterStore::to_text(*one.description, one.second), one.description->unit);
  }
  if (options.json)
    print_json(json);
  else if (differences.empty())
    fmt::print("no parameter differs\n");
}

// Results of a variant or, without a name, of the project.
fs::path results_named(const Project& project, const std::string& name) {
  if (name.empty()) return project.results_folder();
  static_cast<void>(value_or_fail(read_variant(project.path, name, default_parameters())));
  return variant_results(project.path, name);
}

// Its name in sentences.
std::string name_of(const std::string& variant) {
  return variant.empty() ? "the project" : variant;
}

Report difference_report(const ResultsDifference& one, const std::string& first, const std::string& second) {
  const auto number = [](int64_t id) { return id > 0 ? ReportValue(id) : ReportValue(); };
  Report row;
  row.add_data("kind", kind_name(one.kind));
  row.add_data("first_frame", one.first_frame), row.add_data("last_frame", one.last_frame);
  row.add_data("x_m", one.x_m), row.add_data("y_m", one.y_m);
  row.say("frame {first_frame}  x {x_m:2}  y {y_m:2} m: " + difference_text(one, first, second));
  row.add_data("first_id", number(one.first_id)), row.add_data("second_id", number(one.second_id));
  if (one.kind == DifferenceKind::apart) row.add_data("apart_m", one.apart_m);
  if (one.kind == DifferenceKind::identity) {
    row.add_data("first_id_before", number(one.first_id_before));
    row.add_data("second_id_before", number(one.second_id_before));
  }
  if (!one.rule.empty()) row.add_data("rule", one.rule);
  return row;
}

void print_comparison(const VariantOptions& options) {
  const Project project = value_or_fail(load_project(options.project));
  CompareResultsOptions how;
  how.beyond_m = options.beyond_m, how.reach_m = std::max(how.reach_m, options.beyond_m);
  how.project = &project, how.stop = interrupted();
  const ResultsComparison compared = value_or_fail(
      compare_results(results_named(project, options.name), results_named(project, options.other), how));
  const GroundTruth truth = truth_of(options, project);
  std::vector<ComparedFigure> figures;
  if (!truth.empty())
    figures = value_or_fail(compare_by_truth(results_named(project, options.name),
                                             results_named(project, options.other), truth,
                                             options.intervals.bootstrap()));
  const std::string first = name_of(options.name), second = name_of(options.other);
  std::vector<Report> differences;
  for (const ResultsDifference& one : compared.differences)
    differences.push_back(difference_report(one, first, second));
  Report report;
  report.add_data("frames", compared.frames), report.add_data("differing", compared.differing);
  report.add_data("only_first", compared.only_first), report.add_data("only_second", compared.only_second);
  report.add_data("apart", compared.apart), report.add_data("identities", compared.identities);
  report.add_data("events", compared.events);
  report.say("people differ in {differing} of {frames} frames: {only_first} only in " + first +
             ", {only_second} only in " + second + ", {apart} apart");
  report.say("{identities} changes of identity, {events} events differ");
  report.add_rows("differences", std::move(differences));
  if (figures.empty()) report.add_data("by_truth", {});
  if (!figures.empty()) add_compared("by_truth", figures, first, second, &report);
  print_report(report, options.json);
}

void use_variant(const VariantOptions& options) {
  const Project project = value_or_fail(load_project(options.project));
  const Variant variant = value_or_fail(read_variant(project.path, options.name, default_parameters()));
  value_or_fail(change_project_file(options.project, [&](Project& stored) -> Status {
    stored.parameters = variant.parameters;
    return {};
  }));
  tell_who_has_it(options.project);
  fmt::print("{} parameters changed\n", parameter_differences(project.parameters, variant.parameters).size());
}

void remove_named(const VariantOptions& options) {
  const Project project = value_or_fail(load_project(options.project));
  check_or_fail(remove_variant(project.path, options.name));
}

CLI::App* add_part(CLI::App& variants, VariantOptions& options, const char* name, const char* help) {
  CLI::App* part = variants.add_subcommand(name, help);
  part->add_option("project", options.project, "the project")->required()->type_name("P.vantage");
  return part;
}

}  // namespace

void add_variants(CLI::App& app) {
  auto options = std::make_shared<VariantOptions>();
  CLI::App* variants =
      app.add_subcommand("variants", "Named parameter sets of a project, in addition to the one in use.");
  variants->require_subcommand(1);
  variants->footer(
      "Variants are stored in NAME.variants next to the project. `run --variant NAME` runs with one and "
      "keeps the results under its name.\n"
      "Example: vantage-cli variants add hall.vantage \"strict\" --set people.min_own=0.4");
  CLI::App* list =
      add_part(*variants, *options, "list", "List the variants and the quality of their results.");
  list->add_option("--gt", options->truth,
                   "ground truth on the floor, as evaluate takes it: MODA, IDF1 and HOTA; absent: what was "
                   "drawn in the project")
      ->check(CLI::ExistingFile);
  add_json_flag(*list, &options->json);
  list->callback([options] { list_variants(*options); });

  CLI::App* add = add_part(*variants, *options, "add",
                           "Save the project's parameters as they are, or others, under a name.");
  add->add_option("name", options->name, "name of the variant")->required();
  CLI::Option* from =
      add->add_option("--from", options->other, "the parameters of another variant")->type_name("NAME");
  CLI::Option* results = add->add_option("--results", options->results,
                                         "the parameters of old results: a folder that `run` wrote")
                             ->type_name("DIR")
                             ->check(CLI::ExistingPath)
                             ->excludes(from);
  options->set.add_to(*add);
  CLI::Option* replace = add->add_flag("--replace", options->replace, "replace an existing one of that name");
  add->add_flag("--copy", options->copy, "also keep a copy of the results, for comparison")
      ->needs(results)
      ->excludes(replace);
  add->callback([options] {
    if (options->copy && !options->set.assignments.empty())
      throw CLI::ValidationError("--copy", "the results were not made with the parameters of --set");
    add_variant(*options);
  });

  CLI::App* difference = add_part(*variants, *options, "difference",
                                  "The parameters in which two variants, or one and the project, differ.");
  difference->add_option("first", options->name, "a variant")->required();
  difference->add_option("second", options->other, "another; the project if absent");
  add_json_flag(*difference, &options->json);
  difference->callback([options] { print_difference(*options); });

  CLI::App* compare = add_part(*variants, *options, "compare",
                               "Compare the results of two variants: people, identities, events.");
  compare->add_option("first", options->name, "a variant")->required();
  compare->add_option("second", options->other, "another; the project's results if absent");
  compare
      ->add_option("--beyond", options->beyond_m,
                   "distance from which two people count as different, in metres")
      ->check(CLI::Range(0.01, 5.0))
      ->capture_default_str();
  compare
      ->add_option("--gt", options->truth,
                   "ground truth on the floor: which of the two is better by it, or not told apart; absent: "
                   "what was drawn in the project")
      ->check(CLI::ExistingPath);
  options->intervals.add_to(*compare);
  add_json_flag(*compare, &options->json);
  compare->callback([options] { print_comparison(*options); });

  CLI::App* use = add_part(*variants, *options, "use", "Give the project a variant's parameters.");
  use->add_option("name", options->name, "the variant")->required();
  use->callback([options] { use_variant(*options); });

  CLI::App* remove =
      add_part(*variants, *options, "remove", "Remove a variant, and the results kept under its name.");
  remove->add_option("name", options->name, "the variant")->required();
  remove->callback([options] { remove_named(*options); });
}

}  // namespace vantage::cli
