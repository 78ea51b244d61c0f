// A port that is taken: clients may connect, and wait until they are answered.
#pragma once

#include "app/server/address.h"
#include "core/base/result.h"

namespace vantage::server {

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
