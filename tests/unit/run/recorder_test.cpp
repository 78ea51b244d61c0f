// Recordings of live cameras against what the live analysis saw, while and after they are made.
#include "core/run/recorder.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <map>
#include <mutex>
#include <random>
#include <sstream>
#include <thread>

#include "core/base/file.h"
#include "core/base/process_owner.h"
#include "core/live/live_relay.h"
#include "core/live/recording_writer.h"
#include "core/seal/recording_seal.h"
#include "core/seal/verify_recording.h"
#include "core/video/segments/segment_index.h"
#include "tests/support/loop_size.h"
#include "tests/unit/live/numbered_footage.h"

namespace vantage::test {
namespace {

using Numbers = std::map<int64_t, std::vector<int>>;  // by set, then by camera; -1: no picture

Project live_project(const LiveFrameSourceOptions& options) {
  Project project;
  project.parameters = default_parameters();
  EXPECT_TRUE(project.parameters.set("recording", "segment_s", 1));
  EXPECT_TRUE(project.parameters.set("recording", "reserve_gb", 0));
  for (const FrameSourceCamera& camera : options.source.cameras) {
    project.cameras.emplace_back();
    project.cameras.back().name = camera.name;
    project.cameras.back().video = camera.path;
  }
  return project;
}

std::vector<int> numbers_in(const FrameSet& set) {
  std::vector<int> numbers;
  for (const CameraFrame& camera : set.cameras)
    numbers.push_back(camera.picture ? number_in(camera.picture) : -1);
  return numbers;
}

void watch(LiveFrameSource& live, int sets, Numbers* seen) {
  for (int i = 0; i < sets; ++i) {
    const auto number = live.next({});
    ASSERT_TRUE(number);
    const auto set = live.read(*number);
    ASSERT_TRUE(set);
    (*seen)[*number] = numbers_in(*set);
    live.note_result(*number);
  }
}

std::unique_ptr<FrameSource> open_recorded(const Project& project) {
  FrameSourceOptions options;
  for (const ProjectCamera& camera : project.cameras) options.cameras.push_back({camera.name, camera.video});
  auto opened = FrameSource::open(std::move(options));
  EXPECT_TRUE(opened) << opened.error().message();
  return opened ? std::move(*opened) : nullptr;
}

// Every set that was seen, as far as it is recorded. How many are the same.
int compare(FrameSource& recorded, const Numbers& seen) {
  int same = 0;
  for (const auto& [frame, numbers] : seen) {
    const auto set = recorded.read(frame);
    if (!set && set.error().kind == ErrorKind::end_of_stream) break;
    EXPECT_TRUE(set) << set.error().message();
    if (!set) break;
    const std::vector<int> there = numbers_in(*set);
    for (size_t c = 0; c < there.size(); ++c)
      EXPECT_TRUE(there[c] == numbers[c]) << "set " << frame << ", camera " << c << ": " << there[c]
                                          << ", seen " << numbers[c] << ", " << set->cameras[c].problem;
    same += there == numbers;
  }
  return same;
}

// The verdicts on a camera's segments, each as sealed. `finished`: with the ends of their seals; otherwise
// those of the last two may be missing.
std::vector<SealVerdict> sealed(const ProjectCamera& camera, bool finished) {
  std::vector<SealVerdict> verdicts;
  const auto files = files_to_seal(camera.video);
  EXPECT_TRUE(files && !files->empty());
  if (!files) return verdicts;
  for (const std::filesystem::path& file : *files) {
    const bool last_two = file == files->back() || (files->size() > 1 && file == *std::prev(files->end(), 2));
    const bool may_lack = !finished && last_two;
    const auto verdict = verify_recording(file);
    EXPECT_TRUE(verdict || may_lack) << (verdict ? "" : verdict.error().message());
    if (!verdict) continue;
    for (const SealFinding& one : verdict->findings)
      ADD_FAILURE() << file << ": " << finding_text(*verdict, one);
    EXPECT_TRUE(verdict->finished || may_lack) << file;
    // A file that is equal as a whole is not read packet by packet: here it is.
    const auto packets = PacketDigests::open(file);
    const auto seal = read_seal(seal_path(file));
    EXPECT_TRUE(packets && seal);
    if (!packets || !seal) continue;
    EXPECT_EQ((*packets)->streams(), seal->head.streams);
    const auto found =
        compare_packets(seal->groups, [&](PacketDigest* one) { return (*packets)->next(one); });
    EXPECT_TRUE(found && (found->empty() || !verdict->finished)) << file;
    EXPECT_GT(verdict->groups, 0) << file;
    verdicts.push_back(*verdict);
  }
  for (const std::string& fault : faults_between(verdicts)) ADD_FAILURE() << fault;
  return verdicts;
}

// Stand-in cameras, watched, and a folder to record into.
class RecorderTest : public testing::Test {
 protected:
  void serve(StreamServerOptions served) {
    server_.reset();
    auto server = StreamServer::start(std::move(served));
    ASSERT_TRUE(server) << server.error().message();
    server_ = std::move(*server);
  }
  void watch_live(LiveFrameSourceOptions options) {
    options_ = std::move(options);
    auto live = LiveFrameSource::open(options_);
    ASSERT_TRUE(live) << live.error().message();
    live_ = std::move(*live);
  }
  // Both, of that footage.
  void begin(const NumberedFootage& footage, int cameras) {
    serve(footage.served(cameras));
    if (server_) watch_live(watching(*server_, cameras));
  }
  std::filesystem::path path() const { return folder_.path() / "hall.vantage"; }
  std::unique_ptr<Recorder> record(const Project& project, const std::filesystem::path& path) {
    auto recorder = Recorder::start(project, path, *live_);
    EXPECT_TRUE(recorder) << recorder.error().message();
    return recorder ? std::move(*recorder) : nullptr;
  }
  std::unique_ptr<Recorder> record() { return record(live_project(options_), path()); }
  void watch_sets(int sets) { watch(*live_, sets, &seen_); }
  // However many sets a busy machine needs until then.
  template <typename Condition>
  void watch_until(const Condition& condition) {
    constexpr int kMax = 3000;
    for (int i = 0; i < kMax && !condition(); ++i) ASSERT_NO_FATAL_FAILURE(watch_sets(1));
    EXPECT_TRUE(condition()) << "after " << kMax << " sets";
  }
  // So many sets that were seen can be read by now.
  void watch_until_recorded(const Recorder& recorder, int sets) {
    watch_until([&] {
      const RecordingState state = recorder.state();
      return state.first_frame >= 0 &&
             std::distance(seen_.lower_bound(state.first_frame), seen_.upper_bound(state.last_frame)) >= sets;
    });
  }
  // The sets in transit when the recording began are not in it, and a busy machine has more of them.
  void forget_unrecorded(FrameSource& recorded) {
    const size_t all = seen_.size();
    const auto is_recorded = [&] {
      const auto set = recorded.read(seen_.begin()->first);
      return set && numbers_in(*set) == seen_.begin()->second;
    };
    while (!seen_.empty() && !is_recorded()) seen_.erase(seen_.begin());
    EXPECT_GT(seen_.size(), all / 2);
  }

