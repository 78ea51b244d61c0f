// How well a chain's foreground masks fit those that were drawn by hand.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/threads.h"
#include "core/image/backend/registry.h"
#include "core/image/picture.h"
#include "core/metrics/block_bootstrap.h"
#include "core/metrics/masks/masks.h"
#include "core/project/project.h"
#include "core/results/drawn_masks.h"
#include "core/run/analysis.h"

namespace vantage {

// Score of one drawn mask.
struct MaskScore {
  int64_t frame = 0;  // of the base camera
  std::string camera;
  MaskOverlap overlap;
};

// The mean over masks, each alike, however large; nothing: there are none.
std::optional<double> mean_iou(const std::vector<MaskScore>& scores);
// Its interval; steps are the drawn frames.
FigureInterval iou_interval(const std::vector<MaskScore>& scores, const BootstrapOptions& options = {});
std::map<std::string, double> iou_by_camera(const std::vector<MaskScore>& scores);
// The frames' means, the worst first.
std::vector<std::pair<int64_t, double>> worst_frames(const std::vector<MaskScore>& scores);

// A frame's drawn masks; none where nothing was drawn in it, or the chain has no mask of that camera. Errors:
// bad_data where a drawn mask has another size than the picture; those of reading it.
Result<std::vector<MaskScore>> score_frame(const FrameResult& result,
                                           const std::vector<ProjectCamera>& cameras,
                                           const DrawnMasks& drawn);
// Every drawn frame, exactly as an analysis from the recording's first frame makes it; only the foreground
// runs. Frames behind the recording's end are left out. Errors: those of Pipeline::frame() and score_frame().
Result<std::vector<MaskScore>> score_masks(Analysis& analysis, const std::vector<ProjectCamera>& cameras,
                                           const DrawnMasks& drawn,
                                           const std::function<void(size_t done, size_t all)>& progress,
                                           const StopSource& stop);
// The same of a project, opened for it.
Result<std::vector<MaskScore>> score_project_masks(
    const Project& project, const DeviceBackends& backends, const DrawnMasks& drawn,
    const std::function<void(size_t done, size_t all)>& progress, const StopSource& stop);
// Masks of two folders, wherever both have one. Errors: those of find_masks() and reading; bad_data where two
// differ in size; not_found where they have none in common.
Result<std::vector<MaskScore>> score_mask_files(const std::filesystem::path& drawn,
                                                const std::filesystem::path& given);

// Masks drawn by hand, carried to another frame by the optical flow of the pictures between.

// Step by step from frame to frame, by the CPU, with the project's parameters of the flow. `to` may lie
// before `from`. A camera that has no picture in one of the frames is left out. Errors: those of opening and
// reading the recording, end_of_stream behind its end; invalid_argument where a mask has another size than
// the picture; cancelled.
Result<std::map<std::string, Image>> carry_masks(const Project& project, const BackendRegistry& registry,
                                                 const std::map<std::string, Image>& masks, int64_t from,
                                                 int64_t to, const StopSource& stop);

}  // namespace vantage
