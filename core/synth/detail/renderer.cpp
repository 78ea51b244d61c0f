#include "core/synth/detail/renderer.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "core/image/time_code.h"
#include "core/synth/random.h"

namespace vantage::synth {
namespace {

constexpr double cell_m = 0.02;
constexpr double reach_m = 2.4;         // reach of shadows beyond the area
constexpr double lamp_softness = 0.07;  // penumbra per metre of height: the lamp's angular size

ShadowMap::Rectangle joined(const ShadowMap::Rectangle& a, const ShadowMap::Rectangle& b) {
  return {std::min(a.x0, b.x0), std::min(a.y0, b.y0), std::max(a.x1, b.x1), std::max(a.y1, b.y1)};
}

}  // namespace

ShadowMap::ShadowMap(double area_m, const Light& light)
    : origin_m_(-area_m / 2 - reach_m), towards_light_(light.towards.cast<double>()) {
  side_ = static_cast<int>(std::ceil(-2 * origin_m_ / cell_m));
  cells_.resize(static_cast<size_t>(side_) * side_);
}

ShadowMap::Cells ShadowMap::cells_of(const Rectangle& r) const {
  const auto index = [this](double v) {
    return static_cast<int>(std::clamp((v - origin_m_) / cell_m, 0.0, static_cast<double>(side_)));
  };
  return {index(r.x0), index(r.y0), index(r.x1 + cell_m), index(r.y1 + cell_m)};
}

std::vector<ShadowMap::Rectangle> ShadowMap::cast(const std::vector<Body>& bodies) {
  for (const Cells& c : used_)
    for (int y = c.y0; y < c.y1; ++y)
      std::fill(cells_.begin() + static_cast<ptrdiff_t>(y) * side_ + c.x0,
                cells_.begin() + static_cast<ptrdiff_t>(y) * side_ + c.x1, Shade{});
  used_.clear();
  std::vector<Rectangle> rectangles;
  for (const Body& body : bodies) {
    Eigen::Vector3d middle = body.head_center_in_world_m;
    middle.z() = 0;
    Rectangle rectangle = darken_below(middle, 0.45, 0.30);
    for (const Ellipsoid& part : body.parts) {
      rectangle = joined(rectangle, cast_part(part));
      if (part.center_in_world_m.z() < 0.12)
        rectangle = joined(rectangle, darken_below(part.center_in_world_m, 0.16, 0.55));
    }
    rectangles.push_back(rectangle);
    used_.push_back(cells_of(rectangle));
  }
  return rectangles;
}

// A ray from floor point p to the lamp passes the ellipsoid at a distance rho of its axes-scaled radius; the
// shadow fades around rho = 1 over the penumbra's width.
ShadowMap::Rectangle ShadowMap::cast_part(const Ellipsoid& part) {
  const Eigen::Vector3d& light = towards_light_;
  const Eigen::Matrix3d shape =
      part.axes * part.radii_m.cwiseAbs2().cwiseInverse().asDiagonal() * part.axes.transpose();
  const double height = part.center_in_world_m.z();
  const double softness = std::clamp((0.02 + lamp_softness * height) / part.radii_m.minCoeff(), 0.08, 1.6);
  const double outer = 1 + 0.5 * softness, inner = std::max(0.0, 1 - 0.5 * softness);
  // A shadow narrower than its penumbra is never full.
  const double strength = std::min(1.0, 1.25 / (1 + 0.5 * softness));
  const Eigen::Vector3d middle = part.center_in_world_m - light * (height / light.z());
  const double reach = outer * part.radii_m.maxCoeff() / light.z();
  const Rectangle rectangle = {middle.x() - reach, middle.y() - reach, middle.x() + reach,
                               middle.y() + reach};
  const Cells c = cells_of(rectangle);
  const Eigen::Vector3d shaped_light = shape * light;
  const double along = light.dot(shaped_light);
  for (int y = c.y0; y < c.y1; ++y)
    for (int x = c.x0; x < c.x1; ++x) {
      const Eigen::Vector3d from(origin_m_ + (x + 0.5) * cell_m - middle.x(),
                                 origin_m_ + (y + 0.5) * cell_m - middle.y(), 0);
      const double b = from.dot(shaped_light);
      const double rho2 = from.dot(shape * from) - b * b / along;
      if (rho2 >= outer * outer) continue;
      const float shade = static_cast<float>(strength) *
                          (1.f - smoothstep(static_cast<float>(inner), static_cast<float>(outer),
                                            static_cast<float>(std::sqrt(std::max(rho2, 0.0)))));
      float& key = cells_[static_cast<size_t>(y) * side_ + x].key;
      key += (1.f - key) * shade;
    }
  return rectangle;
}

ShadowMap::Rectangle ShadowMap::darken_below(const Eigen::Vector3d& point, double radius_m, double strength) {
  const double reach = 2 * radius_m, faded = strength * std::exp(-point.z() / 0.08);
  const Rectangle rectangle = {point.x() - reach, point.y() - reach, point.x() + reach, point.y() + reach};
  const Cells c = cells_of(rectangle);
  for (int y = c.y0; y < c.y1; ++y)
    for (int x = c.x0; x < c.x1; ++x) {
      const double dx = origin_m_ + (x + 0.5) * cell_m - point.x(),
                   dy = origin_m_ + (y + 0.5) * cell_m - point.y();
      const double r2 = (dx * dx + dy * dy) / (reach * reach);
      if (r2 >= 1) continue;
      float& ambient = cells_[static_cast<size_t>(y) * side_ + x].ambient;
      ambient += (1.f - ambient) * static_cast<float>(faded * (1 - r2) * (1 - r2) * (1 - r2));
    }
  return rectangle;
}

ShadowMap::Shade ShadowMap::at(float x_m, float y_m) const {
  const float fx = (x_m - static_cast<float>(origin_m_)) / static_cast<float>(cell_m) - 0.5f;
  const float fy = (y_m - static_cast<float>(origin_m_)) / static_cast<float>(cell_m) - 0.5f;
  if (!(fx >= 0) || !(fy >= 0) || fx >= static_cast<float>(side_ - 1) || fy >= static_cast<float>(side_ - 1))
    return {};
  const int x = static_cast<int>(fx), y = static_cast<int>(fy);
  const float u = fx - static_cast<float>(x), v = fy - static_cast<float>(y);
  const Shade* above = &cells_[static_cast<size_t>(y) * side_ + x];
  const Shade* below = above + side_;
  const auto mix4 = [&](float Shade::* m) {
    return (1 - v) * ((1 - u) * above[0].*m + u * above[1].*m) +
           v * ((1 - u) * below[0].*m + u * below[1].*m);
  };
  return {mix4(&Shade::key), mix4(&Shade::ambient)};
}

namespace {

// A table; every row of every picture starts somewhere else in it.
constexpr size_t noise_count = size_t{1} << 18;
constexpr double code_gamma = 2.2;

std::vector<int8_t> make_noise(Random random, double deviation) {
  std::vector<int8_t> noise(noise_count);
  for (int8_t& value : noise) {
    double sum = -6;  // twelve uniform numbers make a nearly normal one
    for (int i = 0; i < 12; ++i) sum += random.uniform();
    value = static_cast<int8_t>(std::lround(sum * deviation));
  }
  return noise;
}

using Curve = std::array<uint8_t, 256>;

// The coded value under the exposure, `zero` being what stays where it is.
Curve exposure_curve(double stops, int zero) {
  Curve curve{};
  const double factor = std::exp2(stops / code_gamma);
  for (int i = 0; i < 256; ++i)
    curve[i] = static_cast<uint8_t>(std::clamp<long>(std::lround(zero + factor * (i - zero)), 0, 255));
  return curve;
}

// Frame 0 of the base is taken at ten o'clock.
int64_t day_ms(double time_s) {
  constexpr double kStart_s = 36000;
  return std::llround((time_s + kStart_s) * 1000);
}

}  // namespace

Sensor::Sensor(const Scene& scene, int camera)
    : seed_(mix(scene.options.seed ^ mix(1000 + static_cast<uint64_t>(camera)))),
      time_code_(scene.options.time_code),
      start_s_(scene.start_s),
      noise_(make_noise(Random(seed_, 0x6e6f6973), scene.options.noise)) {
  plan_exposure(scene);
}

// Steps go up and down in turn, so that the picture stays usable however many there are.
void Sensor::plan_exposure(const Scene& scene) {
  Random random(seed_, 0x6578706f);
  drift_stops_ = scene.options.exposure_drift_stops * (random.below(2) ? 1 : -1);
  drift_period_s_ = random.uniform(40, 80);
  std::vector<double> moments_s;
  for (int i = 0; i < scene.options.exposure_steps; ++i)
    moments_s.push_back(scene.start_s + random.uniform(0.1, 0.95) * scene.options.seconds);
  std::sort(moments_s.begin(), moments_s.end());
  double sign = random.below(2) ? 1 : -1;
  for (const double moment_s : moments_s) {
    steps_.push_back({moment_s, sign * random.uniform(0.25, 0.5)});
    sign = -sign;
  }
}

double Sensor::exposure_stops(double time_s) const {
  double stops = drift_stops_ * std::sin(2 * std::numbers::pi * (time_s - start_s_) / drift_period_s_);
  for (const Step& step : steps_)
    if (time_s >= step.time_s) stops += step.stops;
  return stops;
}

Result<Picture> Sensor::picture(const Planes& planes, double exposure_stops, uint64_t take,
                                double time_s) const {
  VANTAGE_ASSIGN(Picture picture,
                 Picture::make(picture_format(planes.width, planes.height), HostPool::shared()));
  const std::vector<uint8_t>* sources[3] = {&planes.y, &planes.cb, &planes.cr};
  for (int p = 0; p < 3; ++p) {
    const Curve curve = exposure_curve(exposure_stops, p == 0 ? 16 : 128);
    const int columns = p == 0 ? planes.width : planes.width / 2;
    const int rows = p == 0 ? planes.height : planes.height / 2;
    const ImageView<uint8_t> to = picture.writable_plane(p);
    for (int y = 0; y < rows; ++y) {
      const uint8_t* from = sources[p]->data() + static_cast<size_t>(y) * columns;
      uint8_t* row = to.row(y);
      const uint64_t place = mix(take ^ mix(static_cast<uint64_t>(p) << 32 | static_cast<uint64_t>(y)));
      const int8_t* noise = noise_.data() + place % (noise_count - static_cast<size_t>(columns));
      // Chroma is the mean of four pixels' noise: half of it.
      for (int x = 0; x < columns; ++x) {
        const int value = curve[from[x]] + (p == 0 ? noise[x] : noise[x] / 2);
        row[x] = static_cast<uint8_t>(std::clamp(value, 16, p == 0 ? 235 : 240));
      }
    }
  }
  if (time_code_) burn_time_code(day_ms(time_s), picture);
  return picture;
}

namespace {

using Eigen::Vector2f;
using Eigen::Vector3f;

Vector3f direction(const Vector2f& sample) {
  return {sample.x(), sample.y(), 1.f};
}

PixelBox even(const PixelBox& box) {
  return {box.x0 & ~1, box.y0 & ~1, (box.x1 + 1) & ~1, (box.y1 + 1) & ~1};
}

}  // namespace

Renderer::Renderer(const Scene& scene, int camera, CameraView view)
    : scene_(&scene),
      noise_seed_(mix(scene.options.seed ^ mix(1000 + static_cast<uint64_t>(camera)))),
      view_(std::move(view)),
      shadows_(scene.options.area_m, scene.light),
      towards_light_(view_.rotation() * scene.light.towards),
      up_(view_.rotation().col(2)),
      clock_(scene.clocks[camera]),
      sensor_(scene, camera) {}

Result<Renderer> Renderer::make(const Scene& scene, int camera) {
  VANTAGE_ASSIGN(CameraView view, CameraView::make(scene.cameras[camera]));
  Renderer renderer(scene, camera, std::move(view));
  const size_t pixels = static_cast<size_t>(renderer.view_.width_px()) * renderer.view_.height_px();
  renderer.samples_.assign(4 * pixels, Sample{std::numeric_limits<float>::max(), -1});
  renderer.composed_.assign(pixels / 4, 0);
  renderer.render_room();
  renderer.encode_room();
  return renderer;
}

void Renderer::render_room() {
  const int width = view_.width_px(), height = view_.height_px();
  room_.resize(static_cast<size_t>(width) * height);
  const Eigen::Matrix3f world_from_cam = view_.rotation().transpose();
  const auto render_row = [&](int y) {
    for (int x = 0; x < width; ++x) {
      // 16 rays a pixel: four around each of the 2 x 2 samples, an eighth of a pixel off.
      RoomLight sum;
      const Vector2f *above = view_.sample_row(2 * y) + 2 * x, *below = view_.sample_row(2 * y + 1) + 2 * x;
      const Vector2f right = 0.25f * (above[1] - above[0]), down = 0.25f * (below[0] - above[0]);
      for (const Vector2f& sample : {above[0], above[1], below[0], below[1]})
        for (int i = 0; i < 4; ++i) {
          const Vector2f ray = sample + (i & 1 ? right : Vector2f(-right)) + (i & 2 ? down : Vector2f(-down));
          const RoomLight light =
              trace_room(scene_->room, scene_->light, view_.center(), world_from_cam * direction(ray));
          sum.key += light.key, sum.other += light.other;
        }
      room_[static_cast<size_t>(y) * width + x] = {sum.key / 16.f, sum.other / 16.f};
    }
  };
  // Isolated: a thread that waits here must not start on another camera meanwhile.
  tbb::this_task_arena::isolate([&] {
    tbb::parallel_for(tbb::blocked_range<int>(0, height), [&](const tbb::blocked_range<int>& rows) {
      for (int y = rows.begin(); y < rows.end(); ++y) render_row(y);
    });
  });
}

void Renderer::encode_room() {
  const int width = view_.width_px(), height = view_.height_px();
  const size_t pixels = static_cast<size_t>(width) * height;
  empty_.width = width, empty_.height = height;
  empty_.y.resize(pixels), empty_.cb.resize(pixels / 4), empty_.cr.resize(pixels / 4);
  for (int y = 0; y < height; y += 2)
    for (int x = 0; x < width; x += 2) {
      Color four[4];
      for (int i = 0; i < 4; ++i) {
        const RoomLight& light = room_[static_cast<size_t>(y + i / 2) * width + x + i % 2];
        four[i] = light.key + light.other;
      }
      encode_block(&empty_, x, y, four);
    }
  frame_ = empty_;
}

void Renderer::encode_block(Planes* planes, int x, int y, const Color* four) const {
  const int width = view_.width_px();
  const ColorMatrix matrix = picture_format(width, view_.height_px()).matrix;
  float cb = 0, cr = 0;
  for (int i = 0; i < 4; ++i) {
    const YCbCr coded = to_ycbcr(gamma_encode(four[i]), matrix);
    planes->y[static_cast<size_t>(y + i / 2) * width + x + i % 2] = round_to_byte(coded.y);
    cb += coded.cb, cr += coded.cr;
  }
  const size_t chroma = static_cast<size_t>(y / 2) * (width / 2) + x / 2;
  planes->cb[chroma] = round_to_byte(cb / 4);
  planes->cr[chroma] = round_to_byte(cr / 4);
}

// Sets up this frame's silhouettes and shadows; the boxes of pixels that may differ from the empty room.
std::vector<PixelBox> Renderer::place(const std::vector<Body>& bodies) {
  parts_.clear();
  std::vector<PixelBox> boxes;
  const auto shadows = shadows_.cast(bodies);
  for (size_t i = 0; i < bodies.size(); ++i) {
    PixelBox box;
    for (const Ellipsoid& part : bodies[i].parts) {
      parts_.push_back({Silhouette(part, view_), part.material});
      box.include(parts_.back().silhouette.box());
    }
    boxes.push_back(even(box));
    boxes.push_back(even(view_.box_of_floor(shadows[i].x0, shadows[i].y0, shadows[i].x1, shadows[i].y1)));
  }
  std::erase_if(boxes, [](const PixelBox& box) { return box.empty(); });
  return boxes;
}

void Renderer::draw_parts() {
  for (size_t index = 0; index < parts_.size(); ++index) {
    const Silhouette& silhouette = parts_[index].silhouette;
    const PixelBox& box = silhouette.box();
    for (int row = 2 * box.y0; row < 2 * box.y1; ++row) {
      const Vector2f* directions = view_.sample_row(row);
      Sample* samples = sample_row(row);
      for (int column = 2 * box.x0; column < 2 * box.x1; ++column) {
        float depth;
        if (silhouette.hit(directions[column].x(), directions[column].y(), &depth) &&
            depth < samples[column].depth)
          samples[column] = {depth, static_cast<int32_t>(index)};
      }
    }
  }
}

Color Renderer::shade(int part, const Vector3f& point) const {
  const Silhouette& silhouette = parts_[part].silhouette;
  const Material& material = *parts_[part].material;
  Color color = material.color;
  if (material.pattern == Pattern::stripes) {
    const float position = silhouette.along(point) * 3.5f;
    color =
        lerp(color, material.second, smoothstep(0.3f, 0.6f, std::abs(position - std::round(position)) * 2));
  }
  const Vector3f normal = silhouette.normal(point);
  const Light& light = scene_->light;
  const float lit = std::max(0.f, (normal.dot(towards_light_) + 0.2f) / 1.2f);
  const float up = 0.5f + 0.5f * normal.dot(up_);
  const float height_m = view_.center().z() + up_.dot(point);
  const float open =
      0.62f + 0.38f * smoothstep(0.f, 0.9f, height_m);    // little light reaches between the legs
  const float edge = 1 + point.normalized().dot(normal);  // 0 facing the camera, 1 at the outline
  const Color light_sum = 0.95f * lit * light.key + lerp(light.bounce, light.sky, up) * open;
  return color * light_sum + (0.035f * edge * edge * edge * open) * light.sky;
}

// The empty room's pixel with people's shadows; false when none falls there.
bool Renderer::shade_floor(int x, int y, Color* color) const {
  const RoomLight& light = room_[static_cast<size_t>(y) * view_.width_px() + x];
  *color = light.key + light.other;
  if (!(light.key[1] > 0)) return false;
  const Vector3f ray = view_.rotation().transpose() * direction(view_.center_sample(x, y));
  if (!(ray.z() < -1e-4f)) return false;
  const float t = -view_.center().z() / ray.z();
  const ShadowMap::Shade shade =
      shadows_.at(view_.center().x() + t * ray.x(), view_.center().y() + t * ray.y());
  if (shade.key < 1e-3f && shade.ambient < 1e-3f) return false;
  *color = light.key * (1 - shade.key) * (1 - 0.5f * shade.ambient) + light.other * (1 - shade.ambient);
  return true;
}

bool Renderer::compose_pixel(int x, int y, Color* color) const {
  const Sample* four[4] = {sample_row(2 * y) + 2 * x, sample_row(2 * y) + 2 * x + 1,
                           sample_row(2 * y + 1) + 2 * x, sample_row(2 * y + 1) + 2 * x + 1};
  Color room;
  int covered = 0;
  for (const Sample* sample : four) covered += sample->part >= 0;
  const bool changed = covered == 4 || shade_floor(x, y, &room);
  if (covered == 0) {
    *color = room;
    return changed;
  }
  const int part = four[0]->part;
  if (covered == 4 && std::all_of(four, four + 4, [part](const Sample* s) { return s->part == part; })) {
    const float depth = 0.25f * (four[0]->depth + four[1]->depth + four[2]->depth + four[3]->depth);
    *color = shade(part, depth * direction(view_.center_sample(x, y)));
    return true;
  }
  Color sum = Color::Zero();
  for (int i = 0; i < 4; ++i) {
    const Vector2f& ray = view_.sample_row(2 * y + i / 2)[2 * x + i % 2];
    sum += four[i]->part >= 0 ? shade(four[i]->part, four[i]->depth * direction(ray)) : room;
  }
  *color = sum / 4.f;
  return true;
}

void Renderer::compose(const PixelBox& box) {
  for (int y = box.y0; y < box.y1; y += 2)
    for (int x = box.x0; x < box.x1; x += 2) {
      // Boxes overlap; each block is composed once a frame.
      int64_t& composed = composed_[static_cast<size_t>(y / 2) * (view_.width_px() / 2) + x / 2];
      if (std::exchange(composed, serial_) == serial_) continue;
      Color four[4];
      bool changed = false;
      for (int i = 0; i < 4; ++i) changed |= compose_pixel(x + i % 2, y + i / 2, &four[i]);
      if (changed) encode_block(&frame_, x, y, four);
    }
}

void Renderer::draw(const std::vector<Body>& bodies) {
  const int width = view_.width_px();
  for (const PixelBox& box : last_boxes_)
    for (int y = box.y0; y < box.y1; ++y) {
      const auto restore = [y, &box](std::vector<uint8_t>& to, const std::vector<uint8_t>& from, int scale,
                                     int row) {
        const size_t start = static_cast<size_t>(y / scale) * row + box.x0 / scale;
        std::copy_n(from.begin() + static_cast<ptrdiff_t>(start), (box.x1 - box.x0) / scale,
                    to.begin() + static_cast<ptrdiff_t>(start));
      };
      restore(frame_.y, empty_.y, 1, width);
      restore(frame_.cb, empty_.cb, 2, width / 2);
      restore(frame_.cr, empty_.cr, 2, width / 2);
      for (int row = 2 * y; row < 2 * y + 2; ++row)
        std::fill(sample_row(row) + 2 * box.x0, sample_row(row) + 2 * box.x1,
                  Sample{std::numeric_limits<float>::max(), -1});
    }
  last_boxes_ = place(bodies);
  ++serial_;
  draw_parts();
  for (const PixelBox& box : last_boxes_) compose(box);
}

Result<Picture> Renderer::render(const std::vector<Body>& bodies, int64_t frame) {
  draw(bodies);
  const double time_s = clock_.time_s(frame);
  return sensor_.picture(frame_, sensor_.exposure_stops(time_s),
                         mix(noise_seed_ + static_cast<uint64_t>(frame)), time_s);
}

Result<Picture> Renderer::render_empty(int64_t frame) {
  constexpr double before_s = 10;  // so long before the first frame
  const double time_s = scene_->start_s - before_s + static_cast<double>(frame) / scene_->options.frame_rate;
  draw(scene_->scenery.pose(time_s - scene_->start_s));
  return sensor_.picture(frame_, 0, mix(~noise_seed_ + static_cast<uint64_t>(frame)), time_s);
}

}  // namespace vantage::synth
