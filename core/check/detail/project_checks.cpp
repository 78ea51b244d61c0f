#include "core/check/detail/project_checks.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <optional>

#include "core/base/text.h"
#include "core/base/trace.h"
#include "core/pipeline/memory_needed.h"
#include "core/results/results_paths.h"
#include "core/setup/alignment/align.h"

namespace vantage {
namespace {

double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

}  // namespace

CheckParts::Running::Running(CheckParts* parts, const char* name, size_t total) : parts_(parts) {
  if (!parts_) return;
  const std::lock_guard lock(parts_->mutex_);
  parts_->progress_ = {name, 0, total};
  parts_->start_ns_ = trace_now_ns();
  parts_->start_cpu_s_ = processor_seconds();
  parts_->tell();
}

CheckParts::Running::~Running() {
  if (!parts_) return;
  const std::lock_guard lock(parts_->mutex_);
  parts_->parts_->push_back({parts_->progress_.part,
                             static_cast<double>(trace_now_ns() - parts_->start_ns_) * 1e-9,
                             processor_seconds() - parts_->start_cpu_s_});
}

void CheckParts::step() {
  const std::lock_guard lock(mutex_);
  if (progress_.done < progress_.total) ++progress_.done;
  tell();
}

void CheckParts::reach(size_t done, size_t total) {
  const std::lock_guard lock(mutex_);
  progress_.done = done, progress_.total = total;
  tell();
}

void CheckParts::tell() const {
  if (options_.progress) options_.progress(progress_);
}

// Checks of what a run needs: offsets, disk, memory, time.

namespace {

constexpr double kLongRun_s = 12 * 3600.0;
// Read for the offsets of each camera at most: 20 s of 1280 x 960 at 25 frames/s.
constexpr double kOffsetPixels = 500.0 * 1280 * 960;
// When it is brief, of all cameras together, and by motion alone, for which no scene has to be learnt; less
// than kMinOffsets_s of each is not read at all.
constexpr double kBriefOffsetPixels = 120e6, kMinOffsets_s = 3;
constexpr double kLargestOffsetError = 1.0;  // frames
// results.jsonl, timings.json and the shells of some frames, as written for ordinary recordings.
constexpr double kBytesPerFrame = 3500, kBytesPerCameraFrame = 400, kBytesPerRun = 4e6;

class RunChecks : ProjectChecks {
 public:
  RunChecks(const ReadProject& read, std::vector<CheckItem>* items) : ProjectChecks(read, items) {}

  void check() {
    check_offsets();
    if (options_.stop.stop_requested()) return;
    const CheckParts::Running part(&read_.parts, "resources", 1);
    check_disk();
    check_memory();
    check_time();
  }

 private:
  double largest_picture_px() const {
    double largest = 1;
    for (const CameraSample& sample : samples_)
      largest = std::max(largest, static_cast<double>(sample.info.width_px) * sample.info.height_px);
    return largest;
  }

  // Frames of each camera that are read for the offsets.
  double offset_frames() const {
    const double frames =
        std::min(options_.offsets_seconds * read_.base_rate, kOffsetPixels / largest_picture_px());
    if (!options_.brief) return frames;
    return std::min(frames, kBriefOffsetPixels / largest_picture_px() / static_cast<double>(samples_.size()));
  }

  void say_offsets_not_compared() {
    for (size_t c = 1; c < project_.cameras.size(); ++c)
      if (!project_.cameras[c].offset_confirmed)
        add("offsets", name(c), Verdict::cannot_tell, "not confirmed, and too much to compare before a run",
            "a confirmed offset", "Compare them by a full check.", -1, "vantage-cli check");
  }

  // Offsets that are not confirmed are compared with what the recordings show.
  void check_offsets() {
    const std::vector<ProjectCamera>& cameras = project_.cameras;
    const auto confirmed = [](const ProjectCamera& camera) { return camera.offset_confirmed; };
    if (!project_.has_pictures()) return;  // nothing tells
    if (cameras.size() < 2 || std::all_of(cameras.begin() + 1, cameras.end(), confirmed)) return;
    for (size_t c = 0; c < cameras.size(); ++c)
      if (!usable(c)) return;  // said before
    const double frames = offset_frames();
    if (options_.brief && frames < kMinOffsets_s * read_.base_rate) return say_offsets_not_compared();
    const CheckParts::Running part(&read_.parts, "offsets", 1);
    AlignOptions how;
    how.collect.backends = options_.backends;
    how.collect.max_frames = static_cast<int64_t>(frames);
    how.collect.lines = !options_.brief;
    how.collect.stop = options_.stop;
    how.collect.progress = [this](int64_t done, int64_t total) {
      read_.parts.reach(static_cast<size_t>(std::max<int64_t>(done, 0)),
                        static_cast<size_t>(std::max<int64_t>(total, 0)));
    };
    const Result<Alignment> found = align_project(project_, how);
    for (size_t c = 1; c < cameras.size(); ++c)
      if (!confirmed(cameras[c])) check_offset(c, found);
  }

