#include <fmt/core.h>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "app/backends/backend_option.h"
#include "app/backends/backends.h"
#include "app/cli/common/chain.h"
#include "app/cli/common/command.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/trace.h"
#include "core/image/backend/memory_transfer.h"
#include "core/image/image_files.h"
#include "core/optical_flow/flow_courier.h"
#include "core/optical_flow/flow_file.h"
#include "core/project/json_parts.h"
#include "core/results/drawn_masks.h"
#include "core/video/video_source.h"

namespace vantage::cli {

// vantage-cli decode: reads a video frame by frame and prints checksums or a summary.

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
  int64_t missing = 0;  // number without a picture
  double seconds = 0;
  nlohmann::ordered_json lines = nlohmann::ordered_json::array();
};

std::string time_text(int64_t time_ns) {
  if (time_ns < 0) return "-";
  return fmt::format("{:.6f}", static_cast<double>(time_ns) * 1e-9);
}

void report_frame(const DecodeOptions& options, const DecodedFrame& frame, Decoded& done) {
  const std::string checksum = frame.native_md5.empty() ? "-" : frame.native_md5;
  if (!options.json) {
    fmt::print("{} {} {}\n", frame.index, time_text(frame.time_ns), checksum);
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
  fmt::print("{}, {}x{}, {}, decoded by {}", info.codec, info.width_px, info.height_px, info.pixel_format,
             info.decoder);
  if (!info.conversion.empty()) fmt::print(", {}", info.conversion);
  fmt::print("\n{} frames read in {:.2f} s ({:.1f} frames/s), {} without a picture\n", done.frames,
             done.seconds, done.seconds > 0 ? static_cast<double>(done.frames) / done.seconds : 0.0,
             done.missing);
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
      fmt::print(stderr, "vantage-cli: frame {}: {}\n", frame, text);
  }
  if (interrupted().stop_requested())
    fail_command({ErrorKind::cancelled, "stopped; what was printed is complete", options.video, ""});
}

}  // namespace

void add_decode(CLI::App& app) {
  const auto options = std::make_shared<DecodeOptions>();
  CLI::App* command = app.add_subcommand("decode", "Read a video frame by frame: checksums, or a summary");
  command->add_option("VIDEO", options->video, "video file, image folder or pattern (img_%04d.png, '*.jpg')")
      ->required();
  command->add_flag(
      "--md5", options->md5,
      "one line per frame: index, time in seconds, MD5 of the frame in the decoder's own pixel format "
      "(as ffmpeg -fps_mode passthrough -f framemd5); - where there is none");
  command->add_option("--frames", options->frames, "only frames A to B, B excluded")->type_name("A:B");
  command->add_option("--threads", options->threads, "decoder threads")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  add_json_flag(*command, &options->json);
  command->footer("Example:\n  vantage-cli decode cam1.mp4 --md5 --frames 0:100");
  command->callback([options] { decode(*options); });
}

namespace {

struct SegmentOptions {
  ChainOptions chain;
  std::string out;
  bool indicator = false, json = false;
};

// Writes each camera's mask or indicator, from any memory.
class MaskWriter {
 public:
  MaskWriter(const OpenedChain& chain, const SegmentOptions& options) : chain_(chain), options_(options) {}

  Status open() {
    for (const ProjectCamera& camera : chain_.project.cameras)
      VANTAGE_TRY(make_folder(std::filesystem::path(options_.out) / camera.name));
    VANTAGE_ASSIGN(transfer_, chain_.backends.on_device(chain_.trace.get()).create<MemoryTransfer>({}));
    return {};
  }

  Status write(const FrameResult& result) {
    const auto& cameras = result.foreground()->cameras;
    for (size_t i = 0; i < cameras.size(); ++i) {
      Image image = options_.indicator ? cameras[i].indicator : cameras[i].mask;
      if (!image) continue;  // the camera has no frame here
      VANTAGE_ASSIGN(image, transfer_->download(image, result.frame, static_cast<int>(i)));
      VANTAGE_TRY(
          write_png_gray(mask_file(options_.out, chain_.project.cameras[i].name, result.frame), image));
      ++files_;
    }
    return {};
  }
  int64_t files() const { return files_; }

