// A segment of a live recording (core/video/segments/segment_index.h) that is sealed as it is written: what
// the file holds after each flush is read back, and complete groups are added to its seal, signed.
//
// Order: pictures into the file, then their lines into the seal; every kSync_s, and at the end, the file is
// synced to the disk before the lines, and the lines after. After a crash the seal ends with the last group
// that was complete at a flush; a loss of power may also take what came since the last sync, from both.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/seal/signing_key.h"
#include "core/video/segments/segment_index.h"

namespace vantage {

// What the segments of one camera's recording share.
struct SealSeries {
  std::shared_ptr<const SigningKey> key;  // null: nothing is sealed
  std::string id = random_id(16);
  int64_t parts = 0;              // seals begun so far
  std::string first_sha256 = {};  // of the last one's first line
};

inline constexpr double kSealSync_s = 10;

// As SegmentWriter::open(). `series` outlives the writer.
Result<std::unique_ptr<SegmentWriter>> open_sealed_segment(const std::filesystem::path& path,
                                                           const StreamPacket& first, SealSeries& series);

}  // namespace vantage
