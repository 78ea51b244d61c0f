#include "core/synth/detail/scene.h"

#include <fmt/core.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <set>
#include <string>

#include "core/geometry/camera.h"
#include "core/synth/camera_ring.h"
#include "core/synth/random.h"

namespace vantage::synth {
namespace {

constexpr int shortest_burst = 2, longest_burst = 12;  // frames

tl::unexpected<Error> refuse(const std::string& what, std::string remedy = {}) {
  return fail(ErrorKind::invalid_argument, what, "synthetic footage", std::move(remedy));
}

template <class T>
Status check_length(const std::vector<T>& list, const char* name, const SynthOptions& options) {
  if (list.empty() || list.size() == static_cast<size_t>(options.cameras)) return {};
  return refuse(
      std::to_string(list.size()) + " " + name + " for " + std::to_string(options.cameras) + " cameras",
      "Give one for each camera, separated by commas.");
}

template <class T>
T value_at(const std::vector<T>& list, int camera) {
  return list.empty() ? T{} : list[camera];
}

Status check_clock(const SynthOptions& o) {
  VANTAGE_TRY(check_length(o.offsets_frames, "offsets", o));
  VANTAGE_TRY(check_length(o.drifts_ppm, "drifts", o));
  VANTAGE_TRY(check_length(o.dropped_bursts, "numbers of dropped bursts", o));
  if (value_at(o.offsets_frames, 0) != 0 || value_at(o.drifts_ppm, 0) != 0 ||
      value_at(o.dropped_bursts, 0) != 0)
    return refuse("the first camera is the base: its offset, drift and dropped bursts are 0");
  for (const double offset : o.offsets_frames)
    if (!(std::abs(offset) <= o.seconds * o.frame_rate))
      return refuse("an offset of " + std::to_string(offset) + " frames is longer than the recording");
  for (const double drift : o.drifts_ppm)
    if (!(std::abs(drift) <= 100'000)) return refuse("a drift must lie between -100000 and 100000 ppm");
  for (const int bursts : o.dropped_bursts)
    if (bursts < 0 || (bursts + 1) * drop_distance_s > o.seconds)
      return refuse(std::to_string(bursts) + " bursts of dropped frames do not fit into the recording",
                    "They lie 5 s apart and from both ends: give fewer bursts or more seconds.");
  return {};
}

// Random instants, drop_distance_s and more apart.
std::vector<DroppedFrames> make_drops(int bursts, const SynthOptions& options, int camera) {
  Random random(options.seed, 0x64726f70 + static_cast<uint64_t>(camera));
  const double free_s = options.seconds - (bursts + 1) * drop_distance_s;
  std::vector<double> moments_s;
  for (int i = 0; i < bursts; ++i) moments_s.push_back(random.uniform(0, free_s));
  std::sort(moments_s.begin(), moments_s.end());
  std::vector<DroppedFrames> drops;
  int64_t lost = 0;
  for (int i = 0; i < bursts; ++i) {
    const double moment_s = moments_s[i] + (i + 1) * drop_distance_s;
    const int64_t count = shortest_burst + random.below(longest_burst - shortest_burst + 1);
    drops.push_back({std::llround(moment_s * options.frame_rate) - lost, count});
    lost += count;
  }
  return drops;
}

}  // namespace

CameraClock::CameraClock(double offset_frames, double drift_ppm, double frame_rate, int64_t ticks,
                         std::vector<DroppedFrames> drops)
    : offset_frames_(offset_frames),
      drift_ppm_(drift_ppm),
      true_frame_rate_(frame_rate * (1 + drift_ppm * 1e-6)),
      drops_(std::move(drops)),
      frame_count_(ticks) {
  for (const DroppedFrames& drop : drops_) frame_count_ -= drop.count;
}

double CameraClock::time_s(int64_t frame) const {
  int64_t tick = frame;
  for (const DroppedFrames& drop : drops_)
    if (frame >= drop.before_frame) tick += drop.count;
  return (static_cast<double>(tick) - offset_frames_) / true_frame_rate_;
}

Result<std::vector<CameraClock>> make_clocks(const SynthOptions& options) {
  VANTAGE_TRY(check_clock(options));
  const int64_t ticks = std::max<int64_t>(1, std::llround(options.seconds * options.frame_rate));
  std::vector<CameraClock> clocks;
  for (int camera = 0; camera < options.cameras; ++camera)
    clocks.emplace_back(value_at(options.offsets_frames, camera), value_at(options.drifts_ppm, camera),
                        options.frame_rate, ticks,
                        make_drops(value_at(options.dropped_bursts, camera), options, camera));
  return clocks;
}

namespace {

constexpr double floor_per_person_m2 = 1.6;  // fewer and the paths jam

Status check_range(const char* name, double value, double low, double high) {
  if (value >= low && value <= high) return {};
  return fail(ErrorKind::invalid_argument,
              fmt::format("{} is {:g} and must be between {:g} and {:g}", name, value, low, high),
              "synthetic footage");
}

Status check_scene(const SynthOptions& o) {
  VANTAGE_TRY(check_range("cameras", o.cameras, 1, 64));
  VANTAGE_TRY(check_range("people", o.people, 1, 200));
  VANTAGE_TRY(check_range("seconds", o.seconds, 0.04, 6 * 3600));
  VANTAGE_TRY(check_range("frame rate", o.frame_rate, 1, 240));
  VANTAGE_TRY(check_range("width", o.width_px, 64, 4096));
  VANTAGE_TRY(check_range("height", o.height_px, 64, 4096));
  VANTAGE_TRY(check_range("area", o.area_m, 2, 30));
  VANTAGE_TRY(check_range("noise", o.noise, 0, 20));
  VANTAGE_TRY(check_range("exposure drift", o.exposure_drift_stops, 0, 2));
  VANTAGE_TRY(check_range("exposure steps", o.exposure_steps, 0, 1000));
  VANTAGE_TRY(check_range("bushes", o.bushes, 0, 8));
  VANTAGE_TRY(check_range("screens", o.screens, 0, 8));
  VANTAGE_TRY(check_range("moved chairs", o.moved_chairs, 0, 8));
  VANTAGE_TRY(check_range("truth interval", o.truth_interval_frames, 1, 1e6));
  if (o.width_px % 2 != 0 || o.height_px % 2 != 0)
    return fail(ErrorKind::invalid_argument, "the picture's width and height must be even",
                "synthetic footage");
  if (o.people * floor_per_person_m2 > o.area_m * o.area_m)
    return fail(ErrorKind::invalid_argument,
                "an area of " + std::to_string(static_cast<int>(o.area_m * o.area_m)) +
                    " square metres is too small for " + std::to_string(o.people) + " people",
                "synthetic footage", "Give a larger area or fewer people.");
  return {};
}

Status check_bumps(const SynthOptions& o) {
  std::set<int> cameras;
  for (const Bump& bump : o.bumps) {
    VANTAGE_TRY(check_range("bumped camera", bump.camera + 1, 1, o.cameras));
    VANTAGE_TRY(check_range("second of a bump", bump.time_s, 0, o.seconds));
    VANTAGE_TRY(check_range("degrees of a bump", bump.degrees, -30, 30));
    if (!cameras.insert(bump.camera).second)
      return fail(ErrorKind::invalid_argument,
                  "cam" + std::to_string(bump.camera + 1) + " is bumped more than once", "synthetic footage",
                  "Give each camera one bump.");
  }
  return {};
}

Material plain(const Color& color) {
  return {color, color, Pattern::plain};
}

// Linear light.
constexpr int cloth_count = 10;
const std::array<Color, cloth_count> shirt_colors = {
    Color{0.50f, 0.06f, 0.05f}, {0.06f, 0.17f, 0.42f}, {0.60f, 0.42f, 0.07f}, {0.05f, 0.26f, 0.16f},
    {0.62f, 0.60f, 0.56f},      {0.33f, 0.07f, 0.28f}, {0.06f, 0.32f, 0.38f}, {0.58f, 0.21f, 0.06f},
    {0.09f, 0.09f, 0.10f},      {0.28f, 0.38f, 0.55f}};
const std::array<Color, 6> trouser_colors = {Color{0.04f, 0.06f, 0.13f}, {0.22f, 0.17f, 0.10f},
                                             {0.05f, 0.05f, 0.055f},     {0.14f, 0.18f, 0.26f},
                                             {0.16f, 0.15f, 0.14f},      {0.30f, 0.27f, 0.20f}};
const std::array<Color, 5> skin_colors = {Color{0.62f, 0.38f, 0.27f},
                                          {0.50f, 0.28f, 0.18f},
                                          {0.27f, 0.13f, 0.07f},
                                          {0.68f, 0.44f, 0.34f},
                                          {0.12f, 0.06f, 0.035f}};
const std::array<Color, 6> hair_colors = {Color{0.020f, 0.013f, 0.010f}, {0.09f, 0.045f, 0.02f},
                                          {0.36f, 0.23f, 0.09f},         {0.035f, 0.03f, 0.03f},
                                          {0.30f, 0.29f, 0.28f},         {0.20f, 0.06f, 0.02f}};
const std::array<Color, 3> shoe_colors = {
    Color{0.02f, 0.02f, 0.022f}, {0.12f, 0.06f, 0.03f}, {0.55f, 0.54f, 0.52f}};

// `wardrobe` differs per scene; stepping by 3 through ten shirts keeps the first ten people apart.
PersonLook make_look(int person, int wardrobe, Random& random) {
  PersonLook look;
  look.height_m = random.uniform(1.55, 1.92);
  look.build = random.uniform(0.93, 1.14);
  look.skin = plain(skin_colors[random.below(skin_colors.size())]);
  look.hair = plain(hair_colors[random.below(hair_colors.size())]);
  look.eyes = plain({0.02f, 0.018f, 0.016f});
  look.shirt = plain(shirt_colors[(wardrobe + 3 * person) % cloth_count]);
  if (random.uniform() < 0.35) {
    look.shirt.pattern = Pattern::stripes;
    look.shirt.second = random.uniform() < 0.5 ? Color(0.62f, 0.60f, 0.56f) : Color(look.shirt.color * 0.35f);
  }
  look.trousers = plain(trouser_colors[random.below(trouser_colors.size())]);
  look.shoes = plain(shoe_colors[random.below(shoe_colors.size())]);
  look.long_hair = random.uniform() < 0.4;
  look.short_sleeves = random.uniform() < 0.5;
  look.shorts = random.uniform() < 0.2;
  return look;
}

Room make_room(const std::vector<Camera>& cameras, double area_m, uint64_t seed) {
  double reach = area_m / 2, height = 0;
  for (const Camera& camera : cameras) {
    reach = std::max(reach, camera.center_in_world_m().head<2>().cwiseAbs().maxCoeff());
    height = std::max(height, camera.center_in_world_m().z());
  }
  Room room;
  room.half_side_m = static_cast<float>(reach + 0.4);
  room.height_m = std::max(room.height_m, static_cast<float>(height + 0.6));
  room.salt = static_cast<uint32_t>(mix(seed));
  return room;
}

}  // namespace

Result<Scene> make_scene(const SynthOptions& options) {
  VANTAGE_TRY(check_scene(options));
  VANTAGE_TRY(check_bumps(options));
  Scene scene;
  scene.options = options;
  VANTAGE_ASSIGN(scene.cameras, make_camera_ring(options));
  scene.room = make_room(scene.cameras, options.area_m, options.seed);
  scene.light.towards.normalize();
  Random random(options.seed, 0x6c6f6f6b);
  const int wardrobe = random.below(cloth_count);
  for (int i = 0; i < options.people; ++i) scene.looks.push_back(make_look(i, wardrobe, random));
  VANTAGE_ASSIGN(scene.clocks, make_clocks(options));
  double end_s = options.seconds;
  for (const CameraClock& clock : scene.clocks) {
    scene.start_s = std::min(scene.start_s, clock.time_s(0));
    end_s = std::max(end_s, clock.time_s(clock.frame_count()));
  }
  scene.scenery = Scenery::make(options, end_s - scene.start_s);
  scene.walk = WalkPlan::make(options.people, options.area_m, end_s - scene.start_s, options.seed);
  return scene;
}

const Bump* bump_of(const SynthOptions& options, int camera) {
  for (const Bump& bump : options.bumps)
    if (bump.camera == camera) return &bump;
  return nullptr;
}

Result<Scene> scene_after_bumps(const Scene& scene) {
  Scene after = scene;
  for (const Bump& bump : scene.options.bumps) {
    Camera& camera = after.cameras[bump.camera];
    CameraChange change = CameraChange::Zero();
    change[1] = bump.degrees * std::numbers::pi / 180;
    const std::optional<Camera> turned_camera = changed_camera(camera, change);
    if (!turned_camera)
      return fail(ErrorKind::invalid_argument, camera.name() + " cannot be turned so far",
                  "synthetic footage", "Give a smaller bump.");
    camera = *turned_camera;
  }
  return after;
}

std::vector<Body> pose_people(const Scene& scene, double time_s) {
  std::vector<Body> bodies;
  for (size_t i = 0; i < scene.looks.size(); ++i)
    bodies.push_back(pose_body(scene.looks[i], scene.walk_state(i, time_s)));
  return bodies;
}

std::vector<Body> pose_all(const Scene& scene, double time_s) {
  std::vector<Body> bodies;
  if (time_s >= scene.start_s) bodies = pose_people(scene, time_s);
  for (Body& body : scene.scenery.pose(time_s - scene.start_s)) bodies.push_back(std::move(body));
  return bodies;
}

}  // namespace vantage::synth
