// A session driven as by a window, with a listener that records. Nothing here asserts a time; a deadlock runs
// into the time limit of wait_for().
#include "core/session/session.h"

#include <gtest/gtest.h>

#include <algorithm>

#include <iostream>
#include <random>
#include <thread>

#include "core/algorithms.h"
#include "core/base/file.h"
#include "core/pipeline/kept_frames.h"
#include "core/results/results_paths.h"
#include "core/results/results_reader.h"
#include "core/session/autosave.h"
#include "core/session/detail/session_state.h"
#include "core/why/answer.h"
#include "tests/support/data.h"
#include "tests/unit/pipeline/failing_device.h"
#include "tests/unit/pipeline/footage.h"
#include "tests/unit/session/session_recorder.h"

namespace vantage {
namespace {

using Recorder = test::SessionRecorder;

class SessionTest : public testing::Test {
 protected:
  void SetUp() override {
    register_cpu_backends(registry_);
    project_ = test::make_footage(folder_.path(), 3, kFrames);
    start();
  }
  void start(Device device = Device::cpu) {
    SessionOptions options;
    options.backends = {&registry_, device};
    options.device_description = "CPU";
    recorder_ = std::make_shared<Recorder>();
    session_ = Session::make(options, recorder_);
  }
  void open() {
    session_->post(command::OpenFile{project_.path});
    ASSERT_TRUE(
        recorder_->wait_for([](const Recorder& r) { return r.status_.open && r.status_.frame_count_exact; }));
  }

  static constexpr int64_t kFrames = 60;
  const test::TemporaryFolder folder_;
  BackendRegistry registry_;
  Project project_;
  std::shared_ptr<Recorder> recorder_;
  std::unique_ptr<Session> session_;
};

TEST_F(SessionTest, OpensAndShowsTheFirstFrame) {
  open();
  EXPECT_TRUE(recorder_->wait_for_exact(0));
  EXPECT_EQ(recorder_->status_.frame_count, kFrames);
  EXPECT_FALSE(recorder_->status_.unsaved);
  EXPECT_TRUE(recorder_->errors_.empty());
  session_->post(command::Close{});
  EXPECT_TRUE(recorder_->wait_for([](const Recorder& r) { return !r.status_.open && r.states_.empty(); }));
}

TEST_F(SessionTest, TheNewestSeekWinsAndBecomesExact) {
  open();
  for (int i = 0; i < 200; ++i) session_->post(command::Seek{i * 7 % kFrames});
  session_->post(command::Seek{55});
  EXPECT_TRUE(recorder_->wait_for_exact(55));
  session_->post(command::Step{-1});
  session_->post(command::Step{-1});
  EXPECT_TRUE(recorder_->wait_for_exact(53)) << "steps add up";
  session_->post(command::Seek{1000});
  EXPECT_TRUE(recorder_->wait_for_exact(kFrames - 1));
  session_->post(command::Seek{-5});
  EXPECT_TRUE(recorder_->wait_for_exact(0));
  EXPECT_TRUE(recorder_->errors_.empty());
}

// The newest question is answered during any other work; the analysis has its own.
TEST_F(SessionTest, QuestionsAreAnsweredBesideEverythingElse) {
  AnalysisOptions options;
  options.backends = &registry_;
  const auto analysis = Analysis::open(project_, options).value();
  const auto expected = [&](const WhyQuestion& question) {
    const FrameResultRef result = analysis->pipeline().frame(question.frame, {}, {}).value();
    return text_of(answer_to(question, project_, *analysis, *result, {}).value());
  };
  const auto answered = [&](size_t count) {
    return recorder_->wait_for([&](const Recorder& r) { return r.why_.size() >= count; });
  };
  open();
  session_->post(command::Seek{35});
  ASSERT_TRUE(recorder_->wait_for_exact(35));
  const WhyQuestion pixel{35, PixelQuestion{1, 40, 30}}, place{12, FloorQuestion{0.1, -0.2}};
  session_->post(command::Explain{pixel});
  ASSERT_TRUE(answered(1));
  ASSERT_TRUE(recorder_->why_[0].answer) << recorder_->why_[0].answer.error().message();
  EXPECT_EQ(text_of(*recorder_->why_[0].answer), expected(pixel));
  session_->post(command::Explain{pixel});
  session_->post(command::Explain{place});
  for (int i = 0; i < 50; ++i) session_->post(command::Seek{i * 7 % kFrames});
  session_->post(command::Seek{12});
  ASSERT_TRUE(recorder_->wait_for(
      [&](const Recorder& r) { return !r.why_.empty() && r.why_.back().question.about == place.about; }));
  EXPECT_EQ(text_of(recorder_->why_.back().answer.value()), expected(place));
  EXPECT_TRUE(recorder_->wait_for_exact(12)) << "a question holds nothing up";
  const size_t before = recorder_->why_.size();
  ASSERT_TRUE(recorder_->wait_for_analysis([&] {
    session_->post(command::Analyse{{0, kFrames}});
    session_->post(command::Explain{pixel});
  }));
  ASSERT_TRUE(answered(before + 1));
  EXPECT_EQ(text_of(recorder_->why_.back().answer.value()), expected(pixel));
  EXPECT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.count(FrameState::current) == kFrames; }));
  session_->post(command::Explain{{35, PixelQuestion{7, 0, 0}}});
  ASSERT_TRUE(answered(before + 2));
  EXPECT_FALSE(recorder_->why_.back().answer) << "there is no such camera";
  EXPECT_TRUE(recorder_->errors_.empty());
}

