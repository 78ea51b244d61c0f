#include "app/cli/bench/delay.h"

#include <algorithm>

#include "app/cli/bench/spread.h"
#include "core/base/utc_clock.h"
#include "core/live/test_cameras/stream_server.h"

namespace vantage::cli {
namespace {

// Milliseconds to the decoded picture: from when the camera sent it, which it does at once and by the clock
// of its reports, and from when the receiver knew that it was whole.
struct Delays {
  std::vector<double> from_sent, from_whole;
};

// A camera reports its clock within five seconds or so, on a busy machine later; pictures before that do not
// count.
Delays measure(VideoSource& source, size_t pictures) {
  constexpr int64_t kLongestWait_ns = 60'000'000'000;
  Delays delays;
  const int64_t begun_ns = trace_now_ns();
  while (delays.from_sent.size() < pictures) {
    const DecodedFrame frame = value_or_fail(source.read());
    if (delays.from_sent.empty() && trace_now_ns() - begun_ns > kLongestWait_ns) break;
    if (!frame.picture || frame.sender_utc_ns <= 0) continue;
    delays.from_sent.push_back(1e-6 * static_cast<double>(utc_now_ns() - frame.sender_utc_ns));
    delays.from_whole.push_back(1e-6 * static_cast<double>(trace_now_ns() - frame.arrival_ns));
  }
  return delays;
}

// A camera that never said when its pictures were taken has no delay, not one of 0 ms.
nlohmann::ordered_json spread_or_null(const std::vector<double>& values) {
  return values.empty() ? nlohmann::ordered_json() : to_json(spread_of(values));
}

}  // namespace

void live_delay(const BenchDevice& device, const BenchFootage& footage, const ExperimentOptions&,
                BenchReport& report) {
  const auto pictures = static_cast<size_t>(std::min<int64_t>(footage.frames, 250));
  constexpr std::string_view kScheme = "rtsp";
  StreamServerOptions served;
  StreamedCamera& camera = served.cameras.emplace_back();
  camera.name = "cam1", camera.path = footage.project.cameras.front().video;
  const auto server = value_or_fail(StreamServer::start(std::move(served)));
  VideoOpenOptions open;
  if (device.on_gpu()) open.hardware = device.backends().hardware;
  Plot plot{"From sending a live picture to having it decoded", "picture", "ms", false, true, false, {}};
  nlohmann::ordered_json facts = {{"footage", footage.description}};
  for (const char* scheme : {"rtsp", "rtsp+udp"}) {
    const auto source = value_or_fail(open_video(scheme + server->address(0).substr(kScheme.size()), open));
    const Delays delays = measure(*source, pictures);
    PlotSeries& series = plot.series.emplace_back(PlotSeries{scheme, {}});
    for (size_t i = 0; i < delays.from_sent.size(); ++i)
      series.points.push_back({static_cast<double>(i), delays.from_sent[i]});
    facts["decoder"] = source->info().codec + ", " + source->info().decoder;
    facts["period_ms"] = 1e3 / source->info().frame_rate;
    facts[scheme] = {{"pictures", delays.from_sent.size()},
                     {"from_sent", spread_or_null(delays.from_sent)},
                     {"from_whole", spread_or_null(delays.from_whole)}};
  }
  report.add("delay", plot, facts);
}

}  // namespace vantage::cli
