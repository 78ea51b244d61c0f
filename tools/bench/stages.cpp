#include "tools/bench/stages.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "core/base/text.h"
#include "core/carving/carving.h"
#include "core/foreground/foreground.h"
#include "core/optical_flow/flow_plan.h"
#include "core/optical_flow/optical_flow.h"
#include "core/people/occupancy/floor_map.h"
#include "core/pipeline/frame_result.h"
#include "core/pipeline/height_mapper.h"
#include "core/primitives/integral_image.h"
#include "core/primitives/nms.h"
#include "core/sync/epipolar.h"
#include "core/sync/signatures.h"
#include "core/synth/camera_ring.h"
#include "core/tracking/association.h"
#include "tools/bench/boxes.h"
#include "tools/bench/footage.h"
#include "tools/bench/fusion.h"

namespace vantage::cli {
namespace {

// Height maps: descriptors and data cost of three pictures, and an iteration of belief propagation in its
// variants, at the source's size.

constexpr int kWidth_px = 781, kHeight_px = 621;

struct BenchVariant {
  const char* name;
  MessageMethod method;
  MessagePrecision precision;
  double damping;
  bool on_cpu;  // it has only 32 bits
};
constexpr BenchVariant kVariants[] = {
    {"linear", MessageMethod::linear, MessagePrecision::fp32, 0, true},
    {"linear, fp16 at rest", MessageMethod::linear, MessagePrecision::fp16, 0, false},
    {"linear, damped", MessageMethod::linear, MessagePrecision::fp32, 0.3, true},
    {"linear, damped, fp16 at rest", MessageMethod::linear, MessagePrecision::fp16, 0.3, false},
    {"published", MessageMethod::published, MessagePrecision::fp32, 0, true},
    {"published, fp16 at rest", MessageMethod::published, MessagePrecision::fp16, 0, false},
};

// Cameras above a crowd, as for height maps; every pixel is processed. Without outlines, which need heads.
HeightMapperOptions mapper_options(const BenchDevice& device) {
  SynthOptions above;
  above.cameras = 3;
  above.width_px = kWidth_px, above.height_px = kHeight_px;
  above.layout = CameraLayout::overhead;
  HeightMapperOptions options;
  options.backends = device.backends().on_device();
  options.cameras = value_or_fail(synth::make_camera_ring(above));
  return options;
}

Image filled(float value) {
  Image image = value_or_fail(Image::make(ImageType::f32, kWidth_px, kHeight_px, HostPool::shared()));
  for (int y = 0; y < kHeight_px; ++y) std::fill_n(image.writable_view<float>().row(y), kWidth_px, value);
  return image;
}

double solve_us(HeightSolver& solver, HeightMapParameters parameters, const CostVolume& costs,
                int iterations) {
  parameters.iterations = parameters.check_every = iterations;
  solver.set_parameters(parameters);
  return time_calls([&](bool) { value_or_fail(solver.solve(costs, {}, 1)); }).median_us;
}

// Difference between solves of many and few iterations, which excludes packing and labels.
BenchRow iteration_row(const BenchDevice& device, const BenchVariant& variant, HeightMapParameters parameters,
                       const CostVolume& costs) {
  parameters.method = variant.method;
  parameters.precision = variant.precision;
  parameters.damping = variant.damping;
  // Any slope does.
  const auto solver = device.create<HeightSolver>({kWidth_px, kHeight_px, {filled(0.3f), filled(-0.2f)}});
  const int few = device.on_gpu() ? 100 : 2;
  const double us =
      (solve_us(*solver, parameters, costs, 3 * few) - solve_us(*solver, parameters, costs, few)) / (2 * few);
  // For half of the pixels, four messages read, four written and the data cost read.
  const double bytes = 0.5 * kWidth_px * kHeight_px * (parameters.heights + 1) * 9 *
                       (variant.precision == MessagePrecision::fp16 ? 2 : 4);
  return {"height_map", std::string("an iteration, ") + variant.name, {us, us, us, 2 * few, 1}, bytes,
          "B",          1e6 * bytes / device.rates().copy_bytes_per_s};
}

void bench_height_map(BenchDevice& device, BenchReport& report) {
  HeightMapParameters parameters;
  parameters.use_foreground = parameters.outlines = false;
  HeightMapper mapper(mapper_options(device));
  check_or_fail(mapper.configure(parameters, {}));
  FrameSet frames;
  for (int c = 0; c < 3; ++c)
    frames.cameras.emplace_back().picture = device.noise_picture(kWidth_px, kHeight_px);
  const std::vector<LumaPlane> pictures = luma_of(frames);
  CostVolume costs;
  report.add({"height_map", "descriptors and costs, 3 views of 781x621",
              time_calls([&](bool) { costs = value_or_fail(mapper.measure(pictures, {}, {}, 1)); }), 0, ""});
  for (const BenchVariant& variant : kVariants)
    if (variant.on_cpu || device.on_gpu()) report.add(iteration_row(device, variant, parameters, costs));
}

struct PictureSize {
  int width, height;
};
constexpr PictureSize kPictureSizes[] = {{640, 480}, {1280, 960}, {1920, 1080}};

// `bytes`: minimum moved by a call.
BenchRow row_of_bytes(const BenchDevice& device, const char* stage, const std::string& input,
                      const CallTimes& times, double bytes) {
  return {stage, input, times, bytes, "B", 1e6 * bytes / device.rates().copy_bytes_per_s};
}

void bench_decode(BenchDevice& device, const BenchFootage& footage, BenchReport& report) {
  const ProjectCamera& camera = footage.project.cameras.front();
  VideoOpenOptions options;
  if (device.on_gpu()) options.hardware = device.backends().hardware;
  std::string decoder;
  int64_t frames = 0;
  const CallTimes times = time_calls([&](bool) {
    const auto source = value_or_fail(open_video(camera.video, options));
    decoder = source->info().codec + ", " + source->info().decoder;
    for (frames = 0; frames < footage.frames; ++frames)
      if (!source->read()) break;
  });
  const auto one_frame = [&](double us) { return us / static_cast<double>(std::max<int64_t>(frames, 1)); };
  report.add({"decode",
              "a frame of one stream, " + decoder + ", opening included",
              {one_frame(times.median_us), one_frame(times.min_us), one_frame(times.max_us), times.calls,
               times.batches},
              0,
              ""});
}

void bench_foreground(BenchDevice& device, const BenchFootage&, BenchReport& report) {
  for (const auto& [width, height] : kPictureSizes) {
    const auto model = device.create<ForegroundModel>({});
    std::vector<Picture> pictures;
    for (int i = 0; i < 4; ++i) pictures.push_back(device.noise_picture(width, height));
    check_or_fail(model->learn(pictures[0], 0));
    int64_t frame = 0;
    const CallTimes times = time_calls([&](bool wait) {
      ++frame;
      const auto made = value_or_fail(model->apply(pictures[frame % 4], frame));
      if (wait) value_or_fail(Result<int64_t>(made.mask_count.get()));
    });
    // Reads the picture (1.5 B a pixel), reads and writes the model (mean and variance, 12 B), writes
    // indicator and mask.
    report.add(row_of_bytes(device, "foreground", size_text(width, height), times,
                            (1.5 + 12 + 12 + 2) * width * height));
  }
}

struct CarvingCase {
  std::string name;
  Carver::Arguments scene;
  std::vector<Image> indicators;
  bool keep_confidence = false;
};

// Without spans a frame runs as in the chain except for the timing of kernels; steps are measured separately,
// waiting for each call.
void bench_carving_case(BenchDevice& device, const CarvingCase& scene, BenchReport& report) {
  constexpr int64_t kEachKernel = -1;  // no frame: all are timed
  const auto carve = [&](Carver& carver, int64_t frame, bool wait) {
    const auto volume = value_or_fail(carver.carve(scene.indicators, scene.keep_confidence, frame));
    if (wait) value_or_fail(Result<VolumeCounts>(volume.counts.get()));
  };
  const auto untraced = device.create<Carver>(scene.scene);
  int64_t frame = 0;
  const CallTimes times = time_calls([&](bool wait) { carve(*untraced, frame++, wait); });
  TraceRecorder trace;
  {
    constexpr int kTracedCalls = 64;
    const auto traced = device.create<Carver>(scene.scene, &trace);
    for (int i = 0; i < kTracedCalls; ++i) carve(*traced, kEachKernel, true);
  }
  const auto voxels = static_cast<double>(scene.scene.grid.count());
  BenchRow row;
  if (scene.scene.skip_decided) {
    // Reads the indicators, writes a bit a voxel.
    double bytes = voxels / 8;
    for (const Image& image : scene.indicators) bytes += static_cast<double>(image.width()) * image.height();
    row = row_of_bytes(device, "carving", scene.name, times, bytes);
  } else {
    const double samples = voxels * static_cast<double>(scene.indicators.size());
    const double rate = device.rates().texture_samples_per_s;
    row = {"carving", scene.name, times, samples, "samples", rate > 0 ? 1e6 * samples / rate : 0};
  }
  row.spans_us = span_means_us(trace);
  report.add(std::move(row));
}

CarvingCase carving_case(const std::string& name, const std::vector<Camera>& cameras, const VoxelGrid& grid) {
  CarvingCase scene{name + ", " + std::to_string(cameras.size()) + " cameras", {}, {}};
  for (const Camera& camera : cameras) scene.scene.cameras.push_back(camera.model());
  scene.scene.grid = grid;
  scene.scene.keep_occupancy = true;
  return scene;
}

void bench_carving(BenchDevice& device, const BenchFootage&, BenchReport& report) {
  struct Discs {
    const char* name;
    int side;
    double share;
  };
  for (const auto& [name, side, share] : {Discs{"256x256x64, 5 % foreground", 256, 0.05},
                                          {"512x512x64, 5 % foreground", 512, 0.05},
                                          {"512x512x64, 50 % foreground", 512, 0.5}}) {
    CarvingCase scene = carving_case(name, corner_cameras(4.0), {{-3, -3, 0}, 6.0 / side, side, side, 64});
    for (size_t c = 0; c < scene.scene.cameras.size(); ++c)
      scene.indicators.push_back(device.discs(1280, 960, share));
    bench_carving_case(device, scene, report);
  }
  CarvingCase scene =
      carving_case("512x512x64, 6 people", corner_cameras(6.0), {{-6, -6, 0}, 12.0 / 512, 512, 512, 64});
  for (const PinholeCamera<double>& camera : scene.scene.cameras)
    scene.indicators.push_back(device.six_people(camera));
  bench_carving_case(device, scene, report);
  const std::string name = scene.name;
  scene.name += ", confidence kept";
  scene.keep_confidence = true;
  bench_carving_case(device, scene, report);
  scene.name = name + ", dense";
  scene.keep_confidence = false;
  scene.scene.skip_decided = false;
  bench_carving_case(device, scene, report);
}

void bench_floor(BenchDevice& device, const BenchFootage&, BenchReport& report) {
  CarvingCase scene =
      carving_case("384x384x64", corner_cameras(6.0), {{-6, -6, 0}, 12.0 / 384, 384, 384, 64});
  for (const PinholeCamera<double>& camera : scene.scene.cameras)
    scene.indicators.push_back(device.six_people(camera));
  const VoxelGrid& grid = scene.scene.grid;
  const CarvedVolume volume =
      value_or_fail(device.create<Carver>(scene.scene)->carve(scene.indicators, false, 0));
  const auto mapper = device.create<FloorMapper>({grid});
  const CallTimes times = time_calls([&](bool wait) {
    const FloorMap map = value_or_fail(mapper->map(volume.occupancy, 0));
    if (wait) device.wait_for(map.tops);
  });
  const double bytes = static_cast<double>(grid.count()) / 8 + 4.0 * grid.nx * grid.ny;
  report.add(row_of_bytes(device, "floor", "384x384x64, 6 people", times, bytes));
}

// Times a frame of the stages whose inputs only the chain provides.
CallTimes times_of_span(const std::vector<TraceSpan>& spans, std::string_view name) {
  std::vector<double> us;
  for (const TraceSpan& span : spans)
    if (span.kind == SpanKind::stage && span.name == name)
      us.push_back(1e-3 * static_cast<double>(span.duration_ns));
  std::sort(us.begin(), us.end());
  if (us.empty()) return {};
  return {us[us.size() / 2], us.front(), us.back(), 1, static_cast<int>(us.size())};
}

void bench_people(BenchDevice& device, const BenchFootage& footage, BenchReport& report) {
  const ChainTimes chain = run_chain(device, footage.project, footage.frames);
  report.add(
      {"people", "a frame of " + footage.description, times_of_span(chain.spans, kPeopleStage), 0, ""});
}

void bench_flow(BenchDevice& device, const BenchFootage&, BenchReport& report) {
  const OpticalFlowParameters parameters;
  for (const auto& [width, height] : kPictureSizes) {
    const Picture pictures[2] = {device.clouds(width, height, 0), device.clouds(width, height, 5)};
    const auto flow = device.create<OpticalFlow>({});
    flow->set_parameters(parameters);
    value_or_fail(flow->next(pictures[0], {}, 0));
    int64_t frame = 0;
    const CallTimes times = time_calls([&](bool wait) {
      ++frame;
      const FlowField field = value_or_fail(flow->next(pictures[frame % 2], {}, frame));
      if (wait) device.wait_for(field.vectors);
    });
    // Reads the new picture once, writes its expansion, 20 B a pixel of each level, and in each iteration
    // reads both expansions (40 B) and reads and writes the flow (16 B).
    double bytes = static_cast<double>(width) * height;
    for (const FlowLevel& level : FlowPlan::make(width, height, parameters).levels)
      bytes += static_cast<double>(level.width) * level.height * (20 + parameters.iterations * 56.0);
    report.add(row_of_bytes(device, "flow", size_text(width, height), times, bytes));
  }
}

void bench_signatures(BenchDevice& device, const BenchFootage&, BenchReport& report) {
  constexpr int kLines = 96;
  const std::vector<Camera> cameras = corner_cameras(4.0);
  SignatureExtractor::Arguments arguments;
  for (const Camera& camera : cameras) arguments.cameras.push_back(camera.model());
  const VoxelGrid volume{{-2, -2, 0}, 0.1, 40, 40, 18};
  const int count = static_cast<int>(cameras.size());
  for (int i = 0; i < count; ++i)
    for (int j = i + 1; j < count; ++j) {
      const EpipolarLines line_pairs = choose_epipolar_lines(cameras[i], cameras[j], volume, kLines);
      arguments.pairs.push_back({i, j, line_pairs.first, line_pairs.second});
    }
  const auto extractor = device.create<SignatureExtractor>(arguments);
  std::vector<Image> indicators;
  for (const Camera& camera : cameras)
    indicators.push_back(device.noise_image(ImageType::u8, camera.width_px(), camera.height_px()));
  int64_t frame = 0;
  const CallTimes times = time_calls([&](bool wait) {
    const Image sums = value_or_fail(extractor->extract(indicators, frame++));
    if (wait) device.wait_for(sums);
  });
  double points = 0;
  for (const SignaturePair& pair : arguments.pairs)
    points += static_cast<double>(pair.first_lines.size() + pair.second_lines.size()) * kLinePoints;
  // Each point reads its position (4 B) and a pixel (1 B).
  report.add(row_of_bytes(device, "signatures", "6 pairs of 1280x960, 96 lines each", times, 5 * points));
}

void bench_integral_case(BenchDevice& device, ImageType in_type, ImageType out_type, PictureSize size,
                         BenchReport& report) {
  const auto [width, height] = size;
  const bool bytes_in = in_type == ImageType::u8;
  const Image in = device.noise_image(in_type, width, height);
  Image out = device.to_device(value_or_fail(Image::make(out_type, width, height, HostPool::shared())));
  IntegralRequest request;
  request.in_type = bytes_in ? IntegralType::u8 : IntegralType::f32;
  request.out_type = bytes_in ? IntegralType::u32 : IntegralType::f32;
  request.in.first = {in.buffer()->data(), width, height, in.stride_bytes()};
  request.out.first = {out.buffer()->data(), width, height, out.stride_bytes()};
  device.wait_for(out);  // both uploads are complete: run() uses addresses directly
  const auto integral = device.create<IntegralImage>({});
  const CallTimes times = time_calls([&](bool) { check_or_fail(integral->run(request)); });
  const double moved = (bytes_in ? 1.0 : 4.0) + 4.0;
  report.add(
      row_of_bytes(device, "integral",
                   std::string(bytes_in ? "u8 -> u32 " : "f32 ") + size_text(width, height) + ", waited for",
                   times, moved * width * height));
}

void bench_integral(BenchDevice& device, const BenchFootage&, BenchReport& report) {
  for (const PictureSize size : {PictureSize{1920, 1080}, PictureSize{4096, 4096}}) {
    bench_integral_case(device, ImageType::u8, ImageType::u32, size, report);
    bench_integral_case(device, ImageType::f32, ImageType::f32, size, report);
  }
}

// The published kernels over partitions; map and reduction are measured separately, because events around
// short kernels affect the measurement.
void bench_published_nms(BenchDevice& device, BenchReport& report) {
  const auto nms = device.create<NonMaximumSuppression>({});
  TraceRecorder trace;
  for (const int count : {200, 1027, 2895, 10000})
    for (const int partitions : {4, 8, 16, 32, 64, 128}) {
      if (partitions < mapreduce_nms_min_partitions(count)) continue;
      const std::vector<Detection> boxes = clustered_boxes(count);
      NmsOptions options = published_nms(0.5f);
      options.partitions = partitions;
      const CallTimes times = time_calls([&](bool) { value_or_fail(nms->run(boxes, options)); });
      trace.clear();
      {
        constexpr int kTracedCalls = 64;
        const auto traced = device.create<NonMaximumSuppression>({}, &trace);
        for (int i = 0; i < kTracedCalls; ++i) value_or_fail(traced->run(boxes, options));
      }
      BenchRow row{"nms",
                   "map-reduce, k = " + std::to_string(partitions) + ", " + std::to_string(count) +
                       " boxes, from host to host",
                   times, 0, ""};
      row.spans_us = span_means_us(trace);
      report.add(std::move(row));
    }
}

void bench_nms(BenchDevice& device, const BenchFootage&, BenchReport& report) {
  const auto nms = device.create<NonMaximumSuppression>({});
  for (const int count : {200, 1027, 2895, 10000}) {
    const std::vector<Detection> boxes = clustered_boxes(count);
    const CallTimes times = time_calls([&](bool) { value_or_fail(nms->run(boxes, {})); });
    report.add({"nms", "greedy, " + std::to_string(count) + " boxes, from host to host", times, 0, ""});
  }
  if (device.on_gpu()) bench_published_nms(device, report);
}

struct WalkingCrowd {
  std::vector<ExpectedTrack> tracks;
  std::vector<FloorDetection> detections;
};

// One person per 2 m2, each displaced by a frame from the track's prediction.
WalkingCrowd walking_crowd(int people) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> place_m(0, std::sqrt(2.0 * people)), height_m(1.5, 1.9);
  std::normal_distribution<double> step_m(0, 0.05);
  WalkingCrowd crowd;
  for (int i = 0; i < people; ++i) {
    const double x_m = place_m(random), y_m = place_m(random), own_m = height_m(random);
    crowd.tracks.push_back({x_m, y_m, own_m, 0.54});
    crowd.detections.push_back({x_m + step_m(random), y_m + step_m(random), own_m});
  }
  std::shuffle(crowd.detections.begin(), crowd.detections.end(), random);
  return crowd;
}

void bench_association(BenchDevice& device, const BenchFootage&, BenchReport& report) {
  for (const int people : {6, 40, 100, 200, 400, 2000}) {
    const WalkingCrowd crowd = walking_crowd(people);
    TraceRecorder trace;
    CallTimes times;
    {
      const auto association = device.create<TrackAssociation>({}, &trace);
      int64_t frame = 0;
      times = time_calls([&](bool) {
        value_or_fail(association->associate({crowd.tracks, crowd.detections, 1.5}, frame++));
      });
    }
    BenchRow row{"association", std::to_string(people) + " tracks and detections, from host to host", times,
                 0, ""};
    row.spans_us = span_means_us(trace);
    report.add(std::move(row));
  }
}

void bench_chain(BenchDevice& device, const BenchFootage& footage, BenchReport& report) {
  const ChainTimes chain = run_chain(device, footage.project, footage.frames);
  const double us = 1e6 / chain.frames_per_s();
  BenchRow row{"chain",
               "a frame set of " + footage.description,
               {us, us, us, 1, static_cast<int>(chain.frames)},
               0,
               ""};
  for (const SpanStatistics& span : summarize(chain.spans))
    if (span.kind == SpanKind::stage && span.device == "host") row.spans_us[span.name] = 1e3 * span.mean_ms;
  report.add(std::move(row));
}

}  // namespace

const std::vector<StageBench>& stage_benches() {
  static const std::vector<StageBench> kBenches = {
      {"decode", true, bench_decode},
      {"foreground", false, bench_foreground},
      {"carving", false, bench_carving},
      {"floor", false, bench_floor},
      {"people", true, bench_people},
      {"fusion", false,
       [](BenchDevice& device, const BenchFootage&, BenchReport& report) { bench_fusion(device, report); }},
      {"association", false, bench_association},
      {"height_map", false,
       [](BenchDevice& device, const BenchFootage&, BenchReport& report) {
         bench_height_map(device, report);
       }},
      {"flow", false, bench_flow},
      {"signatures", false, bench_signatures},
      {"integral", false, bench_integral},
      {"nms", false, bench_nms},
      {"chain", true, bench_chain}};
  return kBenches;
}

}  // namespace vantage::cli
