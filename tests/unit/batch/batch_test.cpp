// Plans, gaps, joined tracks and granted resources: what needs no footage.
#include <gtest/gtest.h>

#include <map>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/batch/merge.h"
#include "core/batch/plan.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

using nlohmann::json;
using test::TemporaryFolder;

PlannedScene scene_of(const std::string& name, int64_t frames) {
  PlannedScene scene;
  scene.name = name, scene.project = "/night/" + name + ".vantage";
  scene.set = {"carving.threshold=0.6"};
  scene.project_hash = 11, scene.parameters_hash = 22;
  scene.inputs = {{"cam1", "/night/1.mkv", 1000, 33}, {"cam2", "/night/2.mkv", 0, 0}};
  scene.frame_rate = 25, scene.frames = frames;
  scene.warm_up_frames = 100, scene.overlap_frames = 50;
  scene.start_s = 2, scene.seconds_per_frame = 0.01, scene.host_bytes = 1e9;
  return scene;
}

BatchPlan plan_of(const std::vector<int64_t>& frames, double span_s) {
  BatchPlan plan;
  plan.version = "1.2";
  for (size_t i = 0; i < frames.size(); ++i) {
    plan.scenes.push_back(scene_of("scene" + std::to_string(i), frames[i]));
    add_tasks(i, span_s, &plan);
  }
  return plan;
}

TEST(Plan, TasksCoverEachRecordingOnceWithWarmUpAndOverlap) {
  const BatchPlan plan = plan_of({1000, 260}, 10);  // 250 frames at most
  ASSERT_EQ(plan.tasks.size(), 6u);
  int64_t next = 0;
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(plan.tasks[i].begin, next);
    EXPECT_EQ(plan.tasks[i].end, next + 250);
    EXPECT_EQ(plan.tasks[i].warm_begin, std::max<int64_t>(0, next - 100));
    EXPECT_EQ(plan.tasks[i].overlap_end, std::min<int64_t>(1000, next + 300));
    next = plan.tasks[i].end;
  }
  EXPECT_EQ(plan.tasks[5].begin, 130);
  EXPECT_EQ(plan.tasks[5].end, 260);
  EXPECT_TRUE(plan.first_of_scene(4) && plan.last_of_scene(3) && plan.last_of_scene(5));
  EXPECT_DOUBLE_EQ(plan.tasks[1].predicted_s, 2 + 0.01 * 400);
  EXPECT_DOUBLE_EQ(task_needs(plan).host_bytes, 1e9 + 500e6);
}

TEST(Plan, IsReadAsItWasWritten) {
  const TemporaryFolder folder;
  BatchPlan plan = plan_of({1000, 260}, 10);
  plan.seams = Seams::hand_over, plan.backend = "cuda", plan.threads = 7;
  ASSERT_TRUE(write_plan(plan, folder.path()));
  const Result<BatchPlan> read = read_plan(folder.path() / kPlanFile);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->version, "1.2");
  EXPECT_EQ(read->seams, Seams::hand_over);
  EXPECT_EQ(read->backend, "cuda");
  EXPECT_EQ(read->threads, 7);
  ASSERT_EQ(read->tasks.size(), plan.tasks.size());
  EXPECT_EQ(read->tasks[5].overlap_end, 260);
  EXPECT_EQ(read->scenes[1].inputs, plan.scenes[1].inputs);
  EXPECT_EQ(read->scenes[1].hash("1.2"), plan.scenes[1].hash("1.2"));
}

TEST(Plan, WhatResultsDependOnChangesTheHash) {
  const PlannedScene scene = scene_of("a", 100);
  const uint64_t hash = scene.hash("1.2");
  EXPECT_NE(scene.hash("1.3"), hash);
  const auto changed = [&](const auto& change) {
    PlannedScene other = scene;
    change(other);
    return other.hash("1.2");
  };
  EXPECT_NE(changed([](PlannedScene& s) { s.project_hash = 1; }), hash);
  EXPECT_NE(changed([](PlannedScene& s) { s.parameters_hash = 1; }), hash);
  EXPECT_NE(changed([](PlannedScene& s) { s.set.clear(); }), hash);
  EXPECT_NE(changed([](PlannedScene& s) { s.inputs[0].video = "/other.mkv"; }), hash);
  EXPECT_NE(changed([](PlannedScene& s) { s.warm_up_frames = 1; }), hash);
  EXPECT_EQ(changed([](PlannedScene& s) { s.seconds_per_frame = 9; }), hash);
}