 private:
  const OpenedChain& chain_;
  const SegmentOptions& options_;
  std::unique_ptr<MemoryTransfer> transfer_;
  int64_t files_ = 0;
};

void segment(const SegmentOptions& options) {
  const FrameRange asked = parse_frames(options.chain.frames);
  Project project = load_project_or_fail(options.chain);
  OpenedChain chain = open_chain_or_fail(options.chain, std::move(project));
  const FrameRange range = cut_to_recording_or_fail(asked, chain.analysis->source());
  MaskWriter writer(chain, options);
  if (const Status opened = writer.open(); !opened) fail_command(opened.error());
  FrameEffort effort;
  effort.last_stage = kForegroundStage;
  int64_t frames = 0;
  {
    Progress progress("segment");
    for (int64_t frame = range.begin; frame < range.end; ++frame) {
      const Result<FrameResultRef> result = chain.analysis->pipeline().frame(frame, effort, interrupted());
      if (!result && result.error().kind == ErrorKind::end_of_stream) break;
      if (!result) fail_command(result.error());
      if (const Status written = writer.write(**result); !written) fail_command(written.error());
      progress.update(++frames, range.end - range.begin);
    }
  }
  if (options.json)
    print_json(nlohmann::ordered_json{{"frames", frames}, {"files", writer.files()}, {"out", options.out}});
  else
    fmt::print("{} frames, {} files in {}\n", frames, writer.files(), options.out);
}

}  // namespace

void add_segment(CLI::App& app) {
  auto options = std::make_shared<SegmentOptions>();
  CLI::App* command = app.add_subcommand("segment", "Write each camera's foreground mask as PNG files.");
  command->footer(
      "Writes DIR/CAMERA/frame_000000.png, 255 where there is foreground.\n"
      "Example: vantage-cli segment hall.vantage --out masks --frames 0:100");
  add_chain_options(*command, options->chain);
  add_frames_option(*command, options->chain);
  command->add_option("--out", options->out, "folder for the masks")->required()->type_name("DIR");
  command->add_flag("--indicator", options->indicator,
                    "write the soft indicator (0 to 255) instead of the mask");
  add_json_flag(*command, &options->json);
  command->callback([options] { segment(*options); });
}

