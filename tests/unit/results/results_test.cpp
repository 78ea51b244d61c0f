#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <set>
#include <sstream>
#include <thread>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/metrics/tracking_metrics.h"
#include "core/pipeline/stages.h"
#include "core/results/compare_trackers.h"
#include "core/results/detail/stage_json.h"
#include "core/results/merged_results.h"
#include "core/results/results_paths.h"
#include "core/results/results_reader.h"
#include "core/results/results_versions.h"
#include "core/results/results_writer.h"
#include "core/results/shell_files.h"
#include "tests/support/data.h"
#include "tests/support/json_schema.h"
#include "tests/unit/results/some_results.h"

namespace vantage {
namespace {

TEST(Results, LinesFitTheSchema) {
  const test::TemporaryFolder folder;
  auto writer = ResultsWriter::open(folder.path() / "out", some_project(), some_run());
  ASSERT_TRUE(writer);
  for (int64_t frame = 0; frame < 3; ++frame) ASSERT_TRUE((*writer)->write(*some_result(frame)));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "out/results.jsonl")) << "not before it is complete";
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "out/shells/frame_000000.ply"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "out/shells/frame_000001.ply"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "out/masks"));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "out/coverage.png"));
  TraceRecorder trace;
  {
    const SpanGuard span(&trace, "work", "here");
  }
  LiveHealth health;
  health.analysed = 12, health.cameras.resize(1);
  health.cameras[0].name = "hall \"A\"";
  (*writer)->set_live_health(health);
  ASSERT_TRUE((*writer)->finish(&trace));
  const std::vector<json> lines = lines_of(folder.path() / "out/results.jsonl");
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(test::schema_problem(lines[0], schema_of("header")), "");
  EXPECT_EQ(lines[0]["changed_parameters"],
            parse_json_or_throw(R"({"carving": {"threshold": 0.5}, "tracking": {"method": "greedy"}})"));
  EXPECT_EQ(lines[0]["cameras"][0]["checksum"], "0000000000000abc");
  EXPECT_GT(lines[0]["parameters"]["foreground"].size(), 3u);
  for (size_t i = 1; i < lines.size(); ++i) EXPECT_EQ(test::schema_problem(lines[i], schema_of("frame")), "");
  EXPECT_EQ(lines[2]["frame"], 1);
  EXPECT_EQ(lines[2]["time_s"], 0.04);
  EXPECT_EQ(lines[2]["cameras"][0]["foreground_share"], 0.25);
  EXPECT_EQ(lines[2]["cameras"][1]["problem"], "no frame here");
  EXPECT_DOUBLE_EQ(lines[2]["volume"]["litres"].get<double>(), 42.0);
  EXPECT_EQ(lines[0]["coverage"]["cells_by_cameras"], parse_json_or_throw("[1, 0, 3]"));
  EXPECT_EQ(lines[2]["people"]["count"], 2);
  EXPECT_EQ(lines[2]["people"]["people"][0]["id"], 7);
  EXPECT_TRUE(lines[2]["people"]["people"][1]["id"].is_null());
  EXPECT_EQ(
      lines[2]["people"]["people"][0]["motion"],
      parse_json_or_throw(R"({"m_per_s": [0.512, -1.0, 0.0], "scatter_m_per_s": 0.125, "cameras": 3})"));
  EXPECT_TRUE(lines[2]["people"]["people"][1]["motion"].is_null());
  EXPECT_LT(lines[2]["people"]["people"][0]["seated"], 0.01);
  EXPECT_EQ(lines[2]["people"]["people"][0]["evidence"], parse_json_or_throw(R"({"deviation_m": 0.2,
      "height_deviation_m": 0.05, "gain_nats": 11.5, "cameras": [
        {"camera": 0, "detection": 2, "head": null, "nats": 6.25, "visible": 1.0, "in_mask": 0.0},
        {"camera": 1, "detection": null, "head": 3, "nats": -0.5, "visible": 0.5, "in_mask": 0.375}]})"));
  EXPECT_EQ(lines[2]["people"]["rejected"][0]["reason"], "ghost");
  EXPECT_TRUE(lines[2]["people"]["stopped_at"].is_null());
  EXPECT_EQ(read_file(folder.path() / "out/tracks.csv").value(),
            "1,7,-1,-1,-1,-1,0.900,0.2500,-1.0000,0.0000,1.7400\n2,7,-1,-1,-1,-1,0.900,0.2500,-1.0000,0.0000,"
            "1.7400\n"
            "3,7,-1,-1,-1,-1,0.900,0.2500,-1.0000,0.0000,1.7400\n");
  EXPECT_EQ(lines[2]["versions"]["carving"], "0000000000000003");
  const json timings = parse_json_or_throw(read_file(folder.path() / "out/timings.json").value());
  EXPECT_EQ(timings["spans"][0]["name"], "work");
  EXPECT_EQ(timings["live"]["analysed"], 12);
  EXPECT_EQ(timings["live"]["cameras"][0]["name"], "hall \"A\"");
  EXPECT_TRUE(json::accept(read_file(folder.path() / "out/trace.json").value()));
}

