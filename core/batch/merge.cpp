#include "core/batch/merge.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "core/base/assignment.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/output_folder.h"
#include "core/base/text.h"
#include "core/batch/plan.h"
#include "core/batch/task_files.h"
#include "core/metrics/tracking_metrics.h"
#include "core/results/frame_lines.h"
#include "core/results/merged_results.h"

namespace vantage {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr const char* kLines = "results.jsonl";

struct CompleteTask {
  const PlannedTask* planned = nullptr;
  TaskRecord record;
  fs::path folder;
};

std::string numbers_text(const std::vector<size_t>& numbers) {
  std::string text;
  for (const size_t number : numbers) append_item(&text, std::to_string(number));
  return text;
}

// The first dependency in which the results of two tasks differ.
std::string difference_of(const TaskRecord& a, const TaskRecord& b) {
  if (a.version != b.version) return "another version of the program";
  if (a.project_hash != b.project_hash) return "another project";
  if (a.parameters_hash != b.parameters_hash) return "other parameters";
  if (a.scene_hash != b.scene_hash) return "other spans or videos";
  if (a.device.starts_with("CPU") != b.device.starts_with("CPU")) return "another device";
  for (size_t i = 0; i < std::min(a.inputs.size(), b.inputs.size()); ++i) {
    const uint64_t one = a.inputs[i].checksum, other = b.inputs[i].checksum;
    if (one != 0 && other != 0 && one != other) return "another video of " + a.inputs[i].camera;
  }
  return {};
}

// All tasks of a plan, complete and of one plan.
Result<std::vector<CompleteTask>> complete_tasks(const BatchPlan& plan, const fs::path& folder) {
  std::vector<CompleteTask> tasks;
  std::vector<size_t> lacking;
  for (size_t i = 0; i < plan.tasks.size(); ++i) {
    const TaskFiles files(folder, i);
    auto record = files.record(true);
    if (!record) {
      lacking.push_back(i);
      continue;
    }
    tasks.push_back({&plan.tasks[i], std::move(*record), files.complete()});
  }
  if (!lacking.empty())
    return fail(ErrorKind::not_found,
                (lacking.size() == 1 ? "task " : "tasks ") + numbers_text(lacking) +
                    (lacking.size() == 1 ? " is not complete" : " are not complete"),
                folder.string(), "`vantage-cli status` states why; run them again.");
  for (const CompleteTask& task : tasks) {
    const PlannedScene& scene = plan.scenes[task.planned->scene];
    TaskRecord planned = task.record;
    planned.version = plan.version, planned.scene_hash = scene.hash(plan.version);
    planned.project_hash = scene.project_hash, planned.parameters_hash = scene.parameters_hash;
    std::string what = difference_of(task.record, planned);
    std::string than = "the plan states";
    if (what.empty() && &task != tasks.data() && (&task - 1)->planned->scene == task.planned->scene) {
      what = difference_of((&task - 1)->record, task.record);
      than = "task " + std::to_string(task.record.task - 1);
    }
    if (!what.empty())
      return fail(ErrorKind::invalid_argument,
                  "task " + std::to_string(task.record.task) +
                      " does not belong to the others: it was made with " + what + " than " + than,
                  task.folder.string(), "Remove that folder and run the task again.");
  }
  return tasks;
}

Result<std::vector<TrackRow>> rows_of(const fs::path& file) {
  std::error_code code;
  if (!fs::exists(file, code)) return std::vector<TrackRow>();
  VANTAGE_ASSIGN(const std::string text, read_file(file));
  return read_mot_csv(text, file.string());
}

// The rows of tracks.csv up to a frame, without reading the whole file.
Result<std::vector<TrackRow>> rows_before(const fs::path& file, int64_t frame) {
  std::ifstream in(file, std::ios::binary);
  std::string text;
  for (std::string row; std::getline(in, row) && std::atoll(row.c_str()) - 1 < frame;) text += row + '\n';
  return read_mot_csv(text, file.string());
}

// IDs of the merged results for those of the tasks, in the order in which they appear.
class IdJoiner {
 public:
  // The next task; `seam` gets what was joined.
  Status next(const CompleteTask& task, const CompleteTask* before, Seam* seam) {
    std::map<int64_t, int64_t> ids;
    if (before) {
      // A person who began in the overlap is new in this task, and is not assigned.
      VANTAGE_ASSIGN(std::vector<TrackRow> of_before, rows_of(before->folder / kOverlapFile));
      std::erase_if(of_before, [this](const TrackRow& row) { return !ids_.contains(row.id); });
      VANTAGE_ASSIGN(const std::vector<TrackRow> own,
                     rows_before(task.folder / "tracks.csv", before->planned->overlap_end));
      for (const auto& [id_before, id_after] :
           join_tracks(of_before, own, task.planned->begin, before->planned->overlap_end)) {
        ids.emplace(id_after, ids_.at(id_before));
        ++seam->joined;
      }
      seam->before = static_cast<int64_t>(ids_in(of_before).size());
      seam->after = static_cast<int64_t>(ids_in(own).size());
    }
    ids_ = std::move(ids);
    return {};
  }
  int64_t operator()(int64_t id) {
    const auto [found, fresh] = ids_.emplace(id, next_id_);
    if (fresh) ++next_id_;
    return found->second;
  }

