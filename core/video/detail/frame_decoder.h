// One stream's decoder: compressed packets in, frames in display order out. Software, or hardware through a
// HardwareDecode with a fall back to software that states why: at once where the hardware refuses the stream,
// and with the packets it was given where it has made no picture of the first kPacketsOnTrial, or of all.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/video/av_handles.h"
#include "core/video/detail/packet_reader.h"
#include "core/video/video_source.h"

namespace vantage {

struct FrameDecoderOptions {
  std::shared_ptr<HardwareDecode> hardware;
  int threads = 1;
  std::string refusal;  // why there is no hardware although it was asked for
  std::function<void(const AVPacket& packet, int64_t number)>
      on_packet;  // sees each packet before it is decoded
};

class FrameDecoder {
 public:
  // More than lie between two key pictures, where a listener joins a stream.
  static constexpr size_t kPacketsOnTrial = 300;

  static Result<std::unique_ptr<FrameDecoder>> open(const PacketSource& source,
                                                    const FrameDecoderOptions& options);
  ~FrameDecoder();

  // Decodes on until a frame comes out; false at the end of the stream. packet_number() is the packet it came
  // from, turn_of() its rotation: the same for all frames, as the container states it or, without that, the
  // first of them.
  Result<bool> next(PacketSource& source, AVFrame& frame);

  // A packet (its number) that was refused by the decoder or came damaged from the container.
  struct Fault {
    int64_t packet = -1;
    int64_t pts = kNoTime;
    std::string reason;
  };
  // Faults since the last call.
  std::vector<Fault> take_faults();

  // Forgets what it has seen, to continue at another position of the stream.
  void flush();

  bool uses_hardware() const { return hardware_active_; }
  bool is_hardware_frame(const AVFrame& frame) const;
  // "software", "software (why not hardware)" or "nvdec".
  std::string description() const;
  std::string codec_name() const;

 private:
  FrameDecoder() = default;
  Status open_codec(const PacketSource& source, bool with_hardware);
  static int choose_format(AVCodecContext* context, const int* formats);
  Result<bool> next_packet(PacketSource& source);
  Status give_up_hardware(const PacketSource& source);
  void note_fault(int code);
  Status state_display_matrix(AVFrame& frame);

  FrameDecoderOptions options_;
  std::string refusal_;  // why the hardware is not used
  bool hardware_active_ = false;
  bool on_trial_ = false;  // the hardware has given no picture yet
  bool draining_ = false;
  bool matrix_known_ = false;  // display_matrix_ is decided
  std::optional<DisplayMatrix> display_matrix_;
  int64_t last_packet_ = -1, last_pts_ = kNoTime;
  std::vector<Fault> faults_;
  struct SentPacket {
    av::Owned<AVPacket> packet;
    int64_t number;
  };
  std::deque<SentPacket> unanswered_;  // what was sent on trial; then what software has yet to be sent of it
  av::Owned<AVPacket> packet_;
  av::Owned<AVCodecContext> context_;
};

// Number of the packet that a frame of a FrameDecoder came from, counted from where it was opened; -1:
// unknown.
int64_t packet_number(const AVFrame& frame);

// True when the frame was decoded from a key picture, which needs no other.
bool is_key_frame(const AVFrame& frame);

// Why the frame is not what it should be; empty: it is fine.
std::string frame_problem(const AVFrame& frame);

}  // namespace vantage
