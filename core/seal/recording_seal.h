// The seal of a recorded file, next to it as FILE.seal: lines of JSON, each with the SHA-256 of the line
// before it (newline included), so that none can be changed alone.
//
//   the first    what is sealed: streams, public key, place in a series of files
//   a group      a group of pictures, from a key picture to before the next, with all that lies between in
//                the file: packets, bytes, SHA-256 over line_of() every packet
//   a mark       how many groups precede it; the last one is `complete` and has the file's size and SHA-256
//   a signature  Ed25519, of the line before it; behind every mark
//
// The prose is resources/docs/formats/exports.md, "Seals".
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/seal/signing_key.h"
#include "core/video/packet_digests.h"

namespace vantage {

inline constexpr std::string_view kSealSuffix = ".seal";
std::filesystem::path seal_path(const std::filesystem::path& recording);

struct SealedGroup {
  double time_s = 0;  // of the first picture, on the file's clock; 0: it has none
  int64_t packets = 0, bytes = 0, pictures = 0;
  std::string sha256;           // over line_of() its packets
  std::string pictures_sha256;  // over content_line_of() those of the video stream
  std::vector<uint64_t> tags;   // by packet: the first 8 bytes of its SHA-256, to locate changes by
};

uint64_t tag_of(const PacketDigest& packet);

// What a seal begins with.
struct SealHead {
  std::string file;     // its name
  std::string made;     // "recording": as the file was written; "import": of a file that was there
  std::string series;   // random; files of one recorded camera share it
  int64_t part = 0;     // number in the series
  std::string follows;  // SHA-256 of the first line of the series' seal before; empty: it is the first
  std::vector<DigestedStream> streams;
  int video = 0;
  std::string utc;      // when it was begun, by this machine's clock
  std::string program;  // version
};

// Makes the lines of a seal, packet by packet.
class SealLines {
 public:
  static constexpr double kSign_s = 10;  // of video
  // Limit of a group: cameras that refresh gradually send no key pictures.
  static constexpr int64_t kMaxPackets = 1024;

  // `head` without utc and program. `key` outlives this.
  SealLines(SealHead head, const SigningKey& key);

  void add(const PacketDigest& packet);
  // Lines since the last call, each with its newline.
  std::string take() { return std::exchange(lines_, {}); }
  int64_t unsigned_groups() const { return unsigned_; }  // complete ones behind the last signature
  bool due() const;                                      // they are of kSign_s, or many
  Status sign();
  // The last group, a mark that it is all, and its signature. `file`: as it is complete.
  Status complete(const std::filesystem::path& file);

  const std::string& first_sha256() const { return first_sha256_; }  // of the first line
  int64_t groups() const { return groups_; }

 private:
  std::string append(nlohmann::ordered_json line);
  void end_group();
  Status mark(const nlohmann::ordered_json& file);

  const SigningKey& key_;
  const double tick_s_;
  std::string lines_, before_, first_sha256_;
  int64_t groups_ = 0, all_packets_ = 0;
  // The group at hand.
  Sha256 sum_, pictures_sum_;
  std::string tags_;
  int64_t packets_ = 0, bytes_ = 0, pictures_ = 0;
  std::optional<double> time_s_;
  double signed_s_ = 0;   // time of the first group behind the last signature
  int64_t unsigned_ = 0;  // groups
};

// A seal that was read.
struct Seal {
  SealHead head;
  std::string public_pem, fingerprint;
  std::string first_sha256, last_sha256;  // of lines
  std::vector<SealedGroup> groups;
  bool complete = false;      // it has its end
  std::string file_sha256;    // of a complete one
  int64_t signed_groups = 0;  // covered by the last good signature
  std::string signed_utc;     // when the last was made, by that machine's clock
  int64_t torn_bytes = 0;     // of a last line that was not written completely
  // Contradictions in the seal itself: the group whose line it is (that many groups: behind the last), and a
  // sentence.
  struct Fault {
    int64_t group = 0;
    std::string text;
  };
  std::vector<Fault> faults;
};

// Errors: not_found, io; bad_data: its first line is not that of a seal; unsupported: a newer one.
Result<Seal> read_seal(const std::filesystem::path& file);

// Seals a file that is there: FILE.seal, atomically. Returns the number of groups. Errors: invalid_argument
// (it is sealed already), those of PacketDigests, io, cancelled.
Result<int64_t> seal_recording(const std::filesystem::path& file, const SigningKey& key,
                               const StopSource& stop = {},
                               const std::function<void(double seconds)>& progress = {});

}  // namespace vantage