TEST(Plan, DamagedFilesAreRefusedByWhatIsWrong) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_plan(plan_of({1000}, 10), folder.path()));
  const std::filesystem::path file = folder.path() / kPlanFile;
  const std::string text = read_file(file).value();
  const auto error_of = [&](const std::string& content) {
    EXPECT_TRUE(write_file_atomically(file, content));
    const Result<BatchPlan> read = read_plan(file);
    return read ? std::string("read") : read.error().message();
  };
  for (size_t length = 0; length + 2 < text.size(); length += 97)
    EXPECT_NE(error_of(text.substr(0, length)), "read") << length;
  json changed = parse_json_or_throw(text);
  changed["schema"] = "vantage-plan-2";
  EXPECT_NE(error_of(json_text(changed)).find("newer format"), std::string::npos);
  changed = parse_json_or_throw(text);
  changed["tasks"][1]["begin"] = 251;
  EXPECT_NE(error_of(json_text(changed)).find("task 1 does not follow"), std::string::npos);
  changed = parse_json_or_throw(text);
  changed["tasks"].erase(3);
  EXPECT_NE(error_of(json_text(changed)).find("does not end with its recording"), std::string::npos);
  changed = parse_json_or_throw(text);
  changed["scenes"][0].erase("frames");
  EXPECT_NE(error_of(json_text(changed)).find("frames"), std::string::npos);
  EXPECT_EQ(read_plan(folder.path() / "none.json").error().kind, ErrorKind::not_found);
}

// ---- gaps

FrameSet frame_set(int64_t frame, const std::vector<std::string>& problems) {
  FrameSet set;
  set.frame = frame;
  for (const std::string& problem : problems) {
    CameraFrame& camera = set.cameras.emplace_back();
    camera.problem = problem;
    if (problem.empty() || problem.starts_with("damaged"))
      camera.picture = Picture::make({PictureLayout::i420, 2, 2}, HostPool::shared()).value();
  }
  return set;
}

TEST(Gaps, FollowEachOtherAsOneAndNameCameraAndFrames) {
  GapWatch watch({"cam1", "cam2"}, 1000, 25);
  for (int64_t frame = 200; frame < 230; ++frame)
    watch.add(frame_set(frame, {"", frame < 205                   ? "cam2 has ended"
                                    : frame == 210 || frame > 226 ? "damaged at byte " + std::to_string(frame)
                                                                  : ""}));
  const std::vector<Gap> gaps = watch.take();
  ASSERT_EQ(gaps.size(), 3u);
  EXPECT_EQ(gaps[0], (Gap{"cam2", 200, 204, "cam2 has ended"}));
  EXPECT_EQ(gaps[1], (Gap{"cam2", 210, 210, "damaged at byte 210"}));
  EXPECT_EQ(gap_text(gaps[2]), "cam2, frames 227 to 229: damaged at byte 227");
}

TEST(Gaps, CamerasThatStartLateOrEndEarlyByAMomentHaveNone) {
  const auto gaps_of = [](int64_t begin, int64_t end, const std::string& problem) {
    GapWatch watch({"cam1"}, 1000, 25);
    for (int64_t frame = begin; frame < end; ++frame) watch.add(frame_set(frame, {problem}));
    return watch.take().size();
  };
  EXPECT_EQ(gaps_of(0, 125, "cam1 had not started yet"), 0u);
  EXPECT_EQ(gaps_of(0, 126, "cam1 had not started yet"), 1u);
  EXPECT_EQ(gaps_of(875, 1000, "cam1 has ended"), 0u);
  EXPECT_EQ(gaps_of(874, 1000, "cam1 has ended"), 1u);
  EXPECT_EQ(gaps_of(0, 10, "the video is missing"), 1u);
}

