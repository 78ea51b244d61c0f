#include "core/batch/run_task.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/file.h"
#include "core/base/process_owner.h"
#include "core/base/trace.h"
#include "core/batch/plan.h"
#include "core/results/results_writer.h"
#include "core/run/analysis.h"
#include "core/run/run.h"

namespace vantage {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kProgressInterval_ns = 5'000'000'000;

// Project, parameters and program must be those of the plan; the cameras' files may have changed.
Status check_scene(const BatchPlan& plan, const PlannedScene& planned, const PlannedScene& found) {
  constexpr const char* kPlanAgain = "Plan again, or restore what was planned.";
  if (plan.version != VANTAGE_VERSION)
    return fail(ErrorKind::invalid_argument,
                "the plan was made by version " + plan.version + ", this is version " VANTAGE_VERSION,
                planned.name, "Run all tasks with the version that made the plan, or plan again.");
  if (found.project_hash != planned.project_hash)
    return fail(ErrorKind::invalid_argument, "the project has changed since it was planned",
                planned.project.string(), kPlanAgain);
  if (found.parameters_hash != planned.parameters_hash)
    return fail(ErrorKind::invalid_argument, "the parameters are not those that were planned", planned.name,
                kPlanAgain);
  return {};
}

// Sentences on inputs that are not those of the plan.
std::vector<std::string> changed_inputs(const PlannedScene& planned, const std::vector<PlannedInput>& found) {
  std::vector<std::string> notes;
  for (size_t i = 0; i < std::min(planned.inputs.size(), found.size()); ++i)
    if (planned.inputs[i].checksum != found[i].checksum)
      notes.push_back(found[i].camera + ": its video is not the one that was planned (" +
                      std::to_string(planned.inputs[i].bytes) + " bytes then, " +
                      std::to_string(found[i].bytes) + " now): " + found[i].video);
  return notes;
}

// The error is about the recording's content, which goes into the task's record and does not stop it.
bool is_content(const Error& error) {
  return error.kind == ErrorKind::bad_data || error.kind == ErrorKind::not_found ||
         error.kind == ErrorKind::end_of_stream;
}

class TaskRun {
 public:
  TaskRun(const BatchPlan& plan, fs::path folder, size_t task, const TaskOptions& options)
      : plan_(plan),
        task_(plan.tasks[task]),
        scene_(plan.scene_of(task)),
        folder_(std::move(folder)),
        files_(folder_, task),
        options_(options),
        total_(task_.overlap_end - task_.warm_begin) {
    record_.task = task;
  }

  Result<EndedTask> run() {
    const uint64_t hash = scene_.hash(plan_.version);
    if (auto complete = files_.record(true); complete && complete->scene_hash == hash)
      return EndedTask{std::move(*complete), true};
    PlannedScene found = scene_;
    VANTAGE_ASSIGN(project_, load_scene(&found));
    VANTAGE_TRY(check_scene(plan_, scene_, found));
    record_.scene_hash = hash, record_.version = VANTAGE_VERSION;
    record_.parameters_hash = found.parameters_hash, record_.project_hash = found.project_hash;
    record_.inputs = inputs_of(project_);
    record_.notes = changed_inputs(scene_, record_.inputs);
    record_.device = options_.device_description, record_.host = this_process().host;
    record_.begin = task_.begin, record_.end = task_.end;
    return analysed();
  }

 private:
  bool hands_over() const { return plan_.seams == Seams::hand_over; }

  Result<EndedTask> analysed() {
    const int64_t start_ns = trace_now_ns();
    VANTAGE_TRY(open());
    VANTAGE_TRY(restore());
    files_.remove_stale_parts();
    std::error_code code;
    fs::remove_all(files_.part(), code);
    VANTAGE_TRY(begin_results());
    const Status done = analyse();
    const Status finished = writer_->finish(nullptr);
    if (!done && !is_content(done.error())) return fail(done.error());
    VANTAGE_TRY(finished);
    note_missing_frames(done ? "the recording ends before" : done.error().message());
    VANTAGE_TRY(write_rest());
    record_.seconds = static_cast<double>(trace_now_ns() - start_ns) * 1e-9;
    VANTAGE_TRY(files_.commit(record_));
    return EndedTask{std::move(record_), false};
  }

  Status open() {
    AnalysisOptions analysis;
    analysis.backends = options_.backends;
    analysis.hardware = options_.hardware;
    analysis.memory = options_.memory;
    analysis.without_missing = analysis.without_damaged = true;
    analysis.pipeline.cache_bytes = analysis.pipeline.checkpoint_bytes = 0;  // every frame is seen once
    analysis.pipeline.unseen = UnseenFrames::go_on;                          // frames before the first
    analysis.stop = options_.stop;
    VANTAGE_ASSIGN(analysis_, Analysis::open(project_, analysis));
    for (const std::string& note : analysis_->notes()) record_.notes.push_back(note);
    return {};
  }

