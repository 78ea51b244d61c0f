// Stand-in cameras and live cameras against each other, over the loopback interface.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <latch>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "core/image/time_code.h"
#include "core/live/live_camera.h"
#include "core/video/live/live_address.h"
#include "core/video/live/live_receiver.h"
#include "tests/support/data.h"
#include "tests/support/loopback_socket.h"
#include "tests/support/tls_connection.h"
#include "tests/unit/live/numbered_footage.h"

namespace vantage::test {
namespace {

// How far two numbers of the loop lie apart.
int apart(int a, int b) {
  const int away = std::abs(a - b);
  return std::min(away, kNumberedFrames - away);
}

struct Seen {
  int sets = 0, whole = 0;
  int timed = 0, apart = 0;    // sets put together by the senders' clocks; those more than one frame apart
  std::vector<int> distances;  // of every set's pictures, in frames
  std::string problem;

  // Half of the sets are no farther apart. What arrives late because the machine is busy cannot move it far.
  int median_distance() {
    std::sort(distances.begin(), distances.end());
    return distances.empty() ? kNumberedFrames : distances[distances.size() / 2];
  }
};

bool by_senders_clocks(const LiveFrameSource& live) {
  const LiveHealth health = live.health();
  return std::all_of(health.cameras.begin(), health.cameras.end(),
                     [](const CameraHealth& camera) { return camera.state == "by sender's clock"; });
}

// Sets until so many were seen, or so many whole ones of which so many were put together by the senders'
// clocks. Some were put together before the first reports came and are read behind them.
Seen watch(LiveFrameSource& live, int sets, int whole_sets = std::numeric_limits<int>::max(),
           int timed_sets = 0) {
  constexpr int kUnderWay = 10;
  Seen seen;
  int since_reports = 0;
  for (; seen.sets < sets && (seen.whole < whole_sets || seen.timed < timed_sets); ++seen.sets) {
    since_reports = by_senders_clocks(live) ? since_reports + 1 : 0;
    const bool timed = since_reports > kUnderWay;
    const auto number = live.next({});
    EXPECT_TRUE(number);
    const auto set = live.read(*number);
    EXPECT_TRUE(set);
    live.note_result(*number);
    bool whole = true;
    int first = -1, most = 0;
    for (const CameraFrame& camera : set->cameras) {
      whole = whole && camera.picture;
      if (!camera.problem.empty()) seen.problem = camera.problem;
      if (!camera.picture) continue;
      if (first < 0) first = number_in(camera.picture);
      most = std::max(most, apart(first, number_in(camera.picture)));
    }
    seen.whole += whole;
    seen.distances.push_back(most);
    seen.timed += timed;
    seen.apart += timed && most > 1;
  }
  return seen;
}

Result<std::unique_ptr<VideoSource>> open_address(const std::string& address) {
  return open_video(address, {});
}

TEST(Loopback, CamerasComeInStepOverTcpAndUdp) {
  const NumberedFootage footage(2);
  const auto server = StreamServer::start(footage.served(2));
  ASSERT_TRUE(server) << server.error().message();
  for (const char* scheme : {"rtsp", "rtsp+udp"}) {
    const auto live = LiveFrameSource::open(watching(**server, 2, scheme));
    ASSERT_TRUE(live) << live.error().message();
    EXPECT_DOUBLE_EQ((*live)->frame_rate(), 25);
    EXPECT_EQ((*live)->info(0).codec, "h264");
    // A busy machine leaves pictures out and says so; what it shows is in step by the senders' clocks.
    const Seen seen = watch(**live, 1000, 36, 20);
    EXPECT_GE(seen.whole, 36) << seen.problem;
    EXPECT_GE(seen.timed, 20) << scheme;
    EXPECT_EQ(seen.apart, 0) << scheme;
    const LiveHealth health = (*live)->health();
    EXPECT_EQ(health.analysed, seen.sets);
    EXPECT_LE(seen.sets - seen.whole, health.incomplete);
    for (const CameraHealth& camera : health.cameras) {
      EXPECT_TRUE(camera.here);
      EXPECT_DOUBLE_EQ(camera.declared_rate, 25);
      EXPECT_EQ(camera.reconnections, 0);
      EXPECT_GT(camera.bit_rate, 0);
    }
  }
}

// What the pictures say themselves agrees with what the clocks say.
TEST(Loopback, TheTimeCodeInThePicturesTellsTheirAge) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "coded.mp4").string();
  const PictureFormat format{PictureLayout::i420, 320, 240};
  auto writer = VideoWriter::open(file, format, {.gop_frames = 10, .b_frames = 0});
  ASSERT_TRUE(writer);
  for (int i = 0; i < kNumberedFrames; ++i) {
    Picture picture = numbered(i, format);
    burn_time_code(i * 40, picture);
    ASSERT_TRUE((*writer)->write(picture));
  }
  ASSERT_TRUE((*writer)->finish());
  StreamServerOptions served;
  served.cameras = {{"cam1", file}};
  const auto server = StreamServer::start(std::move(served));
  ASSERT_TRUE(server);
  LiveFrameSourceOptions options = watching(**server, 1);
  options.live.code_zero_utc_s = static_cast<double>((*server)->scene_start_utc_ns()) * 1e-9;
  const auto live = LiveFrameSource::open(options);
  ASSERT_TRUE(live) << live.error().message();
  // By the camera's sender reports against the time in the picture: more than half of the sets come behind a
  // report, and the footage has begun again.
  const Seen before = watch(**live, 1000, 1, 20);
  ASSERT_GE(before.timed, 20);
  watch(**live, before.sets + kNumberedFrames);
  const LiveHealth health = (*live)->health();
  ASSERT_GE(health.code_max_ms, 0) << "no time code was read";
  // On a busy machine ages differ, and those of the first sets count on one side alone.
  EXPECT_NEAR(health.code_p50_ms, health.age_p50_ms, 60 + health.age_p95_ms - health.age_p50_ms);
}