// ---- joined tracks

TrackRow row(int64_t frame, int64_t id, double x_m, double height_m = 1.7) {
  TrackRow row;
  row.frame = frame, row.id = id, row.x_m = x_m, row.height_m = height_m;
  return row;
}
using Pairs = std::vector<std::pair<int64_t, int64_t>>;

TEST(JoinTracks, TheWholeTrackDecidesNotItsNearestFrame) {
  std::vector<TrackRow> before, after;
  for (int64_t frame = 0; frame < 20; ++frame) {
    const double x = 0.05 * static_cast<double>(frame);
    before.push_back(row(frame, 4, x)), before.push_back(row(frame, 7, 1 - x));
    after.push_back(row(frame, 1, 1 - x + 0.01)), after.push_back(row(frame, 2, x - 0.01));
  }
  EXPECT_EQ(join_tracks(before, after, 0, 20), (Pairs{{4, 2}, {7, 1}}));
}

TEST(JoinTracks, WhoIsWhomAtTheSeamCountsMost) {
  std::vector<TrackRow> before, after;
  for (int64_t frame = 100; frame < 132; ++frame) {
    const bool swapped = frame >= 108;  // by the earlier task alone, a quarter into the overlap
    before.push_back(row(frame, 4, swapped ? 1 : 0)), before.push_back(row(frame, 7, swapped ? 0 : 1));
    after.push_back(row(frame, 1, 1)), after.push_back(row(frame, 2, 0));
  }
  EXPECT_EQ(join_tracks(before, after, 100, 132), (Pairs{{4, 2}, {7, 1}}));
}

TEST(JoinTracks, WhoIsFarAwayOrOnlyOnOneSideStaysAlone) {
  const std::vector<TrackRow> before = {row(3, 1, 0), row(3, 2, 5)};
  EXPECT_EQ(join_tracks(before, std::vector<TrackRow>{row(3, 9, 0.2)}, 3, 5), (Pairs{{1, 9}}));
  EXPECT_EQ(join_tracks(before, std::vector<TrackRow>{row(3, 9, 1)}, 3, 5), Pairs());
  EXPECT_EQ(join_tracks(before, std::vector<TrackRow>{row(4, 9, 0)}, 3, 5), Pairs());
  EXPECT_EQ(join_tracks(before, std::vector<TrackRow>{row(3, 9, 0, 1.2)}, 3, 5), Pairs()) << "a child";
  EXPECT_EQ(join_tracks({}, before, 3, 5), Pairs());
}

// ---- granted

Granted granted(const std::map<std::string, std::string>& variables) {
  return granted_by([&](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

TEST(Granted, IsWhatSlurmSays) {
  EXPECT_FALSE(granted({{"SLURM_CPUS_PER_TASK", "4"}}).by_slurm) << "not in a job";
  Granted of = granted({{"SLURM_JOB_ID", "1"},
                        {"SLURM_CPUS_PER_TASK", "4"},
                        {"SLURM_CPUS_ON_NODE", "8"},
                        {"SLURM_MEM_PER_CPU", "1024"},
                        {"CUDA_VISIBLE_DEVICES", "2"}});
  EXPECT_EQ(of.threads, 4);
  EXPECT_EQ(of.host_bytes, 4.0 * 1024 * 1024 * 1024);
  EXPECT_TRUE(of.gpu);
  of = granted({{"SLURM_JOB_ID", "1"}, {"SLURM_CPUS_ON_NODE", "8"}, {"SLURM_MEM_PER_NODE", "2048"}});
  EXPECT_EQ(of.threads, 8);
  EXPECT_EQ(of.host_bytes, 2.0 * 1024 * 1024 * 1024);
  EXPECT_FALSE(of.gpu);
  of = granted({{"SLURM_JOB_ID", "1"}, {"SLURM_CPUS_PER_TASK", "x"}, {"CUDA_VISIBLE_DEVICES", "NoDevFiles"}});
  EXPECT_FALSE(of.threads || of.host_bytes || of.gpu);
}

}  // namespace
}  // namespace vantage
