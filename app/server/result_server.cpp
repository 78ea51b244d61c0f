#include "app/server/result_server.h"

#include "app/server/page.h"
#include "core/base/json.h"

namespace vantage::server {
namespace {

Answer no_results(const Request& request) {
  if (request.path == "/") return page();
  return error_answer(404, "there are no results yet", request.path,
                      "Ask again when the recording has been analysed.");
}

}  // namespace

Result<std::unique_ptr<ResultServer>> ResultServer::open(const ServerOptions& options) {
  VANTAGE_TRY(check_admission(options.admission));
  std::optional<TlsIdentity> identity;
  if (options.tls) {
    VANTAGE_ASSIGN(identity, read_tls_identity(*options.tls));
  }
  VANTAGE_ASSIGN(ListeningSocket socket, ListeningSocket::open(options.admission.address));
  return std::unique_ptr<ResultServer>(new ResultServer(options, std::move(socket), std::move(identity)));
}

ResultServer::ResultServer(const ServerOptions& options, ListeningSocket socket,
                           std::optional<TlsIdentity> identity)
    : options_(options),
      clips_(options.clips),
      engine_(std::move(socket), options.limits, std::move(identity),
              [this](const Request& request) { return answer(request); }) {}

ResultServer::~ResultServer() {
  stop();
}

std::string ResultServer::url() const {
  return (options_.tls ? "https://" : "http://") + engine_.address().url_text() + "/";
}

Status ResultServer::start(std::shared_ptr<ResultSource> source) {
  show(std::move(source));
  return engine_.start();
}

void ResultServer::show(std::shared_ptr<ResultSource> source) {
  {
    const std::lock_guard lock(mutex_);
    std::swap(source_, source);
  }
  if (source) source->close();
}

std::shared_ptr<ResultSource> ResultServer::source() const {
  const std::lock_guard lock(mutex_);
  return source_;
}

void ResultServer::stop() {
  constexpr std::chrono::milliseconds kGrace{1000};
  if (const std::shared_ptr<ResultSource> served = source()) served->close();
  clips_.stop();
  engine_.stop(kGrace);
}

nlohmann::ordered_json ResultServer::state() const {
  return {{"clients", engine_.clients()},
          {"max_clients", options_.limits.clients},
          {"marking", !options_.admission.mark_token.empty()}};
}

Answer ResultServer::answer(const Request& request) {
  const auto now = WrongTokens::Clock::now();
  if (std::optional<Answer> refused = refusal(options_.admission, request, wrong_tokens_, now))
    return std::move(*refused);
  const std::shared_ptr<ResultSource> served = source();
  if (!served) return no_results(request);
  try {
    return Routes(*served, [this] { return state(); }, &clips_).answer(request);
  } catch (const std::exception& error) {
    return error_answer(Error{ErrorKind::bad_data, error.what(), {}, {}}, request.path);
  }
}

}  // namespace vantage::server
