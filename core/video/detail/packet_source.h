// The compressed packets of one video stream in their order, each with its number: what a decoder is fed
// from. From a file (packet_reader.h) or from a live camera (live_receiver.h).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "core/base/result.h"

struct AVCodecParameters;
struct AVPacket;
struct AVRational;

namespace vantage {

constexpr int64_t kNoTime = INT64_MIN;         // FFmpeg's AV_NOPTS_VALUE
using DisplayMatrix = std::array<int32_t, 9>;  // as FFmpeg's AV_PKT_DATA_DISPLAYMATRIX

class PacketSource {
 public:
  virtual ~PacketSource() = default;
  // The next packet of the stream into `packet`. False at the end; end_problem() then says whether it broke
  // off.
  virtual Result<bool> next(AVPacket& packet) = 0;
  virtual int64_t next_number() const = 0;
  virtual const std::string& end_problem() const = 0;
  virtual const AVCodecParameters& parameters() const = 0;
  virtual AVRational time_base() const = 0;
  virtual double frame_rate() const = 0;  // 0: not known
  // How the container says that pictures are shown (picture_turn.h); nothing: it does not.
  virtual std::optional<DisplayMatrix> display_matrix() const { return std::nullopt; }
  int64_t time_ns(int64_t ticks) const;  // a duration in the time base
};

}  // namespace vantage
