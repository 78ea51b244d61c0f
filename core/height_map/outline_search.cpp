#include "core/height_map/outline_search.h"

#include <algorithm>
#include <limits>
#include <numbers>
#include <vector>

namespace vantage::height_map {
namespace {

// The coarse search: positions on a grid around the seed, two radii, few points an outline.
constexpr float kStep_m = 0.02f;
constexpr int kAcrossSteps = 9, kDownSteps = 5, kUpSteps = 14;
constexpr int kAcross = 2 * kAcrossSteps + 1, kUpright = kDownSteps + kUpSteps + 1;
constexpr int kPlaces = kAcross * kAcross * kUpright;
constexpr std::array<float, 2> kCoarseRadii_m = {0.092f, 0.104f};
constexpr size_t kRadii = kCoarseRadii_m.size();
constexpr int kCoarsePoints = 16;
constexpr float kMinFirst = 0.15f;  // below it in the first view, the others are skipped
// The best candidates, so far apart, are refined with all points: turned, then moved step by step.
constexpr size_t kCandidates = 4;
constexpr float kApart_m = 0.05f;
constexpr int kPoints = 48;
constexpr int kDirections = 6;
constexpr float kFirstStep_m = 0.01f;
constexpr int kHalvings = 2, kRounds = 10;
constexpr float kMinRadius_m = 0.083f, kMaxRadius_m = 0.115f;
// The last improvement, by the side away from the feet.
constexpr float kLastStep_m = 0.016f;
constexpr int kLastHalvings = 3;
// The price of a radius off the middle one, a centimetre squared: during the search, at last.
constexpr float kMiddleRadius_m = 0.099f, kRadius = 0.01f, kLastRadius = 0.02f;
// The price of distance from the seed: upright, aside, and from where on it no longer grows.
constexpr float kAway = 0.04f, kAside = 0.02f, kAway_m = 0.1f;
// The price of background in this share of the outline's rectangle, and of foreground that far above it.
constexpr float kBare = 0.5f, kCore = 0.75f;
constexpr float kCovered = 0.05f, kOver_m = 0.2f;
constexpr float kUnseen = -1;  // fewer than two views see it

template <size_t count>
struct Circle {
  std::array<float, count> cosine, sine;
};

template <size_t count>
const Circle<count>& circle() {
  static const auto points = [] {
    Circle<count> made;
    for (size_t i = 0; i < count; ++i) {
      const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(i) / static_cast<float>(count);
      made.cosine[i] = std::cos(angle), made.sine[i] = std::sin(angle);
    }
    return made;
  }();
  return points;
}

// Lower away from the seed, higher with height.
float preference(float dx, float dy, float dz) {
  const auto limited = [](float squared) { return std::min(1.0f, squared / (kAway_m * kAway_m)); };
  return kHigher * dz - kAside * limited(dx * dx + dy * dy) - kAway * limited(dz * dz);
}

// Points of an outline: the pixel before each, the distance to the next pixel, and the normal.
template <size_t count>
struct OutlinePoints {
  std::array<float, count> u, v, nx, ny;
  std::array<int, count> column, row;
};

template <size_t count>
void set_points(const OutlineEllipse& e, float x, float y, OutlinePoints<count>& points) {
  const Circle<count>& on = circle<count>();
  for (size_t i = 0; i < count; ++i) {
    const float c = on.cosine[i], s = on.sine[i];
    const float at_x = x + e.px * c + e.qx * s, at_y = y + e.py * c + e.qy * s;
    const float along_x = e.qx * c - e.px * s, along_y = e.qy * c - e.py * s;
    const float share = 1 / std::sqrt(along_x * along_x + along_y * along_y);
    points.nx[i] = share * along_y, points.ny[i] = -share * along_x;
    points.column[i] = static_cast<int>(at_x), points.row[i] = static_cast<int>(at_y);
    points.u[i] = at_x - static_cast<float>(points.column[i]);
    points.v[i] = at_y - static_cast<float>(points.row[i]);
  }
}

// True if the picture can be sampled at all of it.
bool inside(const OutlineEllipse& e, const PinholeCamera<float>& camera) {
  const float rx = e.reach_x(), ry = e.reach_y();
  return support_inside(camera.width_px, camera.height_px, e.x - rx, e.y - ry) &&
         support_inside(camera.width_px, camera.height_px, e.x + rx, e.y + ry);
}

// The share of a shape that lies on foreground in one view.
float share_in_foreground(const EdgeView& view, const OutlineEllipse& e) {
  return view.foreground.around(e.x, e.y, kCore * e.reach_x(), kCore * e.reach_y());
}

// A direction in a picture, at most of length 1.
struct Direction {
  float x = 0, y = 0;
};

// The mean of |n . contrast| over the outline, between pixels linearly, with weights 1 + n . up.
float mean_across(const ImageView<const float>& contrast, const OutlineEllipse& outline,
                  const Direction& up) {
  OutlinePoints<kPoints> points;
  set_points(outline, outline.x, outline.y, points);
  std::array<float, 4> sums = {}, weights = {};
  for (size_t i = 0; i < kPoints; ++i) {
    const float *above = contrast.row(points.row[i]) + 2 * points.column[i],
                *below = contrast.row(points.row[i] + 1) + 2 * points.column[i];
    std::array<float, 4> mixed;
    for (size_t k = 0; k < 4; ++k) mixed[k] = above[k] + points.v[i] * (below[k] - above[k]);
    const float gx = mixed[0] + points.u[i] * (mixed[2] - mixed[0]);
    const float gy = mixed[1] + points.u[i] * (mixed[3] - mixed[1]);
    const float weight = 1 + points.nx[i] * up.x + points.ny[i] * up.y;
    sums[i % 4] += weight * std::abs(points.nx[i] * gx + points.ny[i] * gy);
    weights[i % 4] += weight;
  }
  return (sums[0] + sums[1] + sums[2] + sums[3]) / (weights[0] + weights[1] + weights[2] + weights[3]);
}

// Positions around the seed, one after the other: x, then y, then z.
struct Place {
  int x, y, z;  // steps from the seed

