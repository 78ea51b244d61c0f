// A recording's packets compared with the groups of its seal: where they differ, and how.
//
// Groups are read in order and compared by their SHA-256. From the first that differs on, packets are kept
// (56 bytes each) and groups are recognised among them by their tags; a stretch in which none is recognised
// is assigned to the groups that are missing there. Tags only locate: what is untouched has the SHA-256.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/seal/recording_seal.h"

namespace vantage {

enum class SealChange : uint8_t {
  bits,        // other content, in as many packets of as many bytes
  missing,     // a group, or packets of it
  swapped,     // groups, or packets of one, in another order
  spliced,     // packets that the seal does not have, or has elsewhere, between or instead of groups
  retimed,     // the same packets at other times
  truncated,   // the file ends early
  appended,    // packets behind the last group
  parameters,  // streams, codecs, sizes
  container,   // the file's bytes outside its packets
  seal,        // the seal itself
};
inline constexpr std::array<std::string_view, 10> kSealChangeNames = {
    "bits",      "missing",  "swapped",    "spliced",   "retimed",
    "truncated", "appended", "parameters", "container", "seal"};

struct SealFinding {
  SealChange change = SealChange::bits;
  int64_t first_group = 0, last_group = 0;  // the number of groups: behind the last
  std::string text = {};                    // more of it; may be empty
};

// `next`: as PacketDigests::next(). By first group, neighbouring groups with the same change as one. Errors:
// those of `next`.
Result<std::vector<SealFinding>> compare_packets(const std::vector<SealedGroup>& groups,
                                                 const std::function<Result<bool>(PacketDigest*)>& next);

}  // namespace vantage
