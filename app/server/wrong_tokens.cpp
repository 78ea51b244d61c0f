#include "app/server/wrong_tokens.h"

#include <algorithm>

namespace vantage::server {

std::chrono::seconds WrongTokens::judge(const std::string& address, bool right, Clock::time_point now) {
  constexpr std::chrono::seconds kNone{0};
  const std::lock_guard lock(mutex_);
  const auto known = forgotten_at_.find(address);
  const auto forgotten_at = known == forgotten_at_.end() ? now : std::max(known->second, now);
  const auto too_many = forgotten_at - (kAtOnce - 1) * kEvery;
  if (too_many > now) return std::chrono::ceil<std::chrono::seconds>(too_many - now);
  if (right) return kNone;
  if (known == forgotten_at_.end()) make_room(now);
  forgotten_at_[address] = forgotten_at + kEvery;
  return kNone;
}

void WrongTokens::make_room(Clock::time_point now) {
  if (forgotten_at_.size() < kMaxAddresses) return;
  std::erase_if(forgotten_at_, [&](const auto& one) { return one.second <= now; });
  if (forgotten_at_.size() < kMaxAddresses) return;
  forgotten_at_.erase(
      std::ranges::min_element(forgotten_at_, {}, [](const auto& one) { return one.second; }));
}

}  // namespace vantage::server
