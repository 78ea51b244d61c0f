#include "core/height_map/head_shape.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/height_map/files.h"

namespace vantage {
namespace {

constexpr float kTall = 1.25f, kElongation = 1.06f;
constexpr float kFlat = 8, kSmooth_px = 0.6f;
constexpr float kReach_m = 0.18f, kReachDown_m = 0.1f, kReachUp_m = 0.28f, kCoarse_m = 0.02f;
constexpr std::array<float, 2> kCoarseRadii_m = {0.092f, 0.104f};
constexpr float kLeastFirst = 0.3f;
constexpr int kCoarsePoints = 16, kPoints = 48;
constexpr size_t kCandidates = 6;
constexpr float kApart_m = 0.05f;
constexpr int kDirections = 6;
constexpr float kFirstStep_m = 0.01f;
constexpr int kHalvings = 2, kRounds = 10;
constexpr float kLeastRadius_m = 0.083f, kMostRadius_m = 0.115f, kSeedRadius_m = 0.095f;
constexpr float kAway = 0.08f, kAside = 0.02f, kAway_m = 0.1f;
constexpr float kHigher = 0.25f;
constexpr double kRim = 1.3;

struct Shape {
  float x = 0, y = 0, z = 0, radius = 0;
  float yaw = 0;         // of the long axis, from x towards y
  float elongation = 1;  // the horizontal half axes are radius times it and radius divided by it
};

// Between the world's directions and those in which the ellipsoid is a sphere.
struct Rounding {
  float c, s, along, aside;

