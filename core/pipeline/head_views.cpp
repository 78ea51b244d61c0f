#include "core/pipeline/head_views.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/heads/head_window.h"
#include "core/people/triangulation/triangulation.h"
#include "core/tracking/association.h"

namespace vantage {
namespace {

constexpr double kHead_m = 0.24;            // height of a head
constexpr double kSilentViewPenalty = 0.6;  // share of the threshold of a head in one view
constexpr double kMinSaid = 0.03;           // likewise: views that support less are ignored

TriangulationParameters joining_of(const HeadParameters& parameters) {
  TriangulationParameters joining;
  joining.gate_m = 0.08;
  joining.unseen_penalty = kSilentViewPenalty;
  joining.min_height_m = parameters.min_height_m - kHeadBelowTop_m;
  joining.max_height_m = parameters.max_height_m - kHeadBelowTop_m;
  joining.floor_separation_m = 0.35;
  joining.size_gate = 0.25;
  joining.min_size_m = 0.16;
  joining.max_size_m = 0.34;
  return joining;
}

double focal_px(const Camera& camera) {
  return 0.5 * (camera.model().fx_px + camera.model().fy_px);
}

// Weights as shares of the threshold of a head in one view.
std::vector<PointInView> faint_points(std::span<const Camera> cameras, std::span<const HeadsInView> views,
                                      double head_score) {
  std::vector<PointInView> points;
  for (size_t c = 0; c < views.size(); ++c)
    for (const Detection& box : views[c].faint) {
      const double weight = box.score / head_score;
      if (weight < kMinSaid) break;
      points.push_back({static_cast<int>(c), box.x + 0.5 * box.w - 0.5, box.y + 0.5 * box.h - 0.5, weight,
                        box.h / focal_px(cameras[c])});
    }
  return points;
}

std::optional<Detection> head_box_at(const Camera& camera, const Eigen::Vector3d& point_in_world_m) {
  if (!camera.sees(point_in_world_m)) return {};
  const Eigen::Vector2d middle = *camera.project(point_in_world_m);
  const double height = focal_px(camera) * kHead_m / (point_in_world_m - camera.center_in_world_m()).norm();
  const double width = height * kHeadWidth / kHeadHeight;
  return Detection{static_cast<float>(middle.x() + 0.5 - 0.5 * width),
                   static_cast<float>(middle.y() + 0.5 - 0.5 * height),
                   static_cast<float>(width),
                   static_cast<float>(height),
                   0,
                   0};
}

// The window with the largest sum around the expected box, with that sum as its score.
std::optional<Detection> max_said(const std::vector<Detection>& windows, const Detection& expected) {
  std::vector<const Detection*> near;
  for (const Detection& window : windows)
    if (heads::windows_overlap(window, expected)) near.push_back(&window);
  std::optional<Detection> best;
  for (const Detection* window : near) {
    Detection box = *window;
    box.score = 0;
    for (const Detection* other : near)
      if (heads::windows_overlap(*window, *other)) box.score += other->score;
    if (!best || box.score > best->score) best = box;
  }
  return best;
}

bool overlap(const Detection& a, const Detection& b, NmsOverlap of, double threshold) {
  NmsRule rule;
  rule.overlap = of;
  rule.threshold = static_cast<float>(threshold);
  const nms::Corners ca = nms::corners_of(a), cb = nms::corners_of(b);
  return nms::overlaps(rule, ca, nms::area_of(ca, 0), cb, nms::area_of(cb, 0));
}

// Adjusts a box of the view that shows the same head, or adds a box.
void add_guided(Detection box, const HeadParameters& parameters, std::vector<Detection>* boxes) {
  bool there = false;
  for (Detection& other : *boxes) {
    if (!overlap(other, box, NmsOverlap::iou, parameters.overlap) &&
        !overlap(other, box, NmsOverlap::smaller, 0.5))
      continue;
    there = true;
    if (heads::windows_overlap(other, box)) other.score = std::max(other.score, box.score);
  }
  box.class_id = kHeadGuided;
  if (!there) boxes->push_back(box);
}

}  // namespace

std::vector<std::vector<Detection>> join_head_views(std::span<const Camera> cameras,
                                                    std::span<const HeadsInView> views,
                                                    const HeadModel& model,
                                                    const HeadParameters& parameters) {
  std::vector<std::vector<Detection>> boxes;
  for (const HeadsInView& view : views) boxes.push_back(view.heads);
  if (cameras.empty() || !parameters.guided) return boxes;
  const double head_score = model.head_from * double{model.score_unit};
  const std::vector<PointInView> points = faint_points(cameras, views, head_score);
  for (const TriangulatedPoint& point : triangulate(cameras, points, joining_of(parameters))) {
    if (point.value < parameters.threshold * parameters.together) continue;
    for (size_t c = 0; c < views.size(); ++c) {
      const std::optional<Detection> expected = head_box_at(cameras[c], point.point_in_world_m);
      std::optional<Detection> box = expected ? max_said(views[c].windows, *expected) : std::nullopt;
      if (!box || box->score < kMinSaid * head_score) continue;
      box->score = static_cast<float>(point.value / parameters.together * head_score);
      add_guided(*box, parameters, &boxes[c]);
    }
  }
  for (std::vector<Detection>& of_view : boxes)
    std::stable_sort(of_view.begin(), of_view.end(),
                     [](const Detection& a, const Detection& b) { return a.score > b.score; });
  return boxes;
}

std::vector<std::vector<HeadBox>> head_boxes(const HeadsArtifact* heads) {
  const auto hundredth = [](float pixels) {
    return static_cast<float>(std::round(100 * static_cast<double>(pixels)) / 100);
  };
  std::vector<std::vector<HeadBox>> boxes;
  if (!heads || !heads->searched) return boxes;
  for (const std::vector<Detection>& view : heads->cameras) {
    std::vector<HeadBox>& in_view = boxes.emplace_back();
    for (const Detection& one : view)
      in_view.push_back({hundredth(one.x), hundredth(one.y), hundredth(one.w), hundredth(one.h)});
  }
  return boxes;
}

namespace {

constexpr double kPersonReach_m = 0.5, kHeadReach_m = 0.25;

}  // namespace

std::vector<JoinedHead> join_heads(std::span<const HeightMapHead> heads, std::span<const FoundPerson> people,
                                   std::span<const SceneHead> detected) {
  std::vector<FloorDetection> places;
  for (const HeightMapHead& head : heads) places.push_back({head.x_m, head.y_m, head.z_m});
  std::vector<ExpectedTrack> bodies, others;
  for (const FoundPerson& person : people) bodies.push_back({person.x_m, person.y_m, 0, kPersonReach_m});
  for (const SceneHead& head : detected) others.push_back({head.x_m, head.y_m, head.z_m, kHeadReach_m});
  constexpr double kOnTheFloor = 0, kInSpace = 1;  // weights of height
  const std::vector<int32_t> person_of = associate_greedily({bodies, places, kOnTheFloor});
  const std::vector<int32_t> detected_of = associate_greedily({others, places, kInSpace});
  std::vector<JoinedHead> joined(heads.size());
  for (size_t i = 0; i < heads.size(); ++i) joined[i] = {person_of[i], detected_of[i]};
  return joined;
}

}  // namespace vantage