  explicit Place(int index)
      : x(index % kAcross - kAcrossSteps),
        y(index / kAcross % kAcross - kAcrossSteps),
        z(index / (kAcross * kAcross) - kDownSteps) {}
};

// The pixels of the positions in a view; NaN: not in it.
struct Projections {
  std::vector<float> x, y;
  float left, top, right, bottom;  // around them

  Projections(const PinholeCamera<float>& camera, const HeadEllipsoid& seed) : x(kPlaces), y(kPlaces) {
    constexpr float kNowhere = std::numeric_limits<float>::quiet_NaN();
    constexpr float kFar = std::numeric_limits<float>::max();
    left = top = kFar, right = bottom = -kFar;
    size_t at = 0;
    for (int iz = -kDownSteps; iz <= kUpSteps; ++iz)
      for (int iy = -kAcrossSteps; iy <= kAcrossSteps; ++iy)
        for (int ix = -kAcrossSteps; ix <= kAcrossSteps; ++ix, ++at) {
          const Pixel<float> pixel =
              project(camera, seed.x + kStep_m * static_cast<float>(ix),
                      seed.y + kStep_m * static_cast<float>(iy), seed.z + kStep_m * static_cast<float>(iz));
          x[at] = pixel.in_front ? pixel.x : kNowhere, y[at] = pixel.in_front ? pixel.y : kNowhere;
          if (!pixel.in_front) continue;
          left = std::min(left, pixel.x), right = std::max(right, pixel.x);
          top = std::min(top, pixel.y), bottom = std::max(bottom, pixel.y);
        }
  }
};

// The agreement of an outline in one view, its middle at each pixel of a part of the picture.
class Responses {
 public:
  // The part of `around`, moved by (dx, dy), for which the outline lies in the picture.
  Responses(const EdgeView& view, const OutlineEllipse& outline, const Projections& around, float dx,
            float dy) {
    const float rx = outline.reach_x(), ry = outline.reach_y();
    const auto from = [](float min, float reach) {
      return static_cast<int>(std::ceil(std::max(min, reach)));
    };
    const auto to = [](float max, float reach, int size) {
      return static_cast<int>(std::floor(std::min(max, static_cast<float>(size) - 1.001f - reach)));
    };
    if (!(around.left <= around.right)) return;
    left_ = from(around.left + dx - 1, rx), top_ = from(around.top + dy - 1, ry);
    width_ = to(around.right + dx + 1, rx, view.camera.width_px) - left_ + 1;
    height_ = to(around.bottom + dy + 1, ry, view.camera.height_px) - top_ + 1;
    if (width_ < 2 || height_ < 2) {
      width_ = height_ = 0;
      return;
    }
    values_.assign(static_cast<size_t>(width_) * static_cast<size_t>(height_), 0.0f);
    fill(view.contrast.view<float>(), outline);
    take_bare(view.foreground, outline);
  }

