#include "tools/bench/experiments.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <thread>

#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/live/test_cameras/stream_server.h"
#include "core/metrics/block_bootstrap.h"
#include "core/pipeline/frame_result.h"
#include "core/video/decoder_alone.h"

namespace vantage::cli {
namespace {

// Spread of measured times, for reports.

// The values are milliseconds.
nlohmann::ordered_json to_json(const Spread& s) {
  return {{"mean_ms", s.mean}, {"deviation_ms", s.deviation},
          {"p50_ms", s.p50},   {"p95_ms", s.p95},
          {"p99_ms", s.p99},   {"max_ms", s.max}};
}

// Delay of a live camera's pictures: over RTSP from a test camera on this machine, through the source of live
// cameras.

// Milliseconds to the decoded picture: from the time of sending, by the clock in the camera's reports, and
// from when the receiver had it completely.
struct Delays {
  std::vector<double> from_sent, from_whole;
};

// A camera reports its clock within about five seconds, on a busy machine later; earlier pictures do not
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

// A camera that never reported its clock has no delay, not one of 0 ms.
nlohmann::ordered_json spread_or_null(const std::vector<double>& values) {
  return values.empty() ? nlohmann::ordered_json() : to_json(spread_of(values));
}

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

using nlohmann::ordered_json;

const std::vector<int>& chosen(const std::vector<int>& asked, const std::vector<int>& otherwise) {
  return asked.empty() ? otherwise : asked;
}

// Figure 46.
void against_cameras(const BenchDevice& device, const BenchFootage& footage, const ExperimentOptions& options,
                     BenchReport& report) {
  static const std::vector<int> kGpu = {1, 2, 4, 8, 16, 32}, kCpu = {1, 2, 4};
  Plot plot{
      "Whole chain against the number of cameras", "cameras", "frame sets a second", true, true, true, {}};
  PlotSeries sets{"frame sets/s", {}}, pictures{"pictures/s", {}};
  for (const int cameras : chosen(options.cameras, device.on_gpu() ? kGpu : kCpu)) {
    const ChainTimes times = run_chain(device, with_cameras(footage.project, cameras), footage.frames);
    sets.points.push_back({double(cameras), times.frames_per_s()});
    pictures.points.push_back({double(cameras), cameras * times.frames_per_s()});
  }
  plot.series = {sets, pictures};
  report.add("cameras", plot, {{"footage", footage.description}});
}

// Figure 49. Cubic voxels over the same floor, 64 layers.
void against_grid(const BenchDevice& device, const BenchFootage& footage, const ExperimentOptions& options,
                  BenchReport& report) {
  static const std::vector<int> kGpu = {32, 64, 128, 256, 384, 512, 768, 1024}, kCpu = {32, 64, 128, 256};
  Plot plot{"Whole chain against the grid, N x N x 64", "N", "frame sets a second", true, true, true, {}};
  PlotSeries sets{"frame sets/s", {}};
  for (const int side : chosen(options.grids, device.on_gpu() ? kGpu : kCpu)) {
    const ChainTimes times = run_chain(device, with_grid(footage.project, side, 64), footage.frames);
    sets.points.push_back({double(side), times.frames_per_s()});
  }
  plot.series = {sets};
  report.add("grid", plot, {{"footage", footage.description}});
}

// A detector's share of each frame set: the device's own time if there is one, else that of the stage's
// thread, which waits for the pictures on the host.
struct DetectorPart {
  const char* name;
  std::string_view span, lane;
};
const std::vector<DetectorPart>& detector_parts(bool on_gpu) {
  static constexpr DetectorPart kWaiting = {"waiting for pictures", "wait for decoding", "read"};
  static const std::vector<DetectorPart> kGpu = {
      kWaiting, {"foreground", "foreground", "cuda:"}, {"optical flow", "optical flow", "cuda:"}};
  static const std::vector<DetectorPart> kCpu = {
      kWaiting, {"foreground", "foreground", "stage foreground"}, {"optical flow", "flow", "stage flow"}};
  return on_gpu ? kGpu : kCpu;
}

double ms_a_frame_set(const ChainTimes& times, const DetectorPart& part) {
  int64_t total_ns = 0;
  for (const TraceSpan& span : times.spans)
    if (span.name == part.span && span.lane.starts_with(part.lane)) total_ns += span.duration_ns;
  return 1e-6 * static_cast<double>(total_ns) / static_cast<double>(times.frames);
}

// Figure 50: all cameras together, with optical flow and without.
void detectors_against_grid(const BenchDevice& device, const BenchFootage& footage,
                            const ExperimentOptions& options, BenchReport& report) {
  static const std::vector<int> kGpu = {32, 64, 128, 256, 384, 512, 768, 1024}, kCpu = {32, 128};
  Plot plot{
      "Time in the detectors against the grid, N x N x 64", "N", "ms a frame set", true, true, true, {}};
  for (const bool flow : {false, true}) {
    Project project = footage.project;
    check_or_fail(project.parameters.set_from_text(flow ? "flow.enabled=true" : "flow.enabled=false"));
    std::vector<DetectorPart> parts = detector_parts(device.on_gpu());
    if (!flow) parts.pop_back();
    std::vector<PlotSeries> series;
    for (const DetectorPart& part : parts)
      series.push_back({part.name + std::string(flow ? ", with flow" : ""), {}});
    for (const int side : chosen(options.grids, device.on_gpu() ? kGpu : kCpu)) {
      const ChainTimes times = run_chain(device, with_grid(project, side, 64), footage.frames);
      for (size_t i = 0; i < parts.size(); ++i)
        series[i].points.push_back({double(side), ms_a_frame_set(times, parts[i])});
    }
    plot.series.insert(plot.series.end(), series.begin(), series.end());
  }
  report.add("detectors", plot, {{"footage", footage.description}});
}

std::vector<int> all_gpus(const BenchDevice& device) {
  std::vector<int> numbers;
  const int max = device.on_gpu() ? static_cast<int>(gpu_names().size()) : 1;
  for (int gpus = 1; gpus <= max; ++gpus) numbers.push_back(gpus);
  return numbers;
}

// Rate of all chains together, from the start of all to the end of the last.
double frames_per_s(const std::vector<ChainTimes>& chains) {
  double frames = 0, seconds = 0;
  for (const ChainTimes& times : chains) {
    frames += static_cast<double>(times.frames);
    seconds = std::max(seconds, times.seconds);
  }
  return frames / seconds;
}

// Figure 51: every GPU has the project's cameras and its own scene. In rounds, so that slow changes of the
// machine affect all numbers of GPUs; points are medians.
void against_gpus(const BenchDevice& device, const BenchFootage& footage, const ExperimentOptions& options,
                  BenchReport& report) {
  constexpr int kSide = 256, kLayers = 64;  // as in that figure
  constexpr int kRounds = 5;
  const Project project = with_grid(footage.project, kSide, kLayers);
  Plot plot{"Whole chains against the number of GPUs",
            "GPUs",
            "frame sets a second, all together",
            false,
            false,
            true,
            {}};
  const std::vector<int> every = all_gpus(device);
  const std::vector<int>& counts = chosen(options.gpus, every);
  std::map<int, std::vector<double>> rates;
  for (int round = 0; round < kRounds; ++round)
    for (const int gpus : counts)
      rates[gpus].push_back(frames_per_s(run_chains_together(device, gpus, project, footage.frames)));
  PlotSeries reached{"reached", {}}, perfect{"as many times one GPU's", {}};
  ordered_json facts = {{"footage", footage.description}, {"grid", {kSide, kSide, kLayers}}};
  for (const int gpus : counts) {
    std::vector<double>& each = rates[gpus];
    facts["rounds"][std::to_string(gpus)] = each;
    std::sort(each.begin(), each.end());
    reached.points.push_back({double(gpus), each[each.size() / 2], each.front(), each.back()});
    const double one = reached.points[0].y / reached.points[0].x;
    perfect.points.push_back({double(gpus), gpus * one});
    facts["share_of_perfect"][std::to_string(gpus)] = reached.points.back().y / (gpus * one);
  }
  plot.series = {reached, perfect};
  report.add("gpus", plot, facts);
}

// Frames/s of all streams together, from when all are open.
template <typename Stream>
double decode_rate(std::vector<Stream>& streams, int64_t frames, const auto& next) {
  std::vector<std::thread> threads;
  std::vector<int64_t> decoded(streams.size(), 0);
  const int64_t start = trace_now_ns();
  for (size_t i = 0; i < streams.size(); ++i)
    threads.emplace_back([&, i] {
      while (decoded[i] < frames && next(*streams[i])) ++decoded[i];
    });
  for (std::thread& thread : threads) thread.join();
  int64_t all = 0;
  for (const int64_t count : decoded) all += count;
  return static_cast<double>(all) * 1e9 / static_cast<double>(trace_now_ns() - start);
}

// Figure 45, compared with the decoder alone.
void against_streams(const BenchDevice& device, const BenchFootage& footage, const ExperimentOptions& options,
                     BenchReport& report) {
  static const std::vector<int> kGpu = {1, 2, 4, 8, 16, 32}, kCpu = {1, 2, 4};
  const auto hardware = device.on_gpu() ? device.backends().hardware : nullptr;
  Plot plot{"Decoding alone against the number of streams",
            "streams",
            "frames a second, all together",
            true,
            false,
            true,
            {}};
  PlotSeries ours{"through our source", {}}, alone{"FFmpeg's decoder", {}};
  std::string decoder;
  for (const int count : chosen(options.streams, device.on_gpu() ? kGpu : kCpu)) {
    const auto path = [&](int i) {
      return footage.project.cameras[static_cast<size_t>(i) % footage.project.cameras.size()].video;
    };
    {
      std::vector<std::unique_ptr<DecoderAlone>> streams;
      for (int i = 0; i < count; ++i) streams.push_back(value_or_fail(DecoderAlone::open(path(i), hardware)));
      const double rate = decode_rate(streams, footage.frames, [](DecoderAlone& stream) {
        const Result<bool> more = stream.next();
        return more && *more;
      });
      alone.points.push_back({double(count), rate});
    }
    std::vector<std::unique_ptr<VideoSource>> streams;
    VideoOpenOptions open_options;
    open_options.hardware = hardware;
    for (int i = 0; i < count; ++i) streams.push_back(value_or_fail(open_video(path(i), open_options)));
    decoder = streams[0]->info().decoder;
    const double rate = decode_rate(streams, footage.frames,
                                    [](VideoSource& stream) { return static_cast<bool>(stream.read()); });
    ours.points.push_back({double(count), rate});
  }
  ordered_json shares = ordered_json::object();
  for (size_t i = 0; i < ours.points.size(); ++i)
    shares[std::to_string(static_cast<int>(ours.points[i].x))] = ours.points[i].y / alone.points[i].y;
  plot.series = {ours, alone};
  report.add(
      "streams", plot,
      {{"footage", footage.description}, {"decoder", decoder}, {"share_of_the_decoder_alone", shares}});
}

// Figure 47: each stage's time over the frames.
void over_frames(const BenchDevice& device, const BenchFootage& footage, const ExperimentOptions&,
                 BenchReport& report) {
  static constexpr std::string_view kStages[] = {kVideoStage, kForegroundStage, kCarvingStage,
                                                 kFloorStage, kPeopleStage,     kTrackingStage};
  const ChainTimes times = run_chain(device, footage.project, footage.frames);
  Plot plot{"Time of each stage over the frames", "frame", "ms (a stage's thread)", false, true, false, {}};
  ordered_json facts = {{"footage", footage.description}, {"frame_sets_per_s", times.frames_per_s()}};
  for (const std::string_view stage : kStages) {
    PlotSeries series{std::string(stage), {}};
    std::vector<double> values;
    for (const TraceSpan& span : times.spans) {
      if (span.kind != SpanKind::stage || span.name != stage || span.lane != "stage " + std::string(stage))
        continue;
      const double ms = 1e-6 * static_cast<double>(span.duration_ns);
      series.points.push_back({double(span.frame), ms});
      values.push_back(ms);
    }
    std::sort(series.points.begin(), series.points.end(), [](auto& a, auto& b) { return a.x < b.x; });
    facts["stages"][std::string(stage)] = to_json(spread_of(std::move(values)));
    plot.series.push_back(std::move(series));
  }
  report.add("times", plot, facts);
}

// Figure 48: from when a frame's bytes are read to its result, including all queues.
void latency(const BenchDevice& device, const BenchFootage& footage, const ExperimentOptions&,
             BenchReport& report) {
  const ChainTimes times = run_chain(device, footage.project, footage.frames);
  std::map<int64_t, int64_t> taken_ns;  // time of each frame's last camera
  for (const TraceSpan& span : times.spans)
    if (span.name == "decode" && span.lane.starts_with("decode ")) {
      int64_t& last = taken_ns[span.frame];
      last = std::max(last, span.start_ns);
    }
  PlotSeries series{"latency", {}};
  std::vector<double> values;
  for (size_t i = 0; i < times.done_ns.size(); ++i) {
    const auto taken = taken_ns.find(times.first + static_cast<int64_t>(i));
    if (taken == taken_ns.end()) continue;  // read ahead before the clock started
    const double ms = 1e-6 * static_cast<double>(times.done_ns[i] - taken->second);
    series.points.push_back({double(taken->first), ms});
    values.push_back(ms);
  }
  Plot plot{
      "From a frame's bytes to its result, as fast as it goes", "frame", "ms", false, true, false, {series}};
  report.add("latency", plot,
             {{"footage", footage.description}, {"latency", to_json(spread_of(std::move(values)))}});
}

// As for live cameras: the next frame's bytes come when they are due.
void paced(const BenchDevice& device, const BenchFootage& footage, const ExperimentOptions&,
           BenchReport& report) {
  constexpr double kRate = 25;  // frame sets/s, those of the live settings
  const PacedTimes times = run_paced(device, footage.project, footage.frames, kRate);
  PlotSeries series{"latency", {}};
  for (size_t i = 0; i < times.latency_ms.size(); ++i)
    series.points.push_back({static_cast<double>(i + 1), times.latency_ms[i]});
  Plot plot{"From a frame's due time to its result, 25 frame sets a second",
            "frame",
            "ms",
            false,
            true,
            false,
            {series}};
  ordered_json facts = {{"footage", footage.description},
                        {"period_ms", 1e3 / kRate},
                        {"latency", to_json(spread_of(times.latency_ms))}};
  if (device.on_gpu()) facts["gpu_busy_share"] = times.gpu_busy_share;
  report.add("paced", plot, facts);
}

// Cost of recording timings, in pairs of short runs, so that slow changes of the machine affect both.
// Logarithms are averaged, since ratios of noisy rates are above 1 on average.
void timings_cost(const BenchDevice& device, const BenchFootage& footage, const ExperimentOptions& options,
                  BenchReport& report) {
  Plot plot{"The chain with and without timings", "pair", "frame sets a second", false, true, false, {}};
  plot.series = {{"without", {}}, {"with", {}}};
  std::vector<double> costs;
  for (const TimingsPair& pair :
       run_with_and_without_timings(device, footage.project, footage.frames, options.seconds)) {
    plot.series[0].points.push_back({double(costs.size()), pair.without});
    plot.series[1].points.push_back({double(costs.size()), pair.with});
    costs.push_back(std::log(pair.without / pair.with));
  }
  const Middle cost = middle_of(costs);
  const auto percent = [](double logarithm) { return 100 * std::expm1(logarithm); };
  report.add("timings", plot,
             {{"footage", footage.description},
              {"pairs", costs.size()},
              {"cost_percent", percent(cost.estimate)},
              {"cost_percent_from", percent(cost.from)},
              {"cost_percent_to", percent(cost.to)}});
}

}  // namespace

const std::vector<ExperimentBench>& experiment_benches() {
  static const std::vector<ExperimentBench> kExperiments = {
      {"cameras", "the whole chain against the number of cameras", against_cameras},
      {"grid", "the whole chain against the grid", against_grid},
      {"detectors", "time of foreground and optical flow against the grid", detectors_against_grid},
      {"gpus", "whole chains against the number of GPUs, each with its own cameras", against_gpus},
      {"streams", "decoding alone against the number of streams", against_streams},
      {"times", "each stage's time over the frames", over_frames},
      {"latency", "from a frame's bytes to its result over the frames", latency},
      {"paced", "the same at 25 frame sets a second, one after the other as from live cameras", paced},
      {"delay", "from sending a live picture to having it decoded", live_delay},
      {"timings", "what recording the timings costs the chain", timings_cost}};
  return kExperiments;
}

}  // namespace vantage::cli
