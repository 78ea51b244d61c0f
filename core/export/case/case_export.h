// A span of a recording handed over: a folder with one video for each camera, on request blurred, the
// original packets, tables, a report, and a signed manifest. Works off the disk, as fast as the machine; the
// folder is there when it is complete, or not at all. The prose is resources/docs/guide/case.md.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/threads.h"
#include "core/export/case/blur.h"
#include "core/image/backend/registry.h"
#include "core/pipeline/pipeline.h"
#include "core/project/project.h"
#include "core/project/recording_clock.h"
#include "core/video/video_source.h"

namespace vantage {

struct CaseOverlays {
  bool people = false;  // a rectangle and the ID
  bool trails = false;  // the last 4 s of everybody's path
  bool floor = false;   // zones and lines
};

// Whom videos do not show.
struct CaseBlur {
  bool on = false;
  std::set<int64_t> kept;  // IDs of those who stay recognisable; empty: no one does
};

struct CaseProgress {
  std::string doing;  // "videos", "originals", "checksums"
  int64_t done = 0, total = 0;
};

struct CaseOptions {
  std::filesystem::path project;  // the file: what is not saved is not in the case
  FrameRange span;                // frames of the base camera
  std::vector<size_t> cameras;    // by number in the project; at least one
  CaseOverlays overlays;
  CaseBlur blur;
  bool grid = false;                    // also one video with these cameras and the plan
  bool originals = false;               // also the packets as they were recorded
  bool sound = true;                    // copied where the camera has some
  std::optional<RecordingClock> clock;  // nothing: as find_clock() says
  std::string who, why;                 // typed; neither empty
  std::filesystem::path out;            // the folder to be made; not there, or empty
  DeviceBackends backends;
  std::shared_ptr<HardwareDecode> hardware;
  std::function<void(const CaseProgress&)> progress;
  StopSource stop;
};

struct CaseCamera {
  std::string name, video;  // the file in the case
  int64_t frames = 0, without_picture = 0;
  int64_t fully_blurred = 0;
  std::map<BlurDoubt, int64_t> doubts;  // why, in frames
  std::string encoder, sound;
  std::string original;  // "span from its key picture on, 1.2 s before"; empty: not asked for
};

struct ExportedCase {
  std::filesystem::path folder;
  std::string id, fingerprint;
  int64_t frames = 0;
  double frame_rate = 0;
  std::optional<RecordingClock> clock;
  std::vector<CaseCamera> cameras;
  std::vector<std::string> notes;  // what people should know
};

// Errors: invalid_argument (a span or camera that is not there, no one named, a folder that is not empty; a
// blur without calibration or results), not_found, io (the disk is full), cancelled. Nothing is left where it
// fails.
Result<ExportedCase> export_case(const CaseOptions& options);

}  // namespace vantage
