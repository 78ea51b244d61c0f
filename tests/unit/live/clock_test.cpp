// When a camera's pictures were taken, on a simulated clock.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <random>
#include <thread>
#include <vector>

#include "core/live/detail/pace.h"
#include "core/live/live_clock.h"
#include "core/video/live/rtp_times.h"

namespace vantage::test {
namespace {

constexpr int64_t kMs = 1'000'000, kSecond = 1'000'000'000;

// A camera at 25 pictures a second whose own clocks may be wrong.
struct Simulated {
  std::mt19937_64 random{7};
  double network_ms = 40, jitter_ms = 8;
  double drift = 0;     // of its clock against ours
  double offset_s = 0;  // of its clock
  bool reports = true;
  int64_t now = 100 * kSecond;

  struct Picture {
    int64_t taken, stream, arrival, sender;
  };
  Picture next() {
    now += 40 * kMs;
    Picture p;
    p.taken = now;
    const auto since = static_cast<double>(now - 100 * kSecond);
    p.stream = std::llround(since * (1 + drift));
    p.sender = reports ? p.taken + std::llround(since * drift + offset_s * 1e9) : -1;
    const double delay_ms = network_ms + std::exponential_distribution<double>(1 / jitter_ms)(random);
    p.arrival = p.taken + std::llround(delay_ms * 1e6);
    return p;
  }
};

// The largest error after the first 30 s.
double largest_error_ms(Simulated camera, LiveClock& clock) {
  double largest = 0;
  for (int i = 0; i < 25 * 90; ++i) {
    const Simulated::Picture p = camera.next();
    const int64_t capture = clock.add(p.stream, p.arrival, p.sender);
    if (i > 25 * 30) largest = std::max(largest, std::abs(static_cast<double>(capture - p.taken)) * 1e-6);
  }
  return largest;
}

TEST(LiveClock, SendersTimeWhereItCanBeRight) {
  LiveClock clock;
  EXPECT_LT(largest_error_ms({}, clock), 1e-3);
  EXPECT_TRUE(clock.by_sender());
  EXPECT_NEAR(static_cast<double>(clock.delay_ns()) * 1e-6, 40, 2);
}

// Within one picture (40 ms) whatever its clock says.
TEST(LiveClock, ArrivalWhereTheSendersClockIsWrong) {
  for (const double offset_s : {-2.0, -0.6, 0.5, 2.0}) {
    for (const double drift : {0.0, 2000e-6, -2000e-6}) {
      Simulated camera;
      camera.offset_s = offset_s;
      camera.drift = drift;
      LiveClock clock(40 * kMs);
      EXPECT_LT(largest_error_ms(camera, clock), 15) << offset_s << " s, " << drift;
      EXPECT_FALSE(clock.by_sender());
      EXPECT_NEAR(clock.drift_ppm(), drift * 1e6, 150);
    }
  }
}

TEST(LiveClock, ADriftingSenderIsFoundOut) {
  Simulated camera;
  camera.drift = 2000e-6;
  LiveClock clock(40 * kMs);
  EXPECT_LT(largest_error_ms(camera, clock), 15);
  EXPECT_FALSE(clock.by_sender());
}

TEST(LiveClock, OffsetAndJitterAreReported) {
  Simulated camera;
  camera.offset_s = 1.5;
  LiveClock clock(40 * kMs);
  largest_error_ms(camera, clock);
  ASSERT_TRUE(clock.clock_offset_s());
  EXPECT_NEAR(*clock.clock_offset_s(), 1.5, 0.02);
  EXPECT_NEAR(clock.jitter_ms(), camera.jitter_ms, 4);
  camera.reports = false;
  LiveClock silent;
  largest_error_ms(camera, silent);
  EXPECT_FALSE(silent.clock_offset_s());
}

// A stall of 2 s whose pictures all come at its end does not move the line.
TEST(ArrivalLine, AStallIsNoChange) {
  ArrivalLine line;
  for (int64_t i = 0; i < 25 * 15; ++i) line.add(i * 40 * kMs + 30 * kMs, i * 40 * kMs);
  const int64_t end = 25 * 17 * 40 * kMs;
  for (int64_t i = 25 * 15; i < 25 * 17; ++i) line.add(end + 30 * kMs, i * 40 * kMs);
  for (int64_t i = 25 * 17; i < 25 * 20; ++i) {
    line.add(i * 40 * kMs + 30 * kMs, i * 40 * kMs);
    EXPECT_NEAR(static_cast<double>(line.at(i * 40 * kMs)), 30e6, 1e6);
  }
}

TEST(ArrivalLine, AClockThatIsSetIsFollowed) {
  ArrivalLine line;
  for (int64_t i = 0; i < 25 * 15; ++i) line.add(i * 40 * kMs, i * 40 * kMs);
  for (int64_t i = 25 * 15; i < 25 * 21; ++i) line.add(i * 40 * kMs, i * 40 * kMs - kSecond);
  EXPECT_NEAR(static_cast<double>(line.at(25 * 21 * 40 * kMs)), 1e9, 1e6);
}

constexpr int64_t kRtpRate = 90'000, kCamera_s = 1'800'000'000;  // since 1970 on the camera's clock

uint64_t ntp(int64_t utc_ns) {
  constexpr int64_t kSecondsTo1970 = 2'208'988'800;
  const auto seconds = static_cast<uint64_t>(utc_ns / kSecond + kSecondsTo1970);
  return seconds << 32 | (static_cast<uint64_t>(utc_ns % kSecond) << 32) / static_cast<uint64_t>(kSecond);
}

TEST(RtpTimes, StampsThatWrapGoOn) {
  RtpTimes times(kRtpRate);
  constexpr uint32_t kFirst = 0xffff'fff0;
  EXPECT_EQ(times.ticks(kFirst), 0);
  EXPECT_EQ(times.ticks(kFirst + 10'800), 10'800);
  EXPECT_EQ(times.ticks(kFirst + 3'600), 3'600);  // reordered
  EXPECT_EQ(times.ticks(kFirst - 3'600), -3'600);
  uint32_t stamp = kFirst;
  times.ticks(stamp);
  constexpr int64_t kStep = 1'000'000'000;
  for (int64_t i = 1; i <= 20; ++i) EXPECT_EQ(times.ticks(stamp += kStep), i * kStep);
}

// The first report may come before the first picture; the time stamps begin anywhere.
TEST(RtpTimes, AReportTellsWhenPicturesWereTaken) {
  for (const bool early : {true, false}) {
    RtpTimes times(kRtpRate);
    constexpr uint32_t kFirst = 0xffff'f000, kReported = kFirst - 9'000;
    const uint64_t reported = ntp(kCamera_s * kSecond);
    if (early) times.add_report(kReported, reported);
    const int64_t ticks = times.ticks(kFirst);
    if (!early) {
      EXPECT_EQ(times.sender_utc_ns(ticks), kNoTime);
      times.add_report(kReported, reported);
    }
    EXPECT_NEAR(static_cast<double>(times.sender_utc_ns(ticks) - kCamera_s * kSecond), 100e6, 2);
    const int64_t later = times.ticks(kFirst + 90'000);
    EXPECT_NEAR(static_cast<double>(times.sender_utc_ns(later) - kCamera_s * kSecond), 1100e6, 2);
  }
}

// Stream time that runs off the camera's clock is right again with each report, also when some are missing
// and after the stamps have wrapped.
TEST(RtpTimes, DriftIsTakenUpWithEachReport) {
  constexpr double kPpm = 500, kTicksPer_s = kRtpRate * (1 + kPpm * 1e-6);
  constexpr int64_t kReports_s = 5, kMissing_s = 60;
  RtpTimes times(kRtpRate);
  double max_s = 0;
  for (int64_t picture = 0; picture < 2 * 50'000 * 25; ++picture) {
    const double passed_s = static_cast<double>(picture) / 25;
    const auto stamp = static_cast<uint32_t>(static_cast<int64_t>(passed_s * kTicksPer_s));
    const int64_t ticks = times.ticks(stamp);
    const int64_t second = picture / 25;
    const bool missing = second % 1000 > 0 && second % 1000 < kMissing_s;
    if (picture % (25 * kReports_s) == 0 && !missing)
      times.add_report(stamp, ntp(kCamera_s * kSecond + static_cast<int64_t>(passed_s * 1e9)));
    const double told_s = static_cast<double>(times.sender_utc_ns(ticks) - kCamera_s * kSecond) * 1e-9;
    max_s = std::max(max_s, std::abs(told_s - passed_s));
  }
  EXPECT_LT(max_s, kMissing_s * kPpm * 1e-6 + 1e-4);
  EXPECT_GT(max_s, kReports_s * kPpm * 0.9e-6);
}

TEST(Pace, LeavesOutWhatCannotBeDoneAndTakesItUpAgain) {
  Pace pace;
  int64_t now = 0, dropped = 0;
  int every = 1;
  const auto run = [&](int64_t needed, int sets) {
    for (int i = 0; i < sets; ++i) {
      const int64_t period = 40 * kMs * every;
      if (needed > period) dropped += (needed - period) / (40 * kMs) + (i % 2);
      pace.note_wait(std::max<int64_t>(period - needed, 0));
      now += std::max(period, needed);
      every = pace.every(now, dropped, 0.04);
    }
  };
  run(30 * kMs, 300);
  EXPECT_EQ(every, 1);
  run(100 * kMs, 100);
  EXPECT_EQ(every, 3);
  run(100 * kMs, 300);
  EXPECT_EQ(every, 3);
  run(20 * kMs, 400);
  EXPECT_EQ(every, 1);
}

// Slow sets among quick ones lose a few: the pace becomes even, and not ever slower.
TEST(Pace, AFewSlowSetsDoNotMakeItEverSlower) {
  constexpr int64_t kQuick = 300 * kMs, kSlow = 900 * kMs;  // every sixth; 400 ms on average
  Pace pace;
  int64_t now = 0, dropped = 0;
  int every = 1;
  std::vector<int> paces;
  for (int i = 0; i < 600; ++i) {
    const int64_t period = 40 * kMs * every, needed = i % 6 == 0 ? kSlow : kQuick;
    if (needed > period) dropped += 2;
    pace.note_wait(std::max<int64_t>(period - needed, 0));
    now += std::max(period, needed);
    every = pace.every(now, dropped, 0.04);
    if (i >= 300) paces.push_back(every);
  }
  const auto [min, max] = std::minmax_element(paces.begin(), paces.end());
  EXPECT_GE(*min, 10);
  EXPECT_LE(*max, 17);
  EXPECT_LE(*max - *min, 2) << "even";
}

TEST(ProcessorLoad, CountsWhatThisProgramUses) {
  ProcessorLoad load;
  load.sample(1);
  EXPECT_EQ(load.share(), -1);
  constexpr double kBurnt_s = 0.1;
  const std::clock_t begun = std::clock();
  while (static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC < kBurnt_s) continue;
  load.sample(1 + ProcessorLoad::kSpan_ns / 2);
  EXPECT_EQ(load.share(), -1);
  load.sample(1 + ProcessorLoad::kSpan_ns);
  EXPECT_GE(load.share(), 0.9 * kBurnt_s / 3 / std::thread::hardware_concurrency());
  EXPECT_LE(load.share(), 1);
}

TEST(CodeLatency, FootageThatBeginsAgainIsFollowed) {
  constexpr int64_t kZeroUtc_s = 1'700'000'000, kRound_ms = 4000, kLatency_ms = 180;
  for (const int64_t begin_ms : {0, 9'000}) {  // in the first round, in the third
    CodeLatency latency(kZeroUtc_s);
    bool known = false;
    for (int64_t ms = begin_ms; ms < 30'000; ms += 40) {
      const int64_t wrong_ns = (ms / 40 % 5 - 2) * kMs;  // of the camera's clock
      const auto found =
          latency.add(ms % kRound_ms, ms * kMs + wrong_ns, (kZeroUtc_s * 1000 + ms + kLatency_ms) * kMs);
      ASSERT_TRUE(found);
      known = latency.take_found_length() || known;
      EXPECT_EQ(known, ms / kRound_ms > begin_ms / kRound_ms);
      EXPECT_DOUBLE_EQ(*found, kLatency_ms + (known ? 0 : begin_ms / kRound_ms * kRound_ms)) << ms;
    }
  }
  EXPECT_FALSE(CodeLatency(kZeroUtc_s).add(0, 0, (kZeroUtc_s + 3600) * kSecond)) << "an hour old";
}

TEST(CodeLatency, TheTimeOfDayRunsOverMidnight) {
  const std::time_t now = 1'700'000'000;
  std::tm local{};
  localtime_r(&now, &local);
  const int64_t day_ms = ((local.tm_hour * 60 + local.tm_min) * 60 + local.tm_sec) * int64_t{1000};
  const int64_t to_midnight_s = 86'400 - day_ms / 1000;
  CodeLatency latency;
  EXPECT_EQ(latency.add(day_ms - 250, 0, now * kSecond), 250);
  EXPECT_EQ(latency.add(day_ms + 20, 0, now * kSecond), -20) << "its clock is a little ahead";
  EXPECT_EQ(latency.add(86'400'000 - 100, 0, (now + to_midnight_s) * kSecond + 50 * kMs), 150);
  EXPECT_FALSE(latency.add(day_ms - 7'200'000, 0, now * kSecond)) << "not the time of day";
}

}  // namespace
}  // namespace vantage::test
