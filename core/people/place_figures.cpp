#include "core/people/place_figures.h"

#include <algorithm>
#include <cmath>

#include "core/people/detail/floor_volume.h"
#include "core/people/detail/support.h"

namespace vantage {
namespace {

using people_detail::Body;
using people_detail::CoverCounts;
using people_detail::MaskBits;
using people_detail::Outline;
using people_detail::Run;
using people_detail::Support;

// Pixels that both outlines cover.
int common_pixels(const Body& a, const Outline& in_a, const Body& b, const Outline& in_b) {
  const int first = std::max(in_a.first_row, in_b.first_row);
  const int end = std::min(in_a.first_row + in_a.rows, in_b.first_row + in_b.rows);
  int pixels = 0;
  for (int row = first; row < end; ++row) {
    const Run& one = a.runs_of(in_a)[row - in_a.first_row];
    const Run& other = b.runs_of(in_b)[row - in_b.first_row];
    pixels += std::max(0, std::min<int>(one.end, other.end) - std::max<int>(one.begin, other.begin));
  }
  return pixels;
}

double depth_m(const PinholeCamera<double>& camera, const Body& body) {
  const double* r = camera.rotation_cam_from_world;
  return r[6] * body.x_m + r[7] * body.y_m + r[8] * body.height_m / 2 +
         camera.translation_cam_from_world_m[2];
}

void add_box(const Body& body, const Outline& outline, const SampleGrid& grid, BodyInCamera* to) {
  int left = grid.width, right = 0;
  for (int row = 0; row < outline.rows; ++row) {
    const Run& run = body.runs_of(outline)[row];
    if (run.begin >= run.end) continue;
    left = std::min<int>(left, run.begin), right = std::max<int>(right, run.end);
  }
  if (left >= right) return;
  to->left_px = left * grid.step_x, to->right_px = right * grid.step_x;
  to->top_px = outline.first_row * grid.step_y;
  to->bottom_px = (outline.first_row + outline.rows) * grid.step_y;
}

class Examination {
 public:
  explicit Examination(const PlaceScene& scene)
      : scene_(scene), volume_(scene.grid), masks_(scene.cameras.size()) {
    for (size_t c = 0; c < masks_.size(); ++c) masks_[c].take(scene.masks[c]);
    volume_.take(scene.map, scene.parameters.footprint_m);
  }

  PlaceFigures figures(double x_m, double y_m, int32_t self) {
    PlaceFigures found;
    found.x_m = x_m, found.y_m = y_m;
    found.volume_l = volume_.litres_at(x_m, y_m);
    found.height_m = volume_.height_at(x_m, y_m);
    found.may_stand = !scene_.may_stand || scene_.may_stand(x_m, y_m);
    const PeopleParameters& p = scene_.parameters;
    const bool right = found.height_m >= p.min_height_m && found.height_m <= p.max_height_m;
    found.body_height_m = right ? found.height_m : kAssumedHeight_m;
    add_neighbour(self, &found);
    draw_others(self);
    body_ = drawn(x_m, y_m, found.body_height_m);
    const Support support =
        people_detail::support_of(body_, std::span<const MaskBits>(masks_), &MaskBits::count);
    found.counting = support.cameras, found.needed = people_detail::needed_cameras(masks_);
    found.foreground = support.fill, found.own = support.own, found.decided = support.decided;
    for (size_t c = 0; c < masks_.size(); ++c) found.cameras.push_back(in_camera(c));
    return found;
  }

 private:
  Body drawn(double x_m, double y_m, double height_m) const {
    Body body;
    body.x_m = x_m, body.y_m = y_m, body.height_m = height_m;
    people_detail::draw(body, scene_.cameras, masks_);
    return body;
  }

  // Everybody but `self` covers what their bodies do.
  void draw_others(int32_t self) {
    for (size_t i = 0; i < scene_.people.size(); ++i) {
      if (static_cast<int32_t>(i) == self) continue;
      const FoundPerson& person = scene_.people[i];
      Body body = drawn(person.x_m, person.y_m, person.height_m - people_detail::kHeadRounding_m);
      for (size_t c = 0; c < masks_.size(); ++c)
        if (body.outlines[c].seen()) masks_[c].add(body.outlines[c], body.runs_of(body.outlines[c]));
      others_.emplace_back(static_cast<int32_t>(i), std::move(body));
    }
  }

  void add_neighbour(int32_t self, PlaceFigures* to) const {
    for (size_t i = 0; i < scene_.people.size(); ++i) {
      const double away_m = std::hypot(scene_.people[i].x_m - to->x_m, scene_.people[i].y_m - to->y_m);
      if (static_cast<int32_t>(i) == self || (to->neighbour >= 0 && away_m >= to->neighbour_m)) continue;
      to->neighbour = static_cast<int32_t>(i), to->neighbour_m = away_m;
    }
  }

  BodyInCamera in_camera(size_t c) const {
    BodyInCamera part;
    const Outline& outline = body_.outlines[c];
    part.has_picture = masks_[c].has_picture();
    if (outline.area > 0) part.inside = static_cast<double>(outline.inside) / outline.area;
    part.counts = outline.seen();
    if (outline.inside == 0) return part;
    add_box(body_, outline, scene_.masks[c].grid, &part);
    const double inside = outline.inside;
    const CoverCounts counts = masks_[c].count(outline, body_.runs_of(outline));
    part.foreground = counts.foreground / inside, part.undecided = counts.undecided / inside;
    part.own = people_detail::own_share(counts, outline);
    part.covered = masks_[c].covered(outline, body_.runs_of(outline)) / inside;
    for (const auto& [person, other] : others_) {
      if (!other.outlines[c].seen()) continue;
      const double share = common_pixels(body_, outline, other, other.outlines[c]) / inside;
      if (share <= part.covers_most) continue;
      part.covers = person, part.covers_most = share;
      part.in_front = depth_m(scene_.cameras[c], other) < depth_m(scene_.cameras[c], body_);
    }
    return part;
  }

  const PlaceScene& scene_;
  people_detail::FloorVolume volume_;
  std::vector<MaskBits> masks_;
  std::vector<std::pair<int32_t, Body>> others_;
  Body body_;
};

}  // namespace

PlaceFigures place_figures(const PlaceScene& scene, double x_m, double y_m, int32_t self) {
  return Examination(scene).figures(x_m, y_m, self);
}

}  // namespace vantage
