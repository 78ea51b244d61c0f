// Requests and answers, independent of sockets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/server/feed.h"
#include "core/base/result.h"

namespace vantage::server {

struct Request {
  std::string method;                        // "GET"
  std::string path;                          // decoded, without the query
  std::map<std::string, std::string> query;  // decoded
  size_t host_headers = 0;                   // number of Host headers
  std::vector<std::string> hosts;            // their values, and the target's host if it has one
  std::string authorization, last_event_id;  // headers; empty: absent
  bool has_body = false;
  std::string body;    // a POST's body
  std::string client;  // its address, in the form of Clients
  // True if the client has closed its connection; empty: unknown. For answers that take long to make.
  std::function<bool()> client_left = {};
};

// A part of a file that may be large and grow: `bytes` from a position on, sent piece by piece.
struct FileBody {
  std::shared_ptr<std::FILE> file;
  int64_t bytes = 0;
};

struct Answer {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
  std::optional<FileBody> file;  // instead of `body`
  std::unique_ptr<Feed> feed;    // likewise: server-sent events until it ends
};

// {"what", "where", "do"}: `where` is the requested path, never one on this machine's disk.
Answer error_answer(int status, const std::string& what, const std::string& where, const std::string& remedy);
// The same with the status for the error's kind.
Answer error_answer(const Error& error, const std::string& where);

// Parts of a request that the HTTP library does not check.

// The host of a target in absolute form (RFC 9112, 3.2.2): "http://AUTHORITY/PATH".
struct NamedHost {
  std::string authority;
  size_t path_begin = 0;  // index of PATH, with its slash, in the target
};
std::optional<NamedHost> host_of_target(std::string_view target);

// True for a well-formed value of the header Range (RFC 9110, 14.1.1): "bytes=0-99", "bytes=-5,7-", or in
// another unit.
bool is_range(std::string_view value);

}  // namespace vantage::server
