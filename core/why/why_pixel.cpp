#include "core/why/why_pixel.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/carving/voxel_votes.h"
#include "core/features/daisy.h"
#include "core/geometry/voxel_ray.h"
#include "core/pipeline/height_mapper.h"
#include "core/pipeline/stages/foreground_stage.h"

namespace vantage {
namespace {

// One question; the parts of its answer.
class AskedPixel {
 public:
  AskedPixel(const Project& project, Analysis& analysis, const FrameResult& result, const StopSource& stop,
             WhyPixel* to)
      : project_(project), analysis_(analysis), result_(result), stop_(stop), to_(*to) {}

  Status answer() {
    const FrameSet* frames = result_.frames();
    to_.has_picture = frames && to_.camera < frames->cameras.size() && frames->cameras[to_.camera].picture;
    if (to_.has_picture) VANTAGE_TRY(add_evidence());
    VANTAGE_ASSIGN(indicators_, analysis_.host_indicators(result_));
    if (to_.camera < indicators_.size() && indicators_[to_.camera])
      to_.indicator = indicators_[to_.camera].view<uint8_t>().at(to_.x_px, to_.y_px);
    add_flow();
    add_boxes();
    VANTAGE_TRY(add_height());
    return add_scene();
  }

 private:
  // What hinders the foreground from telling, is told; only a stop and a lost device end the answer.
  Status add_evidence() {
    if (result_.preview) {
      to_.no_evidence = "the frame is a preview: its background is not exact; analyse it first";
      return {};
    }
    VANTAGE_ASSIGN(const Picture picture, analysis_.host_picture(result_, to_.camera));
    const Result<const Stage*> stage =
        analysis_.pipeline().stage_before(result_.frame, kForegroundStage, stop_);
    Result<PixelEvidence> evidence;
    if (stage)
      evidence =
          dynamic_cast<const ForegroundExplainer&>(**stage).explain(to_.camera, picture, to_.x_px, to_.y_px);
    else
      evidence = fail(stage.error());
    if (evidence) {
      to_.evidence = std::move(*evidence);
      return {};
    }
    const ErrorKind kind = evidence.error().kind;
    if (kind == ErrorKind::cancelled || kind == ErrorKind::device_lost) return fail(evidence.error());
    to_.no_evidence = evidence.error().message();
    return {};
  }

  void add_flow() {
    const FlowArtifact* flow = result_.flow();
    if (!flow || to_.camera >= flow->cameras.size() || !flow->cameras[to_.camera].field) return;
    const FlowField& field = flow->cameras[to_.camera].field;
    const float* vectors = field.vectors.view<float>().row(to_.y_px);
    FlowAtPixel& here = to_.flow.emplace();
    here.dx_px = vectors[2 * to_.x_px], here.dy_px = vectors[2 * to_.x_px + 1];
    if (field.confidence) here.confidence = field.confidence.view<uint8_t>().at(to_.x_px, to_.y_px) / 255.0;
  }

  void add_box(bool head, double score, double left, double top, double width, double height) {
    if (to_.x_px >= left && to_.x_px < left + width && to_.y_px >= top && to_.y_px < top + height)
      to_.boxes.push_back({head, score, left, top, width, height});
  }

  void add_boxes() {
    if (const DetectionsArtifact* found = result_.detections(); found && to_.camera < found->cameras.size())
      for (const PersonDetection& one : found->cameras[to_.camera].people)
        add_box(false, one.score, one.left_px, one.top_px, one.width_px, one.height_px);
    if (const HeadsArtifact* heads = result_.heads(); heads && to_.camera < heads->cameras.size())
      for (const Detection& one : heads->cameras[to_.camera])
        add_box(true, one.score, one.x, one.y, one.w, one.h);
    std::stable_sort(to_.boxes.begin(), to_.boxes.end(),
                     [](const BoxAtPixel& a, const BoxAtPixel& b) { return a.score > b.score; });
  }

  // The label is the stage's; its costs are measured again, of this pixel alone.
  Status add_height() {
    const HeightEstimate* estimate = result_.height_map();
    if (!estimate || estimate->reference != to_.camera) return {};
    const HeightMap& map = estimate->map;
    HeightAtPixel here;
    here.lowest_m = map.scale.lowest_m, here.step_m = map.scale.step_m;
    const int label = map.labels.view<uint8_t>().at(to_.x_px, to_.y_px);
    here.head = label < map.scale.no_head();
    if (here.head) here.height_m = map.scale.height_m(label);
    VANTAGE_ASSIGN(here.costs, costs());
    to_.height = std::move(here);
    return {};
  }