TEST_F(SessionTest, PlaysToTheEndAndStopsThere) {
  open();
  ASSERT_TRUE(recorder_->wait_for_exact(0));
  session_->post(command::SetPlaybackRate{4});
  session_->post(command::Play{});
  EXPECT_TRUE(recorder_->wait_for(
      [](const Recorder& r) { return !r.status_.playing && r.status_.frame == kFrames - 1; }));
  EXPECT_TRUE(recorder_->wait_for_exact(kFrames - 1)) << "what was played as pictures is then shown in full";
  session_->post(command::SetPlaybackRate{-4});
  session_->post(command::Play{});
  EXPECT_TRUE(
      recorder_->wait_for([](const Recorder& r) { return !r.status_.playing && r.status_.frame == 0; }));
  EXPECT_TRUE(recorder_->errors_.empty());
}

TEST_F(SessionTest, AnalysesWhilePlaying) {
  open();
  ASSERT_TRUE(recorder_->wait_for_exact(0));
  session_->post(command::SetAnalyseWhilePlaying{true});
  session_->post(command::SetPlaybackRate{8});
  session_->post(command::Play{});
  EXPECT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.count(FrameState::current) == kFrames; }));
  EXPECT_TRUE(recorder_->wait_for([](const Recorder& r) { return !r.status_.playing; }));
}

TEST_F(SessionTest, AnalysesARangeAndWritesIt) {
  open();
  ASSERT_TRUE(recorder_->wait_for_analysis([&] { session_->post(command::Analyse{{10, 40}}); }));
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.count(FrameState::current) >= 30; }));
  const auto text = read_file(project_.results_folder() / "results.jsonl");
  ASSERT_TRUE(text);
  EXPECT_EQ(std::count(text->begin(), text->end(), '\n'), 31) << "a header and thirty frames";
  session_->post(command::SetParameter{"carving", "threshold", 0.9});
  EXPECT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.count(FrameState::out_of_date) >= 29; }));
  session_->post(command::Undo{});
  EXPECT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.count(FrameState::current) >= 30; }))
      << "tuned back, they are current again";
}

