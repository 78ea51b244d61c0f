// The server over real sockets: requests that are right and wrong, streams, stalled clients, the end.
#include "core/base/json.h"
#include "tests/unit/server/server_fixture.h"

namespace vantage::server {
namespace {

using nlohmann::json;
using test::HttpAnswer;
using test::HttpConnection;

constexpr const char* kAll = "Last-Event-ID: -1\r\n";

TEST_F(ServerTest, RefusesWhatIsWrong) {
  serve();
  write(0);
  for (const std::string path : {"/v1/frames/x", "/v1/frames/-", "/v1/frames/99999999999999999999"})
    expect_error(get(path), 400, path);
  expect_error(get("/v1/frames?from=a"), 400, "/v1/frames");
  expect_error(get("/v1/frames?from=-1"), 400, "/v1/frames");
  expect_error(get("/v1/frames?from=3&to=3"), 400, "/v1/frames");
  expect_error(get("/v1/stream", "Last-Event-ID: x\r\n"), 400, "/v1/stream");
  for (const std::string path :
       {"/v1/frames/7", "/v1/frames/-1", "/v1", "/v2/status", "/v1/status/x", "/v1/frames/latest/x.png",
        "/v1/frames/latest/cameras/no/mask.png", "/v1/frames/latest/cameras/c", "/v1/tracks.csv",
        "/v1/timings", "/v1/frames/0/floor.png", "/v1/frames/0/cameras/../../../etc/passwd",
        "/../../etc/passwd", "/v1/frames/latest/shell.ply", "/favicon.ico"})
    expect_error(get(path), 404, path);
  EXPECT_EQ(get("/v1/frames/0/cameras/a%20b/mask.png").status, 404) << "nothing was published";
  for (const std::string method : {"POST", "PUT", "DELETE", "OPTIONS", "PATCH"}) {
    HttpConnection connection(port_);
    connection.ask(method, "/v1/status", "Content-Length: 2\r\n");
    connection.send("{}");
    const HttpAnswer answer = connection.answer();
    expect_error(answer, 405, "/v1/status");
    EXPECT_EQ(answer.headers.at("allow"), "GET, HEAD");
    EXPECT_TRUE(connection.closed()) << "the body was not read";
  }
  HttpConnection body(port_);
  body.ask("GET", "/v1/status", "Content-Length: 5\r\n");
  body.send("hello");
  expect_error(body.answer(), 413, "/v1/status");
  HttpConnection led(port_);  // by a name of somebody else's
  led.send("GET /v1/status HTTP/1.1\r\nHost: evil.example\r\n\r\n");
  expect_error(led.answer(), 403, "/v1/status");
  EXPECT_EQ(get("/" + std::string(9000, 'a')).status, 414);
  HttpConnection nonsense(port_);
  nonsense.send("nonsense\r\n\r\n");
  EXPECT_TRUE(nonsense.closed());
  HttpConnection endless(port_);
  endless.send("GET / HTTP/1.1\r\nX: " + std::string(100'000, 'x'));
  EXPECT_TRUE(endless.closed());
  EXPECT_EQ(get("/v1/status").status, 200) << "after all of it";
}

TEST_F(ServerTest, HeadAndKeptConnections) {
  serve();
  write(0);
  HttpConnection connection(port_);
  for (int i = 0; i < 3; ++i) {
    connection.ask("HEAD", "/v1/frames/0");
    const HttpAnswer head = connection.answer(false);
    EXPECT_EQ(head.status, 200);
    EXPECT_EQ(head.headers.at("content-length"), std::to_string(line(0).size() + 1));
    connection.ask("GET", "/v1/frames/0", "Accept-Encoding: gzip, br\r\nRange: bytes=0-1\r\n");
    EXPECT_EQ(connection.answer().body, line(0) + "\n") << "as it is";
  }
  connection.ask("HEAD", "/v1/stream");
  EXPECT_EQ(connection.answer(false).headers.at("content-type"), "text/event-stream");
}

TEST_F(ServerTest, StreamsEveryFrameToEveryClientAndEnds) {
  serve();
  for (int64_t frame = 0; frame < 20; ++frame) write(frame);
  std::vector<std::unique_ptr<HttpConnection>> clients;
  for (int i = 0; i < 8; ++i) {
    clients.push_back(std::make_unique<HttpConnection>(port_));
    clients.back()->ask("GET", "/v1/stream", kAll);
  }
  for (int64_t frame = 20; frame < 300; ++frame) write(frame);
  for (size_t i = 0; i < clients.size(); ++i) {
    const HttpAnswer head = clients[i]->head();
    ASSERT_EQ(head.status, 200);
    EXPECT_EQ(head.headers.at("content-type"), "text/event-stream");
    for (int64_t frame = 0; frame < 300; ++frame) {
      const auto event = clients[i]->event();
      ASSERT_TRUE(event) << frame;
      ASSERT_EQ(event->id, std::to_string(frame));
      ASSERT_EQ(event->name, "frame");
      ASSERT_EQ(event->data, line(frame));
    }
  }
  server_->stop();
  for (const auto& client : clients) {
    EXPECT_EQ(client->event()->name, "end");
    EXPECT_FALSE(client->event());
  }
}

TEST_F(ServerTest, ResumesBehindTheLastEvent) {
  serve({}, 10);
  for (int64_t frame = 0; frame < 30; ++frame) write(frame);
  const auto first = [&](const std::string& after) {
    HttpConnection client(port_);
    client.stream(after);
    return *client.event();
  };
  EXPECT_EQ(first("24").id, "25");
  EXPECT_EQ(first("").id, "29");
  HttpConnection far(port_);
  far.stream("9223372036854775807");
  server_->stop();
  EXPECT_EQ(far.event()->name, "end") << "there is nothing behind it";
}

// From the file, as far as memory does not reach; nothing is dropped, and then every new line comes.
TEST_F(ServerTest, ResumesFromTheFile) {
  serve({}, 10);
  for (int64_t frame = 0; frame < 300; ++frame) write(frame);
  HttpConnection client(port_);
  client.stream("3");
  for (int64_t frame = 4; frame < 300; ++frame) {
    const auto event = client.event();
    ASSERT_TRUE(event) << frame;
    ASSERT_EQ(event->name, "frame");
    ASSERT_EQ(event->data, line(frame));
  }
  write(300);
  EXPECT_EQ(client.event()->id, "300");
}

// It takes nothing, so that what waits for it reaches its bound; the run and the others do not notice.
TEST_F(ServerTest, AStalledClientLosesLinesAndNobodyWaits) {
  serve({}, 50);
  write(0);
  HttpConnection stalled(port_, 4096);
  stalled.stream("-1");
  EXPECT_EQ(stalled.event()->id, "0");
  HttpConnection other(port_);
  other.stream("-1");
  EXPECT_EQ(other.event()->id, "0");
  constexpr size_t kLine_bytes = 20'000;
  constexpr int64_t kLines = 400;
  for (int64_t frame = 1; frame <= kLines; ++frame) {
    write(frame, kLine_bytes);
    ASSERT_EQ(other.event()->id, std::to_string(frame));
  }
  int64_t last = 0, lost = 0, got = 0;
  while (last < kLines) {
    const auto event = stalled.event();
    ASSERT_TRUE(event);
    if (event->name == "dropped") {
      lost += parse_json_or_throw(event->data)["lines"].get<int64_t>();
    } else {
      const int64_t frame = std::stoll(event->id);
      EXPECT_GT(frame, last);
      last = frame, ++got;
    }
  }
  EXPECT_GT(lost, 0);
  EXPECT_EQ(got + lost, kLines) << "every line came or was told to be lost";
}

TEST_F(ServerTest, StopsWhileClientsHang) {
  serve();
  write(0);
  HttpConnection idle(port_), half(port_), stalled(port_, 4096), kept(port_);
  half.send("GET /v1/sta");
  stalled.stream("-1");
  stalled.event();
  kept.ask("GET", "/v1/status");
  kept.answer();
  for (int64_t frame = 1; frame < 200; ++frame) write(frame, 50'000);
  server_->stop();
  EXPECT_TRUE(idle.closed());
  EXPECT_TRUE(half.closed());
  EXPECT_TRUE(kept.closed());
  EXPECT_FALSE(HttpConnection(port_).connected() && get("/v1/status").status != 0);
}

TEST_F(ServerTest, OneClientTooManyIsTurnedAway) {
  ServerOptions options;
  options.limits.clients = 2;
  serve(options);
  write(0);
  {
    HttpConnection first(port_), second(port_);
    for (HttpConnection* client : {&first, &second}) {
      client->stream();
      client->event();
    }
    const HttpAnswer answer = get("/v1/status");
    expect_error(answer, 503, "");
    EXPECT_EQ(answer.headers.at("retry-after"), "5");
  }
  // They are found gone when something is sent to them.
  HttpAnswer answer;
  for (int64_t frame = 1; answer.status != 200; ++frame) {
    write(frame);
    answer = get("/v1/status");
  }
}

TEST_F(ServerTest, AsksForItsToken) {
  ServerOptions options;
  options.admission.token = "secret";
  serve(options);
  write(0);
  const HttpAnswer refused = get("/v1/status");
  expect_error(refused, 401, "/v1/status");
  EXPECT_EQ(refused.headers.at("www-authenticate"), "Bearer");
  for (const std::string wrong : {"secret", "Bearer", "Bearer ", "Bearer secre", "Bearer secrets",
                                  "Bearer Secret", "Bearer secretBearer secret"})
    EXPECT_EQ(get("/v1/status", "Authorization: " + wrong + "\r\n").status, 401) << wrong;
  EXPECT_EQ(get("/v1/status", "Authorization: Bearer secret\r\n").status, 200);
  EXPECT_EQ(get("/").status, 200) << "the page asks for it";
}

TEST_F(ServerTest, WrongTokensMakeTheirAddressWait) {
  ServerOptions options;
  options.admission.token = "secret";
  serve(options);
  write(0);
  const std::string right = "Authorization: Bearer secret\r\n", wrong = "Authorization: Bearer guess\r\n";
  for (int i = 0; i < 3 * WrongTokens::kAtOnce; ++i) EXPECT_EQ(get("/v1/status").status, 401) << "no guess";
  for (int i = 0; i < WrongTokens::kAtOnce; ++i) EXPECT_EQ(get("/v1/status", wrong).status, 401) << i;
  const HttpAnswer later = get("/v1/status", wrong);
  expect_error(later, 429, "/v1/status");
  EXPECT_GE(std::stoi(later.headers.at("retry-after")), 1);
  EXPECT_EQ(get("/v1/status", right).status, 429) << "a guess that is right is not told from others";
  EXPECT_EQ(get("/").status, 200);
}

TEST(WrongTokens, AreForgottenOneByOneAndForEachAddress) {
  WrongTokens tokens;
  const auto begin = WrongTokens::Clock::time_point() + std::chrono::hours(1);
  for (int i = 0; i < WrongTokens::kAtOnce; ++i) EXPECT_EQ(tokens.judge("a", false, begin).count(), 0) << i;
  EXPECT_EQ(tokens.judge("a", true, begin), WrongTokens::kEvery);
  EXPECT_EQ(tokens.judge("b", true, begin).count(), 0) << "another address";
  EXPECT_EQ(tokens.judge("a", true, begin + WrongTokens::kEvery - std::chrono::milliseconds(1)).count(), 1);
  EXPECT_EQ(tokens.judge("a", false, begin + WrongTokens::kEvery).count(), 0);
  EXPECT_EQ(tokens.judge("a", true, begin + WrongTokens::kEvery), WrongTokens::kEvery);
  const auto end = begin + (WrongTokens::kAtOnce + 1) * WrongTokens::kEvery;
  for (int i = 0; i < WrongTokens::kAtOnce; ++i) EXPECT_EQ(tokens.judge("a", false, end).count(), 0) << i;
  EXPECT_GT(tokens.judge("a", false, end).count(), 0);
}

TEST(WrongTokens, RememberSoManyAddresses) {
  WrongTokens tokens;
  const auto now = WrongTokens::Clock::time_point() + std::chrono::hours(1);
  for (int i = 0; i < WrongTokens::kAtOnce; ++i) tokens.judge("guesser", false, now);
  for (size_t i = 0; i < 2 * WrongTokens::kMaxAddresses; ++i) tokens.judge(std::to_string(i), false, now);
  EXPECT_GT(tokens.judge("guesser", true, now).count(), 0) << "those with the least to wait go first";
}

TEST(ServerAddress, ReadsWhatPeopleWrite) {
  EXPECT_EQ(parse_server_address("8080")->text(), "127.0.0.1:8080");
  EXPECT_EQ(parse_server_address("localhost:0")->text(), "127.0.0.1:0");
  EXPECT_EQ(parse_server_address("0.0.0.0:80")->text(), "0.0.0.0:80");
  EXPECT_EQ(parse_server_address("[::1]:80")->text(), "[::1]:80");
  EXPECT_EQ(parse_server_address("[fe80::1%1]:80")->url_text(), "[fe80::1%251]:80");
  EXPECT_FALSE(parse_server_address("[fe80::1%1]:80")->loopback());
  EXPECT_TRUE(parse_server_address("[::1]:80")->loopback());
  EXPECT_TRUE(parse_server_address("127.1.2.3:80")->loopback());
  EXPECT_FALSE(parse_server_address("[::]:80")->loopback());
  EXPECT_FALSE(parse_server_address("0.0.0.0:80")->loopback());
  for (const char* wrong : {"", "x", "65536", "-1", "80x", ":80", "example.org:80", "::1:80", "[::1]80",
                            "1.2.3:80", "[127.0.0.1]:80", "[fe80::1%nowhere]:80", "[::1%]:80"})
    EXPECT_FALSE(parse_server_address(wrong)) << wrong;
  ServerOptions open;
  open.admission.address = *parse_server_address("0.0.0.0:0");
  EXPECT_EQ(ResultServer::open(open).error().kind, ErrorKind::invalid_argument) << "no token";
}

TEST(ServerAddress, APortInUseIsTold) {
  const auto first = ResultServer::open({}).value();
  ServerOptions same;
  same.admission.address.port =
      static_cast<uint16_t>(std::stoi(first->url().substr(first->url().rfind(':') + 1)));
  const auto second = ResultServer::open(same);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().what, "the port is in use");
  EXPECT_EQ(second.error().where, same.admission.address.text());
}

}  // namespace
}  // namespace vantage::server
