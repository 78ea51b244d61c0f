#include "app/python/calibrate.h"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <map>
#include <string>
#include <vector>

#include "app/python/error.h"
#include "app/python/interruptible.h"
#include "app/python/project.h"
#include "core/geometry/lens_inverse.h"
#include "core/setup/boards/project_boards.h"

namespace vantage::python {
namespace {

using Paths = std::map<std::string, std::filesystem::path>;

std::optional<LensModel> model_named(const std::optional<std::string>& name) {
  if (!name) return {};
  for (const LensModel model : {LensModel::polynomial, LensModel::rational, LensModel::fisheye})
    if (*name == lens_model_name(model)) return model;
  raise({ErrorKind::invalid_argument, "'" + *name + "' is not a lens model", "lens",
         "Models: polynomial, rational, fisheye."});
}

// Where a camera's pictures are; the others keep what the project says.
void set_pictures(const Paths& given, Project* project) {
  for (const auto& [name, path] : given)
    project->cameras[camera_index(*project, py::str(name))].board_pictures = path.string();
}

py::dict solved_camera(const ProjectCamera& own, const CameraSolution& solved) {
  ProjectCamera camera = own;
  camera.calibration = solved.camera;
  camera.calibration->set_name(own.name);
  py::dict found;
  found["camera"] = std::move(camera);
  found["posed"] = solved.posed;
  found["pictures"] = solved.pictures, found["corners"] = solved.corners;
  found["rms_px"] = solved.rms_px, found["median_px"] = solved.median_px, found["max_px"] = solved.max_px;
  found["held"] = solved.held, found["advice"] = solved.advice;
  return found;
}

py::list calibrate(const OpenProject& open, int columns, int rows, double square_m, const Paths& pictures,
                   bool solve_lens, const std::optional<std::string>& lens, bool still,
                   double board_above_floor_m, const std::optional<std::string>& markers, double marker_m,
                   const std::optional<std::string>& tags, double tag_m, double tag_gap_m, int first_tag,
                   int first_marker, int count, const std::vector<std::filesystem::path>& hand_held) {
  Project project = open.project;
  ProjectBoards boards;
  Board board{columns, rows, square_m};
  if (tags) board = grid_of_tags(columns, rows, {*tags, tag_m, tag_gap_m, first_tag});
  if (markers) board.markers = BoardMarkers{*markers, marker_m, first_marker};
  constexpr int kMaxBoards = 100;
  if (count < 1 || count > kMaxBoards)
    raise({ErrorKind::invalid_argument, "boards are 1 to 100", "boards", "Say how many there are."});
  boards.boards = boards_alike(board, count);
  for (const std::filesystem::path& path : hand_held) boards.hand_held.push_back(path.string());
  set_pictures(pictures, &project);
  boards.solve_lens = solve_lens, boards.model = model_named(lens);
  boards.still = still, boards.board_above_floor_m = board_above_floor_m;
  const StopSource stop;
  const SolvedProjectBoards solved = value(interruptible(
      stop, [&] { return solve_project_boards(project, boards, [](int64_t, int64_t) {}, stop); }));
  py::list cameras;
  for (size_t i = 0; i < project.cameras.size(); ++i)
    cameras.append(solved_camera(project.cameras[i], solved.solution.cameras.at(i)));
  return cameras;
}

}  // namespace

void add_calibrate(py::module_& module) {
  module.def(
      "calibrate", &calibrate, py::arg("project"), py::arg("columns"), py::arg("rows"),
      py::arg("square_m") = 0.0, py::kw_only(), py::arg("pictures") = Paths{}, py::arg("solve_lens") = true,
      py::arg("lens") = py::none(), py::arg("still") = false, py::arg("board_above_floor_m") = 0.0,
      py::arg("markers") = py::none(), py::arg("marker_m") = 0.0, py::arg("tags") = py::none(),
      py::arg("tag_m") = 0.0, py::arg("tag_gap_m") = 0.0, py::arg("first_tag") = 0,
      py::arg("first_marker") = 0, py::arg("boards") = 1,
      py::arg("hand_held") = std::vector<std::filesystem::path>{},
      "The project's cameras solved by a chessboard of that many inner corners: a dict for each with the\n"
      "solved `camera`, its residuals in pixels, what is `held` and `advice` on what to record. `pictures`:\n"
      "by camera a video, a folder of pictures or a pattern, in step; a camera that is not named shows the\n"
      "board in its own video. `lens`: polynomial, rational, fisheye; None: as the project has it. "
      "`markers`\n"
      "and `marker_m`: of ChArUco boards. `tags`, `tag_m` and `tag_gap_m`: the dictionary, side and gap of "
      "a\n"
      "grid of tags, whose tags `columns` and `rows` count; identities count from `first_tag` (of markers\n"
      "`first_marker`). `boards`: number of boards of this kind; identities continue from one to the next, "
      "and\n"
      "the boards are rigidly connected or do not move. `hand_held`: videos or folders of cameras that were\n"
      "carried from board to board, and are not the project's. The project stays as it is: see "
      "Project.apply_calibration().");
}

}  // namespace vantage::python
