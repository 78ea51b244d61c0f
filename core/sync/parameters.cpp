#include "core/sync/sync.h"

namespace vantage {

template <>
const ParameterTable& parameter_table<SyncParameters>() {
  static const ParameterTable table = ParameterTable::make<SyncParameters>(
      "sync", "Synchronisation",
      {choice<&SyncParameters::method>({.name = "method",
                                        .display_name = "Method",
                                        .unit = "",
                                        .help = "Normalised line signals, or the likelihood as published",
                                        .choices = {"normalised", "published"},
                                        .level = ParameterLevel::expert}),
       integer<&SyncParameters::lines>({.name = "lines",
                                        .display_name = "Lines",
                                        .unit = "",
                                        .help = "Epipolar lines compared for each pair of cameras",
                                        .minimum = 4,
                                        .maximum = 256,
                                        .level = ParameterLevel::expert}),
       integer<&SyncParameters::max_offset>(
           {.name = "max_offset",
            .display_name = "Largest offset",
            .unit = "frames",
            .help = "Offsets looked at, each way from where the search starts",
            .minimum = 5,
            .maximum = 2000}),
       real<&SyncParameters::least_confidence>({.name = "least_confidence",
                                                .display_name = "Least confidence",
                                                .unit = "",
                                                .help = "Below it no offset is given",
                                                .minimum = 0.5,
                                                .maximum = 0.9999}),
       real<&SyncParameters::trend_s>({.name = "trend_s",
                                       .display_name = "Trend",
                                       .unit = "s",
                                       .help = "Changes of a line's signal slower than this do not count",
                                       .minimum = 0.2,
                                       .maximum = 60,
                                       .level = ParameterLevel::expert}),
       real<&SyncParameters::presence>(
           {.name = "presence",
            .display_name = "Presence",
            .unit = "points",
            .help = "Foreground points of a line that count as half a presence; 0: as they are",
            .minimum = 0,
            .maximum = 512,
            .level = ParameterLevel::expert}),
       integer<&SyncParameters::window>({.name = "window",
                                         .display_name = "Window",
                                         .unit = "frames",
                                         .help = "Published method: frames compared at once",
                                         .minimum = 10,
                                         .maximum = 5000,
                                         .level = ParameterLevel::expert}),
       real<&SyncParameters::sigma>({.name = "sigma",
                                     .display_name = "Sigma",
                                     .unit = "points",
                                     .help = "Published method: expected difference of two twin lines",
                                     .minimum = 0.01,
                                     .maximum = 512,
                                     .level = ParameterLevel::expert}),
       boolean<&SyncParameters::adaptive_prior>(
           {.name = "adaptive_prior",
            .display_name = "Adaptive prior",
            .unit = "",
            .help = "Published method: each window starts from what the window before found",
            .level = ParameterLevel::expert})});
  return table;
}

}  // namespace vantage
