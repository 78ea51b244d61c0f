#include "app/cli/run/served_run.h"

#include <fmt/core.h>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <utility>

#include "app/backends/backend_option.h"
#include "app/backends/backends.h"
#include "app/cli/common/command.h"
#include "app/server/folder_source.h"
#include "core/base/file.h"

namespace vantage::cli {
namespace {

// The origin of a token.
struct TokenSource {
  const char *option, *variable;
};
constexpr TokenSource kToken = {"--serve-token-file", "VANTAGE_SERVE_TOKEN"};
constexpr TokenSource kMarkToken = {"--serve-mark-token-file", "VANTAGE_SERVE_MARK_TOKEN"};

Result<std::string> token_of_file(const std::filesystem::path& path) {
  VANTAGE_ASSIGN(const std::string text, read_file(path));
  std::error_code code;
  // Group access is allowed, since systemd's credentials have it (LoadCredential, whose access list names one
  // user).
  const auto others = std::filesystem::perms::group_write | std::filesystem::perms::others_all;
  if ((std::filesystem::status(path, code).permissions() & others) != std::filesystem::perms::none)
    return fail(ErrorKind::invalid_argument, "holds the token, and everyone has access to it", path.string(),
                "chmod 600 it, and choose another token.");
  std::string token = text.substr(0, text.find_first_of("\r\n"));
  if (!token.empty()) return token;
  return fail(ErrorKind::invalid_argument, "its first line, the token, is empty", path.string(),
              "Write one: openssl rand -hex 32");
}

// Empty: there is none. Child processes do not get the variable.
std::string token_or_fail(const TokenSource& source, const std::string& file) {
  const char* const variable = std::getenv(source.variable);
  std::string token = variable ? variable : "";
  ::unsetenv(source.variable);
  if (file.empty()) return token;
  if (!token.empty())
    throw CLI::ValidationError(source.option, std::string(source.variable) + " holds a token, too");
  Result<std::string> read = token_of_file(file);
  if (!read) throw CLI::ValidationError(source.option, read.error().message());
  return std::move(*read);
}

}  // namespace

void add_serve_options(CLI::App& command, ServeOptions& options) {
  command
      .add_option(
          "--serve", options.address,
          "results over HTTP: status, frames, a stream of events, pictures, and a page "
          "for browsers. 127.0.0.1 where no address is given; port 0: a free one, which is printed. "
          "For other machines there must be a token, in the file of --serve-token-file or in the "
          "environment variable VANTAGE_SERVE_TOKEN, which clients send as 'Authorization: Bearer TOKEN'")
      ->type_name("[ADDRESS:]PORT");
  command
      .add_option("--serve-token-file", options.token_file,
                  "file whose first line is the token; one that everyone has access to is refused")
      ->type_name("FILE");
  command
      .add_option("--serve-mark-token-file", options.mark_token_file,
                  "likewise, of a second token: clients that send it may also mark events as seen, false "
                  "alarm or exported, with a note; or VANTAGE_SERVE_MARK_TOKEN. Without it no client can")
      ->type_name("FILE");
  command.add_flag("--serve-pictures", options.pictures,
                   "the cameras' newest pictures (picture.jpg) and clips of a span (clip.mp4), too: they "
                   "show people, which figures do not");
  command
      .add_option("--serve-tls", options.tls,
                  "encrypted (https://): PEM files with the server's certificate, followed by its chain, and "
                  "with its private key, without a password")
      ->type_name("CERT KEY")
      ->expected(2);
  command.add_option("--serve-clients", options.clients, "clients at a time; others are asked to try later")
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

std::unique_ptr<server::ResultServer> open_server_or_fail(const ServeOptions& options,
                                                          server::ClipMakers clips) {
  if (options.address.empty()) {
    if (!options.tls.empty()) throw CLI::ValidationError("--serve-tls", "needs --serve [ADDRESS:]PORT");
    for (const auto& [source, file] :
         {std::pair(kToken, options.token_file), std::pair(kMarkToken, options.mark_token_file)})
      if (!file.empty()) throw CLI::ValidationError(source.option, "needs --serve [ADDRESS:]PORT");
    return nullptr;
  }
  server::ServerOptions server;
  server.limits.clients = options.clients;
  server.limits.clients_per_address = options.clients_per_address.value_or(options.clients);
  if (!options.tls.empty()) server.tls = {options.tls.at(0), options.tls.at(1)};
  server.clips = std::move(clips);
  server.admission.token = token_or_fail(kToken, options.token_file);
  server.admission.mark_token = token_or_fail(kMarkToken, options.mark_token_file);
  Result<server::ServerAddress> address = server::parse_server_address(options.address);
  if (!address) throw CLI::ValidationError("--serve", address.error().message());
  server.admission.address = std::move(*address);
  if (const Status admitted = server::check_admission(server.admission); !admitted)
    throw CLI::ValidationError("--serve", admitted.error().message());
  std::unique_ptr<server::ResultServer> opened = value_or_fail(server::ResultServer::open(server));
  fmt::print(stderr, "serving at {}\n", opened->url());
  return opened;
}

void ServedRun::on_begun(const BegunResults& results) {
  Result<std::shared_ptr<server::RunSource>> source = run_.begin(results);
  status_ = source ? server_->start(std::move(*source)) : Status(fail(std::move(source).error()));
}

namespace {

struct StoredOptions {
  std::string folder, backend = "cpu";
  ServeOptions serve;
};

void serve(const StoredOptions& options) {
  std::shared_ptr<server::ResultSource> source =
      value_or_fail(server::FolderSource::open(options.folder, options.serve.pictures));
  const Backends backends = value_or_fail(open_backends(options.backend, nullptr));
  const std::unique_ptr<server::ResultServer> server =
      open_server_or_fail(options.serve, server::clip_makers([&backends] {
                            return server::ClipDevice{backends.on_device(nullptr), backends.hardware};
                          }));
  check_or_fail(server->start(std::move(source)));
  constexpr std::chrono::milliseconds kLook{50};
  while (!interrupted().stop_requested()) std::this_thread::sleep_for(kLook);
}

}  // namespace

void add_serve(CLI::App& app) {
  auto options = std::make_shared<StoredOptions>();
  options->serve.address = "0";
  CLI::App* command = app.add_subcommand("serve", "Serve stored results over HTTP, until Ctrl-C.");
  command->footer(
      "resources/docs/formats.md describes what is served. A run serves its results while it is in progress: "
      "run "
      "--serve.\n"
      "Example: vantage-cli serve hall.results --serve 8080");
  command->add_option("folder", options->folder, "folder with results (NAME.results)")->required();
  add_serve_options(*command, options->serve);
  add_backend_option(*command, options->backend, "the device that clips and pictures are made on");
  command->callback([options] { serve(*options); });
}

}  // namespace vantage::cli
