// People from detections alone: projects that know cameras by calibration and boxes, without any video.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <sstream>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/calibration/formats/calibration.h"
#include "core/check/check.h"
#include "core/fusion/body_box.h"
#include "core/pipeline/frame_people.h"
#include "core/pipeline/kept_frames.h"
#include "core/pipeline/memory_needed.h"
#include "core/project/world_doubt.h"
#include "core/results/results_paths.h"
#include "core/results/results_reader.h"
#include "core/results/results_writer.h"
#include "core/results/second_pass_people.h"
#include "core/run/run.h"
#include "core/session/evidence_text.h"
#include "core/session/recorded_tracks.h"
#include "core/why/why_place.h"
#include "tests/support/json_schema.h"
#include "tests/unit/pipeline/boxes_project.h"

namespace vantage {
namespace {

RecordedTracks recorded_tracks(const StoredResults& results, std::vector<PersonPath> paths) {
  RecordedTracks recorded(results.frame_rate, std::move(paths));
  for (const StoredFrame& frame : results.frames) recorded.add(frame);
  recorded.repair({});
  return recorded;
}

constexpr int kFrames = 20;
constexpr double kRate = 10;

struct Standing {
  double x_m, y_m, height_m;
};

// One walks at 1 m/s, one stands.
std::vector<Standing> people_at(int64_t frame) {
  return {{-0.9 + 0.1 * static_cast<double>(frame), -0.5, 1.7}, {0.3, 0.8, 1.85}};
}

// The project whose paths are found in such windows ("paths.window_s=1"; 0: over all frames at once).
Project in_windows(Project project, const char* window) {
  EXPECT_TRUE(project.parameters.set_from_text(window));
  if (std::string_view(window) != "paths.window_s=0") {
    EXPECT_TRUE(project.parameters.set_from_text("paths.overlap_s=0.5"));
  }
  return project;
}

class FusedPeople : public test::BoxesProject {
 protected:
  // The score of the frame's person of this index in the camera of this one; 0: not detected.
  using Score = std::function<double(int frame, size_t person, size_t camera)>;
  static double sure(int, size_t, size_t) { return 0.9; }

