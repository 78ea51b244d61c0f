// Results of a session's project over HTTP: the stored ones, those being written, and for live cameras also
// those only watched.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "app/server/result_server.h"
#include "app/server/run_source.h"
#include "core/run/results_output.h"
#include "core/session/session.h"

namespace vantage::server {

// A watched run (core/run/results_output.h) as a server's source.

class WatchedRun {
 public:
  // `spans`: time spans of the run's work, must outlive this; null: no timing.
  explicit WatchedRun(SpanReaders* spans, size_t kept_lines = RunSourceOptions().kept_lines)
      : spans_(spans), kept_lines_(kept_lines) {}

  // Also serves the cameras' pictures of results that begin from now on.
  void serve_pictures(bool on) { pictures_ = on; }

  // The source of new results, which replaces the previous one. Errors: of RunSource::open().
  Result<std::shared_ptr<RunSource>> begin(const BegunResults& results);
  void end() { source_.reset(); }
  bool begun() const { return source_ != nullptr; }

  // Does nothing before a run has begun.
  void add_line(const std::string& line) {
    if (source_) source_->add_line(line);
  }
  void publish(const FrameResultRef& result) {
    if (source_) source_->publish(result);
  }
  // Thread-safe, also during the other calls.
  void set_health(const LiveHealth& health);

 private:
  struct Health {
    std::mutex mutex;
    LiveHealth newest;
  };

  SpanReaders* const spans_;
  const size_t kept_lines_;
  bool pictures_ = false;
  const std::shared_ptr<Health> health_ = std::make_shared<Health>();
  std::shared_ptr<RunSource> source_;  // null: nothing has begun
};

class ServedSession final : public ResultService, public ResultsWatcher {
 public:
  // `spans`: time spans of the session's work, must outlive this; null: no timing. `clips`: on the program's
  // device.
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
  mutable std::mutex mutex_;              // guards the following
  std::filesystem::path folder_;          // folder of the project's results
  bool pictures_ = false;                 // and clips are served
  std::optional<BegunResults> begun_;     // while the session writes
  WatchedRun run_;                        // while they are served
  std::unique_ptr<ResultServer> server_;  // null: nothing is served
};

}  // namespace vantage::server
