// Results that lie on disk as a server's source: read when they are asked for. Their stream gives every frame
// and then ends.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "app/server/result_source.h"

namespace vantage::server {

class FolderSource final : public ResultSource {
 public:
  // `clips`: of the cameras' pictures, which show people, are served. Errors: as read_results()
  // (core/results/results_reader.h).
  static Result<std::unique_ptr<FolderSource>> open(const std::filesystem::path& folder, bool clips = false);

  const RunFacts& facts() const override { return facts_; }
  nlohmann::ordered_json status() const override;
  Result<std::string> line(std::optional<int64_t> frame) const override;
  Result<FrameLines::Range> lines(int64_t from, int64_t to) const override;
  std::unique_ptr<Feed> feed(std::optional<int64_t> after) const override;
  Result<FramePicture> picture(std::optional<int64_t> frame, PictureKind kind, size_t camera) const override;
  Result<FrameStill> still(std::optional<int64_t> frame, size_t camera,
                           const StillMarks& marks) const override;
  Result<FileBody> table(StoredTable table) const override;
  Result<std::string> timings() const override;
  Result<Project> recording(FrameRange span) const override;
  Result<EventMarks> marks() const override { return read_event_marks(folder_); }
  Result<EventMarks> change_marks(const EventMarks& changed) const override {
    return change_event_marks(folder_, changed);
  }
  void close() override { *closed_ = true; }

 private:
  FolderSource(std::filesystem::path folder, FrameLines file, bool clips);
  Result<int64_t> latest() const;
  Result<std::string> found_events() const;

  const std::filesystem::path folder_;
  const std::shared_ptr<const FrameLines> file_;
  const std::shared_ptr<std::atomic<bool>> closed_ = std::make_shared<std::atomic<bool>>(false);
  const RunFacts facts_;
  FrameLines::Count count_;
  const bool clips_;
  mutable std::mutex mutex_;  // guards what follows
  // Found by the project as its file was then; nothing: not yet.
  mutable std::optional<std::filesystem::file_time_type> events_of_;
  mutable std::string events_;  // lines
};

}  // namespace vantage::server
