// The sweeps that the window keeps next to a project, in NAME.sweep: a folder each (core/run/sweep_folder.h),
// named by what was swept, so that the same sweep continues where it was stopped.
#pragma once

#include <filesystem>
#include <map>
#include <optional>

#include "core/base/json.h"
#include "core/run/sweep_project.h"

namespace vantage {

inline constexpr size_t kMaxKeptSweeps = 20;  // older ones go

std::filesystem::path kept_sweeps_folder(const Project& project);
// The folder of that plan, within NAME.sweep.
std::filesystem::path kept_sweep_folder(const Project& project, const nlohmann::ordered_json& plan);
// All but the newest.
void drop_old_sweeps(const Project& project);

struct KeptSweep {
  SweepRequest request;  // without ground truth and masks
  std::map<size_t, SweepPoint> measured;
  // The project's parameters, but for the swept ones, were others then, or the ground truth was.
  bool outdated = false;
};
// The one that was written last; nothing: there is none that this version understands. `truth`, `masks`:
// those of the present.
std::optional<KeptSweep> last_kept_sweep(const Project& project, const GroundTruth& truth,
                                         const DrawnMasks& masks);

}  // namespace vantage
