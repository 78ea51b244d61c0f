#include "app/server/served_session.h"

#include <utility>

#include "app/server/folder_source.h"
#include "core/base/log.h"

namespace vantage::server {
namespace {

// Null: there are none yet.
std::shared_ptr<ResultSource> stored_results(const std::filesystem::path& folder, bool clips) {
  Result<std::unique_ptr<FolderSource>> source = FolderSource::open(folder, clips);
  if (source) return std::move(*source);
  if (source.error().kind != ErrorKind::not_found) log_error("result server: " + source.error().message());
  return nullptr;
}

}  // namespace

Result<bool> ServedSession::reaches_others(const std::string& address) const {
  VANTAGE_ASSIGN(const ServerAddress parsed, parse_server_address(address));
  return !parsed.loopback();
}

Result<std::string> ServedSession::start(const ServeChoice& choice, const std::filesystem::path& folder) {
  ServerOptions options;
  VANTAGE_ASSIGN(options.admission.address, parse_server_address(choice.address));
  options.admission.token = choice.token;
  options.admission.mark_token = choice.mark_token;
  options.clips = clips_;
  if (!choice.certificate.empty() || !choice.key.empty()) options.tls = {choice.certificate, choice.key};
  stop();  // it may have that very port
  VANTAGE_ASSIGN(std::unique_ptr<ResultServer> server, ResultServer::open(options));
  std::string url = server->url();
  const std::lock_guard lock(mutex_);
  folder_ = folder;
  pictures_ = choice.pictures;
  run_.serve_pictures(pictures_);
  if (Status started = server->start(make_source()); !started) {
    run_.end();
    return tl::unexpected(std::move(started.error()));
  }
  server_ = std::move(server);
  return url;
}

void ServedSession::stop() {
  std::unique_ptr<ResultServer> server;
  {
    const std::lock_guard lock(mutex_);
    run_.end();
    server = std::move(server_);
  }
  if (server) server->stop();
}

std::shared_ptr<ResultSource> ServedSession::make_source() {
  run_.end();
  if (!begun_) return stored_results(folder_, pictures_);
  Result<std::shared_ptr<RunSource>> run = run_.begin(*begun_);
  if (run) return std::move(*run);
  log_error("result server: " + run.error().message());
  return nullptr;
}

void ServedSession::on_begun(const BegunResults& results) {
  const std::lock_guard lock(mutex_);
  begun_ = results;
  if (server_) server_->show(make_source());
}

bool ServedSession::wants_lines() const {
  const std::lock_guard lock(mutex_);
  return run_.begun();
}

void ServedSession::on_line(const std::string& line) {
  const std::lock_guard lock(mutex_);
  run_.add_line(line);
}

void ServedSession::on_result(const FrameResultRef& result) {
  const std::lock_guard lock(mutex_);
  run_.publish(result);
}

// Takes no lock: a starting server holds it while it reads results.
void ServedSession::on_health(const LiveHealth& health) {
  run_.set_health(health);
}

void ServedSession::on_ended() {
  const std::lock_guard lock(mutex_);
  begun_.reset();
  if (server_) server_->show(make_source());
}

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