  explicit Rounding(const Shape& shape)
      : c(std::cos(shape.yaw)),
        s(std::sin(shape.yaw)),
        along(shape.elongation),
        aside(1 / shape.elongation) {}
  std::array<float, 3> rounded(float x, float y, float z) const {
    return {(c * x + s * y) / along, (c * y - s * x) / aside, z / kTall};
  }
  std::array<float, 3> back(const std::array<float, 3>& v) const {
    const float x = along * v[0], y = aside * v[1];
    return {c * x - s * y, s * x + c * y, kTall * v[2]};
  }
};

struct OutlinePoint {
  float x, y;    // px
  float nx, ny;  // unit, across the outline
};

using Vector = std::array<float, 3>;

Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

float length(const Vector& a) {
  return std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

template <size_t count>
const std::array<std::array<float, 2>, count>& circle() {
  static const auto points = [] {
    std::array<std::array<float, 2>, count> made;
    for (size_t i = 0; i < count; ++i) {
      const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(i) / static_cast<float>(count);
      made[i] = {std::cos(angle), std::sin(angle)};
    }
    return made;
  }();
  return points;
}

// Where rays from `eye` touch the ellipsoid: where it is a sphere, around a circle that lies r^2 / D before
// its centre, with radius r sqrt(1 - r^2 / D^2). False where a point lies behind the camera or out of its
// picture.
template <size_t count>
bool outline_of(const PinholeCamera<float>& camera, const float* eye, const Shape& shape,
                std::array<OutlinePoint, count>& points) {
  const Rounding rounding(shape);
  const Vector to = rounding.rounded(shape.x - eye[0], shape.y - eye[1], shape.z - eye[2]);
  const float distance = length(to), r = shape.radius;
  if (!(distance > 2 * r)) return false;
  const float before = r * r / (distance * distance);
  const float ring = r * std::sqrt(1 - before);
  // An axis across the ray: the ray is not along both x and z.
  const Vector other = std::abs(to[0]) < 0.7f * distance ? Vector{1, 0, 0} : Vector{0, 0, 1};
  Vector a = cross(to, other);
  const float of_a = length(a);
  for (float& v : a) v *= ring / of_a;
  Vector b = cross(to, a);
  for (float& v : b) v /= distance;
  for (size_t i = 0; i < count; ++i) {
    const auto [c, s] = circle<count>()[i];
    const Vector off =
        rounding.back({-before * to[0] + c * a[0] + s * b[0], -before * to[1] + c * a[1] + s * b[1],
                       -before * to[2] + c * a[2] + s * b[2]});
    const Pixel<float> at = project(camera, shape.x + off[0], shape.y + off[1], shape.z + off[2]);
    if (!at.in_front || !support_inside(camera.width_px, camera.height_px, at.x, at.y)) return false;
    points[i].x = at.x, points[i].y = at.y;
  }
  for (size_t i = 0; i < count; ++i) {
    const OutlinePoint &next = points[(i + 1) % count], &last = points[(i + count - 1) % count];
    const float dx = next.x - last.x, dy = next.y - last.y, chord = std::sqrt(dx * dx + dy * dy);
    points[i].nx = chord > 0 ? dy / chord : 0, points[i].ny = chord > 0 ? -dx / chord : 0;
  }
  return true;
}

// |n . contrast| at a place of the picture, between pixels linearly.
float across(const ImageView<const float>& contrast, const OutlinePoint& point, float x, float y) {
  const int column = static_cast<int>(x), row = static_cast<int>(y);
  const float u = x - static_cast<float>(column), v = y - static_cast<float>(row);
  const float *above = contrast.row(row) + 2 * column, *below = contrast.row(row + 1) + 2 * column;
  const auto mixed = [&](int i) {
    const float top = above[i] + u * (above[i + 2] - above[i]),
                low = below[i] + u * (below[i + 2] - below[i]);
    return top + v * (low - top);
  };
  return std::abs(point.nx * mixed(0) + point.ny * mixed(1));
}

template <size_t count>
float mean_across(const ImageView<const float>& contrast, const std::array<OutlinePoint, count>& points) {
  float sum = 0;
  for (const OutlinePoint& point : points) sum += across(contrast, point, point.x, point.y);
  return sum / static_cast<float>(count);
}

std::vector<float> gaussian() {
  const int reach = static_cast<int>(std::ceil(3 * kSmooth_px));
  std::vector<float> weights;
  float sum = 0;
  for (int i = -reach; i <= reach; ++i) {
    weights.push_back(std::exp(-0.5f * static_cast<float>(i * i) / (kSmooth_px * kSmooth_px)));
    sum += weights.back();
  }
  for (float& weight : weights) weight /= sum;
  return weights;
}

// A row of the smoothed picture; the border pixel is repeated. `column` holds a pixel more on either side.
void smooth_row(const ImageView<const uint8_t>& luma, const std::vector<float>& weights, int y,
                std::vector<float>& column, float* to) {
  const int reach = static_cast<int>(weights.size()) / 2, width = luma.width;
  float* const middle = column.data() + reach;
  std::fill_n(middle, width, 0.0f);
  for (int i = -reach; i <= reach; ++i) {
    const uint8_t* const row = luma.row(std::clamp(y + i, 0, luma.height - 1));
    const float weight = weights[static_cast<size_t>(i + reach)];
    for (int x = 0; x < width; ++x) middle[x] += weight * static_cast<float>(row[x]);
  }
  for (int i = 1; i <= reach; ++i) middle[-i] = middle[0], middle[width - 1 + i] = middle[width - 1];
  std::fill_n(to, width, 0.0f);
  for (int i = -reach; i <= reach; ++i) {
    const float weight = weights[static_cast<size_t>(i + reach)];
    for (int x = 0; x < width; ++x) to[x] += weight * middle[x + i];
  }
}

Result<Image> contrast_of(const ImageView<const uint8_t>& luma) {
  VANTAGE_ASSIGN(Image smooth, Image::make(ImageType::f32, luma.width, luma.height, HostPool::shared()));
  VANTAGE_ASSIGN(Image image, Image::make(ImageType::f32, 2 * luma.width, luma.height, HostPool::shared()));
  const std::vector<float> weights = gaussian();
  const ImageView<float> from = smooth.writable_view<float>(), to = image.writable_view<float>();
  tbb::parallel_for(tbb::blocked_range<int>(0, luma.height), [&](const tbb::blocked_range<int>& rows) {
    std::vector<float> column(static_cast<size_t>(luma.width) + weights.size());
    for (int y = rows.begin(); y < rows.end(); ++y) smooth_row(luma, weights, y, column, from.row(y));
  });
  tbb::parallel_for(0, luma.height, [&](int y) {
    const float *above = from.row(std::max(0, y - 1)), *below = from.row(std::min(luma.height - 1, y + 1));
    for (int x = 0; x < luma.width; ++x) {
      const float gx = 0.5f * (from.at(std::min(luma.width - 1, x + 1), y) - from.at(std::max(0, x - 1), y));
      const float gy = 0.5f * (below[x] - above[x]);
      const float share = 1 / (std::sqrt(gx * gx + gy * gy) + kFlat);
      to.at(2 * x, y) = share * gx, to.at(2 * x + 1, y) = share * gy;
    }
  });
  return image;
}

}  // namespace

// From one seed.
class HeadOutlines::Search {
 public:
  Search(const std::vector<View>& views, const Shape& seed) : views_(views), seed_(seed) {}

