// Events of test cameras on the loopback interface, recorded by `run`.
#include <gtest/gtest.h>

#include <csignal>
#include <thread>

#include "core/base/json.h"
#include "core/live/test_cameras/stream_server.h"
#include "core/project/project_store.h"
#include "core/video/frame_source.h"
#include "tests/support/cli_fixture.h"
#include "tests/unit/pipeline/footage.h"

namespace vantage {
namespace {

using nlohmann::json;

class EventRecordingTest : public test::CliTest {
 protected:
  // Two cameras, and a rule that raises one event once a person has been there for three seconds.
  void serve() {
    Project project = test::make_footage(folder_.path(), 2, 50);
    StreamServerOptions served;
    for (const ProjectCamera& camera : project.cameras) served.cameras.push_back({camera.name, camera.video});
    auto server = StreamServer::start(std::move(served));
    ASSERT_TRUE(server) << server.error().message();
    server_ = std::move(*server);
    for (size_t i = 0; i < project.cameras.size(); ++i) project.cameras[i].video = server_->address(i);
    project.zones = {{"all", {{-9, -9}, {9, -9}, {9, 9}, {-9, 9}}}};
    project.rules = {{.name = "somebody", .kind = RuleKind::more_than, .where = "all", .delay_s = 3}};
    ASSERT_TRUE(save_project(project, folder_.path() / "hall.vantage"));
  }
  // Projects of recordings that have segments.
  std::vector<std::filesystem::path> recordings() const {
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
      if (entry.path().extension() == ".vantage" && entry.path().filename().string().starts_with("hall-"))
        found.push_back(entry.path());
    return found;
  }

  std::unique_ptr<StreamServer> server_;
};

TEST_F(EventRecordingTest, BeginsSecondsBeforeTheEvent) {
  ASSERT_NO_FATAL_FAILURE(serve());
  const pid_t child = start({"run", path("hall.vantage"), "--out", path("r"), "--bound", "1000", "--json",
                             "--set", "recording.events=true", "--set", "recording.before_s=2"});
  constexpr int kLooks = 6000;
  for (int i = 0; i < kLooks && recordings().empty(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  ::kill(child, SIGINT);
  const test::Finished done = wait(child);
  ASSERT_EQ(done.code, 0) << done.err;
  ASSERT_EQ(recordings().size(), 1u) << "the event goes on, and is recorded once";
  const json summary = parse_json_or_throw(done.out);
  ASSERT_EQ(summary["event_recordings"].size(), 1u);
  EXPECT_EQ(summary["event_recordings"][0]["project"], recordings()[0].string());
  EXPECT_FALSE(summary.contains("recording"));
  const std::string events = read_file(folder_.path() / "r" / "events.jsonl").value_or("");
  const json event = parse_json_or_throw(events.substr(0, events.find('\n')));
  const auto raised = event["raised_frame"].get<int64_t>();

  const auto project = load_project(recordings()[0]);
  ASSERT_TRUE(project) << project.error().message();
  FrameSourceOptions options;
  for (const ProjectCamera& camera : project->cameras) options.cameras.push_back({camera.name, camera.video});
  auto source = FrameSource::open(std::move(options));
  ASSERT_TRUE(source) << source.error().message();
  const int64_t before = std::max<int64_t>(0, raised - 45);  // of 50
  int pictures = 0;
  for (int64_t frame = before; frame <= raised; ++frame) {
    const auto set = (*source)->read(frame);
    ASSERT_TRUE(set) << set.error().message();
    pictures += static_cast<bool>(set->cameras[0].picture);
  }
  EXPECT_GT(pictures, (raised - before) / 2) << "a busy machine may lose some";
}

}  // namespace
}  // namespace vantage
