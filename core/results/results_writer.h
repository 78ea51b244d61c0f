// Writes results into one folder: results.jsonl (a header, then a line per frame), tracks.csv with a
// calibration, timings.json and trace.json, heads.csv where heads were searched (results_people.h), and
// pictures (results_pictures.h). Schema: resources/schema/results.schema.json; described in
// resources/docs/formats.md. `vantage-cli run` and the window write through this.
//
// Lines are written to results.jsonl.part as they come; finish(), after success, cancellation or an error
// alike, renames it to results.jsonl, so that an older result stays complete until a newer one is. With
// tracking.method = paths finish() gives the people of all frames new IDs or, in windows, each line is
// written when its IDs are final (finalized_lines.h); windows also wait for finish() where older frames are
// kept. The project's repairs make repaired.csv of the tracks (results_paths.h); those that do not apply are
// logged.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/trace.h"
#include "core/detections/detection_file.h"
#include "core/image/backend/registry.h"
#include "core/live/health.h"
#include "core/people/occupancy/coverage.h"
#include "core/pipeline/frame_result.h"
#include "core/project/project.h"
#include "core/results/finalized_lines.h"
#include "core/results/results_paths.h"
#include "core/results/results_pictures.h"
#include "core/results/results_versions.h"
#include "core/results/second_pass_people.h"
#include "core/video/video_source.h"

namespace vantage {

// Description of a run for the header line.
struct RunDescription {
  Device device = Device::cpu;
  std::string device_description;         // "CPU, 2 threads" or "NVIDIA H200"
  double frame_rate = 0;                  // the base camera's
  std::vector<VideoInfo> videos;          // in the project's order
  std::optional<VoxelGrid> grid;          // as used; nothing without a calibration
  std::optional<FloorCoverage> coverage;  // likewise
  ResultsPictureOptions pictures;
  std::shared_ptr<MemoryTransfer> transfer = host_memory();  // copies pictures from the device
  bool continued = false;                    // the device failed: every frame written is marked
  std::array<uint64_t, 2> pictures_of = {};  // picture_versions() of the recording
  // Live cameras: paths are always found in windows, and leave frames out rather than wait for them.
  bool live = false;
  // Part of a recording that merged_results.h completes: people keep the chain's IDs, nothing is repaired,
  // and heads.csv is not written.
  bool part = false;
  std::optional<DetectorProvenance> detector = {};  // nothing: no model is used
  std::shared_ptr<FinalizedQueue> settled;  // gets what becomes final in paths by windows; null: nothing does
  // Running paths in windows of live cameras, continued in these results; nothing: they begin here, with ID
  // 1.
  std::optional<RunningPaths> running = {};
  // Called with every frame's line, without its newline, once it is in the file, on the writing thread; must
  // not block. May be empty.
  std::function<void(const std::string&)> line_written;
  // Versions of the chain's stages for the header; lines have only differing ones. Null: every line has its
  // own.
  std::shared_ptr<const StageVersions> versions;
};

// Treatment of frames in the folder's results that the run does not analyse.
enum class OlderFrames {
  replace,  // removed: the results are this run's alone
  keep,     // masks of the same pictures stay, with their settings, so that ranges add up
};

class ResultsWriter {
 public:
  // Creates the folder and writes the header.
  static Result<std::unique_ptr<ResultsWriter>> open(const std::filesystem::path& folder,
                                                     const Project& project, const RunDescription& run,
                                                     OlderFrames older = OlderFrames::replace);
  ~ResultsWriter();  // without finish() the .part file remains
  ResultsWriter(const ResultsWriter&) = delete;
  ResultsWriter& operator=(const ResultsWriter&) = delete;

  // Writes one frame. A preview is a bug and is refused.
  Status write(const FrameResult& result);
  // Sets the chain's versions from a later frame on. finish() gives them to the frames before it, also to
  // older ones that are kept.
  void note_version_change(VersionChange change) { version_changes_.push_back(std::move(change)); }
  // Completes the results, with the spans of a trace if there is one.
  Status finish(const TraceRecorder* trace);
  // After a successful finish() of paths in windows: continues them. Nothing otherwise.
  std::optional<PathFollower> take_follower() { return std::exchange(follower_, std::nullopt); }
  int64_t frames() const { return frames_; }
  const std::filesystem::path& folder() const { return folder_; }
  // Written into timings.json.
  void set_live_health(LiveHealth health) { live_ = std::move(health); }

 private:
  ResultsWriter(std::filesystem::path folder, project_detail::PartFile file)
      : folder_(std::move(folder)), file_(std::move(file)) {}
  Status write_line(std::string line);
  Status write_frame_line(const std::string& line);
  Status write_rows(const std::string& rows);
  Status number_with(PathNumbering numbering, const RunDescription& run);
  Status settle();
  Status restate();
  void drop_parts();
  Status repair();
  Status write_timings(const std::vector<TraceSpan>& spans, uint64_t dropped) const;

  std::filesystem::path folder_;
  project_detail::PartFile file_;
  std::optional<project_detail::PartFile> tracks_;  // nothing without a calibration
  std::vector<std::string> cameras_;
  std::unique_ptr<ResultsPictures> pictures_;
  OlderFrames older_ = OlderFrames::replace;
  std::array<uint64_t, 2> pictures_of_ = {};
  bool continued_ = false, part_ = false;
  std::vector<VersionChange> version_changes_;
  std::optional<PathNumbering> paths_;  // tracking.method = paths: final IDs
  std::unique_ptr<FinalizedLines>
      lines_;  // tracking.method = paths, in windows: writes lines whose IDs are final
  std::optional<PathFollower> follower_;     // follows these paths, once they are complete
  std::shared_ptr<SecondPassPeople> again_;  // for both; null: people stay as first found
  std::vector<IdentityRepair> repairs_;
  int64_t frames_ = 0;
  std::optional<LiveHealth> live_;
  std::function<void(const std::string&)> line_written_;
  std::shared_ptr<const StageVersions> versions_;  // stated in the header
};

struct LineOptions {
  bool continued = false;  // on the CPU, after the device failed
  // One ID per person, 0: none, instead of the tracker's.
  std::optional<std::vector<int64_t>> ids = std::nullopt;
  std::shared_ptr<const StageVersions> header_versions = nullptr;  // RunDescription::versions
};
// Without the newline.
std::string header_line(const Project& project, const RunDescription& run);
Result<std::string> frame_line(const FrameResult& result, const std::vector<std::string>& cameras,
                               const LineOptions& options = {});
// The frame's rows of tracks.csv, in MOTChallenge's columns: only people with an ID.
std::string track_rows(const FrameResult& result);

}  // namespace vantage