TEST(Results, AreReadAsTheyWereWritten) {
  const test::TemporaryFolder folder;
  const std::filesystem::path out = folder.path() / "out";
  EXPECT_EQ(read_results(out).error().kind, ErrorKind::not_found);
  auto writer = ResultsWriter::open(out, some_project(), some_run());
  ASSERT_TRUE(writer);
  for (int64_t frame = 3; frame < 6; ++frame) ASSERT_TRUE((*writer)->write(*some_result(frame)));
  ASSERT_TRUE((*writer)->finish(nullptr));
  const std::string text = read_file(out / "results.jsonl").value();
  ASSERT_TRUE(write_file_atomically(out / "results.jsonl", text + "{\"frame\": 6, \"tor\n"));
  const auto read = read_results(out);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->device, "CPU, 2 threads");
  EXPECT_EQ(read->frame_rate, 25);
  EXPECT_EQ(read->damaged_lines, 1);
  ASSERT_EQ(read->frames.size(), 3u);
  const StoredFrame& frame = read->frames[1];
  EXPECT_EQ(frame.frame, 4);
  EXPECT_EQ(frame.people_count, 2);
  ASSERT_EQ(frame.people.size(), 2u);
  EXPECT_EQ(frame.people[0].id, 7);
  EXPECT_EQ(frame.people[0].x_m, 0.25);
  EXPECT_EQ(frame.people[0].y_m, -1);
  EXPECT_EQ(frame.people[0].height_m, 1.75);
  EXPECT_EQ(frame.people[0].confidence, 0.9);
  EXPECT_EQ(frame.people[1].id, 0);
  EXPECT_EQ(frame.versions->at("foreground"), 2u);
  EXPECT_EQ(frame.versions, read->frames[2].versions) << "shared";
  std::string newer = text;
  newer.replace(newer.find("vantage-results-2"), 17, "vantage-results-3");
  ASSERT_TRUE(write_file_atomically(out / "results.jsonl", newer));
  EXPECT_EQ(read_results(out).error().kind, ErrorKind::unsupported);
  ASSERT_TRUE(write_file_atomically(out / "results.jsonl", "something else\n"));
  EXPECT_EQ(read_results(out).error().kind, ErrorKind::bad_data);
}

// ---- what lines leave out

RunDescription run_of_versions(StageVersions versions) {
  RunDescription run = some_run();
  run.versions = std::make_shared<const StageVersions>(std::move(versions));
  return run;
}

FrameResultRef with_versions(int64_t frame, StageVersions versions) {
  auto result = std::make_shared<FrameResult>(*some_result(frame));
  result->versions = std::move(versions);
  return result;
}

