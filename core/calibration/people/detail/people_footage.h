// The people of footage, and each camera's outlines of them, by which any number of cameras is placed.
#pragma once

#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/calibration/people/detail/tangents.h"
#include "core/calibration/people/people_solve.h"
#include "core/fusion/fusion.h"
#include "core/geometry/camera.h"

namespace vantage::people_calibration_detail {

// Maximum distance of a person's outline from the predicted box, in shares of the height, once poses are
// about right.
inline constexpr double kReach = 0.2;
// Half a step on the floor: people at the same position count once.
inline constexpr double kPlace_m = 0.25;

struct FoundPerson {
  double x_m = 0, y_m = 0, height_m = 0;
};
using FoundPeople = std::vector<std::vector<FoundPerson>>;  // by frame

// Position of a box: its middle across, its top, its height.
struct BoxPlace {
  double middle_px = 0, top_px = 0, height_px = 0;
};
BoxPlace place_of(const PersonDetection& box);

// bad_data: fewer than kMinOutlines.
Status too_few_outlines(const Camera& camera, int64_t outlines);

// Frames in which two cameras or more show a person, at most kMaxPeopleFrames, evenly. Idempotent.
std::vector<const PeopleFrame*> frames_that_count(const std::vector<const PeopleFrame*>& frames);

class PeopleFootage {
 public:
  // Takes frames_that_count().
  explicit PeopleFootage(const PeopleSolveInput& input);

  const std::vector<const PeopleFrame*>& frames() const { return frames_; }
  // Computes outlines' rays by these cameras' lenses; with slopes if they are to be solved.
  void see_by(const std::vector<Camera>& cameras, bool slopes);
  // The outline by rays; nothing where it has none (a detector's box), or where the lens shows no ray there.
  const std::optional<BodyOutline>& body(size_t frame, size_t camera, size_t number) const {
    return bodies_[frame][camera][number];
  }

  // People in every frame by these cameras; those that are not `known` do not count. Errors: cancelled.
  Result<FoundPeople> find_people(const std::vector<Camera>& cameras, const std::vector<bool>& known,
                                  const StopSource& stop) const;

  // The box to expect of the person; nothing if the camera does not show it.
  static std::optional<BoxPlace> expected(const Camera& camera, const FoundPerson& person);

  // Assigns the camera's outlines to people of a frame, one to one, nearest in all: for each person the
  // outline's number, -1 for none within `reach` heights of the expected position.
  std::vector<int> assign(size_t frame, size_t number, const Camera& camera,
                          const std::vector<FoundPerson>& people, double reach) const;

 private:
  const PeopleSolveInput& input_;
  std::vector<const PeopleFrame*> frames_;
  std::vector<std::vector<std::vector<std::optional<BodyOutline>>>> bodies_;  // by frame, camera, outline
};

}  // namespace vantage::people_calibration_detail
