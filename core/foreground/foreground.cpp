#include "core/foreground/methods.h"

namespace vantage {

template <>
const ParameterTable& parameter_table<ForegroundParameters>() {
  using P = ForegroundParameters;
  using enum ParameterOption;
  static const ParameterTable table = ParameterTable::make<P>(
      "foreground", "Foreground",
      {
          choice<&P::method>(
              "Method", foreground_method_names(),
              "How the empty scene is modelled: gaussian, a running mean and variance of each pixel; knn, "
              "OpenCV's samples of each pixel, on the CPU.",
              expert, relearns, added),
          real<&P::distance_low>("Background threshold", "sigma", 0, 50,
                                 "A pixel that differs from the empty scene by no more than this votes 0.",
                                 expert),
          real<&P::distance_high>("Foreground threshold", "sigma", 0.1, 100,
                                  "A pixel that differs by this or more votes 1; the mask begins halfway "
                                  "between the two thresholds."),
          real<&P::chroma_weight>(
              "Colour weight", "", 0, 20,
              "Weight of colour against brightness; with more, soft shadows become foreground more often.",
              expert),
          real<&P::min_sigma>(
              "Minimum noise", "grey levels", 0.5, 50,
              "No pixel counts as steadier than this; raise it when noise or compression flickers.", expert,
              logarithmic),
          real<&P::darkest_shadow>(
              "Darkest shadow", "share", 0.1, 1,
              "Share of the light that a shadow leaves; lower accepts darker shadows, 1 accepts none."),
          real<&P::shaded_chroma_weight>(
              "Colour weight in shade", "", 0, 200,
              "More finds clothes that look like shaded ground, but coloured shadows too; 0: off.", expert),
          real<&P::shade_blue>("Blueness of shadows", "per grey level", -0.3, 0.3,
                               "Cb that a shadow adds for each grey level of brightness that it takes.",
                               expert),
          real<&P::shade_red>("Redness of shadows", "per grey level", -0.3, 0.3,
                              "Cr that a shadow adds for each grey level of brightness that it takes.",
                              expert),
          real<&P::largest_change>("Maximum change of light", "factor", 1, 4,
                                   "The whole picture, or its blue or red, may become this much brighter or "
                                   "darker at once; 1 follows no change.",
                                   expert),
          real<&P::displacement_px>(
              "Displacement", "px", 0, 1,
              "How far the scene's edges may sway or blur; more finds less in front of rough ground.",
              expert),
          real<&P::edge>("Edge sharpening", "share", 0, 0.9,
                         "Next to background a pixel counts only from this share of the largest difference "
                         "nearby on; 0: off.",
                         expert),
          real<&P::undecided>("Undecided", "share", 0, 0.49,
                              "Indicator where people could look like the scene: in shade, and on dark "
                              "surfaces. Half of the cameras then have to be sure of a person, and the "
                              "search for people leaves such pixels out; 0: they count as empty.",
                              expert),
          integer<&P::opening_px>(
              "Remove specks", "px", 0, kMaxCleaningRadius,
              "Foreground no wider than twice this is removed, thin limbs too; 0 removes nothing."),
          integer<&P::closing_px>("Fill holes", "px", 0, kMaxCleaningRadius,
                                  "Holes and gaps no wider than twice this are filled; 0 fills nothing.",
                                  expert),
          real<&P::learning_rate>(
              "Learning rate", "per frame", 0, 0.2,
              "Share of a background pixel's new value that the model takes in each frame; 0 freezes it.",
              expert),
          real<&P::absorption_rate>("Absorption rate", "per frame", 0, 0.05,
                                    "Share of a foreground pixel's new value that the model takes in each "
                                    "frame, so that what stands still becomes background; 0: never.",
                                    expert),
          choice<&P::steady>(
              "Shaking cameras", {"off", "automatic", "on"},
              "Pictures of a camera that shakes by a few pixels are brought back to rest before masks are "
              "made; automatic: where pictures of the empty scene or of the recording show that it shakes.",
              expert, relearns, added),
          boolean<&P::whole_recording>(
              "Scene from the whole recording",
              "Without an empty-scene clip: learn the scene from all of the recording, not from its start. "
              "With "
              "one: what was put there or taken away since then is part of the scene.",
              expert, relearns),
          integer<&P::learning_frames>(
              "Learning frames", "frames", 0, 1000,
              "Live, or where the whole recording is not used: frames at the start that are learnt as empty.",
              expert, relearns),
      });
  return table;
}

}  // namespace vantage