// A line as programs of schema vantage-results-1 wrote it.
json older_line(int64_t frame, const char* version) {
  json line = parse_json_or_throw(frame_line(*some_result(frame), {"cam1", "cam2"}).value());
  for (size_t i = 0; i < 2; ++i)
    line["cameras"][i].update(
        {{"name", "cam" + std::to_string(i + 1)}, {"frame", i == 0 ? frame : -1}, {"problem", nullptr}});
  line["cameras"][1]["foreground_share"] = nullptr;
  line["versions"] = {{"carving", version}};
  return line;
}

TEST(ResultsLines, LeaveOutWhatTheHeaderSays) {
  const test::TemporaryFolder folder;
  const StageVersions usual = {{"carving", 3}, {"video", 1}}, other = {{"carving", 4}, {"video", 1}};
  auto writer = ResultsWriter::open(folder.path(), some_project(), run_of_versions(usual));
  ASSERT_TRUE(writer);
  for (const int64_t frame : {0, 1}) ASSERT_TRUE((*writer)->write(*with_versions(frame, usual)));
  ASSERT_TRUE((*writer)->write(*with_versions(2, other)));
  ASSERT_TRUE((*writer)->finish(nullptr));
  const std::vector<json> lines = lines_of(folder.path() / "results.jsonl");
  EXPECT_EQ(test::schema_problem(lines[0], schema_of("header")), "");
  EXPECT_EQ(lines[0]["versions"]["carving"], "0000000000000003");
  EXPECT_FALSE(lines[2].contains("versions"));
  EXPECT_EQ(lines[3]["versions"]["carving"], "0000000000000004");
  EXPECT_EQ(
      lines[2]["cameras"],
      parse_json_or_throw(R"([{"foreground_share": 0.25}, {"frame": -1, "problem": "no frame here"}])"));
  for (size_t i = 1; i < lines.size(); ++i) EXPECT_EQ(test::schema_problem(lines[i], schema_of("frame")), "");
  const StoredResults read = read_results(folder.path()).value();
  ASSERT_EQ(read.frames.size(), 3u);
  EXPECT_EQ(*read.frames[1].versions, usual);
  EXPECT_EQ(read.frames[0].versions, read.frames[1].versions) << "shared";
  EXPECT_EQ(*read.frames[2].versions, other);
  EXPECT_EQ(read.frames[1].cameras, 2);
  EXPECT_EQ(read.frames[1].without_picture, 1);
  EXPECT_FALSE(parse_frame_line(json_text(lines[2]))) << "without its header nobody knows its versions";
}

TEST(ResultsLines, OfOlderProgramsAreReadAndStayUnderANewHeader) {
  const test::TemporaryFolder folder;
  const std::string header =
      R"({"schema":"vantage-results-1","version":"0","device":"CPU","frame_rate":25.0})";
  ASSERT_TRUE(write_file_atomically(folder.path() / "results.jsonl",
                                    header + "\n" + json_text(older_line(4, "0000000000000003")) + "\n"));
  const StoredResults older = read_results(folder.path()).value();
  ASSERT_EQ(older.frames.size(), 1u);
  EXPECT_EQ(older.frames[0].versions->at("carving"), 3u);
  EXPECT_EQ(older.frames[0].without_picture, 1);
  const StageVersions versions = {{"carving", 3}};
  auto writer =
      ResultsWriter::open(folder.path(), some_project(), run_of_versions(versions), OlderFrames::keep);
  ASSERT_TRUE(writer);
  ASSERT_TRUE((*writer)->write(*with_versions(6, versions)));
  ASSERT_TRUE((*writer)->finish(nullptr));
  const std::vector<json> lines = lines_of(folder.path() / "results.jsonl");
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[1]["frame"], 4);
  EXPECT_FALSE(lines[1].contains("versions"));
  EXPECT_EQ(test::schema_problem(lines[1], schema_of("frame")), "");
  const StoredResults both = read_results(folder.path()).value();
  ASSERT_EQ(both.frames.size(), 2u);
  EXPECT_EQ(*both.frames[0].versions, versions);
}