  // Four cameras whose detectors look at every `every`-th frame, the first `with_file` of them. `heights`: of
  // people's own.
  Project project(int every, size_t with_file = 4, const Score& score = sure, double heights = 1) const {
    return project_of(cameras(every, with_file, score, heights));
  }
  std::vector<NewCamera> cameras(int every, size_t with_file = 4, const Score& score = sure,
                                 double heights = 1) const {
    test::RingOptions options;
    options.cameras = 4, options.width_px = 1280, options.height_px = 960;
    options.radius_m = 4, options.height_m = 2.5, options.look_at_height_m = 0.8;
    const std::vector<Camera> ring = test::camera_ring(options);
    std::vector<NewCamera> cameras;
    for (size_t c = 0; c < ring.size(); ++c) {
      cameras.push_back(camera({1280, 960, kRate, kFrames}, ring[c], "boxes" + std::to_string(c),
                               c < with_file ? rows_of(ring[c], every, c, score, heights) : std::string()));
      cameras[c].detections.frame_rate = c < with_file ? kRate / every : 0;
    }
    return cameras;
  }
  static std::string rows_of(const Camera& camera, int every, size_t number, const Score& score,
                             double heights) {
    std::ostringstream rows;
    for (int frame = 0; frame < kFrames; frame += every) {
      const std::vector<Standing> people = people_at(frame);
      for (size_t i = 0; i < people.size(); ++i) {
        const auto box = body_box(camera.model(), people[i].x_m, people[i].y_m, heights * people[i].height_m);
        const double detected = score(frame, i, number);
        if (box.seen && detected > 0)
          rows << frame / every + 1 << ",-1," << box.cut.left << ',' << box.cut.top << ','
               << box.cut.right - box.cut.left << ',' << box.cut.bottom - box.cut.top << ',' << detected
               << '\n';
      }
    }
    return rows.str();
  }
  static FrameResultRef frame(const std::unique_ptr<Analysis>& analysis, int64_t number) {
    const auto result = analysis->pipeline().frame(number, {}, {});
    EXPECT_TRUE(result) << result.error().message();
    return result ? *result : nullptr;
  }
};

void expect_people(const FrameResult& result, std::set<int64_t>* numbers) {
  const PeopleArtifact& people = *result.people();
  const std::vector<Standing> truth = people_at(result.frame);
  ASSERT_TRUE(people.count_known()) << people.stopped_at;
  ASSERT_EQ(people.found.people.size(), truth.size()) << result.frame;
  ASSERT_EQ(people.fused.size(), truth.size());
  for (size_t i = 0; i < truth.size(); ++i) {
    const FoundPerson& person = people.found.people[i];
    const auto nearest = std::min_element(truth.begin(), truth.end(), [&](const auto& a, const auto& b) {
      return std::hypot(a.x_m - person.x_m, a.y_m - person.y_m) <
             std::hypot(b.x_m - person.x_m, b.y_m - person.y_m);
    });
    EXPECT_LT(std::hypot(nearest->x_m - person.x_m, nearest->y_m - person.y_m), 0.08);
    EXPECT_NEAR(person.height_m, nearest->height_m, 0.08);
    EXPECT_GT(person.confidence, 0.9);
    EXPECT_GE(person.cameras, 3);
    EXPECT_EQ(people.fused[i].x_m, person.x_m);
    for (const CameraEvidence& one : people.fused[i].evidence) {
      const auto& boxes = result.detections()->cameras[one.camera].people;
      EXPECT_LT(one.detection, static_cast<int32_t>(boxes.size()));
    }
    if (const int64_t number = result.tracks()->tracked[i].id; number > 0) numbers->insert(number);
  }
}

TEST_F(FusedPeople, AProjectWithoutAnyVideoHasPeopleAndTracks) {
  const auto analysis = open(project(1));
  ASSERT_TRUE(analysis);
  std::set<int64_t> numbers;
  for (int64_t f = 0; f < kFrames; ++f) {
    const FrameResultRef result = frame(analysis, f);
    expect_people(*result, &numbers);
    EXPECT_FALSE(known_volume(*result)) << "without pictures it is not 0 litres";
  }
  EXPECT_EQ(numbers, (std::set<int64_t>{1, 2}));
}

// A poster or a screen that every camera's detector takes for a person.
TEST_F(FusedPeople, DetectionsInIgnoredRegionsAreDropped) {
  Project ignoring = project(1);
  const auto before = open(ignoring);
  const uint64_t version = before->pipeline().version(kPeopleStage);
  const Standing screen = people_at(0)[1];
  for (ProjectCamera& camera : ignoring.cameras) {
    const PixelBox box = body_box(camera.calibration->model(), screen.x_m, screen.y_m, screen.height_m).whole;
    camera.ignored = {{{{box.left - 2, box.top - 2},
                        {box.right + 2, box.top - 2},
                        {box.right + 2, box.bottom + 2},
                        {box.left - 2, box.bottom + 2}}}};
  }
  const auto after = open(ignoring);
  EXPECT_NE(after->pipeline().version(kPeopleStage), version);
  for (const int64_t f : {0, 5, 19}) {
    const Standing truth = people_at(f)[0];
    EXPECT_EQ(frame(before, f)->people()->found.people.size(), 2U);
    const auto& people = frame(after, f)->people()->found.people;
    ASSERT_EQ(people.size(), 1U) << f;
    EXPECT_LT(std::hypot(people[0].x_m - truth.x_m, people[0].y_m - truth.y_m), 0.08);
    EXPECT_NEAR(people[0].height_m, truth.height_m, 0.08);
  }
}

// A person who stands still is hardly detected for a while at the recording's middle, and for good near its
// end.
double hardly(int frame, size_t person, size_t camera) {
  const bool badly = person == 1 && ((frame >= 8 && frame < 12) || frame >= 17);
  if (!badly) return 0.9;
  return camera < 2 ? 0.48 : 0;
}

void expect_schema(const std::filesystem::path& results) {
  const auto schema = parse_json_or_throw(
      read_file(std::filesystem::path(VANTAGE_SOURCE_DIR) / "resources/schema/results.schema.json").value());
  std::istringstream lines(read_file(results).value());
  std::string line;
  for (bool header = true; std::getline(lines, line); header = false) {
    const nlohmann::json parsed = parse_json_or_throw(line);
    EXPECT_EQ(test::schema_problem(parsed, schema["$defs"][header ? "header" : "frame"]), "");
    if (!header) {
      EXPECT_TRUE(parsed["people"].value("carried", false) || parsed["people"]["found_again"].get<bool>());
    }
  }
}

// Where paths expect somebody, weaker evidence is enough, between two sure sightings but not behind the last.
TEST_F(FusedPeople, PathsFindPeopleAgainWhereTheyExpectThem) {
  for (const char* window : {"paths.window_s=0", "paths.window_s=1"}) {
    SCOPED_TRACE(window);
    const Project made = in_windows(project(1, 4, hardly), window);
    const auto analysis = open(made);
    ASSERT_TRUE(analysis);
    const auto results = folder_.path() / "results";
    const auto description = describe_run(*analysis, &backends_, "CPU");
    ASSERT_TRUE(description) << description.error().message();
    auto writer = ResultsWriter::open(results, made, *description);
    ASSERT_TRUE(writer) << writer.error().message();
    for (int64_t f = 0; f < kFrames; ++f) {
      const FrameResultRef result = frame(analysis, f);
      EXPECT_EQ(result->people()->found.people.size(), hardly(static_cast<int>(f), 1, 2) > 0 ? 2U : 1U);
      ASSERT_TRUE((*writer)->write(*result));
    }
    ASSERT_TRUE((*writer)->finish(nullptr));
    expect_schema(results / "results.jsonl");
    const StoredResults stored = read_results(results).value();
    ASSERT_EQ(stored.frames.size(), static_cast<size_t>(kFrames));
    const std::vector<PersonPath> paths = read_paths(results / "tracks.csv").value();
    ASSERT_EQ(paths.size(), 2U);
    const RecordedTracks recorded = recorded_tracks(stored, paths);
    for (const StoredFrame& seen : stored.frames) {
      SCOPED_TRACE(seen.frame);
      ASSERT_EQ(seen.people.size(), seen.frame < 17 ? 2U : 1U);
      EXPECT_EQ(static_cast<size_t>(seen.people_count), seen.people.size());
      for (const FloorPerson& person : seen.people) EXPECT_GT(person.id, 0);
      // The window shows whom the results have, with what is known of them.
      ShownFrame shown{.result = frame(analysis, seen.frame)};
      recorded.show_people(&shown);
      const std::vector<FramePerson> people = people_of(shown);
      ASSERT_EQ(people.size(), seen.people.size());
      for (size_t i = 0; i < seen.people.size(); ++i) {
        EXPECT_EQ(people[i].id(), seen.people[i].id);
        EXPECT_NEAR(people[i].found.x_m, seen.people[i].x_m, 0.001);
        EXPECT_FALSE(person_evidence_text(made, shown, i).empty());
      }
    }
    // From what is stored the same comes out once more.
    const auto before =
        std::pair(read_file(results / "results.jsonl").value(), read_file(results / "tracks.csv").value());
    ASSERT_TRUE(number_by_paths(results / "results.jsonl", results / "tracks.csv",
                                *path_numbering(made, false), SecondPassPeople::of(made, *analysis->grid())));
    EXPECT_EQ(read_file(results / "results.jsonl").value(), before.first);
    EXPECT_EQ(read_file(results / "tracks.csv").value(), before.second);
  }
}

TEST_F(FusedPeople, WithoutATrackPriorNobodyIsFoundAgain) {
  Project made = project(1);
  const auto analysis = open(made);
  ASSERT_TRUE(analysis);
  EXPECT_TRUE(SecondPassPeople::of(made, *analysis->grid()));
  ASSERT_TRUE(made.parameters.set_from_text("fusion.track_prior=0"));
  EXPECT_FALSE(SecondPassPeople::of(made, *analysis->grid()));
}

// What is kept of masks does not do for colours, which are measured for people who come back.
TEST_F(FusedPeople, AChangedParameterOfPeopleRunsOnWhatIsKept) {
  Project made = project(1);
  for (const char* change : {"fusion.person_cost=3", "fusion.person_cost=2"}) {
    SCOPED_TRACE(change);
    ASSERT_TRUE(made.parameters.set_from_text(change));
    AnalysisOptions options;
    options.backends = &backends_;
    options.pipeline.kept = std::make_shared<KeptFrames>(folder_.path() / "boxes.kept");
    const auto analysis = Analysis::open(made, options).value();
    int frames = 0;
    const Status analysed = analysis->pipeline().analyse(
        {0, kFrames}, ExecutionMode::threaded, [&](const FrameResultRef&) { return ++frames, true; }, {});
    EXPECT_TRUE(analysed) << analysed.error().message();
    EXPECT_EQ(frames, kFrames);
  }
}

// How far the nearest of the frame's true people stands.
double away_m(int64_t frame, double x_m, double y_m) {
  double nearest_m = INFINITY;
  for (const Standing& one : people_at(frame))
    nearest_m = std::min(nearest_m, std::hypot(one.x_m - x_m, one.y_m - y_m));
  return nearest_m;
}

// Between two looks people go on as their tracks do, less and less surely; nobody was searched for.
TEST_F(FusedPeople, PeopleAreCarriedOverFramesWithoutALook) {
  const auto analysis = open(project(3));
  ASSERT_TRUE(analysis);
  std::set<int64_t> numbers;
  double confidence = 1;
  for (int64_t f = 0; f < kFrames; ++f) {
    SCOPED_TRACE(f);
    const FrameResultRef result = frame(analysis, f);
    const std::vector<FramePerson> people = people_of(*result);
    EXPECT_EQ(people_count(*result), 2U);
    ASSERT_EQ(people.size(), 2U);
    EXPECT_EQ(are_carried(*result), f % 3 != 0);
    if (f % 3 == 0) {
      expect_people(*result, &numbers);
      EXPECT_FALSE(people[0].carried);
      confidence = people[0].found.confidence;
      continue;
    }
    EXPECT_FALSE(result->people()->count_known());
    EXPECT_TRUE(result->people()->found.people.empty());
    EXPECT_TRUE(result->tracks()->tracked.empty());
    EXPECT_FALSE(seen_frame(*result)) << "paths follow sightings alone";
    EXPECT_TRUE(people[0].carried);
    EXPECT_LT(people[0].found.confidence, confidence);
    confidence = people[0].found.confidence;
    EXPECT_GT(confidence, 0.8);
    EXPECT_EQ(people[0].id() > 0, f > 6) << "as at the look before";
    if (f > 6) {
      for (const FramePerson& one : people) EXPECT_LT(away_m(f, one.found.x_m, one.found.y_m), 0.12);
    }
    EXPECT_TRUE(f < 6 || !track_rows(*result).empty());
  }
  EXPECT_EQ(numbers, (std::set<int64_t>{1, 2}));
}

// Looks farther apart than lost tracks are kept, as on a machine that is too slow for its live cameras: one
// of them that misses a person costs no ID.
TEST_F(FusedPeople, OneOfFewLooksThatMissesAPersonCostsNoId) {
  constexpr int kEvery = 4, kMissed = 12;
  Project made = project(
      kEvery, 4, [](int frame, size_t person, size_t) { return person == 1 && frame == kMissed ? 0 : 0.9; });
  ASSERT_TRUE(made.parameters.set_from_text("tracking.keep_s=0.3"));
  const auto analysis = open(made);
  ASSERT_TRUE(analysis);
  std::map<int64_t, int64_t> ids;  // of who stands, by frame
  for (int64_t f = 0; f < kFrames; ++f) {
    const FrameResultRef result = frame(analysis, f);
    for (const FramePerson& person : people_of(*result))
      if (!person.carried && person.found.x_m > 0 && person.found.y_m > 0) ids[f] = person.id();
  }
  EXPECT_FALSE(ids.contains(kMissed));
  EXPECT_GT(ids[kMissed - kEvery], 0);
  EXPECT_EQ(ids[kMissed + kEvery], ids[kMissed - kEvery]);
}

// A tracker forgets whom nobody looks for; what is there then is unknown.
TEST_F(FusedPeople, PeopleAreNotCarriedForever) {
  const auto analysis = open(project(15));
  ASSERT_TRUE(analysis);
  EXPECT_EQ(people_count(*frame(analysis, 10)), 2U);
  const FrameResultRef late = frame(analysis, 12);
  EXPECT_EQ(people_count(*late), std::nullopt);
  EXPECT_TRUE(people_of(*late).empty());
  EXPECT_EQ(people_count(*frame(analysis, 15)), 2U);
}

// The lines of frames between two looks hold who is on the way from one to the other.
TEST_F(FusedPeople, LinesBetweenLooksHoldWhoIsOnTheWay) {
  for (const char* window : {"paths.window_s=0", "paths.window_s=1"}) {
    SCOPED_TRACE(window);
    const Project made = in_windows(project(3), window);
    const auto analysis = open(made);
    ASSERT_TRUE(analysis);
    const auto results = folder_.path() / "results";
    auto writer = ResultsWriter::open(results, made, describe_run(*analysis, &backends_, "CPU").value());
    ASSERT_TRUE(writer) << writer.error().message();
    for (int64_t f = 0; f < kFrames; ++f) ASSERT_TRUE((*writer)->write(*frame(analysis, f)));
    ASSERT_TRUE((*writer)->finish(nullptr));
    expect_schema(results / "results.jsonl");
    const StoredResults stored = read_results(results).value();
    const RecordedTracks recorded = recorded_tracks(stored, read_paths(results / "tracks.csv").value());
    ASSERT_EQ(stored.frames.size(), static_cast<size_t>(kFrames));
    for (const StoredFrame& one : stored.frames) {
      SCOPED_TRACE(one.frame);
      EXPECT_EQ(one.people_count, 2);
      ASSERT_EQ(one.people.size(), 2U);
      EXPECT_EQ(one.carried, one.frame % 3 != 0);
      EXPECT_EQ(one.searched(), !one.carried);
      std::set<int64_t> ids;
      for (const FloorPerson& person : one.people) {
        EXPECT_LT(away_m(one.frame, person.x_m, person.y_m), 0.08);
        EXPECT_EQ(person.confidence < 0.96, one.carried) << person.confidence;
        ids.insert(person.id);
      }
      // Behind the last look nobody knows whose path goes on.
      EXPECT_EQ(ids, one.frame < kFrames - 1 ? (std::set<int64_t>{1, 2}) : std::set<int64_t>{0});
      ShownFrame shown{.result = frame(analysis, one.frame)};
      recorded.show_people(&shown);
      const std::vector<FramePerson> people = people_of(shown);
      ASSERT_EQ(people.size(), 2U);
      EXPECT_EQ(people[0].carried, one.carried);
      EXPECT_EQ(person_evidence_text(made, shown, 0).back().find("no detector examined") != std::string::npos,
                one.carried);
    }
    const std::string before = read_file(results / "results.jsonl").value();
    ASSERT_TRUE(number_by_paths(results / "results.jsonl", results / "tracks.csv",
                                *path_numbering(made, false), SecondPassPeople::of(made, *analysis->grid())));
    EXPECT_EQ(read_file(results / "results.jsonl").value(), before);
  }
}

// Detectors that find two people of three: the project knows it, those who find everybody leave it alone.
TEST_F(FusedPeople, DetectorsThatMissPeopleAreExpectedToMissThem) {
  const auto missing = [](int frame, size_t person, size_t camera) {
    return (static_cast<size_t>(frame) + person + camera) % 3 == 0 ? 0 : 0.9;
  };
  const auto rate = [](const Project& made) {
    return made.parameters.get<FusionParameters>().detection_rate;
  };
  EXPECT_EQ(rate(project(1)), FusionParameters{}.detection_rate);
  EXPECT_TRUE(detection_rate_note(project(1)).empty());
  const Project made = project(1, 4, missing);
  EXPECT_NEAR(rate(made), 0.667, 0.1);
  EXPECT_NE(detection_rate_note(made).find("fusion.detection_rate is 0."), std::string::npos);
  EXPECT_EQ(rate(project(1, 2, missing)), FusionParameters{}.detection_rate) << "of two it is not known";
}

// A wrong unit or floor leaves the cameras in agreement: people's heights alone tell.
TEST_F(FusedPeople, CheckNamesHeightsThatNoOneHas) {
  CheckOptions options;
  options.backends = &backends_;
  const auto heights = [&](double scale, size_t cameras) {
    const auto items = check_project(project(1, cameras, sure, scale), options).items;
    const auto found = std::find_if(items.begin(), items.end(),
                                    [](const CheckItem& item) { return item.check == "heights"; });
    return found == items.end() ? CheckItem{} : *found;
  };
  const CheckItem usual = heights(1, 4);
  EXPECT_EQ(usual.verdict, Verdict::passed) << usual.figure;
  EXPECT_EQ(usual.figure.rfind("people are 1.", 0), 0U) << usual.figure;
  const CheckItem small = heights(0.78, 2);
  EXPECT_EQ(small.verdict, Verdict::doubtful) << small.figure;
  EXPECT_NE(remedy_text(small).find("--unit-scale"), std::string::npos);
}

// In a mirrored world no boxes meet, which looks like an empty scene. (Of four cameras around the scene two
// are their own mirror images: two neighbours are not.)
TEST_F(FusedPeople, BoxesThatMeetInTheMirrorAloneAreNamed) {
  const auto neighbours = [&] {
    const std::vector<NewCamera> all = cameras(1);
    return std::vector<NewCamera>(all.begin(), all.begin() + 2);
  };
  std::vector<NewCamera> made = neighbours();
  std::vector<std::string> notes;
  ASSERT_TRUE(assemble_project(made, &notes));
  EXPECT_TRUE(notes.empty()) << notes.front();
  const auto detections_item = [&] {
    CheckOptions options;
    options.backends = &backends_;
    const auto items = check_project(project_of(made), options).items;
    const auto found = std::ranges::find_if(items, [](const CheckItem& item) {
      return item.check == "detections" && item.camera.empty();  // of all cameras
    });
    return found == items.end() ? CheckItem{} : *found;
  };
  EXPECT_EQ(detections_item().verdict, Verdict::passed);
  for (NewCamera& camera : made) {
    PinholeCamera<double> model = camera.calibration->camera.model();
    mirror(&model);
    camera.calibration->camera = Camera::make(camera.calibration->camera.name(), model).value();
  }
  ASSERT_TRUE(assemble_project(made, &notes));
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes[0].find("--mirror"), std::string::npos) << notes[0];
  const CheckItem mirrored = detections_item();
  EXPECT_EQ(mirrored.verdict, Verdict::failed) << mirrored.figure;
  EXPECT_NE(mirrored.remedy.find("--mirror"), std::string::npos);
}

TEST_F(FusedPeople, BoxesThatMeetNowhereAreNamed) {
  const auto doubt = [](int64_t all, int64_t met) { return world_doubt({all, met}, {}, {}, {}, {}); };
  EXPECT_FALSE(doubt(100, 90));
  EXPECT_FALSE(doubt(100, 30)) << "people may walk where one camera looks alone";
  EXPECT_FALSE(doubt(20, 0)) << "too few to tell";
  ASSERT_TRUE(doubt(100, 2));
  EXPECT_FALSE(doubt(100, 2)->mirrored);
  EXPECT_EQ(doubt_text(*doubt(100, 2)), "2 of 100 boxes belong to people whom two cameras see");
}

// The file of one camera names everybody twice.
TEST_F(FusedPeople, CheckNamesADetectorThatIsWrong) {
  const Project made = project(1);
  CheckOptions options;
  options.backends = &backends_;
  const auto verdicts = [&] {
    std::map<std::string, CheckItem> found;
    for (const CheckItem& item : check_project(made, options).items)
      if (item.check == "detector") found[item.camera] = item;
    return found;
  };
  const auto sound = verdicts();
  ASSERT_EQ(sound.size(), 4U);
  // The recording is short: some cameras have too few people to compare.
  for (const auto& [camera, item] : sound) EXPECT_LE(item.verdict, Verdict::cannot_tell) << item.figure;
  EXPECT_TRUE(std::any_of(sound.begin(), sound.end(),
                          [](const auto& one) { return one.second.verdict == Verdict::passed; }));
  const std::filesystem::path file = made.cameras[2].detections.file;
  std::istringstream rows(read_file(file).value());
  std::string row, doubled;
  while (std::getline(rows, row)) {
    const size_t left = row.find(",-1,") + 4;
    doubled += row + '\n' + row.substr(0, left) + std::to_string(std::stod(row.substr(left)) + 4) +
               row.substr(row.find(',', left)) + '\n';
  }
  ASSERT_TRUE(write_file_atomically(file, doubled));
  for (const auto& [camera, item] : verdicts()) {
    const bool wrong = camera == made.cameras[2].name;
    EXPECT_EQ(item.verdict == Verdict::doubtful, wrong) << item.figure;
    EXPECT_EQ(item.figure.find("twice") != std::string::npos, wrong) << item.figure;
  }
}

// Why nobody is at a place, who is, and where nothing can be told; and thresholds that do what is said.
TEST_F(FusedPeople, EveryPlaceOfTheFloorIsExplained) {
  const Project made = project(3);
  const auto analysis = open(made);
  ASSERT_TRUE(analysis);
  const FrameResultRef seen = frame(analysis, 6), between = frame(analysis, 7);
  const auto ask = [&](const FrameResultRef& result, double x_m, double y_m) {
    const auto place = why_place(made, *analysis, *result, x_m, y_m, {});
    EXPECT_TRUE(place) << place.error().message();
    return place ? *place : WhyPlace();
  };
  const auto verdict = [&](const WhyPlace& place) {
    return describe(place, made, std::vector<std::string>{"person 1", "person 2"}).text("verdict");
  };
  const WhyPlace empty = ask(seen, -0.8, 0.9);
  EXPECT_NE(verdict(empty).find("no one is found here"), std::string::npos) << verdict(empty);
  ASSERT_TRUE(empty.detections);
  EXPECT_LT(empty.detections->gain_nats, 0);
  EXPECT_EQ(empty.detections->cameras.size(), 4U);
  const FoundPerson& first = seen->people()->found.people[0];
  const WhyPlace found = ask(seen, first.x_m, first.y_m);
  EXPECT_NE(verdict(found).find("person 1 is found here"), std::string::npos) << verdict(found);
  EXPECT_NE(verdict(ask(seen, 50, 0)).find("outside the floor that is searched"), std::string::npos);
  EXPECT_NE(verdict(ask(between, 0, 0)).find("no detector examined this frame"), std::string::npos);
  const auto cost = std::find_if(found.thresholds.begin(), found.thresholds.end(),
                                 [](const WhyThreshold& one) { return one.name == "person_cost"; });
  ASSERT_TRUE(cost != found.thresholds.end() && cost->figure && cost->holds);
  int changed = 0;
  for (const WhyPlace* place : {&empty, &found})
    for (const WhyThreshold& one : place->thresholds) {
      if (!one.changes_at) continue;
      SCOPED_TRACE(one.parameter());
      Project other = made;
      ASSERT_TRUE(other.parameters.set(one.stage, one.name, *one.changes_at));
      ASSERT_TRUE(analysis->pipeline().configure(other.parameters));
      const auto people = frame(analysis, 6)->people()->found.people;
      EXPECT_NE(std::any_of(people.begin(), people.end(),
                            [&](const FoundPerson& one) {
                              return std::hypot(one.x_m - place->figures.x_m, one.y_m - place->figures.y_m) <=
                                     kWhyReach_m;
                            }),
                place->person >= 0);
      ++changed;
    }
  ASSERT_TRUE(analysis->pipeline().configure(made.parameters));
  EXPECT_GE(changed, 1) << "a person who costs more than all cameras say is not found";
  EXPECT_EQ(person_evidence_text(made, ShownFrame{seen}, 0).size(), 5U);
  EXPECT_TRUE(person_evidence_text(made, ShownFrame{seen}, 2).empty());
  EXPECT_NE(person_evidence_text(made, ShownFrame{between}, 0).at(1).find("no detector examined"),
            std::string::npos);
}

TEST_F(FusedPeople, OneOfManyCamerasIsNotEnoughToCount) {
  const auto analysis = open(project(1, 1));
  ASSERT_TRUE(analysis);
  const FrameResultRef result = frame(analysis, 0);
  EXPECT_FALSE(result->people()->count_known());
  EXPECT_EQ(result->people()->stopped_at, "too few cameras have detections of this frame");
}

TEST_F(FusedPeople, AreCountedInTheAreasAlone) {
  Project some = project(1);
  FloorZone area;
  area.kind = ZoneKind::area;
  area.name = "left";
  area.corners_m = {{-2, -2}, {2, -2}, {2, 0}, {-2, 0}};
  some.zones.push_back(area);
  const auto analysis = open(some);
  ASSERT_TRUE(analysis);
  const FrameResultRef result = frame(analysis, 5);
  ASSERT_EQ(result->people()->found.people.size(), 1U);
  EXPECT_NEAR(result->people()->found.people[0].y_m, -0.5, 0.08);
  EXPECT_EQ(result->people()->fused.size(), 1U);
}

// Detections are the default where there are any; a source that was chosen stays.
TEST_F(FusedPeople, AreTheDefaultWhereThereAreDetections) {
  Project some = project(1);
  const auto analysis = open(some);
  ASSERT_TRUE(analysis);
  const auto configured = [&](const std::vector<const char*>& settings) {
    Project changed = some;
    for (const char* setting : settings) EXPECT_TRUE(set_from_text(&changed, setting));
    EXPECT_TRUE(analysis->pipeline().configure(changed.parameters));
    return frame(analysis, 0)->people()->fused.size();
  };
  EXPECT_EQ(configured({}), 2U);
  EXPECT_EQ(configured({"people.source=fused"}), 2U);
  EXPECT_EQ(configured({"people.source=volume"}), 0U);
  EXPECT_EQ(configured({"people.source=occupancy"}), 0U);
  EXPECT_EQ(configured({"detections.enabled=false"}), 0U);
  const uint64_t automatic = analysis->pipeline().version(kPeopleStage);
  EXPECT_EQ(configured({"detections.enabled=false", "people.source=volume"}), 0U);
  EXPECT_EQ(analysis->pipeline().version(kPeopleStage), automatic);
  EXPECT_EQ(configured({"detections.enabled=false", "people.source=fused"}), 0U);
  EXPECT_EQ(frame(analysis, 0)->people()->stopped_at,
            "the project has no detections: neither files nor a model");
}

}  // namespace
}  // namespace vantage
