// The server over real sockets: requests that are right and wrong, streams, stalled clients, the end.
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/server/folder_source.h"
#include "app/server/result_server.h"
#include "app/server/run_source.h"
#include "core/base/file.h"
#include "core/image/png.h"
#include "core/project/results_writer.h"
#include "tests/pipeline/footage.h"
#include "tests/support/data.h"
#include "tests/support/http_client.h"
#include "tests/support/pictures.h"

namespace vantage::server {
namespace {

using nlohmann::json;
using test::http_get;
using test::HttpAnswer;
using test::HttpConnection;

constexpr const char* kAll = "Last-Event-ID: -1\r\n";

// A run of two cameras that the test writes line by line.
class ServerTest : public testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(folder_.path() / "results.jsonl.part")
        << R"({"schema":"vantage-results-1","version":"1","backend":"cpu","device":"CPU","project":"/home/me/hall.vantage",)"
        << R"("frame_rate":25.0,"cameras":[{"name":"a b","video":"/home/me/a.mp4","width_px":4,"height_px":3},)"
        << R"({"name":"c","video":"rtsp://u:p@host/c","width_px":4,"height_px":3}],"grid":null,"parameters":{}})"
        << "\n";
  }
  void serve(ServerOptions options = {}, size_t kept_lines = 1000) {
    RunSourceOptions run;
    run.folder = folder_.path();
    run.kept_lines = kept_lines;
    run.total = 1000;
    source_ = RunSource::open(run).value();
    start(source_, std::move(options));
  }
  void start(std::shared_ptr<ResultSource> source, ServerOptions options = {}) {
    server_ = ResultServer::open(options).value();
    server_->start(std::move(source));
    const std::string url = server_->url();
    port_ = std::stoi(url.substr(url.rfind(':') + 1));
  }
  static std::string line(int64_t frame, size_t padding = 0) {
    return "{\"frame\":" + std::to_string(frame) +
           R"(,"cameras":[{"name":"a b","frame":0,"problem":null},{"name":"c","frame":-1,"problem":"gone"}],"x":")" +
           std::string(padding, 'x') + "\"}";
  }
  void write(int64_t frame, size_t padding = 0) {
    std::ofstream(folder_.path() / "results.jsonl.part", std::ios::app) << line(frame, padding) << "\n";
    source_->add_line(line(frame, padding));
  }
  HttpAnswer get(const std::string& target, const std::string& headers = {}) const {
    return http_get(port_, target, headers);
  }
  // An error as every one is told: JSON with what, where, do.
  void expect_error(const HttpAnswer& answer, int status, const std::string& where) const {
    EXPECT_EQ(answer.status, status) << where;
    const json error = json::parse(answer.body, nullptr, false);
    ASSERT_TRUE(error.is_object()) << answer.body;
    EXPECT_FALSE(error.value("what", "").empty());
    EXPECT_EQ(error.value("where", "?"), where);
    EXPECT_TRUE(error.contains("do"));
    EXPECT_EQ(answer.body.find(folder_.path().string()), std::string::npos) << answer.body;
  }

  const test::TemporaryFolder folder_;
  std::shared_ptr<RunSource> source_;
  std::unique_ptr<ResultServer> server_;
  int port_ = 0;
};

TEST_F(ServerTest, TellsStatusCamerasAndFrames) {
  serve();
  expect_error(get("/v1/frames/latest"), 404, "/v1/frames/latest");
  for (int64_t frame = 0; frame < 5; ++frame) write(frame);
  const HttpAnswer status = get("/v1/status");
  EXPECT_EQ(status.status, 200);
  EXPECT_EQ(status.headers.at("content-type"), "application/json");
  const json told = json::parse(status.body);
  EXPECT_EQ(told["project"], "hall");
  EXPECT_EQ(told["kind"], "recording");
  EXPECT_EQ(told["frames"], json({{"done", 5}, {"total", 1000}, {"latest", 4}}));
  EXPECT_EQ(told["stages"], json({"video", "foreground"}));
  EXPECT_EQ(told["cameras"][1], json({{"name", "c"}, {"here", false}, {"problem", "gone"}}));
  EXPECT_EQ(told["server"]["most_clients"], 32);
  const std::string cameras = get("/v1/cameras").body;
  EXPECT_EQ(json::parse(cameras)["cameras"][0]["width_px"], 4);
  for (const char* secret : {"/home/me", "rtsp://", "u:p"})
    EXPECT_EQ((status.body + cameras).find(secret), std::string::npos) << secret;
  EXPECT_EQ(get("/v1/frames/latest").body, line(4) + "\n");
  EXPECT_EQ(get("/v1/frames/2").body, line(2) + "\n");
  const HttpAnswer range = get("/v1/frames?from=1&to=3");
  EXPECT_EQ(range.body, line(1) + "\n" + line(2) + "\n");
  EXPECT_EQ(range.headers.at("content-type"), "application/x-ndjson");
  EXPECT_FALSE(range.headers.contains("link"));
  const HttpAnswer page = get("/");
  EXPECT_NE(page.body.find("<canvas"), std::string::npos);
  EXPECT_EQ(page.body.find("http"), std::string::npos) << "no address outside";
  EXPECT_EQ(get("/v1/stream?from=1").status, 200) << "what is not known in a query is ignored";
}

