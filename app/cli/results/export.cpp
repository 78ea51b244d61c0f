// vantage-cli export: the people of a run for other programs.
#include <algorithm>

#include "app/cli/common/command.h"
#include "core/export/people/people_export.h"

namespace vantage::cli {
namespace {

struct PeopleExportArguments {
  std::string project, out, results;
  std::vector<std::string> cameras;
  bool json = false;
};

void export_for_others(const PeopleExportArguments& arguments) {
  const Project project = value_or_fail(load_project(arguments.project));
  PeopleExportOptions options;
  options.out = arguments.out, options.results = arguments.results, options.stop = interrupted();
  for (const std::string& name : arguments.cameras) {
    const auto camera = std::ranges::find(project.cameras, name, &ProjectCamera::name);
    if (camera == project.cameras.end())
      throw CLI::ValidationError("--camera", "the project has no camera " + name);
    options.cameras.push_back(static_cast<size_t>(camera - project.cameras.begin()));
  }
  const ExportedPeople exported = value_or_fail(export_people(project, options));
  Report report;
  report.add_data("people", exported.people);
  std::vector<std::string> files;
  for (const auto& file : exported.files) files.push_back(file.string());
  report.add_data("files", files);
  for (const std::string& file : files)
    report.add_sentence(std::to_string(exported.people) + " people in " + file);
  report.add_data("notes", exported.notes);
  for (const std::string& note : exported.notes) report.add_sentence("note: " + note);
  print_report(report, arguments.json);
}

// In the form of CLI11: an error text, or empty.
std::string check_ending(const std::string& file) {
  return people_format(file) ? "" : "the file's name must end in .glb, .gltf or .xml";
}

}  // namespace

void add_export(CLI::App& app) {
  auto options = std::make_shared<PeopleExportArguments>();
  CLI::App* command =
      app.add_subcommand("export", "Write the people of a run for other programs: glTF or CVAT.");
  command->footer(
      "The file's ending sets the format: .glb or .gltf is a scene of cameras, floor, zones and people who "
      "move,\n"
      "for Blender and others; .xml has boxes of people in one camera's pictures, for CVAT, which several "
      "cameras\n"
      "get a file each for: people_cam1.xml, people_cam2.xml. IDs and names are those after repairs.\n"
      "Example: vantage-cli export hall.vantage --out people.glb");
  command->add_option("project", options->project, "a project that was run")
      ->required()
      ->type_name("P.vantage");
  command->add_option("--out", options->out, "the file; its ending sets the format")
      ->required()
      ->type_name("FILE")
      ->check(check_ending);
  command->add_option("--camera", options->cameras, ".xml: only this camera; may be repeated")
      ->type_name("NAME");
  command->add_option("--results", options->results, "results in another folder; NAME.results if absent")
      ->type_name("DIR");
  add_json_flag(*command, &options->json);
  command->callback([options] { export_for_others(*options); });
}

}  // namespace vantage::cli
