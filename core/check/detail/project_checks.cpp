#include "core/check/detail/project_checks.h"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <optional>

#include "core/base/trace.h"
#include "core/pipeline/memory_needed.h"
#include "core/results/results_paths.h"
#include "core/setup/alignment/align.h"
#include "core/sync/coarse_signals.h"

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

// Checks the requirements of a run: offsets, disk, memory, time.

namespace {

constexpr double kLongRun_s = 12 * 3600.0;
// Maximum amount read per camera for the offsets: 20 s of 1280 x 960 at 25 frames/s.
constexpr double kOffsetPixels = 500.0 * 1280 * 960;
// Maximum of a brief check, for all cameras together, by motion alone, for which no scene has to be learnt.
// Below kMinOffsets_s per camera nothing is read.
constexpr double kBriefOffsetPixels = 120e6, kMinOffsets_s = 3;
constexpr double kMaxOffsets_s = 300;        // read before an offset is doubted
constexpr double kLargestOffsetError = 1.0;  // frames
constexpr double kWalking_m_s = 1.4;
// Sizes of results.jsonl, timings.json and the shells of some frames, as written for ordinary recordings.
constexpr double kBytesPerFrame = 3500, kBytesPerCameraFrame = 400, kBytesPerRun = 4e6;

class RunChecks : ProjectChecks {
 public:
  RunChecks(const ReadProject& read, const std::optional<BlamedPose>& blamed, std::vector<CheckItem>* items)
      : ProjectChecks(read, items), blamed_(blamed) {}

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

  // Number of frames of each camera that are read for the offsets.
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

  // Compares offsets that are not confirmed with the recordings. A doubt never rests on the part that is read
  // first alone, nor on motion where epipolar lines can be compared: `sync` must find the same.
  void check_offsets() {
    const std::vector<ProjectCamera>& cameras = project_.cameras;
    if (!project_.has_pictures() || cameras.size() < 2) return;  // nothing tells
    if (std::all_of(cameras.begin() + 1, cameras.end(), &is_confirmed)) return;
    for (size_t c = 0; c < cameras.size(); ++c)
      if (!usable(c)) return;  // reported earlier
    const auto frames = static_cast<int64_t>(offset_frames());
    if (options_.brief && static_cast<double>(frames) < kMinOffsets_s * read_.base_rate)
      return say_offsets_not_compared();
    const CheckParts::Running part(&read_.parts, "offsets", 1);
    Result<Alignment> found = aligned(frames, !options_.brief);
    const bool all_of_it = !options_.brief && found && found->frames < frames;
    if (found && !all_of_it && is_any_doubtful(*found))
      found = aligned(static_cast<int64_t>(kMaxOffsets_s * read_.base_rate), true);
    for (size_t c = 1; c < cameras.size(); ++c)
      if (!is_confirmed(cameras[c])) check_offset(c, found);
  }

  static bool is_confirmed(const ProjectCamera& camera) { return camera.offset_confirmed; }

  Result<Alignment> aligned(int64_t frames, bool lines) const {
    AlignOptions how;
    how.collect.backends = options_.backends;
    how.collect.max_frames = frames;
    how.collect.lines = lines;
    how.collect.stop = options_.stop;
    how.collect.progress = [this](int64_t done, int64_t total) {
      read_.parts.reach(static_cast<size_t>(std::max<int64_t>(done, 0)),
                        static_cast<size_t>(std::max<int64_t>(total, 0)));
    };
    return align_project(project_, how);
  }

  // The estimate is certain enough to be reported.
  bool is_sure(const CameraAlignment& camera) const {
    return camera.offset_frames &&
           camera.confidence >= project_.parameters.get<SyncParameters>().min_confidence;
  }
  double deviation_frames(size_t c, const CameraAlignment& camera) const {
    return *camera.offset_frames - project_.cameras[c].offset_frames;
  }
  // The minimum over the stretches between lost or gained frames, less two standard deviations.
  double min_deviation_frames(size_t c, const CameraAlignment& camera) const {
    double at = deviation_frames(c, camera), min = std::abs(at);
    for (const OffsetChange& change : camera.changes) min = std::min(min, std::abs(at += change.frames));
    return min - 2 * camera.sigma_frames;
  }
  bool is_any_doubtful(const Alignment& found) const {
    for (size_t c = 1; c < project_.cameras.size(); ++c) {
      const CameraAlignment& camera = found.estimate.cameras[c];
      if (is_confirmed(project_.cameras[c]) || !is_sure(camera)) continue;
      if (min_deviation_frames(c, camera) > kLargestOffsetError) return true;
    }
    return false;
  }

  // True if motion or sound, which do not depend on poses, show the same offset.
  bool is_seen_without_poses(size_t c, const Alignment& found) const {
    const double own_rate = found.frame_rates[c];
    const auto same = [&](const SyncEstimate& estimate, double rate) {
      const CameraAlignment& camera = estimate.cameras[c];
      return is_sure(camera) && std::abs(*camera.offset_frames / rate * own_rate -
                                         *found.estimate.cameras[c].offset_frames) <= kLargestOffsetError;
    };
    return same(found.motion, found.frame_rates[0]) || (found.sound && same(*found.sound, kSoundSignals_hz));
  }
  // True if a pose that is not as calibrated explains the offset: people walk no farther in that time than
  // the pose moves them on the floor.
  bool is_explained_by_pose(size_t c, const Alignment& found) const {
    if (!blamed_ || (blamed_->camera != c && blamed_->camera != 0) || found.method != "lines") return false;
    if (is_seen_without_poses(c, found)) return false;
    const double walked_m =
        kWalking_m_s * std::abs(deviation_frames(c, found.estimate.cameras[c])) / found.frame_rates[c];
    return !blamed_->shift_m || walked_m <= *blamed_->shift_m;
  }

