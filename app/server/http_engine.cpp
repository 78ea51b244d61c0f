#include "app/server/http_engine.h"

#include <fcntl.h>
#include <microhttpd.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

#include "app/server/feed.h"
#include "app/server/http_request.h"

namespace vantage::server {
namespace {

// An answer for libmicrohttpd.

struct DestroyResponse {
  void operator()(MHD_Response* response) const { MHD_destroy_response(response); }
};
using HttpResponse = std::unique_ptr<MHD_Response, DestroyResponse>;

constexpr size_t kEventBlock_bytes = size_t{1} << 16;  // maximum passed on at once

// Server-sent events in progress to one client.
struct SentEvents {
  explicit SentEvents(std::unique_ptr<Feed> feed) : stream(std::move(feed)) {}

  EventStream stream;
  std::string text;  // part of the stream being sent
  size_t sent = 0;   // the text's
};

ssize_t read_events(void* context, uint64_t, char* to, size_t max) {
  auto& events = *static_cast<SentEvents*>(context);
  try {
    while (events.sent == events.text.size()) {
      std::optional<std::string> next = events.stream.next();
      if (!next) return MHD_CONTENT_READER_END_OF_STREAM;
      events.text = std::move(*next), events.sent = 0;
    }
  } catch (const std::exception&) {  // no memory; exceptions must not pass through C
    return MHD_CONTENT_READER_END_WITH_ERROR;
  }
  const size_t taken = std::min(max, events.text.size() - events.sent);
  std::memcpy(to, events.text.data() + events.sent, taken);
  events.sent += taken;
  return static_cast<ssize_t>(taken);
}

HttpResponse events_response(std::unique_ptr<Feed> feed) {
  auto events = std::make_unique<SentEvents>(std::move(feed));
  HttpResponse response(
      MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, kEventBlock_bytes, &read_events, events.get(),
                                        [](void* context) { delete static_cast<SentEvents*>(context); }));
  if (response) static_cast<void>(events.release());
  return response;
}

// The response closes its descriptor, so that of `body` is duplicated.
HttpResponse file_response(const FileBody& body) {
  const int descriptor = ::dup(::fileno(body.file.get()));
  if (descriptor < 0) return nullptr;
  HttpResponse response(
      MHD_create_response_from_fd_at_offset64(static_cast<uint64_t>(body.bytes), descriptor, 0));
  if (!response) ::close(descriptor);
  return response;
}

HttpResponse text_response(std::string body) {
  auto text = std::make_unique<std::string>(std::move(body));
  HttpResponse response(MHD_create_response_from_buffer_with_free_callback_cls(
      text->size(), text->data(), [](void* context) { delete static_cast<std::string*>(context); },
      text.get()));
  if (response) static_cast<void>(text.release());
  return response;
}

// Null where memory or file descriptors are exhausted. For a feed, the sending thread waits for the next
// event.
HttpResponse make_http_response(Answer answer) {
  HttpResponse response = answer.feed   ? events_response(std::move(answer.feed))
                          : answer.file ? file_response(*answer.file)
                                        : text_response(std::move(answer.body));
  if (!response) return nullptr;
  answer.headers.emplace_back(MHD_HTTP_HEADER_CONTENT_TYPE, std::move(answer.type));
  answer.headers.emplace_back(MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
  answer.headers.emplace_back("X-Content-Type-Options", "nosniff");
  for (const auto& [name, value] : answer.headers)
    if (MHD_add_response_header(response.get(), name.c_str(), value.c_str()) != MHD_YES) return nullptr;
  return response;
}

constexpr std::chrono::milliseconds kLook{250};  // interval of checking for clients that are too slow
constexpr std::chrono::seconds kTurnAway{5};     // time for a refused client's request

// The part that counts as one address: a network of IPv6 has 2^64 of them.
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
      // The library then notices the disconnection. Under the lock the socket is still this client's.
      if (!client.answered && client.request_end < now) ::shutdown(client.socket, SHUT_RDWR);
  }
}

namespace {

tl::unexpected<Error> socket_error(int code, const ServerAddress& address) {
  const std::string remedy = code == EADDRINUSE      ? "Choose another port, or 0 for a free one."
                             : code == EADDRNOTAVAIL ? "Choose an address of this machine."
                             : code == EACCES        ? "Choose a port from 1024 on."
                                                     : "Choose another address or port.";
  return fail(ErrorKind::io,
              code == EADDRINUSE ? std::string("the port is in use")
                                 : std::string("cannot serve here (") + std::strerror(code) + ")",
              address.text(), remedy);
}

}  // namespace

