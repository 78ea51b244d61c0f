// check_bench [--as-it-is] [--quick] [--write DIR] PROJECT…: each camera of each project in turn panned,
// tilted, rolled, moved and given another focal length, and what the checks of the calibration say of it. One
// line of JSON a case, a table for each project, and a summary. --quick: as before a run, with fewer frames.
// --write: writes the changed projects instead, to compare with `vantage-cli check`.
//
// The masks are those of `vantage-cli check`, read once. Exit codes: 0 done, 1 failed, 2 wrong usage.
#include <fmt/core.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string_view>

#include "core/algorithms.h"
#include "core/base/json.h"
#include "core/base/quantile.h"
#include "core/check/detail/sample.h"
#include "core/check/footage_agreement.h"
#include "core/project/project.h"

namespace vantage::bench {
namespace {

using nlohmann::ordered_json;

constexpr int64_t kVoxels = 100'000;

struct Case {
  std::string kind;
  int axis;  // of CameraChange
  double amount;
  std::string name() const { return (amount < 0 ? "-" : "") + kind; }
};

// Of one camera; every second is of the other sign. Axes are the camera's own: x to the right, y down, z
// ahead.
std::vector<Case> cases(size_t camera) {
  constexpr double kDegree = M_PI / 180;
  std::vector<Case> all = {{"tilt 1", 0, kDegree},    {"tilt 2", 0, 2 * kDegree}, {"pan 1", 1, kDegree},
                           {"pan 2", 1, 2 * kDegree}, {"roll 1", 2, kDegree},     {"roll 2", 2, 2 * kDegree},
                           {"x 5", 3, 0.05},          {"x 10", 3, 0.1},           {"z 5", 5, 0.05},
                           {"z 10", 5, 0.1},          {"z 20", 5, 0.2},           {"focal 3", 6, 0.03}};
  for (size_t i = 0; i < all.size(); ++i)
    if ((i / 2 + camera + i) % 2 == 1) all[i].amount *= -1;
  return all;
}

CameraChange change_of(const Case& one, const Camera& camera) {
  CameraChange change = CameraChange::Zero();
  if (one.axis < 3 || one.axis == 6)
    change[one.axis] = one.amount;
  else
    change.segment<3>(3) = one.amount * camera.rotation_cam_from_world().row(one.axis - 3).transpose();
  return change;
}

// What the checks said of the cases of one kind.
struct Counts {
  int cases = 0, shown = 0;             // shown: they move a place by more than kMaxFloorShift_m
  int named = 0, told = 0, silent = 0;  // of those shown; told: some camera cannot be told
  int hidden_named = 0, blamed = 0;     // of the others; of all: cases in which another camera is blamed
  double min_shift_m = INFINITY, max_shift_m = 0;

