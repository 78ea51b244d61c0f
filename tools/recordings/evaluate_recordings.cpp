#include "tools/recordings/evaluate_recordings.h"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "app/cli/common/command.h"
#include "app/cli/common/project_arguments.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/fusion/body_box.h"
#include "core/project/match_cameras.h"
#include "tools/recordings/real_recordings.h"

namespace vantage::cli {
namespace {

namespace fs = std::filesystem;

struct RecordingScore {
  std::string recording, name;
  std::vector<RecordingFigure> figures;
};

// The given folder, or a temporary one.
class WorkFolder {
 public:
  explicit WorkFolder(const std::string& given) {
    if (given.empty()) own_.emplace(value_or_fail(TemporaryFolder::make("vantage-recordings")));
    path_ = own_ ? own_->path() : fs::path(given);
    check_or_fail(make_folder(path_));
  }
  const fs::path& path() const { return path_; }

 private:
  std::optional<TemporaryFolder> own_;
  fs::path path_;
};

// Analyses as `run` does with default values, with these cameras only (empty: all), and evaluates.
std::vector<RecordingFigure> judged_with(const RealRecording& recording,
                                         const EvaluateRecordingsOptions& options, const fs::path& model,
                                         const fs::path& work, const std::vector<bool>& used) {
  const fs::path data = fs::path(options.data) / recording.folder;
  Project project = value_or_fail(recording.project(data));
  std::vector<ProjectCamera> cameras;
  for (size_t i = 0; i < project.cameras.size(); ++i)
    if (used.empty() || used[i]) cameras.push_back(project.cameras[i]);
  project.cameras = std::move(cameras);
  if (recording.needs_model) project.detection_model = fs::absolute(model).lexically_normal().string();
  for (const std::string& setting : recording.settings) check_or_fail(set_from_text(&project, setting));
  project.path = fs::absolute(work / (recording.file + ".vantage"));
  check_or_fail(save_project(project, project.path));
  std::vector<RecordingFigure> figures;
  const auto judge_frame = [&](const FrameResult& result) -> Status {
    if (!recording.judge_frame) return {};
    VANTAGE_ASSIGN(const std::vector<RecordingFigure> of_frame, recording.judge_frame(data, result));
    figures.insert(figures.end(), of_frame.begin(), of_frame.end());
    return {};
  };
  const fs::path results = analysed_or_fail(std::move(project), options.backend, judge_frame);
  if (!recording.judge) return figures;
  const std::vector<RecordingFigure> of_results = value_or_fail(recording.judge(data, results));
  figures.insert(figures.end(), of_results.begin(), of_results.end());
  return figures;
}

// The mean of each figure over the subsets, which is compared with the requirement, and the worst.
std::vector<RecordingFigure> over_subsets(const std::vector<std::vector<RecordingFigure>>& subsets) {
  std::vector<RecordingFigure> all;
  const std::string of = " of " + std::to_string(subsets.size()) + " subsets";
  for (size_t i = 0; i < subsets.front().size(); ++i) {
    RecordingFigure mean = subsets.front()[i], worst = mean;
    mean.value = 0;
    for (const std::vector<RecordingFigure>& figures : subsets) {
      mean.value += figures[i].value / static_cast<double>(subsets.size());
      const bool worse = mean.at_most ? figures[i].value > worst.value : figures[i].value < worst.value;
      if (worse) worst.value = figures[i].value;
    }
    mean.name += ", mean" + of, worst.name += ", worst" + of;
    worst.asked.reset();
    all.push_back(mean), all.push_back(worst);
  }
  return all;
}

std::vector<RecordingFigure> judged_or_fail(const RealRecording& recording,
                                            const EvaluateRecordingsOptions& options, const fs::path& model,
                                            const fs::path& work) {
  if (recording.cameras == 0) return judged_with(recording, options, model, work, {});
  const Project project = value_or_fail(recording.project(fs::path(options.data) / recording.folder));
  std::vector<bool> used(project.cameras.size());
  std::fill_n(used.begin(), recording.cameras, true);
  std::vector<std::vector<RecordingFigure>> subsets;
  do subsets.push_back(judged_with(recording, options, model, work, used));
  while (std::prev_permutation(used.begin(), used.end()));
  return over_subsets(subsets);
}

std::string name_of(const RealRecording& recording) {
  if (recording.cameras == 0) return recording.name;
  return recording.file + (recording.cameras == 1 ? ", each camera alone" : ", every pair of cameras");
}

std::string value_text(const RecordingFigure& figure, double value) {
  if (std::isnan(value)) return "none";
  if (figure.unit == "count") return fmt::format("{:.0f}", value);
  return fmt::format("{:.3f}", value) + (figure.unit.empty() ? "" : " " + figure.unit);
}

std::string asked_text(const RecordingFigure& figure) {
  if (!figure.asked) return "";
  return (figure.at_most ? "≤ " : "≥ ") + value_text(figure, *figure.asked);
}

void print_scores_json(const std::vector<RecordingScore>& scores) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const RecordingScore& score : scores) {
    nlohmann::ordered_json figures = nlohmann::ordered_json::array();
    for (const RecordingFigure& figure : score.figures) {
      nlohmann::ordered_json one = {
          {"name", figure.name}, {"value", figure.value}, {"unit", figure.unit}};  // NaN becomes null
      if (figure.asked)
        one["asked"] = *figure.asked, one["at_most"] = figure.at_most, one["met"] = figure.met();
      figures.push_back(std::move(one));
    }
    list.push_back({{"recording", score.recording}, {"name", score.name}, {"figures", figures}});
  }
  print_json(list);
}

