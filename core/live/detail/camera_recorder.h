// Records one camera: its packets into segments, and the index of pictures by frame
// (core/video/segments/segment_index.h). For one thread.
//
// A segment begins at a start point of decoding, with every connection, after lost packets and after
// segment_s. Pictures before the first start point are left out; a camera that never sends one (its pictures
// refresh gradually) is recorded from a key picture, or after kPatience_s from anywhere. Pictures shown
// before a segment's start but sent after it (open groups of pictures) also refer to the segment before: they
// are appended to it, after a copy of the new segment's first picture. Each segment is sealed.
#pragma once

#include <cstdint>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/seal/sealed_segment.h"
#include "core/video/segments/segment_index.h"

namespace vantage {

class CameraRecorder {
 public:
  static constexpr double kPatience_s = 5;

  // `key` signs the segments' seals; null: they are not sealed.
  CameraRecorder(std::filesystem::path folder, double segment_s, std::shared_ptr<const SigningKey> key);
  ~CameraRecorder();

  Status take(const StreamPacket& packet);
  // Packets are missing from here on.
  void lose() { broken_ = true; }
  // Notes that the frame shows the picture of that packet; -1: none. Frames ascend.
  void note(int64_t frame, int64_t packet);
  // Writes everything noted into the files; frames up to this one are complete.
  Status flush(int64_t frame);
  Status finish();

  int64_t bytes() const;        // on the disk
  int64_t first_frame() const;  // first kept frame; -1: none yet
  // End of the oldest completed segment, on trace_now_ns()'s clock; nothing: there is none.
  std::optional<int64_t> oldest_end_ns() const;
  void remove_oldest();

 private:
  struct Segment {
    int number = 0;
    int64_t end_ns = 0, bytes = 0;
    int64_t first_frame = -1;
  };
  struct Recent {
    int64_t number = 0;  // the packet's
    int segment = 0;
    int64_t time_ms = 0;
  };
  struct IndexFile {
    std::filesystem::path path;
    int last_segment = -1;
  };

  // The previous segment, which ends with the first picture shown after the next one's start.
  struct Tail {
    std::unique_ptr<SegmentWriter> writer;
    int segment = 0;
    int64_t zero_ns = 0;
    StreamPacket start;      // the next segment's
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
  SealSeries seals_;                       // outlives the writers
  std::unique_ptr<SegmentWriter> writer_;  // writes segments_.back()
  std::optional<Tail> tail_;               // the segment before
  std::shared_ptr<const StreamFormat> format_;
  std::deque<Segment> segments_;  // oldest first
  int next_segment_ = 0;
  bool broken_ = false;
  bool timed_ = false;       // a packet of the segment had a time
  int64_t begun_ns_ = 0;     // start of the segment, by arrival
  int64_t waiting_ns_ = -1;  // start of the wait for a start point
  int64_t zero_ns_ = 0;      // the segment's time 0 on the stream's clock, once timed_
  int64_t last_arrival_ns_ = 0, last_since_ns_ = 0;  // the last packet's, the latter within the segment
  std::deque<Recent> recent_;
  std::string lines_;  // for the index, at the next flush
  int64_t flushed_frame_ = -1;
  std::FILE* index_ = nullptr;
  std::deque<IndexFile> index_files_;
};

}  // namespace vantage
