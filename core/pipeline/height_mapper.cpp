#include "core/pipeline/height_mapper.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "core/height_map/height_map_io.h"
#include "core/image/picture.h"

namespace vantage {
namespace {

constexpr double kMaxDescriptor_px = 30;  // as of daisy.radius_px
// Outlines are fitted to heads of at most twice this width; larger pictures are reduced first.
constexpr double kOutlineHead_px = 24;

EdgeShifts in_labels(HeightDifferences differences, const HeightLabels& labels) {
  const auto limit = static_cast<float>(labels.count);
  for (Image* image : {&differences.right_m, &differences.down_m}) {
    const ImageView<float> view = image->writable_view<float>();
    for (int y = 0; y < view.height; ++y)
      for (int x = 0; x < view.width; ++x)
        view.at(x, y) = std::clamp(view.at(x, y) / static_cast<float>(labels.step_m), -limit, limit);
  }
  return {differences.right_m, differences.down_m};
}

// Pixels with a point above the region's floor at some height of the labels.
Result<Image> region_mask(const HeightRays& rays, const VoxelGrid& region, const HeightLabels& labels) {
  const ImageView<const float> slopes = rays.slopes.view<float>();
  VANTAGE_ASSIGN(Image mask, Image::make(ImageType::u8, slopes.width / 2, slopes.height, HostPool::shared()));
  const ImageView<uint8_t> out = mask.writable_view<uint8_t>();
  const auto inside = [&](int x, int y, double height_m) {
    const double down = height_m - rays.center_in_world_m[2];
    for (int axis = 0; axis < 2; ++axis) {
      const double at = rays.center_in_world_m[axis] + down * static_cast<double>(slopes.at(2 * x + axis, y));
      const double begin = region.origin_in_world_m[axis];
      const double size = region.voxel_size_m * (axis == 0 ? region.nx : region.ny);
      if (!(at >= begin && at <= begin + size)) return false;
    }
    return true;
  };
  for (int y = 0; y < out.height; ++y)
    for (int x = 0; x < out.width; ++x)
      out.at(x, y) =
          inside(x, y, labels.height_m(0)) || inside(x, y, labels.height_m(labels.count - 1)) ? 255 : 0;
  return mask;
}

// Size in pixels of a head of kHead_m at the point that the camera is aimed at.
double head_px(const Camera& camera) {
  constexpr double kHead_m = 0.2, kHeadHeight_m = 1.7;
  const Eigen::Vector2d middle(0.5 * (camera.width_px() - 1), 0.5 * (camera.height_px() - 1));
  const Eigen::Vector3d eye = camera.center_in_world_m();
  double distance_m = std::max(0.5, eye.z() - kHeadHeight_m);
  if (const std::optional<Ray> ray = camera.ray(middle))
    if (const auto head = intersect_horizontal_plane(*ray, kHeadHeight_m)) distance_m = (*head - eye).norm();
  return std::sqrt(camera.model().fx_px * camera.model().fy_px) * kHead_m / distance_m;
}

// The picture, on the host, from which a view's outlines are read.
struct OutlineSource {
  Camera camera;
  LumaPlane luma;
  Image foreground;  // may be empty
  int factor = 1;    // reduction of both
};

Result<HeadOutlines> read_outlines(const std::vector<OutlineSource>& sources) {
  std::vector<Image> smaller(2 * sources.size());
  std::vector<OutlineView> views;
  for (size_t i = 0; i < sources.size(); ++i) {
    const OutlineSource& source = sources[i];
    OutlineView view{source.camera.reduced(source.factor).model(), source.luma.view, {}};
    if (source.foreground) view.foreground = source.foreground.view<uint8_t>();
    if (source.factor > 1) {
      VANTAGE_ASSIGN(smaller[2 * i], reduced_mean(view.luma, source.factor, HostPool::shared()));
      view.luma = smaller[2 * i].view<uint8_t>();
    }
    if (source.factor > 1 && source.foreground) {
      VANTAGE_ASSIGN(smaller[2 * i + 1], reduced_any(view.foreground, source.factor, HostPool::shared()));
      view.foreground = smaller[2 * i + 1].view<uint8_t>();
    }
    views.push_back(view);
  }
  return HeadOutlines::make(views);
}

}  // namespace

std::vector<LumaPlane> luma_of(const FrameSet& frames) {
  std::vector<LumaPlane> planes;
  for (const CameraFrame& camera : frames.cameras)
    planes.push_back(camera.picture
                         ? LumaPlane{camera.picture.buffer(), camera.picture.plane(0), camera.picture}
                         : LumaPlane{});
  return planes;
}

Status HeightMapper::configure(const HeightMapParameters& parameters, const DaisyParameters& descriptor) {
  if (options_.cameras.size() < 2)
    return fail(ErrorKind::invalid_argument, "a height map needs at least two calibrated cameras",
                "height map");
  if (parameters.reference > static_cast<int>(options_.cameras.size()))
    return fail(ErrorKind::invalid_argument, "there is no camera " + std::to_string(parameters.reference),
                "heightmap.reference", "Choose a camera from 1, or 0 for the one that sees the most floor.");
  size_t reference = static_cast<size_t>(std::max(0, parameters.reference - 1));
  if (parameters.reference == 0) {
    if (!max_floor_) max_floor_ = camera_that_sees_most_floor(options_.cameras);
    reference = *max_floor_;
  }
  const bool same = reference == reference_ && parameters.labels() == parameters_.labels() &&
                    parameters.surface == parameters_.surface;
  if (!same) {
    cost_.reset();
    solver_.reset();
  }
  reference_ = reference;
  parameters_ = parameters;
  descriptor_ = descriptor;
  if (parameters.descriptor_heads > 0)
    descriptor_.radius_px = std::clamp(parameters.descriptor_heads * head_px(options_.cameras[reference_]),
                                       kMinDescriptor_px, kMaxDescriptor_px);
  return {};
}

Status HeightMapper::prepare() {
  if (!solver_) {
    const Camera& camera = options_.cameras[reference_];
    const HeightLabels labels = parameters_.labels();
    if (camera.center_in_world_m().z() <= labels.height_m(labels.count - 1))
      return fail(ErrorKind::invalid_argument, "the camera is lower than the highest head", camera.name(),
                  "Choose a reference camera that looks down on the people.");
    VANTAGE_TRY(height_map::check_memory(camera.width_px(), camera.height_px(), parameters_,
                                         options_.backends.device));
    VANTAGE_ASSIGN(rays_, make_height_rays(camera));
    region_ = {};
    if (options_.region) {
      VANTAGE_ASSIGN(region_, region_mask(rays_, *options_.region, labels));
    }
    HeightCost::Arguments cost;
    cost.reference = camera.model();
    for (size_t c = 0; c < options_.cameras.size(); ++c)
      if (c != reference_) cost.others.push_back(options_.cameras[c].model());
    std::copy_n(rays_.center_in_world_m, 3, cost.center_in_world_m);
    cost.slopes = rays_.slopes;
    VANTAGE_ASSIGN(cost_, options_.backends.create<HeightCost>(cost));
    VANTAGE_ASSIGN(
        HeightDifferences differences,
        make_height_differences(camera, rays_, 0.5 * (labels.height_m(0) + labels.height_m(labels.count - 1)),
                                parameters_.surface));
    VANTAGE_ASSIGN(solver_,
                   options_.backends.create<HeightSolver>(
                       {camera.width_px(), camera.height_px(), in_labels(std::move(differences), labels)}));
  }
  while (daisies_.size() < options_.cameras.size()) {
    VANTAGE_ASSIGN(auto daisy, options_.backends.create<Daisy>({static_cast<int>(daisies_.size())}));
    daisies_.push_back(std::move(daisy));
  }
  if (!transfer_) {
    VANTAGE_ASSIGN(transfer_, options_.backends.create<MemoryTransfer>({}));
  }
  for (const auto& daisy : daisies_) daisy->set_parameters(descriptor_);
  cost_->set_parameters(parameters_, descriptor_);
  solver_->set_parameters(parameters_);
  return {};
}

Result<CostVolume> HeightMapper::measure(const std::vector<LumaPlane>& pictures,
                                         const std::vector<Image>& foreground, const Image& mask,
                                         int64_t frame, const std::function<bool(double)>& progress) {
  VANTAGE_TRY(prepare());
  outlines_ = {};
  if (!pictures.at(reference_))
    return fail(ErrorKind::not_found, "the reference camera has no picture of frame " + std::to_string(frame),
                options_.cameras[reference_].name(), "Choose another frame or heightmap.reference.");
  DaisyField reference;
  std::vector<DaisyField> others;
  for (size_t c = 0; c < pictures.size(); ++c) {
    DaisyField field;
    if (pictures[c]) {
      VANTAGE_ASSIGN(field, daisies_[c]->describe(pictures[c].buffer, pictures[c].view, frame));
    }
    if (c == reference_)
      reference = std::move(field);
    else
      others.push_back(std::move(field));
  }
  VANTAGE_ASSIGN(Image wanted,
                 combined_mask(reference_ < foreground.size() ? foreground[reference_] : Image{}, mask));
  VANTAGE_ASSIGN(wanted, upload(wanted, frame));
  cost_->set_progress(progress);
  VANTAGE_ASSIGN(CostVolume costs, cost_->measure(reference, others, wanted, frame));
  VANTAGE_TRY(begin_outlines(pictures, foreground, frame));
  return costs;
}

Status HeightMapper::begin_outlines(const std::vector<LumaPlane>& pictures,
                                    const std::vector<Image>& foreground, int64_t frame) {
  if (!parameters_.outlines) return {};
  std::vector<OutlineSource> sources;
  const auto add = [&](size_t c) -> Status {
    if (!pictures[c]) return {};
    const Camera& camera = options_.cameras[c];
    OutlineSource source{camera, pictures[c], {}};
    source.factor = std::max(1, static_cast<int>(head_px(camera) / kOutlineHead_px));
    if (options_.backends.on_gpu()) {
      VANTAGE_ASSIGN(const Picture on_host,
                     transfer_->download(pictures[c].picture, frame, static_cast<int>(c)));
      source.luma = {on_host.buffer(), on_host.plane(0), on_host};
    }
    if (parameters_.use_foreground && c < foreground.size()) source.foreground = foreground[c];
    sources.push_back(std::move(source));
    return {};
  };
  VANTAGE_TRY(add(reference_));
  for (size_t c = 0; c < pictures.size(); ++c)
    if (c != reference_) VANTAGE_TRY(add(c));
  outlines_ = std::async(std::launch::async, [sources = std::move(sources), frame,
                                              trace = options_.backends.context.trace] {
                const SpanGuard span(trace, "read_outlines", "cpu outlines", frame, -1, SpanKind::kernel);
                return read_outlines(sources);
              }).share();
  return {};
}

Result<Image> HeightMapper::combined_mask(const Image& foreground, const Image& mask) const {
  const bool only_foreground = parameters_.use_foreground && foreground;
  if (!only_foreground && !mask) return region_;
  const Camera& camera = options_.cameras[reference_];
  VANTAGE_ASSIGN(Image combined,
                 Image::make(ImageType::u8, camera.width_px(), camera.height_px(), HostPool::shared()));
  for (const Image* image : {&foreground, &mask})
    if (*image && (image->width() != combined.width() || image->height() != combined.height()))
      return fail(ErrorKind::invalid_argument, "the mask has another size than the reference picture",
                  camera.name());
  Image near_foreground;
  if (only_foreground) {
    VANTAGE_ASSIGN(near_foreground,
                   grown(foreground.view<uint8_t>(), options_.foreground_margin_px, HostPool::shared()));
  }
  const ImageView<uint8_t> out = combined.writable_view<uint8_t>();
  tbb::parallel_for(0, out.height, [&](int y) {
    std::fill_n(out.row(y), out.width, uint8_t{255});
    for (const Image* image : std::initializer_list<const Image*>{&region_, &mask, &near_foreground})
      if (*image) {
        const uint8_t* const wanted = image->view<uint8_t>().row(y);
        for (int x = 0; x < out.width; ++x) out.row(y)[x] = wanted[x] ? out.row(y)[x] : uint8_t{0};
      }
  });
  return combined;
}

Result<HeightEstimate> HeightMapper::solve(const CostVolume& costs, const HeightMapRequest& request,
                                           int64_t frame) {
  VANTAGE_TRY(prepare());
  Status brought;
  HeightSolveRequest own{request.warm_start};
  if (request.on_check)
    own.on_check = [&](const HeightMap& map) {
      const Result<HeightEstimate> estimate = estimate_of(map);
      if (!estimate) brought = tl::unexpected(estimate.error());
      return estimate && request.on_check(*estimate);
    };
  VANTAGE_ASSIGN(HeightMap map, solver_->solve(costs, own, frame));
  VANTAGE_TRY(brought);
  VANTAGE_ASSIGN(HeightEstimate estimate, estimate_of(std::move(map)));
  if (outlines_.valid()) VANTAGE_TRY(measure_heads(estimate));
  return estimate;
}

Result<HeightEstimate> HeightMapper::estimate_of(HeightMap map) {
  HeightEstimate estimate;
  estimate.reference = reference_;
  if (options_.backends.on_gpu())
    estimate.device_levels = map.labels, estimate.device_unsettled = map.unsettled;
  VANTAGE_ASSIGN(map.labels, download(map.labels, map.frame));
  VANTAGE_ASSIGN(map.unsettled, download(map.unsettled, map.frame));
  estimate.levels = map.labels, estimate.level_count = map.scale.count;
  VANTAGE_ASSIGN(estimate.heights_m, heights_in_metres(map, HostPool::shared()));
  estimate.heads = find_heads(map, map.labels.view<uint8_t>(), rays_.slopes.view<float>(),
                              rays_.center_in_world_m, parameters_);
  estimate.map = std::move(map);
  return estimate;
}

// Measures heads by their outlines, on the host; data for display is uploaded again.
Status HeightMapper::measure_heads(HeightEstimate& estimate) {
  const Result<HeadOutlines>& outlines = outlines_.get();
  if (!outlines) return fail(outlines.error());
  const SpanGuard span(options_.backends.context.trace, "measure_heads", "cpu outlines", estimate.map.frame,
                       -1, SpanKind::kernel);
  const Camera& camera = options_.cameras[reference_];
  estimate.heads = outlines->fit(estimate.heads, parameters_);
  for (HeightMapHead& head : estimate.heads)
    if (const auto at = camera.project({head.x_m, head.y_m, head.z_m}))
      head.x_px = at->x(), head.y_px = at->y();
  const ImageView<float> heights_m = estimate.heights_m.writable_view<float>();
  draw_shapes(estimate.heads, camera.model(), rays_.slopes.view<float>(), heights_m);
  estimate.level_count = kHeightLevels;
  VANTAGE_ASSIGN(estimate.levels,
                 height_levels(estimate.heights_m.view<float>(), estimate.map.scale, HostPool::shared()));
  if (!options_.backends.on_gpu()) return {};
  VANTAGE_ASSIGN(estimate.device_levels, upload(estimate.levels, estimate.map.frame));
  return {};
}

Result<PixelBelief> HeightMapper::belief_of(int x, int y) {
  if (!solver_) return fail(ErrorKind::invalid_argument, "nothing has been solved yet", "height map");
  return solver_->belief_of(x, y);
}

Result<CostVolume> HeightMapper::to_device(CostVolume costs) {
  VANTAGE_TRY(prepare());
  VANTAGE_ASSIGN(costs.costs, upload(costs.costs, -1));
  return costs;
}

Result<CostVolume> HeightMapper::to_host(CostVolume costs) {
  VANTAGE_ASSIGN(costs.costs, download(costs.costs, -1));
  return costs;
}

Result<Image> HeightMapper::upload(const Image& image, int64_t frame) {
  if (!image) return image;
  return transfer_->upload(image, frame, static_cast<int>(reference_));
}

Result<Image> HeightMapper::download(const Image& image, int64_t frame) {
  if (!image) return image;
  return transfer_->download(image, frame, static_cast<int>(reference_));
}

size_t HeightMapper::memory_bytes() const {
  size_t bytes = 0;
  for (const Camera& camera : options_.cameras)
    bytes += static_cast<size_t>(camera.width_px()) * static_cast<size_t>(camera.height_px()) *
             static_cast<size_t>(kDaisyBins * descriptor_.rings);
  const Camera& camera = options_.cameras[reference_];
  return bytes + height_map::memory_bytes(camera.width_px(), camera.height_px(), parameters_,
                                          options_.backends.device);
}

}  // namespace vantage