// Clocks that are wrong: what the pictures show agrees nevertheless, and the figures say what was injected.
TEST(Loopback, WrongClocksOfCamerasAreFoundAndDoNoHarm) {
  const NumberedFootage footage(3);
  StreamServerOptions options = footage.served(3);
  options.cameras[1].clock_offset_s = 2;
  options.cameras[2].clock_offset_s = -1.2;
  const auto server = StreamServer::start(std::move(options));
  ASSERT_TRUE(server);
  const auto live = LiveFrameSource::open(watching(**server, 3));
  ASSERT_TRUE(live) << live.error().message();
  // Until the reports have come by which the clocks are judged.
  for (int i = 0; i < 100 && !(*live)->health().cameras[1].clock_offset_s; ++i) watch(**live, 10);
  watch(**live, 40);
  Seen seen = watch(**live, 1000, 54);
  EXPECT_EQ(seen.whole, 54) << seen.problem;
  EXPECT_LE(seen.median_distance(), 1);
  const LiveHealth health = (*live)->health();
  ASSERT_TRUE(health.cameras[1].clock_offset_s);
  EXPECT_NEAR(*health.cameras[0].clock_offset_s, 0, 0.1);
  EXPECT_NEAR(*health.cameras[1].clock_offset_s, 2, 0.1);
  EXPECT_NEAR(*health.cameras[2].clock_offset_s, -1.2, 0.1);
  EXPECT_EQ(health.cameras[0].state, "by sender's clock");
  EXPECT_EQ(health.cameras[1].state, "by arrival");
}

// Clocks that also run wrong. VANTAGE_TEST_DRIFT_S: how long they may settle; the longer, the farther they
// are off.
TEST(Loopback, DriftingClocksDoNoHarm) {
  const NumberedFootage footage(3);
  StreamServerOptions options = footage.served(3);
  options.cameras[1].clock_offset_s = 2, options.cameras[1].clock_drift_ppm = 2000;
  options.cameras[2].clock_offset_s = -2, options.cameras[2].clock_drift_ppm = -2000;
  const auto server = StreamServer::start(std::move(options));
  ASSERT_TRUE(server);
  const auto live = LiveFrameSource::open(watching(**server, 3));
  ASSERT_TRUE(live) << live.error().message();
  const char* settle_s = std::getenv("VANTAGE_TEST_DRIFT_S");
  watch(**live, 25 * (settle_s ? std::atoi(settle_s) : 4));
  Seen seen = watch(**live, 1000, 54);
  EXPECT_EQ(seen.whole, 54) << seen.problem;
  EXPECT_LE(seen.median_distance(), 1);
  const LiveHealth health = (*live)->health();
  for (size_t i = 0; i < 3; ++i)
    std::cout << health.cameras[i].name << " drift " << health.cameras[i].drift_ppm << " ppm, clock "
              << health.cameras[i].clock_offset_s.value_or(0) << " s, late " << health.cameras[i].late << ", "
              << health.cameras[i].state << "; dropped " << health.dropped << ", incomplete "
              << health.incomplete << " of " << health.sets << std::endl;
}