// A camera that comes back into step: the versions of earlier frames, and of the header, are restated.
TEST(ResultsLines, AndHeaderGetTheVersionsOfAChange) {
  const test::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "results.jsonl";
  const StageVersions before = {{"carving", 3}, {"video", 1}}, now = {{"carving", 5}, {"video", 1}};
  auto writer = ResultsWriter::open(folder.path(), some_project(), run_of_versions(before));
  ASSERT_TRUE(writer);
  ASSERT_TRUE((*writer)->write(*with_versions(0, before)));
  ASSERT_TRUE((*writer)->write(*with_versions(1, now)));
  (*writer)->note_version_change({1, before, now});
  ASSERT_TRUE((*writer)->finish(nullptr));
  const std::vector<json> lines = lines_of(file);
  EXPECT_EQ(lines[0]["versions"]["carving"], "0000000000000005");
  EXPECT_FALSE(lines[1].contains("versions") || lines[2].contains("versions"));
  // Each line is changed separately in files whose header has no versions.
  ASSERT_TRUE(write_file_atomically(file, "{}\n" + json_text(older_line(0, "0000000000000003")) + "\n" +
                                              json_text(older_line(1, "0000000000000003")) + "\n"));
  ASSERT_TRUE(restate_versions(file, std::vector<VersionChange>{{1, before, now}}));
  EXPECT_EQ(lines_of(file)[1]["versions"]["carving"], "0000000000000005");
  EXPECT_EQ(lines_of(file)[2]["versions"]["carving"], "0000000000000003");
}

TEST(ResultsLines, OfPartsWithOtherVersionsKeepThemWhereTheyAreMerged) {
  const test::TemporaryFolder folder;
  const StageVersions first = {{"carving", 3}}, other = {{"carving", 4}};
  const auto header = [](const StageVersions& versions) {
    return header_line(some_project(), run_of_versions(versions));
  };
  const Project project = some_project();
  const std::string line = frame_line(*with_versions(0, first), {"cam1", "cam2"},
                                      {.header_versions = std::make_shared<const StageVersions>(first)})
                               .value();
  auto merged = MergedResults::open(folder.path(), project, header(first), 25, std::nullopt);
  ASSERT_TRUE(merged);
  (*merged)->begin_part(header(first));
  ASSERT_TRUE((*merged)->add_line(line));
  (*merged)->begin_part(header(other));
  ASSERT_TRUE((*merged)->add_line(line));
  ASSERT_TRUE((*merged)->finish());
  const StoredResults read = read_results(folder.path()).value();
  ASSERT_EQ(read.frames.size(), 2u);
  EXPECT_EQ(*read.frames[0].versions, first);
  EXPECT_EQ(*read.frames[1].versions, other);
}