  // Linear between pixels; below 0: not known.
  float at(float x, float y) const {
    x -= static_cast<float>(left_), y -= static_cast<float>(top_);
    if (!support_inside(width_, height_, x, y)) return kUnseen;
    const int column = static_cast<int>(x), row = static_cast<int>(y);
    const float u = x - static_cast<float>(column), v = y - static_cast<float>(row);
    const float* above = values_.data() + row * width_ + column;
    const float* below = above + width_;
    const float high = above[0] + u * (above[1] - above[0]), low = below[0] + u * (below[1] - below[0]);
    return high + v * (low - high);
  }

 private:
  // n . contrast is linear, so it is formed once for all pixels and then sampled.
  void fill(const ImageView<const float>& contrast, const OutlineEllipse& outline) {
    OutlinePoints<kCoarsePoints> points;
    set_points(outline, static_cast<float>(left_), static_cast<float>(top_), points);
    const int wide = width_ + 1;
    std::vector<float> across(static_cast<size_t>(wide) * static_cast<size_t>(height_ + 1));
    for (size_t i = 0; i < kCoarsePoints; ++i) {
      for (int y = 0; y <= height_; ++y) {
        const float* const from = contrast.row(points.row[i] + y) + 2 * points.column[i];
        float* const to = across.data() + y * wide;
        for (int x = 0; x < wide; ++x) to[x] = points.nx[i] * from[2 * x] + points.ny[i] * from[2 * x + 1];
      }
      const float u = points.u[i], v = points.v[i];
      const float a = (1 - u) * (1 - v) / kCoarsePoints, b = u * (1 - v) / kCoarsePoints,
                  c = (1 - u) * v / kCoarsePoints, d = u * v / kCoarsePoints;
      for (int y = 0; y < height_; ++y) {
        const float *above = across.data() + y * wide, *below = above + wide;
        float* const to = values_.data() + y * width_;
        for (int x = 0; x < width_; ++x)
          to[x] += std::abs(a * above[x] + b * above[x + 1] + c * below[x] + d * below[x + 1]);
      }
    }
  }

  // Less where the outline is on background.
  void take_bare(const ForegroundShare& foreground, const OutlineEllipse& outline) {
    if (!foreground.known()) return;
    std::vector<float> shares(static_cast<size_t>(width_));
    for (int y = 0; y < height_; ++y) {
      foreground.around_pixels(left_, top_ + y, kCore * outline.reach_x(), kCore * outline.reach_y(), shares);
      float* const row = values_.data() + y * width_;
      for (int x = 0; x < width_; ++x) row[x] = std::max(0.0f, row[x] - kBare * (1 - shares[x]));
    }
  }

