// Compares a chain's foreground masks with those drawn by hand.
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
  int64_t frame = 0;  // the base camera's
  std::string camera;
  MaskOverlap overlap;
};

// The mean over masks, with equal weights; nothing: there are none.
std::optional<double> mean_iou(const std::vector<MaskScore>& scores);
// Its confidence interval; steps are the annotated frames.
FigureInterval iou_interval(const std::vector<MaskScore>& scores, const BootstrapOptions& options = {});
std::map<std::string, double> iou_by_camera(const std::vector<MaskScore>& scores);
// The frames' means, worst first.
std::vector<std::pair<int64_t, double>> worst_frames(const std::vector<MaskScore>& scores);

// Compares a frame's drawn masks; empty where nothing was drawn in it, or the chain has no mask of that
// camera. Errors: bad_data where a drawn mask has another size than the picture; those of reading it.
Result<std::vector<MaskScore>> score_frame(const FrameResult& result,
                                           const std::vector<ProjectCamera>& cameras,
                                           const DrawnMasks& drawn);
// Compares every annotated frame, with the result of an analysis from the recording's first frame; runs only
// the foreground. Frames beyond the recording's end are skipped. Errors: those of Pipeline::frame() and
// score_frame().
Result<std::vector<MaskScore>> score_masks(Analysis& analysis, const std::vector<ProjectCamera>& cameras,
                                           const DrawnMasks& drawn,
                                           const std::function<void(size_t done, size_t all)>& progress,
                                           const StopSource& stop);
// Opens the project and compares its masks.
Result<std::vector<MaskScore>> score_project_masks(
    const Project& project, const DeviceBackends& backends, const DrawnMasks& drawn,
    const std::function<void(size_t done, size_t all)>& progress, const StopSource& stop);
// Compares the masks that two folders have in common. Errors: those of find_masks() and reading; bad_data
// where two differ in size; not_found where they have none in common.
Result<std::vector<MaskScore>> score_mask_files(const std::filesystem::path& drawn,
                                                const std::filesystem::path& given);

// Carries masks drawn by hand to another frame by the optical flow of the pictures between.

// Carries frame by frame, on the CPU, with the project's parameters of the flow. `to` may precede `from`. A
// camera without a picture in one of the frames is left out. Errors: those of opening and reading the
// recording, end_of_stream beyond its end; invalid_argument where a mask has another size than the picture;
// cancelled.
Result<std::map<std::string, Image>> carry_masks(const Project& project, const BackendRegistry& registry,
                                                 const std::map<std::string, Image>& masks, int64_t from,
                                                 int64_t to, const StopSource& stop);

}  // namespace vantage