TEST(ResultsLines, OfSixteenCamerasAndTenPeopleTakeLessThanTwoKilobytes) {
  auto result = std::make_shared<FrameResult>(*some_result(2'159'999));
  auto frames = std::make_shared<FrameSetArtifact>();
  auto foreground = std::make_shared<ForegroundArtifact>();
  frames->frames.time_ns = 86'399'960'000'000;
  for (int c = 0; c < 16; ++c) {
    frames->frames.cameras.emplace_back().camera_frame = result->frame;
    foreground->cameras.push_back(result->artifacts.foreground->cameras[0]);
    foreground->cameras.back().mask_count = int64_t{91 + c};
  }
  auto people = std::make_shared<PeopleArtifact>();
  auto tracks = std::make_shared<TracksArtifact>();
  for (int p = 0; p < 10; ++p) {
    people->found.people.push_back({-12.3456 + p, 7.6543 - p, 1.7321, 71.2345 + p, 0.7137, 16});
    tracks->tracked.push_back({14'400 + p, -12.3456 + p, 7.6543 - p, 1.73});
  }
  result->artifacts.video = frames, result->artifacts.foreground = foreground;
  result->artifacts.people = people, result->artifacts.tracking = tracks;
  result->artifacts.motion = nullptr;
  const std::string line =
      frame_line(*result, std::vector<std::string>(16, "camera"),
                 {.header_versions = std::make_shared<const StageVersions>(result->versions)})
          .value();
  EXPECT_EQ(test::schema_problem(parse_json_or_throw(line), schema_of("frame")), "");
  EXPECT_LT(line.size(), 2000u) << line;
}

TEST(Results, WhatFollowsAFailedDeviceIsMarkedAndTheFramesBeforeStay) {
  const test::TemporaryFolder folder;
  RunDescription run = some_run();
  run.pictures_of = {1, 2};  // decoded by the CPU, by the device
  const auto write = [&](int64_t frame, uint64_t version) {
    auto writer = ResultsWriter::open(folder.path(), some_project(), run, OlderFrames::keep);
    ASSERT_TRUE(writer);
    auto result = std::make_shared<FrameResult>(*some_result(frame));
    result->versions["people"] = version, result->versions["video"] = run.continued ? 1 : 2;
    ASSERT_TRUE((*writer)->write(*result));
    ASSERT_TRUE((*writer)->finish(nullptr));
  };
  write(1, 7);
  run.continued = true;
  write(2, 8);
  const StoredResults stored = read_results(folder.path()).value();
  ASSERT_EQ(stored.frames.size(), 2u);
  EXPECT_FALSE(stored.frames[0].continued);
  EXPECT_TRUE(stored.frames[1].continued);
}

TEST(Results, RangesAddUpWhateverTheirSettings) {
  const test::TemporaryFolder folder;
  const auto run = [&](std::vector<int64_t> frames, uint64_t version) {
    StageVersions versions = some_result(0)->versions;
    versions["people"] = version, versions["video"] = 1;
    RunDescription described = run_of_versions(versions);
    described.pictures_of = {1, 2};
    auto writer = ResultsWriter::open(folder.path(), some_project(), described, OlderFrames::keep);
    ASSERT_TRUE(writer);
    for (const int64_t frame : frames) {
      auto result = std::make_shared<FrameResult>(*some_result(frame));
      result->versions["people"] = version, result->versions["video"] = 1;
      ASSERT_TRUE((*writer)->write(*result));
    }
    ASSERT_TRUE((*writer)->finish(nullptr));
  };
  const auto frames = [&] {
    std::vector<int64_t> result;
    for (const json& line : lines_of(folder.path() / "results.jsonl"))
      if (line.contains("frame")) result.push_back(line["frame"]);
    return result;
  };
  const auto rows = [&] {
    const std::string text = read_file(folder.path() / "tracks.csv").value();
    return std::count(text.begin(), text.end(), '\n');
  };
  run({5, 6}, 1);
  const std::filesystem::path shell = folder.path() / "shells" / "frame_000005.ply";
  std::filesystem::create_directories(shell.parent_path());
  ASSERT_TRUE(write_file_atomically(shell, "ply"));
  run({1, 2}, 1);
  EXPECT_TRUE(std::filesystem::exists(shell)) << "the pictures of frames that stay do, too";
  EXPECT_EQ(frames(), (std::vector<int64_t>{1, 2, 5, 6}));
  EXPECT_EQ(rows(), 4);
  run({2, 3}, 1);
  EXPECT_EQ(frames(), (std::vector<int64_t>{1, 2, 3, 5, 6})) << "one line a frame";
  EXPECT_EQ(rows(), 5);
  run({}, 1);
  EXPECT_EQ(frames().size(), 5u) << "a run stopped before its first frame takes nothing away";
  run({4, 6}, 2);
  EXPECT_EQ(frames(), (std::vector<int64_t>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(rows(), 6);
  EXPECT_TRUE(std::filesystem::exists(shell));
  const StoredResults stored = read_results(folder.path()).value();
  for (const StoredFrame& frame : stored.frames)
    EXPECT_EQ(frame.versions->at("people"), frame.frame == 4 || frame.frame == 6 ? 2u : 1u) << frame.frame;
  const JudgedTracks judged = read_judged_tracks(folder.path()).value();
  EXPECT_EQ(judged.analysed_frames.size(), 6u);
  EXPECT_EQ(judged.other_settings, 4);
  // For other pictures all older results are invalid.
  RunDescription moved = some_run();
  moved.pictures_of = {9, 10};
  auto writer = ResultsWriter::open(folder.path(), some_project(), moved, OlderFrames::keep);
  ASSERT_TRUE(writer);
  auto result = std::make_shared<FrameResult>(*some_result(4));
  result->versions["people"] = 2;
  result->versions["video"] = 9;
  ASSERT_TRUE((*writer)->write(*result));
  ASSERT_TRUE((*writer)->finish(nullptr));
  EXPECT_EQ(frames(), (std::vector<int64_t>{4}));
  EXPECT_FALSE(std::filesystem::exists(shell));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "results.jsonl.part"));
}

// The boxes of all frames in the results, and no file if heads were not searched for.
TEST(Results, HeadsAreRowsToo) {
  const test::TemporaryFolder folder;
  const auto run = [&](int64_t frame, bool searched) {
    auto writer = ResultsWriter::open(folder.path(), some_project(), some_run(), OlderFrames::keep);
    ASSERT_TRUE(writer);
    auto result = std::make_shared<FrameResult>(*some_result(frame));
    auto heads = std::make_shared<HeadsArtifact>();
    heads->searched = searched;
    heads->cameras = {{{10.5f, 20, 9, 11, 3.25f, 1}}, {{1, 2, 18, 22, 2, 0}, {5, 6, 18, 22, 1, 0}}};
    heads->heads = {{1, 2, 1.6, 3, 0.02}};
    result->artifacts.heads = heads;
    result->versions["heads"] = searched;
    ASSERT_TRUE((*writer)->write(*result));
    ASSERT_TRUE((*writer)->finish(nullptr));
  };
  run(4, true);
  run(7, true);
  const std::string rows = read_file(folder.path() / "heads.csv").value();
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 7);
  EXPECT_TRUE(rows.starts_with("camera,frame,x,y,w,h,score,guided\n" + some_project().cameras[0].name +
                               ",4,10.50,20.00,9.00,11.00,3.2500,1\n"))
      << rows;
  std::istringstream lines(read_file(folder.path() / "results.jsonl").value());
  json line;
  for (std::string text; std::getline(lines, text);) line = parse_json_or_throw(text);
  EXPECT_EQ(test::schema_problem(line, schema_of("frame")), "");
  EXPECT_NEAR(line["heads"]["heads"][0]["height_m"].get<double>(), 1.72, 1e-6) << "to the top of the person";
  run(9, false);  // another version: the older frames are removed
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "heads.csv"));
}

