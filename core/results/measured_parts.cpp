#include "core/results/measured_parts.h"

#include <fmt/core.h>
#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "core/base/text.h"
#include "core/geometry/floor_shapes.h"
#include "core/people/occupancy/coverage.h"

namespace vantage {
namespace {

MeasuredPart measured_part(std::string name, std::vector<FrameCounts> frames) {
  MeasuredPart part{.name = std::move(name)};
  part.first_frame = frames.front().frame - 1, part.last_frame = frames.back().frame - 1;
  part.frames = std::move(frames);
  return part;
}

// Parts without a person are left out.
void add_part(std::string name, std::vector<FrameCounts> frames, MeasuredParts* to) {
  if (!frames.empty()) to->parts.push_back(measured_part(std::move(name), std::move(frames)));
}

void add_times(const MatchedTracks& tracks, int count, MeasuredParts* to) {
  const std::vector<FrameCounts> frames = tracks.counts();
  const auto parts = static_cast<size_t>(std::max(count, 1));
  for (size_t i = 0; i < parts; ++i) {
    const auto at = [&](size_t part) {
      return frames.begin() + static_cast<std::ptrdiff_t>(frames.size() * part / parts);
    };
    std::vector<FrameCounts> some(at(i), at(i + 1));
    if (some.empty()) continue;
    MeasuredPart part = measured_part({}, std::move(some));
    part.name = fmt::format("{}-{}", part.first_frame, part.last_frame);
    to->parts.push_back(std::move(part));
  }
}

Status add_zones(const MatchedTracks& tracks, const Project* project, MeasuredParts* to) {
  if (!project || project->zones.empty())
    return fail(ErrorKind::invalid_argument, "there are no zones to measure by",
                project ? project->path.string() : "zones",
                "Draw zones on the floor, or name the project that has some.");
  for (const FloorZone& zone : project->zones)
    add_part(zone.name, tracks.counts([&](const TrackRow& row, bool) {
      return distance_inside_m(zone, {row.x_m, row.y_m}) >= 0;
    }),
             to);
  return {};
}

Status add_cameras(const MatchedTracks& tracks, const Project* project, MeasuredParts* to) {
  if (!project || !project->calibrated())
    return fail(ErrorKind::invalid_argument, "which cameras see a position is not known",
                project ? project->path.string() : "cameras",
                "Calibrate the cameras, or name the project that has a calibration.");
  const std::vector<int64_t> changes = project->calibration_changes();
  std::vector<std::vector<PinholeCamera<double>>> spans(1 + changes.size());
  for (size_t span = 0; span < spans.size(); ++span)
    for (const Camera& camera : project->calibrations(span == 0 ? 0 : changes[span - 1]))
      spans[span].push_back(camera.model());
  const auto seen_by = [&](const TrackRow& row) {
    const auto span = std::upper_bound(changes.begin(), changes.end(), row.frame - 1) - changes.begin();
    const std::vector<PinholeCamera<double>>& cameras = spans[span];
    return static_cast<size_t>(
        std::popcount(cameras_that_see(cameras, row.x_m, row.y_m, 0) &
                      cameras_that_see(cameras, row.x_m, row.y_m, FloorCoverage::kChest_m)));
  };
  for (size_t count = 0; count <= spans.front().size(); ++count)
    add_part(std::to_string(count),
             tracks.counts([&](const TrackRow& row, bool) { return seen_by(row) == count; }), to);
  return {};
}

void add_persons(const MatchedTracks& tracks, MeasuredParts* to) {
  std::erase_if(to->figures, [](const TrackFigure* figure) { return figure->needs_false; });
  for (const int64_t id : tracks.true_ids())
    add_part(std::to_string(id),
             tracks.counts([id](const TrackRow& row, bool is_true) { return is_true && row.id == id; }), to);
}

}  // namespace

Result<MeasuredParts> measure_parts(const MatchedTracks& tracks, MeasuredBy by,
                                    const MeasureOptions& options) {
  const TrackSpace space = tracks.options().space;
  MeasuredParts parts{.by = by, .figures = track_figures(space)};
  if (space == TrackSpace::image && (by == MeasuredBy::zone || by == MeasuredBy::cameras))
    return fail(ErrorKind::invalid_argument, "boxes in a picture lie in no zone of the floor", "by",
                "Compare positions on the floor.");
  switch (by) {
    case MeasuredBy::all:
      add_part("all", tracks.counts(), &parts);
      break;
    case MeasuredBy::time:
      add_times(tracks, options.time_parts, &parts);
      break;
    case MeasuredBy::person:
      add_persons(tracks, &parts);
      break;
    case MeasuredBy::zone:
      VANTAGE_TRY(add_zones(tracks, options.project, &parts));
      break;
    case MeasuredBy::cameras:
      VANTAGE_TRY(add_cameras(tracks, options.project, &parts));
      break;
  }
  for (MeasuredPart& part : parts.parts) {
    const FrameCounts sum = sum_of(part.frames);
    for (const TrackFigure* figure : parts.figures) {
      part.values.push_back(figure->value(sum));
      if (options.intervals)
        part.intervals.push_back(figure_interval(*figure, part.frames, *options.intervals));
    }
  }
  return parts;
}

std::string parts_csv(const MeasuredParts& parts) {
  const auto number = [](double value) {
    return std::isfinite(value) ? fmt::format("{:.6g}", value) : std::string();
  };
  const bool intervals = !parts.parts.empty() && !parts.parts.front().intervals.empty();
  std::string csv = "part,first_frame,last_frame,frames";
  for (const TrackFigure* figure : parts.figures) {
    const std::string name(figure->name);
    csv += "," + name;
    if (intervals) csv += "," + name + "_from," + name + "_to";
  }
  csv += "\n";
  for (const MeasuredPart& part : parts.parts) {
    csv += csv_quoted(part.name) +
           fmt::format(",{},{},{}", part.first_frame, part.last_frame, part.frames.size());
    for (size_t i = 0; i < parts.figures.size(); ++i) {
      csv += "," + number(part.values[i]);
      if (intervals) csv += "," + number(part.intervals[i].from) + "," + number(part.intervals[i].to);
    }
    csv += "\n";
  }
  return csv;
}

std::string figure_text(double value) {
  if (!std::isfinite(value)) return {};
  return std::abs(value) >= 1000 ? fmt::format("{:.0f}", value) : fmt::format("{:.3f}", value);
}

std::string figure_text(const FigureInterval& interval) {
  const std::string value = figure_text(interval.value);
  if (!interval.known()) return value;
  return value + " [" + figure_text(interval.from) + ", " + figure_text(interval.to) + "]";
}

}  // namespace vantage
