// Serving the open project's results to other programs, as a front end switches it: what is on disk, and what
// a run or live cameras add while they write. All functions may be called from any thread.
#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.h"

namespace vantage {

struct ServeChoice {
  std::string address;  // "127.0.0.1:8080", "[::1]:0"; port 0: one that is free
  std::string token;    // that clients have to send; empty: none is asked for
  // Files in PEM form for TLS (https://): the server's certificate, and its private key without a password.
  // Both empty: without.
  std::filesystem::path certificate = {}, key = {};
  bool pictures = false;        // the cameras' newest pictures, too, and clips, which show people
  std::string mark_token = {};  // that events are marked with; empty: no one marks any
};

class ResultService {
 public:
  virtual ~ResultService() = default;
  // Whether other machines reach the address; they need a token. invalid_argument: it is none.
  virtual Result<bool> reaches_others(const std::string& address) const = 0;
  // In place of what was served before. `folder`: where the project's results lie or will lie. Returns where
  // clients ask: "http://127.0.0.1:8080/", "https://…" with a certificate. Reads the results, so it waits for
  // the disk. Errors: io where the port is in use; invalid_argument as above, and where others would be let
  // in without a token; not_found, io, bad_data where certificate or key cannot be used.
  virtual Result<std::string> start(const ServeChoice& choice, const std::filesystem::path& folder) = 0;
  // Waits for answers in flight, at most about a second.
  virtual void stop() = 0;
};

}  // namespace vantage