TEST(Results, TheSchemaFindsWhatIsWrong) {
  json line = parse_json_or_throw(frame_line(*some_result(5), {"cam1", "cam2"}).value());
  ASSERT_EQ(test::schema_problem(line, schema_of("frame")), "");
  json broken = line;
  broken["frame"] = "five";
  EXPECT_NE(test::schema_problem(broken, schema_of("frame")), "");
  broken = line;
  broken["versions"]["carving"] = "xyz";
  EXPECT_NE(test::schema_problem(broken, schema_of("frame")), "");
  broken = line;
  broken.erase("volume");
  EXPECT_NE(test::schema_problem(broken, schema_of("frame")), "");
  broken = line;
  broken["cameras"][0]["foreground_share"] = 1.5;
  EXPECT_NE(test::schema_problem(broken, schema_of("frame")), "");
}

TEST(Results, ACountOutsideCoverageIsUnknown) {
  auto result = std::make_shared<FrameResult>(*some_result(0));
  auto people = std::make_shared<PeopleArtifact>();
  people->stopped_at = "cam2 has no picture, the others see too little";
  result->artifacts.people = people;
  result->artifacts.tracking = std::make_shared<TracksArtifact>();
  const json line = parse_json_or_throw(frame_line(*result, {"cam1", "cam2"}).value());
  EXPECT_EQ(test::schema_problem(line, schema_of("frame")), "");
  EXPECT_TRUE(line["people"]["count"].is_null());
  EXPECT_EQ(line["people"]["stopped_at"], people->stopped_at);
  result->artifacts.people.reset();
  const json without = parse_json_or_throw(frame_line(*result, {"cam1", "cam2"}).value());
  EXPECT_TRUE(without["people"].is_null());
  EXPECT_EQ(test::schema_problem(without, schema_of("frame")), "");
}

