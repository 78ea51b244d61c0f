#include "app/cli/served_run.h"

#include <cstdio>
#include <cstdlib>

#include "app/cli/value_or_fail.h"

namespace vantage::cli {
namespace {

constexpr const char* kTokenVariable = "VANTAGE_SERVE_TOKEN";

}  // namespace

void add_serve_options(CLI::App& command, ServeOptions& options) {
  command
      .add_option("--serve", options.address,
                  "results over HTTP, read only: status, frames, a stream of events, pictures, and a page "
                  "for browsers. 127.0.0.1 where no address is given; port 0: a free one, which is printed. "
                  "For other machines the environment variable VANTAGE_SERVE_TOKEN must hold a token, which "
                  "clients send as 'Authorization: Bearer TOKEN'")
      ->type_name("[ADDRESS:]PORT");
  command
      .add_option("--serve-tls", options.tls,
                  "encrypted (https://): PEM files with the server's certificate, followed by its chain, and "
                  "with its private key, without a password")
      ->type_name("CERT KEY")
      ->expected(2);
  command.add_option("--serve-clients", options.clients, "clients at a time; others are told to try later")
      ->type_name("N")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command
      .add_option("--serve-clients-per-address", options.clients_per_address,
                  "clients from one address (IPv6: from one /64 network); unlimited if absent")
      ->type_name("N")
      ->check(CLI::Range(1, 1000));
}

void add_keep_option(CLI::App& command, ServeOptions& options) {
  command
      .add_option("--serve-keep", options.kept_lines,
                  "last frames kept in memory for the stream, at most 16 MiB; older ones are read from the "
                  "results' file")
      ->type_name("N")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
}

std::unique_ptr<server::ResultServer> open_server_or_fail(const ServeOptions& options) {
  if (options.address.empty()) {
    if (!options.tls.empty()) throw CLI::ValidationError("--serve-tls", "needs --serve [ADDRESS:]PORT");
    return nullptr;
  }
  server::ServerOptions server;
  server.limits.clients = options.clients;
  server.limits.clients_per_address = options.clients_per_address.value_or(options.clients);
  if (!options.tls.empty()) server.tls = {options.tls.at(0), options.tls.at(1)};
  if (const char* token = std::getenv(kTokenVariable)) server.admission.token = token;
  Result<server::ServerAddress> address = server::parse_server_address(options.address);
  if (!address) throw CLI::ValidationError("--serve", address.error().message());
  server.admission.address = std::move(*address);
  if (const Status admitted = server::check_admission(server.admission); !admitted)
    throw CLI::ValidationError("--serve", admitted.error().message());
  std::unique_ptr<server::ResultServer> opened = value_or_fail(server::ResultServer::open(server));
  std::fprintf(stderr, "serving at %s\n", opened->url().c_str());
  return opened;
}

std::function<void(const std::string&)> ServedRun::line_listener() {
  if (!server_) return {};
  return [this](const std::string& line) {
    if (source_) source_->add_line(line);
  };
}

void ServedRun::start_or_fail(const std::filesystem::path& folder, const OpenedChain& chain,
                              std::shared_ptr<MemoryTransfer> transfer, const FrameRange& range) {
  if (!server_) return;
  server::RunSourceOptions run;
  run.folder = folder;
  run.kept_lines = options_.kept_lines;
  run.transfer = std::move(transfer);
  run.spans = &spans_.emplace(chain.trace.get());
  if (const LiveRecording* live = chain.analysis->live())
    run.health = [live] { return live->health(); };
  else
    run.total = range.end - range.begin;
  source_ = value_or_fail(server::RunSource::open(std::move(run)));
  check_or_fail(server_->start(source_));
}

void ServedRun::publish(const FrameResultRef& result) {
  if (source_) source_->publish(result);
}

void ServedRun::stop() {
  if (server_) server_->stop();
}

std::string ServedRun::url() const {
  return server_ ? server_->url() : std::string();
}

}  // namespace vantage::cli
