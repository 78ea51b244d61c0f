#include "core/synth/head_pictures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "core/image/image_view.h"
#include "core/synth/camera_ring.h"
#include "core/synth/detail/renderer.h"
#include "core/synth/detail/sporty.h"
#include "core/synth/detail/truth.h"
#include "core/synth/random.h"

namespace vantage::synth {
namespace {

// Degradation of pictures by cameras and codecs: blur of lens and motion, contrast and brightness, noise, and
// the loss of a codec that rounds the cosine transform of 8 x 8 blocks.

struct ImageDegradation {
  double blur_px = 0;   // standard deviation
  int motion_px = 0;    // length of a sideways movement, at most 15
  double contrast = 1;  // about the middle grey
  double brightness = 0;
  double noise = 0;     // standard deviation
  double rounding = 0;  // rounding of the mean frequency's coefficient; 0: no codec
};

uint8_t to_byte(double value) {
  return static_cast<uint8_t>(std::clamp(std::lround(value), 0L, 255L));
}

// Filters `count` samples `distance` apart by symmetric weights; the border is repeated.
void filter(uint8_t* line, int count, size_t distance, const std::vector<double>& weights,
            std::vector<uint8_t>* scratch) {
  scratch->resize(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) (*scratch)[i] = line[static_cast<size_t>(i) * distance];
  const int radius = static_cast<int>(weights.size()) / 2;
  for (int i = 0; i < count; ++i) {
    double sum = 0;
    for (int k = -radius; k <= radius; ++k)
      sum += weights[k + radius] * (*scratch)[std::clamp(i + k, 0, count - 1)];
    line[static_cast<size_t>(i) * distance] = to_byte(sum);
  }
}

void filter_picture(ImageView<uint8_t> picture, const std::vector<double>& weights, bool rows, bool columns) {
  std::vector<uint8_t> scratch;
  for (int y = 0; rows && y < picture.height; ++y)
    filter(picture.row(y), picture.width, 1, weights, &scratch);
  for (int x = 0; columns && x < picture.width; ++x)
    filter(picture.data + x, picture.height, picture.stride_bytes, weights, &scratch);
}

std::vector<double> gaussian(double sigma) {
  const int radius = static_cast<int>(std::ceil(2.5 * sigma));
  std::vector<double> weights;
  double sum = 0;
  for (int k = -radius; k <= radius; ++k) {
    weights.push_back(std::exp(-0.5 * k * k / (sigma * sigma)));
    sum += weights.back();
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

constexpr int kBlock = 8;
using Block = std::array<float, kBlock * kBlock>;

const Block& cosines() {
  static const Block table = [] {
    Block t{};
    for (int k = 0; k < kBlock; ++k)
      for (int i = 0; i < kBlock; ++i)
        t[k * kBlock + i] = static_cast<float>(std::sqrt((k == 0 ? 1.0 : 2.0) / kBlock) *
                                               std::cos((2 * i + 1) * k * std::numbers::pi / (2 * kBlock)));
    return t;
  }();
  return table;
}

// out = C in C^T, or C^T in C.
Block transform(const Block& in, bool forward) {
  const Block& c = cosines();
  const auto entry = [&](int k, int i) { return c[forward ? k * kBlock + i : i * kBlock + k]; };
  Block half{}, out{};
  for (int k = 0; k < kBlock; ++k)
    for (int x = 0; x < kBlock; ++x)
      for (int i = 0; i < kBlock; ++i) half[k * kBlock + x] += entry(k, i) * in[i * kBlock + x];
  for (int y = 0; y < kBlock; ++y)
    for (int k = 0; k < kBlock; ++k)
      for (int i = 0; i < kBlock; ++i) out[y * kBlock + k] += entry(k, i) * half[y * kBlock + i];
  return out;
}

// Coarser for higher frequencies, as codecs' tables are.
void round_blocks(double rounding, ImageView<uint8_t> picture) {
  for (int by = 0; by + kBlock <= picture.height; by += kBlock)
    for (int bx = 0; bx + kBlock <= picture.width; bx += kBlock) {
      Block block;
      for (int i = 0; i < kBlock * kBlock; ++i) block[i] = picture.at(bx + i % kBlock, by + i / kBlock);
      Block coded = transform(block, true);
      for (int i = 0; i < kBlock * kBlock; ++i) {
        const auto step = static_cast<float>(rounding * (0.5 + 0.15 * (i % kBlock + i / kBlock)));
        float& value = coded[i];
        value = std::round(value / step) * step;
      }
      block = transform(coded, false);
      for (int i = 0; i < kBlock * kBlock; ++i)
        picture.at(bx + i % kBlock, by + i / kBlock) = to_byte(block[i]);
    }
}

// Drawn so that most pictures suffer a little and some a lot.
ImageDegradation random_degradation(uint64_t seed) {
  Random random(seed, 0x77656172);
  ImageDegradation degradation;
  if (random.uniform() < 0.6) degradation.blur_px = random.uniform(0.3, 1.3);
  if (random.uniform() < 0.1) degradation.motion_px = 3 + 2 * random.below(3);
  degradation.contrast = random.uniform() < 0.5 ? 1 : random.uniform(0.55, 1.4);
  degradation.brightness = random.uniform(-25, 25);
  degradation.noise = random.uniform() < 0.7 ? random.uniform(0.5, 2) : random.uniform(2, 4);
  if (random.uniform() < 0.6) degradation.rounding = random.uniform(4, 24);
  return degradation;
}

void degrade(const ImageDegradation& degradation, uint64_t seed, ImageView<uint8_t> picture) {
  if (degradation.blur_px > 0) filter_picture(picture, gaussian(degradation.blur_px), true, true);
  if (degradation.motion_px > 1)
    filter_picture(
        picture, std::vector<double>(static_cast<size_t>(degradation.motion_px), 1.0 / degradation.motion_px),
        true, false);
  Random random(seed, 0x6e6f6973);
  for (int y = 0; y < picture.height; ++y)
    for (int x = 0; x < picture.width; ++x) {
      const double noise =
          (random.uniform() + random.uniform() + random.uniform() - 1.5) * 2 * degradation.noise;
      picture.at(x, y) =
          to_byte(128 + degradation.brightness + degradation.contrast * (picture.at(x, y) - 128.0) + noise);
    }
  if (degradation.rounding > 0) round_blocks(degradation.rounding, picture);
}

// Pictures of nothing in particular, with the statistics of edges that natural pictures have: shapes of all
// sizes, one over the other, their number falling with the cube of their size ("dead leaves": A. Lee,
// D. Mumford, J. Huang, "Occlusion models for natural images", 2001).

// An ellipse or a rectangle, turned, with a gradient and perhaps stripes or grain.
struct Shape {
  double x, y, along, across, cosine, sine;
  bool round;
  double gray, slope, stripes, grain;
  uint32_t salt;
};

Shape make_shape(Random& random, int width, int height) {
  constexpr double kSmallest_px = 3, kLargest_px = 220;
  Shape shape{};
  shape.x = random.uniform(-20, width + 20);
  shape.y = random.uniform(-20, height + 20);
  // Inverse of the distribution of r^-3 between the two sizes.
  const double low = 1 / (kSmallest_px * kSmallest_px), high = 1 / (kLargest_px * kLargest_px);
  shape.along = 1 / std::sqrt(low + (high - low) * random.uniform());
  shape.across = shape.along * (random.uniform() < 0.2 ? random.uniform(0.03, 0.15) : random.uniform(0.3, 1));
  // Upright half of the time, as most things made by people are.
  const double angle = random.uniform() < 0.5 ? random.uniform(-0.06, 0.06) + (random.below(2) ? 1.5708 : 0)
                                              : random.uniform(0, 3.1416);
  shape.cosine = std::cos(angle);
  shape.sine = std::sin(angle);
  shape.round = random.uniform() < 0.5;
  shape.gray = random.uniform(5, 250);
  shape.slope = random.uniform(-60, 60);
  shape.stripes = random.uniform() < 0.12 ? random.uniform(0.3, 2) : 0;
  shape.grain = random.uniform() < 0.4 ? random.uniform(2, 40) : 0;
  shape.salt = static_cast<uint32_t>(random.bits());
  return shape;
}

uint8_t shade(const Shape& shape, double u, double v, int x, int y) {
  double value = shape.gray + shape.slope * u;
  if (shape.stripes > 0) value += 40 * std::sin(v * shape.across * shape.stripes);
  if (shape.grain > 0) value += shape.grain * (lattice(x, y, shape.salt) - 0.5f);
  return static_cast<uint8_t>(std::clamp(value, 0.0, 255.0));
}

void paint(const Shape& shape, ImageView<uint8_t> picture) {
  const int x0 = std::max(0, static_cast<int>(shape.x - shape.along * 1.5)),
            x1 = std::min(picture.width, static_cast<int>(shape.x + shape.along * 1.5) + 1);
  const int y0 = std::max(0, static_cast<int>(shape.y - shape.along * 1.5)),
            y1 = std::min(picture.height, static_cast<int>(shape.y + shape.along * 1.5) + 1);
  for (int y = y0; y < y1; ++y)
    for (int x = x0; x < x1; ++x) {
      const double dx = x - shape.x, dy = y - shape.y;
      const double u = (dx * shape.cosine + dy * shape.sine) / shape.along;
      const double v = (dy * shape.cosine - dx * shape.sine) / shape.across;
      const bool inside = shape.round ? u * u + v * v <= 1 : std::abs(u) <= 1 && std::abs(v) <= 1;
      if (inside) picture.at(x, y) = shade(shape, u, v, x, y);
    }
}

// Fills the picture; the same seed gives the same picture.
void paint_clutter(uint64_t seed, ImageView<uint8_t> picture) {
  Random random(seed, 0x6c656166);
  for (int y = 0; y < picture.height; ++y)
    std::fill_n(picture.row(y), picture.width, static_cast<uint8_t>(random.below(2) * 60 + 90));
  // Few large ones first, so that the picture is covered.
  for (int i = 0; i < 40; ++i) {
    Shape shape = make_shape(random, picture.width, picture.height);
    shape.along = random.uniform(60, 260);
    shape.across = shape.along * random.uniform(0.2, 1);
    paint(shape, picture);
  }
  const int count = random.below(900) + 60;
  for (int i = 0; i < count; ++i) paint(make_shape(random, picture.width, picture.height), picture);
}

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
    VANTAGE_ASSIGN(scene.cameras[i], random_camera(random, scene.room.half_side_m - 0.3, rolled, i));
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
