// lens_bench SEED PROJECT…: every camera of each rendered project turned by 2 degrees and moved by 10 cm, and
// lenses said to be what they are not; what `calibrate people --camera all` then says with lenses held. One
// line of JSON a case: errors after the similarity that aligns the cameras' centres, and the deviations said.
//
// Outlines are read once, of every second frame. Exit codes: 0 done, 1 failed, 2 wrong usage.
#include <fmt/core.h>
#include <Eigen/Geometry>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>

#include "core/algorithms.h"
#include "core/base/json.h"
#include "core/calibration/solve/measure.h"
#include "core/run/calibrations_by_people.h"

namespace vantage::bench {
namespace {

using nlohmann::ordered_json;

struct WrongLens {
  double focal = 0, k1 = 0;
  bool wrong() const { return focal != 0 || k1 != 0; }
};
struct Case {
  std::string name;
  std::vector<WrongLens> lenses;  // of each camera
};

std::vector<Case> cases(size_t cameras, size_t seed) {
  std::vector<Case> all = {{"right", std::vector<WrongLens>(cameras)}};
  const auto add = [&](const char* name, const WrongLens& lens, const auto& share) {
    Case one{name, std::vector<WrongLens>(cameras)};
    for (size_t c = 0; c < cameras; ++c) one.lenses[c] = {share(c) * lens.focal, share(c) * lens.k1};
    all.push_back(std::move(one)), ++seed;
  };
  const auto one = [&](size_t c) { return c == seed % cameras ? 1.0 : 0.0; };
  const auto alternating = [&](size_t c) { return (c + seed) % 2 == 1 ? -1.0 : 1.0; };
  const auto same = [](size_t) { return 1.0; };
  add("one +1 %", {0.01, 0}, one), add("one -1 %", {-0.01, 0}, one);
  add("one +3 %", {0.03, 0}, one), add("one -3 %", {-0.03, 0}, one);
  add("one k1 +.05", {0, 0.05}, one), add("one k1 -.05", {0, -0.05}, one);
  add("all 1 %", {0.01, 0}, alternating), add("all 3 %", {0.03, 0}, alternating);
  add("all k1 .05", {0, 0.05}, alternating);
  add("same +3 %", {0.03, 0}, same), add("same -3 %", {-0.03, 0}, same), add("same k1 +.05", {0, 0.05}, same);
  add("all 3 % and k1 .05", {0.03, 0.05}, alternating);
  return all;
}

Camera as_said(const Camera& camera, const WrongLens& lens, std::mt19937* random) {
  std::normal_distribution<double> normal;
  const auto direction = [&] {
    const double x = normal(*random), y = normal(*random), z = normal(*random);
    return Eigen::Vector3d(x, y, z).normalized();
  };
  CameraChange change = CameraChange::Zero();
  change.head<3>() = 2 * M_PI / 180 * direction();
  change.segment<3>(3) = 0.1 * direction();
  const Camera moved = *changed_camera(camera, change);
  PinholeCamera<double> model = moved.model();
  model.fx_px *= 1 + lens.focal, model.fy_px *= 1 + lens.focal, model.k1 += lens.k1;
  return Camera::make(camera.name(), model).value();
}

ordered_json line_of(const std::vector<Camera>& truth, const Case& one, const PeopleSolution& solution) {
  ordered_json line = {{"case", one.name}};
  std::vector<Camera> cameras;
  for (const PeopleSolvedCamera& camera : solution.cameras) cameras.push_back(camera.camera);
  const auto world = align_cameras(cameras, truth);
  for (size_t c = 0; c < truth.size() && world; ++c) {
    const PeopleSolvedCamera& camera = solution.cameras[c];
    const CameraChange off = change_between(truth[c], in_changed_world(camera.camera, *world));
    line["cameras"].push_back({{"wrong", one.lenses[c].wrong()},
                               {"verdict", lens_verdict_name(camera.lens.verdict)},
                               {"determined", camera.determined},
                               {"off_deg", off.head<3>().norm() * 180 / M_PI},
                               {"off_mm", 1000 * off.segment<3>(3).norm()},
                               {"said_deg", camera.turned_std_deg},
                               {"said_mm", 1000 * camera.moved_std_m},
                               {"any_lens_deg", camera.turned_any_lens_deg},
                               {"any_lens_mm", 1000 * camera.moved_any_lens_m},
                               {"focal", {camera.lens.focal_change, camera.lens.focal_std}},
                               {"k1", {camera.lens.k1_change, camera.lens.k1_std}}});
  }
  return line;
}

Status measure(const std::filesystem::path& path, unsigned seed) {
  VANTAGE_ASSIGN(const Project project, load_project(path));
  BackendRegistry registry;
  register_cpu_backends(registry);
  AnalysisOptions options;
  options.backends = &registry;
  options.pipeline.cache_bytes = 0;
  VANTAGE_ASSIGN(const auto analysis, Analysis::open(project, options));
  VANTAGE_ASSIGN(const int64_t count, analysis->source().wait_for_frame_count({}));
  VANTAGE_ASSIGN(const auto all, read_outlines(project, *analysis, {0, count}, [](int64_t, int64_t) {}, {}));
  std::vector<PeopleFrame> frames;
  for (size_t i = 0; i < all.size(); i += 2) frames.push_back(all[i]);
  const std::vector<Camera> truth = project.named_calibrations(0);
  for (const Case& one : cases(truth.size(), seed)) {
    std::mt19937 random(seed);
    PeopleSolveInput input{
        {}, std::vector<bool>(truth.size(), true), frames, floor_around(*analysis->grid())};
    for (size_t c = 0; c < truth.size(); ++c)
      input.cameras.push_back(as_said(truth[c], one.lenses[c], &random));
    VANTAGE_ASSIGN(const PeopleSolution solution, solve_from_people(input, {}));
    ordered_json line = line_of(truth, one, solution);
    line["project"] = path.stem().string();
    fmt::print("{}\n", json_text(line));
    std::fflush(stdout);
  }
  return {};
}

}  // namespace
}  // namespace vantage::bench

int main(int count, char** arguments) {
  char* end = nullptr;
  const unsigned long seed = count > 2 ? std::strtoul(arguments[1], &end, 10) : 0;
  if (count < 3 || *end != 0) {
    fmt::print(stderr, "lens_bench SEED PROJECT…\n");
    return 2;
  }
  for (int i = 2; i < count; ++i)
    if (const auto done = vantage::bench::measure(arguments[i], static_cast<unsigned>(seed)); !done) {
      fmt::print(stderr, "{}\n", done.error().message());
      return 1;
    }
  return 0;
}
