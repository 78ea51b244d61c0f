// merge_bench PROJECT HOURS FOLDER [RESULTS]: writes the tasks of a recording of 16 cameras at 25 frames/s
// with 10 people, as tasks write them (10 minutes each), into FOLDER, merges them, and prints frames, bytes a
// frame, seconds and the largest memory as JSON. PROJECT is any calibrated one; only its parameters are used.
// The header is that of RESULTS, a results.jsonl, so that PROJECT's window takes the merged results for its
// own. People walk in circles and leave after a minute.
#include <fmt/core.h>
#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/batch/merge.h"
#include "core/batch/plan.h"
#include "core/batch/task_files.h"

namespace {

using namespace vantage;
namespace fs = std::filesystem;

constexpr int kCameras = 16, kPeople = 10;
constexpr int64_t kLife_frames = 1500;
constexpr double kRate = 25;
// A task's own IDs, by person and life.
using Ids = std::map<std::pair<int, int64_t>, int64_t>;

struct Frame {
  std::string line, rows;
};

Frame frame_of(int64_t frame, Ids* ids) {
  Frame made;
  made.line =
      fmt::format(R"({{"frame":{},"time_s":{:.2f},"cameras":[)", frame, static_cast<double>(frame) / kRate);
  for (int c = 0; c < kCameras; ++c)
    made.line += fmt::format(R"({}{{"foreground_share":{:.5f}}})", c > 0 ? "," : "",
                             0.03 + 0.001 * std::sin(static_cast<double>(frame + c)));
  made.line +=
      R"(],"volume":{"litres":950.976,"occupied_voxels":14859,"shell_voxels":6701},"people":{"count":10,"covered_share":1.0,"peaks":10,"people":[)";
  for (int p = 0; p < kPeople; ++p) {
    const int64_t life = (frame + p * kLife_frames / kPeople) / kLife_frames;
    const int64_t id = ids->emplace(std::pair(p, life), static_cast<int64_t>(ids->size()) + 1).first->second;
    const double angle = 0.01 * static_cast<double>(frame) + p, radius = 1 + 0.4 * p;
    const double x = radius * std::cos(angle), y = radius * std::sin(angle);
    made.line += fmt::format(
        R"({}{{"id":{},"x_m":{:.3f},"y_m":{:.3f},"height_m":{:.2f},"volume_litres":{:.1f},"confidence":0.714,"cameras":16}})",
        p > 0 ? "," : "", id, x, y, 1.6 + 0.02 * p, 70.0 + p);
    made.rows +=
        fmt::format("{},{},-1,-1,-1,-1,0.714,{:.3f},{:.3f},0,{:.3f}\n", frame + 1, id, x, y, 1.6 + 0.02 * p);
  }
  made.line += "],\"rejected\":[],\"stopped_at\":null}}\n";
  return made;
}

bool write_task(const BatchPlan& plan, const fs::path& folder, size_t number, const std::string& header) {
  const PlannedTask& task = plan.tasks[number];
  const PlannedScene& scene = plan.scene_of(number);
  const TaskFiles files(folder, number);
  if (!make_folder(files.part())) return false;
  std::FILE* lines = std::fopen((files.part() / "results.jsonl").c_str(), "wb");
  std::FILE* tracks = std::fopen((files.part() / "tracks.csv").c_str(), "wb");
  if (!lines || !tracks) return false;
  std::fputs((header + "\n").c_str(), lines);
  Ids ids;
  std::string overlap;
  for (int64_t frame = task.begin; frame < task.overlap_end; ++frame) {
    const Frame made = frame_of(frame, &ids);
    if (frame < task.end) {
      std::fputs(made.line.c_str(), lines);
      std::fputs(made.rows.c_str(), tracks);
    } else {
      overlap += made.rows;
    }
  }
  std::fclose(lines), std::fclose(tracks);
  TaskRecord record;
  record.task = number, record.version = plan.version, record.scene_hash = scene.hash(plan.version);
  record.project_hash = scene.project_hash, record.parameters_hash = scene.parameters_hash;
  record.device = "CPU", record.frames = task.end - task.begin;
  return write_file_atomically(files.part() / kOverlapFile, overlap) && files.commit(record);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4 && argc != 5) {
    fmt::print(stderr, "usage: merge_bench PROJECT HOURS FOLDER [RESULTS]\n");
    return 2;
  }
  std::string header =
      R"({"schema":"vantage-results-2","version":"0","device":"CPU","frame_rate":25.0,"versions":{}})";
  if (argc == 5) std::getline(std::ifstream(argv[4]), header);
  const fs::path folder = argv[3];
  BatchPlan plan;
  plan.version = "0";
  PlannedScene& scene = plan.scenes.emplace_back();
  scene.name = "day", scene.project = fs::absolute(argv[1]), scene.frame_rate = kRate;
  scene.frames = static_cast<int64_t>(std::atof(argv[2]) * 3600 * kRate), scene.overlap_frames = 100;
  if (const auto project = load_scene(&scene); !project) {
    fmt::print(stderr, "{}\n", project.error().message());
    return 1;
  }
  add_tasks(0, 600, &plan);
  for (size_t i = 0; i < plan.tasks.size(); ++i)
    if (!write_task(plan, folder, i, header)) return 1;
  MergeOptions options;
  options.out = folder / "merged";
  const auto start = std::chrono::steady_clock::now();
  const auto merged = merge_tasks(plan, folder, options);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!merged) {
    fmt::print(stderr, "{}\n", merged.error().message());
    return 1;
  }
  rusage used = {};
  ::getrusage(RUSAGE_SELF, &used);
  int64_t joined = 0, before = 0;
  for (const Seam& seam : merged->at(0).seams) joined += seam.joined, before += seam.before;
  const nlohmann::ordered_json out = {
      {"frames", scene.frames},
      {"bytes_per_frame", static_cast<double>(merged->at(0).bytes) / static_cast<double>(scene.frames)},
      {"seconds", seconds},
      {"largest_memory_mb", static_cast<double>(used.ru_maxrss) / 1024},
      {"joined", joined},
      {"tracks_at_seams", before}};
  fmt::print("{}\n", json_text(out));
  return 0;
}
