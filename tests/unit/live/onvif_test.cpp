// Cameras found by ONVIF, at a device that the test plays.
#include <gtest/gtest.h>

#include "core/live/onvif/detail/onvif_messages.h"
#include "core/live/onvif/onvif.h"
#include "tests/support/played_onvif.h"

namespace vantage {
namespace {

using namespace onvif_detail;
using test::decoded, test::envelope, test::kOnvifPassword, test::kOnvifUser, test::PlayedDevice;

TEST(Onvif, ADeviceIsFoundWithItsStreams) {
  PlayedDevice device;
  DiscoverOptions options = device.options();
  options.credentials = Credentials{kOnvifUser, kOnvifPassword};
  const auto found = discover_cameras(options);
  ASSERT_TRUE(found) << found.error().message();
  ASSERT_EQ(found->size(), 1U);  // it answered twice
  const FoundCamera& camera = found->front();
  EXPECT_EQ(camera.problem, "");
  EXPECT_EQ(camera.name, "Front Door,");
  EXPECT_EQ(camera.hardware, "X-100");
  EXPECT_EQ(camera.service, device.service());
  ASSERT_EQ(camera.streams.size(), 2U);
  EXPECT_EQ(camera.streams[0].name, "main stream");
  EXPECT_EQ(camera.streams[0].codec, "H264");
  EXPECT_EQ(camera.streams[0].width_px, 2560);
  EXPECT_EQ(camera.streams[0].height_px, 1440);
  EXPECT_EQ(camera.streams[0].frame_rate, 25);
  EXPECT_EQ(camera.streams[0].address, "rtsp://127.0.0.1:554/first?a=1&b=2");  // without what it holds
  EXPECT_EQ(camera.streams[1].address, "rtsp://127.0.0.1:554/second?a=1&b=2");
  EXPECT_EQ(camera.streams[1].frame_rate, 0);
  EXPECT_EQ(device.received().find("s3cret"), std::string::npos) << "the password is never sent";
}

// Has the credentials of one host.
class OneHost final : public CredentialStore {
 public:
  explicit OneHost(std::string host) : host_(std::move(host)) {}
  Result<std::optional<Credentials>> find(const std::string& address) const override {
    return host_of(address) == host_ ? std::optional(Credentials{kOnvifUser, kOnvifPassword}) : std::nullopt;
  }
  Status keep(const std::string&, const Credentials&) override { return {}; }
  std::string place() const override { return {}; }

 private:
  const std::string host_;
};

TEST(Onvif, StoredPasswordsOfTheStreamServe) {
  PlayedDevice device;
  const OneHost stream("127.0.0.1:554"), other("127.0.0.2");
  DiscoverOptions options = device.options();
  options.store = &stream;
  EXPECT_EQ(ask_camera({.service = device.service()}, options).streams.size(), 2U);
  options.store = &other;
  EXPECT_TRUE(ask_camera({.service = device.service()}, options).streams.empty());
}

TEST(Onvif, WhatADeviceRefusesIsToldWithoutThePassword) {
  PlayedDevice device;
  DiscoverOptions options = device.options();
  for (const std::string password : {"", "another"}) {
    if (!password.empty()) options.credentials = Credentials{kOnvifUser, password};
    const FoundCamera camera = ask_camera({.service = device.service()}, options);
    EXPECT_TRUE(camera.streams.empty());
    EXPECT_NE(camera.problem.find("Sender not authorized"), std::string::npos) << camera.problem;
    EXPECT_EQ(camera.problem.find("another"), std::string::npos) << camera.problem;
  }
  options.credentials = Credentials{kOnvifUser, kOnvifPassword};
  device.move_media("http://127.0.0.9/onvif/media");
  EXPECT_NE(ask_camera({.service = device.service()}, options).problem.find("another host"),
            std::string::npos);
  EXPECT_FALSE(ask_camera({.service = "http://127.0.0.1:1/none"}, options).problem.empty());
}

TEST(Onvif, DigestsAreThoseOfTheProfile) {
  // By Python's hashlib: base64(sha1(base64decode("LKqI6G/AikKCQrN0zqFlZg==") + created + password)).
  EXPECT_EQ(password_digest(decoded("LKqI6G/AikKCQrN0zqFlZg=="), "2010-09-16T07:50:45Z", "userpassword"),
            "+5z84+OK5ygrAUsPBWLHWBItebk=");
}

TEST(Onvif, OtherAnswersAreRefused) {
  for (const std::string text :
       {std::string(), std::string("not XML"), envelope(""), envelope("<trt:Other/>")}) {
    EXPECT_TRUE(probe_matches(text).empty());
    EXPECT_FALSE(device_time_s(text));
    EXPECT_FALSE(media_service(text));
    EXPECT_FALSE(media_profiles(text));
    EXPECT_FALSE(stream_address(text));
  }
  EXPECT_FALSE(
      device_time_s(envelope("<tds:GetSystemDateAndTimeResponse><tt:UTCDateTime><tt:Year>2026</tt:Year>"
                             "<tt:Month>13</tt:Month></tt:UTCDateTime></tds:GetSystemDateAndTimeResponse>")));
}

}  // namespace
}  // namespace vantage
