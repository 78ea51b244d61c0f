// One camera of a recording: its packets into segments, and the index of which picture belongs to which frame
// (core/video/segments/segment_index.h). Belongs to one thread.
//
// A segment begins where decoding can begin, with every connection, after lost packets and after segment_s.
// Pictures before the first such one are left out; a camera that never sends one (its pictures refresh bit
// by bit) is recorded from a key picture, or after kPatience_s from anywhere.
// Pictures that are shown before a segment's start but come behind it (open groups of pictures) refer to the
// segment before too: they go to its end, behind a copy of the picture that the new segment starts with.
#pragma once

#include <cstdint>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/video/segments/segment_index.h"

namespace vantage {

class CameraRecorder {
 public:
  static constexpr double kPatience_s = 5;

  CameraRecorder(std::filesystem::path folder, double segment_s);
  ~CameraRecorder();

  Status take(const StreamPacket& packet);
  // Packets are missing from here on.
  void lose() { broken_ = true; }
  // Notes that the frame shows the picture of that packet; -1: none. Frames rise.
  void note(int64_t frame, int64_t packet);
  // Writes what was taken and noted into the files; every frame up to this one is complete.
  Status flush(int64_t frame);
  Status finish();

  int64_t bytes() const;        // on the disk
  int64_t first_frame() const;  // that is kept; -1: none yet
  // When the oldest segment that is not being written ended, on trace_now_ns()'s clock; nothing: there is
  // none.
  std::optional<int64_t> oldest_end_ns() const;
  void remove_oldest();

 private:
  struct Segment {
    int number = 0;
    int64_t end_ns = 0, bytes = 0;
    int64_t first_frame = -1;
  };
  struct Recent {
    int64_t number = 0;  // of the packet
    int segment = 0;
    int64_t time_ms = 0;
  };
  struct IndexFile {
    std::filesystem::path path;
    int last_segment = -1;
  };

  // A segment that ends when the first picture comes that is shown behind the next one's start.
  struct Tail {
    std::unique_ptr<SegmentWriter> writer;
    int segment = 0;
    int64_t zero_ns = 0;
    StreamPacket start;      // of the next segment
    bool has_start = false;  // it was copied
  };

  bool may_begin(const StreamPacket& packet);
  Status keep_tail(const StreamPacket& next_start);
  Status begin_segment(const StreamPacket& packet);
  Status end_segment();
  Status end_tail();
  Status write_to_tail(const StreamPacket& packet);
  void keep(int segment);
  void close_index();
  int64_t time_in_segment(const StreamPacket& packet);
  void remember(const Recent& place);
  int64_t free_time(int segment, int64_t time_ms) const;
  void remove_index_files();
  Status append(int64_t frame);

  const std::filesystem::path folder_;
  const double segment_s_;
  std::unique_ptr<SegmentWriter> writer_;  // of segments_.back()
  std::optional<Tail> tail_;               // the segment before
  std::shared_ptr<const StreamFormat> format_;
  std::deque<Segment> segments_;  // kept, the oldest first
  int next_segment_ = 0;
  bool broken_ = false;
  bool timed_ = false;       // a packet of the segment had a time
  int64_t begun_ns_ = 0;     // the segment, by arrival
  int64_t waiting_ns_ = -1;  // for a start, since then
  int64_t zero_ns_ = 0;      // the segment's time 0 on the stream's clock, once timed_
  int64_t last_arrival_ns_ = 0, last_since_ns_ = 0;  // of the packet before, the latter in the segment
  std::deque<Recent> recent_;
  std::string lines_;  // for the index, at the next flush
  int64_t flushed_frame_ = -1;
  std::FILE* index_ = nullptr;
  std::deque<IndexFile> index_files_;
};

}  // namespace vantage
