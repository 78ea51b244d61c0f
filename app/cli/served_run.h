// Results over HTTP on the command line: the options, a run that is served while it goes on, and the address.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/chain.h"
#include "app/server/result_server.h"
#include "app/server/run_source.h"

namespace vantage::cli {

struct ServeOptions {
  std::string address;  // as people write it; empty: nothing is served
  size_t kept_lines = server::RunSourceOptions().kept_lines;
  std::vector<std::string> tls;  // files of certificate and key; empty: plain HTTP
  size_t clients = server::ClientLimits().clients;
  std::optional<size_t> clients_per_address;  // nothing: all
};
void add_serve_options(CLI::App& command, ServeOptions& options);
// --serve-keep, of what goes on only.
void add_keep_option(CLI::App& command, ServeOptions& options);

// Takes the address and says so on stderr; null where nothing is to be served. Wrong usage: no address, or
// one that others reach without a token.
std::unique_ptr<server::ResultServer> open_server_or_fail(const ServeOptions& options);

// What a run hands to the server. Goes before the chain that it was started with.
class ServedRun {
 public:
  // `server`: null where nothing is served.
  ServedRun(std::unique_ptr<server::ResultServer> server, const ServeOptions& options)
      : options_(options), server_(std::move(server)) {}

  // For RunDescription::line_written; empty where nothing is served.
  std::function<void(const std::string&)> line_listener();
  // Once the results' file is there: clients are answered. `range`: the recording's frames that will be
  // analysed.
  void start_or_fail(const std::filesystem::path& folder, const OpenedChain& chain,
                     std::shared_ptr<MemoryTransfer> transfer, const FrameRange& range);
  void publish(const FrameResultRef& result);
  void stop();
  std::string url() const;  // empty: nothing is served

 private:
  const ServeOptions options_;
  std::optional<SpanReaders> spans_;  // of the chain's trace
  std::shared_ptr<server::RunSource> source_;
  std::unique_ptr<server::ResultServer> server_;  // the last: it uses the source
};

}  // namespace vantage::cli