// A later session with nothing in memory: frames come without pictures, and the last one is shown completely.
TEST_F(SessionTest, AChangedTrackerIsAnalysedFromWhatIsKept) {
  open();
  ASSERT_TRUE(recorder_->wait_for_analysis([&] { session_->post(command::Analyse{{0, kFrames}}); }));
  const std::filesystem::path kept = kept_folder(project_.path);
  ASSERT_TRUE(std::filesystem::exists(kept));
  const auto analysed_again = [&] {
    session_.reset();
    start();
    open();
    session_->post(command::SetParameter{"tracking", "keep_s", 0.4});
    EXPECT_TRUE(recorder_->wait_for_analysis([&] { session_->post(command::Analyse{{0, kFrames}}); }));
    EXPECT_TRUE(recorder_->wait_for_exact(kFrames - 1));
    return read_file(project_.results_folder() / "results.jsonl").value_or("");
  };
  const std::string from_kept = analysed_again();
  EXPECT_EQ(recorder_->count(FrameState::current), kFrames);
  std::filesystem::remove_all(kept);
  std::filesystem::remove_all(project_.results_folder());
  EXPECT_TRUE(analysed_again() == from_kept);
}

TEST_F(SessionTest, ResultsAreThereWhenAProjectIsOpenedAgain) {
  open();
  for (const FrameRange range : {FrameRange{10, 20}, FrameRange{30, 40}})
    ASSERT_TRUE(recorder_->wait_for_analysis([&] { session_->post(command::Analyse{range}); }));
  const auto stored = read_results(project_.results_folder());
  ASSERT_TRUE(stored);
  EXPECT_EQ(stored->frames.size(), 20u) << "ranges of one version add up";
  session_.reset();
  start();
  open();
  const auto at = [](const Recorder& r, size_t frame) {
    return frame < r.states_.size() ? r.states_[frame] : FrameSummary{};
  };
  EXPECT_TRUE(recorder_->wait_for([&](const Recorder& r) {
    return at(r, 15).state == FrameState::current && at(r, 35).state == FrameState::current &&
           at(r, 25).state == FrameState::not_analysed && at(r, 50).state == FrameState::not_analysed;
  }));
  EXPECT_EQ(at(*recorder_, 15).people, stored->frames[5].people_count);
  session_->post(command::Seek{18});
  EXPECT_TRUE(recorder_->wait_for([](const Recorder& r) {
    return r.shown_->frame == 18 && !r.shown_frame_->trails.empty() &&
           r.shown_frame_->trails[0].floor_m.size() >= 4;
  })) << "trails come from the disk";
  for (const auto& [on, state] : {std::pair(1, FrameState::out_of_date), {0, FrameState::current}}) {
    session_->post(command::SetParameter{"flow", "enabled", on});
    EXPECT_TRUE(recorder_->wait_for([&, wanted = state](const Recorder& r) {
      return at(r, 15).state == wanted;
    })) << "the flow is asked for and not there, flow.enabled "
        << on;
  }
  session_->post(command::SetParameter{"carving", "threshold", 0.9});
  EXPECT_TRUE(
      recorder_->wait_for([&](const Recorder& r) { return at(r, 15).state == FrameState::out_of_date; }));
}

TEST_F(SessionTest, ResultsAreThereWhileAProjectPlaysFromItsOpeningOn) {
  open();
  ASSERT_TRUE(recorder_->wait_for_analysis([&] { session_->post(command::Analyse{{30, 40}}); }));
  session_.reset();
  start();
  session_->post(command::SetPlaybackRate{0.01});  // the recording would play for minutes
  session_->post(command::OpenFile{project_.path});
  session_->post(command::Play{});
  EXPECT_TRUE(recorder_->wait_for([](const Recorder& r) {
    return r.status_.playing && r.states_.size() > 35 && r.states_[35].state == FrameState::current;
  }));
}

