#include "core/pipeline/height_study.h"

#include <algorithm>
#include <cmath>

#include "core/image/picture.h"

namespace vantage {
namespace {

// The parameters that the data cost depends on, with the others at their defaults.
HeightMapParameters of_cost(HeightMapParameters p) {
  const HeightMapParameters d;
  p.enabled = d.enabled;
  p.lambda = d.lambda, p.no_head_jump_m = d.no_head_jump_m;
  p.iterations = d.iterations, p.check_every = d.check_every, p.settled_share = d.settled_share;
  p.damping = d.damping, p.method = d.method, p.precision = d.precision;
  p.memory_limit_mb = d.memory_limit_mb;
  p.surface = d.surface;
  p.min_outline = d.min_outline;  // not `outlines`: they are read with the costs
  p.head_step_m = d.head_step_m, p.head_area_m2 = d.head_area_m2, p.head_distance_m = d.head_distance_m;
  return p;
}

uint64_t version_of(const FrameResult& result, std::string_view stage) {
  const auto found = result.versions.find(stage);
  return found == result.versions.end() ? 0 : found->second;
}

// The origin of a data cost.
struct CostOrigin {
  int64_t frame = -1;
  uint64_t video = 0, foreground = 0;
  bool preview = false;
  HeightMapParameters parameters;
  DaisyParameters descriptor;
  bool operator==(const CostOrigin&) const = default;

  static CostOrigin of(const HeightStudyRequest& request) {
    const FrameResult& result = *request.result;
    return {result.frame,   version_of(result, kVideoStage), version_of(result, kForegroundStage),
            result.preview, of_cost(request.parameters),     request.descriptor};
  }
};

HeightMapperOptions reduced(HeightMapperOptions options, int factor) {
  for (Camera& camera : options.cameras) camera = camera.reduced(factor);
  options.foreground_margin_px = std::max(1, options.foreground_margin_px / factor);
  return options;
}

int coarse_factor(const Camera& camera) {
  const double pixels = static_cast<double>(camera.width_px()) * camera.height_px();
  return static_cast<int>(std::ceil(std::sqrt(pixels / kCoarsePixels)));
}

// The request at a level's own size.
HeightStudyRequest at_size(HeightStudyRequest request, int factor) {
  if (factor == 1) return request;
  request.descriptor.radius_px = std::max(2.0, request.descriptor.radius_px / factor);
  request.parameters.outlines = false;  // they take as long as the coarse map
  request.parameters.iterations = std::min(request.parameters.iterations, kCoarseIterations);
  request.parameters.check_every = request.parameters.iterations;
  return request;
}

}  // namespace

struct HeightStudy::Input {
  std::vector<LumaPlane> pictures;  // in the device's memory
  std::vector<Image> foreground;    // on the host; none: not wanted

  Result<Input> reduced(int factor) const {
    Input small;
    for (const LumaPlane& plane : pictures) {
      Image image;
      if (plane) {
        VANTAGE_ASSIGN(image, reduced_mean(plane.view, factor, HostPool::shared()));
      }
      small.pictures.push_back(image ? LumaPlane{image.buffer(), image.view<uint8_t>()} : LumaPlane{});
    }
    for (const Image& mask : foreground) {
      Image& image = small.foreground.emplace_back();
      if (mask) {
        VANTAGE_ASSIGN(image, reduced_any(mask.view<uint8_t>(), factor, HostPool::shared()));
      }
    }
    return small;
  }
};

struct HeightStudy::Level {
  HeightMapper mapper;
  int pixel_px = 1;
  std::optional<CostOrigin> origin;  // origin of `costs`; nothing: none were measured
  CostVolume costs;

