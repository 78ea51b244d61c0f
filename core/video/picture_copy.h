// From the decoder's frame to Vantage's: an 8-bit 4:2:0 picture with range and matrix tags, and checksums.
#pragma once

#include <string>

#include "core/base/result.h"
#include "core/image/picture.h"
#include "core/video/av_handles.h"

namespace vantage {

// Copies a software frame into a picture of the pool. yuv420p and yuvj420p are copied bit by bit; of 10 bits
// (yuv420p10) each sample v becomes min(255, (v + 2) / 4), as hardware frames do (gpu/codec). Any other
// format is converted by libswscale (bilinear chroma, accurate rounding) to 8-bit I420 without changing its
// range; RGB and grey become full range. Tags are the stream's; where it gives none: limited range, BT.601 up
// to 576 rows, BT.709 above.
class PictureCopier {
 public:
  Result<Picture> copy(const AVFrame& frame, BufferPool& pool);
  // The same, scaled to another size (bilinear).
  Result<Picture> scale(const AVFrame& frame, int width_px, int height_px, BufferPool& pool);
  // As it is, or, where it has another size of the same shape, scaled to the wanted one (0: any size).
  // Errors: those of wrong_size().
  Result<Picture> copy_at(const AVFrame& frame, int width_px, int height_px, BufferPool& pool);
  // "" when frames of that format are copied, else what is done to them.
  static std::string conversion(int pixel_format);

 private:
  Result<Picture> convert(const AVFrame& frame, const PictureFormat& format, BufferPool& pool);
  av::Owned<SwsContext> scaler_;
};

// Size, range and matrix of a frame, I420. `pixel_format` is the frame's own or, of a hardware frame, that of
// its surface.
PictureFormat picture_format_of(const AVFrame& frame, int pixel_format);

// What is said where a camera sends another size than the wanted one.
Error wrong_size(const AVFrame& frame, int width_px, int height_px);

// MD5 of the frame's bytes in its own format, rows without padding: ffmpeg's framemd5.
Result<std::string> native_md5(const AVFrame& frame);
// A quick hash of the same bytes.
uint64_t content_hash(const AVFrame& frame);

}  // namespace vantage
