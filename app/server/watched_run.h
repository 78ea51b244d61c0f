// A run that is watched (core/run/results_watcher.h) as a server's source.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "app/server/run_source.h"
#include "core/run/results_watcher.h"

namespace vantage::server {

class WatchedRun {
 public:
  // `spans`: what the run's work takes; outlives it; null: nothing is timed.
  explicit WatchedRun(SpanReaders* spans, size_t kept_lines = RunSourceOptions().kept_lines)
      : spans_(spans), kept_lines_(kept_lines) {}

  // The cameras' pictures are served, too, of what begins from now on.
  void serve_pictures(bool on) { pictures_ = on; }

  // The source of what begins, in place of the one before. Errors: of RunSource::open().
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
  // Can be called during all of the others, from any thread.
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

}  // namespace vantage::server
