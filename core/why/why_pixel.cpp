#include "core/why/why_pixel.h"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/carving/carving.h"
#include "core/carving/voxel_votes.h"
#include "core/features/daisy.h"
#include "core/foreground/foreground.h"
#include "core/geometry/voxel_ray.h"
#include "core/people/mask_samples.h"
#include "core/pipeline/height_mapper.h"
#include "core/pipeline/stages/stage_types.h"

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
  // States why there is no evidence of the foreground; only a stop and a lost device end the answer.
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

  // The label is the stage's; its costs are measured again for this pixel alone.
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

  // The position on the floor and the voxels on the line of sight.
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
        voxel.center_in_world_m[axis] = voter.grid().center(axis, at[axis]);
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
  pixel.ignored =
      IgnoredPixels(project.cameras[camera].ignored, video.width_px, video.height_px).at(x_px, y_px);
  VANTAGE_TRY(AskedPixel(project, analysis, result, stop, &pixel).answer());
  return pixel;
}

// Findings about a pixel, as sections of values.

namespace {

constexpr Unit kShare{"", 2};

std::string share_text(double share) {
  return unit_text(share, kShare);
}

std::string level_text(int level) {
  return fmt::format("{} of 255{}", level,
                     in_mask(static_cast<uint8_t>(level))        ? ", in the mask"
                     : is_undecided(static_cast<uint8_t>(level)) ? ", undecided"
                                                                 : "");
}

class PixelAnswer {
 public:
  PixelAnswer(const WhyPixel& pixel, const Project& project)
      : pixel_(pixel),
        project_(project),
        parameters_(project.parameters.get<ForegroundParameters>()),
        gaussian_(parameters_.method == ForegroundMethod::gaussian) {}

  Report make() const {
    Report answer;
    answer.add_sentence("verdict", verdict());
    answer.add_section("pixel", pixel());
    if (pixel_.evidence)
      for (const ComponentEvidence& one : pixel_.evidence->components) answer.add_row("colour", of(one));
    answer.add_section("foreground", foreground());
    if (pixel_.flow) answer.add_section("flow", flow());
    if (pixel_.height) answer.add_section("height", height());
    for (const BoxAtPixel& box : pixel_.boxes) answer.add_row("boxes", of(box));
    if (pixel_.voxels) answer.add_section("voxels", voxels());
    return answer;
  }

 private:
  std::string distance_text(double distance) const {
    return gaussian_ ? fmt::format("{:.2f} sigma", distance) : fmt::format("{:.1f} grey levels", distance);
  }

  std::string verdict() const {
    const std::string at = (pixel_.preview ? "Preview. " : "") + project_.cameras[pixel_.camera].name +
                           fmt::format(", pixel {}, {}: ", pixel_.x_px, pixel_.y_px);
    if (!pixel_.has_picture) return at + "the camera has no picture of this frame.";
    if (!pixel_.indicator) return at + "the frame is not analysed.";
    if (pixel_.ignored) return at + "in an ignored region: undecided, whatever is there.";
    const bool inside = in_mask(static_cast<uint8_t>(*pixel_.indicator));
    std::string text = at + (inside ? "in the mask" : "not in the mask");
    if (!pixel_.evidence) return text + ". " + pixel_.no_evidence;
    return text + why(inside) + ".";
  }

  // A pixel counts in full from the Foreground threshold on, and for the mask from half of the vote on.
  std::string mask_begins_text(const PixelEvidence& e) const {
    const std::string at = distance_text(e.mask_begins);
    return gaussian_
               ? at + fmt::format(", halfway between foreground.distance_low {:g} and distance_high {:g}",
                                  parameters_.distance_low, parameters_.distance_high)
               : at;
  }

  // The reason for the decision, after the distance.
  std::string why(bool inside) const {
    const PixelEvidence& e = *pixel_.evidence;
    const std::string from = ", the mask begins at " + distance_text(e.mask_begins);
    if (!e.gaussian) return ": it differs from the scene's mean by " + distance_text(e.distance) + from;
    const PixelEvidence::Gaussian& g = *e.gaussian;
    const bool voted = in_mask(g.before_cleaning);
    if (voted && inside) return ": it differs from the scene by " + distance_text(g.sharpened) + from;
    if (voted)
      return ": it differs by " + distance_text(g.sharpened) + from +
             ", but its surroundings do not, and the cleaning removed it (foreground.opening_px " +
             std::to_string(parameters_.opening_px) + ")";
    if (inside)
      return ": it differs by " + distance_text(g.sharpened) + " only" + from +
             ", but its surroundings do, and the cleaning filled it (foreground.closing_px " +
             std::to_string(parameters_.closing_px) + ")";
    if (e.distance >= e.mask_begins)
      return ": it differs by " + distance_text(e.distance) + from + ", but next to background only " +
             distance_text(g.sharpened) + " of that count (foreground.edge " + share_text(parameters_.edge) +
             ")";
    std::string text = ": it differs from the scene by " + distance_text(e.distance) + " only" + from;
    if (g.light < 0.95)
      text += fmt::format("; the scene with {:.0f} % of its light explains it", 100 * g.light);
    if (g.undecided > 0) text += "; a person in that colour would look the same here (undecided)";
    return text;
  }

