// An RTSP camera on the loopback interface that sends exactly the packets a test names, over the connection
// itself: for what real servers do not do on request.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

#include "tests/support/loopback_socket.h"
#include "tests/unit/live/rtp_packets.h"

namespace vantage::test {

struct CameraScript {
  std::string media = "m=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\n";
  std::string parameters = "packetization-mode=1";  // of the codec
  std::string refused = {};                         // a method that is answered with ...
  std::string status = "200 OK";                    // ... this
  bool silent = false;                              // listens and never answers
};

class ScriptedCamera {
 public:
  explicit ScriptedCamera(CameraScript script) : script_(std::move(script)), thread_([this] { serve(); }) {}
  ~ScriptedCamera() {
    listener_.shut_down();
    hang_up();
    thread_.join();
  }
  std::string address() const { return "rtsp://127.0.0.1:" + std::to_string(listener_.port()) + "/cam"; }
  // What is sent as soon as somebody watches; channel 0: RTP, 1: RTCP.
  void send(int channel, const Bytes& packet) {
    const std::lock_guard lock(mutex_);
    Bytes framed = {'$', static_cast<uint8_t>(channel)};
    append(&framed, packet.size(), 2);
    framed.insert(framed.end(), packet.begin(), packet.end());
    waiting_.insert(waiting_.end(), framed.begin(), framed.end());
    flush();
  }
  void hang_up() {
    const std::lock_guard lock(mutex_);
    if (client_ >= 0) ::shutdown(client_, SHUT_RDWR);
  }

 private:
  void flush() {
    if (!playing_) return;
    send_all(client_, {reinterpret_cast<const char*>(waiting_.data()), waiting_.size()});
    waiting_.clear();
  }
  void serve() {
    for (int client = 0; (client = listener_.accept()) >= 0;) {
      {
        const std::lock_guard lock(mutex_);
        client_ = client;
      }
      answer_all(client);
      const std::lock_guard lock(mutex_);
      playing_ = false;
      client_ = -1;
      ::close(client);
    }
  }
  void answer_all(int client) {
    std::string text;
    char part[2048];
    for (ssize_t n = 0; (n = ::recv(client, part, sizeof part, 0)) > 0;) {
      text.append(part, static_cast<size_t>(n));
      while (take_report(&text)) continue;
      for (size_t end = 0; (end = text.find("\r\n\r\n")) != std::string::npos; text.erase(0, end + 4))
        answer(client, text.substr(0, end));
    }
  }
  // The viewer's own reports.
  static bool take_report(std::string* text) {
    if (text->size() < 4 || (*text)[0] != '$') return false;
    const size_t size = static_cast<uint8_t>((*text)[2]) * size_t{256} + static_cast<uint8_t>((*text)[3]);
    if (text->size() < size + 4) return false;
    text->erase(0, size + 4);
    return true;
  }
  void answer(int client, const std::string& request) {
    if (script_.silent) return;
    const std::string method = request.substr(0, request.find(' '));
    const size_t number = request.find("CSeq:");
    const std::string sequence = request.substr(number, request.find("\r\n", number) - number);
    const bool refused = method == script_.refused;
    std::string reply = "RTSP/1.0 " + (refused ? script_.status : std::string("200 OK")) + "\r\n" + sequence +
                        "\r\nSession: 1\r\n";
    std::string body;
    if (method == "OPTIONS") reply += "Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\r\n";
    if (method == "SETUP") reply += "Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\n";
    if (method == "DESCRIBE" && !refused) {
      body = "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=scripted\r\nt=0 0\r\n" + script_.media;
      if (!script_.parameters.empty()) body += "a=fmtp:96 " + script_.parameters + "\r\n";
      body += "a=control:track1\r\n";
      reply += "Content-Type: application/sdp\r\nContent-Base: " + address() + "/\r\n";
    }
    reply += "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    const std::lock_guard lock(mutex_);
    send_all(client, reply);
    playing_ = playing_ || (method == "PLAY" && !refused);
    flush();
  }

  const CameraScript script_;
  const LoopbackSocket listener_{SOCK_STREAM};
  std::mutex mutex_;  // of what follows
  int client_ = -1;
  bool playing_ = false;
  Bytes waiting_;
  std::thread thread_;  // last: it uses the others
};

}  // namespace vantage::test
