// Results over HTTP on the command line: the options, a served run, and the address.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/server/result_server.h"
#include "app/server/served_session.h"

namespace vantage::cli {

struct ServeOptions {
  std::string address;  // as typed; empty: not served
  size_t kept_lines = server::RunSourceOptions().kept_lines;
  bool pictures = false;         // the cameras' pictures, and clips
  std::string token_file;        // its first line is the token; empty: from the environment
  std::string mark_token_file;   // likewise, the token for marking events
  std::vector<std::string> tls;  // files of certificate and key; empty: plain HTTP
  size_t clients = server::ClientLimits().clients;
  std::optional<size_t> clients_per_address;  // nothing: all
};
void add_serve_options(CLI::App& command, ServeOptions& options);
// --serve-keep, only for runs in progress.
void add_keep_option(CLI::App& command, ServeOptions& options);

// Opens the port and reports it on stderr; null if nothing is to be served. Wrong usage: an invalid address,
// or one that others reach without a token.
std::unique_ptr<server::ResultServer> open_server_or_fail(const ServeOptions& options,
                                                          server::ClipMakers clips = server::clips_on_cpu());

// A run's results for the server, from when they begin.
class ServedRun final : public ResultsWatcher {
 public:
  // `trace`: of the run; must outlive this.
  ServedRun(std::unique_ptr<server::ResultServer> server, const ServeOptions& options, TraceRecorder* trace)
      : spans_(trace), run_(&spans_, options.kept_lines), server_(std::move(server)) {
    run_.serve_pictures(options.pictures);
  }

  // Clients are answered from here on; errors are in status().
  void on_begun(const BegunResults& results) override;
  bool wants_lines() const override { return run_.begun(); }
  void on_line(const std::string& line) override { run_.add_line(line); }
  void on_result(const FrameResultRef& result) override { run_.publish(result); }
  void on_health(const LiveHealth& health) override { run_.set_health(health); }
  void on_ended() override { server_->stop(); }  // after the last lines

  const Status& status() const { return status_; }
  std::string url() const { return server_->url(); }

 private:
  SpanReaders spans_;
  server::WatchedRun run_;
  Status status_;
  std::unique_ptr<server::ResultServer> server_;  // destroyed first: it uses the source
};

}  // namespace vantage::cli
