#include "core/sync/sync.h"

namespace vantage {

template <>
const ParameterTable& parameter_table<SyncParameters>() {
  using P = SyncParameters;
  using enum ParameterOption;
  static const ParameterTable table = ParameterTable::make<P>(
      "sync", "Synchronisation",
      {
          choice<&P::method>("Method", {"normalised", "published"},
                             "Normalised line signals, or the likelihood as published.", expert),
          integer<&P::lines>("Lines", "", 4, 256, "Epipolar lines compared for each pair of cameras.",
                             expert),
          integer<&P::max_offset_frames>("Maximum offset", "frames", 5, 2000,
                                         "Offsets that are tried, each way from where the search starts."),
          real<&P::min_confidence>("Minimum confidence", "", 0.5, 0.9999, "Below it no offset is given."),
          real<&P::trend_s>("Trend", "s", 0.2, 60,
                            "Normalised method: changes of a line's signal slower than this do not count.",
                            expert),
          real<&P::presence>("Presence", "points", 0, 512,
                             "Normalised method: foreground points of a line that count as half a presence; "
                             "0: the points themselves count.",
                             expert),
          integer<&P::window_frames>("Window", "frames", 10, 5000,
                                     "Published method: frames compared at once.", expert),
          real<&P::sigma>("Sigma", "points", 0.01, 512,
                          "Published method: expected difference of two corresponding lines.", expert),
          boolean<&P::adaptive_prior>(
              "Adaptive prior", "Published method: each window starts from what the window before found.",
              expert),
      });
  return table;
}

}  // namespace vantage