  int left_ = 0, top_ = 0, width_ = 0, height_ = 0;
  std::vector<float> values_;
};

// Calls f(view, outline) for each view that sees all of a shape.
template <typename F>
void for_seeing(std::span<const EdgeView> views, const HeadEllipsoid& shape, const F& f) {
  for (const EdgeView& view : views) {
    OutlineEllipse outline;
    if (outline_of(view.camera, view.eye_m, shape, outline) && inside(outline, view.camera)) f(view, outline);
  }
}

// Mean over the views.
struct Seen {
  float agreement = kUnseen;  // of the outline
  float on_foreground = 1;    // share
};

// Agreement of the outline; with the views' upright directions its side towards the feet counts less.
Seen observe(std::span<const EdgeView> views, const HeadEllipsoid& shape, std::span<const Direction> up) {
  float agreed = 0, share = 0;
  int seeing = 0;
  for_seeing(views, shape, [&](const EdgeView& view, const OutlineEllipse& outline) {
    const Direction direction = up.empty() ? Direction{} : up[&view - views.data()];
    agreed += mean_across(view.contrast.view<float>(), outline, direction);
    share += share_in_foreground(view, outline);
    ++seeing;
  });
  if (seeing < 2) return {};
  const auto count = static_cast<float>(seeing);
  return {agreed / count, share / count};
}

// The smallest over the views that see all of the shape; 1 where none does.
float min_on_foreground(std::span<const EdgeView> views, const HeadEllipsoid& shape) {
  float min = 1;
  for_seeing(views, shape, [&](const EdgeView& view, const OutlineEllipse& outline) {
    min = std::min(min, share_in_foreground(view, outline));
  });
  return min;
}

// Directions of upright things at the middle of the shape, by view.
std::vector<Direction> upright(std::span<const EdgeView> views, const HeadEllipsoid& shape) {
  constexpr float kHalf_m = 0.05f;
  std::vector<Direction> directions;
  for (const EdgeView& view : views) {
    const Pixel<float> low = project(view.camera, shape.x, shape.y, shape.z - kHalf_m),
                       high = project(view.camera, shape.x, shape.y, shape.z + kHalf_m);
    const float dx = high.x - low.x, dy = high.y - low.y, length = std::sqrt(dx * dx + dy * dy);
    directions.push_back(low.in_front && high.in_front && length > 0 ? Direction{dx / length, dy / length}
                                                                     : Direction{});
  }
  return directions;
}

class Search {
 public:
  Search(std::span<const EdgeView> views, const HeadEllipsoid& seed) : views_(views), seed_(seed) {}

  HeadEllipsoid best() const {
    Found best;
    for (Found found : candidates()) {
      turn(found);
      refine(found);
      HeadEllipsoid over = found.shape;
      over.z += kOver_m;
      found.score -= kCovered * min_on_foreground(views_, over);
      if (found.score > best.score) best = found;
    }
    if (best.shape.radius > 0) sharpen(best);
    return best.shape;
  }

 private:
  struct Found {
    HeadEllipsoid shape = {};
    float score = kUnseen;
  };
  struct Scored {
    float score;
    int place;
    size_t radius;
  };
  // Over the views so far.
  struct Sums {
    std::vector<float> sum = std::vector<float>(kPlaces);
    std::vector<int8_t> seeing = std::vector<int8_t>(kPlaces);  // below 0: left at the first
  };

  float score(const HeadEllipsoid& shape) const {
    const Seen seen = observe(views_, shape, {});
    if (seen.agreement < 0) return kUnseen;
    return seen.agreement + preference(shape.x - seed_.x, shape.y - seed_.y, shape.z - seed_.z) -
           kRadius * off_middle(shape.radius) - kBare * (1 - seen.on_foreground);
  }

  static void add(const Responses& responses, const Projections& places, float dx, float dy, Sums& sums) {
    for (size_t i = 0; i < kPlaces; ++i) {
      if (sums.seeing[i] < 0) continue;
      const float agreed = responses.at(places.x[i] + dx, places.y[i] + dy);
      if (agreed < 0) continue;
      sums.sum[i] += agreed;
      sums.seeing[i] =
          sums.seeing[i] == 0 && agreed < kMinFirst ? -1 : static_cast<int8_t>(sums.seeing[i] + 1);
    }
  }

  std::vector<Scored> coarse() const {
    std::array<Sums, kRadii> sums;
    for (const EdgeView& view : views_) {
      const Pixel<float> center = project(view.camera, seed_.x, seed_.y, seed_.z);
      if (!center.in_front) continue;
      const Projections places(view.camera, seed_);
      for (size_t r = 0; r < kRadii; ++r) {
        HeadEllipsoid shape = seed_;
        shape.radius = kCoarseRadii_m[r];
        OutlineEllipse outline;
        if (!outline_of(view.camera, view.eye_m, shape, outline)) continue;
        const float dx = outline.x - center.x, dy = outline.y - center.y;
        add(Responses(view, outline, places, dx, dy), places, dx, dy, sums[r]);
      }
    }
    std::vector<Scored> all;
    for (size_t r = 0; r < kRadii; ++r)
      for (int i = 0; i < kPlaces; ++i) {
        const auto at = static_cast<size_t>(i);
        if (sums[r].seeing[at] < 2) continue;
        const Place place(i);
        all.push_back(
            {sums[r].sum[at] / static_cast<float>(sums[r].seeing[at]) +
                 preference(kStep_m * static_cast<float>(place.x), kStep_m * static_cast<float>(place.y),
                            kStep_m * static_cast<float>(place.z)),
             i, r});
      }
    return all;
  }

