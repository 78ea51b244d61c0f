#include "core/live/view_watch.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/clock.h"

namespace vantage {
namespace {

constexpr int kWidth = LumaThumbnail::kWidth, kHeight = LumaThumbnail::kHeight;
constexpr double kLearningShare = 0.005f;  // share of each view that agrees: about 40 s
constexpr double kMinContrast = 1;         // in 8-bit steps: a scene without contrast cannot be judged

bool longer(int64_t since_ns, int64_t now_ns, double seconds) {
  return static_cast<double>(now_ns - since_ns) * 1e-9 > seconds;
}

}  // namespace

ViewWatch::ViewWatch(std::unique_ptr<LumaThumbnails> device, std::optional<KnownView> known)
    : device_(std::move(device)), known_since_utc_s_(known ? std::optional(known->utc_s) : std::nullopt) {
  if (known) known_ = known->luma;
}

// Each cell minus the mean of its neighbours.
ViewWatch::Luma ViewWatch::edges(const Luma& luma) {
  Luma out{};
  for (int y = 1; y + 1 < kHeight; ++y)
    for (int x = 1; x + 1 < kWidth; ++x) {
      const auto i = static_cast<size_t>(y * kWidth + x);
      out[i] = luma[i] - (luma[i - 1] + luma[i + 1] + luma[i - kWidth] + luma[i + kWidth]) / 4;
    }
  return out;
}

double ViewWatch::contrast(const Luma& luma) {
  double sum = 0, squares = 0;
  for (const float value : luma) sum += value, squares += static_cast<double>(value) * value;
  const auto n = static_cast<double>(luma.size());
  return std::sqrt(std::max(squares / n - sum / n * (sum / n), 0.0));
}

double ViewWatch::correlation(const Luma& a, const Luma& b) {
  double ab = 0, aa = 0, bb = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    ab += static_cast<double>(a[i]) * b[i];
    aa += static_cast<double>(a[i]) * a[i];
    bb += static_cast<double>(b[i]) * b[i];
  }
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0;
}

void ViewWatch::learn(const Luma& luma, double share) {
  for (size_t i = 0; i < luma.size(); ++i) known_[i] += static_cast<float>(share) * (luma[i] - known_[i]);
}

// A device's thumbnail is the one requested at the last call, which is complete by now.
std::optional<LumaThumbnail> ViewWatch::thumbnail_of(const Picture& picture) {
  if (picture.place().kind == MemoryKind::host) return luma_thumbnail(picture.plane(0));
  if (!device_) return std::nullopt;
  std::optional<LumaThumbnail> before;
  if (on_its_way_)
    if (const Result<LumaThumbnail>& made = on_its_way_->get(); made) before = *made;
  on_its_way_.reset();  // the chain reports a lost device
  if (auto made = device_->make(picture); made) on_its_way_ = std::move(*made);
  return before;
}

const std::string& ViewWatch::look(const Picture& picture, int64_t now_ns) {
  if (!picture || !longer(last_look_ns_, now_ns, kLook_s)) return problem_;
  last_look_ns_ = now_ns;
  if (const std::optional<LumaThumbnail> view = thumbnail_of(picture)) judge(*view, now_ns);
  return problem_;
}

void ViewWatch::judge(const LumaThumbnail& view, int64_t now_ns) {
  turned_ = false;
  if (first_ns_ < 0) first_ns_ = same_since_ns_ = uncovered_ns_ = agreed_ns_ = good_since_ns_ = now_ns;
  judged_ns_ = now_ns;
  if (view.fingerprint != fingerprint_) same_since_ns_ = now_ns;
  fingerprint_ = view.fingerprint;
  const bool learning = !known_since_utc_s_ && !longer(first_ns_, now_ns, kLearn_s);
  if (learning) learn(view.mean, 1.0 / ++learnt_);
  const double before = contrast(known_);
  const bool covered = before > kMinContrast && contrast(view.mean) < kCoveredShare * before;
  const bool agrees =
      before <= kMinContrast || correlation(edges(view.mean), edges(known_)) >= kTurnedCorrelation;
  if (learning || !covered) uncovered_ns_ = now_ns;
  if (learning || agrees) agreed_ns_ = now_ns;
  if (!learning && agrees && !covered) learn(view.mean, kLearningShare);
  if (longer(same_since_ns_, now_ns, kFrozen_s))
    problem_ = "the picture is frozen";
  else if (longer(uncovered_ns_, now_ns, kChanged_s))
    problem_ = "the camera is covered, or the light is off";
  else if (longer(agreed_ns_, now_ns, kChanged_s))
    problem_ = turned_text(), turned_ = true;
  else
    problem_.clear();
  if (!problem_.empty() || (!learning && (covered || !agrees))) good_since_ns_ = now_ns;
}

void ViewWatch::accept() {
  known_since_utc_s_.reset();
  known_ = {};
  learnt_ = 0;
  first_ns_ = -1;
  accepted_ = true, turned_ = false;
  problem_.clear();
}

std::string ViewWatch::turned_text() const {
  const std::string words = "the camera has been turned: it shows another view than ";
  return known_since_utc_s_ ? words + "on " + utc_date(*known_since_utc_s_) +
                                  ", when its calibration was first used; turn it back, or calibrate it again"
                            : words + (accepted_ ? "when its view was confirmed" : "at the start");
}

std::optional<KnownView> ViewWatch::settled(double utc_s) const {
  if (known_since_utc_s_ || first_ns_ < 0 ||
      !longer(good_since_ns_, judged_ns_, accepted_ ? kLearn_s : kSettled_s) ||
      contrast(known_) <= kMinContrast)
    return std::nullopt;
  return KnownView{known_, utc_s};
}

}  // namespace vantage