  void add(const Counts& other) {
    cases += other.cases, shown += other.shown, named += other.named, told += other.told;
    silent += other.silent, hidden_named += other.hidden_named, blamed += other.blamed;
    min_shift_m = std::min(min_shift_m, other.min_shift_m);
    max_shift_m = std::max(max_shift_m, other.max_shift_m);
  }
  std::string row(const std::string& kind) const {
    return fmt::format("| {} | {:.1f} to {:.1f} | {} | {} | {} | {} | {} | {} |\n", kind, 100 * min_shift_m,
                       100 * max_shift_m, shown, named, told, silent, hidden_named, blamed);
  }
};

// Largest and median shift of a place on the floor that the camera sees.
struct Shift {
  double largest_m = 0, median_m = 0;
};
Shift shift_between(const Camera& camera, const Camera& changed, const VoxelGrid& grid) {
  std::vector<double> shifts;
  for (const Eigen::Vector3d& place : floor_places(camera, grid))
    if (const auto shift = floor_shift_m(camera, changed, place)) shifts.push_back(shift->norm());
  if (shifts.empty()) return {};
  return {*std::max_element(shifts.begin(), shifts.end()), upper_median(shifts)};
}

struct Footage {
  Project project;
  std::vector<CameraSample> samples;
  size_t instants = 0;
};

Result<Footage> read_footage(const std::filesystem::path& path, int moments) {
  Footage footage;
  VANTAGE_ASSIGN(footage.project, load_project(path));
  if (!footage.project.calibrated())
    return fail(ErrorKind::invalid_argument, "is not calibrated", path.string());
  BackendRegistry backends;
  register_cpu_backends(backends);
  if (moments == 0) return footage;
  VANTAGE_ASSIGN(const auto base, open_video(footage.project.cameras[0].video, {}));
  VANTAGE_ASSIGN(const int64_t count, base->wait_for_frame_count({}));
  const std::vector<int64_t> instants = sample_moments(*base, count, moments);
  footage.instants = instants.size();
  footage.samples.resize(footage.project.cameras.size());
  tbb::parallel_for(size_t{0}, footage.samples.size(), [&](size_t c) {
    footage.samples[c] = sample_camera(footage.project, c, base->info().frame_rate, instants, backends, {});
  });
  return footage;
}

ordered_json numbers(const CameraFit& fit) {
  return {{"rays", fit.rays},
          {"error_px", fit.error_px},
          {"others_px", fit.others_px},
          {"gain", fit.gain},
          {"blind_cm", 100 * fit.floor.blind_m},
          {"shift_cm", 100 * fit.floor.largest_m},
          {"sigma_cm", 100 * fit.floor.sigma_m},
          {"certainty", fit.floor.certainty}};
}

ordered_json numbers(const PeopleFit& fit) {
  if (!fit.solved) return {{"solved", false}};
  return {{"solved", true},
          {"turned_deg", fit.turned_deg},
          {"moved_cm", 100 * fit.moved_m},
          {"before_px", fit.before_px},
          {"after_px", fit.after_px},
          {"shift_cm", 100 * fit.floor.largest_m},
          {"sigma_cm", 100 * fit.floor.sigma_m},
          {"certainty", fit.floor.certainty}};
}

struct Options {
  bool as_it_is = false;
  int moments = CheckOptions().moments;
  std::filesystem::path write;  // empty: nothing is written
};

class Bench {
 public:
  explicit Bench(Options options) : options_(std::move(options)) {}

  Status measure(const std::filesystem::path& path) {
    VANTAGE_ASSIGN(const Footage footage, read_footage(path, writes() ? 0 : options_.moments));
    name_ = path.stem().string();
    by_kind_.clear();
    const std::vector<Camera> cameras = footage.project.calibrations();
    VANTAGE_ASSIGN(const VoxelGrid grid, footage.project.effective_grid());
    VANTAGE_TRY(measure_case(footage, {"as it is", 0, 0}, cameras.size(), cameras, {}));
    for (size_t c = 0; c < cameras.size() && !options_.as_it_is; ++c)
      for (const Case& one : cases(c)) {
        std::vector<Camera> changed = cameras;
        const auto camera = changed_camera(cameras[c], change_of(one, cameras[c]));
        if (!camera) continue;
        changed[c] = *camera;
        VANTAGE_TRY(measure_case(footage, one, c, changed, shift_between(cameras[c], *camera, grid)));
      }
    if (!writes()) print_table();
    return {};
  }
  void summarise() const {
    if (writes()) return;
    fmt::print(
        "of {} cases that move a place by more than {:.0f} cm {} named, {} abstained from, {} "
        "passed; {} "
        "others "
        "named; good cameras blamed in {} of {} cases\n",
        all_.shown, 100 * kMaxFloorShift_m, all_.named, all_.told, all_.silent, all_.hidden_named,
        all_.blamed, all_.cases);
  }

 private:
  bool writes() const { return !options_.write.empty(); }

  void print_table() {
    fmt::print(
        "| {} | largest shift, cm | beyond {:.0f} cm | named | cannot tell | passed | others named | good "
        "blamed |\n|---|---|---|---|---|---|---|---|\n",
        name_, 100 * kMaxFloorShift_m);
    Counts all;
    for (const auto& [kind, counts] : by_kind_) {
      fmt::print("{}", counts.row(kind));
      all.add(counts);
    }
    fmt::print("{}", all.row("all"));
    std::fflush(stdout);
    all_.add(all);
  }

