#include "core/results/floor_counts.h"

#include <fmt/core.h>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/carving/voxel_votes.h"
#include "core/people/occupancy/coverage.h"

namespace vantage {
namespace {

constexpr double kStep_m = 0.05;  // distance of the positions at which coverage is sampled

class CoverageOfPlaces {
 public:
  CoverageOfPlaces(const FloorCoverage& coverage, const VoxelGrid& grid, int needed)
      : coverage_(coverage), grid_(grid), needed_(needed) {}

  void ask(const Eigen::Vector2d& place_m) {
    const auto cell = [&](double at, double origin) {
      return static_cast<int>(std::floor((at - origin) / grid_.voxel_size_m));
    };
    const int x = cell(place_m.x(), grid_.origin_in_world_m[0]),
              y = cell(place_m.y(), grid_.origin_in_world_m[1]);
    ++asked_;
    seen_ += coverage_.seeing(x, y) >= needed_;  // 0 outside the grid
  }
  double share() const { return asked_ > 0 ? static_cast<double>(seen_) / static_cast<double>(asked_) : 0; }

 private:
  const FloorCoverage& coverage_;
  const VoxelGrid& grid_;
  const int needed_;
  int64_t asked_ = 0, seen_ = 0;
};

void ask_zone(const FloorZone& zone, CoverageOfPlaces* places) {
  Eigen::AlignedBox2d box;
  for (const Eigen::Vector2d& corner : zone.corners_m) box.extend(corner);
  for (double y = box.min().y() + kStep_m / 2; y < box.max().y(); y += kStep_m)
    for (double x = box.min().x() + kStep_m / 2; x < box.max().x(); x += kStep_m)
      if (distance_inside_m(zone, {x, y}) >= 0) places->ask({x, y});
}

void ask_line(const FloorLine& line, CoverageOfPlaces* places) {
  const Eigen::Vector2d along = line.to_m - line.from_m;
  const int steps = std::max(1, static_cast<int>(std::ceil(along.norm() / kStep_m)));
  for (int i = 0; i <= steps; ++i) places->ask(line.from_m + along * i / steps);
}

long long whole(int64_t value) {
  return static_cast<long long>(value);
}

// ",2026-05-01 14:32:05.040 +02:00"; empty where the clock is not known.
std::string time_cell(const RecordedPeople& people, int64_t frame) {
  return people.clock ? "," + people.clock->text(people.seconds(frame)) : std::string();
}

// The columns after those that every table has, with the end of the line.
std::string further_columns(const RecordedPeople& people, std::initializer_list<const char*> times) {
  std::string text;
  for (const char* time : times)
    if (people.clock) text += std::string(",") + time;
  return text + (people.names.empty() ? "\n" : ",name\n");
}

std::string further_cells(const RecordedPeople& people, std::initializer_list<int64_t> frames, int64_t id) {
  std::string text;
  for (const int64_t frame : frames) text += time_cell(people, frame);
  if (!people.names.empty()) {
    const auto name = people.names.find(id);
    text += "," + (name == people.names.end() ? std::string() : csv_quoted(name->second));
  }
  return text + "\n";
}

// Covered shares with the poses of the cameras at a frame set.
Result<CoveredShares> covered_shares_at(const Project& project, int64_t frame, const VoxelGrid& grid) {
  std::vector<PinholeCamera<double>> cameras;
  for (const Camera& camera : project.calibrations(frame)) cameras.push_back(camera.model());
  VANTAGE_ASSIGN(const FloorCoverage coverage, make_floor_coverage(cameras, grid));
  const int needed =
      needed_cameras(project.parameters.get<CarvingParameters>(), static_cast<int>(cameras.size()));
  CoveredShares shares;
  for (const FloorZone& zone : project.zones) {
    CoverageOfPlaces places(coverage, grid, needed);
    ask_zone(zone, &places);
    shares.zones.push_back(places.share());
  }
  for (const FloorLine& line : project.lines) {
    CoverageOfPlaces places(coverage, grid, needed);
    ask_line(line, &places);
    shares.lines.push_back(places.share());
  }
  return shares;
}

}  // namespace

bool RecordedPeople::known(int64_t frame) const {
  return std::binary_search(known_frames.begin(), known_frames.end(), frame);
}

Result<CoveredShares> covered_shares(const Project& project) {
  VANTAGE_ASSIGN(const VoxelGrid grid, project.effective_grid());
  VANTAGE_ASSIGN(CoveredShares covered, covered_shares_at(project, 0, grid));
  const auto keep_less = [](std::vector<double>* shares, const std::vector<double>& others) {
    for (size_t i = 0; i < shares->size(); ++i) (*shares)[i] = std::min((*shares)[i], others[i]);
  };
  for (const int64_t frame : project.calibration_changes()) {
    VANTAGE_ASSIGN(const CoveredShares later, covered_shares_at(project, frame, grid));
    keep_less(&covered.zones, later.zones), keep_less(&covered.lines, later.lines);
  }
  return covered;
}

LineCount count_line(const RecordedPeople& people, const FloorLine& line, double covered_share) {
  LineCount count;
  count.covered_share = covered_share;
  count.crossings = crossings(people.paths, line);
  for (const Crossing& one : count.crossings) ++(one.to_left ? count.to_left : count.to_right);
  return count;
}

ZoneCount count_zone(const RecordedPeople& people, const FloorZone& zone, double covered_share) {
  ZoneCount count;
  count.covered_share = covered_share;
  count.visits = visits(people.paths, zone);
  VisitCount going_on(count.visits);
  int64_t sum = 0, known = 0, max_people = 0;
  for (const int64_t frame : people.frames) {
    count.people.emplace_back();
    if (!count.covered() || !people.known(frame)) continue;
    const int64_t inside = going_on.at(frame);
    count.people.back() = inside;
    ++known, sum += inside, max_people = std::max(max_people, inside);
  }
  if (known > 0) {
    count.mean_people = static_cast<double>(sum) / static_cast<double>(known);
    count.max_people = max_people;
  }
  double stay_s = 0;
  for (const Visit& visit : count.visits) stay_s += people.seconds(visit.last_frame - visit.first_frame + 1);
  if (!count.visits.empty()) count.mean_stay_s = stay_s / static_cast<double>(count.visits.size());
  return count;
}

FloorCounts count_floor(const RecordedPeople& people, const Project& project, const CoveredShares& covered) {
  FloorCounts counts;
  for (size_t i = 0; i < project.lines.size(); ++i)
    counts.lines.push_back(count_line(people, project.lines[i], covered.lines[i]));
  for (size_t i = 0; i < project.zones.size(); ++i)
    counts.zones.push_back(count_zone(people, project.zones[i], covered.zones[i]));
  return counts;
}

std::string crossings_csv(const RecordedPeople& people, const Project& project, const FloorCounts& counts) {
  std::string text = "line,frame,time_s,person,way,x_m,y_m" + further_columns(people, {"time"});
  for (size_t i = 0; i < counts.lines.size(); ++i)
    for (const Crossing& one : counts.lines[i].crossings)
      text += csv_quoted(project.lines[i].name) +
              fmt::format(",{},{:.3f},{},{},{:.3f},{:.3f}", whole(one.frame), people.seconds(one.frame),
                          whole(one.id), one.to_left ? "to_left" : "to_right", one.x_m, one.y_m) +
              further_cells(people, {one.frame}, one.id);
  return text;
}

std::string zones_csv(const RecordedPeople& people, const Project& project, const FloorCounts& counts) {
  std::string text = std::string("zone,frame,time_s,people") + (people.clock ? ",time\n" : "\n");
  for (size_t z = 0; z < counts.zones.size(); ++z)
    for (size_t i = 0; i < people.frames.size(); ++i) {
      const std::optional<int64_t>& inside = counts.zones[z].people[i];
      text += csv_quoted(project.zones[z].name) +
              fmt::format(",{},{:.3f},", whole(people.frames[i]), people.seconds(people.frames[i])) +
              (inside ? std::to_string(*inside) : std::string()) + time_cell(people, people.frames[i]) + "\n";
    }
  return text;
}

std::string visits_csv(const RecordedPeople& people, const Project& project, const FloorCounts& counts) {
  std::string text = "zone,person,first_frame,last_frame,first_s,last_s,stay_s" +
                     further_columns(people, {"first_time", "last_time"});
  for (size_t z = 0; z < counts.zones.size(); ++z)
    for (const Visit& visit : counts.zones[z].visits)
      text += csv_quoted(project.zones[z].name) +
              fmt::format(",{},{},{},{:.3f},{:.3f},{:.3f}", whole(visit.id), whole(visit.first_frame),
                          whole(visit.last_frame), people.seconds(visit.first_frame),
                          people.seconds(visit.last_frame),
                          people.seconds(visit.last_frame - visit.first_frame + 1)) +
              further_cells(people, {visit.first_frame, visit.last_frame}, visit.id);
  return text;
}

std::string walks_csv(const RecordedPeople& people) {
  std::string text = "person,first_frame,last_frame,walked_m,mean_speed_m_per_s,top_speed_m_per_s" +
                     further_columns(people, {"first_time", "last_time"});
  for (const WalkFigures& f : walk_figures(people.paths, people.frame_rate))
    text += fmt::format("{},{},{},{:.3f},{:.3f},{:.3f}", whole(f.id), whole(f.first_frame),
                        whole(f.last_frame), f.walked_m, f.mean_speed_m_per_s, f.top_speed_m_per_s) +
            further_cells(people, {f.first_frame, f.last_frame}, f.id);
  return text;
}

std::string names_csv(const PersonNames& names) {
  std::string text = "person,name\n";
  for (const auto& [id, name] : names) text += std::to_string(id) + "," + csv_quoted(name) + "\n";
  return text;
}

Status write_counts(const std::filesystem::path& folder, const RecordedPeople& people, const Project& project,
                    const FloorCounts& counts) {
  VANTAGE_TRY(make_folder(folder));
  VANTAGE_TRY(write_file_atomically(folder / "crossings.csv", crossings_csv(people, project, counts)));
  VANTAGE_TRY(write_file_atomically(folder / "zones.csv", zones_csv(people, project, counts)));
  VANTAGE_TRY(write_file_atomically(folder / "visits.csv", visits_csv(people, project, counts)));
  return write_file_atomically(folder / "people.csv", walks_csv(people));
}

}  // namespace vantage
