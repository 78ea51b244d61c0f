#include "app/server/clients.h"

#include <netinet/in.h>

#include <algorithm>

namespace vantage::server {
namespace {

constexpr std::chrono::milliseconds kLook{250};  // so often for those whose time is over
constexpr std::chrono::seconds kTurnAway{5};     // that a client that is turned away has for the request

// The part that counts as one address: anybody who has one of IPv6 has 2^64 of them.
std::string counted_address(const sockaddr* address) {
  if (address && address->sa_family == AF_INET) {
    const auto* v4 = reinterpret_cast<const sockaddr_in*>(address);
    return {reinterpret_cast<const char*>(&v4->sin_addr), sizeof v4->sin_addr};
  }
  if (!address || address->sa_family != AF_INET6) return {};
  const in6_addr& v6 = reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr;
  const auto* bytes = reinterpret_cast<const char*>(&v6);
  return IN6_IS_ADDR_V4MAPPED(&v6) ? std::string(bytes + 12, 4) : std::string(bytes, 8);
}

}  // namespace

Clients::Clients(const ClientLimits& limits)
    : limits_(limits), watch_([this](const std::stop_token& stop) { watch(stop); }) {}

Clients::Client& Clients::add(int socket, const sockaddr* address) {
  const std::lock_guard lock(mutex_);
  Client& client = clients_.emplace_back();
  client.socket = socket;
  client.address = counted_address(address);
  const auto others = of_address_.find(client.address);
  const size_t of_address = others == of_address_.end() ? 0 : others->second;
  client.turned_away = count_ >= limits_.clients || of_address >= limits_.clients_per_address;
  client.request_end = std::chrono::steady_clock::now() + (client.turned_away ? kTurnAway : limits_.request);
  if (!client.turned_away) ++count_, ++of_address_[client.address];
  return client;
}

void Clients::remove(Client& client) {
  const std::lock_guard lock(mutex_);
  if (!client.turned_away) {
    --count_;
    const auto of_address = of_address_.find(client.address);
    if (--of_address->second == 0) of_address_.erase(of_address);
  }
  clients_.remove_if([&](const Client& one) { return &one == &client; });
  changed_.notify_all();
}

void Clients::begin_answer(Client& client) {
  const std::lock_guard lock(mutex_);
  client.answered = true;
}

void Clients::end_answer(Client& client) {
  const std::lock_guard lock(mutex_);
  client.answered = false;
  client.request_end = std::chrono::steady_clock::now() + limits_.request;
  changed_.notify_all();
}

size_t Clients::count() const {
  const std::lock_guard lock(mutex_);
  return count_;
}

void Clients::wait_for_answers(std::chrono::milliseconds max_wait) const {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, max_wait, [&] { return std::ranges::none_of(clients_, &Client::answered); });
}

void Clients::watch(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, stop, kLook, [&] { return stop.stop_requested(); })) {
    const auto now = std::chrono::steady_clock::now();
    for (const Client& client : clients_)
      // The library then finds that the client has gone. Under the lock the socket is still this client's.
      if (!client.answered && client.request_end < now) ::shutdown(client.socket, SHUT_RDWR);
  }
}

}  // namespace vantage::server
