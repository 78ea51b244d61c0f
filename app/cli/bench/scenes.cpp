#include "app/cli/bench/scenes.h"

#include <algorithm>
#include <cmath>

#include "core/synth/wave_texture.h"

namespace vantage::cli {
namespace {

constexpr int kStreamWidth_px = 1280, kStreamHeight_px = 960;
constexpr double kCameraHeight_m = 2.5, kLookAtHeight_m = 1.0;

ImageView<uint8_t> cleared(Image& image) {
  const ImageView<uint8_t> view = image.writable_view<uint8_t>();
  for (int y = 0; y < view.height; ++y) std::fill_n(view.row(y), view.width, uint8_t{0});
  return view;
}

Image host_image(ImageType type, int width, int height) {
  return value_or_fail(Image::make(type, width, height, HostPool::shared()));
}

}  // namespace

BenchDevice::BenchDevice(const std::string& choice)
    : backends_(value_or_fail(open_backends(choice, nullptr))) {
  rates_ = value_or_fail(measure_rates(backends_));
  transfer_ = create<MemoryTransfer>({});
}

Image BenchDevice::to_device(const Image& image) const {
  return value_or_fail(transfer_->upload(image, 0, 0));
}

void BenchDevice::wait_for(const Image& image) const {
  check_or_fail(transfer_->wait_for(image));
}

Picture BenchDevice::noise_picture(int width, int height) {
  PictureFormat format;
  format.width = width, format.height = height;
  Picture made = value_or_fail(Picture::make(format, HostPool::shared()));
  for (int p = 0; p < made.plane_count(); ++p) {
    const auto plane = made.writable_plane(p);
    for (int y = 0; y < plane.height; ++y)
      for (int x = 0; x < plane.width; ++x) plane.at(x, y) = static_cast<uint8_t>(100 + random_() % 9);
  }
  return value_or_fail(transfer_->upload(made, 0, 0));
}

Picture BenchDevice::clouds(int width, int height, double moved_px) {
  PictureFormat format;
  format.width = width, format.height = height;
  Picture made = value_or_fail(Picture::make(format, HostPool::shared()));
  const auto plane = made.writable_plane(0);
  const WaveTexture texture(kBenchSeed, 8, 80);
  for (int y = 0; y < plane.height; ++y)
    for (int x = 0; x < plane.width; ++x) {
      const double turn_x = 6.28 * x / plane.width, turn_y = 6.28 * y / plane.height;
      const double level = texture(x - moved_px * std::sin(turn_y), y + moved_px * std::cos(turn_x));
      plane.at(x, y) = static_cast<uint8_t>(std::clamp(level + random_() % 5 - 2.0, 0.0, 255.0));
    }
  for (int p = 1; p < made.plane_count(); ++p) {
    const auto chroma = made.writable_plane(p);
    for (int y = 0; y < chroma.height; ++y) std::fill_n(chroma.row(y), chroma.width, uint8_t{128});
  }
  return value_or_fail(transfer_->upload(made, 0, 0));
}

Image BenchDevice::noise_image(ImageType type, int width, int height) {
  Image made = host_image(type, width, height);
  for (int y = 0; y < height; ++y) {
    std::byte* row = made.buffer()->data() + static_cast<size_t>(y) * made.stride_bytes();
    for (int x = 0; x < width; ++x) {
      if (type == ImageType::f32)
        reinterpret_cast<float*>(row)[x] = static_cast<float>(random_() % 256);
      else
        reinterpret_cast<uint8_t*>(row)[x] = static_cast<uint8_t>(random_());
    }
  }
  return to_device(made);
}

Image BenchDevice::discs(int width, int height, double covered_share) {
  Image made = host_image(ImageType::u8, width, height);
  const ImageView<uint8_t> view = cleared(made);
  constexpr int kRadius = 60;
  int64_t covered = 0;
  while (static_cast<double>(covered) < covered_share * width * height) {
    const int cx = static_cast<int>(random_() % static_cast<unsigned>(width)),
              cy = static_cast<int>(random_() % static_cast<unsigned>(height));
    for (int y = std::max(0, cy - kRadius); y < std::min(height, cy + kRadius); ++y)
      for (int x = std::max(0, cx - kRadius); x < std::min(width, cx + kRadius); ++x)
        if ((x - cx) * (x - cx) + (y - cy) * (y - cy) < kRadius * kRadius && view.at(x, y) == 0)
          view.at(x, y) = 255, ++covered;
  }
  return to_device(made);
}

// Points all over the bodies, each as wide as the distance to the next.
Image BenchDevice::six_people(const PinholeCamera<double>& camera) const {
  static constexpr double kPlaces_m[6][2] = {{0, 0},      {1.5, 0.8},   {-2, 1.2},
                                             {2.6, -2.2}, {-1.1, -2.4}, {0.4, 2.9}};
  Image made = host_image(ImageType::u8, camera.width_px, camera.height_px);
  const ImageView<uint8_t> view = cleared(made);
  const auto splat = [&](double x_m, double y_m, double z_m) {
    const Pixel<double> p = project(camera, x_m, y_m, z_m);
    if (!p.in_front) return;
    constexpr int kReach_px = 4;
    for (int y = std::max(0, static_cast<int>(p.y) - kReach_px);
         y <= std::min(view.height - 1, static_cast<int>(p.y) + kReach_px); ++y)
      for (int x = std::max(0, static_cast<int>(p.x) - kReach_px);
           x <= std::min(view.width - 1, static_cast<int>(p.x) + kReach_px); ++x)
        view.at(x, y) = 255;
  };
  for (const auto& [x_m, y_m] : kPlaces_m)
    for (double z_m = 0.05; z_m < 1.75; z_m += 0.02)
      for (double side_m = -0.25; side_m <= 0.25; side_m += 0.02) {
        splat(x_m + side_m, y_m, z_m);
        splat(x_m, y_m + side_m, z_m);
      }
  return to_device(made);
}

namespace {

Camera corner_camera(int index, double half_side_m) {
  const double x = index & 1 ? half_side_m : -half_side_m, y = index & 2 ? half_side_m : -half_side_m;
  const double z = kCameraHeight_m, down_m = kLookAtHeight_m - z;
  const double length = std::sqrt(x * x + y * y + down_m * down_m), flat = std::sqrt(x * x + y * y);
  const double f[3] = {-x / length, -y / length, down_m / length};
  const double right[3] = {-y / flat, x / flat, 0};
  const double down[3] = {f[1] * right[2] - f[2] * right[1], f[2] * right[0] - f[0] * right[2],
                          f[0] * right[1] - f[1] * right[0]};
  PinholeCamera<double> c;
  c.width_px = kStreamWidth_px, c.height_px = kStreamHeight_px;
  c.fx_px = c.fy_px = 900, c.cx_px = 639.5, c.cy_px = 479.5, c.k1 = -0.1;
  for (int i = 0; i < 3; ++i) {
    c.rotation_cam_from_world[i] = right[i];
    c.rotation_cam_from_world[3 + i] = down[i];
    c.rotation_cam_from_world[6 + i] = f[i];
  }
  for (int r = 0; r < 3; ++r) {
    const double* row = c.rotation_cam_from_world + 3 * r;
    c.translation_cam_from_world_m[r] = -(row[0] * x + row[1] * y + row[2] * z);
  }
  return value_or_fail(Camera::make("cam" + std::to_string(index + 1), c));
}

}  // namespace

std::vector<Camera> corner_cameras(double half_side_m) {
  std::vector<Camera> cameras;
  for (int i = 0; i < 4; ++i) cameras.push_back(corner_camera(i, half_side_m));
  return cameras;
}

}  // namespace vantage::cli