TEST_F(SessionTest, TracksOfTheResultsAreShownAndRepaired) {
  open();
  session_->post(command::SetParameter{"tracking", "method", static_cast<double>(TrackingMethod::paths)});
  session_->post(command::Analyse{{0, kFrames}});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.tracks_ && !r.status_.analysing; }));
  const auto paths = read_paths(project_.results_folder() / "tracks.csv");
  ASSERT_TRUE(paths && !paths->empty());
  const PersonPath first = recorder_->tracks_->paths.front();
  const size_t people = paths->size();
  EXPECT_EQ(first.points.size(), paths->front().points.size());
  EXPECT_EQ(recorder_->tracks_->frames.size(), static_cast<size_t>(kFrames));
  const auto number_at = [&](const PathPoint& point) {
    session_->post(command::Seek{point.frame});
    EXPECT_TRUE(recorder_->wait_for([&](const Recorder& r) {
      return r.shown_->frame == point.frame && !r.shown_->preview && r.shown_->tracks();
    }));
    return people_of(*recorder_->shown_frame_).at(point.person).id();
  };
  // The first point from there on where the person was found: paths bridge frames between.
  const auto found_from = [&](size_t index) {
    const auto begin = first.points.begin() + static_cast<std::ptrdiff_t>(index);
    return *std::find_if(begin, first.points.end(), [](const PathPoint& point) { return point.person >= 0; });
  };
  EXPECT_EQ(number_at(found_from(0)), first.id)
      << "the paths' number; the frame-by-frame tracker gives none in a first frame";

  const PathPoint cut = found_from(first.points.size() / 2);
  session_->post(command::Edit{"split", [&](Project& project) {
                                 project.repairs = {{RepairKind::split, {cut.frame, cut.x_m, cut.y_m}, {}},
                                                    {RepairKind::remove, {cut.frame, 99, 99}, {}}};
                               }});
  ASSERT_TRUE(recorder_->wait_for([&](const Recorder& r) { return r.tracks_->paths.size() == people + 1; }));
  ASSERT_EQ(recorder_->tracks_->unmet.size(), 1u);
  EXPECT_EQ(recorder_->tracks_->unmet[0].number, 1u);
  const int64_t split_off = recorder_->tracks_->paths.back().id;
  session_->post(command::Seek{0});
  EXPECT_EQ(number_at(cut), split_off);
  session_->post(command::Save{project_.path});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return !r.status_.unsaved; }));
  const auto repaired = read_paths(project_.results_folder() / "repaired.csv");
  ASSERT_TRUE(repaired);
  EXPECT_EQ(repaired->size(), people + 1);
  session_->post(command::Undo{});
  ASSERT_TRUE(recorder_->wait_for([&](const Recorder& r) { return r.tracks_->paths.size() == people; }));
}

TEST_F(SessionTest, ChangesOfAProgramThatDiedCanBeRecovered) {
  const std::filesystem::path kept = autosave_path(project_.path);
  open();
  session_->post(command::SetParameter{"carving", "threshold", 0.9});
  session_->post(command::Autosave{});
  ASSERT_TRUE(recorder_->wait_for([&](const Recorder&) { return std::filesystem::exists(kept); }));
  const std::string left = read_file(kept).value();
  session_->post(command::Undo{});
  session_->post(command::Autosave{});
  EXPECT_TRUE(recorder_->wait_for([&](const Recorder&) { return !std::filesystem::exists(kept); }))
      << "nothing to keep";
  session_.reset();
  ASSERT_TRUE(write_file_atomically(kept, left)) << "as after a crash";
  start();
  open();
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.status_.recoverable_s > 0; }));
  EXPECT_FALSE(recorder_->status_.unsaved) << "nothing is taken over unasked";
  session_->post(command::Recover{});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.status_.unsaved; }));
  EXPECT_EQ(recorder_->opened_.parameters.get("carving", "threshold").value(), 0.9);
  EXPECT_EQ(recorder_->status_.recoverable_s, 0);
  session_->post(command::Save{project_.path});
  EXPECT_TRUE(recorder_->wait_for(
      [&](const Recorder& r) { return !r.status_.unsaved && !std::filesystem::exists(kept); }));
  EXPECT_EQ(load_project(project_.path)->parameters.get("carving", "threshold").value(), 0.9);
}

TEST_F(SessionTest, StoppingKeepsCompleteResults) {
  open();
  session_->post(command::Analyse{{0, kFrames}});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.analyses_begun_ > 0; }));
  session_->post(command::Stop{});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.analyses_ended_ > 0; }));
  const auto text = read_file(project_.results_folder() / "results.jsonl");
  ASSERT_TRUE(text);
  EXPECT_EQ(text->back(), '\n');
  EXPECT_TRUE(recorder_->errors_.empty());
}