TEST(Results, ALineStatesTheIdsItIsGivenInPlaceOfTheTrackers) {
  const LineOptions given{.ids = std::vector<int64_t>{0, 12}};
  const json line = parse_json_or_throw(frame_line(*some_result(5), {"cam1", "cam2"}, given).value());
  const json plain = parse_json_or_throw(frame_line(*some_result(5), {"cam1", "cam2"}).value());
  EXPECT_EQ(plain["people"]["people"][0]["id"], 7);
  EXPECT_TRUE(line["people"]["people"][0]["id"].is_null());
  EXPECT_EQ(line["people"]["people"][1]["id"], 12);
}

// A writer for an unknown stage would never be called.
TEST(Results, EveryWriterBelongsToAStageOfTheChain) {
  std::set<std::string_view> names, written;
  for (const StageType* stage : stage_types()) names.insert(stage->name);
  for (const project_detail::StageWriter& writer : project_detail::stage_writers()) {
    EXPECT_TRUE(names.contains(writer.stage)) << writer.stage;
    EXPECT_TRUE(written.insert(writer.stage).second) << writer.stage << " writes twice";
  }
}

TEST(Results, APreviewIsNeverWritten) {
  auto preview = std::make_shared<FrameResult>(*some_result(0));
  preview->preview = true;
  EXPECT_FALSE(frame_line(*preview, {"cam1", "cam2"}));
}

TEST(Results, AnOlderResultStaysUntilTheNewOneIsComplete) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder.path() / "results.jsonl", "old\n"));
  {
    auto writer = ResultsWriter::open(folder.path(), some_project(), some_run());
    ASSERT_TRUE(writer);
    ASSERT_TRUE((*writer)->write(*some_result(0)));
  }
  EXPECT_EQ(read_file(folder.path() / "results.jsonl").value(), "old\n");
  EXPECT_EQ(lines_of(folder.path() / "results.jsonl.part").size(), 2u)
      << "whole lines also where the program died";
  EXPECT_FALSE(read_results(folder.path())) << "the older one is what counts, and it is none";
  std::filesystem::remove(folder.path() / "results.jsonl");
  EXPECT_EQ(read_results(folder.path())->frames.size(), 1u) << "what the program that died had written";
}

TEST(Results, WhoWorksOnAFrameSeesWhatTheFileHolds) {
  auto result = std::make_shared<FrameResult>(*some_result(3));
  auto colors = std::make_shared<AppearanceArtifact>();
  colors->people = {{{1, std::array<float, 3>{80.123f, 120.06f, 131.94f}, std::nullopt}}, {}};
  auto motion = std::make_shared<MotionArtifact>();
  motion->people = {PersonMotion{{0.51234, -1.00077, 0.2}, 0.125, 3, 400}, std::nullopt};
  result->artifacts.appearance = colors, result->artifacts.motion = motion;
  const SeenFrame seen = seen_frame(*result).value();
  const StoredFrame stored = parse_frame_line(frame_line(*result, {"cam1", "cam2"}).value()).value();
  ASSERT_EQ(seen.people.size(), 2u);
  ASSERT_EQ(seen.rejected.size(), stored.rejected.size());
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(seen.people[i].x_m, stored.people[i].x_m);
    EXPECT_EQ(seen.people[i].height_m, stored.people[i].height_m);
    EXPECT_EQ(seen.people[i].confidence, stored.people[i].confidence);
    EXPECT_EQ(seen.people[i].velocity_m_per_s, stored.people[i].velocity_m_per_s);
    ASSERT_EQ(seen.people[i].colors.size(), stored.people[i].colors.size());
  }
  EXPECT_EQ(seen.people[0].velocity_m_per_s, (std::array<double, 2>{0.512, -1.001}));
  EXPECT_EQ(seen.people[0].colors[0].trunk, stored.people[0].colors[0].trunk);
}

