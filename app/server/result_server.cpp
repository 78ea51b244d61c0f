#include "app/server/result_server.h"

#include <nlohmann/json.hpp>

#include "app/server/page.h"

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
  show(std::move(source));
  listener_->start(options_.most_clients, [this](Connection& connection) { engine_.serve(connection); });
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
  listener_->stop(kGrace);
}

nlohmann::ordered_json ResultServer::state() const {
  return {{"clients", listener_->clients()}, {"most_clients", options_.most_clients}};
}

Answer ResultServer::answer(const Request& request) {
  if (std::optional<Answer> refused = refusal(options_.admission, request)) return std::move(*refused);
  const std::shared_ptr<ResultSource> served = source();
  if (!served) return no_results(request);
  try {
    return Routes(*served, [this] { return state(); }).answer(request);
  } catch (const std::exception& error) {
    return error_answer(Error{ErrorKind::bad_data, error.what(), {}, {}}, request.path);
  }
}

}  // namespace vantage::server
