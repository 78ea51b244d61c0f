// vantage-cli decode: reads a video frame by frame and prints checksums or a summary.
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "app/cli/common/command.h"
#include "core/base/formatted.h"
#include "core/base/json.h"
#include "core/base/trace.h"
#include "core/video/video_source.h"

namespace vantage::cli {
namespace {

struct DecodeOptions {
  std::string video;
  std::string frames;  // "A:B"
  bool md5 = false;
  bool json = false;
  int threads = 1;
};

struct FrameRangeText {
  int64_t begin = 0;
  int64_t end = INT64_MAX;  // excluded
};

// "A:B", "A:" or ":B"; B is excluded.
std::optional<FrameRangeText> parse_range(const std::string& text) {
  FrameRangeText range;
  if (text.empty()) return range;
  const size_t colon = text.find(':');
  if (colon == std::string::npos || text.find_first_not_of("0123456789:") != std::string::npos ||
      text.size() > 30)
    return {};
  const std::string begin = text.substr(0, colon), end = text.substr(colon + 1);
  if (end.find(':') != std::string::npos || begin.size() > 15 || end.size() > 15) return {};
  if (!begin.empty()) range.begin = std::stoll(begin);
  if (!end.empty()) range.end = std::stoll(end);
  return range.begin <= range.end ? std::optional(range) : std::nullopt;
}

struct Decoded {
  int64_t frames = 0;   // read
  int64_t missing = 0;  // of these, without a picture
  double seconds = 0;
  nlohmann::ordered_json lines = nlohmann::ordered_json::array();
};

std::string time_text(int64_t time_ns) {
  if (time_ns < 0) return "-";
  return formatted("%.6f", static_cast<double>(time_ns) * 1e-9);
}

void report_frame(const DecodeOptions& options, const DecodedFrame& frame, Decoded& done) {
  const std::string checksum = frame.native_md5.empty() ? "-" : frame.native_md5;
  if (!options.json) {
    std::printf("%" PRId64 " %s %s\n", frame.index, time_text(frame.time_ns).c_str(), checksum.c_str());
    return;
  }
  nlohmann::ordered_json line = {{"frame", frame.index}};
  line["time_s"] = frame.time_ns < 0 ? nlohmann::ordered_json()
                                     : nlohmann::ordered_json(static_cast<double>(frame.time_ns) * 1e-9);
  line["md5"] =
      frame.native_md5.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(frame.native_md5);
  if (!frame.problem.empty()) line["problem"] = frame.problem;
  done.lines.push_back(std::move(line));
}

Decoded decode_range(const DecodeOptions& options, VideoSource& source, const FrameRangeText& range) {
  Decoded done;
  Progress progress("decode");
  const int64_t start_ns = trace_now_ns();
  if (range.begin > 0)
    if (const Status found = source.seek(range.begin); !found) fail_command(found.error());
  for (int64_t i = range.begin; i < range.end && !interrupted().stop_requested(); ++i) {
    const Result<DecodedFrame> frame = source.read();
    if (!frame && frame.error().kind == ErrorKind::end_of_stream) break;
    if (!frame) fail_command(frame.error());
    ++done.frames;
    done.missing += frame->picture ? 0 : 1;
    if (options.md5) report_frame(options, *frame, done);
    const int64_t count = source.info().frame_count;
    progress.update(done.frames, count < 0 ? -1 : std::min(count, range.end) - range.begin);
  }
  done.seconds = static_cast<double>(trace_now_ns() - start_ns) * 1e-9;
  return done;
}

nlohmann::ordered_json json_of(const DecodeOptions& options, const VideoSource& source, const Decoded& done) {
  const VideoInfo info = source.info();
  nlohmann::ordered_json out = {
      {"video", options.video},          {"codec", info.codec},
      {"decoder", info.decoder},         {"pixel_format", info.pixel_format},
      {"conversion", info.conversion},   {"width_px", info.width_px},
      {"height_px", info.height_px},     {"frame_rate", info.frame_rate},
      {"frame_count", info.frame_count}, {"frame_count_exact", info.frame_count_exact},
      {"frames_read", done.frames},      {"frames_missing", done.missing},
      {"seconds", done.seconds}};
  nlohmann::ordered_json problems = nlohmann::ordered_json::array();
  for (const auto& [frame, text] : source.problems())
    problems.push_back({{"frame", frame}, {"problem", text}});
  out["problems"] = std::move(problems);
  if (options.md5) out["frames"] = done.lines;
  return out;
}

void print_decoded(const VideoSource& source, const Decoded& done) {
  const VideoInfo info = source.info();
  std::printf("%s, %dx%d, %s, decoded by %s", info.codec.c_str(), info.width_px, info.height_px,
              info.pixel_format.c_str(), info.decoder.c_str());
  if (!info.conversion.empty()) std::printf(", %s", info.conversion.c_str());
  std::printf("\n%" PRId64 " frames read in %.2f s (%.1f frames/s), %" PRId64 " without a picture\n",
              done.frames, done.seconds,
              done.seconds > 0 ? static_cast<double>(done.frames) / done.seconds : 0.0, done.missing);
}

void decode(const DecodeOptions& options) {
  const std::optional<FrameRangeText> range = parse_range(options.frames);
  if (!range)
    throw CLI::ValidationError("--frames", "needs A:B with 0 <= A <= B, B excluded, for example 100:200");
  VideoOpenOptions open_options;
  open_options.native_checksum = options.md5;
  open_options.decoder_threads = options.threads;
  open_options.stop = interrupted();
  const Result<std::unique_ptr<VideoSource>> source = open_video(options.video, open_options);
  if (!source) fail_command(source.error());
  const Decoded done = decode_range(options, **source, *range);
  if (options.json) {
    print_json(json_of(options, **source, done));
  } else {
    if (!options.md5) print_decoded(**source, done);
    for (const auto& [frame, text] : (*source)->problems())
      std::fprintf(stderr, "vantage-cli: frame %" PRId64 ": %s\n", frame, text.c_str());
  }
  if (interrupted().stop_requested())
    fail_command({ErrorKind::cancelled, "stopped; what was printed is complete", options.video, ""});
}

}  // namespace

void add_decode(CLI::App& app) {
  const auto options = std::make_shared<DecodeOptions>();
  CLI::App* command = app.add_subcommand("decode", "Read a video frame by frame: checksums, or a summary");
  command->add_option("VIDEO", options->video, "Video file, image folder or pattern (img_%04d.png, '*.jpg')")
      ->required();
  command->add_flag(
      "--md5", options->md5,
      "One line per frame: index, time in seconds, MD5 of the frame in the decoder's own pixel format "
      "(as ffmpeg -fps_mode passthrough -f framemd5); - where there is none");
  command->add_option("--frames", options->frames, "Only frames A to B, B excluded")->type_name("A:B");
  command->add_option("--threads", options->threads, "Decoder threads")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  command->add_flag("--json", options->json, "Print a summary (with --md5 also the frames) as JSON");
  command->footer("Example:\n  vantage-cli decode cam1.mp4 --md5 --frames 0:100");
  command->callback([options] { decode(*options); });
}

}  // namespace vantage::cli
