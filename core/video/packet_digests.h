// The packets of a video file in the order they lie in it, of all its streams, each with the SHA-256 of what
// it holds; nothing is decoded. The same as `ffprobe -show_packets -show_data_hash sha256` prints.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/video/sha256.h"

namespace vantage {

struct PacketDigest {
  int stream = 0;  // of the file, from 0
  std::optional<int64_t>
      time;  // when it is shown, in ticks of its stream; nothing: the file does not state it
  int64_t bytes = 0;
  Sha256Digest sha256 = {};
  bool picture = false;  // it belongs to the video stream
  bool key = false;      // likewise, and is called a key picture by container or parser
};

// "STREAM,TIME,BYTES,SHA256:DIGITS\n", the time as N/A where there is none: as ffprobe writes it in CSV.
std::string line_of(const PacketDigest& packet);
// "BYTES,SHA256:DIGITS\n": the same in every container that does not rewrite it.
std::string content_line_of(const PacketDigest& packet);

struct DigestedStream {
  std::string kind, codec;             // "video", "h264"
  int width_px = 0, height_px = 0;     // of pictures
  int sample_rate = 0, channels = 0;   // of sound
  int64_t tick_num = 0, tick_den = 1;  // a tick in seconds
  std::string extradata_sha256;        // of what decoders need beforehand
  bool operator==(const DigestedStream&) const = default;
};

class PacketDigests {
 public:
  virtual ~PacketDigests() = default;
  // Errors: not_found, io, bad_data (not a video, or damaged beyond opening).
  static Result<std::unique_ptr<PacketDigests>> open(const std::filesystem::path& file,
                                                     const StopSource& stop = {});
  // Complete clusters of a Matroska file that is still written: the bytes from `begin` to before `end` of an
  // open file, behind what the file begins with. Both outlive what is returned.
  static Result<std::unique_ptr<PacketDigests>> open_part(const std::string& head, int file, int64_t begin,
                                                          int64_t end);

  // False at the end, and where the file cannot be read further. Errors: cancelled, out_of_memory.
  virtual Result<bool> next(PacketDigest* packet) = 0;
  virtual const std::vector<DigestedStream>& streams() const = 0;
  virtual int video() const = 0;  // the stream that pictures are of
  double seconds(int64_t ticks) const {
    const DigestedStream& one = streams()[static_cast<size_t>(video())];
    return static_cast<double>(ticks) * static_cast<double>(one.tick_num) / static_cast<double>(one.tick_den);
  }
};

}  // namespace vantage
