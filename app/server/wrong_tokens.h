// Wrong tokens, counted for each address: kAtOnce can come together, then one every kEvery. An address beyond
// that has to wait, whatever token it sends, so that guesses cannot be tried faster; no other address does.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <string>

namespace vantage::server {

class WrongTokens {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr int kAtOnce = 10;
  static constexpr std::chrono::seconds kEvery{6};
  static constexpr size_t kMaxAddresses = 4096;  // beyond it the one with the least to wait is forgotten

  // Counts the request's token if it is wrong. How long the address has to wait, at least a second; zero: its
  // request is answered. From any thread; `now` never goes back.
  std::chrono::seconds judge(const std::string& address, bool right, Clock::time_point now);

 private:
  void make_room(Clock::time_point now);

  std::mutex mutex_;
  std::map<std::string, Clock::time_point> forgotten_at_;  // when all of its wrong tokens are
};

}  // namespace vantage::server
