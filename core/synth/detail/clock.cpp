#include "core/synth/detail/clock.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/synth/random.h"

namespace vantage::synth {
namespace {

constexpr int shortest_burst = 2, longest_burst = 12;  // frames

tl::unexpected<Error> refuse(const std::string& what, std::string remedy = {}) {
  return fail(ErrorKind::invalid_argument, what, "synthetic footage", std::move(remedy));
}

template <class T>
Status check_length(const std::vector<T>& list, const char* name, const SynthOptions& options) {
  if (list.empty() || list.size() == static_cast<size_t>(options.cameras)) return {};
  return refuse(
      std::to_string(list.size()) + " " + name + " for " + std::to_string(options.cameras) + " cameras",
      "Give one for each camera, separated by commas.");
}

template <class T>
T value_at(const std::vector<T>& list, int camera) {
  return list.empty() ? T{} : list[static_cast<size_t>(camera)];
}

Status check_clock(const SynthOptions& o) {
  VANTAGE_TRY(check_length(o.offsets_frames, "offsets", o));
  VANTAGE_TRY(check_length(o.drifts_ppm, "drifts", o));
  VANTAGE_TRY(check_length(o.dropped_bursts, "numbers of dropped bursts", o));
  if (value_at(o.offsets_frames, 0) != 0 || value_at(o.drifts_ppm, 0) != 0 ||
      value_at(o.dropped_bursts, 0) != 0)
    return refuse("the first camera is the base: its offset, drift and dropped bursts are 0");
  for (const double offset : o.offsets_frames)
    if (!(std::abs(offset) <= o.seconds * o.frame_rate))
      return refuse("an offset of " + std::to_string(offset) + " frames is longer than the recording");
  for (const double drift : o.drifts_ppm)
    if (!(std::abs(drift) <= 100'000)) return refuse("a drift must lie between -100000 and 100000 ppm");
  for (const int bursts : o.dropped_bursts)
    if (bursts < 0 || (bursts + 1) * drop_distance_s > o.seconds)
      return refuse(std::to_string(bursts) + " bursts of dropped frames do not fit into the recording",
                    "They lie 5 s apart and from both ends: give fewer bursts or more seconds.");
  return {};
}

// Random instants, drop_distance_s and more apart.
std::vector<DroppedFrames> make_drops(int bursts, const SynthOptions& options, int camera) {
  Random random(options.seed, 0x64726f70 + static_cast<uint64_t>(camera));
  const double free_s = options.seconds - (bursts + 1) * drop_distance_s;
  std::vector<double> moments_s;
  for (int i = 0; i < bursts; ++i) moments_s.push_back(random.uniform(0, free_s));
  std::sort(moments_s.begin(), moments_s.end());
  std::vector<DroppedFrames> drops;
  int64_t lost = 0;
  for (int i = 0; i < bursts; ++i) {
    const double moment_s = moments_s[static_cast<size_t>(i)] + (i + 1) * drop_distance_s;
    const int64_t count = shortest_burst + random.below(longest_burst - shortest_burst + 1);
    drops.push_back({std::llround(moment_s * options.frame_rate) - lost, count});
    lost += count;
  }
  return drops;
}

}  // namespace

CameraClock::CameraClock(double offset_frames, double drift_ppm, double frame_rate, int64_t ticks,
                         std::vector<DroppedFrames> drops)
    : offset_frames_(offset_frames),
      drift_ppm_(drift_ppm),
      true_frame_rate_(frame_rate * (1 + drift_ppm * 1e-6)),
      drops_(std::move(drops)),
      frame_count_(ticks) {
  for (const DroppedFrames& drop : drops_) frame_count_ -= drop.count;
}

double CameraClock::time_s(int64_t frame) const {
  int64_t tick = frame;
  for (const DroppedFrames& drop : drops_)
    if (frame >= drop.before_frame) tick += drop.count;
  return (static_cast<double>(tick) - offset_frames_) / true_frame_rate_;
}

Result<std::vector<CameraClock>> make_clocks(const SynthOptions& options) {
  VANTAGE_TRY(check_clock(options));
  const int64_t ticks = std::max<int64_t>(1, std::llround(options.seconds * options.frame_rate));
  std::vector<CameraClock> clocks;
  for (int camera = 0; camera < options.cameras; ++camera)
    clocks.emplace_back(value_at(options.offsets_frames, camera), value_at(options.drifts_ppm, camera),
                        options.frame_rate, ticks,
                        make_drops(value_at(options.dropped_bursts, camera), options, camera));
  return clocks;
}

}  // namespace vantage::synth
