// People shown of a recording with stored results: with the results' IDs only, at once, and repaired only
// where the meant person is.
#include <gtest/gtest.h>

#include <set>

#include "core/algorithms.h"
#include "core/display/lanes.h"
#include "core/results/results_paths.h"
#include "core/session/session.h"
#include "tests/support/data.h"
#include "tests/support/renumbered_results.h"
#include "tests/unit/pipeline/footage.h"
#include "tests/unit/session/session_recorder.h"

namespace vantage {
namespace {

using Recorder = test::SessionRecorder;
using Told = Recorder::Told;

class SessionPeopleTest : public testing::Test {
 protected:
  static constexpr int64_t kFrames = 60, kFar = 45, kAdded = 180;

  void SetUp() override {
    register_cpu_backends(registry_);
    project_ = test::make_footage(folder_.path(), 3, kFrames);
    begin();
    analyse();
    session_.reset();
    test::renumber_results(project_.results_folder(), kAdded);
    paths_ = read_paths(project_.results_folder() / "tracks.csv").value();
    ASSERT_FALSE(paths_.empty());
    begin();
    ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.tracks_ != nullptr; }));
  }
  void begin() {
    SessionOptions options;
    options.backends = &registry_;
    options.device_description = "CPU";
    recorder_ = std::make_shared<Recorder>();
    session_ = Session::make(options, recorder_);
    session_->post(command::OpenFile{project_.path});
    ASSERT_TRUE(
        recorder_->wait_for([](const Recorder& r) { return r.status_.open && r.status_.frame_count_exact; }));
  }
  void analyse() {
    ASSERT_TRUE(recorder_->wait_for_analysis([&] { session_->post(command::Analyse{{0, kFrames}}); }));
    ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.tracks_ != nullptr; }));
  }
  std::multiset<int64_t> numbers_in_results(int64_t frame) const {
    std::multiset<int64_t> numbers;
    for (const PersonPath& path : paths_)
      if (const auto point = path.points.find(frame); point && point->seen) numbers.insert(path.id);
    return numbers;
  }
  static std::multiset<int64_t> numbers_in(const Told& told) {
    std::multiset<int64_t> numbers;
    for (const int64_t number : told.numbers)
      if (number > 0) numbers.insert(number);
    return numbers;
  }
  PlaceInTime place_of(const PersonPath& path, int64_t frame) const {
    const auto point = path.points.find(frame);
    return point ? PlaceInTime{frame, point->x_m, point->y_m} : PlaceInTime();
  }

  const test::TemporaryFolder folder_;
  BackendRegistry registry_;
  Project project_;
  std::vector<PersonPath> paths_;
  std::shared_ptr<Recorder> recorder_;
  std::unique_ptr<Session> session_;
};

TEST_F(SessionPeopleTest, CurrentResultsAreShownAtOncePausedAndPlaying) {
  ASSERT_FALSE(numbers_in_results(kFar).empty());
  ASSERT_TRUE(recorder_->wait_for_exact(0));
  recorder_->forget_told();
  session_->post(command::Seek{kFar});
  ASSERT_TRUE(recorder_->wait_for_exact(kFar));
  session_->post(command::Step{1});
  ASSERT_TRUE(recorder_->wait_for_exact(kFar + 1));
  bool pictures = false, preview = false;
  for (const Told& told : recorder_->told()) {
    if (told.frame != kFar && told.frame != kFar + 1) continue;
    pictures = pictures || !told.computed;
    preview = preview || (told.computed && told.preview);
    EXPECT_TRUE(told.people) << told.frame;
    EXPECT_EQ(numbers_in(told), numbers_in_results(told.frame)) << "frame " << told.frame
                                                                << (told.preview    ? ", a preview"
                                                                    : told.computed ? ""
                                                                                    : ", pictures alone");
  }
  EXPECT_TRUE(pictures) << "drawn before anything was computed";
  EXPECT_TRUE(preview);

  session_->post(command::Seek{5});
  ASSERT_TRUE(recorder_->wait_for_exact(5));
  recorder_->forget_told();
  session_->post(command::Play{});
  ASSERT_TRUE(recorder_->wait_for(
      [](const Recorder& r) { return !r.status_.playing && r.status_.frame == kFrames - 1; }));
  size_t played = 0;
  for (const Told& told : recorder_->told()) {
    EXPECT_EQ(numbers_in(told), numbers_in_results(told.frame)) << told.frame;
    played += !told.computed;
  }
  EXPECT_GT(played, 0u) << "as pictures alone";
}

TEST_F(SessionPeopleTest, NumbersThatAreNotTheResultsAreNeverShown) {
  ASSERT_TRUE(recorder_->wait_for_exact(0));
  recorder_->forget_told();
  session_->post(command::SetParameter{"people", "min_volume_l", 20});
  session_->post(command::Seek{kFar});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) {
    return r.shown_->frame == kFar && !r.shown_->preview && !people_of(*r.shown_frame_).empty();
  }));
  for (const Told& told : recorder_->told()) {
    if (told.frame != kFar) continue;
    EXPECT_TRUE(numbers_in(told).empty()) << "the lanes still call others by the chain's numbers";
  }
  for (const Trail& trail : recorder_->shown_frame()->trails) EXPECT_EQ(trail.id, 0);
  analyse();
  session_->post(command::Seek{kFar - 1});
  ASSERT_TRUE(recorder_->wait_for_exact(kFar - 1));
  paths_ = recorder_->tracks_->paths;
  EXPECT_EQ(numbers_in(recorder_->told().back()), numbers_in_results(kFar - 1)) << "results of these now";
  EXPECT_LT(*numbers_in_results(kFar - 1).begin(), kAdded);
}

TEST_F(SessionPeopleTest, ARepairIsHeldAgainstPlaceAndTimeBeforeItIsWritten) {
  const PersonPath& person = paths_.front();
  const PlaceInTime place = place_of(person, person.points[person.points.size() / 2].frame);
  session_->post(command::Repair{{{RepairKind::remove, place, {}}, person.id - kAdded, 0}});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.errors_.size() == 1; }))
      << "the place is not that person's";
  EXPECT_NE(recorder_->errors().back().message().find("is not at"), std::string::npos)
      << recorder_->errors().back().message();
  PlaceInTime elsewhere = place;
  elsewhere.x_m += 3;
  session_->post(command::Repair{{{RepairKind::remove, elsewhere, {}}, person.id, 0}});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.errors_.size() == 2; }));
  EXPECT_TRUE(recorder_->opened_.repairs.empty());
  session_->post(command::Repair{{{RepairKind::remove, place, {}}, person.id, 0}});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.opened_.repairs.size() == 1; }));
  ASSERT_TRUE(recorder_->wait_for(
      [&](const Recorder& r) { return r.tracks_ && r.tracks_->paths.size() + 1 == paths_.size(); }));
  session_->post(command::Repair{{{RepairKind::remove, place, {}}, person.id, 0}});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.errors_.size() == 3; }))
      << "a second key press: nobody is there any more";
  session_->post(command::Undo{});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.opened_.repairs.empty(); }));
}

}  // namespace
}  // namespace vantage