  Result<std::vector<double>> costs() {
    HeightMapperOptions options;
    options.backends = analysis_.backends();
    options.cameras = project_.calibrations(result_.frame);
    options.region = project_.grid;
    HeightMapper mapper(std::move(options));
    const auto parameters = project_.parameters.get<HeightMapParameters>();
    VANTAGE_TRY(mapper.configure(parameters, project_.parameters.get<DaisyParameters>()));
    std::vector<Image> foreground;
    if (parameters.use_foreground) {
      VANTAGE_ASSIGN(foreground, result_.foreground()->host_masks.get());
    }
    const std::vector<LumaPlane> pictures = luma_of(*result_.frames());
    const LumaPlane& reference = pictures.at(to_.camera);
    VANTAGE_ASSIGN(Image wanted, Image::make(ImageType::u8, reference.view.width, reference.view.height,
                                             HostPool::shared()));
    const ImageView<uint8_t> mask = wanted.writable_view<uint8_t>();
    for (int y = 0; y < mask.height; ++y) std::fill_n(mask.row(y), mask.width, uint8_t{0});
    mask.at(to_.x_px, to_.y_px) = 255;
    const auto go_on = [this](double) { return !stop_.stop_requested(); };
    VANTAGE_ASSIGN(CostVolume measured, mapper.measure(pictures, foreground, wanted, result_.frame, go_on));
    VANTAGE_ASSIGN(measured, mapper.to_host(std::move(measured)));
    const ImageView<const float> planes = measured.costs.view<float>();
    std::vector<double> costs;
    for (int label = 0; label <= measured.labels.count; ++label)
      costs.push_back(planes.at(to_.x_px, label * measured.height + to_.y_px));
    return costs;
  }

  // Where the line of sight meets the floor, and the voxels on it.
  Status add_scene() {
    if (!project_.calibrated()) return {};
    const Camera camera = *project_.cameras[to_.camera].calibration_at(result_.frame);
    const std::optional<Ray> ray = camera.ray(Eigen::Vector2d(to_.x_px, to_.y_px));
    if (!ray) return {};
    if (const auto floor = intersect_horizontal_plane(*ray, 0)) to_.floor_m = {floor->x(), floor->y()};
    if (!result_.foreground() || !result_.volume()) return {};
    const VoxelGrid& grid = result_.volume()->grid;
    const Carver::Arguments scene{analysis_.cameras(result_.frame), grid, false};
    VANTAGE_ASSIGN(const VoxelVoter voter,
                   VoxelVoter::make(scene, project_.parameters.get<CarvingParameters>(), indicators_));
    add_voxels(voter, *ray);
    return {};
  }

  void add_voxels(const VoxelVoter& voter, const Ray& ray) {
    VoxelsBehindPixel& voxels = to_.voxels.emplace();
    std::optional<VoxelVoter::Block> block;
    for (const auto& at : voxels_on_ray(voter.grid(), ray)) {
      const auto [x, y, z] = at;
      if (!block || !block->holds(x, y, z)) block.emplace(voter, x, y, z);
      const VoxelVotes votes = block->votes(x, y, z);
      ++voxels.count;
      voxels.occupied += votes.occupied;
      const bool better = !voxels.voxel ? votes.confidence > 0
                                        : !voxels.voxel->occupied &&
                                              (votes.occupied || votes.confidence > voxels.voxel->confidence);
      if (!better) continue;
      VoxelsBehindPixel::Voxel& voxel = voxels.voxel.emplace();
      voxel.at = at;
      voxel.confidence = votes.confidence, voxel.seeing = votes.seeing, voxel.occupied = votes.occupied;
      for (int axis = 0; axis < 3; ++axis)
        voxel.center_in_world_m[static_cast<size_t>(axis)] =
            voter.grid().center(axis, at[static_cast<size_t>(axis)]);
      const Eigen::Vector3d center = Eigen::Map<const Eigen::Vector3d>(voxel.center_in_world_m.data());
      voxel.distance_m = (center - ray.origin_in_world_m).norm();
      for (size_t c = 0; c < voter.camera_count(); ++c) {
        const Vote vote = block->vote(c, x, y, z);
        constexpr double kFullVote = 255 << kLevelBits;
        voxel.votes.push_back(vote.seen ? std::optional(vote.level / kFullVote) : std::nullopt);
      }
    }
  }

  const Project& project_;
  Analysis& analysis_;
  const FrameResult& result_;
  const StopSource& stop_;
  WhyPixel& to_;
  std::vector<Image> indicators_;
};

}  // namespace

Result<WhyPixel> why_pixel(const Project& project, Analysis& analysis, const FrameResult& result,
                           size_t camera, int x_px, int y_px, const StopSource& stop) {
  if (camera >= project.cameras.size())
    return fail(ErrorKind::invalid_argument, "there is no such camera", std::to_string(camera + 1));
  const VideoInfo video = analysis.source().info(static_cast<int>(camera));
  if (x_px < 0 || y_px < 0 || x_px >= video.width_px || y_px >= video.height_px)
    return fail(ErrorKind::invalid_argument, "the pixel lies outside the picture",
                project.cameras[camera].name,
                "Pictures of this camera are " + std::to_string(video.width_px) + " x " +
                    std::to_string(video.height_px) + " pixels; the first is 0,0.");
  WhyPixel pixel;
  pixel.frame = result.frame, pixel.preview = result.preview;
  pixel.camera = camera, pixel.x_px = x_px, pixel.y_px = y_px;
  VANTAGE_TRY(AskedPixel(project, analysis, result, stop, &pixel).answer());
  return pixel;
}

}  // namespace vantage
