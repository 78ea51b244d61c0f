// Runs and results served by vantage-cli, requested over real sockets.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "core/base/json.h"
#include "core/image/image_files.h"
#include "core/results/results_paths.h"
#include "core/tracks/counting/rules.h"
#include "core/video/video_source.h"
#include "tests/support/cli_fixture.h"
#include "tests/support/loopback_socket.h"
#include "tests/support/tls_connection.h"
#include "tests/unit/pipeline/footage.h"

namespace vantage {
namespace {

using nlohmann::json;
using test::Finished;
using test::http_get;
using test::HttpAnswer;
using test::HttpConnection;

class ServeTest : public test::CliTest {
 protected:
  // The port that the program reports; 0 if it has ended without.
  int port_of(pid_t child) const {
    for (;;) {
      const std::string said = read_file(folder_.path() / "err").value_or("");
      const std::string words = "://127.0.0.1:";
      const size_t at = said.find(words, said.find("serving at http"));
      if (at != std::string::npos && said.find('\n', at) != std::string::npos)
        return std::stoi(said.substr(at + words.size()));
      siginfo_t ended = {};
      if (::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 ||
          ended.si_pid != 0)
        return 0;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  std::vector<std::string> lines_of(const std::string& folder) const {
    std::vector<std::string> lines;
    std::ifstream in(folder_.path() / folder / "results.jsonl");
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
  }
  // Every event up to the end.
  static std::vector<std::string> follow(HttpConnection& client) {
    std::vector<std::string> lines;
    while (const auto event = client.event()) {
      EXPECT_NE(event->name, "dropped");
      if (event->name == "end") return lines;
      lines.push_back(event->data);
    }
    ADD_FAILURE() << "the stream broke off";
    return lines;
  }
  Image decoded(const std::string& png) const {
    EXPECT_TRUE(write_file_atomically(folder_.path() / "x.png", png));
    return read_png_gray(folder_.path() / "x.png", HostPool::shared()).value();
  }
};

// Clients connect when the run starts and stay until it ends: they get the lines of the final file, if IDs
// are final at once.
TEST_F(ServeTest, ARunGivesTheLinesThatItWrites) {
  test::make_footage(folder_.path(), 3, 60);
  const pid_t child = start({"run", path("footage.vantage"), "--out", path("r"), "--serve", "0", "--json",
                             "--set", "tracking.method=greedy"});
  const int port = port_of(child);
  ASSERT_NE(port, 0) << wait(child).err;
  std::vector<std::string> got[3];
  std::vector<std::thread> clients;
  for (std::vector<std::string>& lines : got)
    clients.emplace_back([&lines, port] {
      HttpConnection client(port);
      if (client.stream("-1").status == 200) lines = follow(client);
    });
  for (std::thread& client : clients) client.join();
  const Finished done = wait(child);
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(parse_json_or_throw(done.out)["served"], "http://127.0.0.1:" + std::to_string(port) + "/");
  std::vector<std::string> written = lines_of("r");
  ASSERT_EQ(written.size(), 61u);
  written.erase(written.begin());
  for (const std::vector<std::string>& lines : got) EXPECT_EQ(lines, written);
}

TEST_F(ServeTest, ALiveRunTellsWhatItSees) {
  test::make_footage(folder_.path(), 3, 50);
  // A bound so long that even a busy machine has a picture of each camera in every set, once all have begun.
  const pid_t child = start(
      {"run", path("footage.vantage"), "--out", path("r"), "--live", "--bound", "10000", "--serve", "0"});
  const int port = port_of(child);
  ASSERT_NE(port, 0) << wait(child).err;
  HttpConnection stream(port);
  ASSERT_EQ(stream.stream().status, 200);
  std::optional<HttpConnection::Event> event;
  HttpAnswer mask;
  do {
    event = stream.event();
    ASSERT_TRUE(event);
    mask = http_get(port, "/v1/frames/latest/cameras/cam2/mask.png");
  } while (mask.status == 404);
  const json status = parse_json_or_throw(http_get(port, "/v1/status").body);
  EXPECT_EQ(status["kind"], "live");
  EXPECT_EQ(status["live"]["cameras"].size(), 3u);
  EXPECT_GE(status["frames"]["latest"], parse_json_or_throw(event->data)["frame"]);
  EXPECT_EQ(parse_json_or_throw(http_get(port, "/v1/cameras").body)["cameras"][0]["calibration"]["width_px"],
            test::kWidth);
  EXPECT_EQ(mask.status, 200) << mask.body;
  EXPECT_EQ(decoded(mask.body).width(), test::kWidth);
  EXPECT_EQ(decoded(http_get(port, "/v1/frames/latest/floor.png").body).width(), 32);
  EXPECT_TRUE(http_get(port, "/v1/frames/latest/shell.ply").body.starts_with("ply\n"));
  EXPECT_EQ(http_get(port, "/v1/frames/latest/height.png").status, 404) << "it is off";
  EXPECT_EQ(http_get(port, "/v1/tracks.csv").status, 200);
  const json timings = parse_json_or_throw(http_get(port, "/v1/timings").body);
  EXPECT_EQ(timings["live"]["cameras"].size(), 3u);
  const auto carving = [](const json& row) { return row["name"] == "carving" && row["kind"] == "stage"; };
  EXPECT_TRUE(std::ranges::any_of(timings["summary"], carving));
  for (const std::string target :
       {"/v1/status", "/v1/cameras", "/v1/frames/latest", "/v1/frames/x", "/v1/timings"})
    EXPECT_EQ(http_get(port, target).body.find(folder_.path().string()), std::string::npos) << target;
  ::kill(child, SIGINT);
  std::string last;
  for (std::optional<HttpConnection::Event> next; (next = stream.event());) last = next->name;
  EXPECT_EQ(last, "end");
  EXPECT_EQ(wait(child).code, 0);
}

// A clip and a mark over the network, with the events that the window would list; no token is printed
// anywhere.
TEST_F(ServeTest, ClipsAreSeenAndEventsMarked) {
  Project project = test::make_footage(folder_.path(), 3, 40);
  ASSERT_EQ(cli({"run", project.path.string(), "--set", "tracking.method=greedy"}).code, 0);
  const auto tracks = read_paths(project.results_folder() / "tracks.csv");
  ASSERT_TRUE(tracks && !tracks->empty());
  project.zones = {{"everywhere", {{-9, -9}, {9, -9}, {9, 9}, {-9, 9}}}};
  project.rules = {parse_rule("there=stays_longer,where=everywhere,limit=0.2").value()};
  ASSERT_TRUE(save_project(project, project.path));
  for (const auto& [file, token] : {std::pair("read", "a-read-token"), std::pair("mark", "a-mark-token")}) {
    std::ofstream(path(file)) << token << "\n";
    std::filesystem::permissions(path(file), std::filesystem::perms::owner_read);
  }
  const pid_t child = start({"serve", project.results_folder().string(), "--serve", "0", "--serve-pictures",
                             "--serve-token-file", path("read"), "--serve-mark-token-file", path("mark")});
  const int port = port_of(child);
  ASSERT_NE(port, 0) << wait(child).err;
  const std::string reads = "Authorization: Bearer a-read-token\r\n",
                    marks = "Authorization: Bearer a-mark-token\r\n";
  const HttpAnswer clip = http_get(port, "/v1/cameras/cam2/clip.mp4?from=5&to=17", reads);
  ASSERT_EQ(clip.status, 200) << clip.body;
  EXPECT_EQ(clip.headers.at("content-type"), "video/mp4");
  ASSERT_TRUE(write_file_atomically(path("clip.mp4"), clip.body));
  const auto video = open_video(path("clip.mp4"), {});
  ASSERT_TRUE(video) << video.error().message();
  int frames = 0;
  while ((*video)->read()) ++frames;
  EXPECT_EQ(frames, 12);
  const HttpAnswer late = http_get(port, "/v1/cameras/cam2/clip.mp4?from=500&to=517", reads);
  EXPECT_EQ(late.status, 400);
  EXPECT_NE(late.body.find("the span holds no frame"), std::string::npos) << late.body;

  const std::string events = http_get(port, "/v1/events", reads).body;
  const json event = parse_json_or_throw(events.substr(0, events.find('\n')));
  const std::string body = json{{"rule", event["rule"]},
                                {"person", event["person"]},
                                {"raised_frame", event["raised_frame"]},
                                {"standing", "seen"},
                                {"note", "over the network"}}
                               .dump();
  const auto post = [&](const std::string& token) {
    HttpConnection connection(port);
    connection.ask("POST", "/v1/events/marks",
                   "Content-Length: " + std::to_string(body.size()) + "\r\n" + token);
    connection.send(body);
    return connection.answer().status;
  };
  EXPECT_EQ(post(reads), 403);
  EXPECT_EQ(post(marks), 200);
  ::kill(child, SIGINT);
  const Finished done = wait(child);
  EXPECT_EQ(done.code, 0);
  for (const char* token : {"a-read-token", "a-mark-token"})
    EXPECT_EQ((done.out + done.err).find(token), std::string::npos);
  EXPECT_NE(cli({"events", project.path.string(), "--only", "seen"}).out.find("over the network"),
            std::string::npos);
}

TEST_F(ServeTest, AFolderIsServedUntilCtrlC) {
  test::make_footage(folder_.path(), 3, 20);
  ASSERT_EQ(cli({"run", path("footage.vantage"), "--out", path("r"), "--floor-maps", "10"}).code, 0);
  const pid_t child = start({"serve", path("r"), "--serve", "0"});
  const int port = port_of(child);
  ASSERT_NE(port, 0) << wait(child).err;
  const std::vector<std::string> written = lines_of("r");
  HttpConnection stream(port);
  stream.stream();
  EXPECT_EQ(follow(stream), std::vector<std::string>(written.begin() + 1, written.end()));
  EXPECT_EQ(http_get(port, "/v1/frames/7").body, written[8] + "\n");
  EXPECT_EQ(http_get(port, "/v1/tracks.csv").body, read_file(path("r/tracks.csv")).value());
  EXPECT_EQ(http_get(port, "/v1/frames/10/floor.png").body,
            read_file(path("r/floor/frame_000010.png")).value());
  EXPECT_TRUE(json::accept(http_get(port, "/v1/timings").body));
  HttpConnection hanging(port);
  hanging.send("GET /");
  ::kill(child, SIGINT);
  EXPECT_EQ(wait(child).code, 0);
}

TEST_F(ServeTest, AFolderIsServedThroughTls) {
  test::make_footage(folder_.path(), 3, 20);
  ASSERT_EQ(cli({"run", path("footage.vantage"), "--out", path("r")}).code, 0);
  const test::PemPair mine = test::make_certificate(), other = test::make_certificate();
  std::ofstream(path("cert.pem")) << mine.certificate;
  std::ofstream(path("key.pem")) << mine.key;
  std::ofstream(path("other.pem")) << other.key;
  const pid_t child = start({"serve", path("r"), "--serve-tls", path("cert.pem"), path("key.pem")});
  const int port = port_of(child);
  ASSERT_NE(port, 0) << wait(child).err;
  const std::vector<std::string> written = lines_of("r");
  test::TlsConnection stream(port, mine.certificate);
  EXPECT_EQ(stream.stream().status, 200);
  EXPECT_EQ(follow(stream), std::vector<std::string>(written.begin() + 1, written.end()));
  ::kill(child, SIGINT);
  const Finished served = wait(child);
  EXPECT_EQ(served.code, 0);
  EXPECT_NE(served.err.find("serving at https://127.0.0.1:"), std::string::npos) << served.err;

  const Finished wrong = cli({"serve", path("r"), "--serve-tls", path("cert.pem"), path("other.pem")});
  EXPECT_EQ(wrong.code, 1);
  EXPECT_NE(wrong.err.find("other.pem: the private key is another certificate's"), std::string::npos)
      << wrong.err;
  EXPECT_EQ((served.err + wrong.err).find(other.key.substr(40, 24)), std::string::npos);
  EXPECT_EQ(cli({"serve", path("r"), "--serve-tls", path("cert.pem")}).code, 2);
  const Finished nowhere =
      cli({"run", path("footage.vantage"), "--serve-tls", path("cert.pem"), path("key.pem")});
  EXPECT_EQ(nowhere.code, 2);
  EXPECT_NE(nowhere.err.find("needs --serve"), std::string::npos) << nowhere.err;
}

TEST_F(ServeTest, TheTokenComesFromAFileOfItsOwnerAlone) {
  namespace fs = std::filesystem;
  test::make_footage(folder_.path(), 2, 5);
  ASSERT_EQ(cli({"run", path("footage.vantage"), "--out", path("r")}).code, 0);
  ::unsetenv("VANTAGE_SERVE_TOKEN");
  std::ofstream(path("token")) << "0123456789abcdef\n";
  fs::permissions(path("token"), fs::perms::owner_read | fs::perms::others_read);
  const Finished open =
      cli({"serve", path("r"), "--serve", "0.0.0.0:0", "--serve-token-file", path("token")});
  EXPECT_EQ(open.code, 2);
  EXPECT_NE(open.err.find("everyone has access"), std::string::npos) << open.err;
  EXPECT_EQ(open.err.find("0123456789abcdef"), std::string::npos) << open.err;
  fs::permissions(path("token"), fs::perms::owner_read);
  const pid_t child = start({"serve", path("r"), "--serve-token-file", path("token")});
  const int port = port_of(child);
  ASSERT_NE(port, 0) << wait(child).err;
  EXPECT_EQ(test::http_get(port, "/v1/status").status, 401);
  EXPECT_EQ(test::http_get(port, "/v1/status", "Authorization: Bearer 0123456789abcdef\r\n").status, 200);
  ::kill(child, SIGINT);
  EXPECT_EQ(wait(child).err.find("0123456789abcdef"), std::string::npos);
  EXPECT_EQ(cli({"serve", path("r"), "--serve-token-file", path("none")}).code, 2);
}

TEST_F(ServeTest, WrongUsageAndPortsInUse) {
  test::make_footage(folder_.path(), 2, 5);
  const std::string project = path("footage.vantage");
  ::unsetenv("VANTAGE_SERVE_TOKEN");
  const Finished open = cli({"run", project, "--out", path("r"), "--serve", "0.0.0.0:0"});
  EXPECT_EQ(open.code, 2);
  EXPECT_NE(open.err.find("VANTAGE_SERVE_TOKEN"), std::string::npos) << open.err;
  EXPECT_EQ(cli({"run", project, "--serve", "nowhere:80"}).code, 2);
  EXPECT_EQ(cli({"run", project, "--serve", "0", "--serve-clients", "0"}).code, 2);
  EXPECT_EQ(cli({"run", project, "--serve", "0", "--serve-clients-per-address", "0"}).code, 2);
  EXPECT_EQ(cli({"serve"}).code, 2);
  EXPECT_EQ(cli({"serve", path("none")}).code, 1);
  const test::LoopbackSocket taken(SOCK_STREAM);
  const std::string port = std::to_string(taken.port());
  const Finished in_use = cli({"run", project, "--out", path("r"), "--serve", port});
  EXPECT_EQ(in_use.code, 1);
  EXPECT_NE(in_use.err.find("127.0.0.1:" + port + ": the port is in use"), std::string::npos) << in_use.err;
  EXPECT_FALSE(std::filesystem::exists(path("r"))) << "nothing was analysed";
}

}  // namespace
}  // namespace vantage
