// NVDEC through FFmpeg: HardwareDecode of core/video/video_source.h.
//
// Each decoder gets an AVHWDeviceContext with the device's primary CUDA context and a stream of its own.
// FFmpeg maps a decoded surface on that stream, copy_out() enqueues its copy there too, from the submission
// thread, and FFmpeg maps the next picture into a surface given back on the same stream again. So the copy is
// behind the decoder's work and before the surface's next use without a wait, as in FFmpeg's own CUDA
// filters.
#pragma once

#include <memory>

#include "core/base/result.h"
#include "core/base/trace.h"
#include "core/video/video_source.h"

namespace vantage::gpu {

class Context;

// ErrorKind::unsupported when the driver library cannot be used.
Result<std::shared_ptr<HardwareDecode>> make_hardware_decode(std::shared_ptr<Context> context,
                                                             TraceRecorder* trace);

}  // namespace vantage::gpu
