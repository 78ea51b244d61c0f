#include "app/cli/calibrate/board_places.h"

#include <Eigen/Geometry>
#include <cmath>
#include <cstdio>

namespace vantage::cli {

using nlohmann::ordered_json;

ordered_json place_json(const Board& board, const BoardPlace& place) {
  ordered_json json = board_json(board);
  json["placed"] = place.placed, json["views"] = place.views;
  if (!place.placed) return json;
  const auto list = [](const Eigen::Vector3d& v) { return ordered_json{v.x(), v.y(), v.z()}; };
  const Eigen::AngleAxisd turn(place.world_board_from_board.linear());
  json["shift_m"] = list(place.world_board_from_board.translation());
  json["rotation_deg"] = list(turn.angle() * turn.axis() * (180 / M_PI));
  json["shift_std_m"] = list(place.shift_std_m);
  json["rotation_std_deg"] = list(place.rotation_std_rad * (180 / M_PI));
  return json;
}

void print_board_places(const BoardsSolution& solution) {
  for (size_t b = 0; b < solution.boards.size(); ++b) {
    const BoardPlace& place = solution.boards[b];
    if (!place.placed)
      std::printf("board %-4zu never seen together with another board: used for lenses only\n", b + 1);
    else if (b == solution.world_board)
      std::printf("board %-4zu in %d views; defines the world\n", b + 1, place.views);
    else
      std::printf(
          "board %-4zu in %d views; from board %zu to it %.2f %.2f %.2f mm +- %.2f mm, turned by %.3f "
          "+- %.3f degrees\n",
          b + 1, place.views, solution.world_board + 1, 1000 * place.world_board_from_board.translation().x(),
          1000 * place.world_board_from_board.translation().y(),
          1000 * place.world_board_from_board.translation().z(), 1000 * place.shift_std_m.norm(),
          Eigen::AngleAxisd(place.world_board_from_board.linear()).angle() * 180 / M_PI,
          place.rotation_std_rad.norm() * 180 / M_PI);
  }
}

}  // namespace vantage::cli
