#include <thread>

#include "app/backends/backend_option.h"
#include "app/backends/backends.h"
#include "app/cli/common/value_or_fail.h"
#include "app/cli/run/served_run.h"
#include "app/server/folder_source.h"

namespace vantage::cli {
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
  CLI::App* command = app.add_subcommand("serve", "Serve results that lie on disk over HTTP, until Ctrl-C.");
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
