#include "app/cli/evaluate/evaluate_recordings.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <vector>

#include "app/cli/common/analysed_project.h"
#include "app/cli/common/value_or_fail.h"
#include "app/cli/evaluate/real_recordings.h"
#include "core/base/file.h"
#include "core/base/formatted.h"
#include "core/base/json.h"
#include "core/base/temporary_folder.h"

namespace vantage::cli {
namespace {

namespace fs = std::filesystem;

struct RecordingScore {
  std::string recording, name;
  std::vector<RecordingFigure> figures;
};

// The folder given, or a new one that goes with this.
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

// Analysed as by `run` with default values, of these cameras alone (empty: all), and judged.
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

// The mean of each figure over the subsets, for which it is asked, and the worst.
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
  if (figure.unit == "count") return formatted("%.0f", value);
  return formatted("%.3f", value) + (figure.unit.empty() ? "" : " " + figure.unit);
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

// Markdown, as the pages on performance have it.
void print_scores_table(const std::vector<RecordingScore>& scores) {
  std::printf("| Recording | Figure | Asked | Reached | |\n|---|---|---|---|---|\n");
  int asked = 0, met = 0;
  for (const RecordingScore& score : scores) {
    std::string name = "`" + score.recording + "`, " + score.name;
    for (const RecordingFigure& figure : score.figures) {
      std::printf("| %s | %s | %s | %s | %s |\n", name.c_str(), figure.name.c_str(),
                  asked_text(figure).c_str(), value_text(figure, figure.value).c_str(),
                  figure.met() ? "" : "missed");
      name.clear();
      asked += figure.asked.has_value(), met += figure.asked && figure.met();
    }
  }
  std::printf("\n%d of %d figures are reached.\n", met, asked);
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
      std::fprintf(stderr, "%s: its data is not in the folder\n", recording.folder.c_str());
      continue;
    }
    if (recording.needs_model && !fs::exists(model)) {
      std::fprintf(stderr, "%s: there is no model %s\n", recording.folder.c_str(), model.c_str());
      continue;
    }
    scores.push_back(
        {recording.folder, name_of(recording), judged_or_fail(recording, options, model, work.path())});
  }
  if (scores.empty())
    fail_command({ErrorKind::not_found, "none of the recordings that are known can be scored", options.data,
                  "Give the folder in which their folders lie, with --model where it has no models/."});
  (options.json ? print_scores_json : print_scores_table)(scores);
}

}  // namespace vantage::cli
