// A client's socket as the server uses it: whoever sends too much or too slowly, or takes nothing, is let go,
// and a server that stops waits for nobody.
#pragma once

#include <sys/types.h>

#include <array>
#include <chrono>
#include <cstddef>

namespace vantage::server {

// Once set, everybody who waits for it with poll() is woken, then and ever after.
class StopEvent {
 public:
  StopEvent();
  ~StopEvent();
  StopEvent(const StopEvent&) = delete;
  StopEvent& operator=(const StopEvent&) = delete;
  void set() const;
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

struct StopEvents {
  StopEvent closing;   // no further request is read
  StopEvent aborting;  // nothing more is written either
};

inline constexpr size_t kMostRequest_bytes = size_t{32} << 10;
inline constexpr std::chrono::seconds kIdle{5}, kRequest{10}, kStalled{30};

class Connection {
 public:
  // Takes the socket and closes it.
  Connection(int socket, const StopEvents& stops);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Waits for kIdle. False: none came, or the server closes.
  bool wait_for_request();
  // Of the request that has begun, kMostRequest_bytes and kRequest for all of it. 0: the client has closed.
  ssize_t read(char* to, size_t most);
  // Everything; false where the client has gone or took nothing for kStalled.
  bool write(const char* from, size_t size);
  int socket() const { return socket_; }

 private:
  using Clock = std::chrono::steady_clock;
  bool wait(short events, const StopEvent& stop, std::chrono::milliseconds limit) const;

  const int socket_;
  const StopEvents& stops_;
  std::array<char, 4096> buffer_;
  size_t begin_ = 0, end_ = 0;  // what of the buffer is not read yet
  size_t request_bytes_ = 0;
  Clock::time_point request_end_;
};

}  // namespace vantage::server
