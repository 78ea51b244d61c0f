// A person made of ellipsoids, walking. Proportions after the segment lengths of R. Drillis and R. Contini,
// "Body segment parameters" (1966), as fractions of the height.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <vector>

#include "core/image/picture.h"
#include "core/synth/camera_ring.h"
#include "core/synth/detail/walk.h"

namespace vantage::synth {

// Colours are linear light, 1 is the sensor's full scale. A frame is encoded with the sRGB curve, in the
// colours that Vantage works in (core/video/working_colors.h).

using Color = Eigen::Array3f;

inline Color lerp(const Color& a, const Color& b, float t) {
  return a + (b - a) * t;
}
inline float smoothstep(float low, float high, float x) {
  const float t = x <= low ? 0.f : x >= high ? 1.f : (x - low) / (high - low);
  return t * t * (3.f - 2.f * t);
}

// Linear light to R'G'B' in [0, 1].
Color gamma_encode(const Color& linear);

struct YCbCr {
  float y, cb, cr;  // in 8-bit units, limited range
};
YCbCr to_ycbcr(const Color& gamma_encoded, ColorMatrix matrix);  // BT.601 or BT.709

uint8_t round_to_byte(float value);

// The format of every picture rendered here.
PictureFormat picture_format(int width_px, int height_px);

enum class Headwear : uint8_t { none, cap, hat, peaked_cap };
enum class Pattern : uint8_t { plain, stripes };

struct Material {
  Color color = {0.5f, 0.5f, 0.5f};
  Color second = {0.5f, 0.5f, 0.5f};  // the stripes'
  Pattern pattern = Pattern::plain;
};

struct Ellipsoid {
  Eigen::Vector3d center_in_world_m;
  Eigen::Matrix3d axes;  // columns: unit vectors in the world, the third along the limb
  Eigen::Vector3d radii_m;
  const Material* material = nullptr;  // owned by the person
  bool of_head = false;                // skull, face and the hair on top, not hair on the shoulders
};

struct PersonLook {
  double height_m = 1.75;
  double build = 1;  // widths relative to the average
  Material skin, hair, eyes, shirt, trousers, shoes;
  bool long_hair = false, short_sleeves = false, shorts = false;
  Headwear headwear = Headwear::none;
  Material cloth;             // the headwear's
  double peak_turn_left = 0;  // turn of a cap's peak from the face, radians
};

// A body's posture in addition to walking; all zero: upright. Angles in radians.
struct Posture {
  double lean_forward = 0, lean_left = 0;                       // the trunk about the hips
  double head_nod = 0, head_tilt_left = 0, head_turn_left = 0;  // about the neck
  double arm_forward[2] = {}, arm_outward[2] = {};              // raised; left, right; pi is upright
};

struct Body {
  std::vector<Ellipsoid> parts;
  Eigen::Vector3d head_center_in_world_m;
};

// The lower foot touches the floor z = 0. Points into `look`.
Body pose_body(const PersonLook& look, const WalkState& state, const Posture& posture = {});

// An ellipsoid as one camera sees it: the samples that it covers, and its depth there.
//
// For its centre c, A = axes diag(1/r^2) axes^T in camera coordinates and a sample's direction d = (x, y, 1),
// the surface is at the depth t where (t d - c)^T A (t d - c) = 1. The quadratic's coefficients are
// polynomials in x and y; they are set up in double around the centre's own direction, so that evaluating
// them in float loses nothing.

// a + b u + c v + d u^2 + e u v + f v^2 around the centre's direction.
struct Quadratic {
  float a, b, c, d, e, f;
  float operator()(float u, float v) const { return a + u * (b + d * u + e * v) + v * (c + f * v); }
};

class Silhouette {
 public:
  // Empty for an ellipsoid that reaches behind the camera.
  Silhouette(const Ellipsoid& ellipsoid, const CameraView& view);

  const PixelBox& box() const { return box_; }

  // The depth z of the surface in front of normalised point (x, y); false when the ray misses.
  bool hit(float x, float y, float* depth) const {
    const float u = x - x0_, v = y - y0_;
    const float discriminant = discriminant_(u, v);
    if (!(discriminant > 0)) return false;
    *depth = (linear_(u, v) - std::sqrt(discriminant)) / square_(u, v);
    return true;
  }
  // The unit normal, in camera coordinates, at a point on the surface.
  Eigen::Vector3f normal(const Eigen::Vector3f& point) const {
    return (shape_ * (point - center_)).normalized();
  }
  // The point's coordinate along the third axis, -1 to 1.
  float along(const Eigen::Vector3f& point) const { return along_.dot(point - center_); }

 private:
  PixelBox box_;
  float x0_ = 0, y0_ = 0;
  Quadratic discriminant_{}, linear_{}, square_{};
  Eigen::Matrix3f shape_;  // A
  Eigen::Vector3f center_, along_;
};

}  // namespace vantage::synth