Result<ListeningSocket> ListeningSocket::open(const ServerAddress& address) {
  addrinfo wanted = {}, *found = nullptr;
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE;
  if (::getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &wanted, &found) != 0)
    return socket_error(EADDRNOTAVAIL, address);
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> kept(found, &::freeaddrinfo);
  ListeningSocket socket(::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  constexpr int kWaiting = 64, kOn = 1;
  // Also works right after another server has ended.
  if (socket.descriptor_ < 0 ||
      ::setsockopt(socket.descriptor_, SOL_SOCKET, SO_REUSEADDR, &kOn, sizeof kOn) != 0 ||
      ::bind(socket.descriptor_, found->ai_addr, found->ai_addrlen) != 0 ||
      ::listen(socket.descriptor_, kWaiting) != 0)
    return socket_error(errno, address);
  sockaddr_storage bound = {};
  socklen_t size = sizeof bound;
  if (::getsockname(socket.descriptor_, reinterpret_cast<sockaddr*>(&bound), &size) != 0)
    return socket_error(errno, address);
  socket.address_ = address;
  socket.address_.port = ntohs(bound.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(bound).sin6_port
                                                           : reinterpret_cast<sockaddr_in&>(bound).sin_port);
  return socket;
}

ListeningSocket::ListeningSocket(ListeningSocket&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), address_(std::move(other.address_)) {}

ListeningSocket::~ListeningSocket() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void ListeningSocket::refuse() const {
  ::shutdown(descriptor_, SHUT_RDWR);
}

namespace {

constexpr size_t kMaxRequest_bytes = size_t{32} << 10;  // request line and headers
constexpr size_t kMaxTarget_bytes = size_t{8} << 10;
constexpr size_t kMaxBody_bytes = size_t{32} << 10;  // maximum body read; for GET only to refuse it properly
// Bytes queued in the system for a client that does not read; beyond it lines are dropped.
constexpr int kSend_bytes = 256 << 10;
// Connections beyond the limit, which are told to come later.
constexpr unsigned kTurnedAway = 16;
constexpr const char* kTlsPriorities = "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2";

using Client = Clients::Client;

// One request in progress; owned by the library from its first line to its end.
struct Exchange {
  explicit Exchange(std::string_view asked) : target(asked) {}

  const std::string target;  // as sent
  std::string body;
  bool headers_seen = false;
};

// Null where there was no memory for it.
Client* client_of(MHD_Connection* connection) {
  return static_cast<Client*>(
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context);
}

void set_time_out(MHD_Connection* connection, std::chrono::seconds limit) {
  MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, static_cast<unsigned>(limit.count()));
}

std::string text_of(const char* text, size_t size) {
  return text ? std::string(text, size) : std::string();
}

bool is_name(std::string_view name, std::string_view wanted) {
  return name.size() == wanted.size() && ::strncasecmp(name.data(), wanted.data(), name.size()) == 0;
}

struct Headers {
  std::vector<std::string> hosts;
  std::string authorization, last_event_id, range, length, coding;
  bool expects = false;

  bool body() const { return !coding.empty() || (!length.empty() && length != "0"); }
  bool too_long_body() const {
    size_t bytes = 0;
    const auto [end, problem] = std::from_chars(length.data(), length.data() + length.size(), bytes);
    const bool too_long = !length.empty() && (problem != std::errc() || bytes > kMaxBody_bytes);
    return body() && (too_long || (!coding.empty() && !is_name(coding, "chunked")));
  }
  // A body that is not read: too long, without a known end, or the client itself waits and will be refused.
  bool unread_body(std::string_view method) const {
    return too_long_body() || (body() && expects && method != "POST");
  }
};

MHD_Result take_header(void* context, MHD_ValueKind, const char* name, size_t name_size, const char* value,
                       size_t value_size) {
  auto& headers = *static_cast<Headers*>(context);
  const std::string_view key(name, name_size);
  const auto take = [&](std::string& into) { into = text_of(value, value_size); };
  if (is_name(key, MHD_HTTP_HEADER_HOST)) take(headers.hosts.emplace_back());
  if (is_name(key, MHD_HTTP_HEADER_AUTHORIZATION)) take(headers.authorization);
  if (is_name(key, "Last-Event-ID")) take(headers.last_event_id);
  if (is_name(key, MHD_HTTP_HEADER_RANGE)) take(headers.range);
  if (is_name(key, MHD_HTTP_HEADER_CONTENT_LENGTH)) take(headers.length);
  if (is_name(key, MHD_HTTP_HEADER_TRANSFER_ENCODING)) headers.coding += text_of(value, value_size);
  if (is_name(key, MHD_HTTP_HEADER_EXPECT)) headers.expects = true;
  return MHD_YES;
}

