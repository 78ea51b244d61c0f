// Checks a project on a sample of its frames before hours are spent on a run: decoding, foreground,
// calibration against the pictures, disk, memory and time. Each check gives one verdict per camera.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/memory.h"
#include "core/base/threads.h"
#include "core/image/backend/registry.h"
#include "core/pipeline/pipeline.h"
#include "core/project/project.h"

namespace vantage {

enum class Verdict : uint8_t { passed, cannot_tell, doubtful, failed };  // in order of gravity
std::string_view verdict_name(Verdict verdict);                          // "passed", "cannot tell", ...

struct CheckItem {
  // "frame rate", "decoding", "empty scene", "foreground", "calibration", "view", "silhouettes", "outlines",
  // "detections", "detector", "heights", "offsets", "disk", "memory" or "time".
  std::string check;
  std::string camera;  // empty: the whole project
  Verdict verdict = Verdict::passed;
  std::string figure;        // the measured value
  std::string limit;         // the value that would pass
  std::string remedy;        // advice; empty when it passed
  int64_t frame = -1;        // the camera's frame to examine; -1: none in particular
  std::string command = {};  // does what the remedy says: "vantage-cli sync --write"; empty: no command does
};
// The remedy with its command, for users of the command line.
std::string remedy_text(const CheckItem& item);

// A part of a check: "videos", "views", "outlines", "people", "silhouettes", "detectors", "offsets" or
// "resources".
struct CheckPart {
  std::string part;
  double seconds = 0;      // elapsed
  double cpu_seconds = 0;  // the whole program's, on all processors, in that time
};
struct CheckProgress {
  std::string part;
  size_t done = 0, total = 0;  // the part's
};

struct CheckOptions {
  const BackendRegistry* backends = nullptr;  // CPU implementations
  std::filesystem::path out;                  // folder for results; empty: the project's own folder
  int moments = 16;                           // number of frame sets examined; fewer of large pictures
  // Takes little time: learns a few pictures of each empty scene, does not place cameras by people, and
  // compares offsets by motion in small pictures alone. A failure that would stop a run is checked again in
  // full.
  bool brief = false;
  double offsets_seconds = 20;         // length of the recordings read where no offsets are confirmed
  std::optional<uint64_t> free_bytes;  // free disk space; nothing: as the system reports
  Device device = Device::cpu;         // the run's
  MemoryAvailable memory;              // the host's; nothing: as the system reports
  PipelineOptions pipeline;            // artifacts that the run would keep
  bool without_missing = false;        // missing videos are doubtful, not failed: the others can be run
  std::function<void(const CheckProgress&)> progress;  // called from any thread, one call after the other
  StopSource stop;
};

// Options of the check before a run: brief, and of fewer frames.
CheckOptions quick_check_options();

struct CheckReport {
  std::vector<CheckItem> items;
  std::vector<CheckPart> parts;  // the performed ones, in order
  double seconds = 0;
  bool stopped = false;  // stopped early: `items` are those of the parts until then
  Verdict worst() const;
};

// Never fails: a check that cannot be made gives cannot_tell, unreadable footage gives failed. The frames
// that are read depend on the files and options alone, so that a slow machine reaches the same verdicts.
CheckReport check_project(const Project& project, const CheckOptions& options);

}  // namespace vantage
