// vantage-cli truth: ground truth of a project, drawn by hand, imported, merged and exported.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>

#include "app/cli/common/command.h"
#include "app/cli/common/project_arguments.h"
#include "app/cli/results/truth_masks.h"
#include "core/base/json.h"
#include "core/results/truth_files.h"

namespace vantage::cli {
namespace {

using nlohmann::ordered_json;

struct TruthOptions {
  std::string project, import, merge, out, format = "mot", camera;
  std::vector<std::string> places, leaves, heights, removals;
  int step = 1;
  bool clear = false, json = false;
  TruthMaskOptions masks;
};

// "3,812,1.2,3.4": as many numbers as are expected.
std::vector<double> numbers_of(const std::string& text, std::set<size_t> counts, const char* expected) {
  std::vector<double> numbers;
  const char* at = text.c_str();
  for (char* end = nullptr;; at = end + 1) {
    numbers.push_back(std::strtod(at, &end));
    if (end == at || (*end != ',' && *end != '\0')) throw CLI::ValidationError(text, expected);
    if (*end == '\0') break;
  }
  if (!counts.contains(numbers.size()) || numbers[0] < 1 || numbers[0] != std::floor(numbers[0]))
    throw CLI::ValidationError(text, expected);
  return numbers;
}

int64_t frame_of(double number, const std::string& text) {
  if (!(number >= 0) || number > 1e15 || number != std::floor(number))
    throw CLI::ValidationError(text, "frames are whole numbers from 0");
  return static_cast<int64_t>(number);
}

TruePerson& known_person(Project& project, double id) {
  const auto number = static_cast<int64_t>(id);
  if (!find_true_person(project.truth, number))
    fail_command({ErrorKind::not_found, "has no true person " + std::to_string(number), project.path.string(),
                  "`vantage-cli truth` lists them."});
  return true_person(&project.truth, number);
}

void set_places(const TruthOptions& options, Project& project) {
  for (const std::string& text : options.places) {
    const std::vector<double> n = numbers_of(text, {4}, "ID,FRAME,X,Y is expected");
    if (!std::isfinite(n[2]) || !std::isfinite(n[3])) throw CLI::ValidationError(text, "is not a position");
    set_key(&true_person(&project.truth, static_cast<int64_t>(n[0])), {frame_of(n[1], text), n[2], n[3]});
  }
  for (const std::string& text : options.leaves) {
    const std::vector<double> n = numbers_of(text, {2}, "ID,FRAME is expected");
    TruePerson& person = known_person(project, n[0]);
    const int64_t frame = frame_of(n[1], text);
    const auto at = true_position(person, frame);
    if (!at)
      fail_command({ErrorKind::not_found,
                    "person " + std::to_string(person.id) + " is not there in frame " + std::to_string(frame),
                    project.path.string(), "Set a position in that frame first (--place)."});
    set_key(&person, {frame, at->x_m, at->y_m, true});
  }
  for (const std::string& text : options.heights) {
    const std::vector<double> n = numbers_of(text, {2}, "ID,METRES is expected");
    if (!(n[1] >= 0 && n[1] <= 3)) throw CLI::ValidationError(text, "heights are 0 (unknown) to 3 m");
    known_person(project, n[0]).height_m = n[1];
  }
}

void remove_some(const TruthOptions& options, Project& project) {
  for (const std::string& text : options.removals) {
    const std::vector<double> n = numbers_of(text, {1, 2}, "ID or ID,FRAME is expected");
    const int64_t id = known_person(project, n[0]).id;
    if (n.size() == 1)
      std::erase_if(project.truth, [&](const TruePerson& person) { return person.id == id; });
    else if (!remove_key(&project.truth, id, frame_of(n[1], text)))
      fail_command({ErrorKind::not_found, "no position was set by hand there: " + text, project.path.string(),
                    "`vantage-cli truth --json` lists them."});
  }
}

void import_truth(const TruthOptions& options, Project& project) {
  if (options.import.empty()) return;
  if (!project.truth.empty())
    fail_command({ErrorKind::invalid_argument, "has ground truth already", project.path.string(),
                  "Add --clear to replace it, or --merge FILE to compare and join."});
  project.truth = value_or_fail(read_drawn_truth(options.import, {.step = options.step}));
}

const char* disagreement_text(TruthDisagreement::Kind kind) {
  switch (kind) {
    case TruthDisagreement::Kind::apart:
      return "apart";
    case TruthDisagreement::Kind::only_ours:
      return "only_ours";
    case TruthDisagreement::Kind::only_theirs:
      break;
  }
  return "only_theirs";
}

ordered_json merge_other(const TruthOptions& options, Project& project) {
  if (options.merge.empty()) return {};
  const auto theirs = value_or_fail(read_drawn_truth(options.merge, {.step = options.step}));
  MergedTruth merged = merge_truth(project.truth, theirs);
  project.truth = std::move(merged.people);
  ordered_json json = {{"matched", merged.matched}, {"added", merged.added}};
  json["disagreements"] = ordered_json::array();
  for (const TruthDisagreement& one : merged.disagreements) {
    ordered_json entry = {{"kind", disagreement_text(one.kind)}, {"first", one.first}, {"last", one.last}};
    if (one.ours > 0) entry["ours"] = one.ours;
    if (one.theirs > 0) entry["theirs"] = one.theirs;
    if (one.distance_m > 0) entry["distance_m"] = one.distance_m;
    json["disagreements"].push_back(std::move(entry));
  }
  return json;
}

ordered_json to_json(const Project& project) {
  const AnnotatedFrames frames = annotated_frames(project.truth);
  ordered_json json = {{"frames", frames.count()}, {"people", ordered_json::array()}};
  if (frames.count() > 0) json["first"] = frames.first, json["last"] = frames.last;
  for (const TruePerson& person : project.truth) {
    ordered_json entry = {{"id", person.id}};
    if (person.height_m > 0) entry["height_m"] = person.height_m;
    for (const TruthKey& key : person.keys) {
      ordered_json place = {{"frame", key.frame}, {"x_m", key.x_m}, {"y_m", key.y_m}};
      if (key.leaves) place["leaves"] = true;
      entry["keys"].push_back(std::move(place));
    }
    json["people"].push_back(std::move(entry));
  }
  return json;
}

void print(const ordered_json& json) {
  print_masks(json["masks"]);
  if (json["people"].empty()) {
    if (json["masks"]["frames"].empty())
      std::printf("no ground truth: --place sets a position, --import and --import-masks read files\n");
    return;
  }
  std::printf("ground truth in %lld frames, %lld to %lld\n", json["frames"].get<long long>(),
              json["first"].get<long long>(), json["last"].get<long long>());
  for (const auto& person : json["people"])
    std::printf("person %lld: %zu positions by hand, frames %lld to %lld\n", person["id"].get<long long>(),
                person["keys"].size(), person["keys"].front()["frame"].get<long long>(),
                person["keys"].back()["frame"].get<long long>());
  if (!json.contains("merged")) return;
  const ordered_json& merged = json["merged"];
  std::printf("merged: %lld of theirs are people of ours, %lld added\n", merged["matched"].get<long long>(),
              merged["added"].get<long long>());
  for (const auto& one : merged["disagreements"]) {
    std::printf("frames %lld to %lld: ", one["first"].get<long long>(), one["last"].get<long long>());
    if (one["kind"] == "apart")
      std::printf("our %lld and their %lld are up to %.2f m apart\n", one["ours"].get<long long>(),
                  one["theirs"].get<long long>(), one["distance_m"].get<double>());
    else if (one["kind"] == "only_ours")
      std::printf("only we have person %lld\n", one["ours"].get<long long>());
    else
      std::printf("only they have person %lld\n", one["theirs"].get<long long>());
  }
}

void export_truth(const TruthOptions& options, const Project& project) {
  if (options.out.empty()) return;
  std::optional<size_t> camera;
  for (size_t i = 0; i < project.cameras.size(); ++i)
    if (project.cameras[i].name == options.camera) camera = i;
  if (!options.camera.empty() && !camera)
    throw CLI::ValidationError("--camera", "the project has no camera " + options.camera);
  const auto format = std::ranges::find(kTruthFormats, options.format) - kTruthFormats.begin();
  check_or_fail(write_truth(project, static_cast<TruthFormat>(format), camera, options.out));
}

void run_truth(const TruthOptions& options) {
  auto [project, stamp] = read_project_or_fail(options.project);
  const std::vector<TruePerson> before = project.truth;
  if (options.clear) project.truth.clear();
  import_truth(options, project);
  const ordered_json merged = merge_other(options, project);
  set_places(options, project);
  remove_some(options, project);
  if (project.truth != before) write_project_or_fail(project, stamp);
  export_truth(options, project);
  ordered_json json = to_json(project);
  if (!merged.is_null()) json["merged"] = merged;
  json["masks"] = change_masks(options.masks, project);
  if (options.json)
    print_json(json);
  else
    print(json);
}

}  // namespace

void add_truth(CLI::App& app) {
  auto options = std::make_shared<TruthOptions>();
  CLI::App* command = app.add_subcommand(
      "truth",
      "Ground truth of a project, people and masks: set positions by hand, import, merge and export it.");
  command->footer(
      "People stand at the positions set by hand, and on the straight line from one to the next in the "
      "frames between.\n"
      "All people count as known from the first position of any of them to the last; only these frames are "
      "compared.\n"
      "Example: vantage-cli truth hall.vantage --place 1,0,1.2,3.4 --place 1,50,2.0,3.1 --height 1,1.78\n"
      "         vantage-cli truth hall.vantage --merge colleague.vantage\n"
      "         vantage-cli truth hall.vantage --out truth.json --format coco\n"
      "         vantage-cli truth hall.vantage --import-masks painted --iou\n"
      "         vantage-cli truth hall.vantage --merge-masks colleague.vantage --take 425,cam1=union\n"
      "         vantage-cli evaluate --gt hall.vantage --result hall.results --space world");
  command->add_option("project", options->project, "the project")->required()->type_name("P.vantage");
  command->add_option("--place", options->places, "where a person stands in a frame; may be repeated")
      ->type_name("ID,FRAME,X,Y");
  command
      ->add_option("--leaves", options->leaves,
                   "a person is not there after that frame, until the next position; may be repeated")
      ->type_name("ID,FRAME");
  command
      ->add_option("--height", options->heights, "how tall a person is, metres, 0: unknown; may be repeated")
      ->type_name("ID,METRES");
  command
      ->add_option("--remove", options->removals,
                   "remove a person, or what was set in one frame; may be repeated")
      ->type_name("ID[,FRAME]");
  command->add_flag("--clear", options->clear, "remove all people first");
  CLI::Option* import =
      command->add_option("--import", options->import,
                          "read MOTChallenge CSV with positions on the floor, or a WILDTRACK folder");
  import->type_name("FILE");
  command
      ->add_option("--merge", options->merge,
                   "compare with what another person drew (a project or what --import takes), list "
                   "disagreements, and add whom this project lacks")
      ->type_name("FILE")
      ->excludes(import);
  command->add_option("--gt-step", options->step, "step of WILDTRACK's file numbers per frame")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  CLI::Option* out = command->add_option("--out", options->out, "export to this file (wildtrack: folder)")
                         ->type_name("PATH");
  command->add_option("--format", options->format, "what --out writes")
      ->check(CLI::IsMember(std::vector<std::string>(kTruthFormats.begin(), kTruthFormats.end())))
      ->capture_default_str()
      ->needs(out);
  command->add_option("--camera", options->camera, "mot: whose boxes; absent: positions on the floor alone")
      ->needs(out);
  add_mask_options(*command, options->masks);
  add_json_flag(*command, &options->json);
  command->callback([options] { run_truth(*options); });
}

}  // namespace vantage::cli
