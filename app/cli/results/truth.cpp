// vantage-cli truth: ground truth of a project: drawn, imported, merged and exported.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include "app/cli/common/command.h"
#include "app/cli/common/project_arguments.h"
#include "app/cli/results/truth_masks.h"
#include "core/results/truth_files.h"

namespace vantage::cli {
namespace {

struct TruthOptions {
  std::string project, import, merge, out, format = "mot", camera;
  std::vector<std::string> places, leaves, heights, removals;
  int step = 1;
  bool clear = false, json = false;
  TruthMaskOptions masks;
};

// "3,812,1.2,3.4": one of the expected numbers of values.
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

Report disagreement_report(const TruthDisagreement& one) {
  using enum TruthDisagreement::Kind;
  Report row;
  row.add_data("kind", one.kind == apart ? "apart" : one.kind == only_ours ? "only_ours" : "only_theirs");
  row.add_data("first", one.first), row.add_data("last", one.last);
  if (one.ours > 0) row.add_data("ours", one.ours);
  if (one.theirs > 0) row.add_data("theirs", one.theirs);
  if (one.distance_m > 0) row.add_data("distance_m", one.distance_m);
  row.say(std::string("frames {first} to {last}: ") +
          (one.kind == apart       ? "our {ours} and their {theirs} are up to {distance_m:2} m apart"
           : one.kind == only_ours ? "only we have person {ours}"
                                   : "only they have person {theirs}"));
  return row;
}

std::optional<Report> merge_other(const TruthOptions& options, Project& project) {
  if (options.merge.empty()) return std::nullopt;
  const auto theirs = value_or_fail(read_drawn_truth(options.merge, {.step = options.step}));
  MergedTruth merged = merge_truth(project.truth, theirs);
  project.truth = std::move(merged.people);
  Report report;
  report.add_data("matched", merged.matched), report.add_data("added", merged.added);
  report.say("merged: {matched} of theirs are people of ours, {added} added");
  std::vector<Report> disagreements;
  for (const TruthDisagreement& one : merged.disagreements) disagreements.push_back(disagreement_report(one));
  report.add_rows("disagreements", std::move(disagreements));
  return report;
}

Report person_report(const TruePerson& person) {
  Report row;
  row.add_data("id", person.id);
  if (person.height_m > 0) row.add_data("height_m", person.height_m);
  for (const TruthKey& key : person.keys) {
    Report place;
    place.add_data("frame", key.frame), place.add_data("x_m", key.x_m), place.add_data("y_m", key.y_m);
    if (key.leaves) place.add_data("leaves", true);
    row.add_row("keys", std::move(place));
  }
  if (!person.keys.empty())
    row.say("person {id}: " + std::to_string(person.keys.size()) + " positions by hand, frames " +
            std::to_string(person.keys.front().frame) + " to " + std::to_string(person.keys.back().frame));
  return row;
}

Report truth_report(const Project& project) {
  const AnnotatedFrames frames = annotated_frames(project.truth);
  std::vector<Report> people;
  for (const TruePerson& person : project.truth) people.push_back(person_report(person));
  Report report;
  report.add_sentence("frames", frames.count(),
                      frames.count() > 0
                          ? "ground truth in " + std::to_string(frames.count()) + " frames, " +
                                std::to_string(frames.first) + " to " + std::to_string(frames.last)
                          : "");
  report.add_rows("people", std::move(people));
  if (frames.count() > 0) report.add_data("first", frames.first), report.add_data("last", frames.last);
  return report;
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
  std::optional<Report> merged = merge_other(options, project);
  set_places(options, project);
  remove_some(options, project);
  if (project.truth != before) write_project_or_fail(project, stamp);
  export_truth(options, project);
  Report report = truth_report(project), masks = change_masks(options.masks, project);
  if (project.truth.empty() && masks.rows("frames").empty())
    report.add_sentence("no ground truth: --place sets a position, --import and --import-masks read files");
  if (merged) report.add_section("merged", std::move(*merged));
  report.add_section("masks", std::move(masks));
  print_report(report, options.json);
}

}  // namespace

void add_truth(CLI::App& app) {
  auto options = std::make_shared<TruthOptions>();
  CLI::App* command = app.add_subcommand(
      "truth",
      "Ground truth of a project, people and masks: set positions by hand, import, merge and export it.");
  command->footer(
      "People are at the positions set by hand, and on the straight line from one to the next in the "
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
  command->add_option("--place", options->places, "position of a person in a frame; may be repeated")
      ->type_name("ID,FRAME,X,Y");
  command
      ->add_option("--leaves", options->leaves,
                   "a person is not there after that frame, until the next position; may be repeated")
      ->type_name("ID,FRAME");
  command
      ->add_option("--height", options->heights, "height of a person in metres, 0: unknown; may be repeated")
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
                   "disagreements, and add the people missing in this project")
      ->type_name("FILE")
      ->excludes(import);
  command->add_option("--gt-step", options->step, "step of WILDTRACK's file numbers per frame")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  CLI::Option* out = command->add_option("--out", options->out, "export to this file (wildtrack: folder)")
                         ->type_name("PATH");
  command->add_option("--format", options->format, "format of --out")
      ->check(CLI::IsMember(std::vector<std::string>(kTruthFormats.begin(), kTruthFormats.end())))
      ->capture_default_str()
      ->needs(out);
  command
      ->add_option("--camera", options->camera,
                   "mot: camera whose boxes are written; if absent only positions on the floor")
      ->needs(out);
  add_mask_options(*command, options->masks);
  add_json_flag(*command, &options->json);
  command->callback([options] { run_truth(*options); });
}

}  // namespace vantage::cli
