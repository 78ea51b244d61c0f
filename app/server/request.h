// Requests and answers, without a word about sockets.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/server/feed.h"
#include "core/base/result.h"

namespace vantage::server {

struct Request {
  std::string method;                        // "GET"
  std::string path;                          // decoded, without the query
  std::map<std::string, std::string> query;  // decoded
  size_t host_headers = 0;                   // how many headers Host there were
  std::vector<std::string> hosts;            // what they say, and the target where it names a host too
  std::string authorization, last_event_id;  // headers; empty: not there
  bool has_body = false;
  std::string body;    // of a POST
  std::string client;  // the address it came from, as Clients counts it
  // Whether it has closed its connection; empty: it cannot be told. For what takes long to make.
  std::function<bool()> client_left = {};
};

// A part of a file that may be large and grow: `bytes` from its position on, sent piece by piece.
struct FileBody {
  std::shared_ptr<std::FILE> file;
  int64_t bytes = 0;
};

struct Answer {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
  std::optional<FileBody> file;  // in place of `body`
  std::unique_ptr<Feed> feed;    // likewise: server-sent events until it ends
};

// {"what", "where", "do"}: `where` is the path that was asked for, never one of this machine's disk.
Answer error_answer(int status, const std::string& what, const std::string& where, const std::string& remedy);
// With the status that fits the error's kind.
Answer error_answer(const Error& error, const std::string& where);

}  // namespace vantage::server