  void check_offset(size_t c, const Result<Alignment>& found) {
    const std::string limit = formatted("within %.0f frame of the project's offset", kLargestOffsetError);
    const auto say = [&](Verdict verdict, std::string figure) {
      add("offsets", name(c), verdict, std::move(figure), limit, "Find the offsets, or give them by hand.",
          -1, "vantage-cli sync --write");
    };
    const std::string& base = name(0);
    if (!found) return say(Verdict::cannot_tell, found.error().message());
    const CameraAlignment& camera = found->estimate.cameras[c];
    if (!camera.offset_frames) return say(Verdict::cannot_tell, camera.reason);
    if (camera.confidence < project_.parameters.get<SyncParameters>().min_confidence)
      return say(Verdict::cannot_tell,
                 formatted("motion and sound alone are only %.0f %% sure", 100 * camera.confidence));
    const double beside = *camera.offset_frames - project_.cameras[c].offset_frames;
    const bool good = std::abs(beside) <= kLargestOffsetError;
    std::string figure = formatted("%.1f frames from the project's offset", std::abs(beside));
    if (!good) {
      const double frames = std::round(*camera.offset_frames);
      figure = name(c) + (frames == 0 ? " appears to start with " + base
                                      : formatted(" appears to start %.0f frames %s ", std::abs(frames),
                                                  frames > 0 ? "before" : "after") +
                                            base);
    }
    say(good ? Verdict::passed : Verdict::doubtful, figure);
  }

  void check_disk() {
    if (read_.frame_count <= 0)
      return add("disk", "", Verdict::cannot_tell, "the recording's length is unknown",
                 "space for the results", "");
    const double needed =
        kBytesPerRun + static_cast<double>(read_.frame_count) *
                           (kBytesPerFrame + kBytesPerCameraFrame * static_cast<double>(samples_.size()));
    const std::optional<uint64_t> free = options_.free_bytes ? options_.free_bytes : free_on_disk();
    const std::string limit = formatted("%.1f MB for the results", needed * 1e-6);
    if (!free)
      return add("disk", "", Verdict::cannot_tell, "the free space cannot be determined", limit,
                 "Choose another folder.");
    const auto available = static_cast<double>(*free);
    const Verdict verdict = available < needed       ? Verdict::failed
                            : available < 2 * needed ? Verdict::doubtful
                                                     : Verdict::passed;
    add("disk", "", verdict, formatted("%.1f MB free", available * 1e-6), limit,
        "Free some space, or choose another folder.", -1, "vantage-cli run --out");
  }

  // Memory that the run would take with the pictures, grid and parameters of the project.
  void check_memory() {
    AnalysedScene scene;
    for (const CameraSample& sample : samples_)
      if (sample.info.width_px > 0) scene.pictures.push_back({sample.info.width_px, sample.info.height_px});
    if (scene.pictures.size() < samples_.size() || scene.pictures.empty())
      return add("memory", "", Verdict::cannot_tell, "some picture sizes are unknown", "the free memory",
                 "Fix the decoding first.");
    if (project_.calibrated())
      if (const auto grid = project_.effective_grid()) scene.grid = *grid;
    scene.parameters = &project_.parameters;
    if (std::error_code code; !project_.detection_model.empty()) {
      const uintmax_t bytes = std::filesystem::file_size(project_.detection_model, code);
      scene.detection_model_bytes = code ? 0 : static_cast<double>(bytes);
    }
    scene.device = options_.device;
    scene.hardware_decoding = options_.device != Device::cpu;
    scene.pipeline = options_.pipeline;
    MemoryAvailable available = options_.memory;
    if (!available.host_bytes) available.host_bytes = free_host_bytes();
    const Result<MemoryPlan> plan = plan_memory(scene, available);
    const std::string limit = "the free memory";
    if (!plan)
      return add("memory", "", Verdict::failed, plan.error().what + " (" + plan.error().where + ")", limit,
                 plan.error().remedy);
    const bool on_device = options_.device != Device::cpu;
    add("memory", "", available.host_bytes ? Verdict::passed : Verdict::cannot_tell,
        "at most " + memory_text(plan->need, available) + ": " + shares_text(plan->need, on_device), limit,
        "The free memory is unknown.");
  }

  std::optional<uint64_t> free_on_disk() const {
    std::error_code code;
    std::filesystem::path folder =
        std::filesystem::absolute(options_.out.empty() ? project_.results_folder() : options_.out, code);
    while (!folder.empty() && !std::filesystem::exists(folder, code) && folder != folder.parent_path())
      folder = folder.parent_path();
    const std::filesystem::space_info space = std::filesystem::space(folder, code);
    if (code) return std::nullopt;
    return space.available;
  }

  // Where pictures were read here and there, they say nothing about the time of a frame.
  void check_time() {
    if (!project_.has_pictures() || options_.brief) return;
    double slowest_s = 0;
    for (const CameraSample& sample : samples_) slowest_s = std::max(slowest_s, sample.seconds_per_frame);
    if (read_.frame_count <= 0 || slowest_s <= 0)
      return add("time", "", Verdict::cannot_tell, "nothing could be measured", "under 12 hours",
                 "Fix the decoding first.");
    const double total_s = slowest_s * static_cast<double>(read_.frame_count);
    add("time", "", total_s > kLongRun_s ? Verdict::doubtful : Verdict::passed,
        formatted("at least %.0f s on the CPU for %lld frames (decoding and foreground)", total_s,
                  static_cast<long long>(read_.frame_count)),
        "under 12 hours", "Analyse a part, or on a GPU.", -1, "vantage-cli run --frames");
  }
};

}  // namespace

void check_run(const ReadProject& read, std::vector<CheckItem>* items) {
  RunChecks(read, items).check();
}

}  // namespace vantage
