#include "core/foreground/foreground.h"

namespace vantage {

template <>
const ParameterTable& parameter_table<ForegroundParameters>() {
  using P = ForegroundParameters;
  static const ParameterTable table = ParameterTable::make<P>(
      "foreground", "Foreground",
      {real<&P::distance_low>({.name = "distance_low",
                               .display_name = "Surely background",
                               .unit = "sigma",
                               .help = "Up to this distance from the empty scene a pixel's vote is 0",
                               .minimum = 0.0,
                               .maximum = 50.0,
                               .level = ParameterLevel::expert}),
       real<&P::distance_high>(
           {.name = "distance_high",
            .display_name = "Surely foreground",
            .unit = "sigma",
            .help = "From this distance on its vote is 1; halfway between the two the mask begins",
            .minimum = 0.1,
            .maximum = 100.0}),
       real<&P::chroma_weight>(
           {.name = "chroma_weight",
            .display_name = "Weight of colour",
            .unit = "",
            .help = "How much colour counts beside brightness; more sees through soft shadows less",
            .minimum = 0.0,
            .maximum = 20.0,
            .level = ParameterLevel::expert}),
       real<&P::min_sigma>(
           {.name = "min_sigma",
            .display_name = "Least noise",
            .unit = "grey levels",
            .help = "No pixel counts as steadier than this; raise it when noise or compression flickers",
            .minimum = 0.5,
            .maximum = 50.0,
            .level = ParameterLevel::expert,
            .scale = ParameterScale::logarithmic}),
       real<&P::darkest_shadow>(
           {.name = "darkest_shadow",
            .display_name = "Darkest shadow",
            .unit = "share",
            .help = "Share of the light that shadows leave; lower accepts darker ones, 1 knows no shadows",
            .minimum = 0.1,
            .maximum = 1.0}),
       real<&P::largest_change>(
           {.name = "largest_change",
            .display_name = "Largest change of light",
            .unit = "factor",
            .help = "The whole picture may become this much brighter or darker at once; 1 follows no change",
            .minimum = 1.0,
            .maximum = 4.0,
            .level = ParameterLevel::expert}),
       real<&P::displacement>(
           {.name = "displacement",
            .display_name = "Displacement",
            .unit = "px",
            .help = "How far the scene's edges may sway or be blurred; more sees less before rough ground",
            .minimum = 0.0,
            .maximum = 1.0,
            .level = ParameterLevel::expert}),
       real<&P::edge>(
           {.name = "edge",
            .display_name = "Sharpen edges",
            .unit = "share",
            .help = "Beside background, share of the strongest difference near by that counts; 0: off",
            .minimum = 0.0,
            .maximum = 0.9,
            .level = ParameterLevel::expert}),
       integer<&P::opening>(
           {.name = "opening",
            .display_name = "Remove specks",
            .unit = "px",
            .help = "Foreground no wider than twice this is removed, thin limbs too; 0 keeps all",
            .minimum = 0,
            .maximum = kMaxCleaningRadius}),
       integer<&P::closing>({.name = "closing",
                             .display_name = "Fill holes",
                             .unit = "px",
                             .help = "Holes and gaps no wider than twice this are filled; 0 fills none",
                             .minimum = 0,
                             .maximum = kMaxCleaningRadius,
                             .level = ParameterLevel::expert}),
       real<&P::learning_rate>(
           {.name = "learning_rate",
            .display_name = "Learning rate",
            .unit = "per frame",
            .help = "Share of a background pixel's new value taken over each frame; 0 freezes the model",
            .minimum = 0.0,
            .maximum = 0.2,
            .level = ParameterLevel::expert}),
       real<&P::absorption_rate>(
           {.name = "absorption_rate",
            .display_name = "Absorption of what stands still",
            .unit = "per frame",
            .help = "Share of a foreground pixel's new value taken over each frame; 0 absorbs nothing",
            .minimum = 0.0,
            .maximum = 0.05,
            .level = ParameterLevel::expert}),
       integer<&P::learning_frames>(
           {.name = "learning_frames",
            .display_name = "Learning frames",
            .unit = "frames",
            .help = "Without an empty-scene clip: frames from the start that are learnt as empty",
            .minimum = 1,
            .maximum = 1000,
            .level = ParameterLevel::expert,
            .resets_state = true})});
  return table;
}

}  // namespace vantage