TEST(Loopback, ACameraThatIsCutComesBack) {
  const NumberedFootage footage(2);
  const auto server = StreamServer::start(footage.served(2));
  ASSERT_TRUE(server);
  const auto live = LiveFrameSource::open(watching(**server, 2));
  ASSERT_TRUE(live) << live.error().message();
  EXPECT_EQ(watch(**live, 1000, 16).whole, 16);
  (*server)->set_away(1, true);
  // What was in transit still comes; then no set is whole.
  Seen during = watch(**live, 30);
  for (int i = 0; i < 30 && during.whole > 0; ++i) during = watch(**live, 30);
  EXPECT_EQ(during.whole, 0);
  EXPECT_NE(during.problem.find("cam2"), std::string::npos) << during.problem;
  (*server)->set_away(1, false);
  EXPECT_EQ(watch(**live, 3000, 20).whole, 20);
  const LiveHealth health = (*live)->health();
  EXPECT_EQ(health.cameras[0].reconnections, 0);
  EXPECT_GE(health.cameras[1].reconnections, 1);
}

// Pictures that build on those of a stall are no damaged ones.
TEST(Loopback, WhatIsLeftOutAfterAStallIsNoDecodeError) {
  const NumberedFootage footage(1);
  StreamServerOptions options = footage.served(1);
  options.faults = {.cuts_every_s = 1.5, .cut_s = 0.8, .seed = 3};
  const auto server = StreamServer::start(std::move(options));
  ASSERT_TRUE(server);
  const auto live = LiveFrameSource::open(watching(**server, 1));
  ASSERT_TRUE(live) << live.error().message();
  for (int i = 0; i < 60 && (*live)->health().cameras[0].left_out == 0; ++i) watch(**live, 10);
  const CameraHealth camera = (*live)->health().cameras[0];
  EXPECT_GT(camera.left_out, 0);
  EXPECT_EQ(camera.decode_errors, 0);
}

TEST(Loopback, FailuresAreSentencesForAnInstaller) {
  const NumberedFootage footage(1);
  StreamServerOptions options = footage.served(1);
  options.user = "viewer";
  options.password = "s3cret@/1";  // in an address: s3cret%40%2F1
  const auto server = StreamServer::start(std::move(options));
  ASSERT_TRUE(server);
  const std::string host = "127.0.0.1:" + std::to_string((*server)->port());

  const auto refused = open_address("rtsp://admin:pa55@127.0.0.1:9/cam1");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().what.find("refused"), std::string::npos) << refused.error().message();
  const auto wrong = open_address("rtsp://viewer:pa55@" + host + "/cam1");
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().what.find("password"), std::string::npos) << wrong.error().message();
  const auto nowhere = open_address("rtsp://viewer:s3cret%40%2F1@" + host + "/nowhere");
  ASSERT_FALSE(nowhere);
  EXPECT_NE(nowhere.error().what.find("no such path"), std::string::npos) << nowhere.error().message();
  const auto unknown = open_address("gopher://viewer:s3cret@" + host);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().kind, ErrorKind::unsupported);
  for (const auto* result : {&refused, &wrong, &nowhere, &unknown}) {
    EXPECT_EQ(result->error().message().find("pa55"), std::string::npos);
    EXPECT_EQ(result->error().message().find("s3cret"), std::string::npos);
  }
  const auto right = open_address("rtsp://viewer:s3cret%40%2F1@" + host + "/cam1");
  ASSERT_TRUE(right) << right.error().message();
  EXPECT_EQ((*right)->info().width_px, kNumberedFormat.width);
}

