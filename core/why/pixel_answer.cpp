// What is known of a pixel, as sections of values.
#include <algorithm>
#include <cmath>

#include "core/base/formatted.h"
#include "core/carving/carving.h"
#include "core/foreground/foreground.h"
#include "core/people/mask_samples.h"
#include "core/why/why_pixel.h"

namespace vantage {
namespace {

std::string share_text(double share) {
  return formatted("%.2f", share);
}

std::string level_text(int level) {
  return formatted("%d of 255%s", level,
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

  WhyAnswer make() const {
    WhyAnswer answer;
    answer.verdict = verdict();
    answer.sections.push_back(pixel());
    if (pixel_.evidence)
      for (const ComponentEvidence& one : pixel_.evidence->components) answer.sections.push_back(of(one));
    answer.sections.push_back(foreground());
    if (pixel_.flow) answer.sections.push_back(flow());
    if (pixel_.height) answer.sections.push_back(height());
    for (const BoxAtPixel& box : pixel_.boxes) answer.sections.push_back(of(box));
    if (pixel_.voxels) answer.sections.push_back(voxels());
    return answer;
  }

 private:
  std::string distance_text(double distance) const {
    return formatted(gaussian_ ? "%.2f sigma" : "%.1f grey levels", distance);
  }

  std::string verdict() const {
    const std::string at = (pixel_.preview ? "Preview. " : "") + project_.cameras[pixel_.camera].name +
                           formatted(", pixel %d, %d: ", pixel_.x_px, pixel_.y_px);
    if (!pixel_.has_picture) return at + "the camera has no picture of this frame.";
    if (!pixel_.indicator) return at + "the frame is not analysed.";
    const bool inside = in_mask(static_cast<uint8_t>(*pixel_.indicator));
    std::string text = at + (inside ? "in the mask" : "not in the mask");
    if (!pixel_.evidence) return text + ". " + pixel_.no_evidence;
    return text + why(inside) + ".";
  }

  // What decided, from the distance on.
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
    if (g.light < 0.95) text += formatted("; the scene with %.0f %% of its light explains it", 100 * g.light);
    if (g.undecided > 0) text += "; a person in that colour would look the same here (undecided)";
    return text;
  }

  WhySection pixel() const {
    WhySection section{"pixel", "Pixel", {}};
    section.summary =
        formatted("%d, %d of ", pixel_.x_px, pixel_.y_px) + project_.cameras[pixel_.camera].name;
    section.add("frame", "Frame", static_cast<double>(pixel_.frame),
                std::to_string(pixel_.frame) + (pixel_.preview ? ", a preview" : ""));
    section.add("camera", "Camera", project_.cameras[pixel_.camera].name);
    section.add("x_px", "Column", pixel_.x_px, formatted("%d px", pixel_.x_px));
    section.add("y_px", "Row", pixel_.y_px, formatted("%d px", pixel_.y_px));
    if (pixel_.floor_m) {
      section.add("floor_x_m", "Floor behind it, x", (*pixel_.floor_m)[0],
                  formatted("%.2f m", (*pixel_.floor_m)[0]));
      section.add("floor_y_m", "Floor behind it, y", (*pixel_.floor_m)[1],
                  formatted("%.2f m", (*pixel_.floor_m)[1]));
    }
    return section;
  }

  WhySection of(const ComponentEvidence& one) const {
    WhySection section{"colour", "Colour " + one.name, {}, true};
    section.summary = formatted("%.0f, the model %.1f", one.value, one.mean);
    section.add("component", "Component", one.name);
    section.add("value", "Value", one.value, formatted("%.0f", one.value));
    section.add("mean", gaussian_ ? "Model's mean" : "Mean of the scene's samples", one.mean,
                formatted("%.2f", one.mean));
    section.add("weight", "Model's weight", one.weight,
                formatted(gaussian_ ? "%.0f, the only model" : "%.0f, of all samples", one.weight));
    if (one.sigma)
      section.add("sigma", "Model's noise", *one.sigma, formatted("%.2f grey levels", *one.sigma));
    if (one.low) {
      section.add("low", "Scene here from", *one.low, formatted("%.2f", *one.low));
      section.add("high", "Scene here to", *one.high, formatted("%.2f", *one.high));
    }
    if (one.beyond)
      section.add("beyond", "Beyond that", *one.beyond, formatted("%+.2f grey levels", *one.beyond));
    return section;
  }

  WhySection foreground() const {
    WhySection section{"foreground", "Foreground", {}};
    section.decides = true;
    section.add("method", "Method", gaussian_ ? "gaussian" : "knn");
    if (pixel_.evidence)
      section.summary = distance_text(pixel_.evidence->distance) + ", the mask begins at " +
                        distance_text(pixel_.evidence->mask_begins);
    if (!pixel_.evidence) section.add_unknown("distance", "Distance", pixel_.no_evidence);
    if (pixel_.evidence) add_evidence(*pixel_.evidence, &section);
    if (pixel_.indicator) {
      section.add("after_cleaning", "After cleaning", *pixel_.indicator, level_text(*pixel_.indicator));
      section.add_truth("in_mask", "In the mask", in_mask(static_cast<uint8_t>(*pixel_.indicator)));
    }
    return section;
  }

  void add_evidence(const PixelEvidence& e, WhySection* to) const {
    if (e.gaussian) add_light(*e.gaussian, to);
    to->add("distance", "Distance", e.distance, distance_text(e.distance));
    if (e.gaussian)
      to->add("sharpened", "Counts, edges sharpened", e.gaussian->sharpened,
              distance_text(e.gaussian->sharpened));
    to->add("mask_begins", "The mask begins at", e.mask_begins, distance_text(e.mask_begins));
    if (e.vote)
      to->add("vote", "Vote for foreground", *e.vote, share_text(*e.vote));
    else
      to->add_unknown("vote", "Vote for foreground", "the method does not report it");
    if (!e.gaussian) return;
    to->add("undecided", "Undecided: at least", e.gaussian->undecided, share_text(e.gaussian->undecided));
    to->add("before_cleaning", "Before cleaning", e.gaussian->before_cleaning,
            level_text(e.gaussian->before_cleaning));
  }

  static void add_light(const PixelEvidence::Gaussian& g, WhySection* to) {
    to->add("gain", "Light of the picture", g.gain, share_text(g.gain) + " of the learnt scene's");
    to->add("blue", "Gain of blue", g.blue, share_text(g.blue));
    to->add("red", "Gain of red", g.red, share_text(g.red));
    to->add("light", "Light here", g.light,
            formatted("%.2f of the full light; a shadow leaves at least %.2f", g.light, g.darkest));
    to->add("darkest_shadow", "Darkest shadow", g.darkest, share_text(g.darkest));
    to->add("difference", "Brightness difference", g.difference,
            formatted("%+.1f grey levels", g.difference));
    to->add("shade", "Counts as shaded", g.shade, share_text(g.shade));
    to->add("luma_distance", "Distance of brightness", g.luma_distance,
            formatted("%.2f sigma", g.luma_distance));
    to->add("chroma_distance", "Distance of colour", g.chroma_distance,
            formatted("%.2f sigma", g.chroma_distance));
  }

  WhySection flow() const {
    WhySection section{"flow", "Optical flow", {}};
    section.summary = formatted("%+.1f, %+.1f px", pixel_.flow->dx_px, pixel_.flow->dy_px);
    section.add("dx_px", "To the right", pixel_.flow->dx_px, formatted("%+.2f px", pixel_.flow->dx_px));
    section.add("dy_px", "Down", pixel_.flow->dy_px, formatted("%+.2f px", pixel_.flow->dy_px));
    if (pixel_.flow->confidence)
      section.add("confidence", "Confidence", *pixel_.flow->confidence, share_text(*pixel_.flow->confidence));
    return section;
  }

  WhySection height() const {
    const HeightAtPixel& here = *pixel_.height;
    WhySection section{"height", "Height map", {}};
    section.summary = here.head ? formatted("a head at %.3f m", here.height_m) : "no head";
    section.add_truth("head", "A head", here.head);
    if (here.head)
      section.add("height_m", "Height of the label", here.height_m, formatted("%.3f m", here.height_m));
    for (size_t label = 0; label < here.costs.size(); ++label) {
      const bool none = label + 1 == here.costs.size();
      const double height_m = here.lowest_m + static_cast<double>(label) * here.step_m;
      section.add(none ? "cost_no_head" : formatted("cost_%.3f_m", height_m),
                  none ? "Cost of no head" : formatted("Cost of %.3f m", height_m), here.costs[label],
                  formatted("%.4f", here.costs[label]));
    }
    return section;
  }

  static WhySection of(const BoxAtPixel& box) {
    WhySection section{"boxes", box.head ? "Box of a head" : "Box of a person", {}, true};
    section.summary = "score " + share_text(box.score);
    section.add("kind", "Box of", box.head ? "a head" : "a person");
    section.add("score", "Score", box.score, share_text(box.score));
    section.add("left_px", "Left", box.left_px, formatted("%.1f px", box.left_px));
    section.add("top_px", "Top", box.top_px, formatted("%.1f px", box.top_px));
    section.add("width_px", "Width", box.width_px, formatted("%.1f px", box.width_px));
    section.add("height_px", "Height", box.height_px, formatted("%.1f px", box.height_px));
    return section;
  }

  WhySection voxels() const {
    const VoxelsBehindPixel& voxels = *pixel_.voxels;
    const auto carving = project_.parameters.get<CarvingParameters>();
    WhySection section{"voxels", "Voxels on its line of sight", {}};
    section.summary = formatted("%lld of %lld occupied", static_cast<long long>(voxels.occupied),
                                static_cast<long long>(voxels.count));
    section.add("count", "Voxels", static_cast<double>(voxels.count), std::to_string(voxels.count));
    section.add("occupied", "Occupied", static_cast<double>(voxels.occupied),
                std::to_string(voxels.occupied));
    if (!voxels.voxel) return section;
    const VoxelsBehindPixel::Voxel& voxel = *voxels.voxel;
    section.add_truth("voxel_occupied",
                      voxel.occupied ? "The nearest occupied one" : "That of largest agreement, occupied",
                      voxel.occupied);
    constexpr const char* kAxes[] = {"x", "y", "z"};
    for (size_t axis = 0; axis < 3; ++axis)
      section.add(std::string("voxel_") + kAxes[axis] + "_m", std::string("Its ") + kAxes[axis],
                  voxel.center_in_world_m[axis], formatted("%.3f m", voxel.center_in_world_m[axis]));
    section.add("voxel_distance_m", "Distance from the camera", voxel.distance_m,
                formatted("%.2f m", voxel.distance_m));
    section.add(
        "voxel_confidence", "Agreement", voxel.confidence,
        formatted("%.3f, occupied from %.2f on (carving.threshold)", voxel.confidence, carving.threshold));
    section.add("voxel_seeing", "Cameras that see it", voxel.seeing,
                formatted("%d, needed %d (carving.min_cameras)", voxel.seeing,
                          std::min(carving.min_cameras, static_cast<int>(voxel.votes.size()))));
    for (size_t c = 0; c < voxel.votes.size() && c < project_.cameras.size(); ++c) {
      const std::string key = "vote_" + project_.cameras[c].name,
                        label = "Vote of " + project_.cameras[c].name;
      if (voxel.votes[c])
        section.add(key, label, *voxel.votes[c], share_text(*voxel.votes[c]));
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

WhyAnswer describe(const WhyPixel& pixel, const Project& project) {
  return PixelAnswer(pixel, project).make();
}

}  // namespace vantage
