// The results of a session's project over HTTP: those on disk, while the session writes some, those, and of
// live cameras also what is only watched.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "app/server/result_server.h"
#include "app/server/watched_run.h"
#include "core/run/results_watcher.h"
#include "core/session/result_service.h"

namespace vantage::server {

class ServedSession final : public ResultService, public ResultsWatcher {
 public:
  // `spans`: what the session's work took, outlives this; null: nothing is timed.
  // `clips`: on the program's device.
  explicit ServedSession(SpanReaders* spans = nullptr, ClipMakers clips = clips_on_cpu())
      : clips_(std::move(clips)), run_(spans) {}
  Result<bool> reaches_others(const std::string& address) const override;
  Result<std::string> start(const ServeChoice& choice, const std::filesystem::path& folder) override;
  void stop() override;

  void on_begun(const BegunResults& results) override;
  bool wants_lines() const override;
  void on_line(const std::string& line) override;
  void on_result(const FrameResultRef& result) override;
  void on_health(const LiveHealth& health) override;
  void on_ended() override;

 private:
  std::shared_ptr<ResultSource> make_source();

  const ClipMakers clips_;
  mutable std::mutex mutex_;              // guards what follows
  std::filesystem::path folder_;          // of the project's results
  bool pictures_ = false;                 // and clips are served
  std::optional<BegunResults> begun_;     // while the session writes
  WatchedRun run_;                        // of those, while they are served
  std::unique_ptr<ResultServer> server_;  // null: nothing is served
};

}  // namespace vantage::server
