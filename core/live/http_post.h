// POST over HTTP and HTTPS, through libcurl.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"

namespace vantage {

struct HttpPost {
  std::string address, body;
  std::vector<std::string> headers;  // "Name: value"
  double limit_s = 10;
  std::string ca = {};                        // PEM file of the authorities; empty: the system's
  size_t max_answer_bytes = size_t{1} << 20;  // of which the rest is left out
};
struct HttpAnswer {
  long status = 0;
  std::string body;
};

// Keeps its connection. Not thread-safe.
class HttpPoster {
 public:
  HttpPoster();
  // Redirections are not followed: the body is for this address. Errors: io, cancelled, out_of_memory.
  Result<HttpAnswer> post(const HttpPost& request, const StopSource& stop);

 private:
  std::unique_ptr<void, void (*)(void*)> curl_;
};

// A text of an address with its %XX read.
std::string percent_decoded(const std::string& text);

}  // namespace vantage
