#include "core/synth/detail/sensor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/image/time_code.h"
#include "core/synth/random.h"

namespace vantage::synth {
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
    curve[static_cast<size_t>(i)] =
        static_cast<uint8_t>(std::clamp<long>(std::lround(zero + factor * (i - zero)), 0, 255));
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

}  // namespace vantage::synth
