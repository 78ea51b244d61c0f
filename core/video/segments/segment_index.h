// One camera of a live recording on disk: NAME.segments next to a folder NAME/ that holds
//   000012.mkv           the stream as it came, a stretch of it a file (segment_index.h); a new one begins
//                        with every connection and after so long
//   index-000000450.txt  which picture belongs to which instant; named by a rising number of an instant
//
// Instants are the sets of the live analysis: frame N of the recorded camera is the picture that set N
// showed, at N / frame_rate seconds. NAME.segments is JSON: format "vantage segments 1", frame_rate,
// width_px, height_px, codec, checksum (16 hexadecimal digits, made up when the recording began). It is
// locked (flock) for as long as something is recorded.
//
// Lines of an index, each whole only with its newline:
//   S SEGMENT MS         decoding can begin at this picture of the segment
//   P FRAME SEGMENT MS   the picture that the frame shows
//   T FRAME              everything up to this frame has been written and can be read
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/video/stream_packet.h"

namespace vantage {

inline constexpr std::string_view kSegmentsSuffix = ".segments";

struct SegmentsHeader {
  double frame_rate = 0;
  int width_px = 0, height_px = 0;  // as pictures are given out, whatever the camera changed to
  std::string codec;                // at the start
  uint64_t checksum = 0;
};
bool names_segments(const std::string& video);
Result<SegmentsHeader> read_segments_header(const std::filesystem::path& file);
Status write_segments_header(const std::filesystem::path& file, const SegmentsHeader& header);

std::filesystem::path segments_folder(const std::filesystem::path& file);
std::filesystem::path segment_path(const std::filesystem::path& folder, int segment);
std::filesystem::path index_path(const std::filesystem::path& folder, int64_t frame);

std::string start_line(int segment, int64_t time_ms);
std::string picture_line(int64_t frame, int segment, int64_t time_ms);
std::string time_line(int64_t frame);

class SegmentIndex {
 public:
  struct Place {
    int segment = -1;  // -1: no picture
    int32_t time_ms = 0;
    bool operator==(const Place&) const = default;
  };

  explicit SegmentIndex(const std::filesystem::path& folder) : folder_(folder) {}
  // Reads what has been added since the last time.
  void refresh();

  int64_t begin() const { return begin_; }  // the first frame that is kept
  int64_t end() const { return end_; }      // behind the last one that can be read
  Place at(int64_t frame) const;
  // The last position at or before that one where decoding can begin; its time is 0 where none is known.
  Place start_before(const Place& place) const;

 private:
  void read_file(const std::filesystem::path& file);
  void take_line(const char* line);

  struct Picture {
    int64_t frame = 0;
    Place place;
  };
  void keep(const Picture& picture);
  std::vector<Picture>::const_iterator from(int64_t frame) const;  // the first picture at or behind it

  const std::filesystem::path folder_;
  std::filesystem::path file_;  // the one being read
  std::streamoff read_to_ = 0;
  int64_t begin_ = -1, end_ = 0;
  std::vector<Picture>
      pictures_;  // by frame; only those there are, so that a number in the file is no amount of memory
  std::map<int, std::vector<int32_t>> starts_;
};

// A stretch of a live stream as one Matroska file: the packets as they came, not encoded again. The file can
// be read up to the last flush() while it grows and after the program was killed; finish() adds what players
// seek by.

class SegmentWriter {
 public:
  virtual ~SegmentWriter() = default;  // without finish(): the file stays as it was at the last flush()
  // For a stream of packets like the first; how its pictures are shown (AV_PKT_DATA_DISPLAYMATRIX) becomes a
  // tag, which Demuxer reads. Errors: io (the disk is full, no permission), unsupported (a codec that
  // Matroska does not hold).
  static Result<std::unique_ptr<SegmentWriter>> open(const std::filesystem::path& path,
                                                     const StreamPacket& first);
  // Packets in the order they came. time_ms: when it is shown, from the segment's start; not negative, no two
  // the same.
  virtual Status write(const StreamPacket& packet, int64_t time_ms) = 0;
  virtual Status flush() = 0;
  virtual Status finish() = 0;
  virtual int64_t bytes() const = 0;  // written so far
};

}  // namespace vantage