  static constexpr float kUnseen = -1;  // fewer than two views see it
  struct Found {
    Shape shape;
    float score = kUnseen;
  };

  Found best() const {
    Found best;
    for (Found found : candidates()) {
      turn(found);
      refine(found);
      if (found.score > best.score) best = found;
    }
    return best;
  }

  static float agreement(const std::vector<View>& views, const Shape& shape) {
    std::array<OutlinePoint, kPoints> points;
    float sum = 0;
    int seeing = 0;
    for (const View& view : views) {
      if (!outline_of(view.camera, view.eye_m, shape, points)) continue;
      sum += mean_across(view.contrast.view<float>(), points);
      ++seeing;
    }
    return seeing < 2 ? -1 : sum / static_cast<float>(seeing);
  }

 private:
  // The outline around the seed, relative to where the seed's centre appears.
  struct Ring {
    const View* view;
    std::array<OutlinePoint, kCoarsePoints> points;
  };

  // Less for what lies away from the seed, more for what is higher.
  float preference(const Shape& shape) const {
    const float dx = shape.x - seed_.x, dy = shape.y - seed_.y, dz = shape.z - seed_.z;
    const auto limited = [](float squared) { return std::min(1.0f, squared / (kAway_m * kAway_m)); };
    return kHigher * dz - kAside * limited(dx * dx + dy * dy) - kAway * limited(dz * dz);
  }

  float score(const Shape& shape) const {
    const float agreed = agreement(views_, shape);
    return agreed < 0 ? kUnseen : agreed + preference(shape);
  }

  std::vector<Ring> rings_of(float radius) const {
    std::vector<Ring> rings;
    Shape shape = seed_;
    shape.radius = radius;
    for (const View& view : views_) {
      Ring ring{&view, {}};
      const Pixel<float> center = project(view.camera, seed_.x, seed_.y, seed_.z);
      if (!outline_of(view.camera, view.eye_m, shape, ring.points)) continue;
      for (OutlinePoint& point : ring.points) point.x -= center.x, point.y -= center.y;
      rings.push_back(ring);
    }
    return rings;
  }

  static float moved_agreement(const Ring& ring, const Shape& shape) {
    const Pixel<float> center = project(ring.view->camera, shape.x, shape.y, shape.z);
    const ImageView<const float> contrast = ring.view->contrast.view<float>();
    float sum = 0;
    for (const OutlinePoint& point : ring.points) {
      const float x = center.x + point.x, y = center.y + point.y;
      if (!center.in_front || !support_inside(contrast.width / 2, contrast.height, x, y)) return -1;
      sum += across(contrast, point, x, y);
    }
    return sum / kCoarsePoints;
  }

  // Most places end at the first view.
  float coarse_score(const std::vector<Ring>& rings, const Shape& shape) const {
    float sum = 0;
    int seeing = 0;
    for (const Ring& ring : rings) {
      const float agreed = moved_agreement(ring, shape);
      if (agreed < 0) continue;
      sum += agreed;
      if (++seeing == 1 && agreed < kLeastFirst) return kUnseen;
    }
    return seeing < 2 ? kUnseen : sum / static_cast<float>(seeing) + preference(shape);
  }

