// Walking people as silhouettes: what ideal foreground would make of rendered footage, without pictures.
// Every camera takes its frames at times of its own, so offsets with fractions, drift and lost frames are
// exact.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/algorithms.h"
#include "core/sync/epipolar.h"
#include "core/sync/signatures.h"
#include "core/sync/sync.h"
#include "core/synth/camera_ring.h"
#include "core/synth/detail/body.h"
#include "core/synth/detail/scene.h"

namespace vantage::test {

// When a camera takes its frames: base frame m is its frame offset + m (1 + drift), less what it has lost.
struct CameraClock {
  double offset_frames = 0;
  double drift_ppm = 0;
  struct Loss {
    double base_frame;
    int frames;
  };
  std::vector<Loss> losses;

  // Base frames at which the camera's frames 0, 1, ... are taken, up to base frame `end`.
  std::vector<double> moments(double end) const {
    std::vector<double> moments;
    for (int k = 0;; ++k) {
      const double m = (k - offset_frames) / (1 + 1e-6 * drift_ppm);
      if (m >= end) return moments;
      const bool lost = std::any_of(losses.begin(), losses.end(), [&](const Loss& loss) {
        return m >= loss.base_frame && m < loss.base_frame + loss.frames;
      });
      if (!lost) moments.push_back(m);
    }
  }
};

class MovingPeople {
 public:
  // The scene starts `lead_frames` before base frame 0.
  MovingPeople(synth::Scene scene, double lead_frames) : scene_(std::move(scene)), lead_frames_(lead_frames) {
    for (const Camera& camera : scene_.cameras) views_.push_back(synth::CameraView::make(camera).value());
  }
  static MovingPeople make(int cameras, int people, double seconds, uint64_t seed, double lead_frames = 60) {
    SynthOptions options;
    options.cameras = cameras, options.people = people, options.seed = seed;
    options.width_px = 160, options.height_px = 120;
    options.seconds = seconds + 2 * lead_frames / options.frame_rate;
    return {synth::make_scene(options).value(), lead_frames};
  }

  const synth::Scene& scene() const { return scene_; }
  // The box people walk in.
  VoxelGrid volume() const {
    const double side = scene_.options.area_m;
    return {{-side / 2, -side / 2, 0}, 0.1, static_cast<int>(side * 10), static_cast<int>(side * 10), 20};
  }

  Image indicator(size_t camera, double base_frame) const {
    const synth::CameraView& view = views_[camera];
    Image image = Image::make(ImageType::u8, view.width_px(), view.height_px(), HostPool::shared()).value();
    const ImageView<uint8_t> out = image.writable_view<uint8_t>();
    for (int y = 0; y < out.height; ++y) std::fill_n(out.row(y), out.width, uint8_t{0});
    const double time_s = std::max(0.0, (base_frame + lead_frames_) / scene_.options.frame_rate);
    for (const synth::Body& body : synth::pose_people(scene_, time_s))
      for (const synth::Ellipsoid& part : body.parts) {
        const synth::Silhouette silhouette(part, view);
        const synth::PixelBox& box = silhouette.box();
        for (int y = box.y0; y < box.y1; ++y)
          for (int x = box.x0; x < box.x1; ++x) {
            if (out.at(x, y) != 0) continue;
            const Eigen::Vector2f at = view.center_sample(x, y);
            float depth = 0;
            if (silhouette.hit(at.x(), at.y(), &depth)) out.at(x, y) = 255;
          }
      }
    return image;
  }

  // The signals of every pair, each camera at its own moments; lags up to `reach` either way.
  std::vector<PairSignals> signals(const std::vector<CameraClock>& clocks, double base_frames, int lines,
                                   int reach) const {
    const int cameras = static_cast<int>(scene_.cameras.size());
    SignatureExtractor::Arguments arguments;
    for (const Camera& camera : scene_.cameras) arguments.cameras.push_back(camera.model());
    for (int i = 0; i < cameras; ++i)
      for (int j = i + 1; j < cameras; ++j) {
        const EpipolarLines twins =
            choose_epipolar_lines(scene_.cameras[i], scene_.cameras[j], volume(), lines);
        arguments.pairs.push_back({i, j, twins.first, twins.second});
      }
    BackendRegistry registry;
    register_signatures_cpu(registry);
    const auto extractor = registry.create<SignatureExtractor>(Device::cpu, {}, arguments).value();
    std::vector<PairSignals> pairs;
    for (const SignaturePair& pair : arguments.pairs) {
      PairSignals& signals = pairs.emplace_back();
      signals.first = pair.first, signals.second = pair.second;
      signals.lowest_lag = -reach, signals.highest_lag = reach;
      signals.a.lines = signals.b.lines = static_cast<int>(pair.first_lines.size());
    }
    for (int c = 0; c < cameras; ++c) {
      std::vector<Image> indicators(static_cast<size_t>(cameras));
      for (const double moment : clocks[c].moments(base_frames)) {
        indicators[c] = indicator(static_cast<size_t>(c), moment);
        const Image sums = extractor->extract(indicators, 0).value();
        const ImageView<const uint32_t> view = sums.view<uint32_t>();
        for (size_t p = 0; p < pairs.size(); ++p) {
          if (pairs[p].first != c && pairs[p].second != c) continue;
          LineSignals& to = pairs[p].first == c ? pairs[p].a : pairs[p].b;
          const uint32_t* row = view.row(static_cast<int>(2 * p) + (pairs[p].first == c ? 0 : 1));
          for (int r = 0; r < to.lines; ++r) to.values.push_back(static_cast<float>(row[r]) / 255.0f);
          to.valid.push_back(1);
        }
      }
    }
    return pairs;
  }

 private:
  synth::Scene scene_;
  double lead_frames_;
  std::vector<synth::CameraView> views_;
};

}  // namespace vantage::test