// The certificate of an encrypted camera is compared with the file in its address; without one nothing is
// checked.
TEST(Loopback, CertificatesAreChecked) {
  const NumberedFootage footage(1);
  const TemporaryFolder folder;
  const auto write = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder.path() / name) << text;
    return (folder.path() / name).string();
  };
  const PemPair own = make_certificate(), other = make_certificate();
  StreamServerOptions options = footage.served(1);
  options.certificate_file = write("own.pem", own.certificate);
  options.key_file = write("key.pem", own.key);
  const std::string others = write("other.pem", other.certificate),
                    none = write("none.pem", "no certificate");
  const auto server = StreamServer::start(options);
  ASSERT_TRUE(server) << server.error().message();
  const std::string address = (*server)->address(0);
  ASSERT_TRUE(address.starts_with("rtsps://")) << address;

  const auto right = open_address(address + "#ca=" + options.certificate_file);
  ASSERT_TRUE(right) << right.error().message();
  EXPECT_EQ((*right)->info().width_px, kNumberedFormat.width);
  EXPECT_TRUE(open_address(address));
  const auto wrong = open_address(address + "#ca=" + others);
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().what.find("certificate is not one that"), std::string::npos)
      << wrong.error().message();
  const auto empty = open_address(address + "#ca=" + none);
  ASSERT_FALSE(empty);
  EXPECT_NE(empty.error().what.find("no certificate"), std::string::npos) << empty.error().message();
  EXPECT_TRUE(open_address(address + "#sha256=" + sha256_of_certificate(own.certificate)));
  const auto pinned = open_address(address + "#sha256=" + sha256_of_certificate(other.certificate));
  ASSERT_FALSE(pinned);
  EXPECT_NE(pinned.error().what.find("another fingerprint"), std::string::npos) << pinned.error().message();
  EXPECT_EQ(open_address(address + "#sha256=12:34").error().kind, ErrorKind::invalid_argument);
  const auto unknown = open_address(address + "#check=no");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().kind, ErrorKind::invalid_argument);
  const auto checked = [](std::string of) {
    LiveCameraOptions camera;
    camera.name = "cam1", camera.address = std::move(of);
    return LiveCamera(std::move(camera), {[](LiveCamera::Arrival) {}, [](const std::string&) {}})
        .health()
        .certificate_checked;
  };
  EXPECT_EQ(checked(address), false);
  EXPECT_EQ(checked(address + "#ca=" + options.certificate_file), true);
  EXPECT_EQ(checked("rtsp://127.0.0.1:9/cam1"), std::nullopt);
  options.key_file = others;
  const auto unusable = StreamServer::start(options);
  ASSERT_FALSE(unusable);
  EXPECT_EQ(unusable.error().kind, ErrorKind::bad_data);
}

// A port where somebody listens and never answers.
TEST(Loopback, SilenceEndsAtItsLimit) {
  LiveAddress address = *parse_live_address("udp://127.0.0.1:" + std::to_string(free_udp_port()));
  address.open_limit_s = 0.5;
  const auto receiver = LiveReceiver::open(address, {});
  ASSERT_FALSE(receiver);
  EXPECT_NE(receiver.error().what.find("nothing was received"), std::string::npos)
      << receiver.error().message();
}

// Pictures of another size in mid-stream are brought to the wanted one.
TEST(Loopback, AnotherSizeIsTakenUp) {
  const NumberedFootage large(1, {PictureLayout::i420, 320, 192});
  const auto server = StreamServer::start(large.served(1));
  ASSERT_TRUE(server);
  LiveFrameSourceOptions options = watching(**server, 1);
  options.sizes = {{kNumberedFormat.width, kNumberedFormat.height}};
  const auto live = LiveFrameSource::open(std::move(options));
  ASSERT_TRUE(live) << live.error().message();
  const auto number = (*live)->next({});
  ASSERT_TRUE(number);
  const auto set = (*live)->read(*number);
  ASSERT_TRUE(set);
  EXPECT_EQ(set->cameras[0].picture.width(), kNumberedFormat.width);
  EXPECT_EQ(set->cameras[0].picture.height(), kNumberedFormat.height);
}