  std::vector<Found> coarse() const {
    std::vector<Found> all;
    for (const float radius : kCoarseRadii_m) {
      const std::vector<Ring> rings = rings_of(radius);
      for (float dz = -kReachDown_m; dz <= kReachUp_m; dz += kCoarse_m)
        for (float dy = -kReach_m; dy <= kReach_m; dy += kCoarse_m)
          for (float dx = -kReach_m; dx <= kReach_m; dx += kCoarse_m) {
            const Shape shape{seed_.x + dx, seed_.y + dy, seed_.z + dz, radius, 0, 1};
            if (const float value = coarse_score(rings, shape); value > kUnseen)
              all.push_back({shape, value});
          }
    }
    return all;
  }

  // The best places, apart.
  std::vector<Found> candidates() const {
    std::vector<Found> all = coarse(), chosen;
    std::stable_sort(all.begin(), all.end(),
                     [](const Found& a, const Found& b) { return a.score > b.score; });
    for (const Found& found : all) {
      const bool apart = std::none_of(chosen.begin(), chosen.end(), [&](const Found& other) {
        return length({found.shape.x - other.shape.x, found.shape.y - other.shape.y,
                       found.shape.z - other.shape.z}) < kApart_m;
      });
      if (apart) chosen.push_back(found);
      if (chosen.size() == kCandidates) break;
    }
    return chosen;
  }

  // The long axis in the best of some directions.
  void turn(Found& found) const {
    Shape shape = found.shape;
    shape.elongation = kElongation;
    found.score = kUnseen;
    for (int i = 0; i < kDirections; ++i) {
      shape.yaw = std::numbers::pi_v<float> * static_cast<float>(i) / kDirections;
      if (const float value = score(shape); value > found.score) found = {shape, value};
    }
  }

  void refine(Found& found) const {
    float step = kFirstStep_m;
    for (int i = 0; i <= kHalvings; ++i, step *= 0.5f)
      for (int round = 0; round < kRounds && improve(found, step); ++round) {
      }
  }

  // Tries a step each way in each number; whether one was better.
  bool improve(Found& found, float step) const {
    bool better = false;
    constexpr std::array<std::pair<float Shape::*, float>, 5> kNumbers = {{{&Shape::x, 1.0f},
                                                                           {&Shape::y, 1.0f},
                                                                           {&Shape::z, 1.0f},
                                                                           {&Shape::radius, 0.5f},
                                                                           {&Shape::yaw, 20.0f}}};
    for (const auto& [number, size] : kNumbers)
      for (const float sign : {1.0f, -1.0f}) {
        Shape shape = found.shape;
        shape.*number += sign * step * size;
        if (shape.radius < kLeastRadius_m || shape.radius > kMostRadius_m) continue;
        const float value = score(shape);
        if (value <= found.score) continue;
        found = {shape, value};
        better = true;
      }
    return better;
  }

