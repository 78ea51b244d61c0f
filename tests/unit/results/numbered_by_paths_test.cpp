// Results whose people get their IDs from paths.
#include <gtest/gtest.h>

#include <map>

#include "core/metrics/tracking_metrics.h"
#include "core/results/results_paths.h"
#include "core/results/results_reader.h"
#include "tests/support/json_schema.h"
#include "tests/unit/results/some_results.h"

namespace vantage {
namespace {

TEST(Results, PathsNumberPeopleWhenARunEnds) {
  const test::TemporaryFolder folder;
  Project project = some_project();
  ASSERT_TRUE(project.parameters.set_from_text("tracking.method=paths"));
  auto writer = ResultsWriter::open(folder.path(), project, some_run());
  ASSERT_TRUE(writer);
  for (const int64_t frame : {0, 1, 2, 3, 4, 7, 8, 9, 10, 11, 12, 13, 14})
    ASSERT_TRUE((*writer)->write(*some_result(frame)));
  ASSERT_TRUE((*writer)->finish(nullptr));
  const std::vector<json> lines = lines_of(folder.path() / "results.jsonl");
  ASSERT_EQ(lines.size(), 14u);
  EXPECT_EQ(test::schema_problem(lines[0], schema_of("header")), "");
  EXPECT_EQ(lines[0]["tracker"]["method"], "paths on the graph");
  for (size_t i = 1; i < lines.size(); ++i) {
    EXPECT_EQ(test::schema_problem(lines[i], schema_of("frame")), "");
    EXPECT_EQ(lines[i]["people"]["people"][0]["id"], 1) << "7 as the stage had it";
    EXPECT_EQ(lines[i]["people"]["people"][1]["id"], 2) << "the stage had no number yet";
  }
  // The paths of `vantage-cli track`, with frames 5 and 6 bridged.
  const auto paths = follow_stored(read_results(folder.path()).value(), {});
  ASSERT_TRUE(paths);
  EXPECT_EQ(read_file(folder.path() / "tracks.csv").value(), path_rows(*paths));
  EXPECT_EQ(read_mot_csv(path_rows(*paths), "paths").value().size(), 30u);
}

// The tracker that gives the IDs unless the project states it: paths in recordings, by motion if people are
// fused from detections.
TEST(Results, PathsNumberThePeopleOfRecordingsUnlessToldOtherwise) {
  const auto header = [](const Project& project, bool live) {
    RunDescription run = some_run();
    run.live = live;
    return parse_json_or_throw(header_line(project, run));
  };
  Project project = some_project();
  project.parameters.reset("tracking", "method");
  EXPECT_EQ(header(project, false)["people_source"], "volume");
  EXPECT_EQ(header(project, false)["tracker"]["method"], "paths on the graph");
  EXPECT_EQ(header(project, true)["tracker"]["method"], "greedy") << "live numbers do not wait";
  project.cameras[0].detections.file = "boxes.txt";
  const json fused = header(project, false);
  EXPECT_EQ(test::schema_problem(fused, schema_of("header")), "");
  EXPECT_EQ(fused["people_source"], "fused");
  EXPECT_EQ(fused["tracker"]["method"], "paths by motion");
  EXPECT_TRUE(parse_header_line(json_text(fused), "results.jsonl")->fused_people);
  EXPECT_EQ(header(project, true)["tracker"]["method"], "greedy");
  ASSERT_TRUE(project.parameters.set_from_text("tracking.method=greedy"));
  EXPECT_EQ(header(project, false)["tracker"]["method"], "greedy");
  ASSERT_TRUE(project.parameters.set_from_text("tracking.method=paths"));
  ASSERT_TRUE(project.parameters.set_from_text("people.source=volume"));
  EXPECT_EQ(header(project, false)["tracker"]["method"], "paths on the graph");
}

// A recording too long to be numbered at once: windows from file to file give the results of windows in
// memory, and the header states them.
TEST(Results, LongRecordingsAreNumberedInWindows) {
  Project project = some_project();
  ASSERT_TRUE(project.parameters.set_from_text("tracking.method=paths"));
  const PathNumbering at_once = *path_numbering(project, false);
  EXPECT_EQ(at_once.parameters.window_s, 0);
  EXPECT_EQ(for_length(at_once, kPathFramesAtOnce), at_once);
  EXPECT_EQ(for_length(at_once, kPathFramesAtOnce + 1).parameters.window_s, kLongWindow_s);
  EXPECT_EQ(for_length(at_once, kPathFramesAtOnce + 1, 0).parameters.window_s, 0) << "asked for";
  ASSERT_TRUE(project.parameters.set_from_text("paths.window_s=1"));
  ASSERT_TRUE(project.parameters.set_from_text("paths.overlap_s=0.4"));
  const test::TemporaryFolder folder;
  for (const OlderFrames older :
       {OlderFrames::replace, OlderFrames::keep}) {  // written in windows; or numbered later
    const std::filesystem::path out = folder.path() / (older == OlderFrames::keep ? "later" : "at once");
    auto writer = ResultsWriter::open(out, project, some_run(), older);
    ASSERT_TRUE(writer);
    for (int64_t frame = 0; frame < 200; ++frame)
      if (frame % 40 < 37) {
        ASSERT_TRUE((*writer)->write(*some_result(frame)));
      }
    ASSERT_TRUE((*writer)->finish(nullptr));
  }
  for (const char* file : {"results.jsonl", "tracks.csv"})
    EXPECT_EQ(read_file(folder.path() / "later" / file).value(),
              read_file(folder.path() / "at once" / file).value())
        << file;
  EXPECT_EQ(lines_of(folder.path() / "later/results.jsonl")[0]["tracker"]["latency_s"], 1);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "later/results.jsonl.part.part"));
}

