// HTTP on an open port: GNU libmicrohttpd reads requests and sends answers, one thread per client, plain or
// through TLS; surplus and slow clients are disconnected. Only http_engine.cpp uses the library.
#pragma once

#include <sys/socket.h>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "app/server/address.h"
#include "app/server/http_request.h"
#include "app/server/tls_identity.h"
#include "core/base/result.h"

namespace vantage::server {

// The table of clients: a maximum number of clients is answered, in total and per address; others are
// refused. A client that does not send a complete request in time is disconnected. The HTTP library's own
// time-outs count from the last byte: one byte now and then would hold a connection for ever.

struct ClientLimits {
  size_t clients = 32;               // maximum; further clients are told to come later
  size_t clients_per_address = 32;   // per address, for IPv6 per network of 64 bits
  std::chrono::seconds idle{5};      // without a byte of a request
  std::chrono::seconds request{15};  // time from the connection or the last answer to the end of a request
  std::chrono::seconds stalled{30};  // without accepting a byte of an answer
};

class Clients {
 public:
  struct Client {
    int socket = -1;
    std::string address;
    bool turned_away = false;                           // beyond the limit: gets 503 for every request
    std::chrono::steady_clock::time_point request_end;  // deadline of its complete request
    bool answered = false;                              // an answer is in progress
  };

  explicit Clients(const ClientLimits& limits);
  // All clients must have been removed.
  ~Clients() = default;
  Clients(const Clients&) = delete;
  Clients& operator=(const Clients&) = delete;

  // Thread-safe. The client's address is stable until it is removed, which must precede closing its socket.
  Client& add(int socket, const sockaddr* address);
  void remove(Client& client);
  // Its request is complete; it is not disconnected before the answer ends.
  void begin_answer(Client& client);
  void end_answer(Client& client);

  size_t count() const;  // without refused ones
  void wait_for_answers(std::chrono::milliseconds max_wait) const;

 private:
  void watch(const std::stop_token& stop);

  const ClientLimits limits_;
  mutable std::mutex mutex_;
  mutable std::condition_variable_any changed_;
  std::list<Client> clients_;                 // guarded by mutex_, as the following
  std::map<std::string, size_t> of_address_;  // accepted clients, keyed by address
  size_t count_ = 0;                          // likewise
  std::jthread watch_;                        // destroyed first: it uses the other members
};

// An open port: clients can connect, and wait until they are answered.

class ListeningSocket {
 public:
  // io where the port is in use or the address is not this machine's.
  static Result<ListeningSocket> open(const ServerAddress& address);
  ~ListeningSocket();
  ListeningSocket(ListeningSocket&& other) noexcept;
  ListeningSocket& operator=(ListeningSocket&&) = delete;

  const ServerAddress& address() const { return address_; }  // with the actual port
  int descriptor() const { return descriptor_; }
  // Refuses connections from now on.
  void refuse() const;

 private:
  explicit ListeningSocket(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;
  ServerAddress address_;
};

}  // namespace vantage::server

struct MHD_Daemon;

namespace vantage::server {

class HttpEngine {
 public:
  // Called for every well-formed request, from several threads.
  using Handler = std::function<Answer(const Request&)>;

  // `identity`: nothing: no TLS. Clients wait until start().
  HttpEngine(ListeningSocket socket, const ClientLimits& limits, std::optional<TlsIdentity> identity,
             Handler handler);
  ~HttpEngine();  // as stop() without grace
  HttpEngine(const HttpEngine&) = delete;
  HttpEngine& operator=(const HttpEngine&) = delete;

  // io where threads or memory are exhausted.
  Status start();
  // Refuses new requests. Answers in progress have `grace` to finish, then they are aborted. Feeds must have
  // ended, or end soon: their threads are waited for.
  void stop(std::chrono::milliseconds grace);

  const ServerAddress& address() const { return socket_.address(); }
  size_t clients() const { return clients_.count(); }

 private:
  struct Callbacks;  // the library's callbacks

  const ClientLimits limits_;
  const std::optional<TlsIdentity> identity_;
  const Handler handler_;
  const ListeningSocket socket_;
  Clients clients_;
  MHD_Daemon* daemon_ = nullptr;  // null: not started, or stopped
};

}  // namespace vantage::server
