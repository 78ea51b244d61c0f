// Requests that are malformed, too large, too slow or too many: each is refused, and the next client is
// served.
#include <algorithm>
#include <thread>
#include <vector>

#include "app/server/http_request.h"
#include "tests/unit/server/server_fixture.h"

namespace vantage::server {
namespace {

using namespace std::string_literals;
using test::HttpAnswer;
using test::HttpConnection;

constexpr const char* kHost = "Host: 127.0.0.1\r\n";

class HttpTest : public ServerTest {
 protected:
  // What the server answers to these bytes; 0: it closes without a word.
  int status_of(const std::string& bytes) const {
    HttpConnection connection(port_);
    connection.send(bytes);
    return connection.answer().status;
  }
  static std::string request(const std::string& line, const std::string& headers = {}) {
    return line + "\r\n" + kHost + headers + "\r\n";
  }
  void expect_well() const { EXPECT_EQ(get("/v1/status").status, 200) << "after all of it"; }
};

TEST_F(HttpTest, WhatIsNoHttpIsRefused) {
  serve();
  for (const std::string& bytes :
       {"nonsense\r\n\r\n"s, "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"s, "GET\r\n\r\n"s,
        request("GET / HTTP/9.9"), request("GET / FTP/1.1"), request("GET /v1/status HTTP/1.1 x"),
        request("GET /v1/status HTTP/1.1", "no colon\r\n"), request("GET /v1/st\0atus HTTP/1.1"s)}) {
    const int status = status_of(bytes);
    EXPECT_TRUE(status == 0 || status == 400 || status == 404 || status == 505)
        << testing::PrintToString(bytes) << " " << status;
  }
  expect_well();
}

TEST_F(HttpTest, MethodsThatOnlyLookLikeReading) {
  serve();
  for (const char* method :
       {"get", "Get", "GETT", "G@T", "TRACE", "CONNECT", "POST", "PRI", "HEAD2", "PROPFIND"}) {
    const int status = status_of(request(method + " /v1/status HTTP/1.1"s));
    EXPECT_TRUE(status == 405 || status == 400) << method << " " << status;
  }
  EXPECT_EQ(status_of(request("OPTIONS * HTTP/1.1")), 405);
  expect_well();
}

TEST_F(HttpTest, NulsEndNothing) {
  serve();
  write(0);
  for (const char* path :
       {"/v1/status%00", "/v1/status%00.png", "/%00/v1/status", "/v1/frames/0%00/floor.png"})
    EXPECT_EQ(get(path).status, path == "/v1/frames/0%00/floor.png"s ? 400 : 404) << path;
  for (const std::string& host : {"127.evil.com\0"s, "evil.com\0 127.0.0.1"s,
                                  "\0"
                                  "127.0.0.1"s})
    EXPECT_NE(status_of("GET /v1/status HTTP/1.1\r\nHost: " + host + "\r\n\r\n"), 200)
        << testing::PrintToString(host);
  expect_well();
}

TEST_F(HttpTest, NoPathLeadsOutOfWhatIsServed) {
  serve();
  write(0);
  std::ofstream(folder_.path() / "secret.png") << "secret";
  std::filesystem::create_directories(folder_.path() / "masks" / "c");
  for (const std::string path :
       {"/../../../etc/passwd", "/..%2f..%2f..%2fetc%2fpasswd", "/%2e%2e/%2e%2e/etc/passwd",
        "/v1/frames/0/cameras/%2e%2e/mask.png", "/v1/frames/0/cameras/..%2f..%2fsecret.png/mask.png",
        "/v1/frames/0/cameras/../secret.png", "/v1/frames/..%2f0/floor.png", "/v1/../v1/status",
        "//v1/status", "/v1//status", "/v1/status/", "/v1/stat%75s%2f", "/v1\\status", "/./v1/status",
        "/v1/status;x", "/v1/tracks.csv%20", "/secret.png", "/results.jsonl.part"}) {
    const HttpAnswer answer = get(path);
    EXPECT_TRUE(answer.status == 404 || answer.status == 400) << path << " " << answer.status;
    EXPECT_EQ(answer.body.find("secret"),
              path.find("secret") == std::string::npos ? std::string::npos : answer.body.find("secret"));
    EXPECT_EQ(answer.body.find(folder_.path().string()), std::string::npos);
  }
  EXPECT_EQ(get("/v1/stat%75s").status, 200) << "percent-encoded letters are letters";
}

TEST_F(HttpTest, TooMuchIsNotRead) {
  serve();
  EXPECT_EQ(get("/" + std::string(9000, 'a')).status, 414);
  const auto refused = [&](const std::string& bytes) {
    HttpConnection connection(port_);
    connection.send(bytes);
    const int status = connection.head().status;
    EXPECT_TRUE(status == 0 || status == 414 || status == 431 || status == 413 || status == 400) << status;
    EXPECT_TRUE(connection.closed());
  };
  refused(request("GET /" + std::string(100'000, 'a') + " HTTP/1.1"));
  refused(request("GET / HTTP/1.1", "X: " + std::string(100'000, 'x') + "\r\n"));
  refused("GET / HTTP/1.1\r\nX: " + std::string(100'000, 'x'));  // its end never comes
  std::string many;
  for (int i = 0; i < 10'000; ++i) many += "X" + std::to_string(i) + ": x\r\n";
  refused(request("GET / HTTP/1.1", many));
  EXPECT_EQ(status_of(request("GET / HTTP/1.1", "X: " + std::string(16'000, 'x') + "\r\n")), 200)
      << "half of it";
  expect_well();
}

TEST_F(HttpTest, BodiesAreRefusedWhateverTheirForm) {
  serve();
  const auto refused = [&](const std::string& bytes, std::initializer_list<int> allowed) {
    HttpConnection connection(port_);
    // Behind the body another request, which must not be taken for one.
    connection.send(bytes + request("GET /v1/frames/latest HTTP/1.1"));
    const int status = connection.answer().status;
    EXPECT_TRUE(std::ranges::count(allowed, status) > 0) << status << " " << bytes;
    EXPECT_TRUE(connection.closed()) << bytes;
  };
  const std::string get = "GET /v1/status HTTP/1.1", post = "POST /v1/status HTTP/1.1";
  const std::string chunked = "Transfer-Encoding: chunked\r\n", chunks = "5\r\nhello\r\n0\r\n\r\n";
  refused(request(get, "Content-Length: 5\r\n") + "hello", {413});
  refused(request(post, "Content-Length: 5\r\n") + "hello", {405});
  refused(request(get, chunked) + chunks, {413});
  refused(request(post, chunked) + chunks, {405});
  refused(request(get, chunked + "Content-Length: 5\r\n") + chunks, {413, 400});
  refused(request(get, "Content-Length: 5\r\n" + chunked) + chunks, {413, 400});
  refused(request(get, "Transfer-Encoding: xchunked\r\nContent-Length: 5\r\n") + "hello", {413, 400, 501});
  refused(request(get, "Content-Length: -1\r\n"), {400});
  refused(request(get, "Content-Length: five\r\n"), {400});
  refused(request(get, "Content-Length: 99999999999999999999\r\n"), {413, 400});
  refused(request(get, "Content-Length: 1000000\r\nExpect: 100-continue\r\n"), {413});
  refused(request(get, "Content-Length: 5\r\nExpect: 100-continue\r\n"), {413});
  refused(request(get, chunked) + "zzz\r\n", {400, 0});
  HttpConnection endless(port_);
  endless.send(request(post, chunked));
  for (int i = 0; i < 200; ++i) endless.send("1000\r\n" + std::string(0x1000, 'x') + "\r\n");
  EXPECT_TRUE(endless.closed());
  expect_well();
}

TEST_F(HttpTest, PipelinedRequestsAreAnsweredInOrder) {
  serve();
  for (int64_t frame = 0; frame < 5; ++frame) write(frame);
  HttpConnection connection(port_);
  std::string all;
  for (int frame = 0; frame < 5; ++frame)
    all += request("GET /v1/frames/" + std::to_string(frame) + " HTTP/1.1");
  connection.send(all);
  for (int64_t frame = 0; frame < 5; ++frame) EXPECT_EQ(connection.answer().body, line(frame) + "\n");
}

TEST_F(HttpTest, TargetsThatNameThisMachineAreAnswered) {
  serve();
  for (const std::string target : {"http://127.0.0.1/v1/status", "HTTP://localhost:80/v1/status?x=1",
                                   "https://[::1]:8080/v1/status", "http://localhost", "http://localhost?x"})
    EXPECT_EQ(status_of(request("GET " + target + " HTTP/1.1")), 200) << target;
}

TEST_F(HttpTest, RangesAreIgnoredAndNonsenseRefused) {
  serve();
  write(0);
  for (const char* range : {"bytes=0-1", "bytes=-5", "bytes=3-", "bytes=0-1, 4-5", "lines=1-2"}) {
    const HttpAnswer answer = get("/v1/frames/0", "Range: "s + range + "\r\n");
    EXPECT_EQ(answer.status, 200) << range;
    EXPECT_EQ(answer.body, line(0) + "\n") << range;
  }
  for (const char* range :
       {"bytes=", "bytes=-", "bytes=a-b", "bytes=1", "bytes=1-2,", "bytes", "bytes=1-2-3"})
    EXPECT_EQ(get("/v1/frames/0", "Range: "s + range + "\r\n").status, 416) << range;
}

TEST_F(HttpTest, AnOlderClientIsServedAndClosed) {
  serve();
  for (int64_t frame = 0; frame < 3; ++frame) write(frame);
  HttpConnection connection(port_);
  connection.send("GET /v1/frames/1 HTTP/1.0\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(connection.answer().body, line(1) + "\n");
  EXPECT_TRUE(connection.closed());
}

// They never finish what they ask; meanwhile others are told to come later, and then they are served.
TEST_F(HttpTest, FortyStalledClientsAreLetGo) {
  ServerOptions options;
  options.limits.idle = options.limits.request = std::chrono::seconds(1);
  serve(options);
  std::vector<std::unique_ptr<HttpConnection>> stalled;
  for (int i = 0; i < 40; ++i) {
    stalled.push_back(std::make_unique<HttpConnection>(port_));
    stalled.back()->send("GET /v1/status HTTP/1.1\r\nHost: loc");
  }
  for (const auto& client : stalled) EXPECT_TRUE(client->closed());
  wait_until_well();
}

// A byte now and then is never idle; the request as a whole takes too long.
TEST_F(HttpTest, ARequestThatDripsIsCutOff) {
  ServerOptions options;
  options.limits.request = std::chrono::seconds(1);
  serve(options);
  HttpConnection connection(port_);
  connection.send("GET /v1/status HTTP/1.1\r\nX: ");
  constexpr int kDrips = 2000;  // at least 40 s
  int drips = 0;
  for (; drips < kDrips && !connection.closed_now(); ++drips) {
    connection.send("x");
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_LT(drips, kDrips);
  wait_until_well();
}

// An answer that takes nothing away from the request's time: the next request on the connection has its own.
TEST_F(HttpTest, AStreamOutlivesTheTimeOfARequest) {
  ServerOptions options;
  options.limits.idle = options.limits.request = std::chrono::seconds(1);
  serve(options);
  std::unique_ptr<HttpConnection> stream;
  do {  // a machine that is busy may take longer than the request has
    stream = std::make_unique<HttpConnection>(port_);
  } while (stream->stream("-1").status != 200);
  for (int64_t frame = 0; frame < 4; ++frame) {
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    write(frame);
    const auto event = stream->event();
    ASSERT_TRUE(event) << frame;
    EXPECT_EQ(event->id, std::to_string(frame));
  }
}

TEST_F(HttpTest, OneAddressHasItsShare) {
  ServerOptions options;
  options.limits.clients_per_address = 2;
  serve(options);
  write(0);
  HttpConnection first(port_), second(port_);
  for (HttpConnection* client : {&first, &second}) {
    client->stream();
    client->event();
  }
  EXPECT_EQ(get("/v1/status").status, 503);
}

TEST(Clients, AreCountedByAddress) {
  Clients clients({.clients = 3, .clients_per_address = 2});
  const auto v4 = [](const char* text) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    ::inet_pton(AF_INET, text, &address.sin_addr);
    return address;
  };
  const auto v6 = [](const char* text) {
    sockaddr_in6 address = {};
    address.sin6_family = AF_INET6;
    ::inet_pton(AF_INET6, text, &address.sin6_addr);
    return address;
  };
  std::vector<Clients::Client*> all;
  const auto add = [&](const auto& address) {
    all.push_back(&clients.add(-1, reinterpret_cast<const sockaddr*>(&address)));
    return !all.back()->turned_away;
  };
  EXPECT_TRUE(add(v6("2001:db8::1")));
  EXPECT_TRUE(add(v6("2001:db8::2")));
  EXPECT_FALSE(add(v6("2001:db8::ffff:3"))) << "one network of 64 bits is one address";
  EXPECT_TRUE(add(v4("10.0.0.1")));
  EXPECT_FALSE(add(v4("10.0.0.2"))) << "three are all";
  EXPECT_EQ(clients.count(), 3u);
  const auto leave = [&](size_t which) {
    clients.remove(*all.at(which));
    all.erase(all.begin() + static_cast<ptrdiff_t>(which));
  };
  leave(0);
  EXPECT_TRUE(add(v6("::ffff:10.0.0.1")));
  leave(0);
  EXPECT_FALSE(add(v4("10.0.0.1"))) << "mapped or not, it is the same";
  EXPECT_TRUE(add(v4("10.0.0.3")));
  // Clients that are served go first, so that nobody of their address is counted when the others go.
  std::ranges::stable_partition(all, [](const Clients::Client* client) { return !client->turned_away; });
  for (Clients::Client* client : all) clients.remove(*client);
  EXPECT_EQ(clients.count(), 0u);
  EXPECT_TRUE(add(v4("10.0.0.1")));
}

TEST_F(ServerTest, AnswersOverIpv6) {
  ServerOptions options;
  options.admission.address.host = "::1";
  serve(options);
  write(0);
  EXPECT_TRUE(server_->url().starts_with("http://[::1]:")) << server_->url();
  HttpConnection connection(AF_INET6, port_, 0);
  connection.send("GET /v1/frames/0 HTTP/1.1\r\nHost: [::1]:" + std::to_string(port_) + "\r\n\r\n");
  EXPECT_EQ(connection.answer().body, line(0) + "\n");
}

TEST(RequestForm, HostsOfTargets) {
  const auto host = [](const char* target) { return host_of_target(target).value_or(NamedHost{"-", 0}); };
  EXPECT_EQ(host("/v1").authority, "-");
  EXPECT_EQ(host("*").authority, "-");
  EXPECT_EQ(host("http://a:80/b").authority, "a:80");
  EXPECT_EQ(host("http://a:80/b").path_begin, 11u);
  EXPECT_EQ(host("HTTPS://a@b?c").authority, "a@b");
  EXPECT_EQ(host("http://").authority, "");
}

}  // namespace
}  // namespace vantage::server
