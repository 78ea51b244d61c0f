// One camera's pictures, from wherever they come: files, image sequences and live streams.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/base/trace.h"
#include "core/image/picture.h"
#include "core/video/stream_packet.h"

struct AVFrame;  // FFmpeg's, only passed through
struct AVBufferRef;

namespace vantage {

struct VideoInfo {
  std::string codec;         // "h264", "vp9", "mpeg4", "png"
  std::string decoder;       // "software", "software (why the hardware was refused)" or "nvdec"
  std::string pixel_format;  // the decoder's own, as FFmpeg names it
  std::string conversion;    // how that became 8-bit 4:2:0 in working colours; empty: copied bit by bit
  int width_px = 0, height_px = 0;
  double pixel_aspect = 1;   // width of a pixel over its height, as shown upright; 1: square, or not stated
  double frame_rate = 0;     // frames/s; a hint from the container
  int64_t frame_count = -1;  // exact once frame_count_exact
  bool frame_count_exact = false;
  int64_t file_bytes = 0;
  uint64_t content_hash = 0;  // as VideoSource::content_hash(): the checksum that results name
  std::string order;          // of pictures: what their order was taken from; empty: of no pictures
  std::string timing;  // how a file is played whose times leave gaps or vary; empty: at a constant rate
  // Pictures of such a file, by their count from 0, by frame; -1: it holds none. Null where frame i is
  // picture i.
  std::shared_ptr<const std::vector<int64_t>> picture_of_frame;
};

// Frames without a picture by the file's own times.
struct VideoGap {
  int64_t first_frame = 0, frames = 0;
  bool operator==(const VideoGap&) const = default;
};
// The runs of -1.
std::vector<VideoGap> gaps_in(const std::vector<int64_t>& picture_of_frame);
bool in_gap(const VideoInfo& info, int64_t frame);

struct DecodedFrame {
  Picture picture;       // in working colours (working_colors.h), whatever the file's are
  int64_t index = -1;    // display order from 0, whatever the container says
  int64_t time_ns = -1;  // presentation time from the stream's first frame; -1: the container has none
  // For live streams: when its last byte was there (trace_now_ns()'s clock), and when the camera says that it
  // was taken (nanoseconds since 1970 on the camera's clock). -1: not live, or not said.
  int64_t arrival_ns = -1, sender_utc_ns = -1;
  int64_t packet =
      -1;  // of live streams: the number of the packet it came from; -1: the decoder does not tell
  std::string problem;  // not empty: the frame is damaged or missing (then without a picture); says why
  std::string
      native_md5;  // with VideoOpenOptions::native_checksum: MD5 of the frame in the decoder's own pixel
                   // format, rows without padding, as ffmpeg's framemd5 gives it; empty for hardware frames
};

// Gives a decoder hardware frames. Implemented by gpu/codec.
class HardwareDecode {
 public:
  virtual ~HardwareDecode() = default;
  // A new reference to an AVHWDeviceContext; the caller unrefs it.
  virtual Result<AVBufferRef*> device_context() = 0;
  // Copies a hardware frame device to device into the pool; the decoder's surface can be given back on
  // return.
  virtual Result<Picture> copy_out(const AVFrame& frame, int camera, int64_t index) = 0;
  // True when the hardware decodes this size of this codec: "hevc", or "hevc, 10 bits".
  virtual bool supports(const std::string& codec, int width_px, int height_px) const = 0;
};

struct VideoOpenOptions {
  std::shared_ptr<HardwareDecode> hardware;  // null: software decoding into host memory
  BufferPool* pool = nullptr;                // host pool for software frames; null: HostPool::shared()
  TraceRecorder* trace = nullptr;
  int camera = -1;                  // labels spans and problems
  int decoder_threads = 1;          // more than one: frame threads, which add as many frames of delay
  int width_px = 0, height_px = 0;  // of live streams: the size wanted; 0: as it comes
  bool native_checksum = false;
  bool by_count = false;  // a file's frames are its pictures by their count, whatever their times
  PacketTap on_packet;    // of live streams: sees each packet before it is decoded, on the thread that reads
  StopSource
      stop;  // a stop request ends a read() or seek() in progress with ErrorKind::cancelled, from any thread
};

// Counters of a live stream so far.
struct StreamCounters {
  int64_t packets = 0, bytes = 0;
  int64_t faults = 0;    // damaged, or refused by the decoder
  int64_t left_out = 0;  // pictures that build on others which never came (rtp_times.h)
};

// read() and seek() belong to one thread; the other functions may be called from any thread at any time.
class VideoSource {
 public:
  virtual ~VideoSource() = default;
  virtual VideoInfo info() const = 0;
  // The next frame in display order. ErrorKind::end_of_stream after the last.
  virtual Result<DecodedFrame> read() = 0;
  // The next read() returns frame `index` (bit-identical to playing there). ErrorKind::end_of_stream beyond
  // the last.
  virtual Status seek(int64_t index) = 0;
  // The last frame at or before `index` that seek() reaches without decoding others first; `index` itself
  // where every frame costs the same, or where that is not known.
  virtual int64_t start_before(int64_t index) const { return index; }
  // Waits until the seek index, built behind, has seen the whole file; the exact number of frames.
  virtual Result<int64_t> wait_for_frame_count(const StopSource& stop) = 0;
  // Frames the file should have held and that could not be decoded, with the reason; grows while reading.
  virtual std::vector<std::pair<int64_t, std::string>> problems() const = 0;
  // Hash of the content's identity (path-independent: size and sampled bytes); for result versions.
  virtual uint64_t content_hash() const = 0;
  virtual StreamCounters counters() const { return {}; }  // zeros where it is no stream
};

// Opens a video file, or an image sequence given as a printf pattern ("cam1/img_%04d.png") or a folder/glob
// ("cam1/*.jpg"). Numbers missing in a sequence are frames without a picture. Or several files of one camera,
// given as their list (file_list.h). Or a live stream given as an address (live_address.h): its frames are
// numbered as they come, it cannot seek and has no frame count.
Result<std::unique_ptr<VideoSource>> open_video(const std::string& path, const VideoOpenOptions& options);

// A file that exists and holds the pictures itself: no recording of segments, list of files, pattern or
// address.
bool is_one_file(const std::string& video);

// Opens a camera at this machine: what stands behind "device://" in its address.
using DeviceOpener =
    std::function<Result<std::unique_ptr<VideoSource>>(const std::string& device, const VideoOpenOptions&)>;
// Given once, before anything is opened, by a program that has an implementation.
void set_device_opener(DeviceOpener opener);

// The identity of a video when its file was moved or renamed.

struct VideoIdentity {
  int64_t bytes = 0;      // of the file, or of all images; 0: of a recording that may still grow, of a list
  uint64_t checksum = 0;  // VideoSource::content_hash(); 0: not known
  bool known() const { return checksum != 0; }
  bool operator==(const VideoIdentity&) const = default;
};

// The identity of what open_video() takes, live streams apart. Decodes nothing: it reads the size and 64 KiB
// at 16 positions, the first of them the file's beginning with its first frames.
Result<VideoIdentity> identify_video(const std::string& path);

}  // namespace vantage
