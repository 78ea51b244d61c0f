// A person made of ellipsoids, walking. Proportions after the segment lengths of R. Drillis and R. Contini,
// "Body segment parameters" (1966), as fractions of the height.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/synth/detail/color.h"
#include "core/synth/detail/walk.h"

namespace vantage::synth {

enum class Headwear : uint8_t { none, cap, hat, peaked_cap };
enum class Pattern : uint8_t { plain, stripes };

struct Material {
  Color color = {0.5f, 0.5f, 0.5f};
  Color second = {0.5f, 0.5f, 0.5f};  // of the stripes
  Pattern pattern = Pattern::plain;
};

struct Ellipsoid {
  Eigen::Vector3d center_in_world_m;
  Eigen::Matrix3d axes;  // columns: unit vectors in the world, the third along the limb
  Eigen::Vector3d radii_m;
  const Material* material = nullptr;  // owned by the person
  bool of_head = false;                // skull, face and the hair on top; not what falls on the shoulders
};

struct PersonLook {
  double height_m = 1.75;
  double build = 1;  // widths relative to the average
  Material skin, hair, eyes, shirt, trousers, shoes;
  bool long_hair = false, short_sleeves = false, shorts = false;
  Headwear headwear = Headwear::none;
  Material cloth;             // of what is worn on the head
  double peak_turn_left = 0;  // where a cap's peak points, from the face; radians
};

// A body's posture besides walking; all zero: upright. Angles in radians.
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

}  // namespace vantage::synth
