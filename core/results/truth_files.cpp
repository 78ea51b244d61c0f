#include "core/results/truth_files.h"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/display/world_lines.h"
#include "core/metrics/drawn_truth.h"
#include "core/project/project.h"
#include "core/results/compare_trackers.h"

namespace vantage {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

// The box within the picture; nothing where the camera does not see the person.
std::optional<Eigen::AlignedBox2d> box_in(const Camera& camera, const TrackRow& row) {
  const double height_m = row.height_m > 0 ? row.height_m : kStandingFigure_m;
  const auto box = person_rectangle_px(camera_view(camera), {row.x_m, row.y_m, 0}, height_m);
  if (!box) return std::nullopt;
  const Eigen::AlignedBox2d picture(Eigen::Vector2d(0, 0),
                                    Eigen::Vector2d(camera.model().width_px, camera.model().height_px));
  const Eigen::AlignedBox2d seen = box->intersection(picture);
  return seen.isEmpty() || seen.sizes().minCoeff() < 1 ? std::nullopt : std::optional(seen);
}

std::string mot_text(const std::vector<TrackRow>& rows, const ProjectCamera* camera) {
  std::string text;
  for (TrackRow row : rows) {
    if (camera) {
      const auto box = box_in(*camera->calibration_at(row.frame - 1), row);
      if (!box) continue;
      row.left_px = box->min().x(), row.top_px = box->min().y();
      row.width_px = box->sizes().x(), row.height_px = box->sizes().y();
    }
    text += mot_csv_row(row);
  }
  return text;
}

// Rows of one frame, counted from 0.
std::vector<TrackRow> rows_of_frame(const std::vector<TrackRow>& rows, int64_t frame) {
  const auto [first, last] = std::ranges::equal_range(rows, frame + 1, {}, &TrackRow::frame);
  return {first, last};
}

std::string coco_text(const Project& project, const std::vector<TrackRow>& rows,
                      const AnnotatedFrames& frames) {
  ordered_json document = {{"images", ordered_json::array()},
                           {"annotations", ordered_json::array()},
                           {"categories", {{{"id", 1}, {"name", "person"}, {"supercategory", "person"}}}}};
  int64_t image = 0, annotation = 0;
  for (const ProjectCamera& one : project.cameras)
    for (int64_t frame = frames.first; one.calibration && frame <= frames.last; ++frame) {
      const Camera& camera = *one.calibration_at(frame);
      document["images"].push_back({{"id", ++image},
                                    {"file_name", fmt::format("{}/{:06}.png", one.name, frame)},
                                    {"width", camera.model().width_px},
                                    {"height", camera.model().height_px},
                                    {"frame", frame}});
      for (const TrackRow& row : rows_of_frame(rows, frame))
        if (const auto box = box_in(camera, row))
          document["annotations"].push_back(
              {{"id", ++annotation},
               {"image_id", image},
               {"category_id", 1},
               {"bbox", {box->min().x(), box->min().y(), box->sizes().x(), box->sizes().y()}},
               {"area", box->volume()},
               {"iscrowd", 0},
               {"track_id", row.id}});
    }
  return document.dump() + "\n";
}

Result<int64_t> grid_position(const AnnotationGrid& grid, const TrackRow& row) {
  const auto column = std::llround((row.x_m - grid.left_m) / grid.cell_m),
             line = std::llround((row.y_m - grid.low_m) / grid.cell_m);
  if (column < 0 || column >= grid.columns || line < 0 || line >= grid.rows)
    return fail(
        ErrorKind::invalid_argument,
        fmt::format("person {} stands at x {:.2f} m, y {:.2f} m in frame {}, outside WILDTRACK's grid "
                    "(x {:g} to {:g} m, y {:g} to {:g} m)",
                    row.id, row.x_m, row.y_m, row.frame - 1, grid.left_m,
                    grid.left_m + grid.cell_m * grid.columns, grid.low_m,
                    grid.low_m + grid.cell_m * grid.rows),
        "export", "Export to mot or coco, or move the world's origin (calibrate world).");
  return line * grid.columns + column;
}

ordered_json views_json(const Project& project, const TrackRow& row) {
  ordered_json views = ordered_json::array();
  int64_t number = 0;
  for (const ProjectCamera& camera : project.cameras) {
    const Camera* stands = camera.calibration_at(row.frame - 1);
    const auto box = stands ? box_in(*stands, row) : std::nullopt;
    const auto side = [&](double value) { return box ? std::llround(value) : -1; };
    views.push_back({{"viewNum", number++},
                     {"xmin", side(box ? box->min().x() : 0)},
                     {"ymin", side(box ? box->min().y() : 0)},
                     {"xmax", side(box ? box->max().x() : 0)},
                     {"ymax", side(box ? box->max().y() : 0)}});
  }
  return views;
}

Status write_wildtrack(const Project& project, const std::vector<TrackRow>& rows,
                       const AnnotatedFrames& frames, const fs::path& folder) {
  std::vector<std::pair<fs::path, std::string>> files;  // nothing is written if one of them fails
  for (int64_t frame = frames.first; frame <= frames.last; ++frame) {
    ordered_json people = ordered_json::array();
    for (const TrackRow& row : rows_of_frame(rows, frame)) {
      VANTAGE_ASSIGN(const int64_t position, grid_position({}, row));
      people.push_back({{"personID", row.id}, {"positionID", position}, {"views", views_json(project, row)}});
    }
    files.emplace_back(folder / fmt::format("{:08}.json", frame), people.dump(1) + "\n");
  }
  VANTAGE_TRY(make_folder(folder));
  for (const auto& [file, text] : files) VANTAGE_TRY(write_file_atomically(file, text));
  return {};
}

// Frames from the first to the last with a row, at the smallest distance between two.
std::set<int64_t> frames_of(const std::vector<TrackRow>& rows) {
  std::set<int64_t> with_rows;
  for (const TrackRow& row : rows) with_rows.insert(row.frame);
  if (with_rows.size() < 2) return with_rows;
  int64_t step = *with_rows.rbegin() - *with_rows.begin();
  for (auto frame = std::next(with_rows.begin()); frame != with_rows.end(); ++frame)
    step = std::min(step, *frame - *std::prev(frame));
  for (int64_t frame = *with_rows.begin(); frame < *with_rows.rbegin(); frame += step)
    with_rows.insert(frame);
  return with_rows;
}

}  // namespace

