#include <tbb/parallel_for.h>

#include <algorithm>
#include <memory>
#include <new>

#include "core/algorithms.h"
#include "core/features/daisy.h"
#include "core/features/daisy_pixel.h"

namespace vantage {
namespace {

// A plane of floats.
struct Plane {
  int width = 0, height = 0;
  std::vector<float> values;
  Plane(int w, int h) : width(w), height(h), values(static_cast<size_t>(w) * static_cast<size_t>(h)) {}
  float* row(int y) { return &values[static_cast<size_t>(y) * static_cast<size_t>(width)]; }
  const float* row(int y) const { return &values[static_cast<size_t>(y) * static_cast<size_t>(width)]; }
};

// Sums the middle, then the pairs outwards; columns first, then rows.
class Blur {
 public:
  Blur(const DaisyBlur& weights, int width, int height)
      : weights_(weights), width_(width), height_(height), last_(height - 1) {}

  void row(const Plane& from, int y, float* padded, float* out) const {
    const int r = weights_.radius;
    float* const middle = padded + r;
    column(from, y, middle);
    std::fill(padded, middle, middle[0]);
    std::fill(middle + width_, middle + width_ + r, middle[width_ - 1]);
    for (int x = 0; x < width_; ++x) out[x] = weights_.weight[0] * middle[x];
    for (int i = 1; i <= r; ++i) {
      const float weight = weights_.weight[i];
      for (int x = 0; x < width_; ++x) out[x] = out[x] + weight * (middle[x - i] + middle[x + i]);
    }
  }

  void apply(const Plane& from, Plane& to) const {
    tbb::parallel_for(0, height_, [&](int y) {
      std::vector<float> padded(static_cast<size_t>(width_ + 2 * weights_.radius));
      row(from, y, padded.data(), to.row(y));
    });
  }

 private:
  void column(const Plane& from, int y, float* out) const {
    const float* const here = from.row(y);
    for (int x = 0; x < width_; ++x) out[x] = weights_.weight[0] * here[x];
    for (int i = 1; i <= weights_.radius; ++i) {
      const float* const above = from.row(std::max(y - i, 0));
      const float* const below = from.row(std::min(y + i, last_));
      const float weight = weights_.weight[i];
      for (int x = 0; x < width_; ++x) out[x] = out[x] + weight * (above[x] + below[x]);
    }
  }

  const DaisyBlur& weights_;
  int width_, height_, last_;
};

class DaisyCpu final : public Daisy {
 public:
  DaisyCpu(TraceRecorder* trace, int camera) : trace_(trace), camera_(camera) {}

  void set_parameters(const DaisyParameters& parameters) override { plan_ = DaisyPlan::make(parameters); }

  Result<DaisyField> describe(const BufferRef& buffer, ImageView<const uint8_t> plane,
                              int64_t frame) override {
    if (!buffer || plane.width < 1 || plane.height < 1 || buffer->place().kind != MemoryKind::host)
      return fail(ErrorKind::invalid_argument, "no picture in host memory", "descriptor");
    const SpanGuard span(trace_, "daisy", "cpu daisy", frame, camera_);
    try {
      return describe(plane, frame);
    } catch (const std::bad_alloc&) {
      return fail(ErrorKind::out_of_memory, "not enough memory for descriptors");
    }
  }

 private:
  Result<DaisyField> describe(ImageView<const uint8_t> picture, int64_t frame) {
    const int w = picture.width, h = picture.height;
    DaisyField field{w, h, plan_.levels, frame, {}};
    VANTAGE_ASSIGN(field.histograms,
                   Image::make(ImageType::u8, kDaisyBins * w, field.levels * h, HostPool::shared()));
    const ImageView<uint8_t> out = field.histograms.writable_view<uint8_t>();
    std::vector<Plane> bins = orientations(picture), next(kDaisyBins, Plane(w, h));
    for (int q = 0; q < plan_.levels; ++q) {
      for (size_t k = 0; k < kDaisyBins; ++k) Blur(plan_.level[q], w, h).apply(bins[k], next[k]);
      std::swap(bins, next);
      tbb::parallel_for(0, h, [&](int y) {
        uint8_t* to = out.row(q * h + y);
        for (int x = 0; x < w; ++x, to += kDaisyBins) {
          float histogram[kDaisyBins];
          for (size_t k = 0; k < kDaisyBins; ++k) histogram[k] = bins[k].row(y)[x];
          daisy_bytes(histogram, plan_.flat, to);
        }
      });
    }
    return field;
  }

  std::vector<Plane> orientations(ImageView<const uint8_t> picture) const {
    const int w = picture.width, h = picture.height;
    Plane grey(w, h), smooth(w, h);
    tbb::parallel_for(0, h, [&](int y) { std::copy_n(picture.row(y), w, grey.row(y)); });
    Blur(plan_.smooth, w, h).apply(grey, smooth);
    std::vector<Plane> bins(kDaisyBins, Plane(w, h));
    tbb::parallel_for(0, h, [&](int y) {
      const float *here = smooth.row(y), *above = smooth.row(std::max(y - 1, 0));
      const float* below = smooth.row(std::min(y + 1, h - 1));
      for (int x = 0; x < w; ++x) {
        const float gx = 0.5f * (here[std::min(x + 1, w - 1)] - here[std::max(x - 1, 0)]);
        const float gy = 0.5f * (below[x] - above[x]);
        for (int k = 0; k < kDaisyBins; ++k) bins[k].row(y)[x] = daisy_bin(plan_, k, gx, gy);
      }
    });
    return bins;
  }

  TraceRecorder* trace_;
  int camera_;
  DaisyPlan plan_ = DaisyPlan::make({});
};

}  // namespace

void register_daisy_cpu(BackendRegistry& registry) {
  registry.add<Daisy>(
      Device::cpu,
      [](const BackendContext& context, const Daisy::Arguments& arguments) -> Result<std::unique_ptr<Daisy>> {
        return std::make_unique<DaisyCpu>(context.trace, arguments.camera);
      });
}

}  // namespace vantage
