// Copies the decoder's frame to Vantage's: an upright 8-bit 4:2:0 picture in working colours, and checksums.
#pragma once

#include <string>

#include "core/base/result.h"
#include "core/image/picture.h"
#include "core/video/av_handles.h"
#include "core/video/picture_turn.h"

namespace vantage {

// Copies a software frame into a picture of the pool, in working colours (working_colors.h). yuv420p and
// yuvj420p in those are copied bit by bit; of 10 bits (yuv420p10) each sample v first becomes
// min(255, (v + 2) / 4), as hardware frames do (gpu/codec). RGB is converted at once by libswscale (bilinear
// chroma, accurate rounding); any other format first to 8-bit I420 in its own range and matrix.
//
// Range and matrix are the stream's; where it gives none: JPEG's formats, RGB and grey are full, others
// limited; the matrix is the one that the height says, before the picture is turned.
//
// Pictures are turned upright (picture_turn.h) before their colours change; sizes here are upright.
class PictureCopier {
 public:
  Result<Picture> copy(const AVFrame& frame, BufferPool& pool);
  // The same, scaled to another size (bilinear).
  Result<Picture> scale(const AVFrame& frame, int width_px, int height_px, BufferPool& pool);
  // As it is, or, where it has another size of the same shape, scaled to the wanted one (0: any size).
  // Errors: those of wrong_size().
  Result<Picture> copy_at(const AVFrame& frame, int width_px, int height_px, BufferPool& pool);
  // "" when frames like this one are copied, else what is done to them. `pixel_format` as for
  // picture_format_of().
  static std::string conversion(const AVFrame& frame, int pixel_format);

 private:
  Result<Picture> copy_planes(const AVFrame& frame, const PictureFormat& format, BufferPool& pool);
  Result<Picture> convert(const AVFrame& frame, PictureFormat format, BufferPool& pool);
  av::Owned<SwsContext> scaler_;
};

// Size, range and matrix of a frame as it is stored, I420. `pixel_format` is the frame's own or, of a
// hardware frame, that of its surface.
PictureFormat picture_format_of(const AVFrame& frame, int pixel_format);

// The same of the upright picture.
PictureFormat upright_format_of(const AVFrame& frame, int pixel_format);

// The error where a camera sends another size than the wanted one.
Error wrong_size(const PictureFormat& upright, int width_px, int height_px);

// MD5 of the frame's bytes in its own format, rows without padding: ffmpeg's framemd5.
Result<std::string> native_md5(const AVFrame& frame);
// A quick hash of the same bytes.
uint64_t content_hash(const AVFrame& frame);

}  // namespace vantage