 private:
  static std::set<int64_t> ids_in(const std::vector<TrackRow>& rows) {
    std::set<int64_t> ids;
    for (const TrackRow& row : rows) ids.insert(row.id);
    return ids;
  }
  std::map<int64_t, int64_t> ids_;  // the present task's IDs
  int64_t next_id_ = 1;
};

std::string row_with_id(const std::string& row, IdJoiner& ids) {
  const size_t first = row.find(','), second = row.find(',', first + 1);
  if (second == std::string::npos) return row;
  return row.substr(0, first + 1) + std::to_string(ids(std::atoll(row.c_str() + first + 1))) +
         row.substr(second);
}

Status write_report(const MergedScene& scene, std::span<const CompleteTask> tasks, const fs::path& folder) {
  ordered_json seams = ordered_json::array(), gaps = ordered_json::array(), of_tasks = ordered_json::array();
  for (const Seam& seam : scene.seams)
    seams.push_back(
        {{"frame", seam.frame}, {"before", seam.before}, {"after", seam.after}, {"joined", seam.joined}});
  for (const Gap& gap : scene.gaps)
    gaps.push_back(
        {{"camera", gap.camera}, {"first", gap.first}, {"last", gap.last}, {"problem", gap.problem}});
  for (const CompleteTask& task : tasks)
    of_tasks.push_back({{"task", task.record.task},
                        {"begin", task.record.begin},
                        {"end", task.record.end},
                        {"host", task.record.host},
                        {"device", task.record.device},
                        {"seconds", task.record.seconds}});
  const ordered_json out = {{"scene", scene.name}, {"frames", scene.frames}, {"seams", seams},
                            {"gaps", gaps},        {"notes", scene.notes},   {"tasks", of_tasks}};
  return write_file_atomically(folder / "merge.json", json_text(out, 1) + "\n");
}

class SceneMerge {
 public:
  SceneMerge(const BatchPlan& plan, std::span<const CompleteTask> tasks, fs::path out,
             const MergeOptions& options, int64_t* done, int64_t total)
      : plan_(plan), tasks_(tasks), out_(std::move(out)), options_(options), done_(*done), total_(total) {}

  Result<MergedScene> run() {
    PlannedScene planned = plan_.scenes[tasks_[0].planned->scene];
    MergedScene scene{planned.name, out_};
    VANTAGE_ASSIGN(const Project project, load_scene(&planned));
    VANTAGE_ASSIGN(const std::string header, first_header());
    VANTAGE_ASSIGN(OutputFolder output, OutputFolder::make(out_));
    const fs::path& folder = output.staging();
    auto numbering = path_numbering(project, false);
    if (numbering) numbering = for_length(*std::move(numbering), planned.frames, options_.window_s);
    VANTAGE_ASSIGN(const auto merged,
                   MergedResults::open(folder, project, header, planned.frame_rate, std::move(numbering)));
    IdJoiner ids;
    for (size_t i = 0; i < tasks_.size(); ++i) {
      const CompleteTask* const before = i > 0 ? &tasks_[i - 1] : nullptr;
      if (!hands_over()) {
        Seam seam{tasks_[i].planned->begin};
        VANTAGE_TRY(ids.next(tasks_[i], before, &seam));
        if (before) scene.seams.push_back(seam);
      }
      VANTAGE_TRY(add_lines(tasks_[i], ids, *merged, &scene));
      VANTAGE_TRY(add_rows(tasks_[i], ids, *merged));
    }
    VANTAGE_TRY(merged->finish());
    VANTAGE_TRY(take_pictures(folder));
    std::error_code code;
    scene.bytes = static_cast<int64_t>(fs::file_size(folder / kLines, code));
    describe(&scene);
    VANTAGE_TRY(write_report(scene, tasks_, folder));
    remove_older();
    VANTAGE_TRY(output.publish(kLines));
    return scene;
  }

 private:
  bool hands_over() const { return plan_.seams == Seams::hand_over; }

