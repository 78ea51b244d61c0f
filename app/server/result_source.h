// Source of a server: a run in progress, or stored results. Its functions are called from the server's
// threads, concurrently; none waits for the analysis.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/server/feed.h"
#include "app/server/http_request.h"
#include "core/base/result.h"
#include "core/export/case/still.h"
#include "core/pipeline/pipeline.h"
#include "core/project/project.h"
#include "core/results/frame_lines.h"
#include "core/results/results_events.h"

namespace vantage::server {

// Published facts about a run: the header line of its results, read once, without paths on this machine's
// disk.

class RunFacts {
 public:
  // For a line that is not a JSON object everything is unknown.
  explicit RunFacts(const std::string& header);

  const std::vector<std::string>& cameras() const { return cameras_; }  // their names
  // Display of that camera's pictures.
  const RunCamera& described(size_t camera) const { return described_.at(camera); }
  double frame_rate() const { return frame_rate_; }  // of the base camera; 0: unknown
  // There are a volume and people.
  bool calibrated() const { return calibrated_; }
  const std::string& project() const { return project_; }  // the file's path in the run; empty: unknown
  // The part of /v1/status common to all sources.
  const nlohmann::ordered_json& status() const { return *status_; }
  // The JSON of /v1/cameras.
  const std::string& cameras_answer() const { return cameras_answer_; }
  // `text` with the cameras' paths reduced to their last component.
  std::string without_places(std::string text) const;

 private:
  std::vector<std::string> cameras_;
  std::vector<RunCamera> described_;  // one for each of them
  double frame_rate_ = 0;
  std::string project_;
  bool calibrated_ = false;
  std::shared_ptr<const nlohmann::ordered_json> status_;
  std::string cameras_answer_;
  std::vector<std::string> places_;  // none is empty
};

enum class PictureKind { mask, confidence, flow, floor, height, shell };
// True for the kinds that show a camera's picture; the others show the scene.
constexpr bool of_camera(PictureKind kind) {
  return kind <= PictureKind::flow;
}
enum class StoredTable { tracks, events };

struct FramePicture {
  int64_t frame = 0;
  std::string bytes;  // a file: PNG, .flo, or PLY
};

struct FrameStill {
  int64_t frame = 0;
  Still still;
};

// Limits of the results in one answer.
inline constexpr int64_t kMaxLines = 1000;
inline constexpr size_t kMaxBytes = size_t{4} << 20;

class ResultSource {
 public:
  virtual ~ResultSource() = default;

  virtual const RunFacts& facts() const = 0;
  // The object of /v1/status, without the server's own values.
  virtual nlohmann::ordered_json status() const = 0;
  // not_found: does not exist, not yet, or no longer.
  virtual Result<std::string> line(std::optional<int64_t> frame) const = 0;  // nothing: the latest
  virtual Result<FrameLines::Range> lines(int64_t from, int64_t to) const = 0;
  // `after`: the client's last frame.
  virtual std::unique_ptr<Feed> feed(std::optional<int64_t> after) const = 0;
  virtual Result<FramePicture> picture(std::optional<int64_t> frame, PictureKind kind,
                                       size_t camera) const = 0;
  // A camera's picture, only of a run's newest frame; others are made from recording().
  virtual Result<FrameStill> still(std::optional<int64_t> frame, size_t camera,
                                   const StillMarks& marks) const = 0;
  virtual Result<FileBody> table(StoredTable table) const = 0;
  virtual Result<std::string> timings() const = 0;  // JSON
  // The recording for clips and pictures of that span. Also not_found where the cameras' pictures are not
  // served.
  virtual Result<Project> recording(FrameRange span) const = 0;
  // Marks of the events in the table. not_found where events cannot be marked.
  virtual Result<EventMarks> marks() const = 0;
  virtual Result<EventMarks> change_marks(const EventMarks& changed) const = 0;  // as change_event_marks()
  // Feeds end after the existing lines.
  virtual void close() = 0;
};

}  // namespace vantage::server
