// Results on disk: results.jsonl (a header, then a frame per line), with a calibration tracks.csv,
// timings.json and trace.json, where heads were searched for heads.csv (results_people.h), in one folder,
// with pictures (results_pictures.h). The schema is resources/schema/results.schema.json, the prose
// resources/docs/formats.md. `vantage-cli run` and the window write through this.
//
// Lines go to results.jsonl.part as they come; finish(), after success, cancellation or an error alike,
// renames it over results.jsonl, so that an older result stays whole until a newer one is. With
// tracking.method = paths finish() numbers the people of all frames again, or, in windows, each line is
// written when its numbers are final (finalized_lines.h); only where older frames are kept windows wait for
// finish() too. The project's repairs make repaired.csv of the tracks (results_paths.h), and those that do
// not hold are logged.
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

// The description of a run, for the header line.
struct RunDescription {
  Device device = Device::cpu;
  std::string device_description;         // "CPU, 2 threads" or "NVIDIA H200"
  double frame_rate = 0;                  // of the base camera
  std::vector<VideoInfo> videos;          // in the project's order
  std::optional<VoxelGrid> grid;          // as used; nothing without a calibration
  std::optional<FloorCoverage> coverage;  // likewise
  ResultsPictureOptions pictures;
  std::shared_ptr<MemoryTransfer> transfer = host_memory();  // fetches pictures from the device
  bool continued = false;                    // where a device failed: every frame written is marked
  std::array<uint64_t, 2> pictures_of = {};  // picture_versions() of the recording
  // For live cameras: paths are always followed in windows, and frames are left out of them rather than
  // waited for.
  bool live = false;
  // A part of a recording that is completed by others (merged_results.h): people keep the chain's IDs,
  // nothing is repaired, and heads.csv is left out.
  bool part = false;
  std::optional<DetectorProvenance> detector = {};  // nothing: no model is used
  std::shared_ptr<FinalizedQueue> settled;  // of paths in windows: gets what is settled; null: no one does
  // Paths of live cameras in windows that go on in these results; nothing: they begin here, with ID 1.
  std::optional<RunningPaths> running = {};
  // Gets every frame's line, without its newline, when the file has it, on the thread that wrote it: it must
  // not wait. Empty: no one does.
  std::function<void(const std::string&)> line_written;
  // Versions of the chain's stages: the header states them, and lines only others. Null: every line has its
  // own.
  std::shared_ptr<const StageVersions> versions;
};

// Whether frames stay that the folder's results hold and the run does not analyse.
enum class OlderFrames {
  replace,  // gone: the results are this run's alone
  keep,     // those of the same pictures stay, with their settings, so that ranges add up
};

class ResultsWriter {
 public:
  // Makes the folder and writes the header.
  static Result<std::unique_ptr<ResultsWriter>> open(const std::filesystem::path& folder,
                                                     const Project& project, const RunDescription& run,
                                                     OlderFrames older = OlderFrames::replace);
  ~ResultsWriter();  // without finish(): the .part file stays as it is
  ResultsWriter(const ResultsWriter&) = delete;
  ResultsWriter& operator=(const ResultsWriter&) = delete;

  // One frame; a preview is a bug and refused.
  Status write(const FrameResult& result);
  // The chain's versions are others from a frame on that comes next. finish() gives them to the frames before
  // it, also to older ones that are kept.
  void note_version_change(VersionChange change) { version_changes_.push_back(std::move(change)); }
  // Makes the results complete. With a trace its spans are written too.
  Status finish(const TraceRecorder* trace);
  // After finish(), of paths in windows that came through: goes on with them. Nothing otherwise.
  std::optional<PathFollower> take_follower() { return std::exchange(follower_, std::nullopt); }
  int64_t frames() const { return frames_; }
  const std::filesystem::path& folder() const { return folder_; }
  // Goes into timings.json.
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
  std::optional<PathNumbering> paths_;     // tracking.method = paths: how people are numbered in the end
  std::unique_ptr<FinalizedLines> lines_;  // tracking.method = paths, in windows: how they are as it goes on
  std::optional<PathFollower> follower_;   // of those, once they are complete
  std::shared_ptr<SecondPassPeople> again_;  // of both; null: people stay as they were found first
  std::vector<IdentityRepair> repairs_;
  int64_t frames_ = 0;
  std::optional<LiveHealth> live_;
  std::function<void(const std::string&)> line_written_;
  std::shared_ptr<const StageVersions> versions_;  // that the header states
};

struct LineOptions {
  bool continued = false;  // on the CPU, after a device failed
  // One for each person, 0: none, in place of the tracker's.
  std::optional<std::vector<int64_t>> ids = std::nullopt;
  std::shared_ptr<const StageVersions> header_versions = nullptr;  // RunDescription::versions
};
// One line each, without the newline.
std::string header_line(const Project& project, const RunDescription& run);
Result<std::string> frame_line(const FrameResult& result, const std::vector<std::string>& cameras,
                               const LineOptions& options = {});
// The frame's rows of tracks.csv, MOTChallenge columns: people with a number only.
std::string track_rows(const FrameResult& result);

}  // namespace vantage
