// Clips are sent whole or not at all, a few at a time, and nobody makes one for a client that has left.
#include "app/server/clips.h"

#include <atomic>
#include <functional>
#include <mutex>
#include <vector>

#include "app/server/folder_source.h"
#include "core/base/file.h"
#include "tests/unit/server/server_fixture.h"

namespace vantage::server {
namespace {

namespace fs = std::filesystem;

using ClipFunction = std::function<Result<CaseCamera>(ClipOptions)>;

// A clip's bytes are what the maker below writes; real ones are made in unit/case and unit/cli.
class ClipServerTest : public ServerTest {
 protected:
  void SetUp() override {
    ServerTest::SetUp();
    fs::rename(folder_.path() / "results.jsonl.part", folder_.path() / "results.jsonl");
    // The header's project is not there: the results lie beside theirs.
    fs::create_directory(folder_.path() / "hall.results");
    fs::rename(folder_.path() / "results.jsonl", results() / "results.jsonl");
    std::ofstream(results() / "results.jsonl", std::ios::app) << line(0) << "\n";
    Project project;
    project.path = folder_.path() / "hall.vantage";
    project.cameras.resize(2);
    project.cameras[0].name = "a b", project.cameras[1].name = "c";
    for (ProjectCamera& camera : project.cameras)
      camera.video = (folder_.path() / (camera.name + ".mp4")).string();
    ASSERT_TRUE(save_project(project, project.path));
  }
  // Before what the makers use goes.
  void TearDown() override { server_.reset(); }
  fs::path results() const { return folder_.path() / "hall.results"; }
  void serve_clips(ClipFunction make, bool pictures = true) {
    ServerOptions options;
    options.clips.clip = std::move(make);
    options.clips.still = [this](StillOptions options) { return still(std::move(options)); };
    start(FolderSource::open(results(), pictures).value(), options);
  }
  // Writes half, then waits until it is let go or stopped.
  ClipFunction slow_maker() {
    return [this](const ClipOptions& options) -> Result<CaseCamera> {
      EXPECT_TRUE(write_file_atomically(options.folder / "half.mp4", "half"));
      ++begun_;
      while (!let_go_ && !options.stop.stop_requested()) std::this_thread::yield();
      if (options.stop.stop_requested()) {
        ++stopped_;
        return fail(ErrorKind::cancelled, "stopped");
      }
      return clip_in(options, "whole");
    };
  }
  static Result<CaseCamera> clip_in(const ClipOptions& options, const std::string& bytes) {
    VANTAGE_TRY(write_file_atomically(options.folder / "clip.mp4", bytes));
    CaseCamera clip;
    clip.video = "clip.mp4";
    return clip;
  }
  Result<Still> still(StillOptions options) {
    const std::lock_guard lock(mutex_);
    stills_.push_back(std::move(options));
    if (stills_.back().frame == 7) return fail(ErrorKind::not_found, "no picture", "/secret/place", "");
    return Still{"jpeg", stills_.back().marks.blur ? std::optional(BlurDoubt::no_mask) : std::nullopt};
  }
  static constexpr const char* kClip = "/v1/cameras/a%20b/clip.mp4?from=3&to=9";

