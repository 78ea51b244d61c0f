#include "core/video/decoder_alone.h"

#include "core/video/detail/frame_decoder.h"
#include "core/video/detail/packet_reader.h"

extern "C" {
#include <libavutil/frame.h>
}

namespace vantage {

struct DecoderAlone::Impl {
  std::unique_ptr<PacketReader> reader;
  std::unique_ptr<FrameDecoder> decoder;
  av::Owned<AVFrame> frame = av::make_frame();
};

DecoderAlone::DecoderAlone(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
DecoderAlone::~DecoderAlone() = default;

Result<std::unique_ptr<DecoderAlone>> DecoderAlone::open(const std::string& path,
                                                         std::shared_ptr<HardwareDecode> hardware) {
  auto impl = std::make_unique<Impl>();
  if (!impl->frame) return fail(ErrorKind::out_of_memory, "not enough memory to open the video", path);
  VANTAGE_ASSIGN(impl->reader, PacketReader::open(path, {}));
  FrameDecoderOptions options;
  options.hardware = std::move(hardware);
  VANTAGE_ASSIGN(impl->decoder, FrameDecoder::open(*impl->reader, options));
  return std::unique_ptr<DecoderAlone>(new DecoderAlone(std::move(impl)));
}

Result<bool> DecoderAlone::next() {
  VANTAGE_ASSIGN(const bool more, impl_->decoder->next(*impl_->reader, *impl_->frame));
  av_frame_unref(impl_->frame.get());  // the decoder's surfaces are few
  return more;
}

}  // namespace vantage
