// The server over real sockets: what it tells of a run and of a folder.
#include <array>
#include <set>
#include <sstream>
#include <thread>

#include "app/server/folder_source.h"
#include "app/server/served_session.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/image/image_files.h"
#include "tests/support/hard_passwords.h"
#include "tests/support/json_schema.h"
#include "tests/support/pictures.h"
#include "tests/unit/server/server_fixture.h"

namespace vantage::server {
namespace {

using nlohmann::json;
using test::HttpAnswer;
using test::HttpConnection;

TEST_F(ServerTest, TellsStatusCamerasAndFrames) {
  serve();
  expect_error(get("/v1/frames/latest"), 404, "/v1/frames/latest");
  for (int64_t frame = 0; frame < 5; ++frame) write(frame);
  const HttpAnswer status = get("/v1/status");
  EXPECT_EQ(status.status, 200);
  EXPECT_EQ(status.headers.at("content-type"), "application/json");
  const json told = parse_json_or_throw(status.body);
  EXPECT_EQ(told["project"], "hall");
  EXPECT_EQ(told["kind"], "recording");
  EXPECT_EQ(told["frames"], json({{"done", 5}, {"total", 1000}, {"latest", 4}, {"people_unknown", 0}}));
  EXPECT_EQ(told["stages"], json({"video", "foreground"}));
  EXPECT_EQ(told["cameras"][0], json({{"name", "a b"}, {"here", true}, {"problem", nullptr}}));
  EXPECT_EQ(told["cameras"][1], json({{"name", "c"}, {"here", false}, {"problem", "gone"}}));
  EXPECT_EQ(told["versions"], json({{"video", "00000000000000ab"}}));
  EXPECT_EQ(told["server"]["max_clients"], 32);
  const std::string cameras = get("/v1/cameras").body;
  EXPECT_EQ(parse_json_or_throw(cameras)["cameras"][0]["width_px"], 4);
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
  EXPECT_EQ(stages("{}", on), (std::vector<std::string>{"video", "foreground", "carving", "floor", "heads",
                                                        "people", "tracking", "heightmap"}));
}

TEST_F(ServerTest, CamerasThatAreAwayAreToldWithoutPlaces) {
  RunSourceOptions run;
  run.folder = folder_.path();
  run.health = [] {
    LiveHealth health;
    health.cameras.resize(2);
    health.cameras[0].name = "a b", health.cameras[1].name = "c";
    health.cameras[0].state = "the video cannot be opened: /home/me/a.mp4";
    health.cameras[1].here = true;
    return health;
  };
  start(RunSource::open(run).value());
  const json status = parse_json_or_throw(get("/v1/status").body);
  EXPECT_EQ(status["kind"], "live");
  EXPECT_EQ(status["cameras"][0]["problem"], "the video cannot be opened: a.mp4");
  EXPECT_EQ(status["live"]["cameras"][0]["state"], "the video cannot be opened: a.mp4");
  EXPECT_EQ(status["cameras"][1]["here"], true);
  const json health = parse_json_or_throw(get("/v1/health").body);
  EXPECT_EQ(health["kind"], "live");
  EXPECT_EQ(health["cameras"][0]["problem"], "the video cannot be opened: a.mp4");
  EXPECT_TRUE(health["cameras"][1].contains("reconnections")) << "all that is measured";
  EXPECT_EQ(parse_json_or_throw(get("/v1/cameras/a%20b/health").body), health["cameras"][0]);
  expect_error(get("/v1/cameras/nobody/health"), 404, "/v1/cameras/nobody/health");
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
  result->artifacts.foreground = foreground, result->artifacts.heightmap = map;
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

// The second camera has no picture, and no flow: those of the first are what its pictures are.
TEST_F(ServerTest, CamerasPicturesAreServedWhereThatIsWanted) {
  auto video = std::make_shared<FrameSetArtifact>();
  video->frames.cameras.resize(2);
  Picture picture = Picture::make({PictureLayout::nv12, 64, 48}, HostPool::shared()).value();
  for (int p = 0; p < picture.plane_count(); ++p)
    for (int y = 0; y < picture.plane(p).height; ++y)
      std::fill_n(picture.writable_plane(p).row(y), picture.plane(p).width, uint8_t{120});
  video->frames.cameras[0].picture = picture;
  auto flow = std::make_shared<FlowArtifact>();
  flow->cameras.resize(2);
  FlowField& field = flow->cameras[0].field;
  field.width = 3, field.height = 2;
  field.vectors = Image::make(ImageType::f32, 6, 2, HostPool::shared()).value();
  for (int y = 0; y < 2; ++y) std::fill_n(field.vectors.writable_view<float>().row(y), 6, 1.5f);
  field.confidence = test::constant_image(3, 2, 200);
  auto result = std::make_shared<FrameResult>();
  result->frame = 8;
  result->artifacts.video = video, result->artifacts.flow = flow;
  const std::string there = "/v1/frames/latest/cameras/a%20b/", none = "/v1/frames/latest/cameras/c/";
  for (const bool pictures : {false, true}) {
    RunSourceOptions run;
    run.folder = folder_.path();
    run.pictures = pictures;
    auto source = RunSource::open(run).value();
    RunSource* const publisher = source.get();
    start(std::move(source));
    publisher->publish(result);
    EXPECT_EQ(parse_json_or_throw(get("/v1/status").body)["pictures"], pictures);
    const HttpAnswer shown = get(there + "picture.jpg");
    if (pictures) {
      EXPECT_EQ(shown.headers.at("content-type"), "image/jpeg");
      EXPECT_TRUE(shown.body.starts_with("\xff\xd8"));
      const HttpAnswer blurred = get(there + "picture.jpg?blur=true");
      EXPECT_TRUE(blurred.body.starts_with("\xff\xd8"));
      EXPECT_NE(blurred.body, shown.body);
      EXPECT_EQ(blurred.headers.at("vantage-wholly-blurred"), "unknown_people");
      EXPECT_EQ(blurred.headers.at("vantage-frame"), "8");
      EXPECT_FALSE(shown.headers.contains("vantage-wholly-blurred"));
      EXPECT_EQ(get(there + "picture.jpg?blur=maybe").status, 400);
    } else {
      EXPECT_EQ(shown.status, 404);
      EXPECT_NE(shown.body.find("--serve-pictures"), std::string::npos);
    }
    EXPECT_EQ(get(none + "picture.jpg").status, 404);
    const HttpAnswer vectors = get(there + "flow.flo");
    EXPECT_EQ(vectors.headers.at("content-type"), "application/octet-stream");
    EXPECT_EQ(vectors.body.size(), 12u + 3 * 2 * 8);
    EXPECT_TRUE(vectors.body.starts_with("PIEH")) << "202021.25 as a float";
    EXPECT_EQ(get(none + "flow.flo").status, 404);
    const HttpAnswer sure = get(there + "confidence.png");
    EXPECT_EQ(sure.headers.at("content-type"), "image/png");
    EXPECT_TRUE(write_file_atomically(folder_.path() / "sure.png", sure.body));
    const Image confidence = read_png_gray(folder_.path() / "sure.png", HostPool::shared()).value();
    EXPECT_EQ(confidence.width(), 3);
    EXPECT_EQ(confidence.view<uint8_t>().at(2, 1), 200);
    EXPECT_EQ(get(none + "confidence.png").status, 404);
    for (const char* wrong : {"/v1/frames/latest/flow.flo", "/v1/frames/latest/cameras/c/floor.png"})
      EXPECT_NE(get(wrong).body.find("nothing at this address"), std::string::npos);
  }
  std::filesystem::create_directories(folder_.path() / "flow" / "c");
  std::ofstream(folder_.path() / "flow" / "c" / "frame_000003.flo") << "stored";
  EXPECT_EQ(get("/v1/frames/3/cameras/c/flow.flo").body, "stored");
}

// A run's newest spans only, and what the live cameras do.
TEST_F(ServerTest, TimingsOfARunThatGoesOn) {
  RunSourceOptions run;
  TraceRecorder trace;
  SpanReaders readers(&trace);
  trace.record({.name = "before the run"});
  run.folder = folder_.path();
  run.spans = &readers;
  run.health = [] {
    LiveHealth health;
    health.cameras.resize(1);
    health.cameras[0].state = "gone: /home/me/a.mp4";
    return health;
  };
  source_ = RunSource::open(run).value();
  start(source_);
  expect_error(get("/v1/timings"), 404, "/v1/timings");
  const auto publish = [&](int64_t frame, size_t spans) {
    TraceSpan span;
    span.name = "carving", span.lane = "stage carving", span.frame = frame, span.duration_ns = 2'000'000;
    for (size_t i = 0; i < spans; ++i) trace.record(span);
    auto result = std::make_shared<FrameResult>();
    result->frame = frame;
    source_->publish(result);
  };
  publish(0, 7);
  publish(1, kMaxSpans - 10);
  publish(2, 10);
  const HttpAnswer first = get("/v1/timings");
  EXPECT_EQ(first.headers.at("content-type"), "application/json");
  const json timings = parse_json_or_throw(first.body);
  EXPECT_EQ(timings["schema"], "vantage-timings-1");
  EXPECT_EQ(timings["dropped_spans"], 7) << "the oldest frame's";
  EXPECT_EQ(timings["spans"].size(), kMaxSpans);
  EXPECT_EQ(timings["spans"][0]["frame"], 1);
  EXPECT_EQ(timings["summary"][0]["p50_ms"], 2.0);
  EXPECT_EQ(timings["live"]["cameras"][0]["state"], "gone: a.mp4");
}

// What a session's window serves: live cameras that are watched, a run that writes, what it has written.
TEST_F(ServerTest, ASessionIsFollowed) {
  TraceRecorder trace;
  SpanReaders spans(&trace);
  ServedSession session(&spans);
  EXPECT_FALSE(session.wants_lines());
  const std::string url = session.start({"127.0.0.1:0", {}}, "/nowhere").value();
  port_ = std::stoi(url.substr(url.rfind(':') + 1));
  expect_error(get("/v1/status"), 404, "/v1/status");
  std::ifstream written(folder_.path() / "results.jsonl.part");
  BegunResults watched;
  std::getline(written, watched.header);
  const auto publish = [&](int64_t frame) {
    trace.record({.name = "carving", .lane = "carving", .frame = frame, .duration_ns = 1'000'000});
    session.on_line(line(frame));
    auto result = std::make_shared<FrameResult>();
    result->frame = frame;
    session.on_result(result);
  };
  session.on_begun(watched);
  EXPECT_TRUE(session.wants_lines());
  publish(4), publish(5);
  EXPECT_EQ(parse_json_or_throw(get("/v1/status").body)["kind"], "live");
  EXPECT_EQ(get("/v1/frames/latest").body, line(5) + "\n");
  EXPECT_EQ(parse_json_or_throw(get("/v1/timings").body)["spans"].size(), 2U);
  session.on_begun({.folder = folder_.path(), .header = {}, .frames = 10});
  publish(6);
  EXPECT_EQ(parse_json_or_throw(get("/v1/status").body)["kind"], "recording");
  const json timings = parse_json_or_throw(get("/v1/timings").body);
  ASSERT_EQ(timings["spans"].size(), 1U) << "this run's alone";
  EXPECT_EQ(timings["spans"][0]["frame"], 6);
  session.on_ended();
  EXPECT_FALSE(session.wants_lines());
  session.stop();
}

// The last lines are all there is of live cameras that are only watched.
TEST_F(ServerTest, WatchedCamerasWithoutResults) {
  std::ifstream written(folder_.path() / "results.jsonl.part");
  RunSourceOptions run;
  std::getline(written, run.header);
  run.health = [] { return LiveHealth(); };
  run.kept_lines = 3;
  source_ = RunSource::open(run).value();
  start(source_);
  EXPECT_EQ(parse_json_or_throw(get("/v1/status").body)["project"], "hall");
  EXPECT_EQ(parse_json_or_throw(get("/v1/cameras").body)["cameras"].size(), 2u);
  expect_error(get("/v1/frames/latest"), 404, "/v1/frames/latest");
  for (int64_t frame = 10; frame < 18; frame += 2) source_->add_line(line(frame));
  EXPECT_EQ(get("/v1/frames/latest").body, line(16) + "\n");
  EXPECT_EQ(get("/v1/frames/12").body, line(12) + "\n");
  expect_error(get("/v1/frames/10"), 404, "/v1/frames/10");
  EXPECT_EQ(get("/v1/frames?from=11&to=15").body, line(12) + "\n" + line(14) + "\n");
  expect_error(get("/v1/frames/12/floor.png"), 404, "/v1/frames/12/floor.png");
  expect_error(get("/v1/tracks.csv"), 404, "/v1/tracks.csv");
  HttpConnection client(port_);
  client.stream("11");
  for (const int64_t frame : {12, 14, 16}) ASSERT_EQ(client.event()->data, line(frame));
  source_->close();
  EXPECT_EQ(client.event()->name, "end");
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
  result->artifacts.foreground = foreground;
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
  const json status = parse_json_or_throw(get("/v1/status").body);
  EXPECT_EQ(status["kind"], "results");
  EXPECT_EQ(status["frames"]["done"], 200);
  EXPECT_EQ(get("/v1/frames/latest").body, line(199) + "\n");
  EXPECT_EQ(get("/v1/tracks.csv").body, "1,1\n2,2\n");
  EXPECT_EQ(get("/v1/timings").body, "{\"spans\":[],\"state\":\"a.mp4\"}\n");
  expect_error(get("/v1/frames/200"), 404, "/v1/frames/200");
  expect_error(get("/v1/frames/latest/floor.png"), 404, "/v1/frames/latest/floor.png");
  HttpConnection client(port_);
  client.stream("99");
  for (int64_t frame = 100; frame < 200; ++frame) ASSERT_EQ(client.event()->data, line(frame));
  EXPECT_EQ(client.event()->name, "end");
  std::ofstream(folder_.path() / "results.jsonl") << "not results\n";
  EXPECT_EQ(FolderSource::open(folder_.path()).error().kind, ErrorKind::bad_data);
}

// Every route that the description names, asked; it says nothing of others.
class DescriptionTest : public ServerTest {
 protected:
  void serve_folder() {
    std::ofstream file(folder_.path() / "results.jsonl.part", std::ios::app);
    for (int64_t frame = 0; frame < 3; ++frame) file << line(frame) << "\n";
    file.close();
    std::filesystem::rename(folder_.path() / "results.jsonl.part", folder_.path() / "results.jsonl");
    std::ofstream(folder_.path() / "tracks.csv") << "1,1\n";
    std::ofstream(folder_.path() / "events.jsonl") << "{\"rule\":\"in\"}\n{\"rule\":\"ha";
    std::ofstream(folder_.path() / "timings.json") << R"({"spans":[]})";
    for (const char* made :
         {"masks/c/frame_000002.png", "floor/frame_000002.png", "shells/frame_000002.ply"}) {
      std::filesystem::create_directories((folder_.path() / made).parent_path());
      std::ofstream(folder_.path() / made) << "bytes";
    }
    start(FolderSource::open(folder_.path()).value());
    api_ = parse_json_or_throw(get("/v1/openapi.json").body);
  }
  HttpAnswer ask(const std::string& path) const {
    std::string filled = path;
    for (const auto& [from, to] : {std::pair{"{frame}", "latest"}, std::pair{"{camera}", "c"}})
      if (const size_t at = filled.find(from); at != std::string::npos)
        filled.replace(at, std::string(from).size(), to);
    HttpConnection connection(port_);
    // A stream has no end that one could wait for.
    const bool endless = path == "/v1/stream";
    connection.ask(endless ? "HEAD" : "GET", filled);
    return endless ? connection.head() : connection.answer();
  }
  const json& resolved(const json& node) const {
    if (!node.contains("$ref")) return node;
    return api_.at(json::json_pointer(node["$ref"].get<std::string>().substr(1)));
  }
  json api_;
};

TEST_F(DescriptionTest, HoldsForEveryRoute) {
  serve_folder();
  EXPECT_EQ(api_["openapi"], "3.1.0");
  int answered = 0;
  for (const auto& [path, methods] : api_["paths"].items()) {
    const HttpAnswer answer = ask(path);
    const json& responses = methods["get"]["responses"];
    const std::string status = std::to_string(answer.status);
    ASSERT_TRUE(responses.contains(status)) << path << " " << status << " " << answer.body;
    const json& content = resolved(responses[status])["content"];
    EXPECT_TRUE(content.contains(answer.headers.at("content-type")))
        << path << ": " << answer.headers.at("content-type");
    for (const json& parameter : methods["get"].value("parameters", json::array()))
      EXPECT_TRUE(resolved(parameter).contains("schema")) << path;
    if (answer.headers.at("content-type") != "application/json") continue;
    const json body = parse_json_or_throw(answer.body);
    EXPECT_EQ(test::schema_problem(body, resolved(content["application/json"]["schema"])), "") << path;
    if (answer.status == 404)
      EXPECT_EQ(body["what"].get<std::string>().find("nothing at this address"), std::string::npos) << path;
    answered += answer.status == 200;
  }
  EXPECT_GE(answered, 5);
  EXPECT_EQ(get("/v1/events").body, "{\"rule\":\"in\"}\n") << "whole lines";
  EXPECT_EQ(get("/v1/frames/latest/floor.png").status, 200);
  EXPECT_EQ(get("/v1/frames/latest/height.png").status, 404) << "which the description says";
}

// The results of a run that was written before addresses were redacted, or by hand.
TEST_F(DescriptionTest, NoRouteShowsAPassword) {
  json header = parse_json_or_throw(read_file(folder_.path() / "results.jsonl.part").value());
  for (const std::string& password : test::hard_passwords()) {
    json camera = header["cameras"].back();
    camera["name"] = "c" + std::to_string(header["cameras"].size());
    camera["video"] = "rtsp://admin:" + password + "@host/c";
    header["cameras"].push_back(camera);
  }
  header["project"] = "rtsp://admin:zq1secret@host/p";
  std::ofstream(folder_.path() / "results.jsonl.part") << header.dump() << "\n";
  serve_folder();
  EXPECT_GE(parse_json_or_throw(get("/v1/cameras").body)["cameras"].size(), test::hard_passwords().size());
  for (const auto& [path, methods] : api_["paths"].items())
    EXPECT_EQ(ask(path).body.find("secret"), std::string::npos) << path << "\n" << ask(path).body;
}

// The table that people read and the description that programs read name the same routes.
TEST_F(DescriptionTest, NamesTheRoutesOfTheManual) {
  serve_folder();
  const std::string manual =
      read_file(std::filesystem::path(VANTAGE_SOURCE_DIR) / "resources/docs/formats.md").value();
  std::istringstream lines(manual.substr(manual.find("| Route | Answer |")));
  std::set<std::string> written, described;
  std::string row;
  std::getline(lines, row), std::getline(lines, row);
  while (std::getline(lines, row) && row.starts_with("| `")) {
    const std::string names = row.substr(0, row.find(" | "));
    for (size_t at = names.find('`'); at != std::string::npos; at = names.find('`', at)) {
      const size_t end = names.find('`', at + 1);
      std::string path = names.substr(at + 1, end - at - 1);
      path = path.substr(0, path.find('?'));
      for (const auto& [from, to] :
           {std::pair{"/frames/latest", "/frames/{frame}"}, std::pair{"/frames/N", "/frames/{frame}"},
            std::pair{"/frames/F", "/frames/{frame}"}, std::pair{"/cameras/NAME", "/cameras/{camera}"}})
        if (const size_t found = path.find(from); found != std::string::npos)
          path.replace(found, std::string(from).size(), to);
      written.insert(path);
      at = end + 1;
    }
  }
  for (const auto& [path, methods] : api_["paths"].items()) described.insert(path);
  EXPECT_EQ(written, described);
}

}  // namespace
}  // namespace vantage::server