// A person whom the search rejects for some frames between two with it: the lines have the person where their
// path passes. Numbering these results again changes nothing, and trackers get what was found.
TEST(Results, APathKeepsWhomTheSearchRejectedForAWhile) {
  const test::TemporaryFolder folder;
  Project project = some_project();
  ASSERT_TRUE(project.parameters.set_from_text("tracking.method=paths"));
  auto writer = ResultsWriter::open(folder.path(), project, some_run());
  ASSERT_TRUE(writer);
  const auto rejected = [](int64_t frame) { return frame >= 8 && frame < 12; };
  for (int64_t frame = 0; frame < 20; ++frame) {
    auto result = std::make_shared<FrameResult>(*some_result(frame));
    auto people = std::make_shared<PeopleArtifact>(*result->artifacts.people);
    if (rejected(frame)) {
      people->found.rejected.push_back({people->found.people[0], RejectReason::ghost});
      people->found.people.erase(people->found.people.begin());
      people->fused.erase(people->fused.begin());
      auto tracks = std::make_shared<TracksArtifact>(*result->artifacts.tracking);
      tracks->tracked.erase(tracks->tracked.begin());
      auto motion = std::make_shared<MotionArtifact>(*result->artifacts.motion);
      motion->people.erase(motion->people.begin());
      result->artifacts.tracking = tracks, result->artifacts.motion = motion;
    }
    result->artifacts.people = people;
    ASSERT_TRUE((*writer)->write(*result));
  }
  ASSERT_TRUE((*writer)->finish(nullptr));
  const std::vector<json> lines = lines_of(folder.path() / "results.jsonl");
  const StoredResults stored = read_results(folder.path()).value();
  ASSERT_EQ(lines.size(), 21u);
  for (int64_t frame = 0; frame < 20; ++frame) {
    const json& line = lines[frame + 1];
    const json& people = line["people"]["people"];
    EXPECT_EQ(test::schema_problem(line, schema_of("frame")), "");
    EXPECT_EQ(line["people"]["count"], 2) << frame;
    ASSERT_EQ(people.size(), 2u) << frame;
    EXPECT_EQ(people[rejected(frame) ? 1 : 0]["id"], 1) << frame;
    EXPECT_EQ(people[rejected(frame) ? 1 : 0].contains("kept_by_path"), rejected(frame)) << frame;
    EXPECT_EQ(line["people"]["rejected"].size(), 1u) << "the one whom nobody ever finds, in frame " << frame;
    const StoredFrame& read = stored.frames[frame];
    EXPECT_EQ(read.kept, rejected(frame) ? 1u : 0u);
    EXPECT_EQ(read.people_count, 2);
    const StoredFrame searched = as_searched(read);
    EXPECT_EQ(searched.people.size(), rejected(frame) ? 1u : 2u);
    EXPECT_EQ(searched.rejected.size(), rejected(frame) ? 2u : 1u);
  }
  EXPECT_EQ(lines[9]["people"]["people"][1]["kept_by_path"], "ghost");
  const std::string before = read_file(folder.path() / "results.jsonl").value(),
                    rows = read_file(folder.path() / "tracks.csv").value();
  EXPECT_EQ(path_rows(follow_stored(stored, {}).value()), rows);
  ASSERT_TRUE(number_by_paths(folder.path() / "results.jsonl", folder.path() / "tracks.csv",
                              *path_numbering(project, false), nullptr));
  EXPECT_EQ(read_file(folder.path() / "results.jsonl").value(), before);
  EXPECT_EQ(read_file(folder.path() / "tracks.csv").value(), rows);
}

