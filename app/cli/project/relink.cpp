// vantage-cli relink: where the files of a project are now.
#include <array>
#include <cstdio>

#include "app/cli/common/project_change.h"
#include "app/cli/common/value_or_fail.h"
#include "core/base/json.h"
#include "core/project/missing_files.h"
#include "core/project/project_store.h"

namespace vantage::cli {
namespace {

struct RelinkOptions {
  std::string project, folder;
  bool by_name = false, write = false, json = false;
};

nlohmann::ordered_json found_json(const Project& project, const FoundFile& found) {
  const auto file = static_cast<size_t>(found.missing.role);
  nlohmann::ordered_json json = {{"camera", project.cameras[found.missing.camera].name},
                                 {"what", std::array{"video", "background", "detections", "model"}.at(file)},
                                 {"was", found.missing.path}};
  if (found.missing.role == FileRole::model) json["camera"] = nullptr;
  json["found"] = found.path.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(found.path);
  json["why"] = found.why;
  return json;
}

void print(const RelinkOptions& options, const Project& project, const std::vector<FoundFile>& all,
           size_t found) {
  if (options.json) {
    nlohmann::ordered_json json = {{"missing", all.size()}, {"found", found}, {"written", options.write}};
    json["files"] = nlohmann::ordered_json::array();
    for (const FoundFile& one : all) json["files"].push_back(found_json(project, one));
    print_json(json);
    return;
  }
  for (const FoundFile& one : all) std::printf("%s\n", found_text(project, one).c_str());
  if (all.empty()) std::printf("nothing is missing\n");
  if (found > 0 && !options.write) std::printf("nothing was written; --write puts it into the project\n");
}

void relink_files(const RelinkOptions& options) {
  const Project project = value_or_fail(load_project(options.project));
  const std::vector<FoundFile> all = value_or_fail(
      find_missing_files(project, options.folder,
                         options.by_name ? ByName::also_if_other : ByName::when_unknown, interrupted()));
  Project found_in = project;
  const size_t found = relink(all, &found_in);
  if (options.write && found > 0) {
    // As the file is by now: only the paths of what was found are changed.
    value_or_fail(change_project_file(options.project, [&](Project& stored) -> Status {
      relink(all, &stored);
      return {};
    }));
    tell_who_has_it(options.project);
  }
  print(options, project, all, found);
  if (found < all.size())
    fail_command({ErrorKind::not_found,
                  std::to_string(all.size() - found) + " of " + std::to_string(all.size()) +
                      " missing files were not found",
                  options.folder,
                  "Name a folder above them; --by-name takes another video of the same name."});
}

}  // namespace

void add_relink(CLI::App& app) {
  auto options = std::make_shared<RelinkOptions>();
  CLI::App* command = app.add_subcommand("relink", "Find a project's files where they were moved to.");
  command->footer(
      "Searches the folder and all below it for every video, empty-scene clip, detections file and model\n"
      "that is not where the project has it. Videos are found by size and checksum, also under another "
      "name,\n"
      "where the project has these; otherwise by name. Everything else in the project stays. Without --write "
      "it\n"
      "only reports what it would do. Exit code 1 when some were not found.\n"
      "Example: vantage-cli relink hall.vantage --folder /media/disk/footage --write");
  command->add_option("project", options->project, "the project")->required()->type_name("P.vantage");
  command->add_option("--folder", options->folder, "folder to search")->required()->type_name("DIR");
  command->add_flag("--by-name", options->by_name,
                    "take a video of the right name even though its content differs");
  command->add_flag("--write", options->write, "put what was found into the project");
  command->add_flag("--json", options->json, "print what was found as JSON");
  command->callback([options] { relink_files(*options); });
}

}  // namespace vantage::cli
