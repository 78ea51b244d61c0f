// State shared by the checks of a project: the sampled frames, and the items that the checks add.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/clock.h"
#include "core/check/check.h"
#include "core/check/detail/sample.h"
#include "core/project/missing_files.h"
#include "core/project/project.h"
#include "core/video/no_video.h"

namespace vantage {

// Runs the parts of a check one after the other, and reports progress and duration.

class CheckParts {
 public:
  // Both outlive it. `parts`: gets each part at its end.
  CheckParts(const CheckOptions& options, std::vector<CheckPart>* parts) : options_(options), parts_(parts) {}

  const StopSource& stop() const { return options_.stop; }

  // A part that ends when the object is destroyed.
  class Running {
   public:
    Running(CheckParts* parts, const char* name, size_t total);
    ~Running();
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

   private:
    CheckParts* parts_;  // null: not reported
  };

  void step();  // counts one step of the total; from any thread
  void reach(size_t done, size_t total);

 private:
  void tell() const;

  const CheckOptions& options_;
  std::vector<CheckPart>* parts_;
  std::mutex mutex_;
  CheckProgress progress_;
  int64_t start_ns_ = 0;
  double start_cpu_s_ = 0;
};

struct ReadProject {
  const Project& project;
  const CheckOptions& options;
  CheckParts& parts;
  std::vector<MissingFile> missing;
  std::vector<CameraSample> samples;     // one per camera
  std::vector<int64_t> moments;          // the base camera's
  int64_t frame_count = -1;              // the base camera's; -1: unknown
  double base_rate = kUnknownFrameRate;  // frames/s
};

class ProjectChecks {
 protected:
  ProjectChecks(const ReadProject& read, std::vector<CheckItem>* items)
      : read_(read), project_(read.project), options_(read.options), samples_(read.samples), items_(items) {}

  void add(const char* check, const std::string& camera, Verdict verdict, std::string figure,
           std::string limit, std::string remedy, int64_t frame = -1, const char* command = "") {
    if (verdict == Verdict::passed) remedy.clear(), command = "";
    items_->push_back(
        {check, camera, verdict, std::move(figure), std::move(limit), std::move(remedy), frame, command});
  }
  const std::string& name(size_t camera) const { return project_.cameras[camera].name; }
  bool without_video(size_t camera) const { return names_no_video(project_.cameras[camera].video); }
  bool usable(size_t camera) const { return samples_[camera].error.empty(); }

  const ReadProject& read_;
  const Project& project_;
  const CheckOptions& options_;
  const std::vector<CameraSample>& samples_;
  std::vector<CheckItem>* items_;
};

// "decoding", "empty scene", "foreground" and "detections" of one camera.
void check_footage(const ReadProject& read, size_t camera, std::vector<CheckItem>* items);
// The one camera whose pose does not fit the footage.
struct BlamedPose {
  size_t camera = 0;
  std::optional<double>
      shift_m;  // median shift of positions on the floor where people place the camera; nothing: they do not
};
// Adds "offsets", "disk", "memory" and "time" of the run. Of a wrong pose and an apparent offset that explain
// each other only the cause is doubted: if it is the offset, the items of "outlines" change.
void check_run(const ReadProject& read, const std::optional<BlamedPose>& blamed,
               std::vector<CheckItem>* items);

}  // namespace vantage
