#include "app/python/evaluation.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>

#include "app/python/arrays.h"
#include "app/python/error.h"
#include "app/python/interruptible.h"
#include "app/python/project.h"
#include "core/metrics/track_figures.h"
#include "core/results/judged_tracks.h"
#include "core/setup/alignment/align.h"

namespace vantage::python {
namespace {

using Rows = py::array_t<double, py::array::c_style | py::array::forcecast>;

// A file or a folder of results; or an array: frame, id, x, y and, if wanted, height in the world; frame, id,
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

// None where it is unknown: (from, to).
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
    cameras.append(std::move(found));
  }
  return cameras;
}

}  // namespace

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
      "sure, with the reason.");
}

}  // namespace vantage::python