  const TemporaryFolder folder_;
  std::unique_ptr<StreamServer> server_;
  LiveFrameSourceOptions options_;
  std::unique_ptr<LiveFrameSource> live_;
  Numbers seen_;
};

TEST_F(RecorderTest, WhatWasSeenIsRecordedAndCanBeSteppedWhileItRuns) {
  const NumberedFootage footage(2);
  begin(footage, 2);
  ASSERT_TRUE(live_);
  const auto recorder = record();
  ASSERT_TRUE(recorder);
  EXPECT_FALSE(Recorder::start(live_project(options_), path(), *live_)) << "overwrites";

  watch_until_recorded(*recorder, 20);
  const auto growing = open_recorded(recorder->project());
  ASSERT_TRUE(growing);
  EXPECT_FALSE(growing->frame_count_exact());
  forget_unrecorded(*growing);
  EXPECT_GE(compare(*growing, seen_), 10);
  watch_sets(40);
  ASSERT_TRUE(recorder->finish());
  EXPECT_GE(recorder->state().last_frame, seen_.rbegin()->first);
  EXPECT_EQ(recorder->state().lost_packets, 0);
  EXPECT_EQ(compare(*growing, seen_), static_cast<int>(seen_.size())) << "the reader did not follow";

  const auto project = load_project(path());
  ASSERT_TRUE(project) << project.error().message();
  const auto recorded = open_recorded(*project);
  ASSERT_TRUE(recorded);
  EXPECT_TRUE(recorded->frame_count_exact());
  EXPECT_GT(recorded->frame_count(), seen_.rbegin()->first);
  EXPECT_DOUBLE_EQ(recorded->frame_rate(), 25);
  EXPECT_EQ(recorded->info(0).codec, "h264");
  EXPECT_EQ(compare(*recorded, seen_), static_cast<int>(seen_.size()));
  std::mt19937_64 random(test_seed());
  RecordProperty("seed", std::to_string(test_seed()));
  for (int i = 0; i < 20; ++i) {
    const auto at = std::next(seen_.begin(), static_cast<int>(random() % seen_.size()));
    const auto set = recorded->read(at->first);
    ASSERT_TRUE(set);
    EXPECT_EQ(numbers_in(*set), at->second) << "set " << at->first << ", seed " << test_seed();
  }
}

TEST_F(RecorderTest, EverySegmentIsSealedAndFollowsTheOneBefore) {
  const NumberedFootage footage(2);
  begin(footage, 2);
  ASSERT_TRUE(live_);
  const auto recorder = record();
  ASSERT_TRUE(recorder);
  const ProjectCamera camera = recorder->project().cameras[1];
  watch_until([&] { return std::filesystem::exists(segment_path(segments_folder(camera.video), 3)); });
  ASSERT_TRUE(recorder->finish());
  sealed(recorder->project().cameras[0], true);
  const std::vector<SealVerdict> verdicts = sealed(camera, true);
  ASSERT_GE(verdicts.size(), 4U);

  // One that is gone from the middle, one of another recording.
  std::vector<SealVerdict> other = verdicts;
  other.erase(other.begin() + 1);
  EXPECT_EQ(faults_between(other).size(), 1U);
  other = verdicts;
  std::swap(other[1], other[2]);
  EXPECT_FALSE(faults_between(other).empty());
  other = verdicts;
  other[2] = sealed(recorder->project().cameras[0], true)[2];
  EXPECT_FALSE(faults_between(other).empty());

  // A byte of a picture, and of the seal.
  std::string bytes = read_file(verdicts[1].file).value();
  bytes[bytes.size() / 2] ^= 1;
  ASSERT_TRUE(write_file_atomically(verdicts[1].file, bytes));
  EXPECT_FALSE(verify_recording(verdicts[1].file)->untouched());
  std::string seal = read_file(seal_path(verdicts[2].file)).value();
  seal[seal.size() / 2] ^= 1;
  ASSERT_TRUE(write_file_atomically(seal_path(verdicts[2].file), seal));
  EXPECT_FALSE(verify_recording(verdicts[2].file)->untouched());
}

// Pictures that come behind a segment's start and are shown before it are in the segment before.
TEST_F(RecorderTest, NoPictureIsLostBetweenSegmentsOfOpenGroups) {
  VANTAGE_NEED_FFMPEG();
  const NumberedFootage footage(1);
  StreamServerOptions open;
  open.cameras = {{"cam1", (footage.folder.path() / "open.mp4").string()}};
  if (!run_ffmpeg("-i " + footage.path(0) +
                  " -c:v libx264 -crf 12 -bf 2 -x264-params open-gop=1:keyint=8:min-keyint=8:scenecut=0 " +
                  open.cameras[0].path))
    GTEST_SKIP() << "this ffmpeg has no x264";
  serve(std::move(open));
  ASSERT_TRUE(server_);
  watch_live(watching(*server_, 1));
  ASSERT_TRUE(live_);
  const auto recorder = record();
  ASSERT_TRUE(recorder);
  const std::filesystem::path video = recorder->project().cameras[0].video;
  watch_sets(60);
  watch_until([&] { return std::filesystem::exists(segment_path(segments_folder(video), 2)); });
  ASSERT_TRUE(recorder->finish());
  sealed(recorder->project().cameras[0], true);
  const auto recorded = open_recorded(recorder->project());
  ASSERT_TRUE(recorded);
  forget_unrecorded(*recorded);
  EXPECT_EQ(compare(*recorded, seen_), static_cast<int>(seen_.size()));
  for (auto at = seen_.rbegin(); at != seen_.rend(); ++at) {  // each reached by a jump
    const auto set = recorded->read(at->first);
    ASSERT_TRUE(set);
    EXPECT_EQ(numbers_in(*set), at->second) << "set " << at->first << ": " << set->cameras[0].problem;
  }
}

// A camera that brings pictures, as one at this machine does: they are encoded. Beside one that streams.
TEST_F(RecorderTest, PicturesWithoutAStreamAreEncodedAndRecorded) {
  const NumberedFootage footage(2);
  serve(footage.served(1));
  ASSERT_TRUE(server_);
  LiveFrameSourceOptions options = watching(*server_, 1);
  options.source.cameras.push_back({"cam2", "paced://" + footage.path(1)});
  watch_live(std::move(options));
  ASSERT_TRUE(live_);
  watch_sets(5);
  const auto recorder = record();
  ASSERT_TRUE(recorder);
  seen_.clear();
  watch_sets(60);
  ASSERT_TRUE(recorder->finish());
  for (const ProjectCamera& camera : recorder->project().cameras) sealed(camera, true);
  const auto recorded = open_recorded(recorder->project());
  ASSERT_TRUE(recorded);
  forget_unrecorded(*recorded);
  int same = 0, with_picture = 0;
  for (const auto& [frame, numbers] : seen_) {
    const auto set = recorded->read(frame);
    ASSERT_TRUE(set);
    with_picture += numbers[1] >= 0;
    same += numbers_in(*set)[1] == numbers[1] && numbers[1] >= 0;
  }
  EXPECT_EQ(same, with_picture);
  EXPECT_GE(same, 20);
}

TEST_F(RecorderTest, AnOutageIsAGapAndANewSegment) {
  const NumberedFootage footage(2);
  begin(footage, 2);
  ASSERT_TRUE(live_);
  const auto recorder = record();
  ASSERT_TRUE(recorder);
  const auto last_sets = [&](int sets, bool here) {
    return std::distance(seen_.begin(), seen_.end()) >= sets &&
           std::all_of(seen_.rbegin(), std::next(seen_.rbegin(), sets),
                       [&](const auto& set) { return (set.second[1] >= 0) == here; });
  };
  watch_until_recorded(*recorder, 10);
  server_->set_away(1, true);
  watch_until([&] { return last_sets(5, false); });
  server_->set_away(1, false);
  watch_until([&] { return last_sets(30, true); });
  ASSERT_TRUE(recorder->finish());
  const auto recorded = open_recorded(recorder->project());
  ASSERT_TRUE(recorded);
  forget_unrecorded(*recorded);
  // A picture decoded from the middle of a group of pictures, before the first start of a connection, is not
  // kept.
  constexpr int kGroup = 10;
  int unkept = 0, gaps = 0;
  for (const auto& [frame, numbers] : seen_) {
    const auto set = recorded->read(frame);
    ASSERT_TRUE(set);
    const std::vector<int> there = numbers_in(*set);
    EXPECT_EQ(there[0], numbers[0]) << frame;
    EXPECT_TRUE(there[1] == numbers[1] || there[1] < 0) << frame;
    unkept += there[1] != numbers[1];
    gaps += numbers[1] < 0 && !set->cameras[1].problem.empty();
  }
  EXPECT_LE(unkept, kGroup);
  EXPECT_GE(gaps, 5);
}

// The camera comes back with another size, codec and rate.
TEST_F(RecorderTest, AChangedStreamIsTakenUp) {
  VANTAGE_NEED_FFMPEG();
  const NumberedFootage footage(1), large(1, {PictureLayout::i420, 320, 192});
  StreamServerOptions changed;
  changed.cameras = {{"cam1", (large.folder.path() / "changed.mp4").string()}};
  if (!run_ffmpeg("-i " + large.path(0) +
                  " -r 12.5 -c:v libx265 -x265-params keyint=5:open-gop=0:log-level=none " +
                  changed.cameras[0].path))
    GTEST_SKIP() << "this ffmpeg has no x265";
  serve(footage.served(1));
  ASSERT_TRUE(server_);
  LiveFrameSourceOptions options = watching(*server_, 1);
  options.sizes = {{kNumberedFormat.width, kNumberedFormat.height}};
  watch_live(std::move(options));
  ASSERT_TRUE(live_);
  const auto recorder = record();
  ASSERT_TRUE(recorder);
  watch_sets(20);
  changed.port = server_->port();
  serve(std::move(changed));
  ASSERT_TRUE(server_);
  watch_until(
      [&] { return live_->info(0).codec == "hevc" && live_->health().cameras[0].declared_rate < 25; });
  watch_sets(40);
  EXPECT_EQ(live_->info(0).codec, "hevc");
  EXPECT_EQ(live_->info(0).width_px, kNumberedFormat.width);
  EXPECT_DOUBLE_EQ(live_->health().cameras[0].declared_rate, 12.5);
  EXPECT_EQ(live_->health().cameras[0].reconnections, 1);
  ASSERT_TRUE(recorder->finish());
  sealed(recorder->project().cameras[0], true);
  const auto recorded = open_recorded(recorder->project());
  ASSERT_TRUE(recorded);
  forget_unrecorded(*recorded);
  EXPECT_EQ(compare(*recorded, seen_), static_cast<int>(seen_.size()));
}

TEST_F(RecorderTest, OldPartsAreRemovedAndAFullDiskEndsOnlyTheRecording) {
  const NumberedFootage footage(1);
  begin(footage, 1);
  ASSERT_TRUE(live_);
  Project project = live_project(options_);
  ASSERT_TRUE(project.parameters.set("recording", "keep_gb", 1e-6));
  const auto recorder = record(project, path());
  ASSERT_TRUE(recorder);
  watch_until_recorded(*recorder, 1);
  const int64_t oldest = recorder->state().first_frame;
  watch_until([&] { return recorder->state().first_frame > oldest + 20; });
  ASSERT_TRUE(recorder->finish());
  const auto recorded = open_recorded(recorder->project());
  ASSERT_TRUE(recorded);
  const auto gone = recorded->read(oldest), kept = recorded->read(seen_.rbegin()->first);
  ASSERT_TRUE(gone && kept);
  EXPECT_NE(gone->cameras[0].problem.find("no longer kept"), std::string::npos) << gone->cameras[0].problem;
  EXPECT_EQ(numbers_in(*kept), seen_.rbegin()->second);

  ASSERT_TRUE(project.parameters.set("recording", "reserve_gb", 1e6));
  const auto full = record(project, folder_.path() / "full.vantage");
  ASSERT_TRUE(full);
  watch_until([&] { return !full->state().recording; });
  EXPECT_NE(full->state().problem.find("free"), std::string::npos);
  EXPECT_FALSE(full->finish());
}

// ---- before it was asked for

// The first set whose pictures all came in packets that were seen: on a busy machine many are in transit.
class FirstKnownSet final : public LiveTap {
 public:
  void on_packet(size_t camera, const StreamPacket& packet) override {
    const std::lock_guard lock(mutex_);
    first_.try_emplace(camera, packet.number);
  }
  void on_set(const TappedSet& set) override {
    const std::lock_guard lock(mutex_);
    bool known = true;
    for (size_t i = 0; i < set.packets.size(); ++i)
      known = known && first_.contains(i) && set.packets[i] >= first_[i];
    if (known && frame_ < 0) frame_ = set.frame;
  }
  int64_t frame() const {
    const std::lock_guard lock(mutex_);
    return frame_;
  }

