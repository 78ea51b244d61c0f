// HTTP on a port that is taken: GNU libmicrohttpd reads requests and sends answers, a thread a client, plain
// or through TLS; who is one too many or too slow is let go (http_engine.h). Only http_engine.cpp and
// http_response.* know the library.
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

// The table of clients: at most so many clients are answered, altogether and of one address,
// the others are turned away; who does not bring a whole request in time is cut off. Time-outs of single
// steps are the HTTP library's, which counts from the last byte: one byte now and then would hold a
// connection for ever.

struct ClientLimits {
  size_t clients = 32;               // at a time; a client beyond is told to come later
  size_t clients_per_address = 32;   // of them from one address, of IPv6 from one network of 64 bits
  std::chrono::seconds idle{5};      // without a byte of a request
  std::chrono::seconds request{15};  // from the connection or the last answer to the end of a request
  std::chrono::seconds stalled{30};  // without taking a byte of an answer
};

class Clients {
 public:
  struct Client {
    int socket = -1;
    std::string address;
    bool turned_away = false;                           // one too many: gets 503 for whatever it asks
    std::chrono::steady_clock::time_point request_end;  // when its request has to be whole
    bool answered = false;                              // right now
  };

  explicit Clients(const ClientLimits& limits);
  // All have been removed.
  ~Clients() = default;
  Clients(const Clients&) = delete;
  Clients& operator=(const Clients&) = delete;

  // All functions may be called from any thread. The client stays where it is until it is removed, which goes
  // before its socket is closed.
  Client& add(int socket, const sockaddr* address);
  void remove(Client& client);
  // Its request is whole; it is not cut off until the answer is over.
  void begin_answer(Client& client);
  void end_answer(Client& client);

  size_t count() const;  // without those who are turned away
  void wait_for_answers(std::chrono::milliseconds max_wait) const;

 private:
  void watch(const std::stop_token& stop);

  const ClientLimits limits_;
  mutable std::mutex mutex_;
  mutable std::condition_variable_any changed_;
  std::list<Client> clients_;                 // guarded by mutex_, as what follows
  std::map<std::string, size_t> of_address_;  // of those who are not turned away
  size_t count_ = 0;                          // likewise
  std::jthread watch_;                        // the last: it uses the others
};

// A port that is taken: clients may connect, and wait until they are answered.

class ListeningSocket {
 public:
  // io where the port is in use or the address is not this machine's.
  static Result<ListeningSocket> open(const ServerAddress& address);
  ~ListeningSocket();
  ListeningSocket(ListeningSocket&& other) noexcept;
  ListeningSocket& operator=(ListeningSocket&&) = delete;

  const ServerAddress& address() const { return address_; }  // with the port that it is
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
