// The compressed packets of one file's video stream in the order they lie in the file, each with its number.
// Used by the playing source and, with a file handle of its own, by the seek index.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/video/av_handles.h"

struct AVCodecParameters;
struct AVPacket;
struct AVRational;

namespace vantage {

// The compressed packets of one video stream in their order, each with its number: what a decoder is fed
// from. From a file (packet_reader.h) or from a live camera (live_receiver.h).

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

struct AVStream;

namespace vantage {

class Demuxer;

// Enough of a packet to find it again after a jump, by its content.
struct PacketIdentity {
  int64_t number = -1;  // in file order from 0
  int64_t pts = kNoTime, dts = kNoTime;
  int64_t position = -1;  // byte offset in the file, -1: unknown
  int size_bytes = 0;
  uint64_t content = 0;  // hash of the bytes
};

class PacketReader final : public PacketSource {
 public:
  // Errors: not_found, io, bad_data (not a video, damaged beyond opening), each with what to do.
  static Result<std::unique_ptr<PacketReader>> open(const std::string& path, const StopSource& stop);
  ~PacketReader() override;

  Result<bool> next(AVPacket& packet) override;
  int64_t next_number() const override { return next_number_; }
  const std::string& end_problem() const override;
  const AVCodecParameters& parameters() const override;
  AVRational time_base() const override;
  double frame_rate() const override;
  std::optional<DisplayMatrix> display_matrix() const override;

  // The next next() gives the packet `target` again. False when it could not be found: the reader is then
  // spoilt and must be opened again.
  bool jump_to(const PacketIdentity& target);

  // The same for the packet that is shown at that time, in ticks of the stream.
  bool jump_to_time(int64_t pts);

  const AVStream& stream() const;
  int64_t start_time() const;                  // as Demuxer has it
  std::vector<int64_t> indexed_times() const;  // as Demuxer has them
  int64_t stated_packets() const;              // as the container's index says; 0: it does not

 private:
  PacketReader() = default;
  bool find_from_here(const PacketIdentity& target);
  bool find_time_from_here(int64_t pts);
  bool restart();

  std::string path_;
  std::unique_ptr<Demuxer> demuxer_;
  int64_t next_number_ = 0;
  av::Owned<AVPacket> held_;  // found by jump_to(), given by the next next()
  bool holding_ = false;
};

PacketIdentity identify(const AVPacket& packet, int64_t number);

}  // namespace vantage
