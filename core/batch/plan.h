// A plan of batch work: recordings (scenes) split into tasks for processes on any machines, with checks that
// their results belong together. It is plan.json in a folder, with the tasks' files in tasks/ (task_files.h).
//
// A task analyses the frames [begin, end) of its scene. With Seams::warm_up it starts at `warm_begin` without
// memory, gives no results before `begin`, and continues to `overlap_end`, so that it also reports the people
// at the beginning of the next task. With Seams::hand_over it starts from the memory of the previous task
// (Pipeline::write_memory()), and the tasks of a scene run one after the other.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/image/backend/registry.h"
#include "core/project/project.h"
#include "core/video/video_source.h"

namespace vantage {

enum class Seams : uint8_t { warm_up, hand_over };
std::string_view seams_name(Seams seams);  // "warm-up", "hand-over"

struct PlannedInput {
  std::string camera, video;
  int64_t bytes = 0;      // as VideoIdentity
  uint64_t checksum = 0;  // likewise; 0: missing or not readable when it was planned
  bool operator==(const PlannedInput&) const = default;
};

struct PlannedScene {
  std::string name;                  // name of its results' folder; no two of a plan are equal
  std::filesystem::path project;     // absolute
  std::vector<std::string> set;      // parameters besides the project's, STAGE.PARAMETER=VALUE
  uint64_t project_hash = 0;         // hash of the project file's content
  uint64_t parameters_hash = 0;      // hash of all parameters, those of `set` among them
  std::vector<PlannedInput> inputs;  // one per camera
  double frame_rate = 0;             // frames/s of the base camera
  int64_t frames = 0;
  int64_t warm_up_frames = 0, overlap_frames = 0;  // 0 with Seams::hand_over
  double start_s = 0, seconds_per_frame = 0;       // measured where it was planned
  double host_bytes = 0, device_bytes = 0;         // memory, estimated (memory_needed.h)
  // Hash of all that results depend on, tasks' spans apart, and of the program's version.
  uint64_t hash(const std::string& version) const;
};

struct PlannedTask {
  size_t scene = 0;
  int span = 0;                                                 // the scene's, from 0
  int64_t warm_begin = 0, begin = 0, end = 0, overlap_end = 0;  // frames; ends are excluded
  double predicted_s = 0;
};

struct BatchPlan {
  std::string version;  // the program's
  Seams seams = Seams::warm_up;
  std::string backend = "auto";  // as --backend
  int threads = 1;               // threads per task
  std::vector<PlannedScene> scenes;
  std::vector<PlannedTask> tasks;  // sorted by scene, then by span

  const PlannedScene& scene_of(size_t task) const { return scenes[tasks[task].scene]; }
  bool first_of_scene(size_t task) const { return tasks[task].span == 0; }
  bool last_of_scene(size_t task) const {
    return task + 1 == tasks.size() || tasks[task + 1].scene != tasks[task].scene;
  }
};

// Appends the scene's tasks, of equal length and of `span_s` at most.
void add_tasks(size_t scene, double span_s, BatchPlan* plan);

// The largest needs of a task, as requested from clusters: with the memory of programs and libraries, and
// twice the predicted time, as machines differ.
struct TaskNeeds {
  int threads = 1;
  double host_bytes = 0, seconds = 0;
};
TaskNeeds task_needs(const BatchPlan& plan);

inline constexpr const char* kPlanFile = "plan.json";
// Errors: not_found; bad_data where it is not a plan or is inconsistent; unsupported for a newer one.
Result<BatchPlan> read_plan(const std::filesystem::path& file);
// Writes plan.json into the folder, which is created.
Status write_plan(const BatchPlan& plan, const std::filesystem::path& folder);

// A recording surveyed for a plan: its length, its identity, the needs of its tasks.

struct SurveyOptions {
  DeviceBackends backends;                   // the tasks' device, on which the speed is measured
  std::shared_ptr<HardwareDecode> hardware;  // null: software decoding
  Seams seams = Seams::warm_up;
  std::optional<double> warm_up_s;  // nothing: by the parameters, automatic_warm_up_s()
  double overlap_s = 4;
  StopSource stop;
};

// Warm-up after which the chain's memories are about those of a run from frame 0: people have IDs, and, where
// no empty scene is learnt beforehand, the background model has learnt one.
double automatic_warm_up_s(const Project& project, double frame_rate);

// `set` as PlannedScene::set. Opens every video, counts the frames and analyses some in the middle. Errors:
// load_project()'s, Analysis::open()'s; invalid_argument for live cameras and for wrong assignments.
Result<PlannedScene> survey_scene(const std::filesystem::path& project, const std::vector<std::string>& set,
                                  const SurveyOptions& options);

// The project with a scene's parameters, and its hashes filled in.
Result<Project> load_scene(PlannedScene* scene);
// The inputs as they are now. Reads at most 1 MiB of each video.
std::vector<PlannedInput> inputs_of(const Project& project);

// Resources granted to this process by a cluster's scheduler, from the environment of Slurm's jobs.

struct Granted {
  bool by_slurm = false;             // false: nothing is limited, and the rest is empty
  std::optional<int> threads;        // CPUs of the task, else of the job on this node
  std::optional<double> host_bytes;  // memory on this node; nothing: all of it
  bool gpu = false;                  // at least one
};

// `variable` returns an environment variable, null where it is not set. Values that are not numbers count as
// absent.
Granted granted_by(const std::function<const char*(const char*)>& variable);

}  // namespace vantage
