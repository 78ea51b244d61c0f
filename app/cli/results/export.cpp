// vantage-cli export: the people of a run for other programs.
#include <algorithm>

#include "app/cli/common/command.h"
#include "core/export/people/people_export.h"

namespace vantage::cli {
namespace {

struct PeopleExportArguments {
  std::string project, out, results;
  std::vector<std::string> cameras;
  int picture_width_px = PeopleExportOptions{.out = {}}.picture_width_px;
  bool json = false;
};

void export_for_others(const PeopleExportArguments& arguments) {
  const Project project = value_or_fail(load_project(arguments.project));
  PeopleExportOptions options;
  options.out = arguments.out, options.results = arguments.results, options.stop = interrupted();
  options.picture_width_px = arguments.picture_width_px;
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
  return people_format(file) ? "" : "the file's name must end in " + people_endings();
}

}  // namespace

void add_export(CLI::App& app) {
  auto options = std::make_shared<PeopleExportArguments>();
  CLI::App* command = app.add_subcommand(
      "export", "Write the people of a run for other programs: glTF, USD, MCAP, FiftyOne or CVAT.");
  command->footer(
      "The file's ending sets the format:\n"
      "  .glb, .gltf  a scene of cameras, floor, zones and people who move, for Blender and others\n"
      "  .usda        the same in USD\n"
      "  .mcap        such a scene with the cameras' pictures, for Foxglove and Rerun\n"
      "  .fiftyone    a folder: a dataset of the cameras' videos with boxes of people, for FiftyOne\n"
      "  .xml         boxes of people in one camera's pictures, for CVAT; several cameras get a file each:\n"
      "               people_cam1.xml, people_cam2.xml\n"
      "IDs and names are those after repairs.\n"
      "Example: vantage-cli export hall.vantage --out people.glb");
  command->add_option("project", options->project, "a project that was run")
      ->required()
      ->type_name("P.vantage");
  command->add_option("--out", options->out, "the file; its ending sets the format")
      ->required()
      ->type_name("FILE")
      ->check(check_ending);
  command
      ->add_option("--camera", options->cameras, ".xml, .fiftyone, .mcap: only this camera; may be repeated")
      ->type_name("NAME");
  command
      ->add_option("--picture-width", options->picture_width_px,
                   ".mcap: wider pictures are reduced; 0: without pictures")
      ->type_name("PX")
      ->check(CLI::Range(0, 16384))
      ->capture_default_str();
  command->add_option("--results", options->results, "results in another folder; NAME.results if absent")
      ->type_name("DIR");
  add_json_flag(*command, &options->json);
  command->callback([options] { export_for_others(*options); });
}

}  // namespace vantage::cli