Headers headers_of(MHD_Connection* connection) {
  Headers headers;
  MHD_get_connection_values_n(connection, MHD_HEADER_KIND, &take_header, &headers);
  return headers;
}

MHD_Result take_argument(void* context, MHD_ValueKind, const char* name, size_t name_size, const char* value,
                         size_t value_size) {
  auto& query = *static_cast<std::map<std::string, std::string>*>(context);
  query.emplace(text_of(name, name_size), text_of(value, value_size));
  return MHD_YES;
}

Request request_of(MHD_Connection* connection, const char* method, const char* url, const Exchange& exchange,
                   Headers headers) {
  Request request;
  request.method = method;
  request.has_body = headers.body();
  request.host_headers = headers.hosts.size();
  request.hosts = std::move(headers.hosts);
  request.authorization = std::move(headers.authorization);
  request.last_event_id = std::move(headers.last_event_id);
  std::string_view path = url;
  if (const std::optional<NamedHost> named = host_of_target(exchange.target)) {
    request.hosts.push_back(named->authority);
    path = named->path_begin < path.size() ? path.substr(named->path_begin) : "/";
  }
  request.path = path;
  MHD_get_connection_values_n(connection, MHD_GET_ARGUMENT_KIND, &take_argument, &request.query);
  return request;
}

// The client has closed its side, checked during long work.
bool has_left(int socket) {
  pollfd watched = {socket, POLLRDHUP, 0};
  return ::poll(&watched, 1, 0) > 0 && (watched.revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL)) != 0;
}

// A refusal that does not need the handler; nothing: the handler answers.
std::optional<Answer> refused(const Client& client, const Exchange& exchange, const Headers& headers,
                              std::string_view method) {
  if (client.turned_away) {
    Answer answer = error_answer(503, "too many clients", "", "Try again later, or close another client.");
    answer.headers.emplace_back(MHD_HTTP_HEADER_RETRY_AFTER, "5");
    return answer;
  }
  if (exchange.target.size() > kMaxTarget_bytes)
    return error_answer(414, "the address is too long", "", "Addresses have at most 8 KiB.");
  if (method == "POST" && headers.too_long_body())
    return error_answer(413, "the body is too long", "", "Send at most 32 KiB.");
  if (!headers.range.empty() && !is_range(headers.range))
    return error_answer(416, "the header Range is not valid", "", "Omit it: answers are sent completely.");
  return std::nullopt;
}

// %00 stays unchanged: the library passes paths as NUL-terminated text.
size_t unescape(void*, MHD_Connection*, char* text) {
  return std::strstr(text, "%00") ? std::strlen(text) : MHD_http_unescape(text);
}

}  // namespace

struct HttpEngine::Callbacks {
  static void on_connection(void* context, MHD_Connection* connection, void** socket_context,
                            MHD_ConnectionNotificationCode code) {
    Clients& clients = static_cast<HttpEngine*>(context)->clients_;
    if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
      if (*socket_context) clients.remove(*static_cast<Client*>(*socket_context));
      return;
    }
    const int socket = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
    ::setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &kSend_bytes, sizeof kSend_bytes);
    try {
      *socket_context = &clients.add(
          socket, MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)->client_addr);
    } catch (...) {  // no memory; exceptions must not pass through C
      *socket_context = nullptr;
    }
  }

  static void* on_request_line(void*, const char* target, MHD_Connection*) {
    try {
      return new Exchange(target ? target : "");
    } catch (...) {
      return nullptr;
    }
  }

  static MHD_Result on_request(void* context, MHD_Connection* connection, const char* url, const char* method,
                               const char*, const char* body, size_t* body_bytes, void** request_context) {
    auto* exchange = static_cast<Exchange*>(*request_context);
    if (!exchange || !client_of(connection)) return MHD_NO;
    try {
      if (*body_bytes > 0) {
        exchange->body.append(body, std::exchange(*body_bytes, 0));
        return exchange->body.size() <= kMaxBody_bytes ? MHD_YES : MHD_NO;
      }
      Headers headers = headers_of(connection);
      // The first call precedes the body. An answer then ends the connection.
      const bool first = !std::exchange(exchange->headers_seen, true);
      if (first && !headers.unread_body(method)) return MHD_YES;
      return answer(*static_cast<HttpEngine*>(context), connection, *exchange, url, method,
                    std::move(headers));
    } catch (...) {
      return MHD_NO;
    }
  }

  static MHD_Result answer(HttpEngine& engine, MHD_Connection* connection, const Exchange& exchange,
                           const char* url, const char* method, Headers headers) {
    using Clock = std::chrono::steady_clock;
    Client& client = *client_of(connection);
    engine.clients_.begin_answer(client);
    const Clock::time_point begin = Clock::now();
    const bool last = headers.body() || client.turned_away;
    std::optional<Answer> answer = refused(client, exchange, headers, method);
    if (!answer) {
      Request request = request_of(connection, method, url, exchange, std::move(headers));
      request.body = exchange.body;
      request.client = client.address;
      request.client_left = [socket = client.socket] { return has_left(socket); };
      answer = engine.handler_(request);
    }
    if (last) answer->headers.emplace_back(MHD_HTTP_HEADER_CONNECTION, "close");
    const auto status = static_cast<unsigned>(answer->status);
    const HttpResponse response = make_http_response(std::move(*answer));
    if (!response) return MHD_NO;
    // The library counts from the last received byte, and making an answer may take long.
    const auto made = std::chrono::ceil<std::chrono::seconds>(Clock::now() - begin);
    set_time_out(connection, engine.limits_.stalled + made);
    return MHD_queue_response(connection, status, response.get());
  }

  static void on_completed(void* context, MHD_Connection* connection, void** request_context,
                           MHD_RequestTerminationCode) {
    auto& engine = *static_cast<HttpEngine*>(context);
    delete static_cast<Exchange*>(std::exchange(*request_context, nullptr));
    set_time_out(connection, engine.limits_.idle);
    if (Client* client = client_of(connection)) engine.clients_.end_answer(*client);
  }
};

