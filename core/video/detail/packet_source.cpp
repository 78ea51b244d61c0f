#include "core/video/detail/packet_source.h"

extern "C" {
#include <libavutil/avutil.h>
#include <libavutil/mathematics.h>
}

namespace vantage {

static_assert(kNoTime == AV_NOPTS_VALUE);

int64_t PacketSource::time_ns(int64_t ticks) const {
  return av_rescale_q(ticks, time_base(), AVRational{1, 1000000000});
}

}  // namespace vantage