namespace {

struct FlowOptions {
  std::string earlier, later, out, color, confidence, mask, initial, truth, backend = "auto";
  SetOption set;
  double longest_px = 0;
  bool json = false;
};

FlowField estimate(const FlowOptions& options, const OpticalFlowParameters& parameters,
                   const Backends& backends) {
  HostPool& pool = HostPool::shared();
  const FlowCourier memory = value_or_fail(FlowCourier::make(backends.on_device()));
  const Image earlier = value_or_fail(memory.upload(value_or_fail(read_png_gray(options.earlier, pool))));
  const Image later = value_or_fail(memory.upload(value_or_fail(read_png_gray(options.later, pool))));
  FlowRequest request;
  request.confidence = !options.confidence.empty() || options.json;
  if (!options.mask.empty())
    request.mask = value_or_fail(memory.upload(value_or_fail(read_png_gray(options.mask, pool))));
  if (!options.initial.empty())
    request.initial = value_or_fail(memory.upload(value_or_fail(read_flo(options.initial, pool))));
  const auto flow = value_or_fail(backends.on_device().create<OpticalFlow>({}));
  flow->set_parameters(parameters);
  value_or_fail(flow->next(earlier, {}, 0));
  return value_or_fail(memory.download(value_or_fail(flow->next(later, request, 1))));
}

void write_files(const FlowOptions& options, const FlowField& field) {
  check_or_fail(write_flo(options.out, field));
  if (!options.color.empty())
    check_or_fail(write_png_rgb(options.color,
                                value_or_fail(color_flow(field, options.longest_px, HostPool::shared()))));
  if (!options.confidence.empty()) check_or_fail(write_png_gray(options.confidence, field.confidence));
}

nlohmann::ordered_json describe(const FlowOptions& options, const OpticalFlowParameters& parameters,
                                const Backends& backends, const FlowField& field) {
  const FlowStatistics statistics = flow_statistics(field);
  nlohmann::ordered_json json = {{"width", field.width},
                                 {"height", field.height},
                                 {"backend", device_name(backends.device)},
                                 {"known_vectors", statistics.known},
                                 {"mean_px", statistics.mean_px},
                                 {"longest_px", statistics.longest_px}};
  if (field.confidence) json["mean_confidence"] = statistics.mean_confidence;
  if (!options.truth.empty())
    json["endpoint_error_px"] =
        value_or_fail(mean_endpoint_error(field, value_or_fail(read_flo(options.truth, HostPool::shared()))));
  for (const ParameterDescription& entry : parameter_table<OpticalFlowParameters>().entries)
    json["parameters"]["flow." + entry.name] = parameter_value_json(entry, entry.get(&parameters));
  return json;
}

void print_text(const nlohmann::ordered_json& json, const std::string& out) {
  fmt::print("{}x{}, {} known vectors, mean {:.3f} px, longest {:.3f} px\n", json["width"].get<int>(),
             json["height"].get<int>(), json["known_vectors"].get<int64_t>(), json["mean_px"].get<double>(),
             json["longest_px"].get<double>());
  if (json.contains("mean_confidence"))
    fmt::print("mean confidence {:.3f}\n", json["mean_confidence"].get<double>());
  if (json.contains("endpoint_error_px"))
    fmt::print("end-point error {:.4f} px\n", json["endpoint_error_px"].get<double>());
  fmt::print("written to {}\n", out);
}

void flow(const FlowOptions& options) {
  const auto parameters =
      options.set.apply_to({&parameter_table<OpticalFlowParameters>()}).get<OpticalFlowParameters>();
  const Backends backends = value_or_fail(open_backends(options.backend, nullptr));
  for (const std::string& note : backends.notes) fmt::print(stderr, "{}\n", note);
  const FlowField field = estimate(options, parameters, backends);
  write_files(options, field);
  const nlohmann::ordered_json json = describe(options, parameters, backends, field);
  if (options.json)
    print_json(json);
  else
    print_text(json, options.out);
}

}  // namespace

void add_flow(CLI::App& app) {
  auto options = std::make_shared<FlowOptions>();
  CLI::App* command =
      app.add_subcommand("flow", "Dense optical flow from one picture to the next (Farneback).");
  command->footer(
      "Example: vantage-cli flow frame10.png frame11.png --out flow.flo --color flow.png --set "
      "flow.window_px=15");
  command->add_option("earlier", options->earlier, "PNG, grey or colour")->required();
  command->add_option("later", options->later, "PNG of the same size")->required();
  command->add_option("--out", options->out, "the flow, Middlebury .flo")->required();
  command->add_option("--color", options->color, "PNG: hue is direction, saturation is length");
  command->add_option("--longest", options->longest_px,
                      "length in px of full colour; that of the longest vector if absent");
  command->add_option("--confidence", options->confidence, "PNG: forward-backward confidence, 255 = 1");
  command->add_option("--mask", options->mask, "PNG: vectors are unknown where it is 0");
  command->add_option("--initial", options->initial, ".flo to start from");
  command->add_option("--truth", options->truth, ".flo to compare with: prints the mean end-point error");
  options->set.add_to(*command, "flow");
  add_backend_option(*command, options->backend, "where it runs; auto takes a GPU when there is one");
  add_json_flag(*command, &options->json);
  command->callback([options] { flow(*options); });
}

}  // namespace vantage::cli