TEST(Ply, HoldsTheCentresInMetres) {
  const test::TemporaryFolder folder;
  const VoxelGrid grid{{-1, 2, 0}, 0.5, 4, 3, 2};
  const uint32_t ids[] = {0, 5, static_cast<uint32_t>(grid.linear_id(3, 2, 1))};
  ASSERT_TRUE(write_shell_ply(folder.path() / "s.ply", grid, ids, "a test"));
  const std::string bytes = read_file(folder.path() / "s.ply").value();
  EXPECT_NE(bytes.find("element vertex 3\n"), std::string::npos);
  const std::string data = bytes.substr(bytes.find("end_header\n") + 11);
  ASSERT_EQ(data.size(), 36u);
  float values[9];
  std::memcpy(values, data.data(), sizeof values);
  const float expected[9] = {-0.75f, 2.25f, 0.25f, -0.25f, 2.75f, 0.25f, 0.75f, 3.25f, 0.75f};
  for (int i = 0; i < 9; ++i) EXPECT_EQ(values[i], expected[i]) << i;
}

PersonPath place_path(int64_t id, const std::vector<std::array<int, 2>>& frames_and_people) {
  PersonPath path{id, {}};
  for (const auto& [frame, person] : frames_and_people)
    path.points.push_back({frame, 2.0 * person + 0.01 * frame, 0, 1.7, 0.9, person >= 0, person});
  return path;
}

// Frames 0 to 9, two people two metres apart.
TEST(CompareTrackers, DifferencesAreAgainstTheBestCorrespondence) {
  std::vector<std::array<int, 2>> a, b, a_then_b, b_then_a, a_early, a_late;
  for (int f = 0; f < 10; ++f) {
    a.push_back({f, 0}), b.push_back({f, 1});
    a_then_b.push_back({f, f < 7 ? 0 : 1}), b_then_a.push_back({f, f < 7 ? 1 : 0});
    (f < 4 ? a_early : a_late).push_back({f, 0});
  }
  const std::vector<PersonPath> right = {place_path(4, a), place_path(9, b)};
  const TrackerDifferences same = compare_paths(right, {place_path(1, b), place_path(2, a)});
  EXPECT_EQ(same.followed, 20);
  EXPECT_EQ(same.differing, 0) << "other numbers, the same people";
  EXPECT_TRUE(same.switches.empty());

  const TrackerDifferences exchanged =
      compare_paths({place_path(1, a_then_b), place_path(2, b_then_a)}, right);
  EXPECT_EQ(exchanged.differing, 6);
  ASSERT_EQ(exchanged.switches.size(), 2u);
  EXPECT_EQ(exchanged.switches[0].frame, 7);
  EXPECT_EQ(exchanged.switches[0].tracker, 0) << "its numbers jump";
  EXPECT_EQ(exchanged.switches[0].followed, 4);
  EXPECT_EQ(exchanged.switches[0].before, 1);
  EXPECT_EQ(exchanged.switches[0].after, 2);
  EXPECT_EQ(compare_paths(right, {place_path(1, a_then_b), place_path(2, b_then_a)}).switches[0].tracker, 1);

  const TrackerDifferences broken =
      compare_paths(right, {place_path(1, a_early), place_path(2, a_late), place_path(3, b)});
  EXPECT_EQ(broken.differing, 4) << "the longer part corresponds";
  ASSERT_EQ(broken.switches.size(), 1u);
  EXPECT_EQ(broken.switches[0].tracker, 1);
  EXPECT_EQ(broken.switches[0].frame, 4);

  const TrackerDifferences missing = compare_paths(right, {place_path(3, b)});
  EXPECT_EQ(missing.differing, 10) << "only one follows";
  EXPECT_EQ(compare_paths(right, {}).differing, 20);
  EXPECT_EQ(compare_paths({}, {}).followed, 0);
}

}  // namespace
}  // namespace vantage
