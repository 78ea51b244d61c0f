// HTTP on one connection: requests are parsed and answers written by cpp-httplib, which only http_engine.cpp
// knows; sockets, threads and limits are ours (connection.h, listener.h), since the library's own wait for
// clients that take nothing.
#pragma once

#include <functional>
#include <memory>

#include "app/server/connection.h"
#include "app/server/request.h"

namespace vantage::server {

class HttpEngine {
 public:
  using Handler = std::function<Answer(const Request&)>;
  // Called for every request whose form is right, from several threads.
  explicit HttpEngine(Handler handler);
  ~HttpEngine();

  // Until either side closes.
  void serve(Connection& connection);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vantage::server