// Markdown, as in the pages on performance.
void print_scores_table(const std::vector<RecordingScore>& scores) {
  fmt::print("| Recording | Figure | Asked | Reached | |\n|---|---|---|---|---|\n");
  int asked = 0, met = 0;
  for (const RecordingScore& score : scores) {
    std::string name = "`" + score.recording + "`, " + score.name;
    for (const RecordingFigure& figure : score.figures) {
      fmt::print("| {} | {} | {} | {} | {} |\n", name, figure.name, asked_text(figure),
                 value_text(figure, figure.value), figure.met() ? "" : "missed");
      name.clear();
      asked += figure.asked.has_value(), met += figure.asked && figure.met();
    }
  }
  fmt::print("\n{} of {} figures are reached.\n", met, asked);
}

}  // namespace

void evaluate_recordings(const EvaluateRecordingsOptions& options) {
  const fs::path model = options.model.empty() ? fs::path(options.data) / "models/rtmdet_nano_person.onnx"
                                               : fs::path(options.model);
  const WorkFolder work(options.out);
  std::vector<RecordingScore> scores;
  for (const RealRecording& recording : real_recordings()) {
    const fs::path data = fs::path(options.data) / recording.folder;
    if ((recording.folder + ", " + name_of(recording)).find(options.only) == std::string::npos) continue;
    if (!fs::exists(data)) {
      fmt::print(stderr, "{}: its data is not in the folder\n", recording.folder);
      continue;
    }
    if (recording.needs_model && !fs::exists(model)) {
      fmt::print(stderr, "{}: there is no model {}\n", recording.folder, model.string());
      continue;
    }
    scores.push_back(
        {recording.folder, name_of(recording), judged_or_fail(recording, options, model, work.path())});
  }
  if (scores.empty())
    fail_command({ErrorKind::not_found, "none of the known recordings can be scored", options.data,
                  "Give the folder in which their folders lie, with --model where it has no models/."});
  (options.json ? print_scores_json : print_scores_table)(scores);
}

namespace {

namespace fs = std::filesystem;

constexpr double kSame_m = 0.5;  // maximum distance between people and their ground truth

Result<Project> assembled(std::vector<NewCamera> cameras, const fs::path& calibration,
                          const CalibrationChoice& choice, PictureFit::Kind fit) {
  std::vector<std::string> files, names;
  for (const NewCamera& camera : cameras)
    files.push_back(camera.video.empty() ? camera.detections.file : camera.video);
  VANTAGE_ASSIGN(const std::vector<CalibratedCamera> calibrated,
                 read_calibrated_cameras(calibration.string(), choice, cameras.front().info.width_px,
                                         cameras.front().info.height_px));
  for (const CalibratedCamera& camera : calibrated) names.push_back(camera.camera.name());
  VANTAGE_ASSIGN(const std::vector<size_t> matched, match_cameras(files, names, {}));
  for (size_t i = 0; i < cameras.size(); ++i) {
    cameras[i].calibration = calibrated[matched[i]];
    cameras[i].fit.kind = fit;
    if (fit == PictureFit::Kind::cropped)
      cameras[i].fit =
          guess_fit(calibrated[matched[i]].camera, cameras[i].info.width_px, cameras[i].info.height_px).fit;
  }
  VANTAGE_TRY(stand_in_for_videos(&cameras, 0, 0));
  return assemble_project(cameras);
}

}  // namespace

Result<Project> from_videos(const std::vector<fs::path>& videos, const fs::path& calibration,
                            const CalibrationChoice& choice, PictureFit::Kind fit) {
  std::vector<NewCamera> cameras;
  for (const fs::path& video : videos) {
    NewCamera& camera = cameras.emplace_back();
    camera.video = video.string();
    VANTAGE_ASSIGN(const auto source, open_video(camera.video, {}));
    camera.info = source->info();
  }
  return assembled(std::move(cameras), calibration, choice, fit);
}

