// A recording compared with its seal: untouched, or where and how it was changed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/seal/compare_packets.h"

namespace vantage {

struct SealVerdict {
  std::filesystem::path file;
  std::string made, sealed_utc, program;      // as the seal states
  std::string series, first_sha256, follows;  // as SealHead has them
  int64_t part = 0;
  std::string fingerprint;   // of the seal's key
  std::string chain_sha256;  // of the seal's last line
  int64_t groups = 0;
  double end_s = 0;                   // when the last group begins
  bool finished = false;              // the seal has its end
  int64_t torn_bytes = 0;             // of a last line that was not written completely
  std::vector<SealFinding> findings;  // by group
  // Differences at the end of a file whose seal has no end, as after a crash or a loss of power. Whether it
  // was one is not known.
  std::vector<SealFinding> broken_off;
  std::vector<double> times_s;  // when each group begins

  bool untouched() const { return findings.empty(); }
  // When the group begins; behind the last: the last's.
  double time_s(int64_t group) const;
};

// Reads the file once, without decoding. Errors: not_found (no such file, no seal), io, bad_data (what is
// there is no seal), unsupported, cancelled.
Result<SealVerdict> verify_recording(const std::filesystem::path& file, const StopSource& stop = {});

// The sealed files of what was recorded or opened as one camera: the file itself, the segments of a live
// recording that are there, the files of a list. Errors: those of reading them.
Result<std::vector<std::filesystem::path>> files_to_seal(const std::filesystem::path& video);

// What the verdicts of one camera's files in order say together: files missing among them or added, by their
// seals' series. Sentences; empty: nothing.
std::vector<std::string> faults_between(const std::vector<SealVerdict>& verdicts);

// "group 12 (11.520 s): bits changed, 1 of its 25 packets"
std::string finding_text(const SealVerdict& verdict, const SealFinding& finding);

}  // namespace vantage
