// Changes of a camera's calibration over time.
#pragma once

#include "core/project/project.h"

namespace vantage {

// Both have the same lens: intrinsics, model and coefficients.
bool same_lens(const Camera& a, const Camera& b);

// The project with each camera's calibration at that frame set, and no later calibrations.
Project project_at(const Project& project, int64_t frame);

// Number of Project::calibration_changes() up to a frame set: the index of its span.
size_t calibration_span(const Project& project, int64_t frame);

// Replaces the calibration from the beginning. Later ones keep their pose relative to it, and take its lens
// if they had the former one's: a better solution of a camera also holds after a bump. Later ones for
// pictures of another size are removed.
void replace_calibration(ProjectCamera* camera, const Camera& now);

// Replaces the calibration that applies at that frame set.
void replace_calibration_at(ProjectCamera* camera, int64_t frame, const Camera& now);

// Adds a calibration from that frame set on, and replaces one from the same frame. The camera is calibrated
// and `frame` above 0.
void add_later_calibration(ProjectCamera* camera, int64_t frame, const Camera& now);

}  // namespace vantage
