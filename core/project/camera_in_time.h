// Changes of a camera's calibrations in time.
#pragma once

#include "core/project/project.h"

namespace vantage {

// Whether both have the same lens: intrinsics, model and coefficients.
bool same_lens(const Camera& a, const Camera& b);

// The project with each camera calibrated as it stands at that frame set, and no later calibrations.
Project project_at(const Project& project, int64_t frame);

// How many of Project::calibration_changes() there are up to a frame set: the span that it lies in.
size_t calibration_span(const Project& project, int64_t frame);

// Another calibration from the beginning. Later ones keep how they stand to it, and its lens where they had
// the former one's: anyone who solves a camera better has solved it better for the time after a bump, too.
// For pictures of another size they go.
void replace_calibration(ProjectCamera* camera, const Camera& now);

// Another calibration in place of the one that holds at that frame set.
void replace_calibration_at(ProjectCamera* camera, int64_t frame, const Camera& now);

// Adds one from that frame set on; one from the same frame on goes. The camera is calibrated and `frame`
// above 0.
void add_later_calibration(ProjectCamera* camera, int64_t frame, const Camera& now);

}  // namespace vantage