  void check_offset(size_t c, const Result<Alignment>& found) {
    const std::string limit = fmt::format("within {:.0f} frame of the project's offset", kLargestOffsetError);
    const auto say = [&](Verdict verdict, std::string figure) {
      add("offsets", name(c), verdict, std::move(figure), limit, "Find the offsets, or give them by hand.",
          -1, "vantage-cli sync --write");
    };
    const auto unknown = [&](std::string why) { say(Verdict::cannot_tell, std::move(why)); };
    if (!found) return unknown(found.error().message());
    const CameraAlignment& camera = found->estimate.cameras[c];
    if (!camera.offset_frames) return unknown(camera.reason);
    if (!is_sure(camera))
      return unknown(fmt::format("motion and sound alone are only {:.0f} % sure", 100 * camera.confidence));
    const double off = std::abs(deviation_frames(c, camera));
    if (off <= kLargestOffsetError)
      return add("offsets", name(c), Verdict::passed,
                 fmt::format("{:.1f} frames from the project's offset", off), limit, "");
    const bool in_part = min_deviation_frames(c, camera) <= kLargestOffsetError;
    const std::string figure =
        in_part ? fmt::format("{:.1f} ± {:.1f} frames from the project's offset", off, camera.sigma_frames) +
                      (camera.changes.empty() ? "" : ", but not in all of the recording")
                : "appears to have " +
                      describe_offset(std::round(*camera.offset_frames), found->frame_rates[c], name(0));
    if (is_explained_by_pose(c, *found))
      return add("offsets", name(c), Verdict::cannot_tell,
                 figure + ", which the pose of " + name(blamed_->camera) + " explains", limit,
                 "Correct that pose first (see outlines), then check again.");
    if (in_part) return unknown(figure);
    say(std::max(Verdict::doubtful, taken_from_outlines(c)), figure);
  }

  // A wrong offset makes outlines blame the pose, since people have moved by then. The verdict is then that
  // of the offset.
  Verdict taken_from_outlines(size_t out_of_step) {
    Verdict taken = Verdict::passed;
    if (!blamed_ || (blamed_->camera != out_of_step && blamed_->camera != 0)) return taken;
    for (CheckItem& item : *items_) {
      if (item.check != "outlines" || item.camera != name(blamed_->camera)) continue;
      taken = std::max(taken, item.verdict);
      item.verdict = Verdict::cannot_tell;
      item.figure += "; the offset of " + name(out_of_step) + " may explain it";
      item.remedy = "Find the offsets first, then check again.";
    }
    return taken;
  }

  void check_disk() {
    if (read_.frame_count <= 0)
      return add("disk", "", Verdict::cannot_tell, "the recording's length is unknown",
                 "space for the results", "");
    const double needed =
        kBytesPerRun + static_cast<double>(read_.frame_count) *
                           (kBytesPerFrame + kBytesPerCameraFrame * static_cast<double>(samples_.size()));
    const std::optional<uint64_t> free = options_.free_bytes ? options_.free_bytes : free_on_disk();
    const std::string limit = fmt::format("{:.1f} MB for the results", needed * 1e-6);
    if (!free)
      return add("disk", "", Verdict::cannot_tell, "the free space cannot be determined", limit,
                 "Choose another folder.");
    const auto available = static_cast<double>(*free);
    const Verdict verdict = available < needed       ? Verdict::failed
                            : available < 2 * needed ? Verdict::doubtful
                                                     : Verdict::passed;
    add("disk", "", verdict, fmt::format("{:.1f} MB free", available * 1e-6), limit,
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
    scene.detection_model_bytes = bytes_of_models(project_);
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

  // Frames read at single instants do not show how long a frame takes in order.
  void check_time() {
    if (!project_.has_pictures() || options_.brief) return;
    double slowest_s = 0;
    for (const CameraSample& sample : samples_) slowest_s = std::max(slowest_s, sample.seconds_per_frame);
    if (read_.frame_count <= 0 || slowest_s <= 0)
      return add("time", "", Verdict::cannot_tell, "nothing could be measured", "under 12 hours",
                 "Fix the decoding first.");
    const double total_s = slowest_s * static_cast<double>(read_.frame_count);
    add("time", "", total_s > kLongRun_s ? Verdict::doubtful : Verdict::passed,
        fmt::format("at least {:.0f} s on the CPU for {} frames (decoding and foreground)", total_s,
                    read_.frame_count),
        "under 12 hours", "Analyse a part, or on a GPU.", -1, "vantage-cli run --frames");
  }

  const std::optional<BlamedPose>& blamed_;
};

}  // namespace

void check_run(const ReadProject& read, const std::optional<BlamedPose>& blamed,
               std::vector<CheckItem>* items) {
  RunChecks(read, blamed, items).check();
}

}  // namespace vantage