TEST_F(SessionTest, EditsOfTheProjectUndoAndRedo) {
  open();
  session_->post(command::Seek{20});
  ASSERT_TRUE(recorder_->wait_for_exact(20));
  const VoxelGrid before = recorder_->shown_->volume()->grid;
  session_->post(command::Edit{"box", [](Project& p) { p.boxes = {{"box 1", {{1, 0, 0}, {1, 1, 1}, 0}}}; }});
  session_->post(command::Edit{"box", [](Project& p) { p.boxes[0].box.turn_degrees = 30; }});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) {
    return !r.opened_.boxes.empty() && r.opened_.boxes[0].box.turn_degrees == 30 && r.status_.unsaved &&
           !r.status_.undoes.empty();
  }));
  const FrameResultRef shown = recorder_->shown_;
  session_->post(command::Undo{});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) {
    return r.opened_.boxes.empty() && !r.status_.unsaved && r.status_.undoes.empty();
  })) << "the steps of one drag are one change";
  EXPECT_EQ(recorder_->shown_, shown) << "a box needs no analysis";

  VoxelGrid smaller = before;
  smaller.nx /= 2;
  const auto shows_width = [](int nx) {
    return [nx](const Recorder& r) {
      return r.shown_->volume() && r.shown_->volume()->grid.nx == nx && r.shown_->frame == 20;
    };
  };
  session_->post(command::Edit{"region", [&](Project& p) { p.grid = smaller; }});
  ASSERT_TRUE(recorder_->wait_for(shows_width(smaller.nx))) << "at the same frame";
  session_->post(command::Undo{});
  ASSERT_TRUE(recorder_->wait_for(shows_width(before.nx)));
  session_->post(command::Redo{});
  ASSERT_TRUE(recorder_->wait_for(shows_width(smaller.nx)));
  EXPECT_TRUE(recorder_->errors_.empty());

  const std::string damaged = (folder_.path() / "damaged.mp4").string();
  ASSERT_TRUE(write_file_atomically(damaged, "no video"));
  session_->post(command::Edit{"cameras", [&](Project& p) { p.cameras[0].video = damaged; }});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.errors_.size() == 1; }));
  session_->post(command::Seek{21});
  EXPECT_TRUE(recorder_->wait_for_exact(21)) << "the project stays as it was";
  EXPECT_NE(recorder_->opened_.cameras[0].video, damaged);
}

TEST_F(SessionTest, WhatLiesOutsideTheProjectIsAStepOfTheSameHistory) {
  open();
  ASSERT_TRUE(recorder_->wait_for_exact(0));
  const auto undoes = [](const std::string& what) {
    return [what](const Recorder& r) { return r.status_.undoes == what; };
  };
  int marks = 2;  // two were made outside, between two edits
  const auto did = [&](const std::string& what) {
    session_->post(command::Did{what, [&] { --marks; }, [&] { ++marks; }});
  };
  session_->post(command::Edit{"rules", [](Project& p) { p.rules = {{.name = "rule 1"}}; }});
  did("Seen of Event 1");
  did("Seen of Event 1");
  session_->post(command::SetParameter{"carving", "threshold", 0.3});
  ASSERT_TRUE(recorder_->wait_for(undoes("Volume: Agreement")));
  // The front end carries out its own steps, and is told of each.
  const auto repeat = [&](const SessionCommand& how, size_t steps) {
    session_->post(how);
    ASSERT_TRUE(recorder_->wait_for([&](const Recorder& r) { return r.steps_.size() == steps; }));
    if (const auto& carry_out = recorder_->steps_.back().carry_out) carry_out();
  };
  repeat(command::Undo{}, 1);
  EXPECT_EQ(recorder_->steps_[0].what, "Volume: Agreement");
  EXPECT_FALSE(recorder_->steps_[0].carry_out);
  repeat(command::Undo{}, 2);
  repeat(command::Undo{}, 3);
  EXPECT_EQ(marks, 0);
  EXPECT_EQ(recorder_->status().undoes, "rules");
  EXPECT_EQ(recorder_->opened_.rules.size(), 1U) << "the rules stay";
  repeat(command::Redo{}, 4);
  EXPECT_EQ(marks, 1);
  EXPECT_FALSE(recorder_->steps_[3].undone);
  EXPECT_EQ(recorder_->status().redoes, "Seen of Event 1");
  repeat(command::Undo{}, 5);
  repeat(command::Undo{}, 6);
  EXPECT_TRUE(recorder_->opened_.rules.empty());
  EXPECT_TRUE(recorder_->wait_for(undoes("")));
}