  // The best positions, apart.
  std::vector<Found> candidates() const {
    std::vector<Scored> all = coarse();
    std::vector<Found> chosen;
    while (chosen.size() < kCandidates && !all.empty()) {
      const Scored best = *std::max_element(
          all.begin(), all.end(), [](const Scored& a, const Scored& b) { return a.score < b.score; });
      const Place at(best.place);
      HeadEllipsoid shape = seed_;
      shape.x += kStep_m * static_cast<float>(at.x), shape.y += kStep_m * static_cast<float>(at.y);
      shape.z += kStep_m * static_cast<float>(at.z);
      shape.radius = kCoarseRadii_m[best.radius];
      chosen.push_back({shape, best.score});
      std::erase_if(all, [&](const Scored& other) {
        const Place place(other.place);
        const int dx = place.x - at.x, dy = place.y - at.y, dz = place.z - at.z;
        return static_cast<float>(dx * dx + dy * dy + dz * dz) * kStep_m * kStep_m < kApart_m * kApart_m;
      });
    }
    return chosen;
  }

  // The long axis in the best of some directions.
  void turn(Found& found) const {
    HeadEllipsoid shape = found.shape;
    shape.elongation = kElongation;
    found.score = kUnseen;
    for (int i = 0; i < kDirections; ++i) {
      shape.yaw = std::numbers::pi_v<float> * static_cast<float>(i) / kDirections;
      if (const float value = score(shape); value > found.score) found = {shape, value};
    }
  }

  void refine(Found& found) const {
    step_down(found, kFirstStep_m, kHalvings, [this](const HeadEllipsoid& shape) { return score(shape); });
  }

  // The lower edge is often not the head's: hair, a collar or shoulders hide its end. It serves to find a
  // head, but not to measure it.
  void sharpen(Found& found) const {
    const std::vector<Direction> up = upright(views_, found.shape);
    const auto sharp = [&](const HeadEllipsoid& shape) {
      const float agreed = observe(views_, shape, up).agreement;
      return agreed < 0 ? kUnseen : agreed - kLastRadius * off_middle(shape.radius);
    };
    found.score = sharp(found.shape);
    step_down(found, kLastStep_m, kLastHalvings, sharp);
  }

  // In square centimetres.
  static float off_middle(float radius_m) {
    const float off_cm = 100 * (radius_m - kMiddleRadius_m);
    return off_cm * off_cm;
  }

  template <typename Score>
  static void step_down(Found& found, float step, int halvings, const Score& score) {
    for (int i = 0; i <= halvings; ++i, step *= 0.5f)
      for (int round = 0; round < kRounds && improve(found, step, score); ++round) {
      }
  }

  // Tries a step each way in each number; true if one was better.
  template <typename Score>
  static bool improve(Found& found, float step, const Score& score) {
    bool better = false;
    constexpr std::array<std::pair<float HeadEllipsoid::*, float>, 5> kNumbers = {
        {{&HeadEllipsoid::x, 1.0f},
         {&HeadEllipsoid::y, 1.0f},
         {&HeadEllipsoid::z, 1.0f},
         {&HeadEllipsoid::radius, 0.5f},
         {&HeadEllipsoid::yaw, 20.0f}}};
    for (const auto& [number, size] : kNumbers)
      for (const float sign : {1.0f, -1.0f}) {
        HeadEllipsoid shape = found.shape;
        shape.*number += sign * step * size;
        if (shape.radius < kMinRadius_m || shape.radius > kMaxRadius_m) continue;
        const float value = score(shape);
        if (value <= found.score) continue;
        found = {shape, value};
        better = true;
      }
    return better;
  }

  std::span<const EdgeView> views_;
  const HeadEllipsoid seed_;
};

}  // namespace

float outline_agreement(std::span<const EdgeView> views, const HeadEllipsoid& shape) {
  return observe(views, shape, {}).agreement;
}

HeadEllipsoid search_outline(std::span<const EdgeView> views, const HeadEllipsoid& seed) {
  return Search(views, seed).best();
}

}  // namespace vantage::height_map
