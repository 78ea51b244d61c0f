// A small HTTP client on a bare socket, so that the server is tried by something that shares no code with it.
#pragma once

#include <sys/time.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "tests/support/loopback_socket.h"

namespace vantage::test {

struct HttpAnswer {
  int status = 0;                              // 0: there was none
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
};

class HttpConnection {
 public:
  explicit HttpConnection(int port, int receive_bytes = 0) : HttpConnection(AF_INET, port, receive_bytes) {}
  // AF_INET6: at ::1.
  HttpConnection(int family, int port, int receive_bytes) : socket_(::socket(family, SOCK_STREAM, 0)) {
    if (receive_bytes > 0) ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_bytes, sizeof receive_bytes);
    const timeval limit = {60, 0};  // only so that a server that hangs fails the test
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    const sockaddr_in v4 = loopback_address(port);
    sockaddr_in6 v6 = {};
    v6.sin6_family = AF_INET6;
    v6.sin6_port = v4.sin_port;
    v6.sin6_addr = in6addr_loopback;
    connected_ =
        (family == AF_INET6 ? ::connect(socket_, reinterpret_cast<const sockaddr*>(&v6), sizeof v6)
                            : ::connect(socket_, reinterpret_cast<const sockaddr*>(&v4), sizeof v4)) == 0;
  }
  virtual ~HttpConnection() { ::close(socket_); }
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  bool connected() const { return connected_; }

  void send(const std::string& text) {
    for (size_t sent = 0; sent < text.size();) {
      const ssize_t more = send_some(text.data() + sent, text.size() - sent);
      if (more <= 0) return;
      sent += static_cast<size_t>(more);
    }
  }
  // `headers`: whole lines, each with its end.
  void ask(const std::string& method, const std::string& target, const std::string& headers = {}) {
    send(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n");
  }
  // The stream of frames, whose event()s come next; `after`: the frame of the last event that the client has.
  HttpAnswer stream(const std::string& after = {}) {
    ask("GET", "/v1/stream", after.empty() ? "" : "Last-Event-ID: " + after + "\r\n");
    return head();
  }

  // Status line and headers; the body is left.
  HttpAnswer head() {
    HttpAnswer answer;
    const std::optional<std::string> first = line("\r\n");
    if (!first || first->size() < 12) return answer;
    answer.status = std::stoi(first->substr(9, 3));
    for (std::optional<std::string> field; (field = line("\r\n")) && !field->empty();) {
      const size_t colon = field->find(": ");
      std::string name = field->substr(0, colon);
      std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
      answer.headers[name] = field->substr(colon + 2);
    }
    return answer;
  }
  HttpAnswer answer(bool with_body = true) {
    HttpAnswer answer = head();
    if (!with_body || !answer.headers.contains("content-length")) return answer;
    const size_t size = std::stoul(answer.headers["content-length"]);
    while (rest_.size() < size && receive()) {
    }
    answer.body = rest_.substr(0, size);
    rest_.erase(0, answer.body.size());
    return answer;
  }

  // The next event of a stream whose head was read, comments left out; nothing: it is over.
  struct Event {
    std::string id, name, data;
  };
  std::optional<Event> event() {
    for (;;) {
      const std::optional<std::string> block = stream_line("\n\n");
      if (!block) return std::nullopt;
      Event event{field(*block, "id: "), field(*block, "event: "), field(*block, "data: ")};
      if (!event.name.empty()) return event;
    }
  }
  // True where the server has closed, or does so within a minute; what it sends before is dropped.
  bool closed() {
    while (receive()) rest_.clear();
    return errno != EAGAIN;
  }
  // The same without waiting; what it sends stays to be read.
  bool closed_now() {
    char byte = 0;
    const ssize_t got = ::recv(socket_, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return got == 0 || (got < 0 && errno != EAGAIN);
  }

 protected:
  int descriptor() const { return socket_; }

 private:
  virtual ssize_t send_some(const char* from, size_t size) {
    return ::send(socket_, from, size, MSG_NOSIGNAL);
  }
  virtual ssize_t receive_some(char* to, size_t size) { return ::recv(socket_, to, size, 0); }
  bool receive() {
    char block[4096];
    errno = 0;
    const ssize_t got = receive_some(block, sizeof block);
    if (got <= 0) return false;
    rest_.append(block, static_cast<size_t>(got));
    return true;
  }
  // Up to `end`, which is taken as well.
  std::optional<std::string> line(const std::string& end) {
    size_t at = 0;
    while ((at = rest_.find(end)) == std::string::npos)
      if (!receive()) return std::nullopt;
    std::string text = rest_.substr(0, at);
    rest_.erase(0, at + end.size());
    return text;
  }
  // The same in a chunked body.
  std::optional<std::string> stream_line(const std::string& end) {
    size_t at = 0;
    while ((at = stream_.find(end)) == std::string::npos) {
      const std::optional<std::string> size = line("\r\n");
      if (!size) return std::nullopt;
      const size_t bytes = std::stoul(*size, nullptr, 16);
      while (rest_.size() < bytes + 2)
        if (!receive()) return std::nullopt;
      stream_ += rest_.substr(0, bytes);
      rest_.erase(0, bytes + 2);
      if (bytes == 0) return std::nullopt;
    }
    std::string text = stream_.substr(0, at);
    stream_.erase(0, at + end.size());
    return text;
  }
  static std::string field(const std::string& block, const std::string& name) {
    const size_t at = block.starts_with(name) ? 0 : block.find("\n" + name);
    if (at == std::string::npos) return {};
    const size_t begin = at + name.size() + (at == 0 && block.starts_with(name) ? 0 : 1);
    return block.substr(begin, block.find('\n', begin) - begin);
  }

  const int socket_;
  bool connected_ = false;
  std::string rest_, stream_;
};

inline HttpAnswer http_get(int port, const std::string& target, const std::string& headers = {}) {
  HttpConnection connection(port);
  connection.ask("GET", target, headers);
  return connection.answer();
}

}  // namespace vantage::test
