// The ways in which cameras send, each from a real server on this machine.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>
#include <vector>

#include "core/base/file.h"
#include "tests/support/loopback_socket.h"
#include "tests/unit/live/numbered_footage.h"

namespace vantage::test {
namespace {

// Serves the files of a folder, and /motion.mjpg as a camera does: the folder's JPEG pictures without end.
class HttpServer {
 public:
  explicit HttpServer(std::filesystem::path folder)
      : folder_(std::move(folder)), acceptor_([this] { accept(); }) {}
  ~HttpServer() {
    closing_ = true;
    listener_.shut_down();
    acceptor_.join();
    for (std::thread& thread : threads_) thread.join();
  }
  std::string address(const std::string& name) const {
    return "http://127.0.0.1:" + std::to_string(listener_.port()) + "/" + name;
  }

 private:
  void accept() {
    for (int client = 0; (client = listener_.accept()) >= 0;)
      threads_.emplace_back([this, client] {
        answer(client);
        ::close(client);
      });
  }
  void answer(int client) {
    char request[2048] = {};
    if (::recv(client, request, sizeof request - 1, 0) <= 0) return;
    const std::string text = request, name = text.substr(5, text.find(' ', 5) - 5);
    if (name == "motion.mjpg") return send_pictures(client);
    const auto file = read_file(folder_ / name);
    if (!file) {
      send_all(client, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
      return;
    }
    send_all(client, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: " +
                         std::to_string(file->size()) + "\r\n\r\n" + *file);
  }
  void send_pictures(int client) {
    send_all(client, "HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=picture\r\n\r\n");
    for (int i = 1; !closing_; i = i % kNumberedFrames + 1) {
      char name[32];
      std::snprintf(name, sizeof name, "p%03d.jpg", i);
      const auto picture = read_file(folder_ / name);
      if (!picture || !send_all(client, "--picture\r\nContent-Type: image/jpeg\r\nContent-Length: " +
                                            std::to_string(picture->size()) + "\r\n\r\n" + *picture + "\r\n"))
        return;
      std::this_thread::sleep_for(std::chrono::milliseconds(40));
    }
  }

  const std::filesystem::path folder_;
  const LoopbackSocket listener_{SOCK_STREAM};
  std::atomic<bool> closing_{false};
  std::vector<std::thread> threads_;
  std::thread acceptor_;
};

// So many pictures come, whose numbers rise by one (over the loop's end too). Where a busy machine loses
// data, the source says it: by a problem, or by a step in the stream's times.
void expect_numbered(const std::string& address, int pictures, const std::string& codec) {
  const auto source = open_video(address, {});
  ASSERT_TRUE(source) << source.error().message();
  EXPECT_EQ((*source)->info().codec, codec);
  constexpr int64_t kStep_ns = 60'000'000;  // between one period and two
  int last = -1, steps = 0, wrong = 0, told = 0;
  int64_t last_ns = -1;
  std::string seen;
  for (int reads = 0; steps < pictures && reads < 100 * pictures; ++reads) {
    const auto frame = (*source)->read();
    ASSERT_TRUE(frame) << frame.error().message();
    const bool gap = last_ns >= 0 && frame->time_ns - last_ns > kStep_ns;
    last_ns = frame->time_ns;
    if (!frame->problem.empty() || gap) ++told;
    if (!frame->problem.empty()) last = -1;
    if (!frame->problem.empty() || !frame->picture) continue;
    const int number = number_in(frame->picture);
    seen += std::to_string(number) + (last < 0 || gap ? "| " : " ");
    if (last >= 0 && !gap) {
      ++steps;
      wrong += number != (last + 1) % kNumberedFrames;
    }
    last = number;
  }
  EXPECT_EQ(steps, pictures) << told << " times data was lost; " << seen;
  EXPECT_LE(wrong, pictures / 10) << seen;
}

TEST(Protocols, MotionJpegOverHttp) {
  VANTAGE_NEED_FFMPEG();
  const NumberedFootage footage(1);
  ASSERT_TRUE(
      run_ffmpeg("-i " + footage.path(0) + " -q:v 2 " + (footage.folder.path() / "p%03d.jpg").string()));
  const HttpServer server(footage.folder.path());
  expect_numbered(server.address("motion.mjpg"), 40, "mjpeg");
  const auto nowhere = open_video(server.address("nowhere.mjpg"), {});
  ASSERT_FALSE(nowhere);
  EXPECT_NE(nowhere.error().what.find("no such path"), std::string::npos) << nowhere.error().message();
}

TEST(Protocols, HlsOverHttp) {
  VANTAGE_NEED_FFMPEG();
  const NumberedFootage footage(1);
  ASSERT_TRUE(run_ffmpeg("-stream_loop 3 -i " + footage.path(0) +
                         " -c copy -f hls -hls_time 1 -hls_list_size 0 -hls_flags omit_endlist " +
                         (footage.folder.path() / "cam.m3u8").string()));
  const HttpServer server(footage.folder.path());
  expect_numbered(server.address("cam.m3u8"), 40, "h264");
}

TEST(Protocols, TransportStreamOverUdp) {
  VANTAGE_NEED_FFMPEG();
  const NumberedFootage footage(1);
  const auto file = footage.folder.path() / "cam.ts";
  ASSERT_TRUE(run_ffmpeg("-stream_loop 5 -i " + footage.path(0) + " -c copy -f mpegts " + file.string()));
  const auto bytes = read_file(file);
  ASSERT_TRUE(bytes);
  const int port = free_udp_port();
  std::atomic<bool> closing{false};
  std::thread sender([&] {
    const int socket = ::socket(AF_INET, SOCK_DGRAM, 0);
    const sockaddr_in to = loopback_address(port);
    constexpr size_t kDatagram = 7 * 188;
    const auto each = std::chrono::microseconds(12'000'000) / (bytes->size() / kDatagram + 1);
    for (size_t at = 0; !closing; at = at + kDatagram < bytes->size() ? at + kDatagram : 0) {
      ::sendto(socket, bytes->data() + at, std::min(kDatagram, bytes->size() - at), 0,
               reinterpret_cast<const sockaddr*>(&to), sizeof to);
      std::this_thread::sleep_for(each);
    }
    ::close(socket);
  });
  expect_numbered("udp://127.0.0.1:" + std::to_string(port), 40, "h264");
  closing = true;
  sender.join();
}

// The numbered footage in another form, sent over RTSP by a test camera.
void expect_over_rtsp(const std::string& encoding, const std::string& name, const std::string& codec) {
  VANTAGE_NEED_FFMPEG();
  const NumberedFootage footage(1);
  const std::string file = (footage.folder.path() / name).string();
  if (!run_ffmpeg("-i " + footage.path(0) + " " + encoding + " " + file))
    GTEST_SKIP() << "this ffmpeg has no encoder for " << codec;
  StreamServerOptions options;
  options.cameras = {{"cam1", file}};
  const auto server = StreamServer::start(std::move(options));
  ASSERT_TRUE(server) << server.error().message();
  for (const char* scheme : {"rtsp", "rtsp+udp"})
    expect_numbered(scheme + (*server)->address(0).substr(4), 40, codec);
}

TEST(Protocols, HevcOverRtsp) {
  expect_over_rtsp("-c:v libx265 -x265-params keyint=10:log-level=none", "cam.mp4", "hevc");
}

TEST(Protocols, MotionJpegOverRtsp) {
  expect_over_rtsp("-c:v mjpeg -q:v 2 -huffman default -pix_fmt yuvj420p", "cam.mkv", "mjpeg");
}

TEST(Protocols, Mpeg4OverRtsp) {
  expect_over_rtsp("-c:v mpeg4 -q:v 2 -g 10", "cam.avi", "mpeg4");
}

TEST(Protocols, ACameraOfThisMachineThatIsNotThere) {
  const auto missing = open_video("v4l2:///dev/video-that-is-not-there", {});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::not_found);
  EXPECT_NE(missing.error().what.find("no such camera"), std::string::npos) << missing.error().message();
  const auto no_camera = open_video("v4l2:///dev/null", {});
  ASSERT_FALSE(no_camera);
  EXPECT_NE(no_camera.error().what.find("cannot be opened"), std::string::npos)
      << no_camera.error().message();
}

}  // namespace
}  // namespace vantage::test
