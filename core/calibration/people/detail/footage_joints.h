// Cameras from nothing once more, by people's joints: each is a point of the scene that cameras show at the
// same instant. Limbs are of constant length, and joints of the body's axis keep their heights above the
// floor. Far more exact than boxes, from cameras that are placed already.
#pragma once

#include "core/calibration/people/detail/footage_adjustment.h"

namespace vantage::footage_detail {

// Every placed camera shows enough joints of people.
bool shows_joints(const FootageProblem& problem);

// After an adjustment by joints, how much more likely those that `camera` shows are if each person's tracks
// are the same one's than if they have nothing to do with each other (logarithm).
Result<double> likelihood_by_joints(size_t camera, FootageProblem* problem,
                                    std::vector<FootagePerson>* people, const AdjustmentOptions& options,
                                    const StopSource& stop);

// As adjust_footage(). A joint's deviations in pictures are those of its residuals. AdjustmentOutcome::marks:
// people whose joints another camera shows at the same instant.
Result<AdjustmentOutcome> adjust_by_joints(FootageProblem* problem, std::vector<FootagePerson>* people,
                                           const AdjustmentOptions& options, const StopSource& stop);

}  // namespace vantage::footage_detail
