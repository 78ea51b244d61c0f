#include "app/server/http_engine.h"

#include <httplib.h>

#include <array>
#include <utility>

#include "app/server/event_stream.h"

namespace vantage::server {
namespace {

constexpr size_t kMostRequests = 100;  // on one connection

class ConnectionStream final : public httplib::Stream {
 public:
  explicit ConnectionStream(Connection& connection) : connection_(connection) {}
  bool is_readable() const override { return true; }
  bool is_writable() const override { return true; }
  ssize_t read(char* to, size_t size) override { return connection_.read(to, size); }
  ssize_t write(const char* from, size_t size) override {
    return connection_.write(from, size) ? static_cast<ssize_t>(size) : -1;
  }
  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  socket_t socket() const override { return connection_.socket(); }

 private:
  Connection& connection_;
};

bool has_body(const httplib::Request& request) {
  const std::string length = request.get_header_value("Content-Length");
  return request.has_header("Transfer-Encoding") || (!length.empty() && length != "0");
}

Request as_request(const httplib::Request& from) {
  Request request;
  request.method = from.method, request.path = from.path;
  for (const auto& [name, value] : from.params) request.query.emplace(name, value);
  const auto [host, end] = from.headers.equal_range("Host");
  for (auto header = host; header != end; ++header) request.hosts.push_back(header->second);
  request.host_headers = request.hosts.size();
  request.authorization = from.get_header_value("Authorization");
  request.last_event_id = from.get_header_value("Last-Event-ID");
  request.has_body = has_body(from);
  return request;
}

void send_file(const FileBody& body, const std::string& type, httplib::Response& to) {
  to.set_content_provider(static_cast<size_t>(body.bytes), type,
                          [file = body.file](size_t, size_t left, httplib::DataSink& sink) {
                            std::array<char, 1 << 16> block;
                            const size_t got =
                                std::fread(block.data(), 1, std::min(left, block.size()), file.get());
                            return got > 0 && sink.write(block.data(), got);
                          });
}

void send_events(std::unique_ptr<Feed> feed, const std::string& type, httplib::Response& to) {
  auto stream = std::make_shared<EventStream>(std::move(feed));
  to.set_chunked_content_provider(type, [stream](size_t, httplib::DataSink& sink) {
    const std::optional<std::string> text = stream->next();
    if (text) return sink.write(text->data(), text->size());
    sink.done();
    return true;
  });
}

void send(Answer answer, httplib::Response& to) {
  // Success stays unsaid: the library then takes it from what it sends.
  if (answer.status != 200) to.status = answer.status;
  for (const auto& [name, value] : answer.headers) to.set_header(name, value);
  if (answer.feed) {
    send_events(std::move(answer.feed), answer.type, to);
  } else if (answer.file) {
    send_file(*answer.file, answer.type, to);
  } else {
    to.set_content(std::move(answer.body), answer.type);
  }
}

// What the library refuses itself: lines and headers that are no HTTP, or too long.
void explain(const httplib::Request& request, httplib::Response& response) {
  if (!response.body.empty()) return;
  const bool too_long = response.status == 414;
  const Answer answer =
      error_answer(response.status, too_long ? "the address is too long" : "the request is not understood",
                   request.path, "See resources/docs/formats.md, \"Results over HTTP\".");
  response.set_content(answer.body, answer.type);
}

}  // namespace

// Uses protected parts of the library; CMakeLists.txt says why and checks the release.
struct HttpEngine::Impl final : httplib::Server {
  explicit Impl(HttpEngine::Handler handler) {
    svr_sock_ = 0;  // while this says that the server is closed, the library ends streams at once
    set_keep_alive_max_count(kMostRequests);
    set_keep_alive_timeout(kIdle.count());
    set_default_headers({{"Cache-Control", "no-store"}, {"X-Content-Type-Options", "nosniff"}});
    set_pre_routing_handler(
        [handler = std::move(handler)](const httplib::Request& request, httplib::Response& response) {
          send(handler(as_request(request)), response);
          return HandlerResponse::Handled;
        });
    set_error_handler(explain);
  }

  // False: the connection is over.
  bool serve_one(Connection& connection, bool last) {
    ConnectionStream stream(connection);
    bool over = last;
    const bool answered = process_request(stream, last, over, [&](httplib::Request& request) {
      request.ranges.clear();                    // answers are sent whole,
      request.headers.erase("Accept-Encoding");  // and as they are: the analysis needs the processor
      request.headers.erase("Expect");
      // A body is not read, so that nothing behind it could be understood.
      if (!has_body(request)) return;
      request.headers.erase("Connection");
      request.set_header("Connection", "close");
      over = true;
    });
    return answered && !over;
  }
};

HttpEngine::HttpEngine(Handler handler) : impl_(std::make_unique<Impl>(std::move(handler))) {}

HttpEngine::~HttpEngine() = default;

void HttpEngine::serve(Connection& connection) {
  for (size_t left = kMostRequests; left > 0 && connection.wait_for_request();)
    if (--left; !impl_->serve_one(connection, left == 0)) return;
}

}  // namespace vantage::server