// In windows a line is written once, when its IDs are final: during a run the file equals the result of
// `track`, as far as it goes.
TEST(Results, InWindowsLinesWaitForTheirNumbers) {
  const test::TemporaryFolder folder;
  Project project = some_project();
  ASSERT_TRUE(project.parameters.set_from_text("tracking.method=paths"));
  for (const bool live : {false, true}) {
    PathParameters windows;
    windows.window_s = live ? kLiveWindow_s : 1, windows.overlap_s = live ? 2 : 0.4;
    if (!live) {
      ASSERT_TRUE(project.parameters.set_from_text("paths.window_s=1"));
    }
    if (!live) {
      ASSERT_TRUE(project.parameters.set_from_text("paths.overlap_s=0.4"));
    }
    if (live) project.parameters.reset("paths", "window_s"), project.parameters.reset("paths", "overlap_s");
    RunDescription run = some_run();
    run.live = live;
    auto writer = ResultsWriter::open(folder.path(), project, run);
    ASSERT_TRUE(writer);
    const auto written = [&] { return lines_of(folder.path() / "results.jsonl.part"); };
    const auto latency = static_cast<int64_t>(25 * windows.window_s);
    for (int64_t frame = 0; frame < 130; ++frame)
      if (frame != 70 && frame != 71) {
        ASSERT_TRUE((*writer)->write(*some_result(frame)));
      }
    while (written().size() < 2) std::this_thread::yield();
    for (const json& line : written())
      if (line.contains("frame")) {
        EXPECT_LE(line["frame"], 130 - latency / 2);
        EXPECT_EQ(line["people"]["people"][0]["id"], 1);
      }
    ASSERT_TRUE((*writer)->finish(nullptr));
    const std::vector<json> lines = lines_of(folder.path() / "results.jsonl");
    ASSERT_EQ(lines.size(), 129u);
    EXPECT_EQ(test::schema_problem(lines[0], schema_of("header")), "");
    EXPECT_EQ(lines[0]["tracker"]["latency_s"], windows.window_s);
    for (size_t i = 1; i < lines.size(); ++i) {
      EXPECT_EQ(test::schema_problem(lines[i], schema_of("frame")), "");
      EXPECT_EQ(lines[i]["people"]["people"][0]["id"], 1);
      EXPECT_EQ(lines[i]["people"]["people"][0]["provisional_id"], 7) << "as the stage had it";
      EXPECT_TRUE(lines[i]["people"]["people"][1]["provisional_id"].is_null());
    }
    const auto paths = follow_stored(read_results(folder.path()).value(), windows);
    ASSERT_TRUE(paths);
    EXPECT_EQ(read_file(folder.path() / "tracks.csv").value(), path_rows(*paths));
  }
}

// Live results that begin while paths are running, with frames that these have tracked before: lines and rows
// equal those of results written from the start.
TEST(Results, PathsThatAreRunningGoOn) {
  const test::TemporaryFolder folder;
  Project project = some_project();
  for (const char* set :
       {"tracking.method=paths", "paths.window_s=1", "paths.overlap_s=0.4", "paths.entry_cost=1"})
    ASSERT_TRUE(project.parameters.set_from_text(set));
  RunDescription run = some_run();
  run.live = true;
  // No one for so long that everyone afterwards is new.
  std::vector<int64_t> frames;
  for (int64_t frame = 0; frame < 130; ++frame) frames.push_back(frame < 30 ? frame : frame + 1000);
  const int64_t begun = 1080, first = 1040;
  auto all = ResultsWriter::open(folder.path() / "all", project, run);
  ASSERT_TRUE(all);
  PathNumbering numbering = *path_numbering(project, true);
  PathFollower follower = PathFollower::make(run.frame_rate, numbering.parameters).value();
  std::map<int64_t, PersonPath> known;
  int64_t known_end = 0;
  for (const int64_t frame : frames) {
    ASSERT_TRUE((*all)->write(*some_result(frame)));
    if (frame >= begun) continue;
    const FinalPaths settled = follower.add(*seen_frame(*some_result(frame))).value();
    known_end = settled.end;
    for (const PersonPath& part : settled.parts)
      for (const PathPoint& point : part.points)
        if (point.frame >= first) known[part.id].id = part.id, known[part.id].points.push_back(point);
  }
  ASSERT_TRUE((*all)->finish(nullptr));
  EXPECT_GT(known_end, first) << "some of its frames are final";
  EXPECT_LT(known_end, begun) << "and some are not";
  run.running.emplace(RunningPaths{std::move(follower), begun});
  for (auto& [id, path] : known) run.running->known.push_back(path);
  auto later = ResultsWriter::open(folder.path() / "later", project, run);
  ASSERT_TRUE(later);
  for (const int64_t frame : frames)
    if (frame >= first) {
      ASSERT_TRUE((*later)->write(*some_result(frame)));
    }
  ASSERT_TRUE((*later)->finish(nullptr));
  const auto from_first = [&](const char* results) {
    std::vector<json> lines;
    for (const json& line : lines_of(folder.path() / results / "results.jsonl"))
      if (line.contains("frame") && line["frame"] >= first) lines.push_back(line);
    return lines;
  };
  const std::vector<json> lines = from_first("later");
  EXPECT_EQ(lines, from_first("all"));
  ASSERT_EQ(lines.size(), 90u);
  EXPECT_EQ(lines[0]["people"]["people"][0]["id"], 3) << "the third, who has never been the first";
  std::vector<PersonPath> rows = read_paths(folder.path() / "all/tracks.csv").value();
  std::erase_if(rows, [](const PersonPath& path) { return path.points.back().frame < first; });
  for (PersonPath& path : rows) path.points.keep(path.points.first_from(first), path.points.size());
  EXPECT_EQ(read_file(folder.path() / "later/tracks.csv").value(), path_rows(rows));
  EXPECT_EQ(rows.size(), 2u);
}

}  // namespace
}  // namespace vantage
