#include <fmt/core.h>
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "app/cli/common/command.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/project/project.h"
#include "core/results/skeleton_files.h"

namespace vantage::cli {
namespace {

namespace fs = std::filesystem;

struct SkeletonsCommand {
  std::string results, out;
  std::vector<int64_t> ids;
  bool as_seen = false, json = false;
};

struct WrittenFile {
  fs::path path;
  std::string content;
  std::string note = {};
};

RecordedSkeletons read_or_fail(const SkeletonsCommand& command) {
  fs::path folder = command.results;
  std::vector<IdentityRepair> repairs;
  if (!fs::is_directory(folder)) {
    const Project project = value_or_fail(load_project(folder));
    folder = project.results_folder(), repairs = project.repairs;
  }
  const Limbs limbs = command.as_seen ? Limbs::as_seen : Limbs::constant;
  RecordedSkeletons recording = value_or_fail(read_skeletons(folder, repairs, limbs));
  if (command.ids.empty()) return recording;
  for (const int64_t id : command.ids)
    if (std::none_of(recording.people.begin(), recording.people.end(),
                     [id](const SkeletonTrack& one) { return one.id == id; }))
      fail_command({ErrorKind::not_found, "no person with a skeleton has ID " + std::to_string(id),
                    folder.string(), "Without --id all people are written."});
  std::erase_if(recording.people, [&](const SkeletonTrack& one) {
    return std::find(command.ids.begin(), command.ids.end(), one.id) == command.ids.end();
  });
  return recording;
}

// Each of several people has a file: walk.trc becomes walk_1.trc, walk_2.trc.
fs::path path_of(const fs::path& out, const RecordedSkeletons& recording, const SkeletonTrack& person) {
  if (recording.people.size() == 1) return out;
  fs::path path = out;
  path.replace_filename(out.stem().string() + "_" + std::to_string(person.id) + out.extension().string());
  return path;
}

std::vector<WrittenFile> files_of(const fs::path& out, const RecordedSkeletons& recording) {
  const std::string format = out.extension().string();
  if (format == ".csv") return {{out, skeletons_csv(recording)}};
  if (format == ".json") return {{out, skeletons_json(recording)}};
  std::vector<WrittenFile> files;
  for (const SkeletonTrack& person : recording.people) {
    const fs::path path = path_of(out, recording, person);
    if (format == ".bvh") {
      const BvhFile bvh = value_or_fail(bvh_text(recording, person));
      files.push_back(
          {path, bvh.text,
           fmt::format("first frame {}; {} of {} turns are not known and kept from the frame before",
                       bvh.first_frame, bvh.held, bvh.turns)});
      continue;
    }
    files.push_back({path, format == ".trc" ? trc_text(recording, person, path.filename().string())
                                            : value_or_fail(c3d_bytes(recording, person))});
  }
  return files;
}

int64_t joints_of(const SkeletonTrack& person) {
  int64_t joints = 0;
  for (const SkeletonFrame& frame : person.frames) joints += frame.skeleton.known();
  return joints;
}

void print_written(const RecordedSkeletons& recording, const std::vector<WrittenFile>& files, bool as_json) {
  if (as_json) {
    nlohmann::ordered_json people = nlohmann::ordered_json::array(), paths = nlohmann::ordered_json::array();
    for (const SkeletonTrack& person : recording.people)
      people.push_back({{"id", person.id},
                        {"layout", person.layout->name},
                        {"frames", person.frames.size()},
                        {"joints", joints_of(person)}});
    nlohmann::ordered_json notes = nlohmann::ordered_json::array();
    for (const WrittenFile& file : files) {
      paths.push_back(file.path.string());
      if (!file.note.empty()) notes.push_back(file.note);
    }
    const nlohmann::ordered_json json = {
        {"people", people}, {"without_id", recording.without_id}, {"files", paths}, {"notes", notes}};
    print_json(json);
    return;
  }
  for (const SkeletonTrack& person : recording.people)
    fmt::print("person {}: {} joints ({}) in {} frames\n", person.id, joints_of(person), person.layout->name,
               person.frames.size());
  if (recording.without_id > 0)
    fmt::print("{} skeletons are left out: their people have no ID\n", recording.without_id);
  for (const WrittenFile& file : files)
    fmt::print("{}{}{}\n", file.path.string(), file.note.empty() ? "" : ": ", file.note);
}

void write_skeletons(const SkeletonsCommand& command) {
  const RecordedSkeletons recording = read_or_fail(command);
  const std::vector<WrittenFile> files = files_of(command.out, recording);
  for (const WrittenFile& file : files) check_or_fail(write_file_atomically(file.path, file.content));
  print_written(recording, files, command.json);
}

// In the form of CLI11: an error text, or empty.
std::string check_format(const std::string& file) {
  constexpr std::array kFormats = {".trc", ".c3d", ".bvh", ".csv", ".json"};
  const std::string format = fs::path(file).extension().string();
  if (std::find(kFormats.begin(), kFormats.end(), format) != kFormats.end()) return {};
  return "the file's name must end in .trc, .c3d, .bvh, .csv or .json";
}

}  // namespace

void add_skeletons(CLI::App& app) {
  auto options = std::make_shared<SkeletonsCommand>();
  CLI::App* command =
      app.add_subcommand("skeletons", "Write the joints of the people of a run: TRC, C3D, BVH, CSV or JSON.");
  command->footer(
      "Reads results.jsonl of a run with skeletons.enabled; nothing is analysed again. The file's extension "
      "sets the\n"
      "format. TRC, C3D and BVH hold one person: of several, each gets a file, walk_1.trc, walk_2.trc. Each "
      "person's limbs\n"
      "have the same lengths in all frames, unless --as-seen is given.\n"
      "Example: vantage-cli skeletons hall.vantage --out walk.trc");
  command->add_option("results", options->results, "a project that was run, or a folder of results")
      ->required();
  command->add_option("--out", options->out, "the file; its extension sets the format")
      ->required()
      ->type_name("FILE")
      ->check(check_format);
  command->add_option("--id", options->ids, "only these people")->type_name("ID")->delimiter(',');
  command->add_flag("--as-seen", options->as_seen, "joints as triangulated frame by frame");
  add_json_flag(*command, &options->json);
  command->callback([options] { write_skeletons(*options); });
}

}  // namespace vantage::cli
