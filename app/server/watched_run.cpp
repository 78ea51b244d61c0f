#include "app/server/watched_run.h"

namespace vantage::server {

Result<std::shared_ptr<RunSource>> WatchedRun::begin(const BegunResults& results) {
  end();
  RunSourceOptions options;
  options.folder = results.folder;
  options.header = results.header;
  options.kept_lines = kept_lines_;
  options.pictures = pictures_;
  options.total = results.frames;
  options.transfer = results.transfer;
  options.spans = spans_;
  if (!results.frames) options.kept = results.kept;
  if (!results.frames)
    options.health = [health = health_] {
      const std::lock_guard lock(health->mutex);
      return health->newest;
    };
  VANTAGE_ASSIGN(source_, RunSource::open(std::move(options)));
  return source_;
}

void WatchedRun::set_health(const LiveHealth& health) {
  const std::lock_guard lock(health_->mutex);
  health_->newest = health;
}

}  // namespace vantage::server
