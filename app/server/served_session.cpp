#include "app/server/served_session.h"

#include <utility>

#include "app/server/folder_source.h"
#include "core/base/log.h"

namespace vantage::server {
namespace {

// Null: there are none yet.
std::shared_ptr<ResultSource> stored_results(const std::filesystem::path& folder) {
  Result<std::unique_ptr<FolderSource>> source = FolderSource::open(folder);
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
  if (!choice.certificate.empty() || !choice.key.empty()) options.tls = {choice.certificate, choice.key};
  stop();  // it may have that very port
  VANTAGE_ASSIGN(std::unique_ptr<ResultServer> server, ResultServer::open(options));
  std::string url = server->url();
  const std::lock_guard lock(mutex_);
  folder_ = folder;
  if (Status started = server->start(make_source()); !started) {
    run_.reset();
    return tl::unexpected(std::move(started.error()));
  }
  server_ = std::move(server);
  return url;
}

void ServedSession::stop() {
  std::unique_ptr<ResultServer> server;
  {
    const std::lock_guard lock(mutex_);
    run_.reset();
    server = std::move(server_);
  }
  if (server) server->stop();
}

std::shared_ptr<ResultSource> ServedSession::make_source() {
  run_.reset();
  if (!begun_) return stored_results(folder_);
  RunSourceOptions options;
  options.folder = begun_->folder;
  options.header = begun_->header;
  options.total = begun_->frames;
  options.transfer = begun_->transfer;
  options.spans = spans_;
  if (!begun_->frames)
    options.health = [health = health_] {
      const std::lock_guard lock(health->mutex);
      return health->newest;
    };
  Result<std::unique_ptr<RunSource>> run = RunSource::open(std::move(options));
  if (run)
    run_ = std::move(*run);
  else
    log_error("result server: " + run.error().message());
  return run_;
}

void ServedSession::on_begun(const BegunResults& results) {
  const std::lock_guard lock(mutex_);
  begun_ = results;
  if (server_) server_->show(make_source());
}

bool ServedSession::wants_lines() const {
  const std::lock_guard lock(mutex_);
  return run_ != nullptr;
}

void ServedSession::on_line(const std::string& line) {
  const std::lock_guard lock(mutex_);
  if (run_) run_->add_line(line);
}

void ServedSession::on_result(const FrameResultRef& result) {
  const std::lock_guard lock(mutex_);
  if (run_) run_->publish(result);
}

void ServedSession::on_health(const LiveHealth& health) {
  const std::lock_guard lock(health_->mutex);
  health_->newest = health;
}

void ServedSession::on_ended() {
  const std::lock_guard lock(mutex_);
  begun_.reset();
  if (server_) server_->show(make_source());
}

}  // namespace vantage::server
