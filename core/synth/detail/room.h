// The room's surfaces: a floor of wooden boards with a round rug, panelled walls with windows on the side the
// light comes from and pictures on the others. Procedural, in metres, so that every camera sees the same
// room.
#pragma once

#include "core/synth/detail/scene.h"

namespace vantage::synth {

struct RoomLight {
  Color key =
      Color::Zero();  // light of the lamp; only the floor's is kept apart, people's shadows take from it
  Color other = Color::Zero();  // everything else
};

// The surface that a ray from inside the room meets.
RoomLight trace_room(const Room& room, const Light& light, const Eigen::Vector3f& origin_in_world_m,
                     const Eigen::Vector3f& direction_in_world);

}  // namespace vantage::synth
