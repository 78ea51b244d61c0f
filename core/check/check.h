// Checks of a project on a sample of its frames, before hours are spent on it: decoding, foreground,
// calibration against the pictures, disk, memory and time. One verdict per check and camera.
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
  std::string figure;        // what was found
  std::string limit;         // what would pass
  std::string remedy;        // what to do; empty when it passed
  int64_t frame = -1;        // the camera's frame to look at; -1: none in particular
  std::string command = {};  // that does what the remedy says: "vantage-cli sync --write"; empty: none does
};
// The remedy with its command, for who has a command line.
std::string remedy_text(const CheckItem& item);

// A part of a check: "videos", "views", "outlines", "people", "silhouettes", "detectors", "offsets" or
// "resources".
struct CheckPart {
  std::string part;
  double seconds = 0;      // that passed
  double cpu_seconds = 0;  // of all processors, by the whole program meanwhile
};
struct CheckProgress {
  std::string part;
  size_t done = 0, total = 0;  // of the part
};

struct CheckOptions {
  const BackendRegistry* backends = nullptr;  // CPU implementations
  std::filesystem::path out;                  // where results would go; empty: the project's own folder
  int moments = 16;                           // frame sets examined; fewer of large pictures
  // What a run is stopped or misled by, in little time: a few pictures of each empty scene are learnt, no
  // camera is placed by people, and offsets are compared in small pictures alone. Where that finds what would
  // stop a run, it is checked again without.
  bool brief = false;
  double offsets_seconds = 20;         // of the recordings, read where no offsets are confirmed
  std::optional<uint64_t> free_bytes;  // instead of asking the disk
  Device device = Device::cpu;         // that would run it
  MemoryAvailable memory;              // the host's: asked of the system where nothing is said
  PipelineOptions pipeline;            // what would be kept
  bool without_missing = false;        // missing videos are doubtful, not failed: the rest would run
  std::function<void(const CheckProgress&)> progress;  // from any thread, one call after the other
  StopSource stop;
};

// Before a run: brief, and of fewer frames.
CheckOptions quick_check_options();

struct CheckReport {
  std::vector<CheckItem> items;
  std::vector<CheckPart> parts;  // those that were performed, in order
  double seconds = 0;
  bool stopped = false;  // before its end: `items` are of the parts until then
  Verdict worst() const;
};

// Never fails: what cannot be checked is said as cannot_tell, what cannot be read as failed. Which frames are
// read depends on the files and options alone, so that a slow machine comes to the same verdicts.
CheckReport check_project(const Project& project, const CheckOptions& options);

}  // namespace vantage