Result<std::vector<TruePerson>> read_drawn_truth(const fs::path& path, const WildtrackOptions& options) {
  if (path.extension() == ".vantage") {
    VANTAGE_ASSIGN(Project project, load_project(path));
    return std::move(project.truth);
  }
  VANTAGE_ASSIGN(const GroundTruth truth, read_ground_truth(path, options));
  const auto nowhere = [](const TrackRow& row) { return row.x_m == -1 && row.y_m == -1; };
  if (!truth.rows.empty() && std::ranges::all_of(truth.rows, nowhere))
    return fail(ErrorKind::bad_data, "has no positions on the floor", path.string(),
                "Columns 8 and 9 are x and y in metres; boxes alone are positions in one picture.");
  return truth_of_rows(truth.rows, truth.frames.value_or(frames_of(truth.rows)));
}

Status write_truth(const Project& project, TruthFormat format, std::optional<size_t> camera,
                   const fs::path& path) {
  if (project.truth.empty())
    return fail(ErrorKind::not_found, "holds no ground truth", project.path.string(),
                "Draw it in the window (Shift+T), or import it with `vantage-cli truth`.");
  const std::vector<TrackRow> rows = truth_rows(project.truth);
  const AnnotatedFrames frames = annotated_frames(project.truth);
  const bool boxes = format != TruthFormat::mot || camera;
  const bool calibrated = camera ? project.cameras[*camera].calibration.has_value() : project.calibrated();
  if (boxes && !calibrated)
    return fail(ErrorKind::invalid_argument, "boxes need calibrated cameras", project.path.string(),
                "Calibrate first, or export to mot without a camera.");
  switch (format) {
    case TruthFormat::mot:
      return write_file_atomically(path, mot_text(rows, camera ? &project.cameras[*camera] : nullptr));
    case TruthFormat::coco:
      return write_file_atomically(path, coco_text(project, rows, frames));
    case TruthFormat::wildtrack:
      break;
  }
  return write_wildtrack(project, rows, frames, path);
}

GroundTruth ground_truth_of(std::span<const TruePerson> drawn) {
  GroundTruth truth{truth_rows(drawn), std::set<int64_t>()};
  const AnnotatedFrames frames = annotated_frames(drawn);
  for (int64_t frame = frames.first; frame <= frames.last; ++frame) truth.frames->insert(frame + 1);
  return truth;
}

Result<GroundTruth> read_ground_truth(const std::filesystem::path& path, const WildtrackOptions& options) {
  if (path.extension() == ".vantage") {
    VANTAGE_ASSIGN(const Project project, load_project(path));
    if (project.truth.empty())
      return fail(ErrorKind::not_found, "holds no ground truth", path.string(),
                  "Draw it in the window (Shift+T), or import it with `vantage-cli truth`.");
    return ground_truth_of(project.truth);
  }
  std::error_code none;
  if (is_wildtrack(path) && !std::filesystem::exists(path / "tracks.csv", none)) {
    VANTAGE_ASSIGN(WildtrackTracks tracks, read_wildtrack(path, options));
    return GroundTruth{std::move(tracks.rows), std::move(tracks.frames)};
  }
  VANTAGE_ASSIGN(JudgedTracks tracks, read_judged_tracks(path));
  return GroundTruth{std::move(tracks.rows), std::nullopt, tracks.counted_from_zero};
}

void keep_annotated(const GroundTruth& truth, std::vector<TrackRow>* given) {
  if (truth.frames)
    std::erase_if(*given, [&](const TrackRow& row) { return !truth.frames->contains(row.frame); });
}

}  // namespace vantage