TEST(ProjectHistory, KeepsTheLastSteps) {
  ProjectHistory history;
  for (size_t i = 0; i < 2 * ProjectHistory::kMaxSteps; ++i)
    history.note(command::Did{std::to_string(i), [] {}, [] {}});
  size_t steps = 0;
  for (; !history.undoes().empty(); ++steps) history.undo({});
  EXPECT_EQ(steps, ProjectHistory::kMaxSteps);
  EXPECT_EQ(history.redoes(), std::to_string(ProjectHistory::kMaxSteps)) << "the older ones went";
  history.note({}, "box", 1);
  EXPECT_TRUE(history.redoes().empty()) << "another step was done";
}

TEST_F(SessionTest, CutsThroughTheVolumeOfWhatIsShown) {
  open();
  ASSERT_TRUE(recorder_->wait_for_exact(0));
  EXPECT_FALSE(recorder_->shown_frame_->cut);
  session_->post(command::SetCut{CutPlane{2, 0.5}});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.shown_frame_->cut != nullptr; }))
      << "the frame that is there comes again";
  session_->post(command::Seek{20});
  ASSERT_TRUE(recorder_->wait_for(
      [](const Recorder& r) { return r.shown_->frame == 20 && r.shown_frame_->cut && !r.shown_->preview; }));
  const FrameResultRef shown = recorder_->shown_;
  const VolumeCut& cut = *recorder_->shown_frame_->cut;
  EXPECT_EQ(cut.confidence.width(), shown->volume()->grid.nx);
  const ImageView<const float> confidence = cut.confidence.view<float>();
  float most = 0;
  for (int y = 0; y < confidence.height; ++y)
    for (int x = 0; x < confidence.width; ++x) most = std::max(most, confidence.at(x, y));
  EXPECT_GT(most, 0.5F) << "the box stands in it";
  session_->post(command::SetCut{CutPlane{2, 99}});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.errors_.size() == 1; }))
      << "outside: said once";
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return !r.shown_frame_->cut; }));
}

TEST_F(SessionTest, ParametersChangeUndoAndRedo) {
  open();
  session_->post(command::Seek{20});
  ASSERT_TRUE(recorder_->wait_for_exact(20));
  const int64_t before = recorder_->shown_->volume()->counts.get()->occupied;
  const auto occupied = [](const Recorder& r) { return r.shown_->volume()->counts.get()->occupied; };
  const auto is_exact = [](const Recorder& r) {
    return r.shown_->frame == 20 && !r.shown_->preview && r.shown_->volume();
  };
  session_->post(command::SetParameter{"carving", "threshold", 0.3});
  ASSERT_TRUE(recorder_->wait_for([&](const Recorder& r) { return is_exact(r) && occupied(r) != before; }));
  EXPECT_TRUE(
      recorder_->wait_for([](const Recorder& r) { return r.status_.unsaved && !r.status_.undoes.empty(); }));
  session_->post(command::Undo{});
  ASSERT_TRUE(recorder_->wait_for([&](const Recorder& r) { return is_exact(r) && occupied(r) == before; }));
  EXPECT_TRUE(
      recorder_->wait_for([](const Recorder& r) { return !r.status_.unsaved && !r.status_.redoes.empty(); }));
  session_->post(command::Redo{});
  ASSERT_TRUE(recorder_->wait_for([&](const Recorder& r) { return is_exact(r) && occupied(r) != before; }));
  session_->post(command::Save{project_.path});
  EXPECT_TRUE(recorder_->wait_for([](const Recorder& r) { return !r.status_.unsaved; }));
  EXPECT_EQ(load_project(project_.path)->parameters.get("carving", "threshold").value(), 0.3);
  session_->post(command::SetParameter{"carving", "threshold", 30});
  EXPECT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.errors_.size() == 1; })) << "told once";
}

