#include "app/server/result_server.h"

#include <nlohmann/json.hpp>

#include "core/base/log.h"

namespace vantage::server {

Result<std::unique_ptr<ResultServer>> ResultServer::open(const ServerOptions& options) {
  VANTAGE_TRY(check_admission(options.admission));
  VANTAGE_ASSIGN(std::unique_ptr<Listener> listener, Listener::open(options.admission.address));
  return std::unique_ptr<ResultServer>(new ResultServer(options, std::move(listener)));
}

ResultServer::ResultServer(const ServerOptions& options, std::unique_ptr<Listener> listener)
    : options_(options),
      engine_([this](const Request& request) { return answer(request); }),
      listener_(std::move(listener)) {}

ResultServer::~ResultServer() {
  stop();
}

std::string ResultServer::url() const {
  return "http://" + listener_->address().text() + "/";
}

void ResultServer::start(std::shared_ptr<ResultSource> source) {
  source_ = std::move(source);
  routes_ = std::make_unique<Routes>(*source_, [this] { return state(); });
  listener_->start(options_.most_clients, [this](Connection& connection) { engine_.serve(connection); });
}

void ResultServer::stop() {
  constexpr std::chrono::milliseconds kGrace{1000};
  if (source_) source_->close();
  listener_->stop(kGrace);
}

nlohmann::ordered_json ResultServer::state() const {
  return {{"clients", listener_->clients()}, {"most_clients", options_.most_clients}};
}

Answer ResultServer::answer(const Request& request) {
  if (std::optional<Answer> refused = refusal(options_.admission, request)) return std::move(*refused);
  try {
    return routes_->answer(request);
  } catch (const std::exception& error) {
    return error_answer(Error{ErrorKind::bad_data, error.what(), {}, {}}, request.path);
  }
}

}  // namespace vantage::server