 private:
  mutable std::mutex mutex_;
  std::map<size_t, int64_t> first_;  // packet, by camera
  int64_t frame_ = -1;
};

TEST_F(RecorderTest, ARecordingBeginsBeforeItWasAskedFor) {
  const NumberedFootage footage(2);
  begin(footage, 2);
  ASSERT_TRUE(live_);
  constexpr double kKept_s = 60;
  live_->keep_packets(kKept_s);
  const auto probe = std::make_shared<FirstKnownSet>();
  live_->add_tap(probe, LiveRelay::kNewest);
  watch_until([&] { return probe->frame() >= 0 && seen_.rbegin()->first > probe->frame() + 40; });
  live_->remove_tap(*probe);
  const int64_t wanted = probe->frame() + 20;
  const auto recorder = Recorder::start(live_project(options_), path(), *live_, {.first_set = wanted});
  ASSERT_TRUE(recorder) << recorder.error().message();
  EXPECT_GE((*recorder)->begun_with(), 0);
  EXPECT_LE((*recorder)->begun_with(), wanted);
  watch_sets(20);
  ASSERT_TRUE((*recorder)->finish());
  EXPECT_LE((*recorder)->state().first_frame, wanted);
  EXPECT_EQ((*recorder)->state().lost_packets, 0);
  const auto recorded = open_recorded((*recorder)->project());
  ASSERT_TRUE(recorded);
  std::erase_if(seen_, [&](const auto& set) { return set.first < wanted; });
  EXPECT_EQ(compare(*recorded, seen_), static_cast<int>(seen_.size()));
}

// ---- the past

RecordingParameters past_of(double minutes, double gigabytes) {
  RecordingParameters limits;
  limits.past_min = minutes, limits.past_gb = gigabytes;
  return limits;
}

TEST_F(RecorderTest, ThePastIsKeptWithinItsLimitsBesideARecordingAndGoes) {
  const NumberedFootage footage(2);
  begin(footage, 2);
  ASSERT_TRUE(live_);
  const std::filesystem::path pasts = folder_.path() / "past";
  auto past = Past::start(live_project(options_), *live_, pasts);
  ASSERT_TRUE(past) << past.error().message();
  const auto entries = [&] { return std::distance(std::filesystem::directory_iterator(pasts), {}); };
  EXPECT_EQ(entries(), 2) << "a folder and its owner";
  const auto recorder = record();
  ASSERT_TRUE(recorder);
  watch_until([&] { return (*past)->state().last_frame > 20 && recorder->state().last_frame > 20; });
  const auto kept = open_recorded((*past)->project());
  ASSERT_TRUE(kept);
  forget_unrecorded(*kept);
  EXPECT_GE(compare(*kept, seen_), 10);
  const int64_t oldest = (*past)->state().first_frame;
  constexpr double kNearlyNothing_gb = 1e-6;
  (*past)->set_limits(past_of(2, kNearlyNothing_gb));
  watch_until([&] { return (*past)->state().first_frame > oldest + 20; });
  EXPECT_TRUE((*past)->state().recording);
  past->reset();
  EXPECT_EQ(entries(), 0);
  watch_sets(5);
  EXPECT_TRUE(recorder->state().recording) << "the recording is another";
  ASSERT_TRUE(recorder->finish());
}

// Others may look at what is on the disk: the past while it reaches back so far, else the recording.
TEST_F(RecorderTest, WhatIsKeptIsFoundByItsFrames) {
  KeptPictures kept;
  EXPECT_EQ(kept.recording({0, 1}).error().kind, ErrorKind::not_found);
  const NumberedFootage footage(1);
  begin(footage, 1);
  ASSERT_TRUE(live_);
  auto past = Past::start(live_project(options_), *live_, folder_.path() / "past");
  ASSERT_TRUE(past) << past.error().message();
  const auto recorder = record();
  ASSERT_TRUE(recorder);
  kept.set(past->get(), recorder.get());
  watch_until([&] { return (*past)->state().last_frame > 10 && recorder->state().last_frame > 10; });
  const int64_t first = std::max((*past)->state().first_frame, recorder->state().first_frame);
  EXPECT_EQ(kept.recording({first, first + 5}).value().path, (*past)->project().path);
  const auto later = kept.recording({first, first + 1'000'000});
  ASSERT_FALSE(later);
  EXPECT_NE(later.error().remedy.find("Kept are the frames"), std::string::npos) << later.error().remedy;
  kept.set(nullptr, recorder.get());
  EXPECT_EQ(kept.recording({first, first + 5}).value().path, recorder->project().path);
  kept.set(nullptr, nullptr);
  EXPECT_FALSE(kept.recording({first, first + 5}));
  ASSERT_TRUE(recorder->finish());
}

TEST_F(RecorderTest, AFullDiskEndsThePastAlone) {
  const NumberedFootage footage(1);
  begin(footage, 1);
  ASSERT_TRUE(live_);
  Project project = live_project(options_);
  ASSERT_TRUE(project.parameters.set("recording", "reserve_gb", 1e6));
  const auto past = Past::start(project, *live_, folder_.path() / "past");
  ASSERT_TRUE(past);
  watch_until([&] { return !(*past)->state().recording; });
  EXPECT_NE((*past)->state().problem.find("free"), std::string::npos);
  watch_sets(5);
}

TEST_F(RecorderTest, APastThatWasLeftBehindIsRemovedByTheNext) {
  const NumberedFootage footage(1);
  begin(footage, 1);
  ASSERT_TRUE(live_);
  const std::filesystem::path pasts = folder_.path() / "past";
  ProcessOwner gone = this_process();
  gone.process = 1, gone.started_ticks = -1;
  for (const auto& [name, owner] : {std::pair{"dead", gone}, {"mine", this_process()}}) {
    ASSERT_TRUE(make_folder(pasts / name));
    ASSERT_TRUE(write_file_atomically(pasts / (name + std::string(".owner")), owner_to_json(owner)));
  }
  ASSERT_EQ(state_of(gone), OwnerState::gone);
  const auto past = Past::start(live_project(options_), *live_, pasts);
  ASSERT_TRUE(past) << past.error().message();
  EXPECT_FALSE(std::filesystem::exists(pasts / "dead"));
  EXPECT_FALSE(std::filesystem::exists(pasts / "dead.owner"));
  EXPECT_TRUE(std::filesystem::exists(pasts / "mine"));
}

TEST(RecordingPath, SaysWhenAndOverwritesNothing) {
  const TemporaryFolder folder;
  const std::filesystem::path first = recording_path(folder.path() / "hall.vantage");
  EXPECT_TRUE(first.filename().string().starts_with("hall-20")) << first;
  EXPECT_EQ(first.extension(), ".vantage");
  EXPECT_EQ(first.parent_path(), folder.path());
  ASSERT_TRUE(write_file_atomically(first, ""));
  EXPECT_FALSE(std::filesystem::exists(recording_path(folder.path() / "hall.vantage")));
}

// ---- killed

// The program that is killed: records until then. Started by the test below.
TEST(RecorderChild, DISABLED_Records) {
  const char* job = std::getenv("VANTAGE_TEST_RECORD");  // ADDRESS ADDRESS PROJECT
  ASSERT_TRUE(job);
  std::istringstream words(job);
  LiveFrameSourceOptions options;
  std::string word;
  options.live.bound_s = 1;  // as watching()
  for (int c = 1; c <= 2 && words >> word; ++c)
    options.source.cameras.push_back({"cam" + std::to_string(c), word});
  words >> word;
  const auto live = LiveFrameSource::open(options);
  ASSERT_TRUE(live);
  const auto recorder = Recorder::start(live_project(options), word, **live);
  ASSERT_TRUE(recorder);
  Numbers seen;
  for (;;) watch(**live, 25, &seen);
}

pid_t start_child(const StreamServer& server, const std::filesystem::path& project) {
  const std::string job = server.address(0) + " " + server.address(1) + " " + project.string();
  const pid_t child = ::fork();
  if (child != 0) return child;
  ::setenv("VANTAGE_TEST_RECORD", job.c_str(), 1);
  ::freopen("/dev/null", "w", stdout);
  ::execl("/proc/self/exe", "live_test", "--gtest_also_run_disabled_tests",
          "--gtest_filter=RecorderChild.DISABLED_Records", nullptr);
  ::_exit(127);
}

int64_t playable_frames(const std::filesystem::path& segment) {
  const auto source = open_video(segment.string(), {});
  if (!source) return 0;
  int64_t frames = 0;
  while ((*source)->read()) ++frames;
  return frames;
}

// What a camera's index says on disk: the pictures of each segment, and the last set that can be read.
struct Indexed {
  std::map<int, int64_t> pictures;
  int64_t last_set = -1;
};

Indexed indexed(const std::filesystem::path& folder) {
  Indexed found;
  std::error_code none;
  for (const auto& file : std::filesystem::directory_iterator(folder, none)) {
    if (file.path().extension() != ".txt") continue;
    std::istringstream lines(read_file(file.path()).value_or(""));
    std::string kind;
    for (int64_t number = 0; lines >> kind >> number;) {
      int segment = 0;
      if (kind == "T") found.last_set = std::max(found.last_set, number);
      if (kind == "S") lines >> segment;
      if (kind != "P") continue;
      int64_t time_ms = 0;
      if (lines >> segment >> time_ms) ++found.pictures[segment];
    }
  }
  return found;
}

void check_killed(const std::filesystem::path& path) {
  const auto project = load_project(path);
  ASSERT_TRUE(project) << project.error().message();
  const auto recorded = open_recorded(*project);
  ASSERT_TRUE(recorded);
  EXPECT_TRUE(recorded->frame_count_exact());
  int64_t pictures = 0;
  for (int64_t frame = 0; frame < recorded->frame_count(); ++frame) {
    const auto set = recorded->read(frame);
    ASSERT_TRUE(set) << set.error().message();
    for (const CameraFrame& camera : set->cameras) {
      pictures += static_cast<bool>(camera.picture);
      EXPECT_EQ(camera.problem.find("decode"), std::string::npos) << camera.problem;
    }
  }
  EXPECT_GT(pictures, recorded->frame_count());
  for (const ProjectCamera& camera : project->cameras) {
    const std::filesystem::path folder = segments_folder(camera.video);
    const Indexed index = indexed(folder);
    EXPECT_GE(index.pictures.size(), 1u);
    for (const auto& [segment, named] : index.pictures)
      EXPECT_GE(playable_frames(segment_path(folder, segment)), named) << "segment " << segment;
    EXPECT_FALSE(sealed(camera, false).empty());
  }
}

// VANTAGE_TEST_KILLS: how often, each some random sets after the index came to be.
TEST_F(RecorderTest, AKilledRecordingOpens) {
  const NumberedFootage footage(2);
  serve(footage.served(2));
  ASSERT_TRUE(server_);
  const int times = loop_size("VANTAGE_TEST_KILLS", 1);
  std::mt19937_64 random(test_seed());
  for (int i = 0; i < times; ++i) {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder.path() / "hall.vantage";
    const pid_t child = start_child(*server_, path);
    ASSERT_GT(child, 0);
    const int sets = 20 + static_cast<int>(random() % 75), more_ms = static_cast<int>(random() % 500);
    constexpr int kLooks = 6000;
    for (int i = 0; i < kLooks && indexed(folder.path() / "hall.recording" / "cam1").last_set < sets; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::this_thread::sleep_for(std::chrono::milliseconds(more_ms));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    SCOPED_TRACE("killed " + std::to_string(more_ms) + " ms after set " + std::to_string(sets) + ", seed " +
                 std::to_string(test_seed()));
    check_killed(path);
  }
}

}  // namespace
}  // namespace vantage::test
