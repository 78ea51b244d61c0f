// RTP packets and reports as a camera sends them, byte by byte.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace vantage::test {

using Bytes = std::vector<uint8_t>;

inline void append(Bytes* bytes, uint64_t value, int size) {
  for (int i = size - 1; i >= 0; --i) bytes->push_back(static_cast<uint8_t>(value >> 8 * i));
}

// RTP packets of H.264 (RFC 6184), large units in fragments; sequence numbers rise by one.
class H264Packets {
 public:
  std::vector<Bytes> of_picture(const Bytes& annex_b, uint32_t stamp, bool marker) {
    std::vector<Bytes> packets;
    for (const Bytes& unit : units(annex_b)) add_unit(unit, stamp, &packets);
    if (marker) packets.back()[1] |= 0x80;
    return packets;
  }
  static std::vector<Bytes> units(const Bytes& annex_b) {
    std::vector<Bytes> found;
    for (size_t i = 0; i + 3 <= annex_b.size(); ++i) {
      if (annex_b[i] == 0 && annex_b[i + 1] == 0 && annex_b[i + 2] == 1) {
        if (!found.empty())
          while (!found.back().empty() && found.back().back() == 0) found.back().pop_back();
        found.emplace_back();
        i += 2;
      } else if (!found.empty()) {
        found.back().push_back(annex_b[i]);
      }
    }
    if (!found.empty()) found.back().insert(found.back().end(), annex_b.end() - 2, annex_b.end());
    return found;
  }

 private:
  Bytes header(uint32_t stamp) {
    Bytes packet = {0x80, 96};
    append(&packet, sequence_++, 2);
    append(&packet, stamp, 4);
    append(&packet, 0x1234, 4);
    return packet;
  }
  void add_unit(const Bytes& unit, uint32_t stamp, std::vector<Bytes>* packets) {
    constexpr size_t kMax = 1000;
    if (unit.size() <= kMax) {
      packets->push_back(header(stamp));
      packets->back().insert(packets->back().end(), unit.begin(), unit.end());
      return;
    }
    for (size_t at = 1; at < unit.size(); at += kMax) {
      const size_t end = std::min(at + kMax, unit.size());
      Bytes packet = header(stamp);
      packet.push_back(static_cast<uint8_t>((unit[0] & 0xe0) | 28));
      packet.push_back(
          static_cast<uint8_t>((at == 1 ? 0x80 : 0) | (end == unit.size() ? 0x40 : 0) | (unit[0] & 0x1f)));
      packet.insert(packet.end(), unit.begin() + static_cast<ptrdiff_t>(at),
                    unit.begin() + static_cast<ptrdiff_t>(end));
      packets->push_back(std::move(packet));
    }
  }
  uint16_t sequence_ = 65530;  // wraps soon
};

inline Bytes sender_report(uint32_t stamp, uint64_t ntp) {
  Bytes report = {0x80, 200, 0, 6};
  append(&report, 0x1234, 4);
  append(&report, ntp, 8);
  append(&report, stamp, 4);
  append(&report, 1, 4);
  append(&report, 1000, 4);
  return report;
}

}  // namespace vantage::test