TEST_F(ServerTest, NamesTheStagesThatAreOn) {
  const auto stages = [](const std::string& grid, const std::string& parameters) {
    const RunFacts facts(R"({"grid":)" + grid + R"(,"parameters":)" + parameters + "}");
    return facts.status()["stages"].get<std::vector<std::string>>();
  };
  const std::string on =
      R"({"heads":{"enabled":true},"heightmap":{"enabled":true},"flow":{"enabled":false}})";
  EXPECT_EQ(stages("null", on), (std::vector<std::string>{"video", "foreground", "heads"}));
  EXPECT_EQ(stages("{}", on), (std::vector<std::string>{"video", "foreground", "carving", "floor", "people",
                                                        "tracking", "heightmap", "heads"}));
}

TEST_F(ServerTest, CamerasThatAreAwayAreToldWithoutPlaces) {
  RunSourceOptions run;
  run.folder = folder_.path();
  run.health = [] {
    LiveHealth health;
    health.cameras.resize(2);
    health.cameras[0].state = "the video cannot be opened: /home/me/a.mp4";
    health.cameras[1].here = true;
    return health;
  };
  start(RunSource::open(run).value());
  const json status = json::parse(get("/v1/status").body);
  EXPECT_EQ(status["kind"], "live");
  EXPECT_EQ(status["cameras"][0]["problem"], "the video cannot be opened: a.mp4");
  EXPECT_EQ(status["live"]["cameras"][0]["state"], "the video cannot be opened: a.mp4");
  EXPECT_EQ(status["cameras"][1]["here"], true);
}

TEST_F(ServerTest, LongRangesSayHowToGoOn) {
  serve({}, 10);
  for (int64_t frame = 0; frame < 2300; ++frame) write(frame);
  EXPECT_EQ(get("/v1/frames/3").body, line(3) + "\n") << "no longer kept, so from the file";
  std::string all, next = "/v1/frames?to=2200";
  int answers = 0;
  for (; !next.empty(); ++answers) {
    const HttpAnswer part = get(next);
    ASSERT_EQ(part.status, 200);
    all += part.body;
    const auto link = part.headers.find("link");
    next = link == part.headers.end() ? "" : link->second.substr(1, link->second.find('>') - 1);
  }
  EXPECT_EQ(answers, 3) << "1000 lines each";
  std::string expected;
  for (int64_t frame = 0; frame < 2200; ++frame) expected += line(frame) + "\n";
  EXPECT_EQ(all, expected);
}

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
  expect_error(body.answer(), 413, "/v1/status");
  HttpConnection led(port_);  // by a name of somebody else's
  led.send("GET /v1/status HTTP/1.1\r\nHost: evil.example\r\n\r\n");
  expect_error(led.answer(), 403, "/v1/status");
  EXPECT_EQ(get("/" + std::string(9000, 'a')).status, 414);
  HttpConnection nonsense(port_);
  nonsense.send("nonsense\r\n\r\n");
  EXPECT_EQ(nonsense.answer().status, 400);
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
    client.ask("GET", "/v1/stream", after.empty() ? "" : "Last-Event-ID: " + after + "\r\n");
    client.head();
    return *client.event();
  };
  EXPECT_EQ(first("24").id, "25");
  EXPECT_EQ(first("").id, "29");
  HttpConnection far(port_);
  far.ask("GET", "/v1/stream", "Last-Event-ID: 9223372036854775807\r\n");
  far.head();
  server_->stop();
  EXPECT_EQ(far.event()->name, "end") << "there is nothing behind it";
}