  Result<std::string> first_header() const {
    std::ifstream in(tasks_[0].folder / kLines, std::ios::binary);
    std::string header;
    if (std::getline(in, header)) return header;
    return fail(ErrorKind::bad_data, "the results have no header", tasks_[0].folder.string());
  }

  Status add_lines(const CompleteTask& task, IdJoiner& ids, MergedResults& merged, MergedScene* scene) {
    std::ifstream in(task.folder / kLines, std::ios::binary);
    std::string line;
    if (std::getline(in, line)) merged.begin_part(line);
    while (std::getline(in, line)) {
      if (options_.stop.stop_requested()) return fail(ErrorKind::cancelled, "stopped", out_.string());
      if (!hands_over()) {
        VANTAGE_ASSIGN(line, line_with_ids(line, std::ref(ids)));
      }
      VANTAGE_TRY(merged.add_line(line));
      ++scene->frames;
      if (options_.progress) options_.progress(++done_, total_);
    }
    return {};
  }

  Status add_rows(const CompleteTask& task, IdJoiner& ids, MergedResults& merged) const {
    std::ifstream in(task.folder / "tracks.csv", std::ios::binary);
    for (std::string row; std::getline(in, row);)
      VANTAGE_TRY(merged.add_rows((hands_over() ? row : row_with_id(row, ids)) + '\n'));
    return {};
  }

  // Removes files of earlier results that these may lack.
  void remove_older() const {
    std::error_code ignored;
    fs::remove(out_ / kLines, ignored);  // without it the other files are not results
    for (const char* name : {"shells", "floor", "masks", "flow", "volumes", "tracks.csv"})
      fs::remove_all(out_ / name, ignored);
  }

  // Linked where that is possible, else copied.
  Status take_pictures(const fs::path& folder) const {
    std::error_code code;
    for (const CompleteTask& task : tasks_)
      for (const SealedFile& file : task.record.files) {
        const fs::path to = folder / file.name;
        const bool picture = file.name.find('/') != std::string::npos || file.name == "coverage.png";
        if (!picture) continue;
        VANTAGE_TRY(make_folder(to.parent_path()));
        fs::remove(to, code);
        fs::create_hard_link(task.folder / file.name, to, code);
        if (code) fs::copy_file(task.folder / file.name, to, fs::copy_options::overwrite_existing, code);
        if (code) return fail(ErrorKind::io, "cannot be copied (" + code.message() + ")", to.string());
      }
    return {};
  }

  void describe(MergedScene* scene) const {
    scene->tasks = static_cast<int64_t>(tasks_.size());
    for (const CompleteTask& task : tasks_) {
      scene->gaps.insert(scene->gaps.end(), task.record.gaps.begin(), task.record.gaps.end());
      for (const std::string& note : task.record.notes)
        if (std::find(scene->notes.begin(), scene->notes.end(), note) == scene->notes.end())
          scene->notes.push_back(note);
    }
  }

  const BatchPlan& plan_;
  const std::span<const CompleteTask> tasks_;  // the scene's, in order
  const fs::path out_;
  const MergeOptions& options_;
  int64_t& done_;
  const int64_t total_;
};

}  // namespace

fs::path merged_folder(const BatchPlan& plan, size_t scene, const fs::path& out) {
  if (!out.empty()) return plan.scenes.size() == 1 ? out : out / plan.scenes[scene].name;
  Project project;
  project.path = plan.scenes[scene].project;
  return project.results_folder();
}

Result<std::vector<MergedScene>> merge_tasks(const BatchPlan& plan, const fs::path& folder,
                                             const MergeOptions& options) {
  std::set<fs::path> folders;
  for (size_t scene = 0; scene < plan.scenes.size(); ++scene)
    if (const fs::path own = merged_folder(plan, scene, options.out); !folders.insert(own).second)
      return fail(ErrorKind::invalid_argument, "two recordings of the plan are of one project", own.string(),
                  "Give a folder for the results with --out.");
  VANTAGE_ASSIGN(const std::vector<CompleteTask> tasks, complete_tasks(plan, folder));
  int64_t done = 0, total = 0;
  for (const CompleteTask& task : tasks) total += task.record.frames;
  std::vector<MergedScene> scenes;
  for (size_t begin = 0, end = 0; begin < tasks.size(); begin = end) {
    const size_t scene = tasks[begin].planned->scene;
    while (end < tasks.size() && tasks[end].planned->scene == scene) ++end;
    const std::vector<CompleteTask> own(tasks.begin() + static_cast<int64_t>(begin),
                                        tasks.begin() + static_cast<int64_t>(end));
    VANTAGE_ASSIGN(
        MergedScene merged,
        SceneMerge(plan, own, merged_folder(plan, scene, options.out), options, &done, total).run());
    scenes.push_back(std::move(merged));
  }
  return scenes;
}

