// HTTP on a port that is taken: GNU libmicrohttpd reads requests and sends answers, a thread a client, plain
// or through TLS; who is one too many or too slow is let go (clients.h). Only http_engine.cpp and
// http_response.* know the library.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "app/server/clients.h"
#include "app/server/listening_socket.h"
#include "app/server/request.h"
#include "app/server/tls_identity.h"
#include "core/base/result.h"

struct MHD_Daemon;

namespace vantage::server {

class HttpEngine {
 public:
  // Called for every request whose form is right, from several threads.
  using Handler = std::function<Answer(const Request&)>;

  // `identity`: nothing means without TLS. Clients wait until start().
  HttpEngine(ListeningSocket socket, const ClientLimits& limits, std::optional<TlsIdentity> identity,
             Handler handler);
  ~HttpEngine();  // as stop() without grace
  HttpEngine(const HttpEngine&) = delete;
  HttpEngine& operator=(const HttpEngine&) = delete;

  // io where the system has no threads or memory left.
  Status start();
  // No one is let in any more. What is being answered may be finished for so long, then it is cut off. Feeds
  // must be at their end, or end soon: a thread that waits for one is waited for.
  void stop(std::chrono::milliseconds grace);

  const ServerAddress& address() const { return socket_.address(); }
  size_t clients() const { return clients_.count(); }

 private:
  struct Callbacks;  // what the library calls

  const ClientLimits limits_;
  const std::optional<TlsIdentity> identity_;
  const Handler handler_;
  const ListeningSocket socket_;
  Clients clients_;
  MHD_Daemon* daemon_ = nullptr;  // null: not started, or stopped
};

}  // namespace vantage::server
