// Packets made up for the tests of seals: groups of pictures with sound between them, no file.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/file.h"
#include "core/seal/recording_seal.h"
#include "core/seal/signing_key.h"
#include "tests/support/data.h"

namespace vantage::test {

// What a packet holds is a number here.
struct MadePacket {
  uint64_t content = 0;
  PacketDigest digest;
};

inline MadePacket made_packet(uint64_t content, int64_t time, int64_t bytes, bool picture, bool key) {
  MadePacket made{content, {}};
  made.digest.stream = picture ? 0 : 1, made.digest.time = time, made.digest.bytes = bytes;
  made.digest.picture = picture, made.digest.key = key;
  Sha256 sum;
  sum.add(std::to_string(content));
  made.digest.sha256 = sum.finish();
  return made;
}

using MadeGroup = std::vector<MadePacket>;

// So many groups of 1 to `max_pictures` pictures, half of them with sound.
template <typename Random>
std::vector<MadeGroup> made_groups(Random& random, int count, int max_pictures) {
  std::vector<MadeGroup> groups;
  int64_t time = static_cast<int64_t>(random() % 1000);
  const bool sound = random() % 2 == 0;
  for (int g = 0; g < count; ++g) {
    const int pictures = 1 + static_cast<int>(random() % static_cast<unsigned>(max_pictures));
    MadeGroup& group = groups.emplace_back();
    for (int p = 0; p < pictures; ++p, time += 40) {
      group.push_back(made_packet(random(), time, 100 + static_cast<int64_t>(random() % 5000), true, p == 0));
      if (sound && random() % 3 == 0) group.push_back(made_packet(random(), time, 200, false, false));
    }
  }
  return groups;
}

inline SealHead made_head() {
  SealHead head;
  head.file = "cam1.mkv", head.made = "import", head.series = "5e71e5";
  head.streams = {{"video", "h264", 160, 96, 0, 0, 1, 1000, sha256("sps")},
                  {"audio", "aac", 0, 0, 48000, 1, 1, 1000, sha256("")}};
  return head;
}

inline std::vector<MadePacket> flat(const std::vector<MadeGroup>& groups) {
  std::vector<MadePacket> packets;
  for (const MadeGroup& group : groups) packets.insert(packets.end(), group.begin(), group.end());
  return packets;
}

// A key, and a recording whose bytes do not matter.
class SealFolder {
 public:
  SealFolder() : key_(std::move(*SigningKey::read_or_make(path("key.pem")))) {
    EXPECT_TRUE(write_file_atomically(path("cam1.mkv"), "recorded"));
  }
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  const SigningKey& key() const { return *key_; }

  // The seal's text; `complete`: with its end.
  std::string seal_text(const std::vector<MadeGroup>& groups, bool complete = true) const {
    SealLines lines(made_head(), *key_);
    for (const MadePacket& packet : flat(groups)) {
      lines.add(packet.digest);
      if (!lines.due()) continue;
      EXPECT_TRUE(lines.sign());
    }
    if (complete) {
      EXPECT_TRUE(lines.complete(path("cam1.mkv")));
    }
    return lines.take();
  }
  Result<Seal> read(const std::string& text) const {
    std::ofstream(path("cam1.mkv.seal"), std::ios::binary) << text;
    return read_seal(path("cam1.mkv.seal"));
  }

 private:
  const TemporaryFolder folder_;
  std::unique_ptr<SigningKey> key_;
};

}  // namespace vantage::test