  const std::vector<View>& views_;
  const Shape seed_;
};

Result<HeadOutlines> HeadOutlines::make(std::span<const OutlineView> views) {
  HeadOutlines outlines;
  for (const OutlineView& from : views) {
    if (!from.luma.data) continue;
    if (from.luma.width != from.camera.width_px || from.luma.height != from.camera.height_px)
      return fail(ErrorKind::invalid_argument, "a picture has another size than its calibration",
                  "height map");
    View view{cast_camera<float>(from.camera), {}, {}};
    const double *r = from.camera.rotation_cam_from_world, *t = from.camera.translation_cam_from_world_m;
    for (int i = 0; i < 3; ++i)
      view.eye_m[i] = static_cast<float>(-(r[i] * t[0] + r[3 + i] * t[1] + r[6 + i] * t[2]));
    VANTAGE_ASSIGN(view.contrast, contrast_of(from.luma));
    outlines.views_.push_back(std::move(view));
  }
  return outlines;
}

std::vector<Head> HeadOutlines::fit(const std::vector<Head>& heads,
                                    const HeightMapParameters& parameters) const {
  std::vector<Head> fitted(heads.size());
  tbb::parallel_for(size_t{0}, heads.size(), [&](size_t i) {
    const Head& head = heads[i];
    const Shape seed{static_cast<float>(head.x_m), static_cast<float>(head.y_m),
                     static_cast<float>(head.height_m) - kTall * kSeedRadius_m, kSeedRadius_m};
    const Search::Found found = Search(views_, seed).best();
    fitted[i] = head;
    fitted[i].x_m = static_cast<double>(found.shape.x), fitted[i].y_m = static_cast<double>(found.shape.y);
    fitted[i].z_m = static_cast<double>(found.shape.z);
    fitted[i].height_m = static_cast<double>(found.shape.z + kTall * found.shape.radius);
    fitted[i].yaw_rad = static_cast<double>(found.shape.yaw);
    fitted[i].radius_m = static_cast<double>(found.shape.radius);
    fitted[i].outline = static_cast<double>(Search::agreement(views_, found.shape));
  });
  std::erase_if(fitted, [&](const Head& head) {
    return head.outline < std::max(1e-3, parameters.least_outline);  // 0: not seen by two views
  });
  const auto rank = [](const Head& head) {
    return head.outline + static_cast<double>(kHigher) * head.height_m;
  };
  std::stable_sort(fitted.begin(), fitted.end(),
                   [&](const Head& a, const Head& b) { return rank(a) > rank(b); });
  std::vector<Head> apart;
  for (const Head& head : fitted)
    if (std::none_of(apart.begin(), apart.end(), [&](const Head& other) {
          return std::hypot(head.x_m - other.x_m, head.y_m - other.y_m) < parameters.head_distance_m;
        }))
      apart.push_back(head);
  return apart;
}

namespace {

// The height at which a pixel's ray enters the ellipsoid, or, beside it by no more than kRim, passes it
// closest; NaN: neither.
double surface_height(const Head& head, const double* eye, double slope_x, double slope_y) {
  const Shape shape{0, 0, 0, 1, static_cast<float>(head.yaw_rad), kElongation};
  const Rounding rounding(shape);
  const double r = head.radius_m;
  const auto [ox, oy, oz] = rounding.rounded(static_cast<float>((eye[0] - head.x_m) / r),
                                             static_cast<float>((eye[1] - head.y_m) / r),
                                             static_cast<float>((eye[2] - head.z_m) / r));
  const auto [dx, dy, dz] = rounding.rounded(static_cast<float>(slope_x / r), static_cast<float>(slope_y / r),
                                             static_cast<float>(1 / r));
  const double a = double{dx * dx + dy * dy + dz * dz}, b = double{dx * ox + dy * oy + dz * oz},
               c = double{ox * ox + oy * oy + oz * oz};
  const double closest = c - b * b / a;  // squared, in radii
  if (!(closest < kRim * kRim)) return std::numeric_limits<double>::quiet_NaN();
  // The camera looks down: what it meets first is the highest.
  return eye[2] + (-b + std::sqrt(std::max(0.0, b * b - a * (c - 1)))) / a;
}

}  // namespace

Result<Image> heights_with_shapes(const HeightMap& map, std::span<const Head> heads,
                                  const ImageView<const float>& slopes, const double* center_in_world_m) {
  VANTAGE_ASSIGN(Image image, heights_in_metres(map, HostPool::shared()));
  const ImageView<float> out = image.writable_view<float>();
  const double* const eye = center_in_world_m;
  tbb::parallel_for(0, map.height, [&](int y) {
    for (int x = 0; x < map.width; ++x) {
      const double slope_x = static_cast<double>(slopes.at(2 * x, y)),
                   slope_y = static_cast<double>(slopes.at(2 * x + 1, y));
      double highest = 0;
      for (const Head& head : heads) {
        // The head is small: most are told apart at the height of its top.
        const double down = head.height_m - eye[2], reach = 6 * head.radius_m;
        const double dx = eye[0] + down * slope_x - head.x_m, dy = eye[1] + down * slope_y - head.y_m;
        if (!(dx * dx + dy * dy < reach * reach)) continue;
        if (const double height = surface_height(head, eye, slope_x, slope_y); height > highest)
          highest = height;
      }
      if (highest > 0) out.at(x, y) = static_cast<float>(highest);
    }
  });
  return image;
}

}  // namespace vantage