  std::atomic<int> begun_ = 0, stopped_ = 0;
  std::atomic<bool> let_go_ = false;
  std::mutex mutex_;
  std::vector<StillOptions> stills_;  // guarded by mutex_
};

TEST_F(ClipServerTest, AClipIsOfTheCameraAndTheSpan) {
  std::vector<ClipOptions> made;
  serve_clips([&](const ClipOptions& options) {
    made.push_back(options);
    return clip_in(options, std::string(100'000, 'x') + "end");
  });
  const test::HttpAnswer answer = get(kClip);
  EXPECT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(answer.headers.at("content-type"), "video/mp4");
  EXPECT_EQ(answer.body, std::string(100'000, 'x') + "end");
  EXPECT_EQ(get("/v1/cameras/c/clip.mp4?from=0&to=5&blur=true&people=true").status, 200);
  ASSERT_EQ(made.size(), 2U);
  EXPECT_TRUE(made[0].camera == 0 && made[0].span.begin == 3 && made[0].span.end == 9);
  EXPECT_TRUE(!made[0].blur.on && !made[0].overlays.people);
  EXPECT_TRUE(made[1].camera == 1 && made[1].blur.on && made[1].overlays.people);
  for (const ClipOptions& one : made) EXPECT_FALSE(fs::exists(one.folder)) << "nothing is left";
}

TEST_F(ClipServerTest, WhatCannotBeMadeIsSaid) {
  serve_clips([](const ClipOptions&) -> Result<CaseCamera> {
    return fail(ErrorKind::invalid_argument, "a clip has at most 120 s", "/secret/place", "Choose less.");
  });
  const test::HttpAnswer refused = get(kClip);
  expect_error(refused, 400, "/v1/cameras/a b/clip.mp4");
  EXPECT_NE(refused.body.find("at most 120 s"), std::string::npos);
  EXPECT_EQ(refused.body.find("/secret"), std::string::npos);
  for (const char* query : {"", "?from=3", "?from=3&to=3", "?from=x&to=9", "?from=-1&to=9",
                            "?from=3&to=99999999999999999999", "?from=3&to=9&blur=maybe"})
    EXPECT_EQ(get(std::string("/v1/cameras/c/clip.mp4") + query).status, 400) << query;
  EXPECT_EQ(get("/v1/cameras/nobody/clip.mp4?from=3&to=9").status, 404);
  EXPECT_EQ(get("/v1/cameras/c/other.mp4?from=3&to=9").status, 404);
}

TEST_F(ClipServerTest, PicturesAreMadeOfTheRecording) {
  serve_clips(slow_maker());
  const test::HttpAnswer plain = get("/v1/frames/4/cameras/a%20b/picture.jpg");
  EXPECT_EQ(plain.status, 200) << plain.body;
  EXPECT_EQ(plain.body, "jpeg");
  EXPECT_EQ(plain.headers.at("content-type"), "image/jpeg");
  EXPECT_EQ(plain.headers.at("vantage-frame"), "4");
  EXPECT_FALSE(plain.headers.contains("vantage-wholly-blurred"));
  const test::HttpAnswer blurred = get("/v1/frames/latest/cameras/c/picture.jpg?blur=true&people=true");
  EXPECT_EQ(blurred.headers.at("vantage-frame"), "0") << "the last of the results";
  EXPECT_EQ(blurred.headers.at("vantage-wholly-blurred"), "no_mask");
  ASSERT_EQ(stills_.size(), 2U);
  EXPECT_TRUE(stills_[0].camera == 0 && stills_[0].frame == 4 && !stills_[0].marks.any());
  EXPECT_TRUE(stills_[1].camera == 1 && stills_[1].marks.blur && stills_[1].marks.people);
  EXPECT_EQ(get("/v1/frames/4/cameras/c/picture.jpg?people=1").status, 400);
  EXPECT_EQ(get("/v1/frames/-4/cameras/c/picture.jpg").status, 400);
  EXPECT_EQ(get("/v1/frames/4/cameras/nobody/picture.jpg").status, 404);
  const test::HttpAnswer none = get("/v1/frames/7/cameras/c/picture.jpg");
  expect_error(none, 404, "/v1/frames/7/cameras/c/picture.jpg");
  EXPECT_EQ(none.body.find("/secret"), std::string::npos);
  test::HttpConnection first(port_), second(port_);
  first.ask("GET", kClip);
  second.ask("GET", kClip);
  while (begun_ < 2) std::this_thread::yield();
  EXPECT_EQ(get("/v1/frames/4/cameras/c/picture.jpg").status, 503) << "beside two clips";
  let_go_ = true;
  EXPECT_EQ(first.answer().body, "whole");
  EXPECT_EQ(second.answer().body, "whole");
}

TEST_F(ClipServerTest, WithoutServedPicturesThereAreNoClips) {
  serve_clips([](const ClipOptions& options) { return clip_in(options, "never"); }, false);
  const test::HttpAnswer refused = get(kClip);
  expect_error(refused, 404, "/v1/cameras/a b/clip.mp4");
  EXPECT_NE(refused.body.find("--serve-pictures"), std::string::npos);
  EXPECT_NE(get("/v1/frames/0/cameras/c/picture.jpg?blur=true").body.find("--serve-pictures"),
            std::string::npos);
  EXPECT_FALSE(parse_json_or_throw(get("/v1/status").body)["clips"].get<bool>());
}

TEST_F(ClipServerTest, LiveCamerasWithoutAPastHaveNone) {
  RunSourceOptions run;
  run.header = R"({"cameras":[{"name":"c"}]})";
  run.pictures = true;
  run.health = [] { return LiveHealth(); };
  start(RunSource::open(run).value());
  const test::HttpAnswer refused = get("/v1/cameras/c/clip.mp4?from=3&to=9");
  expect_error(refused, 404, "/v1/cameras/c/clip.mp4");
  EXPECT_NE(refused.body.find("are not kept"), std::string::npos);
}

TEST_F(ClipServerTest, SoManyAreMadeAtATime) {
  serve_clips(slow_maker());
  test::HttpConnection first(port_), second(port_);
  first.ask("GET", kClip);
  second.ask("GET", kClip);
  while (begun_ < 2) std::this_thread::yield();
  const test::HttpAnswer third = get(kClip);
  EXPECT_EQ(third.status, 503);
  EXPECT_EQ(third.headers.at("retry-after"), "5");
  EXPECT_EQ(get("/v1/status").status, 200) << "others are answered";
  let_go_ = true;
  EXPECT_EQ(first.answer().body, "whole");
  EXPECT_EQ(second.answer().body, "whole");
  EXPECT_EQ(get(kClip).body, "whole");
}

TEST_F(ClipServerTest, AClientThatLeavesStopsIt) {
  serve_clips(slow_maker());
  {
    test::HttpConnection client(port_);
    client.ask("GET", kClip);
    while (begun_ < 1) std::this_thread::yield();
  }
  while (stopped_ < 1) std::this_thread::yield();
  let_go_ = true;
  EXPECT_EQ(get(kClip).body, "whole") << "its place is free again";
}

TEST_F(ClipServerTest, AServerThatEndsStopsThem) {
  serve_clips(slow_maker());
  test::HttpConnection client(port_);
  client.ask("GET", kClip);
  while (begun_ < 1) std::this_thread::yield();
  server_->stop();
  EXPECT_EQ(stopped_, 1);
  EXPECT_NE(client.answer().status, 200) << "nothing half";
}

}  // namespace
}  // namespace vantage::server
