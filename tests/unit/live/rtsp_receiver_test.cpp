// The RTSP receiver against a camera that sends exactly the packets a test names.
#include <gtest/gtest.h>

#include <chrono>

#include "core/video/access_units.h"
#include "core/video/live/live_receiver.h"
#include "tests/unit/live/numbered_footage.h"
#include "tests/unit/live/scripted_camera.h"

extern "C" {
#include <libavcodec/avcodec.h>
}

namespace vantage::test {
namespace {

constexpr uint32_t kFirstStamp = 0xffff'f000, kStep = 3600;  // wraps soon; 25 pictures/s
constexpr int kPictures = 6;

// The first pictures of a video, as a camera would send them.
std::vector<Bytes> pictures_of(const std::string& path) {
  const auto reader = AccessUnitReader::open(path, {});
  EXPECT_TRUE(reader);
  std::vector<Bytes> units;
  AccessUnit unit;
  while (static_cast<int>(units.size()) < kPictures && *(*reader)->next(&unit)) units.push_back(unit.bytes);
  return units;
}

bool is_parameter_set(const Bytes& unit) {
  constexpr int kSequence = 7, kPicture = 8;
  return (unit[0] & 31) == kSequence || (unit[0] & 31) == kPicture;
}

std::string base64(const Bytes& bytes) {
  constexpr char kLetters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t three = 0;
    for (size_t k = 0; k < 3; ++k) three = three << 8 | (i + k < bytes.size() ? bytes[i + k] : 0u);
    for (size_t k = 0; k < 4; ++k) text += i + k <= bytes.size() ? kLetters[three >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

constexpr double kPatience_s = 60;  // only ends a test that hangs

Result<std::unique_ptr<LiveReceiver>> open(const ScriptedCamera& camera, double open_limit_s = kPatience_s,
                                           double silence_limit_s = kPatience_s) {
  LiveAddress address = *parse_live_address(camera.address());
  address.open_limit_s = open_limit_s;
  address.silence_limit_s = silence_limit_s;
  return LiveReceiver::open(address, {});
}

std::string why_not(const CameraScript& script) {
  const ScriptedCamera camera(script);
  const auto receiver = open(camera);
  EXPECT_FALSE(receiver);
  return receiver ? std::string() : receiver.error().what;
}

// A camera that sends the pictures and then nothing, and what is received of them. What is there is waited
// for as long as it takes: a machine may be busy.
class RtspReceiverTest : public testing::Test {
 protected:
  void send(ScriptedCamera* camera, bool markers) {
    for (size_t i = 0; i < pictures_.size(); ++i)
      for (const Bytes& packet : packets_.of_picture(pictures_[i], stamp(i), markers))
        camera->send(0, packet);
  }
  static uint32_t stamp(size_t picture) { return kFirstStamp + static_cast<uint32_t>(picture) * kStep; }
  // So many pictures, or until the stream ends.
  void receive(LiveReceiver& receiver, size_t pictures) {
    const av::Owned<AVPacket> packet = av::make_packet();
    for (size_t i = 0; i < pictures; ++i) {
      const auto more = receiver.next(*packet);
      ASSERT_TRUE(more) << more.error().message();
      if (!*more) break;
      times_.push_back(packet->pts);
      keys_.push_back((packet->flags & AV_PKT_FLAG_KEY) != 0);
      arrivals_.push_back(receiver.arrival());
    }
    end_ = receiver.end_problem();
  }
  void expect_times(size_t pictures) const {
    ASSERT_EQ(times_.size(), pictures);
    for (size_t i = 0; i < pictures; ++i) EXPECT_EQ(times_[i], static_cast<int64_t>(i * kStep));
  }

  const NumberedFootage footage_{1};
  std::vector<Bytes> pictures_ = pictures_of(footage_.path(0));
  H264Packets packets_;
  std::vector<int64_t> times_;
  std::vector<bool> keys_;
  std::vector<PacketArrival> arrivals_;
  std::string end_;
};

// The last picture's last packet is followed by none.
TEST_F(RtspReceiverTest, APictureIsThereWithItsLastPacket) {
  ScriptedCamera camera({});
  send(&camera, true);
  const auto receiver = open(camera);
  ASSERT_TRUE(receiver) << receiver.error().message();
  EXPECT_EQ((*receiver)->parameters().codec_id, AV_CODEC_ID_H264);
  EXPECT_EQ((*receiver)->parameters().width, kNumberedFormat.width);
  EXPECT_EQ((*receiver)->parameters().format, AV_PIX_FMT_YUV420P);
  EXPECT_NEAR((*receiver)->frame_rate(), 25, 0.01);
  receive(**receiver, pictures_.size());
  expect_times(pictures_.size());
  for (size_t i = 0; i < times_.size(); ++i) {
    EXPECT_EQ(keys_[i], i == 0);
    EXPECT_FALSE(arrivals_[i].after_loss);
    EXPECT_EQ(arrivals_[i].sender_utc_ns, kNoTime);
  }
  EXPECT_EQ(end_, "");
}

TEST_F(RtspReceiverTest, SilenceEndsTheStream) {
  constexpr double kSilence_s = 2;
  ScriptedCamera camera({});
  send(&camera, true);
  const auto receiver = open(camera, kPatience_s, kSilence_s);
  ASSERT_TRUE(receiver) << receiver.error().message();
  receive(**receiver, SIZE_MAX);
  EXPECT_EQ(end_, silence_text(kSilence_s));
}

TEST_F(RtspReceiverTest, WithoutMarkersAPictureEndsWhereTheNextBegins) {
  ScriptedCamera camera({});
  send(&camera, false);
  const auto receiver = open(camera);
  ASSERT_TRUE(receiver) << receiver.error().message();
  receive(**receiver, pictures_.size() - 1);
  expect_times(pictures_.size() - 1);
}

TEST_F(RtspReceiverTest, SeveralSlicesAreOnePicture) {
  VANTAGE_NEED_FFMPEG();
  const std::string sliced = (footage_.folder.path() / "sliced.mp4").string();
  ASSERT_TRUE(run_ffmpeg("-i " + footage_.path(0) + " -c:v libx264 -bf 0 -x264-params slices=4 " + sliced));
  pictures_ = pictures_of(sliced);
  ASSERT_GE(H264Packets::units(pictures_[1]).size(), 4u);
  for (const bool markers : {true, false}) {
    ScriptedCamera camera({});
    send(&camera, markers);
    const auto receiver = open(camera);
    ASSERT_TRUE(receiver) << receiver.error().message();
    times_.clear();
    const size_t whole = markers ? pictures_.size() : pictures_.size() - 1;
    receive(**receiver, whole);
    expect_times(whole);
  }
}

// In the description, or only in the stream, or only in the description.
TEST_F(RtspReceiverTest, ParameterSetsMayStandInTheDescription) {
  CameraScript script;
  std::string sets;
  Bytes without;
  for (const Bytes& unit : H264Packets::units(pictures_[0])) {
    if (is_parameter_set(unit)) {
      sets += (sets.empty() ? "" : ",") + base64(unit);
      continue;
    }
    append(&without, 1, 4);
    without.insert(without.end(), unit.begin(), unit.end());
  }
  script.parameters += ";sprop-parameter-sets=" + sets;
  for (const bool in_stream : {true, false}) {
    ScriptedCamera camera(script);
    if (!in_stream) pictures_[0] = without;
    send(&camera, true);
    const auto receiver = open(camera);
    ASSERT_TRUE(receiver) << receiver.error().message();
    EXPECT_GT((*receiver)->parameters().extradata_size, 8);
    EXPECT_EQ((*receiver)->parameters().height, kNumberedFormat.height);
    times_.clear();
    receive(**receiver, pictures_.size());
    expect_times(pictures_.size());
  }
}

TEST_F(RtspReceiverTest, ReportsTellWhenPicturesWereTaken) {
  constexpr uint64_t kNtp = (2'208'988'800 + uint64_t{1'800'000'000}) << 32;
  ScriptedCamera camera({});
  send(&camera, true);
  camera.send(1, sender_report(stamp(2), kNtp));
  const size_t before = pictures_.size();
  const auto receiver = open(camera);
  ASSERT_TRUE(receiver) << receiver.error().message();
  receive(**receiver, before);
  ASSERT_EQ(times_.size(), before);
  for (size_t i = 0; i < pictures_.size(); ++i)
    for (const Bytes& packet : packets_.of_picture(pictures_[i], stamp(before + i), true))
      camera.send(0, packet);
  receive(**receiver, before);
  ASSERT_EQ(times_.size(), 2 * before);
  for (size_t i = before; i < times_.size(); ++i)
    EXPECT_NEAR(static_cast<double>(arrivals_[i].sender_utc_ns - 1'800'000'000'000'000'000),
                (static_cast<double>(i) - 2) * 40e6, 2);
}

TEST_F(RtspReceiverTest, WhatIsLostOnTheWayIsTold) {
  ScriptedCamera camera({});
  for (size_t i = 0; i < pictures_.size(); ++i) {
    const std::vector<Bytes> packets = packets_.of_picture(pictures_[i], stamp(i), true);
    if (i != 3)
      for (const Bytes& packet : packets) camera.send(0, packet);
  }
  const auto receiver = open(camera);
  ASSERT_TRUE(receiver) << receiver.error().message();
  receive(**receiver, pictures_.size() - 1);
  ASSERT_EQ(times_.size(), pictures_.size() - 1);
  for (size_t i = 0; i < times_.size(); ++i) EXPECT_EQ(arrivals_[i].after_loss, i == 3) << i;
}

TEST_F(RtspReceiverTest, ACameraThatHangsUpEndsTheStream) {
  ScriptedCamera camera({});
  send(&camera, true);
  const auto receiver = open(camera);
  ASSERT_TRUE(receiver) << receiver.error().message();
  camera.hang_up();
  receive(**receiver, SIZE_MAX);
  EXPECT_EQ(end_, "");
}

TEST(RtspReceiver, RefusalsAreSentences) {
  EXPECT_EQ(why_not({.refused = "DESCRIBE", .status = "404 Not Found"}),
            "the camera answers, but has no such path");
  EXPECT_EQ(why_not({.refused = "DESCRIBE", .status = "401 Unauthorized"}),
            "the camera refuses the user name or password");
  EXPECT_EQ(why_not({.refused = "DESCRIBE", .status = "403 Forbidden"}),
            "the camera refuses the user name or password");
  EXPECT_EQ(why_not({.refused = "DESCRIBE", .status = "500 Internal Server Error"}),
            "the camera reports a failure of its own");
  EXPECT_EQ(why_not({.refused = "SETUP", .status = "461 Unsupported Transport"}),
            "the camera refuses this transport");
  EXPECT_EQ(why_not({.media = "m=video 0 RTP/AVP 96\r\na=rtpmap:96 VP8/90000\r\n", .parameters = ""}),
            "the camera sends a codec that is not supported");
  EXPECT_EQ(why_not({.media = "m=audio 0 RTP/AVP 0\r\n", .parameters = ""}), "holds no video");
}

// Times are divided by it.
TEST(RtspReceiver, ClockRatesThatNoCameraHasAreRefused) {
  for (const char* rate : {"0", "-90000", "1", "2147483647"})
    EXPECT_NE(why_not({.media = std::string("m=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/") + rate + "\r\n"}),
              "")
        << rate;
}

TEST(RtspReceiver, ACameraThatNeverAnswersIsGivenUp) {
  const ScriptedCamera silent({.silent = true}), pictureless({});
  constexpr double kLimit_s = 2;
  for (const ScriptedCamera* camera : {&silent, &pictureless}) {
    const auto receiver = open(*camera, kLimit_s);
    ASSERT_FALSE(receiver);
    EXPECT_EQ(receiver.error().what, silence_text(kLimit_s)) << receiver.error().message();
  }
}

TEST(RtspReceiver, OpeningCanBeStopped) {
  const ScriptedCamera camera({.silent = true});
  StopSource stop;
  std::thread stopping([stop]() mutable {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    stop.request_stop();
  });
  LiveAddress address = *parse_live_address(camera.address());
  address.open_limit_s = kPatience_s;
  const auto receiver = LiveReceiver::open(address, stop);
  stopping.join();
  ASSERT_FALSE(receiver);
  EXPECT_EQ(receiver.error().kind, ErrorKind::cancelled) << "not given up by itself";
}

}  // namespace
}  // namespace vantage::test
