#include "core/synth/head_pictures.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/synth/camera_ring.h"
#include "core/synth/detail/clutter.h"
#include "core/synth/detail/image_degradation.h"
#include "core/synth/detail/pixel_truth.h"
#include "core/synth/detail/renderer.h"
#include "core/synth/detail/sporty.h"
#include "core/synth/random.h"

namespace vantage::synth {
namespace {

constexpr int kCameras = 2;
constexpr double kArea_m = 5;  // holds 15 people

Material random_cloth(Random& random) {
  Material cloth;
  const auto color = [&] {
    const double light = std::exp(random.uniform(std::log(0.015), std::log(0.8)));
    Color c;
    for (int i = 0; i < 3; ++i) c[i] = static_cast<float>(std::min(0.9, light * random.uniform(0.5, 1.5)));
    return c;
  };
  cloth.color = color();
  cloth.second = color();
  if (random.uniform() < 0.18) cloth.pattern = Pattern::stripes;
  return cloth;
}

void vary_look(Random& random, PersonLook* look) {
  look->height_m = random.uniform(1.3, 2.0);
  look->build = random.uniform(0.88, 1.3);
  look->shirt = random.uniform() < 0.12 ? look->skin : random_cloth(random);
  look->trousers = random_cloth(random);
  look->long_hair = random.uniform() < 0.4;
  const double hair = random.uniform();
  if (hair < 0.15) look->hair = look->skin;  // bald
  if (hair > 0.5) look->hair.color = (random.uniform() < 0.6 ? 0.15f : 1.f) * random_cloth(random).color;
  const double worn = random.uniform();
  look->headwear = worn < 0.16 ? Headwear::cap : worn < 0.28 ? Headwear::hat : Headwear::none;
  look->cloth = random_cloth(random);
}

Posture random_posture(Random& random) {
  Posture posture;
  if (random.uniform() < 0.7) {
    posture.head_turn_left = random.uniform(-0.9, 0.9);
    posture.head_nod = random.uniform(-0.3, 0.45);
    posture.head_tilt_left = random.uniform(-0.25, 0.25);
  }
  if (random.uniform() < 0.3) {
    posture.lean_forward = random.uniform(-0.15, 0.6);
    posture.lean_left = random.uniform(-0.4, 0.4);
  }
  for (int side = 0; side < 2; ++side) {
    if (random.uniform() < 0.3) posture.arm_forward[side] = random.uniform(0, 2.8);
    if (random.uniform() < 0.3) posture.arm_outward[side] = random.uniform(0, 2.4);
  }
  return posture;
}

void vary_light(Random& random, Light* light) {
  const double azimuth = random.uniform(-std::numbers::pi, std::numbers::pi),
               height = random.uniform(0.5, 1.4);
  light->towards = Eigen::Vector3d(std::cos(azimuth) * std::cos(height), std::sin(azimuth) * std::cos(height),
                                   std::sin(height))
                       .cast<float>();
  light->key *= static_cast<float>(random.uniform(0.15, 1.4));
  light->sky *= static_cast<float>(random.uniform(0.6, 1.6));
  light->bounce *= static_cast<float>(random.uniform(0.5, 1.6));
}

// Inside the room, aimed at people, so zoomed that a head in the middle is 13 to 75 pixels high.
Result<Camera> random_camera(Random& random, double reach_m, double rolled, int index) {
  PinholeCamera<double> model;
  model.width_px = kHeadPictureWidth;
  model.height_px = kHeadPictureHeight;
  model.k1 = random.uniform(-0.1, 0.03);
  model.cx_px = (kHeadPictureWidth - 1) / 2.0;
  model.cy_px = (kHeadPictureHeight - 1) / 2.0;
  const double azimuth = random.uniform(-std::numbers::pi, std::numbers::pi),
               radius = random.uniform(2.4, reach_m);
  const Eigen::Vector3d center(radius * std::cos(azimuth), radius * std::sin(azimuth),
                               random.uniform(1.2, 3.2));
  const Eigen::Vector3d target(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(0.7, 1.6));
  const double roll = random.uniform() < rolled ? random.uniform(-0.4, 0.4) : random.uniform(-0.05, 0.05);
  aim_camera(center, target, CameraLayout::ring, roll, &model);
  const double head_px = std::exp(random.uniform(std::log(13), std::log(75)));
  model.fx_px = model.fy_px = std::max(330.0, head_px * (center - target).norm() / 0.24);
  return Camera::make("cam" + std::to_string(index + 1), model);
}

Result<Scene> make_head_scene(uint64_t seed, double rolled) {
  Random random(seed, 0x68656164);
  SynthOptions options;
  options.cameras = kCameras;
  options.width_px = kHeadPictureWidth;
  options.height_px = kHeadPictureHeight;
  options.area_m = kArea_m;
  options.people = 7 + random.below(8);
  options.seconds = 30;
  options.frame_rate = 1;
  options.noise = 0;
  options.seed = seed;
  VANTAGE_ASSIGN(Scene scene, make_scene(options));
  vary_light(random, &scene.light);
  for (int i = 0; i < kCameras; ++i) {
    VANTAGE_ASSIGN(scene.cameras[static_cast<size_t>(i)],
                   random_camera(random, scene.room.half_side_m - 0.3, rolled, i));
  }
  return scene;
}

// Poses everybody; returns, for each, whether the face is then veiled.
std::vector<bool> pose_at_random(Scene& scene, double time_s, double sporty, Random& random,
                                 std::vector<Body>* bodies) {
  std::vector<bool> veiled;
  for (size_t i = 0; i < scene.looks.size(); ++i) {
    Posture posture = random_posture(random);
    const bool does_sport = sporty > 0 && random.uniform() < sporty;
    veiled.push_back(does_sport && do_sport(random, &scene.looks[i], &posture));
    bodies->push_back(pose_body(scene.looks[i], scene.walk_state(i, time_s), posture));
  }
  return veiled;
}

std::vector<RenderedHead> heads_of(const std::vector<Appearance>& appearances) {
  std::vector<RenderedHead> heads;
  for (const Appearance& appearance : appearances) {
    const PixelBox& box = appearance.head.box;
    if (box.empty()) continue;
    const bool cut =
        box.x0 <= 0 || box.y0 <= 0 || box.x1 >= kHeadPictureWidth || box.y1 >= kHeadPictureHeight;
    heads.push_back({box, appearance.head.visibility(), cut});
  }
  return heads;
}

// Replaces each luma by mixed(luma, clutter there, whether a person is there).
template <typename Mixed>
Status mix_clutter(const PixelTruth& truth, uint64_t seed, ImageView<uint8_t> luma, const Mixed& mixed) {
  VANTAGE_ASSIGN(const Image mask, truth.mask());
  VANTAGE_ASSIGN(Image clutter, Image::make(ImageType::u8, luma.width, luma.height, HostPool::shared()));
  const ImageView<uint8_t> painted = clutter.writable_view<uint8_t>();
  paint_clutter(seed, painted);
  const ImageView<const uint8_t> people = mask.view<uint8_t>();
  for (int y = 0; y < luma.height; ++y)
    for (int x = 0; x < luma.width; ++x)
      luma.at(x, y) = mixed(luma.at(x, y), painted.at(x, y), people.at(x, y) != 0);
  return {};
}

// The people stay, what is behind them goes.
Status replace_background(const PixelTruth& truth, uint64_t seed, ImageView<uint8_t> luma) {
  return mix_clutter(truth, seed, luma, [](uint8_t picture, uint8_t clutter, bool person) {
    return person ? picture : clutter;
  });
}

// Spots of clutter show through people, faintly.
Status texture_people(const PixelTruth& truth, uint64_t seed, double strength, ImageView<uint8_t> luma) {
  return mix_clutter(truth, seed, luma, [strength](uint8_t picture, uint8_t clutter, bool person) {
    const double value = picture + strength * (clutter - 128.0);
    return person ? static_cast<uint8_t>(std::clamp(std::lround(value), 0L, 255L)) : picture;
  });
}

// Everybody changes clothes from picture to picture.
Result<HeadPicture> render_one(Scene& scene, Renderer* renderer, PixelTruth* truth, int64_t frame,
                               const HeadPictureShares& shares, Random& random) {
  for (PersonLook& look : scene.looks) vary_look(random, &look);
  std::vector<Body> bodies;
  const std::vector<bool> veiled =
      pose_at_random(scene, static_cast<double>(frame), shares.sporty, random, &bodies);
  truth->draw(bodies);
  VANTAGE_ASSIGN(const Picture picture, renderer->render(bodies, frame));
  HeadPicture made;
  VANTAGE_ASSIGN(made.luma,
                 Image::make(ImageType::u8, picture.width(), picture.height(), HostPool::shared()));
  const ImageView<uint8_t> luma = made.luma.writable_view<uint8_t>();
  for (int y = 0; y < luma.height; ++y) std::copy_n(picture.plane(0).row(y), luma.width, luma.row(y));
  const uint64_t seed = random.bits();
  if (random.uniform() < shares.clutter) VANTAGE_TRY(replace_background(*truth, seed, luma));
  if (shares.textured > 0 && random.uniform() < shares.textured)
    VANTAGE_TRY(texture_people(*truth, mix(~seed), random.uniform(0.08, 0.35), luma));
  for (size_t i = 0; i < veiled.size(); ++i)
    if (veiled[i]) veil_face(truth->appearances()[i].head.box, random, luma);
  degrade(random_degradation(seed), seed, luma);
  made.heads = heads_of(truth->appearances());
  return made;
}

}  // namespace

Result<std::vector<HeadPicture>> render_head_pictures(uint64_t seed, int frames,
                                                      const HeadPictureShares& shares) {
  VANTAGE_ASSIGN(Scene scene, make_head_scene(seed, shares.rolled));
  std::vector<HeadPicture> pictures;
  for (int camera = 0; camera < kCameras; ++camera) {
    Random random(seed, 0x706f7365 + static_cast<uint64_t>(camera));
    VANTAGE_ASSIGN(Renderer renderer, Renderer::make(scene, camera));
    PixelTruth truth(renderer.view());
    for (int i = 0; i < frames; ++i) {
      const int64_t frame = i * (scene.frame_count() - 1) / std::max(1, frames);
      VANTAGE_ASSIGN(HeadPicture picture, render_one(scene, &renderer, &truth, frame, shares, random));
      pictures.push_back(std::move(picture));
    }
  }
  return pictures;
}

Result<HeadPicture> paint_headless_picture(uint64_t seed) {
  HeadPicture picture;
  VANTAGE_ASSIGN(picture.luma,
                 Image::make(ImageType::u8, kHeadPictureWidth, kHeadPictureHeight, HostPool::shared()));
  const ImageView<uint8_t> luma = picture.luma.writable_view<uint8_t>();
  paint_clutter(seed, luma);
  degrade(random_degradation(mix(seed)), seed, luma);
  return picture;
}

}  // namespace vantage::synth