TEST_F(SessionTest, AMissingFileIsToldOnce) {
  session_->post(command::OpenFile{folder_.path() / "nothing.vantage"});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.errors_.size() == 1; }));
  EXPECT_FALSE(recorder_->status_.open);
  open();
  EXPECT_TRUE(recorder_->wait_for_exact(0));
}

// All commands at once, closed at any time.
TEST_F(SessionTest, NoOrderOfCommandsBlocks) {
  const unsigned seed = std::random_device{}();
  std::cout << "seed " << seed << "\n";
  std::mt19937 random(seed);
  for (int round = 0; round < 6; ++round) {
    session_->post(command::OpenFile{project_.path});
    for (int i = 0; i < 40; ++i) {
      const auto frame = static_cast<int64_t>(random() % kFrames);
      switch (random() % 12) {
        case 0:
          session_->post(command::Play{});
          break;
        case 1:
          session_->post(command::Pause{});
          break;
        case 2:
          session_->post(command::Analyse{{frame, kFrames}});
          break;
        case 3:
          session_->post(command::Stop{});
          break;
        case 4:
          session_->post(
              command::SetParameter{"foreground", "distance_low", 1.0 + static_cast<double>(random() % 3)});
          break;
        case 5:
          session_->post(command::Undo{});
          break;
        case 6:
          session_->post(command::SetAnalyseWhilePlaying{random() % 2 == 0});
          break;
        case 7:
          session_->post(command::Step{static_cast<int64_t>(random() % 5) - 2});
          break;
        case 8:
          session_->post(command::SetPlaybackRate{random() % 2 ? 3 : -3});
          break;
        default:
          session_->post(command::Seek{frame});
      }
      if (random() % 3 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(random() % 30));
    }
    if (round % 2) {
      session_.reset();  // during any work
      for (const Error& error : recorder_->errors_) ADD_FAILURE() << error.message();
      start();
    } else {
      session_->post(command::Close{});
    }
  }
  open();
  session_->post(command::Pause{});
  session_->post(command::Seek{30});
  EXPECT_TRUE(recorder_->wait_for_exact(30));
  EXPECT_TRUE(recorder_->errors_.empty());
}

// The GPU is lost at frame 20 of an analysis: its results are complete on disk, and the CPU does the rest.
TEST_F(SessionTest, GoesOnOnTheCpuWhenTheDeviceIsLost) {
  constexpr int64_t kLost = 20, kEnd = 40;
  session_.reset();
  test::add_failing_device(registry_, kLost);
  start(Device::cuda);
  open();
  ASSERT_TRUE(recorder_->wait_for_exact(0));
  EXPECT_FALSE(recorder_->status_.on_cpu);
  session_->post(command::Analyse{{0, kEnd}});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return !r.errors_.empty(); }));
  EXPECT_EQ(recorder_->errors_.back().kind, ErrorKind::device_lost);
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return !r.status_.analysing; }));
  EXPECT_EQ(read_results(project_.results_folder()).value().frames.size(), static_cast<size_t>(kLost))
      << "what was analysed before is complete";

  session_->post(command::ContinueOnCpu{});
  ASSERT_TRUE(recorder_->wait_for([&](const Recorder& r) {
    return r.status_.on_cpu && !r.status_.analysing && r.count(FrameState::current) >= kEnd;
  }));
  EXPECT_EQ(recorder_->errors_.size(), 1u);
  const StoredResults stored = read_results(project_.results_folder()).value();
  ASSERT_EQ(stored.frames.size(), static_cast<size_t>(kEnd));
  for (const StoredFrame& frame : stored.frames)
    EXPECT_EQ(frame.continued, frame.frame >= kLost) << frame.frame;
  for (int64_t frame = 0; frame < kEnd; ++frame)
    EXPECT_EQ(recorder_->states_[frame].continued, frame >= kLost) << frame;
  session_->post(command::Seek{kEnd - 1});
  EXPECT_TRUE(recorder_->wait_for_exact(kEnd - 1));
}

}  // namespace
}  // namespace vantage
