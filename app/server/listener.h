// The listening socket and its clients: a thread each, so many at a time; whoever comes beyond gets 503.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <thread>

#include "app/server/address.h"
#include "app/server/connection.h"
#include "core/base/result.h"

namespace vantage::server {

class Listener {
 public:
  using Serve = std::function<void(Connection&)>;

  // Clients may connect from now on; they wait until start(). io where the port is in use or the address is
  // not this machine's.
  static Result<std::unique_ptr<Listener>> open(const ServerAddress& address);
  ~Listener();  // as stop() without grace
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  const ServerAddress& address() const { return address_; }  // with the port that it is
  void start(size_t most_clients, Serve serve);
  // Nobody is let in any more. What is being answered may be finished for so long, then it is cut off.
  void stop(std::chrono::milliseconds grace);
  size_t clients() const;

 private:
  struct Client {
    std::thread thread;
    bool done = false;
  };
  Listener(int socket, ServerAddress address) : socket_(socket), address_(std::move(address)) {}
  void accept_clients();
  void take(int socket);
  void serve_client(int socket, Client& client);
  void join_done();

  const int socket_;
  ServerAddress address_;
  StopEvents stops_;
  size_t most_clients_ = 0;
  Serve serve_;
  std::thread accepting_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Client> clients_;  // guarded by mutex_
};

}  // namespace vantage::server
