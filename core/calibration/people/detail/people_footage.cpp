#include "core/calibration/people/detail/people_footage.h"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>

#include "core/base/assignment.h"
#include "core/fusion/body_box.h"

namespace vantage::people_calibration_detail {
namespace {

constexpr double kMinConfidence = 0.5;
constexpr double kCutCornerBorder_px =
    2;  // corners of outlines nearer to the picture's border are cut off there

// Nothing where it has no hull, or where the lens shows no ray there.
std::optional<BodyOutline> body_of(const PersonOutline& seen, const Camera& camera, const LensSlopes* lens,
                                   size_t number, int64_t frame) {
  BodyOutline outline{.camera = number, .frame = frame};
  if (seen.hull_px.empty()) return {};
  for (const Eigen::Vector2d& corner : seen.hull_px) {
    std::optional<SeenPoint> point;
    if (lens)
      point = lens->at(corner);
    else if (const auto at = camera.undistort(corner))
      point = SeenPoint{*at};
    if (!point) return {};
    const Eigen::Vector3d ray(point->at.x(), point->at.y(), 1);
    outline.rays.push_back(ray.normalized());
    if (lens) {
      Eigen::Matrix<double, 3, 2> slopes = Eigen::Matrix<double, 3, 2>::Zero();
      slopes.topRows<2>() = point->slopes / ray.norm();
      outline.slopes.push_back(slopes);
    }
    outline.middle += outline.rays.back();
    outline.cut.push_back(corner.x() < kCutCornerBorder_px || corner.y() < kCutCornerBorder_px ||
                          corner.x() > camera.width_px() - 1 - kCutCornerBorder_px ||
                          corner.y() > camera.height_px() - 1 - kCutCornerBorder_px);
  }
  outline.middle.normalize();
  return outline;
}

}  // namespace

BoxPlace place_of(const PersonDetection& box) {
  return {box.left_px + box.width_px / 2.0, box.top_px, box.height_px};
}

Status too_few_outlines(const Camera& camera, int64_t outlines) {
  return fail(ErrorKind::bad_data,
              fmt::format("{} people are seen by this camera and another one; at least {} are needed",
                          outlines, kMinOutlines),
              camera.name(),
              "Take a longer recording in which people walk through what this camera and others see.");
}

std::vector<const PeopleFrame*> frames_that_count(const std::vector<const PeopleFrame*>& frames) {
  std::vector<const PeopleFrame*> shown, chosen;
  for (const PeopleFrame* frame : frames)
    if (std::count_if(frame->cameras.begin(), frame->cameras.end(),
                      [](const auto& outlines) { return !outlines.empty(); }) >= 2)
      shown.push_back(frame);
  const size_t count = std::min(shown.size(), kMaxPeopleFrames);
  for (size_t i = 0; i < count; ++i) chosen.push_back(shown[i * shown.size() / count]);
  return chosen;
}

PeopleFootage::PeopleFootage(const PeopleSolveInput& input) : input_(input) {
  std::vector<const PeopleFrame*> frames;
  for (const PeopleFrame& frame : input_.frames) frames.push_back(&frame);
  frames_ = frames_that_count(frames);
  see_by(input_.cameras, false);
}

void PeopleFootage::see_by(const std::vector<Camera>& cameras, bool slopes) {
  bodies_.assign(frames_.size(), {});
  for (auto& bodies : bodies_) bodies.resize(cameras.size());
  for (size_t c = 0; c < cameras.size(); ++c) {
    const LensSlopes lens(cameras[c]);
    for (size_t f = 0; f < frames_.size(); ++f)
      for (const PersonOutline& outline : frames_[f]->cameras[c])
        bodies_[f][c].push_back(body_of(outline, cameras[c], slopes ? &lens : nullptr, c, frames_[f]->frame));
  }
}

Result<FoundPeople> PeopleFootage::find_people(const std::vector<Camera>& cameras,
                                               const std::vector<bool>& known, const StopSource& stop) const {
  std::vector<PinholeCamera<double>> models;
  for (const Camera& camera : cameras) models.push_back(camera.model());
  PeopleFusion fusion(input_.floor, models);
  fusion.set_parameters({});
  FoundPeople people(frames_.size());
  for (size_t f = 0; f < frames_.size(); ++f) {
    if (stop.stop_requested()) return fail(ErrorKind::cancelled, "stopped");
    std::vector<CameraDetections> seen(cameras.size());
    for (size_t c = 0; c < cameras.size(); ++c) {
      seen[c].known = known[c];
      for (const PersonOutline& outline : frames_[f]->cameras[c])
        if (known[c]) seen[c].people.push_back(outline.box);
    }
    for (const FusedPerson& person : fusion.find({.cameras = seen}))
      if (person.confidence >= kMinConfidence) people[f].push_back({person.x_m, person.y_m, person.height_m});
  }
  return people;
}

std::optional<BoxPlace> PeopleFootage::expected(const Camera& camera, const FoundPerson& person) {
  const BodyBox body = body_box(camera.model(), person.x_m, person.y_m, person.height_m);
  if (!body.seen) return {};
  return BoxPlace{(double{body.whole.left} + body.whole.right) / 2, body.whole.top,
                  double{body.whole.bottom} - body.whole.top};
}

std::vector<int> PeopleFootage::assign(size_t frame, size_t number, const Camera& camera,
                                       const std::vector<FoundPerson>& people, double reach) const {
  const std::vector<PersonOutline>& outlines = frames_[frame]->cameras[number];
  std::vector<int> assigned(people.size(), -1);
  if (people.empty() || outlines.empty()) return assigned;
  ScoreMatrix scores(static_cast<int>(people.size()), static_cast<int>(outlines.size()));
  for (size_t p = 0; p < people.size(); ++p) {
    const auto body = expected(camera, people[p]);
    for (size_t o = 0; body && o < outlines.size(); ++o) {
      const BoxPlace seen = place_of(outlines[o].box);
      const double off = std::hypot(seen.middle_px - body->middle_px, seen.top_px - body->top_px);
      scores.at(static_cast<int>(p), static_cast<int>(o)) =
          std::max(0.0, 1 - off / (reach * body->height_px));
    }
  }
  assigned = assign_maximum(scores);
  for (size_t p = 0; p < assigned.size(); ++p)
    if (assigned[p] >= 0 && scores.at(static_cast<int>(p), assigned[p]) <= 0) assigned[p] = -1;
  return assigned;
}

}  // namespace vantage::people_calibration_detail
