#include "core/live/view_watch.h"

#include <algorithm>
#include <cmath>

#include "core/video/fast_hash.h"

namespace vantage {
namespace {

constexpr float kFollowShare = 0.005f;  // of each look that agrees: about 40 s
constexpr double kLeastContrast = 1;    // in 8-bit steps: a scene without any cannot be judged

bool longer(int64_t since_ns, int64_t now_ns, double seconds) {
  return static_cast<double>(now_ns - since_ns) * 1e-9 > seconds;
}

}  // namespace

// Means over every second row and column of each cell.
ViewWatch::View ViewWatch::view_of(const Picture& picture) {
  View view;
  const ImageView<const uint8_t> luma = picture.plane(0);
  for (int row = 0; row < kHeight; ++row) {
    const int y0 = row * luma.height / kHeight, y1 = std::max((row + 1) * luma.height / kHeight, y0 + 1);
    for (int column = 0; column < kWidth; ++column) {
      const int x0 = column * luma.width / kWidth, x1 = std::max((column + 1) * luma.width / kWidth, x0 + 1);
      int64_t sum = 0, count = 0;
      for (int y = y0; y < y1; y += 2)
        for (int x = x0; x < x1; x += 2) sum += luma.row(y)[x], ++count;
      view.luma[static_cast<size_t>(row * kWidth + column)] =
          static_cast<float>(sum) / static_cast<float>(count);
    }
    view.hash = fast_hash(luma.row(y0), static_cast<size_t>(luma.width), view.hash);
  }
  return view;
}

// Each cell less the mean of its neighbours.
ViewWatch::Thumbnail ViewWatch::edges(const Thumbnail& luma) {
  Thumbnail out{};
  for (int y = 1; y + 1 < kHeight; ++y)
    for (int x = 1; x + 1 < kWidth; ++x) {
      const auto i = static_cast<size_t>(y * kWidth + x);
      out[i] = luma[i] - (luma[i - 1] + luma[i + 1] + luma[i - kWidth] + luma[i + kWidth]) / 4;
    }
  return out;
}

double ViewWatch::contrast(const Thumbnail& luma) {
  double sum = 0, squares = 0;
  for (const float value : luma) sum += value, squares += static_cast<double>(value) * value;
  const auto n = static_cast<double>(luma.size());
  return std::sqrt(std::max(squares / n - sum / n * (sum / n), 0.0));
}

double ViewWatch::correlation(const Thumbnail& a, const Thumbnail& b) {
  double ab = 0, aa = 0, bb = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    ab += static_cast<double>(a[i]) * b[i];
    aa += static_cast<double>(a[i]) * a[i];
    bb += static_cast<double>(b[i]) * b[i];
  }
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0;
}

void ViewWatch::learn(const Thumbnail& luma, double share) {
  for (size_t i = 0; i < luma.size(); ++i) known_[i] += static_cast<float>(share) * (luma[i] - known_[i]);
}

const std::string& ViewWatch::look(const Picture& picture, int64_t now_ns) {
  if (!picture || picture.place().kind == MemoryKind::device || !longer(last_look_ns_, now_ns, kLook_s))
    return problem_;
  last_look_ns_ = now_ns;
  const View view = view_of(picture);
  if (first_ns_ < 0) first_ns_ = same_since_ns_ = uncovered_ns_ = agreed_ns_ = now_ns;
  if (view.hash != hash_) same_since_ns_ = now_ns;
  hash_ = view.hash;
  const bool learning = !longer(first_ns_, now_ns, kLearn_s);
  if (learning) learn(view.luma, 1.0 / ++learnt_);
  const double before = contrast(known_);
  const bool covered = before > kLeastContrast && contrast(view.luma) < kCoveredShare * before;
  const bool agrees =
      before <= kLeastContrast || correlation(edges(view.luma), edges(known_)) >= kTurnedCorrelation;
  if (learning || !covered) uncovered_ns_ = now_ns;
  if (learning || agrees) agreed_ns_ = now_ns;
  if (!learning && agrees && !covered) learn(view.luma, kFollowShare);
  if (longer(same_since_ns_, now_ns, kFrozen_s))
    problem_ = "the picture is frozen";
  else if (longer(uncovered_ns_, now_ns, kChanged_s))
    problem_ = "the camera is covered, or its light is out";
  else if (longer(agreed_ns_, now_ns, kChanged_s))
    problem_ = "the camera has been turned: it shows another view than at the start";
  else
    problem_.clear();
  return problem_;
}

}  // namespace vantage
