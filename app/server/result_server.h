// Results of a run, or stored results, over HTTP: resources/docs/formats.md, "Results over HTTP". Clients can
// change only marks on events, with the token for that; requests never delay the analysis.
#pragma once

#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "app/server/admission.h"
#include "app/server/clips.h"
#include "app/server/http_engine.h"
#include "app/server/result_source.h"
#include "app/server/routes.h"

namespace vantage::server {

struct ServerOptions {
  Admission admission;
  ClientLimits limits;
  std::optional<TlsFiles> tls = {};  // nothing: plain HTTP
  ClipMakers clips = clips_on_cpu();
};

class ResultServer {
 public:
  // Opens the port; clients wait until start(). Errors: of check_admission() and read_tls_identity(); io
  // where it is in use.
  static Result<std::unique_ptr<ResultServer>> open(const ServerOptions& options);
  ~ResultServer();  // as stop()

  std::string url() const;  // "http://127.0.0.1:8080/", "https://…" with TLS
  // io where the system has no threads or memory left.
  Status start(std::shared_ptr<ResultSource> source);
  // Serves this source from now on; streams of the previous one end. Null: there are no results yet.
  void show(std::shared_ptr<ResultSource> source);
  // Streams get the rest of the source and end, the slowest within about a second.
  void stop();

 private:
  ResultServer(const ServerOptions& options, ListeningSocket socket, std::optional<TlsIdentity> identity);
  std::shared_ptr<ResultSource> source() const;
  nlohmann::ordered_json state() const;
  Answer answer(const Request& request);

  const ServerOptions options_;
  mutable std::mutex mutex_;
  std::shared_ptr<ResultSource> source_;  // guarded by mutex_
  WrongTokens wrong_tokens_;
  Clips clips_;
  HttpEngine engine_;  // destroyed first: its threads use the other members
};

}  // namespace vantage::server
