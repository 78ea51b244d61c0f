#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/python/arrays.h"
#include "app/python/error.h"
#include "app/python/frames.h"
#include "app/python/parameters.h"
#include "app/python/primitives.h"
#include "app/python/project.h"
#include "app/python/scene.h"
#include "app/python/scene_algorithms.h"
#include "app/python/tensor.h"
#include "core/geometry/lens_inverse.h"
#include "core/metrics/track_figures.h"
#include "core/project/variants.h"
#include "core/results/compare_trackers.h"
#include "core/setup/alignment/align.h"
#include "core/setup/boards/project_boards.h"

namespace vantage::python {
namespace {

// Measures of tracks, and synchronisation.

using Rows = py::array_t<double, py::array::c_style | py::array::forcecast>;

// A file or a folder of results; or an array: frame, id, x, y and optionally height in the world; frame, id,
// left, top, width, height in pictures.
JudgedTracks tracks_of(const py::object& given, TrackSpace space, const char* name) {
  if (py::isinstance<py::str>(given) || py::hasattr(given, "__fspath__")) {
    const auto path = given.cast<std::filesystem::path>();
    return value(unlocked([&] { return read_judged_tracks(path); }));
  }
  const auto rows = Rows::ensure(given);
  if (!rows) throw py::error_already_set();
  const bool world = space == TrackSpace::world;
  if (rows.ndim() != 2 || rows.shape(1) < (world ? 4 : 6)) require_shape(rows, {-1, world ? 4 : 6}, name);
  JudgedTracks tracks;
  for (py::ssize_t i = 0; i < rows.shape(0); ++i) {
    TrackRow row{.frame = static_cast<int64_t>(rows.at(i, 0)), .id = static_cast<int64_t>(rows.at(i, 1))};
    if (world) {
      row.x_m = rows.at(i, 2), row.y_m = rows.at(i, 3);
      if (rows.shape(1) > 4) row.height_m = rows.at(i, 4);
    } else {
      row.left_px = rows.at(i, 2), row.top_px = rows.at(i, 3);
      row.width_px = rows.at(i, 4), row.height_px = rows.at(i, 5);
    }
    tracks.rows.push_back(row);
  }
  return tracks;
}

// (from, to); None where it is unknown.
py::object interval_of(const FigureInterval& interval) {
  if (!interval.known()) return py::none();
  return py::make_tuple(interval.from, interval.to);
}

py::dict evaluate(const py::object& truth, const py::object& given, const std::string& space,
                  double threshold, double cutoff, double order, bool intervals) {
  if (space != "world" && space != "image")
    raise({ErrorKind::invalid_argument, "'" + space + "' is neither world nor image", "space",
           "world: places on the floor; image: boxes."});
  EvaluationOptions options;
  options.space = space == "world" ? TrackSpace::world : TrackSpace::image;
  options.threshold = threshold, options.cutoff_m = cutoff, options.order = order;
  JudgedTracks right = tracks_of(truth, options.space, "truth"),
               judged = tracks_of(given, options.space, "given");
  for (std::vector<TrackRow>* rows : {&right.rows, &judged.rows})
    std::erase_if(*rows, [&](const TrackRow& row) { return judged.unknown_frames.contains(row.frame); });
  const TrackingMetrics m =
      value(unlocked([&] { return evaluate_tracks(right.rows, judged.rows, options); }));
  py::dict figures;
  figures["frames"] = m.frames, figures["true_rows"] = m.true_rows, figures["given_rows"] = m.given_rows;
  figures["mota"] = m.clear.mota, figures["motp"] = m.clear.motp;
  figures["moda"] = m.clear.moda, figures["modp"] = m.clear.modp;
  figures["recall"] = m.clear.recall, figures["precision"] = m.clear.precision;
  figures["true_positives"] = m.clear.true_positives, figures["false_positives"] = m.clear.false_positives;
  figures["false_negatives"] = m.clear.false_negatives, figures["switches"] = m.clear.switches;
  figures["idf1"] = m.identity.idf1, figures["idp"] = m.identity.precision,
  figures["idr"] = m.identity.recall;
  figures["hota"] = m.hota.hota, figures["det_a"] = m.hota.det_a, figures["ass_a"] = m.hota.ass_a;
  figures["floor_error_m"] = options.space == TrackSpace::world && m.clear.true_positives > 0
                                 ? py::object(py::float_(m.places.floor_error_m))
                                 : py::none();
  const auto on_floor = [&](double value) {
    return options.space == TrackSpace::world ? py::object(py::float_(value)) : py::none();
  };
  figures["ospa_m"] = on_floor(m.sets.ospa_m), figures["gospa_m"] = on_floor(m.sets.gospa_m);
  figures["gospa_localisation"] = on_floor(m.sets.localisation);
  figures["gospa_missed"] = on_floor(m.sets.missed), figures["gospa_false"] = on_floor(m.sets.false_found);
  if (!intervals) return figures;
  const std::vector<FrameCounts> frames = value(unlocked([&]() -> Result<std::vector<FrameCounts>> {
    VANTAGE_ASSIGN(const MatchedTracks matched, MatchedTracks::make(right.rows, judged.rows, options));
    return matched.counts();
  }));
  py::dict known;
  for (const TrackFigure* figure : track_figures(options.space))
    known[std::string(figure->name).c_str()] = interval_of(figure_interval(*figure, frames));
  figures["intervals"] = known;
  return figures;
}

py::list synchronise(const OpenProject& open, bool sound, const std::string& backend) {
  const auto backends = backends_for(backend);
  AlignOptions options;
  options.collect.backends = backends->on_device();
  options.collect.hardware = backends->hardware;
  options.collect.lines = open.project.calibrated();
  options.sound = sound;
  const Project project = open.project;
  const StopSource stop;
  options.collect.stop = stop;
  const Alignment alignment = value(interruptible(stop, [&] { return align_project(project, options); }));
  py::list cameras;
  for (size_t i = 0; i < project.cameras.size(); ++i) {
    const CameraAlignment& camera = alignment.estimate.cameras[i];
    py::dict found;
    found["name"] = project.cameras[i].name;
    found["offset_frames"] =
        camera.offset_frames ? py::object(py::float_(*camera.offset_frames)) : py::none();
    found["sigma_frames"] = camera.sigma_frames, found["confidence"] = camera.confidence;
    found["drift_ppm"] = camera.drift_ppm, found["reason"] = camera.reason;
    py::list changes;
    for (const OffsetChange& change : camera.changes)
      changes.append(py::make_tuple(change.base_frame, change.frames));
    found["changes"] = std::move(changes);
    found["vouched"] =
        camera.vouched ? py::object(py::make_tuple(camera.vouched->begin, camera.vouched->end)) : py::none();
    cameras.append(std::move(found));
  }
  return cameras;
}

void add_evaluation(py::module_& module) {
  module.def("evaluate", &evaluate, py::arg("truth"), py::arg("given"), py::kw_only(),
             py::arg("space") = "world", py::arg("threshold") = 0.5, py::arg("cutoff") = 0.0,
             py::arg("order") = 1.0, py::arg("intervals") = false,
             "CLEAR MOT, identity metrics, HOTA, OSPA and GOSPA of tracks, as `vantage-cli evaluate` has "
             "them. Each of "
             "the two is\n"
             "a CSV file, a folder of results, or rows of frame, id, x, y[, height] (world) or frame, id, "
             "left, top,\n"
             "width, height (image). `threshold`: largest distance in metres, or least IoU. `cutoff` "
             "(metres;\n0: the threshold) and `order` are those of OSPA and GOSPA. `intervals`: also a dict "
             "of 95 % intervals by\nthe block bootstrap, None where the span is too short.");
  module.def(
      "synchronise", &synchronise, py::arg("project"), py::kw_only(), py::arg("sound") = true,
      py::arg("backend") = "auto",
      "A dict for each camera: the frame that belongs to frame 0 of the first camera, None where nothing is\n"
      "sure, with the reason. `changes`: (base frame, frames) of lost frames; `vouched`: base frames, the "
      "end\n"
      "excluded, in which others are excluded, None where that was not examined.");
}

// Cameras solved by a board, for Python.

using Paths = std::map<std::string, std::filesystem::path>;

std::optional<LensModel> model_named(const std::optional<std::string>& name) {
  if (!name) return {};
  for (const LensModel model : {LensModel::polynomial, LensModel::rational, LensModel::fisheye})
    if (*name == lens_model_name(model)) return model;
  raise({ErrorKind::invalid_argument, "'" + *name + "' is not a lens model", "lens",
         "Models: polynomial, rational, fisheye."});
}

// Sets the board pictures of the named cameras; the others keep those of the project.
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

// Named parameter sets of a project (core/project/variants.h), for Python.

using SharedVariant = std::shared_ptr<Variant>;

// Variants by name. Unreadable files raise a warning and are left as they are.
py::dict variants(const OpenProject& open) {
  StoredVariants stored = unlocked([&] { return read_variants(open.project.path, default_parameters()); });
  for (const Error& damaged : stored.damaged)
    if (PyErr_WarnEx(PyExc_UserWarning, damaged.message().c_str(), 1) != 0) throw py::error_already_set();
  py::dict all;
  for (Variant& variant : stored.variants) {
    const py::str name(variant.name);
    all[name] = std::make_shared<Variant>(std::move(variant));
  }
  return all;
}

// Source of a new variant: nothing, the parameters in use; another variant; or a folder of results.
Variant variant_of(const OpenProject& open, const py::object& from) {
  if (from.is_none()) return {{}, {}, "the project", {}, open.project.parameters};
  if (py::isinstance<Variant>(from)) {
    Variant variant = *from.cast<SharedVariant>();
    variant.origin = "the variant " + variant.name;
    return variant;
  }
  const auto path = from.cast<std::filesystem::path>();
  ParametersOfResults of = value(parameters_of_results(path, default_parameters()));
  return {{}, {}, path.filename().string() + " of version " + of.version, {}, std::move(of.parameters)};
}

SharedVariant add_variant(const OpenProject& open, const std::string& name, const py::object& from,
                          bool replace) {
  Variant variant = variant_of(open, from);
  variant.name = name;
  check(write_variant(open.project.path, variant, replace));
  return std::make_shared<Variant>(value(read_variant(open.project.path, name, default_parameters())));
}

void use_variant(OpenProject& open, const py::object& given) {
  if (py::isinstance<Variant>(given)) {
    open.project.parameters = given.cast<SharedVariant>()->parameters;
    return;
  }
  open.project.parameters =
      value(read_variant(open.project.path, given.cast<std::string>(), default_parameters())).parameters;
}

void add_variants(py::module_& module) {
  py::class_<Variant, SharedVariant>(module, "Variant",
                                     "A named set of parameters, in addition to a project's.")
      .def_readonly("name", &Variant::name)
      .def_readonly("made_utc", &Variant::made_utc, "\"2026-11-26T06:30:00Z\".")
      .def_readonly("origin", &Variant::origin, "What it was made of, in words.")
      .def_readonly("version", &Variant::version, "Of the program that made it.")
      .def_property_readonly(
          "parameters",
          [](const SharedVariant& variant) { return parameters_object({variant, &variant->parameters}); },
          "Changes are kept by Project.add_variant(name, variant, replace=True).")
      .def("__repr__", [](const Variant& variant) { return "<vantage.Variant " + variant.name + ">"; });
  const py::object project = module.attr("Project");
  const auto add = [&](const char* name, auto function, const auto&... more) {
    project.attr(name) = py::cpp_function(function, py::name(name), py::is_method(project), more...);
  };
  add("variants", &variants, "The variants by name, as their files are now.");
  add("add_variant", &add_variant, py::arg("name"), py::arg("of") = py::none(), py::kw_only(),
      py::arg("replace") = false,
      "Writes a variant: of the parameters in use, of another Variant, or of those that a folder of results\n"
      "was made with. Replaces one of that name only if told.");
  add("use_variant", &use_variant, py::arg("variant"),
      "Gives the project the parameters of a variant, by name or as it is; save() writes them.");
  add(
      "remove_variant",
      [](const OpenProject& open, const std::string& name) {
        check(remove_variant(open.project.path, name));
      },
      py::arg("name"), "With its results.");
}

}  // namespace

}  // namespace vantage::python

PYBIND11_MODULE(_core, module) {
  namespace python = vantage::python;
  module.attr("__version__") = VANTAGE_VERSION;
  python::add_errors(module);
  python::add_parameters(module);
  python::add_projects(module);
  python::add_variants(module);
  python::add_tensors(module);
  python::add_scene(module);
  python::add_frames(module);
  python::add_primitives(module);
  python::add_scene_algorithms(module);
  python::add_calibrate(module);
  python::add_evaluation(module);
  pybind11::list names;
  for (const auto& [name, ignored] : module.attr("__dict__").cast<pybind11::dict>())
    if (const auto text = name.cast<std::string>(); text[0] != '_') names.append(text);
  module.attr("__all__") = names;
}
