// Results on disk, read back: what NAME.results/ holds when a project is opened again. Written by
// results_writer.h; the schema is resources/schema/results.schema.json.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/byte_stream.h"
#include "core/base/result.h"
#include "core/people/floor_person.h"

namespace vantage {

using StageVersions = std::map<std::string, uint64_t, std::less<>>;

struct StoredFrame {
  int64_t frame = 0;
  int cameras = 0, without_picture = 0;
  int with_problem = 0;   // cameras whose picture is missing or damaged, as the line says
  int people_count = -1;  // -1: unknown, or the chain ended before the people
  std::vector<FloorPerson> people;
  std::vector<FloorPerson> rejected;              // peaks that were not taken for people
  size_t kept = 0;                                // the last of people: rejected, and kept by a path
  bool carried = false;                           // its people: from the detector's looks before and after
  bool continued = false;                         // on the CPU, after the device failed
  std::shared_ptr<const StageVersions> versions;  // never null; shared by frames of one run

  // Whether people were searched for: what paths are followed through. No one looks at carried ones.
  bool searched() const { return !carried && (people_count >= 0 || !people.empty() || !rejected.empty()); }
};
// The frame before paths kept anybody: those are rejected peaks again.
StoredFrame as_searched(StoredFrame frame);

struct StoredResults {
  std::string program_version, device;
  double frame_rate = 0;      // frames/s of the base camera
  bool fused_people = false;  // from detections
  // Stated by the header for lines without their own; null in older results, whose lines all have them.
  std::shared_ptr<const StageVersions> versions;
  std::vector<StoredFrame> frames;  // in the file's order: ascending
  int64_t damaged_lines = 0;        // left out
};
std::vector<int64_t> known_frames(const StoredResults& results);  // whose people are known

// A results file in pieces: the frames of a day take gigabytes, more than who reads them keeps.
class ResultsReader {
 public:
  // ErrorKind::not_found where there is none, unsupported for a newer schema, bad_data where the header
  // cannot be understood.
  static Result<ResultsReader> open(const std::filesystem::path& file);

  const StoredResults& header() const { return header_; }  // without frames
  // The frames that follow, in the file's order; none: there are no more. Lines that cannot be understood are
  // counted and left out. Errors: io.
  Result<std::vector<StoredFrame>> next();
  int64_t damaged_lines() const { return damaged_lines_; }  // so far
  double share() const { return blocks_.share(); }          // of the file that was read, 0 to 1

 private:
  ResultsReader(LineBlocks blocks, StoredResults header)
      : blocks_(std::move(blocks)), header_(std::move(header)) {}
  std::vector<StoredFrame> frames_of(std::string_view lines);

  LineBlocks blocks_;
  StoredResults header_;
  std::shared_ptr<const StageVersions> last_versions_;
  int64_t damaged_lines_ = 0;
};

// results.jsonl of the folder, or what a run has written so far that was not finished. Errors and damaged
// lines: as above.
Result<StoredResults> read_results(const std::filesystem::path& folder);
// The same of one file.
Result<StoredResults> read_results_file(const std::filesystem::path& file);

// The header line of such a file, without frames; errors as above.
Result<StoredResults> parse_header_line(std::string_view line, const std::filesystem::path& file);

// The frame line as StoredFrame, for who reads line by line; bad_data where it is not one. `versions`: of the
// header (StoredResults); a line without its own is damaged where they are null.
Result<StoredFrame> parse_frame_line(std::string_view line,
                                     const std::shared_ptr<const StageVersions>& versions = nullptr);

}  // namespace vantage