namespace {

// Problems differ in the numbers that they name.
std::string without_digits(const std::string& text) {
  std::string words;
  std::copy_if(text.begin(), text.end(), std::back_inserter(words),
               [](unsigned char c) { return std::isdigit(c) == 0; });
  return words;
}

}  // namespace

std::string gap_text(const Gap& gap) {
  const std::string frames = gap.first == gap.last
                                 ? "frame " + std::to_string(gap.first)
                                 : "frames " + std::to_string(gap.first) + " to " + std::to_string(gap.last);
  return (gap.camera.empty() ? "" : gap.camera + ", ") + frames + ": " + gap.problem;
}

void GapWatch::add(const FrameSet& frames) {
  for (size_t c = 0; c < frames.cameras.size() && c < cameras_.size(); ++c) {
    const CameraFrame& camera = frames.cameras[c];
    if (camera.picture && camera.problem.empty()) {
      open_[c] = -1;
      continue;
    }
    if (open_[c] >= 0) {
      Gap& gap = gaps_[open_[c]];
      if (gap.last == frames.frame - 1 && without_digits(gap.problem) == without_digits(camera.problem)) {
        gap.last = frames.frame;
        continue;
      }
    }
    open_[c] = static_cast<int64_t>(gaps_.size());
    gaps_.push_back({cameras_[c], frames.frame, frames.frame,
                     camera.problem.empty() ? "there is no picture" : camera.problem});
  }
}

// True of a camera that only starts late or ends early; a gap that extends further is one.
bool GapWatch::at_edge(const Gap& gap) const {
  const bool first = gap.first == 0 && gap.last < edge_frames_;
  const bool last = gap.last == recording_frames_ - 1 && gap.first >= recording_frames_ - edge_frames_;
  const bool clock = gap.problem.ends_with("had not started yet") || gap.problem.ends_with("has ended");
  return clock && (first || last);
}

std::vector<Gap> GapWatch::take() {
  std::erase_if(gaps_, [this](const Gap& gap) { return at_edge(gap); });
  std::fill(open_.begin(), open_.end(), -1);
  return std::exchange(gaps_, {});
}

namespace {

constexpr double kHeightWeight = 1.5;

// Indices of the IDs among all of them, ascending.
std::map<int64_t, int> places_of(std::span<const TrackRow> rows) {
  std::map<int64_t, int> places;
  for (const TrackRow& row : rows) places.emplace(row.id, 0);
  int next = 0;
  for (auto& [id, place] : places) place = next++;
  return places;
}

double nearness(const TrackRow& a, const TrackRow& b) {
  const double height = kHeightWeight * (a.height_m - b.height_m);
  return 1 - std::hypot(a.x_m - b.x_m, a.y_m - b.y_m, height) / kJoin_m;
}

}  // namespace

std::vector<std::pair<int64_t, int64_t>> join_tracks(std::span<const TrackRow> before,
                                                     std::span<const TrackRow> after, int64_t begin,
                                                     int64_t end) {
  if (before.empty() || after.empty()) return {};
  const std::map<int64_t, int> rows = places_of(before), columns = places_of(after);
  ScoreMatrix scores(static_cast<int>(rows.size()), static_cast<int>(columns.size()));
  std::multimap<int64_t, const TrackRow*> by_frame;
  for (const TrackRow& row : after) by_frame.emplace(row.frame, &row);
  const double halved_after = std::max(1.0, kHalvedAfter * static_cast<double>(end - begin));
  for (const TrackRow& row : before) {
    const double weight = std::exp2(-static_cast<double>(std::abs(row.frame - begin)) / halved_after);
    const auto [first, last] = by_frame.equal_range(row.frame);
    for (auto other = first; other != last; ++other)
      if (const double near = nearness(row, *other->second); near > 0)
        scores.at(rows.at(row.id), columns.at(other->second->id)) += weight * near;
  }
  const std::vector<int> assigned = assign_maximum(scores);
  std::vector<int64_t> ids_after;
  for (const auto& [id, place] : columns) ids_after.push_back(id);
  std::vector<std::pair<int64_t, int64_t>> pairs;
  for (const auto& [id, place] : rows) {
    const int column = assigned[place];
    if (column >= 0 && scores.at(place, column) > 0) pairs.emplace_back(id, ids_after[column]);
  }
  return pairs;
}

}  // namespace vantage
