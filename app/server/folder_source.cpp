#include "app/server/folder_source.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/server/run_facts.h"
#include "app/server/stored_files.h"
#include "core/base/file.h"
#include "core/base/log.h"
#include "core/project/results_reader.h"

namespace vantage::server {
namespace {

using nlohmann::ordered_json;

constexpr int64_t kFeedLines = 64;  // read at once
constexpr size_t kFeedBytes = size_t{1} << 20;

// Waits for nobody and drops nothing: the file stays.
class FileFeed final : public Feed {
 public:
  FileFeed(std::shared_ptr<const FrameLines> file, std::shared_ptr<const std::atomic<bool>> closed,
           int64_t from)
      : file_(std::move(file)), closed_(std::move(closed)), next_(from) {}

  FeedEvent next(std::chrono::milliseconds) override {
    FeedEvent event;
    event.kind = FeedEvent::Kind::end;
    if (*closed_) return event;
    auto line = std::make_shared<FrameLine>();
    if (!std::getline(block_, line->text)) {
      if (!next_ || !read_block() || !std::getline(block_, line->text)) return event;
    }
    line->frame = frame_of_line(line->text).value_or(0);
    event.kind = FeedEvent::Kind::line;
    event.line = std::move(line);
    return event;
  }

 private:
  bool read_block() {
    Result<FrameLines::Range> range =
        file_->range(*next_, std::numeric_limits<int64_t>::max(), kFeedLines, kFeedBytes);
    if (!range) {
      log_error("result server: " + range.error().message());
      return false;
    }
    block_ = std::istringstream(std::move(range->text));
    next_ = range->next;
    return true;
  }

  const std::shared_ptr<const FrameLines> file_;
  const std::shared_ptr<const std::atomic<bool>> closed_;
  std::optional<int64_t> next_;
  std::istringstream block_;
};

}  // namespace

Result<std::unique_ptr<FolderSource>> FolderSource::open(const std::filesystem::path& folder) {
  const std::filesystem::path path = results_file(folder);
  VANTAGE_ASSIGN(FrameLines file, FrameLines::open(path));
  VANTAGE_TRY(parse_header_line(file.header(), path));
  std::unique_ptr<FolderSource> source(new FolderSource(folder, std::move(file)));
  VANTAGE_ASSIGN(source->frames_, source->file_->count());
  return source;
}

FolderSource::FolderSource(std::filesystem::path folder, FrameLines file)
    : folder_(std::move(folder)),
      file_(std::make_shared<const FrameLines>(std::move(file))),
      cameras_(camera_names(file_->header())) {}

Result<int64_t> FolderSource::latest() const {
  VANTAGE_ASSIGN(const std::string last, line(std::nullopt));
  return frame_of_line(last).value_or(0);
}

std::string FolderSource::status() const {
  ordered_json status = status_facts(header());
  const Result<int64_t> last = latest();
  status["kind"] = "results";
  status["running"] = false;
  status["frames"] = {
      {"done", frames_}, {"total", frames_}, {"latest", last ? ordered_json(*last) : ordered_json()}};
  for (const char* unknown : {"frames_per_second", "latency_ms"}) status[unknown] = nullptr;
  status["cameras"] = ordered_json::array();
  for (const std::string& name : cameras_)
    status["cameras"].push_back({{"name", name}, {"here", nullptr}, {"problem", nullptr}});
  status["live"] = nullptr;
  return status.dump();
}

Result<std::string> FolderSource::line(std::optional<int64_t> frame) const {
  if (frame) return file_->line(*frame);
  VANTAGE_ASSIGN(std::optional<std::string> last, file_->last());
  if (!last)
    return fail(ErrorKind::not_found, "the results hold no frame", {}, "Analyse the recording first.");
  return std::move(*last);
}

Result<FrameLines::Range> FolderSource::lines(int64_t from, int64_t to) const {
  return file_->range(from, to, kMostLines, kMostBytes);
}

std::unique_ptr<Feed> FolderSource::feed(std::optional<int64_t> after) const {
  return std::make_unique<FileFeed>(file_, closed_, after ? *after + 1 : 0);
}

Result<FramePicture> FolderSource::picture(std::optional<int64_t> frame, PictureKind kind,
                                           size_t camera) const {
  FramePicture picture;
  if (frame) {
    picture.frame = *frame;
  } else {
    VANTAGE_ASSIGN(picture.frame, latest());
  }
  const std::string name = kind == PictureKind::mask ? cameras_.at(camera) : std::string();
  VANTAGE_ASSIGN(picture.bytes, stored_picture(folder_, picture.frame, kind, name));
  return picture;
}

Result<FileBody> FolderSource::tracks() const {
  return stored_tracks(folder_);
}

Result<std::string> FolderSource::timings() const {
  Result<std::string> timings = read_file(folder_ / "timings.json");
  if (!timings && timings.error().kind == ErrorKind::not_found)
    return fail(ErrorKind::not_found, "there are no timings", {}, "A run that was broken off leaves none.");
  return timings;
}

}  // namespace vantage::server