  Report pixel() const {
    Report section{"Pixel"};
    section.summary =
        fmt::format("{}, {} of ", pixel_.x_px, pixel_.y_px) + project_.cameras[pixel_.camera].name;
    section.add("frame", "Frame", static_cast<double>(pixel_.frame),
                std::to_string(pixel_.frame) + (pixel_.preview ? ", a preview" : ""));
    section.add("camera", "Camera", project_.cameras[pixel_.camera].name);
    section.add_number("x_px", "Column", pixel_.x_px, {"px", 0});
    section.add_number("y_px", "Row", pixel_.y_px, {"px", 0});
    if (pixel_.floor_m) {
      section.add_number("floor_x_m", "Floor behind it, x", (*pixel_.floor_m)[0], {"m", 2});
      section.add_number("floor_y_m", "Floor behind it, y", (*pixel_.floor_m)[1], {"m", 2});
    }
    return section;
  }

  Report of(const ComponentEvidence& one) const {
    Report section{"Colour " + one.name};
    section.summary = fmt::format("{:.0f}, the model {:.1f}", one.value, one.mean);
    section.add("component", "Component", one.name);
    section.add_number("value", "Value", one.value, {"", 0});
    section.add("mean", gaussian_ ? "Model's mean" : "Mean of the scene's samples", one.mean,
                fmt::format("{:.2f}", one.mean));
    section.add("weight", "Model's weight", one.weight,
                fmt::format("{:.0f}, {}", one.weight, gaussian_ ? "the only model" : "of all samples"));
    if (one.sigma) section.add_number("sigma", "Model's noise", *one.sigma, {"grey levels", 2});
    if (one.low) {
      section.add_number("low", "Scene here from", *one.low, {"", 2});
      section.add_number("high", "Scene here to", *one.high, {"", 2});
    }
    if (one.beyond) section.add_number("beyond", "Beyond that", *one.beyond, {"grey levels", 2, 1, true});
    return section;
  }

  Report foreground() const {
    Report section{"Foreground"};
    section.decides = true;
    section.add("method", "Method", gaussian_ ? "gaussian" : "knn");
    if (pixel_.evidence)
      section.summary = distance_text(pixel_.evidence->distance) + ", the mask begins at " +
                        distance_text(pixel_.evidence->mask_begins);
    if (!pixel_.evidence) section.add_unknown("distance", "Distance", pixel_.no_evidence);
    if (pixel_.evidence) add_evidence(*pixel_.evidence, &section);
    if (pixel_.indicator) {
      section.add("after_cleaning", "After cleaning", static_cast<double>(*pixel_.indicator),
                  level_text(*pixel_.indicator));
      section.add_truth("in_mask", "In the mask", in_mask(static_cast<uint8_t>(*pixel_.indicator)));
    }
    return section;
  }

  void add_evidence(const PixelEvidence& e, Report* to) const {
    if (e.gaussian) add_light(*e.gaussian, to);
    to->add("distance", "Distance", e.distance, distance_text(e.distance));
    if (e.gaussian)
      to->add("sharpened", "Counts, edges sharpened", e.gaussian->sharpened,
              distance_text(e.gaussian->sharpened));
    to->add("mask_begins", "The mask begins at", e.mask_begins, mask_begins_text(e));
    if (e.vote)
      to->add_number("vote", "Vote for foreground", *e.vote, kShare);
    else
      to->add_unknown("vote", "Vote for foreground", "the method does not report it");
    if (!e.gaussian) return;
    to->add_number("undecided", "Undecided: at least", e.gaussian->undecided, kShare);
    to->add("before_cleaning", "Before cleaning", static_cast<double>(e.gaussian->before_cleaning),
            level_text(e.gaussian->before_cleaning));
  }

  static void add_light(const PixelEvidence::Gaussian& g, Report* to) {
    to->add("gain", "Light of the picture", g.gain, share_text(g.gain) + " of the learnt scene's");
    to->add_number("blue", "Gain of blue", g.blue, kShare);
    to->add_number("red", "Gain of red", g.red, kShare);
    to->add("light", "Light here", g.light,
            fmt::format("{:.2f} of the full light; a shadow leaves at least {:.2f}", g.light, g.darkest));
    to->add_number("darkest_shadow", "Darkest shadow", g.darkest, kShare);
    to->add_number("difference", "Brightness difference", g.difference, {"grey levels", 1, 1, true});
    to->add_number("shade", "Counts as shaded", g.shade, kShare);
    to->add_number("luma_distance", "Distance of brightness", g.luma_distance, {"sigma", 2});
    to->add_number("chroma_distance", "Distance of colour", g.chroma_distance, {"sigma", 2});
  }

