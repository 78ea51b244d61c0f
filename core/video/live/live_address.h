// Addresses of live cameras, as a project has them in place of a file:
//   rtsp://HOST[:PORT]/PATH      RTSP, the pictures over the same TCP connection; rtsps:// encrypted
//   rtsp+udp://HOST[:PORT]/PATH  RTSP, the pictures over UDP
//   udp://[ADDRESS]:PORT         MPEG-TS over UDP, also multicast
//   http://, https://            Motion JPEG or HLS
//   v4l2:///dev/video0           a camera of this machine, through Video4Linux
//   paced:///PATH                a file, played at its own pace, over and over
//   device://ID[?WIDTHxHEIGHT@RATE]  a camera here, where the program knows how (set_device_opener())
// An address may hold USER:PASSWORD@ before the host; what is shown, logged or written never does.
//
// The certificate of an rtsps:// camera is checked where the address ends in one of
//   #ca=FILE      its whole path: PEM certificates of the authority that signs cameras' (the camera must then
//                 have the name in its certificate), or the camera's own
//   #sha256=HEX   the SHA-256 of the camera's certificate, 64 hexadecimal digits, colons between them or not
// Nothing is checked without it, or over https://: anyone in between can show other pictures.
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"

namespace vantage {

enum class LiveProtocol { rtsp, udp, http, device, by_program, paced_file };

struct LiveAddress {
  LiveProtocol protocol = LiveProtocol::rtsp;
  bool over_udp = false;
  std::string url;             // as FFmpeg takes it; of a device or a paced file its path
  std::string ca_file;         // of rtsps://, #ca=
  std::string fingerprint;     // of rtsps://, #sha256=, 64 digits 0-9 a-f
  double open_limit_s = 10;    // until the first picture
  double silence_limit_s = 5;  // between two of its packets
  bool encrypted() const;
  bool unchecked() const;     // encrypted, and the certificate is compared with nothing
  std::string shown() const;  // without credentials
};

// True for everything with a scheme, also an unknown one; only none:// (no_video.h) is no camera.
bool is_live_address(const std::string& video);
// Errors: unsupported (unknown scheme), invalid_argument (no host or path, or something else behind '#').
Result<LiveAddress> parse_live_address(const std::string& text);

// The sentence for FFmpeg's error code; `late`: the time limit had passed.
Error live_error(const LiveAddress& address, int code, bool late);
std::string silence_text(double seconds);

}  // namespace vantage

// Types of GLib, by the names of their structures.
typedef struct _GTlsCertificate GTlsCertificate;
typedef struct _GTlsDatabase GTlsDatabase;

namespace vantage {

// The reference for the certificate of an rtsps:// camera: the file or the fingerprint in its address.

class CameraTrust {
 public:
  explicit CameraTrust(const LiveAddress& address);
  ~CameraTrust();
  CameraTrust(const CameraTrust&) = delete;
  CameraTrust& operator=(const CameraTrust&) = delete;

  // For GLib, which asks vouches_for() about certificates that it does not vouch for; null: nothing is
  // checked.
  GTlsDatabase* database() const { return database_; }
  // False: the file holds no certificate.
  bool usable() const { return !own_.empty() || !fingerprint_.empty(); }
  // True of the camera's own certificate, which identifies the camera, whatever its name or address and
  // however old it is.
  bool vouches_for(GTlsCertificate* shown) const;

 private:
  const std::string fingerprint_;      // SHA-256, as LiveAddress has it
  GTlsDatabase* database_ = nullptr;   // owned, as what follows
  std::vector<GTlsCertificate*> own_;  // of the file
};

}  // namespace vantage
