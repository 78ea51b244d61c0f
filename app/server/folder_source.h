// Stored results as a server's source, read on request. Their stream gives every frame and then ends.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "app/server/http_request.h"
#include "app/server/result_source.h"

namespace vantage::server {

class FolderSource final : public ResultSource {
 public:
  // `clips`: serves the cameras' pictures, which show people. Errors: as read_results()
  // (core/results/results_reader.h).
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
  mutable std::mutex mutex_;  // guards the following
  // Version of the project file for the events; nothing: not computed yet.
  mutable std::optional<std::filesystem::file_time_type> events_of_;
  mutable std::string events_;  // lines
};

// Files of results that a server reads from their folder, also during a run.

// Up to its last complete line, also of a run in progress; not_found.
Result<FileBody> stored_table(const std::filesystem::path& folder, StoredTable table);
// A picture that the run has written at its intervals; not_found states the option that writes more.
// `camera`: whose mask or flow.
Result<std::string> stored_picture(const std::filesystem::path& folder, int64_t frame, PictureKind kind,
                                   const std::string& camera);

// The text as a file without a name.
Result<FileBody> text_as_file(const std::string& text);
// The complete text.
Result<std::string> text_of(const FileBody& body);

// The project file of results: next to them, else at the run's path (`named`, from their header). not_found.
Result<std::filesystem::path> project_of_results(const std::filesystem::path& folder,
                                                 const std::string& named);

// The answer if the cameras' pictures are not served.
tl::unexpected<Error> pictures_not_served();

// A value shared by requests, recomputed at the first request after its maximum age.

template <typename T>
class Refreshed {
 public:
  Refreshed(std::chrono::milliseconds max_age, std::function<T()> make)
      : max_age_(max_age), make_(std::move(make)) {}

  // Thread-safe; concurrent calls wait for the computation.
  T get() const {
    const std::lock_guard lock(mutex_);
    if (!value_ || Clock::now() - made_ > max_age_) {
      value_ = make_();
      made_ = Clock::now();
    }
    return *value_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  const std::chrono::milliseconds max_age_;
  const std::function<T()> make_;
  mutable std::mutex mutex_;
  mutable std::optional<T> value_;
  mutable Clock::time_point made_;
};

}  // namespace vantage::server
