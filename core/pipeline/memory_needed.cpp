#include "core/pipeline/memory_needed.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/carving/block_table.h"
#include "core/carving/carving.h"
#include "core/detections/detection_parameters.h"
#include "core/features/daisy.h"
#include "core/foreground/methods.h"
#include "core/heads/heads_parameters.h"
#include "core/height_map/height_map.h"
#include "core/optical_flow/optical_flow.h"

namespace vantage {
namespace {

constexpr double kPicture = 1.5;  // bytes a pixel of 4:2:0
// A decoder holds up to 16 pictures to predict from; software decodes some at once besides. The hardware's
// was measured: 90 MB a stream of 1280x960.
constexpr double kDecoderPictures = 20, kHardwareDecoderPictures = 48;
constexpr double kCudaItself = 0.55e9;  // its context with all kernels loaded, measured on an H200
constexpr double kForegroundFrame = 2;  // indicator and mask
constexpr double kFlowFrame = 9;        // two floats and a confidence
constexpr double kFlowPlane = 4 + (2 * 5 + 4 * 2) * 4;  // of a level: picture, two expansions, four flows
constexpr double kHeadPixel = 5;                        // of a level: picture and codes of four block sizes
constexpr double kHeadScales = 3.2;                     // of all levels together, four an octave
constexpr double kFloorColumn = 3 * 4;                  // occupied voxels and top of a column, and a copy
// Of a detector's engine: itself, copies of the model, bytes for each pixel of the input.
constexpr double kEngine = 6e7, kModelCopies = 4, kInputPixel = 600;
constexpr double kHypothesis = 48;    // of people fused from detections: its box in a camera, and its index
constexpr double kShellShare = 0.05;  // of a volume's voxels, as IDs: people fill less
constexpr double kStages = 8;         // of the chain, with a queue before each

class Reckoning {
 public:
  explicit Reckoning(const AnalysedScene& scene) : scene_(scene) {
    for (const PictureSize& picture : scene.pictures) pixels_ += picture.pixels();
    if (scene.grid) voxels_ = static_cast<double>(scene.grid->count());
  }

  MemoryNeed add_up() {
    if (on_device()) add("CUDA", kCudaItself, "Use the CPU.");
    add_video();
    add("foreground", foreground_method(parameters<ForegroundParameters>()).bytes_per_px * pixels_,
        "Use fewer or smaller pictures.");
    if (scene_.grid) {
      add_carving();
      add("people", kFloorColumn * scene_.grid->nx * scene_.grid->ny, kLargerVoxels);
    }
    add_flow();
    add_detections();
    add_fusion();
    add_heads();
    if (scene_.grid) add_height_map();
    add_frames();
    return std::move(need_);
  }

 private:
  static constexpr const char* kLargerVoxels = "Choose larger voxels or a smaller grid.";
  template <typename P>
  P parameters() const {
    return scene_.parameters->get<P>();
  }
  bool on_device() const { return scene_.device != Device::cpu; }
  // In the memory that the stages work in.
  void add(const char* of, double bytes, const char* remedy) {
    need_.shares.push_back({of, on_device() ? 0 : bytes, on_device() ? bytes : 0, remedy});
  }

  void add_video() {
    const double decoders =
        (scene_.hardware_decoding ? kHardwareDecoderPictures : kDecoderPictures) * kPicture * pixels_;
    need_.shares.push_back({"video", scene_.hardware_decoding ? 0 : decoders,
                            scene_.hardware_decoding ? decoders : 0, "Use fewer or smaller pictures."});
    double waiting = 0;
    for (size_t i = 0; i < scene_.waiting.size(); ++i)
      waiting += scene_.waiting[i] * kPicture * scene_.pictures[i].pixels();
    if (waiting > 0)
      need_.shares.push_back({"pictures waiting", scene_.hardware_decoding ? 0 : waiting,
                              scene_.hardware_decoding ? waiting : 0,
                              "Correct the cameras' delays by less, or use smaller pictures."});
  }

  void add_carving() {
    const auto table = static_cast<double>(block_table_bytes(*scene_.grid, scene_.pictures.size()));
    const double bits = voxels_ / 8;
    if (!on_device()) return add("carving", table + 2 * bits + pixels_ / 8, kLargerVoxels);
    // The device looks at four pixels at once: 4 B a pixel.
    need_.shares.push_back({"carving", table, table + pixels_ / 6 + 4 * pixels_, kLargerVoxels});
  }

  void add_flow() {
    const auto flow = parameters<OpticalFlowParameters>();
    if (!flow.enabled) return;
    double of_levels = 0, scale = 1;
    for (int level = 0; level < flow.levels; ++level, scale *= flow.pyramid_scale * flow.pyramid_scale)
      of_levels += scale;
    add("optical flow", (kFlowPlane + 4) * of_levels * pixels_, "Switch optical flow off.");
  }