  Report flow() const {
    Report section{"Optical flow"};
    section.summary = fmt::format("{:+.1f}, {:+.1f} px", pixel_.flow->dx_px, pixel_.flow->dy_px);
    section.add_number("dx_px", "To the right", pixel_.flow->dx_px, {"px", 2, 1, true});
    section.add_number("dy_px", "Down", pixel_.flow->dy_px, {"px", 2, 1, true});
    if (pixel_.flow->confidence)
      section.add_number("confidence", "Confidence", *pixel_.flow->confidence, kShare);
    return section;
  }

  Report height() const {
    const HeightAtPixel& here = *pixel_.height;
    Report section{"Height map"};
    section.summary = here.head ? fmt::format("a head at {:.3f} m", here.height_m) : "no head";
    section.add_truth("head", "A head", here.head);
    if (here.head) section.add_number("height_m", "Height of the label", here.height_m, {"m", 3});
    for (size_t label = 0; label < here.costs.size(); ++label) {
      const bool none = label + 1 == here.costs.size();
      const double height_m = here.lowest_m + static_cast<double>(label) * here.step_m;
      section.add(none ? "cost_no_head" : fmt::format("cost_{:.3f}_m", height_m),
                  none ? "Cost of no head" : fmt::format("Cost of {:.3f} m", height_m), here.costs[label],
                  fmt::format("{:.4f}", here.costs[label]));
    }
    return section;
  }

  static Report of(const BoxAtPixel& box) {
    Report section{box.head ? "Box of a head" : "Box of a person"};
    section.summary = "score " + share_text(box.score);
    section.add("kind", "Box of", box.head ? "a head" : "a person");
    section.add_number("score", "Score", box.score, kShare);
    section.add_number("left_px", "Left", box.left_px, {"px", 1});
    section.add_number("top_px", "Top", box.top_px, {"px", 1});
    section.add_number("width_px", "Width", box.width_px, {"px", 1});
    section.add_number("height_px", "Height", box.height_px, {"px", 1});
    return section;
  }

  Report voxels() const {
    const VoxelsBehindPixel& voxels = *pixel_.voxels;
    const auto carving = project_.parameters.get<CarvingParameters>();
    Report section{"Voxels on its line of sight"};
    section.summary = fmt::format("{} of {} occupied", voxels.occupied, voxels.count);
    section.add_number("count", "Voxels", static_cast<double>(voxels.count), {});
    section.add_number("occupied", "Occupied", static_cast<double>(voxels.occupied), {});
    if (!voxels.voxel) return section;
    const VoxelsBehindPixel::Voxel& voxel = *voxels.voxel;
    section.add_truth("voxel_occupied",
                      voxel.occupied ? "The nearest occupied one" : "That of largest agreement, occupied",
                      voxel.occupied);
    constexpr const char* kAxes[] = {"x", "y", "z"};
    for (size_t axis = 0; axis < 3; ++axis)
      section.add_number(std::string("voxel_") + kAxes[axis] + "_m", std::string("Its ") + kAxes[axis],
                         voxel.center_in_world_m[axis], {"m", 3});
    section.add_number("voxel_distance_m", "Distance from the camera", voxel.distance_m, {"m", 2});
    section.add("voxel_confidence", "Agreement", voxel.confidence,
                fmt::format("{:.3f}, occupied from {:.2f} on (carving.threshold)", voxel.confidence,
                            carving.threshold));
    section.add("voxel_seeing", "Cameras that see it", static_cast<double>(voxel.seeing),
                fmt::format("{}, needed {} (carving.min_cameras)", voxel.seeing,
                            std::min(carving.min_cameras, static_cast<int>(voxel.votes.size()))));
    for (size_t c = 0; c < voxel.votes.size() && c < project_.cameras.size(); ++c) {
      const std::string key = "vote_" + project_.cameras[c].name,
                        label = "Vote of " + project_.cameras[c].name;
      if (voxel.votes[c])
        section.add_number(key, label, *voxel.votes[c], kShare);
      else
        section.add_unknown(key, label, "does not see it");
    }
    return section;
  }

  const WhyPixel& pixel_;
  const Project& project_;
  const ForegroundParameters parameters_;
  const bool gaussian_;
};

}  // namespace

Report describe(const WhyPixel& pixel, const Project& project) {
  return PixelAnswer(pixel, project).make();
}

}  // namespace vantage