  Counts& of_kind(const std::string& kind) {
    for (auto& [known, counts] : by_kind_)
      if (known == kind) return counts;
    return by_kind_.emplace_back(kind, Counts{}).second;
  }

  // `wrong`: the camera that is changed; none: the number of cameras.
  Status measure_case(const Footage& footage, const Case& one, size_t wrong,
                      const std::vector<Camera>& cameras, const Shift& shift) {
    Project project = footage.project;
    for (size_t c = 0; c < cameras.size(); ++c) project.cameras[c].calibration = cameras[c];
    const std::string camera = wrong < cameras.size() ? cameras[wrong].name() : "";
    if (writes()) return write(project, camera + " " + one.name());
    VANTAGE_ASSIGN(const VoxelGrid fine, project.effective_grid());
    const VoxelGrid grid = coarse_grid(fine, kVoxels);
    FootageMasks masks{cameras, grid, {}, true, {}};
    for (size_t i = 0; i < footage.instants; ++i) {
      MaskSet& set = masks.instants.emplace_back();
      for (const CameraSample& sample : footage.samples) set.push_back(sample.masks[i]);
    }
    const FootageReport report = footage_report(masks);
    ordered_json line = {{"project", name_},
                         {"case", one.name()},
                         {"camera", camera},
                         {"shift_cm", 100 * shift.largest_m},
                         {"median_cm", 100 * shift.median_m}};
    bool named = false, told = false, blamed = false;
    for (const CheckItem& item : examine_agreement(masks, report)) {
      told = told || (item.check == "outlines" && item.verdict == Verdict::cannot_tell);
      if (item.verdict < Verdict::doubtful) continue;
      line["named"].push_back(item.check + " " + item.camera + " " + std::string(verdict_name(item.verdict)));
      (wrong < cameras.size() && item.camera == camera ? named : blamed) = true;
    }
    line["told"] = told;
    line["noise_px"] = report.outlines.noise_px;
    for (const CameraFit& fit : report.outlines.cameras) line["fits"].push_back(numbers(fit));
    for (const PeopleFit& fit : report.people.cameras) line["people"].push_back(numbers(fit));
    fmt::print("{}\n", json_text(line));
    std::fflush(stdout);
    const bool shown = shift.largest_m > kMaxFloorShift_m;
    of_kind(one.kind).add({1, shown, shown && named, shown && !named && told, shown && !named && !told,
                           !shown && named, blamed, shift.largest_m, shift.largest_m});
    return {};
  }

  Status write(const Project& project, const std::string& what) const {
    std::string name = name_ + " " + what;
    std::replace(name.begin(), name.end(), ' ', '_');
    return save_project(project, options_.write / (name + ".vantage"));
  }

  const Options options_;
  std::string name_;
  std::vector<std::pair<std::string, Counts>> by_kind_;  // of this project, in the order of the cases
  Counts all_;
};

}  // namespace
}  // namespace vantage::bench

int main(int count, char** arguments) {
  vantage::bench::Options options;
  int first = 1;
  for (; first < count; ++first) {
    const std::string_view word = arguments[first];
    if (word == "--as-it-is")
      options.as_it_is = true;
    else if (word == "--quick")
      options.moments = vantage::quick_check_options().moments;
    else if (word == "--write" && first + 1 < count)
      options.write = arguments[++first];
    else
      break;
  }
  if (count <= first) {
    fmt::print(stderr, "check_bench [--as-it-is] [--quick] [--write DIR] PROJECT…\n");
    return 2;
  }
  vantage::bench::Bench bench(options);
  for (int i = first; i < count; ++i)
    if (const auto done = bench.measure(arguments[i]); !done) {
      fmt::print(stderr, "{}\n", done.error().message());
      return 1;
    }
  bench.summarise();
  return 0;
}