// From the file, as far as memory does not reach; nothing is dropped, and then every new line comes.
TEST_F(ServerTest, ResumesFromTheFile) {
  serve({}, 10);
  for (int64_t frame = 0; frame < 300; ++frame) write(frame);
  HttpConnection client(port_);
  client.ask("GET", "/v1/stream", "Last-Event-ID: 3\r\n");
  client.head();
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
  stalled.ask("GET", "/v1/stream", kAll);
  stalled.head();
  EXPECT_EQ(stalled.event()->id, "0");
  HttpConnection other(port_);
  other.ask("GET", "/v1/stream", kAll);
  other.head();
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
      lost += json::parse(event->data)["lines"].get<int64_t>();
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
  stalled.ask("GET", "/v1/stream", kAll);
  stalled.head();
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
  options.most_clients = 2;
  serve(options);
  write(0);
  {
    HttpConnection first(port_), second(port_);
    for (HttpConnection* client : {&first, &second}) {
      client->ask("GET", "/v1/stream");
      client->head();
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

TEST(ServerAddress, ReadsWhatPeopleWrite) {
  EXPECT_EQ(parse_server_address("8080")->text(), "127.0.0.1:8080");
  EXPECT_EQ(parse_server_address("localhost:0")->text(), "127.0.0.1:0");
  EXPECT_EQ(parse_server_address("0.0.0.0:80")->text(), "0.0.0.0:80");
  EXPECT_EQ(parse_server_address("[::1]:80")->text(), "[::1]:80");
  EXPECT_TRUE(parse_server_address("[::1]:80")->loopback());
  EXPECT_TRUE(parse_server_address("127.1.2.3:80")->loopback());
  EXPECT_FALSE(parse_server_address("[::]:80")->loopback());
  EXPECT_FALSE(parse_server_address("0.0.0.0:80")->loopback());
  for (const char* wrong :
       {"", "x", "65536", "-1", "80x", ":80", "example.org:80", "::1:80", "[::1]80", "1.2.3:80"})
    EXPECT_FALSE(parse_server_address(wrong)) << wrong;
  const ServerOptions open = {{*parse_server_address("0.0.0.0:0"), ""}};
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

// What the newest result holds, as the files of results would have it; older ones from there.
TEST_F(ServerTest, PicturesOfTheNewestResult) {
  serve();
  auto foreground = std::make_shared<ForegroundArtifact>();
  foreground->host_masks = std::vector<Image>{test::constant_image(4, 3, 255), Image()};
  auto map = std::make_shared<HeightMapArtifact>();
  map->estimate.map.labels = test::constant_image(2, 1, 0);
  map->estimate.heights_m = Image::make(ImageType::f32, 2, 1, HostPool::shared()).value();
  map->estimate.heights_m.writable_view<float>().at(0, 0) = 1.75f;
  map->estimate.heights_m.writable_view<float>().at(1, 0) = std::nanf("");
  auto result = std::make_shared<FrameResult>();
  result->frame = 8;
  result->artifacts = {{std::string(kForegroundStage), foreground}, {std::string(kHeightMapStage), map}};
  source_->publish(result);
  const auto decoded = [&](const std::string& bytes) {
    EXPECT_TRUE(write_file_atomically(folder_.path() / "x.png", bytes));
    return read_png_gray(folder_.path() / "x.png", HostPool::shared()).value();
  };
  const HttpAnswer mask = get("/v1/frames/latest/cameras/a%20b/mask.png");
  EXPECT_EQ(mask.headers.at("content-type"), "image/png");
  EXPECT_EQ(mask.headers.at("vantage-frame"), "8");
  EXPECT_EQ(decoded(mask.body).view<uint8_t>().at(3, 2), 255);
  expect_error(get("/v1/frames/8/cameras/c/mask.png"), 404, "/v1/frames/8/cameras/c/mask.png");
  const Image heights = decoded(get("/v1/frames/8/height.png").body);
  EXPECT_EQ(heights.view<uint8_t>().at(1, 0), 0);
  EXPECT_EQ(heights.width(), 2);
  expect_error(get("/v1/frames/latest/floor.png"), 404, "/v1/frames/latest/floor.png");
  std::filesystem::create_directories(folder_.path() / "masks" / "c");
  std::ofstream(folder_.path() / "masks" / "c" / "frame_000003.png") << "stored";
  EXPECT_EQ(get("/v1/frames/3/cameras/c/mask.png").body, "stored");
}

// Of a run only the newest spans, and what the live cameras do.
TEST_F(ServerTest, TimingsOfARunThatGoesOn) {
  RunSourceOptions run;
  run.folder = folder_.path();
  run.health = [] {
    LiveHealth health;
    health.cameras.resize(1);
    health.cameras[0].state = "gone: /home/me/a.mp4";
    return health;
  };
  source_ = RunSource::open(run).value();
  start(source_);
  expect_error(get("/v1/timings"), 404, "/v1/timings");
  const auto spans = [](int64_t frame, size_t count) {
    TraceSpan span;
    span.name = "carving", span.lane = "stage carving", span.frame = frame, span.duration_ns = 2'000'000;
    return std::vector<TraceSpan>(count, span);
  };
  source_->add_spans(spans(0, 7));
  source_->add_spans(spans(1, kMostSpans - 10));
  source_->add_spans(spans(2, 10));
  const HttpAnswer first = get("/v1/timings");
  EXPECT_EQ(first.headers.at("content-type"), "application/json");
  const json timings = json::parse(first.body);
  EXPECT_EQ(timings["schema"], "vantage-timings-1");
  EXPECT_EQ(timings["dropped_spans"], 7) << "the oldest frame's";
  EXPECT_EQ(timings["spans"].size(), kMostSpans);
  EXPECT_EQ(timings["spans"][0]["frame"], 1);
  EXPECT_EQ(timings["summary"][0]["p50_ms"], 2.0);
  EXPECT_EQ(timings["live"]["cameras"][0]["state"], "gone: a.mp4");
}

// The picture changes behind the server's back, so that encoding it again would show.
TEST_F(ServerTest, APictureIsEncodedOnceForAllWhoAsk) {
  serve();
  Image mask = test::constant_image(400, 300, 0);
  const ImageView<uint8_t> pixels = mask.writable_view<uint8_t>();
  auto foreground = std::make_shared<ForegroundArtifact>();
  foreground->host_masks = std::vector<Image>{mask, mask};
  auto result = std::make_shared<FrameResult>();
  result->frame = 8;
  result->artifacts = {{std::string(kForegroundStage), foreground}};
  source_->publish(result);
  const std::string target = "/v1/frames/latest/cameras/c/mask.png";
  const std::string first = get(target).body;
  pixels.at(7, 5) = 255;
  std::array<std::string, 8> same;
  {
    std::vector<std::jthread> clients;
    for (std::string& body : same) clients.emplace_back([&] { body = get(target).body; });
  }
  for (const std::string& body : same) EXPECT_EQ(body, first);
  EXPECT_EQ(get("/v1/frames/8/cameras/c/mask.png").body, first) << "by its number too";
  EXPECT_NE(get("/v1/frames/8/cameras/a%20b/mask.png").body, first) << "another camera is another picture";
  source_->publish(result);
  EXPECT_NE(get(target).body, first) << "another result is encoded anew";
}

TEST_F(ServerTest, ServesAFolder) {
  EXPECT_EQ(FolderSource::open(folder_.path() / "none").error().kind, ErrorKind::not_found);
  std::ofstream file(folder_.path() / "results.jsonl.part", std::ios::app);
  for (int64_t frame = 0; frame < 200; ++frame) file << line(frame) << "\n";
  file.close();
  std::filesystem::rename(folder_.path() / "results.jsonl.part", folder_.path() / "results.jsonl");
  std::ofstream(folder_.path() / "tracks.csv") << "1,1\n2,2\nhalf";
  std::ofstream(folder_.path() / "timings.json") << R"({"spans":[],"state":"/home/me/a.mp4"})";
  start(FolderSource::open(folder_.path()).value());
  const json status = json::parse(get("/v1/status").body);
  EXPECT_EQ(status["kind"], "results");
  EXPECT_EQ(status["frames"]["done"], 200);
  EXPECT_EQ(get("/v1/frames/latest").body, line(199) + "\n");
  EXPECT_EQ(get("/v1/tracks.csv").body, "1,1\n2,2\n");
  EXPECT_EQ(get("/v1/timings").body, "{\"spans\":[],\"state\":\"a.mp4\"}\n");
  expect_error(get("/v1/frames/200"), 404, "/v1/frames/200");
  expect_error(get("/v1/frames/latest/floor.png"), 404, "/v1/frames/latest/floor.png");
  HttpConnection client(port_);
  client.ask("GET", "/v1/stream", "Last-Event-ID: 99\r\n");
  client.head();
  for (int64_t frame = 100; frame < 200; ++frame) ASSERT_EQ(client.event()->data, line(frame));
  EXPECT_EQ(client.event()->name, "end");
  std::ofstream(folder_.path() / "results.jsonl") << "not results\n";
  EXPECT_EQ(FolderSource::open(folder_.path()).error().kind, ErrorKind::bad_data);
}

}  // namespace
}  // namespace vantage::server