// Files among the cameras keep their own pace and begin again at their end.
TEST(Loopback, FilesPlayAtTheirOwnPace) {
  const NumberedFootage footage(2);
  LiveFrameSourceOptions options;
  options.live.bound_s = 1;
  options.source.cameras = {{"cam1", footage.path(0)}, {"cam2", "paced://" + footage.path(1)}};
  const auto live = LiveFrameSource::open(std::move(options));
  ASSERT_TRUE(live) << live.error().message();
  // Both begin again at their end: more whole sets than the files have frames.
  EXPECT_EQ(watch(**live, 1000, kNumberedFrames + 1).whole, kNumberedFrames + 1);
}

// A thread that helps to analyse must not keep pictures from being decoded.
TEST(Loopback, ThreadsThatHelpToAnalyseGiveWay) {
  const NumberedFootage footage(1);
  LiveFrameSourceOptions options;
  options.source.cameras = {{"cam1", footage.path(0)}};
  const tbb::global_control two(tbb::global_control::max_allowed_parallelism, 2);
  const auto live = LiveFrameSource::open(std::move(options));
  ASSERT_TRUE(live) << live.error().message();
  if (tbb::this_task_arena::max_concurrency() < 2) GTEST_SKIP() << "one processor: no one helps";
  const int own = getpriority(PRIO_PROCESS, 0);
  std::latch both(2);
  std::atomic<int> lowest{own};
  tbb::parallel_for(0, 2, [&](int) {  // each waits for the other
    both.arrive_and_wait();
    const int priority = getpriority(PRIO_PROCESS, 0);
    if (priority > own) lowest = priority;
  });
  EXPECT_GT(lowest, own);
  EXPECT_EQ(getpriority(PRIO_PROCESS, 0), own) << "the caller's thread makes those that decode";
}

TEST(Loopback, NoCameraIsAnErrorThatNamesThemAll) {
  LiveFrameSourceOptions options;
  options.source.cameras = {{"cam1", "rtsp://127.0.0.1:9/a"}, {"cam2", "rtsp://u:s3cret@127.0.0.1:9/b"}};
  options.live.connect_s = 0.3;
  const auto live = LiveFrameSource::open(std::move(options));
  ASSERT_FALSE(live);
  const std::string message = live.error().message();
  EXPECT_NE(message.find("cam1"), std::string::npos) << message;
  EXPECT_NE(message.find("cam2"), std::string::npos);
  EXPECT_EQ(message.find("s3cret"), std::string::npos);
}

TEST(Loopback, FaultsFollowTheirSeed) {
  const StreamFaults faults{.loss = 0.1, .cuts_every_s = 5, .cut_s = 1, .seed = 4};
  FaultSchedule one(faults, 2), two(faults, 2), other(faults, 3);
  int differing = 0, away = 0;
  for (int64_t ms = 0; ms < 200'000; ms += 40) {
    const StreamEvent event = one.at(ms * 1'000'000);
    EXPECT_EQ(event, two.at(ms * 1'000'000));
    differing += event != other.at(ms * 1'000'000);
    away += event != StreamEvent::none;
  }
  EXPECT_GT(differing, 0);
  EXPECT_NEAR(away / 5000.0, 1.0 / 6, 0.08);
  EXPECT_GT(one.cuts() + one.stalls(), 15);
}

// Two media of one camera may send at the same time: together they lose what one would have lost.
TEST(Loopback, PacketsLostFollowTheirSeedFromTwoThreadsToo) {
  const StreamFaults faults{.loss = 0.1, .seed = 4};
  constexpr int kPackets = 500'000;  // long enough that both are at it at a time
  PacketLoss alone(faults, 2), together(faults, 2);
  int lost = 0;
  for (int i = 0; i < 2 * kPackets; ++i) lost += alone.next();
  std::atomic<int> lost_together{0};
  std::latch both(2);
  const auto send = [&] {
    both.arrive_and_wait();
    for (int i = 0; i < kPackets; ++i) lost_together += together.next();
  };
  std::thread other(send);
  send();
  other.join();
  EXPECT_EQ(lost_together, lost);
  EXPECT_NEAR(lost / (2.0 * kPackets), 0.1, 0.01);
}

}  // namespace
}  // namespace vantage::test