  Status restore() {
    if (!hands_over() || task_.span == 0) return {};
    const TaskFiles before(folder_, record_.task - 1);
    if (!before.record(false))
      return fail(
          ErrorKind::cancelled,
          "task " + std::to_string(record_.task - 1) + ", whose state this one continues, is not complete",
          scene_.name, "Run that one first.");
    VANTAGE_ASSIGN(const std::string bytes, read_file(before.complete() / kMemoryFile));
    return analysis_->pipeline().read_memory(bytes, task_.begin - 1);
  }

  Status begin_results() {
    VANTAGE_ASSIGN(RunDescription description,
                   describe_run(*analysis_, options_.backends, options_.device_description));
    description.part = true;
    VANTAGE_ASSIGN(writer_, ResultsWriter::open(files_.part(), project_, description));
    std::vector<std::string> cameras;
    for (const ProjectCamera& camera : project_.cameras) cameras.push_back(camera.name);
    gaps_.emplace(std::move(cameras), scene_.frames, scene_.frame_rate);
    return {};
  }

  Status analyse() {
    Status written;
    const Status analysed = analysis_->pipeline().analyse(
        {task_.warm_begin, task_.overlap_end}, options_.mode,
        [&](const FrameResultRef& result) {
          written = take(*result);
          report(result->frame + 1 - task_.warm_begin);
          return written.has_value();
        },
        options_.stop);
    VANTAGE_TRY(written);
    return analysed;
  }

  // The warm-up's frames are dropped; of the overlap's only the tracks are kept.
  Status take(const FrameResult& result) {
    if (result.frame < task_.begin) return {};
    if (result.frame >= task_.end) {
      overlap_ += track_rows(result);
      return {};
    }
    if (const FrameSet* frames = result.frames()) gaps_->add(*frames);
    last_ = result.frame;
    ++record_.frames;
    return writer_->write(result);
  }

  void report(int64_t done) {
    if (options_.progress) options_.progress(done, total_);
    if (trace_now_ns() - reported_ns_ < kProgressInterval_ns) return;
    reported_ns_ = trace_now_ns();
    files_.write_progress({owner_, done, total_});
  }

  void note_missing_frames(const std::string& why) {
    record_.gaps = gaps_->take();
    const int64_t next = std::max(last_ + 1, task_.begin);
    if (next < task_.end) record_.gaps.push_back({"", next, task_.end - 1, why});
  }

  // Files that the merge and the next task read, next to the results.
  Status write_rest() {
    VANTAGE_TRY(write_file_atomically(files_.part() / kOverlapFile, overlap_));
    if (!hands_over() || plan_.last_of_scene(record_.task) || last_ + 1 < task_.end) return {};
    VANTAGE_ASSIGN(const std::string memory, analysis_->pipeline().write_memory(last_));
    return write_file_atomically(files_.part() / kMemoryFile, memory);
  }

  const BatchPlan& plan_;
  const PlannedTask& task_;
  const PlannedScene& scene_;
  const fs::path folder_;
  const TaskFiles files_;
  const TaskOptions& options_;
  const int64_t total_;  // frames to analyse
  const ProcessOwner owner_ = this_process();
  Project project_;
  TaskRecord record_;
  std::unique_ptr<Analysis> analysis_;
  std::unique_ptr<ResultsWriter> writer_;  // before the analysis goes: its pictures come from there
  std::optional<GapWatch> gaps_;
  std::string overlap_;  // rows as tracks.csv
  int64_t last_ = -1, reported_ns_ = 0;
};

}  // namespace

Result<EndedTask> run_task(const BatchPlan& plan, const fs::path& folder, size_t task,
                           const TaskOptions& options) {
  if (task >= plan.tasks.size())
    return fail(ErrorKind::invalid_argument, "there is no task " + std::to_string(task), folder.string(),
                "The plan has tasks 0 to " + std::to_string(plan.tasks.size() - 1) + ".");
  const TaskFiles files(folder, task);
  files.remove_reports(true);
  Result<EndedTask> ended = TaskRun(plan, folder, task, options).run();
  files.remove_reports(false);
  if (ended) return ended;
  std::error_code code;
  fs::remove_all(files.part(), code);
  files.write_failure({exit_after(ended.error()), ended.error().message()});
  return ended;
}

}  // namespace vantage