Result<Project> from_detections(const std::vector<fs::path>& files, double frame_rate,
                                const fs::path& calibration) {
  std::vector<NewCamera> cameras;
  for (const fs::path& file : files) {
    NewCamera& camera = cameras.emplace_back();
    camera.detections.file = file.string(), camera.detections.frame_rate = frame_rate;
  }
  return assembled(std::move(cameras), calibration, {}, PictureFit::Kind::same);
}

std::vector<fs::path> numbered(const fs::path& folder, const std::string& before, int first, int count,
                               const std::string& behind) {
  std::vector<fs::path> paths;
  for (int i = first; i < first + count; ++i) paths.push_back(folder / (before + std::to_string(i) + behind));
  return paths;
}

Result<Rows> read_rows(const fs::path& path) {
  VANTAGE_ASSIGN(const std::string text, read_file(path));
  return read_mot_csv(text, path.string());
}

RecordingFigure at_least(std::string name, double value, double asked, std::string unit) {
  return {std::move(name), value, std::move(unit), asked, false};
}
RecordingFigure at_most(std::string name, double value, double asked, std::string unit) {
  return {std::move(name), value, std::move(unit), asked, true};
}

Result<std::vector<StoredFrame>> known_frames(const fs::path& results) {
  VANTAGE_ASSIGN(StoredResults stored, read_results(results));
  std::erase_if(stored.frames, [](const StoredFrame& frame) { return frame.people_count < 0; });
  return std::move(stored.frames);
}

Result<TrackingMetrics> evaluated(const Rows& all_truth, const Rows& all,
                                  const std::function<bool(const TrackRow&)>& complete) {
  const bool anywhere = std::any_of(all_truth.begin(), all_truth.end(), complete);
  std::map<int64_t, Rows> truth_of;
  Rows truth, given;
  for (const TrackRow& row : all_truth)
    if (!anywhere || complete(row)) truth.push_back(row), truth_of[row.frame].push_back(row);
  for (const TrackRow& row : all) {
    const Rows& here = truth_of[row.frame];
    const auto is_near = [&](const TrackRow& one) {
      return std::hypot(one.x_m - row.x_m, one.y_m - row.y_m) < kSame_m;
    };
    if (complete(row) || std::any_of(here.begin(), here.end(), is_near)) given.push_back(row);
  }
  return evaluate_tracks(truth, given, {TrackSpace::world, kSame_m});
}

bool sits(const FloorPerson& person) {
  return seated_probability(person.height_m) >= kCalledSeated;
}

Result<double> seated_share(const fs::path& results, const std::function<bool(const FloorPerson&)>& counts) {
  VANTAGE_ASSIGN(const std::vector<StoredFrame> frames, known_frames(results));
  double all = 0, seated = 0;
  for (const StoredFrame& frame : frames)
    for (const FloorPerson& person : frame.people)
      if (counts(person)) ++all, seated += sits(person);
  return all > 0 ? seated / all : NAN;
}

Figures subset_figures(size_t cameras, double recall, double error_m) {
  RecordingFigure found{"recall", recall, {}, std::nullopt, false};
  if (cameras == 2) found.asked = 0.96;
  return {found, {"error on the floor", error_m, "m", std::nullopt, true}};
}

// Options of `evaluate`, which knows nothing of the recordings: where --recordings is given, they are
// evaluated in place of --gt and --result.
void add_recordings(CLI::App& app) {
  CLI::App* command = app.get_subcommand("evaluate");
  auto options = std::make_shared<EvaluateRecordingsOptions>();
  CLI::Option* data =
      command
          ->add_option("--recordings", options->data,
                       "instead of --gt and --result: analyse the real recordings of this "
                       "folder with default values, score each by its ground truth, and print a table")
          ->check(CLI::ExistingDirectory)
          ->excludes("--gt")
          ->excludes("--result");
  command
      ->add_option(
          "--model", options->model,
          "with --recordings: the learned detector (ONNX); models/rtmdet_nano_person.onnx there if absent")
      ->check(CLI::ExistingFile)
      ->needs(data);
  command
      ->add_option("--out", options->out,
                   "with --recordings: keep projects, detections and results in this folder; what was "
                   "detected is used again")
      ->type_name("DIR")
      ->needs(data);
  command->add_option("--only", options->only, "with --recordings: only those whose name contains this")
      ->type_name("TEXT")
      ->needs(data);
  // Before the subcommand's own callback, which would ask for --gt.
  command->parse_complete_callback([command, options] {
    if (options->data.empty()) return;
    options->json = command->get_option("--json")->count() > 0;
    evaluate_recordings(*options);
    throw CLI::RuntimeError(0);
  });
}

}  // namespace vantage::cli