  void add_detections() {
    const auto detections = parameters<DetectionParameters>();
    if (!detections.enabled || scene_.detection_model_bytes <= 0) return;
    const double input = static_cast<double>(detections.long_side_px) * detections.long_side_px;
    need_.shares.push_back({"detections",
                            kEngine + kModelCopies * scene_.detection_model_bytes + kInputPixel * input, 0,
                            "Switch the detector off, or use a smaller model or input."});
  }

  void add_fusion() {
    if (!scene_.fusion_floor || !parameters<DetectionParameters>().enabled) return;
    const FloorRectangle& floor = *scene_.fusion_floor;
    const double cells = (floor.max_x_m - floor.min_x_m) * (floor.max_y_m - floor.min_y_m) /
                         (PeopleFusion::kCell_m * PeopleFusion::kCell_m);
    const double hypotheses = std::min(cells, static_cast<double>(PeopleFusion::kMaxCells)) *
                              static_cast<double>(PeopleFusion::kHeights_m.size());
    need_.shares.push_back({"fusion", kHypothesis * hypotheses * static_cast<double>(scene_.pictures.size()),
                            0, "Give the project a smaller grid."});
  }

  void add_heads() {
    if (!parameters<HeadParameters>().enabled) return;
    add("heads", kHeadPixel * kHeadScales * pixels_, "Switch the head detector off.");
  }

  // As HeightMapper::memory_bytes(), of the largest picture where the reference is not chosen.
  void add_height_map() {
    const auto map = parameters<HeightMapParameters>();
    if (!map.enabled || scene_.pictures.empty()) return;
    const auto chosen = static_cast<size_t>(std::max(0, map.reference - 1));
    const PictureSize picture =
        map.reference > 0 && chosen < scene_.pictures.size()
            ? scene_.pictures[chosen]
            : *std::max_element(
                  scene_.pictures.begin(), scene_.pictures.end(),
                  [](const auto& a, const auto& b) { return a.pixels() < b.pixels(); });
    const double descriptors = kDaisyBins * parameters<DaisyParameters>().rings * pixels_;
    const auto solving = static_cast<double>(
        height_map::memory_bytes(picture.width_px, picture.height_px, map, scene_.device));
    add("height map", descriptors + solving, "Choose fewer heights or smaller pictures, or switch it off.");
  }

  double frame_bytes() const {
    double bytes = (kPicture + kForegroundFrame) * pixels_;
    if (scene_.grid) bytes += on_device() ? voxels_ / 4 : 4 * kShellShare * voxels_;
    if (scene_.keep_confidence) bytes += 4 * voxels_;
    if (parameters<OpticalFlowParameters>().enabled) bytes += kFlowFrame * pixels_;
    return bytes;
  }

  // Under way in the queues, kept to be shown again, and the models kept to go on from.
  void add_frames() {
    const PipelineOptions& options = scene_.pipeline;
    const double queue = std::min(static_cast<double>(options.queue_frames) * frame_bytes(),
                                  std::max(static_cast<double>(options.queue_bytes), frame_bytes()));
    add("frames in flight", kStages * queue, "Use fewer or smaller pictures, or larger voxels.");
    add("frames kept", static_cast<double>(options.cache_bytes),
        "Lower the memory limits in the preferences.");
    add("models kept", static_cast<double>(options.checkpoint_bytes),
        "Lower the memory limits in the preferences.");
  }

  const AnalysedScene& scene_;
  double pixels_ = 0, voxels_ = 0;
  MemoryNeed need_;
};

}  // namespace

MemoryNeed memory_needed(const AnalysedScene& scene) {
  return Reckoning(scene).add_up();
}

Result<MemoryPlan> plan_memory(const AnalysedScene& scene, const MemoryAvailable& available) {
  AnalysedScene planned = scene;
  planned.pipeline.cache_bytes = planned.pipeline.checkpoint_bytes = 0;
  const MemoryNeed least = memory_needed(planned);
  VANTAGE_TRY(check_memory(least, available));
  const bool on_device = scene.device != Device::cpu;
  const std::optional<double>& there = on_device ? available.device_bytes : available.host_bytes;
  const auto asked =
      static_cast<double>(scene.pipeline.cache_bytes) + static_cast<double>(scene.pipeline.checkpoint_bytes);
  double share = 1;
  if (there && asked > 0)
    share = std::min(1.0, (*there - (on_device ? least.device_bytes() : least.host_bytes())) / asked);
  const auto part = [&](size_t bytes) { return static_cast<size_t>(share * static_cast<double>(bytes)); };
  planned.pipeline.cache_bytes = part(scene.pipeline.cache_bytes);
  planned.pipeline.checkpoint_bytes = part(scene.pipeline.checkpoint_bytes);
  return MemoryPlan{memory_needed(planned), available, planned.pipeline};
}

}  // namespace vantage
