// What of RTSP and RTP is our own code: time stamps and sender reports become times, and gaps are told. (The
// protocol, its session descriptions and packets are read by GStreamer, which is not instrumented.) The first
// byte chooses the clock's rate, then records of a kind, a stamp and a report follow.
#include <cstring>

#include "core/video/live/rtp_times.h"
#include "tests/fuzz/target.h"

using namespace vantage;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  constexpr int64_t kRates[] = {RtpTimes::kMinRate, 8000, 90000, RtpTimes::kMaxRate};
  const int64_t rate = kRates[data[0] % 4];
  RtpTimes times(rate);
  MissingPictures missing;
  constexpr size_t kRecord = 13;
  for (size_t at = 1; at + kRecord <= size; at += kRecord) {
    uint32_t stamp = 0;
    uint64_t ntp = 0;
    std::memcpy(&stamp, data + at + 1, sizeof stamp);
    std::memcpy(&ntp, data + at + 5, sizeof ntp);
    if (data[at] % 2 == 1) {
      times.add_report(stamp, ntp);
      continue;
    }
    const int64_t ticks = times.ticks(stamp);
    times.sender_utc_ns(ticks);
    missing.look(RtpTimes::nanoseconds(ticks, rate), data[at] % 4 == 0);
  }
  return 0;
}
