// Frame sets of N cameras that are stepped as one: from files here (FileFrameSource), from live cameras in
// core/live/live_frame_source.h.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/base/trace.h"
#include "core/image/picture.h"
#include "core/video/offset_change.h"
#include "core/video/video_source.h"

namespace vantage {

// The pictures of all cameras at one instant: frame N of the base camera and, per camera, the picture nearest
// to it in time.

struct CameraFrame {
  Picture picture;            // empty: this camera has no frame here
  int64_t camera_frame = -1;  // the camera's own frame number, display order from 0
  int64_t time_ns = -1;       // the container's presentation time, from the stream's start; -1: none
  double offset_remainder_frames =
      0;                // wanted time minus delivered time, in this camera's frames, within +-0.5
  int64_t packet = -1;  // of live cameras: the number of the packet it came from (StreamPacket)
  std::string problem;  // why the picture is missing or damaged; empty when it is fine
};

struct FrameSet {
  int64_t frame = -1;  // of the base camera, from 0
  int64_t time_ns = -1;
  std::vector<CameraFrame> cameras;  // in the project's order
};

struct FrameSourceCamera {
  std::string name;
  std::string path;  // as open_video() takes it
  double offset_frames =
      0;  // the frame of this camera simultaneous with frame 0 of the base; the fraction is kept
  double frame_rate = 0;                   // 0: the container's
  std::vector<OffsetChange> changes = {};  // frames lost or gained on the way
  // The video is not there: the camera is as one that has ended before its first frame.
  bool missing = false;
  int width_px = 0, height_px = 0;  // of a missing one
};

struct FrameSourceOptions {
  // The first is the base. Where its video is missing, the first that is there tells the frames and their
  // rate.
  std::vector<FrameSourceCamera> cameras;
  std::shared_ptr<HardwareDecode> hardware;
  TraceRecorder* trace = nullptr;
  int queue_frames = 4;  // decoded ahead per camera
};

class FrameSource {
 public:
  virtual ~FrameSource() = default;
  // Plays files. A decode thread per camera fills a bounded queue ahead of the playhead, so memory stays
  // constant on hour-long files.
  static Result<std::unique_ptr<FrameSource>> open(FrameSourceOptions options);

  virtual int camera_count() const = 0;
  virtual VideoInfo info(int camera) const = 0;
  virtual double frame_rate() const = 0;  // the base camera's
  // Frames of the base camera; exact once every index is complete, an estimate before.
  virtual int64_t frame_count() const = 0;
  virtual bool frame_count_exact() const = 0;
  // Waits for the exact count (a pass over the base camera's packets; decoding only where the container needs
  // it).
  virtual Result<int64_t> wait_for_frame_count(const StopSource& stop) = 0;

  // Frame set N. Reading N + 1 after N continues; any other N seeks. Base frame N is at N / rate seconds;
  // camera c gives the frame nearest to offset_c + N * rate_c / rate_base + (the changes up to N). Cameras
  // without a frame there have an empty picture and say why. ErrorKind::end_of_stream beyond the base
  // camera's last frame.
  virtual Result<FrameSet> read(int64_t frame) = 0;

  // Moves a camera: from base frame `change.base_frame` on, it (never the base) is further ahead by so many
  // of its frames; negative: it has lost some. No frame of the base is lost or given twice. While no one
  // reads or asks for the version. Live cameras lie in time by their clocks and take no notice.
  virtual void change_offset(int /*camera*/, const OffsetChange& /*change*/) {}

  // Hash over content, offsets, rates and changes, those by change_offset() too: the version of the "video"
  // stage.
  virtual uint64_t version() const = 0;
  virtual std::vector<std::string> problems() const = 0;
};

}  // namespace vantage
