// check_bench [--as-it-is] PROJECT…: each camera of each project in turn panned, tilted, rolled, moved and
// given another focal length, and what the checks of the calibration say of it. One line of JSON a case, and
// a summary.
//
// The masks are those of `vantage-cli check`, read once. Exit codes: 0 done, 1 failed, 2 wrong usage.
#include <tbb/parallel_for.h>

#include <cmath>
#include <cstdio>
#include <string_view>

#include "core/algorithms.h"
#include "core/base/json.h"
#include "core/check/detail/sample.h"
#include "core/check/footage_agreement.h"
#include "core/project/project.h"

namespace vantage::bench {
namespace {

using nlohmann::ordered_json;

constexpr double kShown_m = 0.03;  // cases that move a place on the floor by more must be named
constexpr int64_t kVoxels = 100'000;

struct Case {
  std::string name;
  int axis;  // of CameraChange
  double amount;
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
    if ((i / 2 + camera + i) % 2 == 1)
      all[i].amount *= -1, all[i].name.insert(all[i].name.find(' ') + 1, "-");
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

class Bench {
 public:
  Status measure(const std::filesystem::path& path, bool as_it_is) {
    VANTAGE_ASSIGN(const Footage footage, read_footage(path, CheckOptions().moments));
    const std::string name = path.stem().string();
    const std::vector<Camera> cameras = footage.project.calibrations();
    VANTAGE_TRY(measure_case(footage, name, "as it is", cameras.size(), cameras, 0));
    if (as_it_is) return {};
    for (size_t c = 0; c < cameras.size(); ++c)
      for (const Case& one : cases(c)) {
        std::vector<Camera> changed = cameras;
        const auto camera = changed_camera(cameras[c], change_of(one, cameras[c]));
        if (!camera) continue;
        changed[c] = *camera;
        VANTAGE_TRY(
            measure_case(footage, name, one.name, c, changed, floor_shift(footage, cameras[c], *camera)));
      }
    return {};
  }
  void summarise() const {
    std::printf(
        "of %d cases that move a place by more than %.0f cm %d named, %d abstained from; %d others named; "
        "%d good cameras blamed in %d cases\n",
        shown_, 100 * kShown_m, named_, abstained_, named_hidden_, blamed_, measured_);
  }

 private:
  static double floor_shift(const Footage& footage, const Camera& camera, const Camera& changed) {
    const auto grid = footage.project.effective_grid();
    double largest = 0;
    for (const Eigen::Vector3d& place : floor_places(camera, *grid))
      if (const auto shift = floor_shift_m(camera, changed, place))
        largest = std::max(largest, shift->norm());
    return largest;
  }

  Status measure_case(const Footage& footage, const std::string& name, const std::string& what, size_t wrong,
                      const std::vector<Camera>& cameras, double shift_m) {
    Project project = footage.project;
    for (size_t c = 0; c < cameras.size(); ++c) project.cameras[c].calibration = cameras[c];
    VANTAGE_ASSIGN(const VoxelGrid fine, project.effective_grid());
    const VoxelGrid grid = coarse_grid(fine, kVoxels);
    FootageMasks masks{cameras, grid, {}, true, {}};
    for (size_t i = 0; i < footage.instants; ++i) {
      MaskSet& set = masks.instants.emplace_back();
      for (const CameraSample& sample : footage.samples) set.push_back(sample.masks[i]);
    }
    ordered_json line = {{"project", name}, {"case", what}, {"shift_cm", 100 * shift_m}};
    if (wrong < cameras.size()) line["camera"] = cameras[wrong].name();
    const OutlineReport report = outline_report(masks);
    bool named = false, cannot_tell = false;
    for (const CheckItem& item : examine_agreement(masks, report)) {
      const bool outlines = item.check == "outlines";
      cannot_tell = cannot_tell || (outlines && item.verdict == Verdict::cannot_tell);
      if (item.verdict < Verdict::doubtful) continue;
      line["named"].push_back(item.check + " " + item.camera + " " + std::string(verdict_name(item.verdict)));
      const bool right = wrong < cameras.size() && item.camera == cameras[wrong].name();
      named = named || right;
      blamed_ += !right;
    }
    if (!named && cannot_tell) line["abstained"] = true;
    line["noise_px"] = report.noise_px;
    for (const CameraFit& fit : report.cameras) line["fits"].push_back(numbers(fit));
    std::printf("%s\n", json_text(line).c_str());
    std::fflush(stdout);
    ++measured_;
    if (shift_m > kShown_m)
      ++shown_, named_ += named, abstained_ += !named && cannot_tell;
    else
      named_hidden_ += named;
    return {};
  }

  int measured_ = 0, shown_ = 0, named_ = 0, abstained_ = 0, named_hidden_ = 0, blamed_ = 0;
};

}  // namespace
}  // namespace vantage::bench

int main(int count, char** arguments) {
  const bool as_it_is = count > 1 && std::string_view(arguments[1]) == "--as-it-is";
  const int first = as_it_is ? 2 : 1;
  if (count <= first) {
    std::fprintf(stderr, "check_bench [--as-it-is] PROJECT…\n");
    return 2;
  }
  vantage::bench::Bench bench;
  for (int i = first; i < count; ++i)
    if (const auto done = bench.measure(arguments[i], as_it_is); !done) {
      std::fprintf(stderr, "%s\n", done.error().message().c_str());
      return 1;
    }
  bench.summarise();
  return 0;
}