HttpEngine::HttpEngine(ListeningSocket socket, const ClientLimits& limits,
                       std::optional<TlsIdentity> identity, Handler handler)
    : limits_(limits),
      identity_(std::move(identity)),
      handler_(std::move(handler)),
      socket_(std::move(socket)),
      clients_(limits) {}

HttpEngine::~HttpEngine() {
  stop(std::chrono::milliseconds(0));
}

Status HttpEngine::start() {
  const auto with = [](MHD_OPTION option, auto value, const void* more = nullptr) {
    return MHD_OptionItem{option, (intptr_t)(value),
                          const_cast<void*>(more)};  // NOLINT: as the library has it
  };
  const int socket = ::fcntl(socket_.descriptor(), F_DUPFD_CLOEXEC, 0);  // owned and closed by the library
  std::vector<MHD_OptionItem> options = {
      with(MHD_OPTION_LISTEN_SOCKET, socket),
      with(MHD_OPTION_CONNECTION_LIMIT, limits_.clients + kTurnedAway),
      with(MHD_OPTION_PER_IP_CONNECTION_LIMIT, limits_.clients_per_address + kTurnedAway),
      with(MHD_OPTION_CONNECTION_TIMEOUT, limits_.idle.count()),
      with(MHD_OPTION_CONNECTION_MEMORY_LIMIT, kMaxRequest_bytes),
      with(MHD_OPTION_STRICT_FOR_CLIENT, 1),
      with(MHD_OPTION_UNESCAPE_CALLBACK, &unescape),
      with(MHD_OPTION_URI_LOG_CALLBACK, &Callbacks::on_request_line, this),
      with(MHD_OPTION_NOTIFY_CONNECTION, &Callbacks::on_connection, this),
      with(MHD_OPTION_NOTIFY_COMPLETED, &Callbacks::on_completed, this)};
  unsigned flags =
      MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL | MHD_USE_ITC;
  if (identity_) {
    flags |= MHD_USE_TLS;
    options.push_back(with(MHD_OPTION_HTTPS_MEM_CERT, 0, identity_->certificate.c_str()));
    options.push_back(with(MHD_OPTION_HTTPS_MEM_KEY, 0, identity_->key.c_str()));
    options.push_back(with(MHD_OPTION_HTTPS_PRIORITIES, 0, kTlsPriorities));
  }
  options.push_back(with(MHD_OPTION_END, 0));
  errno = 0;
  daemon_ = MHD_start_daemon(flags, 0, nullptr, nullptr, &Callbacks::on_request, this, MHD_OPTION_ARRAY,
                             options.data(), MHD_OPTION_END);
  if (daemon_) return {};
  return fail(ErrorKind::io, std::string("the server does not start (") + std::strerror(errno) + ")",
              address().text(), "Close other programs and try again.");
}

void HttpEngine::stop(std::chrono::milliseconds grace) {
  const int listening = daemon_ ? MHD_quiesce_daemon(daemon_) : -1;
  socket_.refuse();
  if (!daemon_) return;
  clients_.wait_for_answers(grace);
  MHD_stop_daemon(std::exchange(daemon_, nullptr));
  ::close(listening);
}

}  // namespace vantage::server