  Level(HeightMapperOptions options, int factor) : mapper(std::move(options)), pixel_px(factor) {}
};

HeightStudy::HeightStudy(HeightMapperOptions options)
    : options_(std::move(options)), full_(std::make_unique<Level>(options_, 1)) {}

HeightStudy::~HeightStudy() = default;

Status HeightStudy::run(const HeightStudyRequest& request, const HeightStudyListener& listener,
                        const StopSource& stop) {
  shown_ = nullptr;
  VANTAGE_TRY(full_->mapper.configure(request.parameters, request.descriptor));
  VANTAGE_ASSIGN(const Input input, input_of(request, listener));
  VANTAGE_TRY(prepare_coarse(request));
  if (coarse_) {
    VANTAGE_ASSIGN(const Input small, input.reduced(coarse_->pixel_px));
    VANTAGE_TRY(run_level(*coarse_, at_size(request, coarse_->pixel_px), small, listener, StopSource()));
  }
  return run_level(*full_, request, input, listener, stop);
}

Result<HeightStudy::Input> HeightStudy::input_of(const HeightStudyRequest& request,
                                                 const HeightStudyListener& listener) {
  const size_t reference = full_->mapper.reference();
  const FrameSet* const frames = request.result ? request.result->frames() : nullptr;
  if (!frames || reference >= frames->cameras.size() || !frames->cameras[reference].picture)
    return fail(ErrorKind::not_found, "the reference camera has no picture of this frame",
                options_.cameras[reference].name(), "Choose another frame or heightmap.reference.");
  Input input{luma_of(*frames), {}};
  listener.on_reference(reference);
  const ForegroundArtifact* const foreground = request.result->foreground();
  if (!foreground || !request.parameters.use_foreground) return input;
  VANTAGE_ASSIGN(input.foreground, foreground->host_masks.get());
  return input;
}

Status HeightStudy::prepare_coarse(const HeightStudyRequest& request) {
  const int factor = coarse_factor(options_.cameras[full_->mapper.reference()]);
  if (options_.backends.on_gpu() || factor < 2) {
    coarse_.reset();
    return {};
  }
  if (!coarse_ || coarse_->pixel_px != factor)
    coarse_ = std::make_unique<Level>(reduced(options_, factor), factor);
  HeightStudyRequest small = at_size(request, factor);
  // Rounding may rank reduced cameras differently.
  small.parameters.reference = static_cast<int>(full_->mapper.reference()) + 1;
  return coarse_->mapper.configure(small.parameters, small.descriptor);
}

Status HeightStudy::run_level(Level& level, const HeightStudyRequest& request, const Input& input,
                              const HeightStudyListener& listener, const StopSource& stop) {
  const bool coarse = level.pixel_px > 1;
  const int64_t frame = request.result->frame;
  const CostOrigin origin = CostOrigin::of(request);
  if (level.origin != origin) {
    level.origin.reset();
    level.costs = {};  // frees its memory
    const auto progress = [&](double share) {
      listener.on_progress(coarse ? "coarse map" : "data cost", share);
      return !stop.stop_requested();
    };
    VANTAGE_ASSIGN(level.costs, level.mapper.measure(input.pictures, input.foreground, {}, frame, progress));
    level.origin = origin;
  }
  const auto hand_over = [&](const HeightEstimate& estimate, bool finished) {
    shown_ = &level;
    listener.on_map({estimate, level.pixel_px, finished});
  };
  HeightMapRequest solve;
  solve.on_check = [&](const HeightEstimate& estimate) {
    const int done = estimate.map.checks.back().iteration;
    hand_over(estimate, false);
    listener.on_progress("messages", static_cast<double>(done) / request.parameters.iterations);
    return !stop.stop_requested();
  };
  VANTAGE_ASSIGN(const HeightEstimate estimate, level.mapper.solve(level.costs, solve, frame));
  if (stop.stop_requested()) return fail(ErrorKind::cancelled, "stopped", "height map");
  hand_over(estimate, !coarse);
  return {};
}

Result<PixelBelief> HeightStudy::belief_of(int x_px, int y_px) {
  if (!shown_) return fail(ErrorKind::invalid_argument, "there is no height map yet", "height map");
  return shown_->mapper.belief_of(x_px / shown_->pixel_px, y_px / shown_->pixel_px);
}

size_t HeightStudy::memory_bytes() const {
  return full_->mapper.memory_bytes();
}

}  // namespace vantage
