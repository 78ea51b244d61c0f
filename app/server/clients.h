// The table of clients: at most so many clients are answered, altogether and of one address,
// the others are turned away; who does not bring a whole request in time is cut off. Time-outs of single
// steps are the HTTP library's, which counts from the last byte: one byte now and then would hold a
// connection for ever.
#pragma once

#include <sys/socket.h>

#include <chrono>
#include <condition_variable>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <thread>

namespace vantage::server {

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

}  // namespace vantage::server
