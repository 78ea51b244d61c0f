#include "core/synth/detail/room.h"

#include <cmath>

#include "core/synth/random.h"

namespace vantage::synth {
namespace {

using Eigen::Vector3f;

int cell(float v) {
  return static_cast<int>(std::floor(v));
}

// Smooth noise in [0, 1] with features of size 1.
float noise(float x, float y, uint32_t salt) {
  const int ix = cell(x), iy = cell(y);
  const float u = smoothstep(0, 1, x - static_cast<float>(ix)),
              v = smoothstep(0, 1, y - static_cast<float>(iy));
  const float above = lattice(ix, iy, salt) * (1 - u) + lattice(ix + 1, iy, salt) * u;
  const float below = lattice(ix, iy + 1, salt) * (1 - u) + lattice(ix + 1, iy + 1, salt) * u;
  return above * (1 - v) + below * v;
}

// 1 inside [low, high], fading over `soft` at both ends.
float band(float x, float low, float high, float soft) {
  return smoothstep(low - soft, low + soft, x) * (1 - smoothstep(high - soft, high + soft, x));
}

Color boards(float x, float y, uint32_t salt) {
  constexpr float width = 0.17f, length = 1.9f;
  const int row = cell(y / width);
  const float shifted = x / length + lattice(row, 17, salt);
  const int board = cell(shifted);
  const float tone = lattice(row, board, salt + 1);
  const float grain = noise(x * 2.5f + 40 * tone, y * 45.f, salt + 2) - 0.5f;
  const float figure = noise(x * 0.9f + 90 * tone, y * 9.f, salt + 3) - 0.5f;
  Color wood = lerp(Color(0.355f, 0.215f, 0.118f), Color(0.475f, 0.318f, 0.190f), tone);
  wood *= 1 + 0.14f * grain + 0.16f * figure;
  const float across = y / width - static_cast<float>(row), along = shifted - static_cast<float>(board);
  const float gap = std::min(std::min(across, 1 - across) * width, std::min(along, 1 - along) * length);
  return wood * (0.62f + 0.38f * smoothstep(0.001f, 0.006f, gap));
}

// Concentric bands around the origin.
Color with_rug(const Color& floor, float x, float y, uint32_t salt) {
  constexpr float radius = 1.35f;
  const float r = std::sqrt(x * x + y * y);
  if (r > radius + 0.02f) return floor;
  Color rug = {0.085f, 0.150f, 0.205f};
  rug = lerp(rug, {0.46f, 0.41f, 0.33f},
             std::max(band(r, 1.20f, 1.26f, 0.008f), band(r, 0.62f, 0.66f, 0.008f)));
  rug = lerp(rug, {0.30f, 0.085f, 0.055f}, band(r, 0.70f, 0.86f, 0.01f));
  rug *= 0.88f + 0.24f * noise(x * 38, y * 38, salt + 5);
  return lerp(floor, rug, 1 - smoothstep(radius - 0.01f, radius + 0.01f, r));
}

Color sky_through_window(float height) {
  return lerp(Color(0.80f, 0.86f, 0.92f), Color(0.62f, 0.78f, 1.00f), smoothstep(1.0f, 3.0f, height));
}

// A tall window every 2.4 m along the wall; `s` runs along it.
bool window(float s, float z, Color* color) {
  const float in_bay = s / 2.4f - std::floor(s / 2.4f) - 0.5f;
  const float x = std::abs(in_bay * 2.4f);
  if (x > 0.74f || z < 0.95f || z > 2.95f) return false;
  const bool frame = x > 0.67f || x < 0.025f || z < 1.02f || z > 2.88f || std::abs(z - 2.2f) < 0.025f;
  *color = frame ? Color(0.62f, 0.61f, 0.58f) : sky_through_window(z);
  return true;
}

// A framed picture every 2.6 m: a few plain fields of colour.
bool wall_picture(float s, float z, int wall, uint32_t salt, Color* color) {
  const int index = cell(s / 2.6f);
  const float x = s - (static_cast<float>(index) + 0.5f) * 2.6f;
  const float half_width = 0.36f + 0.30f * lattice(index, wall, salt + 7), half_height = 0.46f;
  const float y = z - 1.85f;
  if (std::abs(x) > half_width || std::abs(y) > half_height) return false;
  const float edge = std::min(half_width - std::abs(x), half_height - std::abs(y));
  if (edge < 0.03f)
    *color = {0.10f, 0.07f, 0.05f};
  else if (edge < 0.09f)
    *color = {0.66f, 0.65f, 0.61f};
  else {
    const float hue = lattice(index, wall, salt + 8), level = lattice(index, wall, salt + 9) * 0.3f - 0.15f;
    const Color upper = lerp(Color(0.12f, 0.30f, 0.42f), Color(0.62f, 0.36f, 0.13f), hue);
    const Color lower = lerp(Color(0.45f, 0.12f, 0.08f), Color(0.10f, 0.20f, 0.15f), hue);
    *color = y > level + 0.12f * std::sin(5 * x + 6 * hue) ? upper : lower;
    if ((x - 0.1f) * (x - 0.1f) + (y - 0.2f) * (y - 0.2f) < 0.012f) *color = {0.68f, 0.58f, 0.30f};
  }
  return true;
}

Color plain_wall(float s, float z) {
  if (z < 0.13f) return {0.68f, 0.66f, 0.62f};               // skirting
  if (z > 0.98f && z < 1.03f) return {0.66f, 0.64f, 0.60f};  // rail
  if (z > 1.03f) return {0.66f, 0.62f, 0.545f};
  const float in_panel = std::abs(s / 0.6f - std::round(s / 0.6f)) * 0.6f;
  return Color(0.215f, 0.285f, 0.275f) * (0.80f + 0.20f * smoothstep(0.004f, 0.014f, in_panel));
}

// Corners receive less light.
float corner_shade(const Room& room, const Vector3f& p, int axis) {
  float shade = 1;
  for (int other = 0; other < 3; ++other) {
    if (other == axis) continue;
    const float distance =
        other == 2 ? std::min(p.z(), room.height_m - p.z()) : room.half_side_m - std::abs(p[other]);
    shade *= 1 - 0.30f * std::exp(-std::max(distance, 0.f) / 0.45f);
  }
  return shade;
}

// Daylight comes through the windows at +x: what is near them is brighter.
float window_glow(const Room& room, const Vector3f& p) {
  return 0.86f + 0.14f * p.x() / room.half_side_m;
}

// The exit of a ray from the room's box: the point and the axis of the surface it meets.
Vector3f leave_room(const Room& room, const Vector3f& origin, const Vector3f& direction, int* axis) {
  float nearest = 1e30f;
  for (int i = 0; i < 3; ++i) {
    if (std::abs(direction[i]) < 1e-9f) continue;
    const float low = i == 2 ? 0.f : -room.half_side_m, high = i == 2 ? room.height_m : room.half_side_m;
    const float t = ((direction[i] > 0 ? high : low) - origin[i]) / direction[i];
    if (t < nearest) nearest = t, *axis = i;
  }
  return origin + nearest * direction;
}

Color wall_or_ceiling(const Room& room, const Light& light, const Vector3f& p, int axis) {
  const float shade = corner_shade(room, p, axis) * window_glow(room, p);
  if (axis == 2) return Color(0.74f, 0.73f, 0.71f) * (light.bounce + 0.55f * light.sky) * shade;
  const int wall = axis * 2 + (p[axis] > 0);
  const float s = p[1 - axis];
  Color color;
  if (wall == 1 && window(s, p.z(), &color)) return color;
  if (wall == 1 || !wall_picture(s, p.z(), wall, room.salt, &color)) color = plain_wall(s, p.z());
  const float facing = std::max(0.f, -light.towards[axis] * (p[axis] > 0 ? 1.f : -1.f));
  const Color ambient = 0.5f * (light.sky + light.bounce) + 0.30f;
  return color * (ambient + 0.55f * facing * light.key) * shade;
}

}  // namespace

RoomLight trace_room(const Room& room, const Light& light, const Vector3f& origin,
                     const Vector3f& direction) {
  int axis = 2;
  const Vector3f p = leave_room(room, origin, direction, &axis);
  if (axis != 2 || direction.z() > 0) return {Color::Zero(), wall_or_ceiling(room, light, p, axis)};
  const Color albedo = with_rug(boards(p.x(), p.y(), room.salt), p.x(), p.y(), room.salt);
  const float shade = corner_shade(room, p, 2), glow = window_glow(room, p);
  RoomLight result{albedo * light.key * (0.80f * light.towards.z() * glow * shade),
                   albedo * light.sky * (glow * shade)};
  // The varnish mirrors a little of the walls, more at grazing angles (C. Schlick, 1994).
  const bool on_rug = p.x() * p.x() + p.y() * p.y() < 1.35f * 1.35f;
  if (!on_rug) {
    const Vector3f d = direction.normalized();
    const float mirror = 0.03f + 0.45f * std::pow(1 + d.z(), 5.f);
    int mirrored_axis = 2;
    const Vector3f q = leave_room(room, p, Vector3f(d.x(), d.y(), -d.z()), &mirrored_axis);
    result.other += mirror * wall_or_ceiling(room, light, q, mirrored_axis);
  }
  return result;
}

}  // namespace vantage::synth
