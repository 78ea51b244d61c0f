// Detects faults of a live camera's picture by the luma thumbnails of a few pictures a second:
//
//   frozen    pictures come, and for kFrozen_s every sampled pixel is the same (a sensor's noise never is)
//   covered   the thumbnail's contrast has fallen below kCoveredShare of what it was, for kChanged_s
//   turned    its edges correlate with those of before by less than kTurnedCorrelation, for kChanged_s
//
// "Before" is the view that was kept with the camera's calibration; without one, or after the present one was
// accepted, the mean of the first kLearn_s since. It follows slowly while the view agrees with it: lamps, the
// sun and people do not move a scene's edges.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/image/picture.h"
#include "core/live/known_views.h"
#include "core/primitives/luma_thumbnail.h"

namespace vantage {

class ViewWatch {
 public:
  static constexpr double kLook_s = 0.2, kFrozen_s = 5, kChanged_s = 3, kLearn_s = 2;
  static constexpr double kCoveredShare = 0.25, kTurnedCorrelation = 0.35;
  // Time without a fault before a view is kept; people passing through it hardly show then.
  static constexpr double kSettled_s = 60;

  // `device`: for pictures in a device's memory, which are judged one call later; null: they are not judged.
  explicit ViewWatch(std::unique_ptr<LumaThumbnails> device = nullptr, std::optional<KnownView> known = {});

  // The fault as a sentence; empty: none.
  const std::string& look(const Picture& picture, int64_t now_ns);
  // The view differs from the reference, as the last sentence states.
  bool turned() const { return turned_; }
  // Accepts the present view and learns it again, whatever was known.
  void accept();
  // Time of the kept reference view; nothing: it is learnt in this run.
  std::optional<double> known_since_utc_s() const { return known_since_utc_s_; }
  // The view once it may be kept; an accepted one once it is learnt; nothing where one was given.
  std::optional<KnownView> settled(double utc_s) const;

 private:
  using Luma = std::array<float, LumaThumbnail::kCells>;
  static Luma edges(const Luma& luma);
  static double contrast(const Luma& luma);
  static double correlation(const Luma& a, const Luma& b);
  std::optional<LumaThumbnail> thumbnail_of(const Picture& picture);
  void judge(const LumaThumbnail& view, int64_t now_ns);
  void learn(const Luma& luma, double share);
  std::string turned_text() const;

  const std::unique_ptr<LumaThumbnails> device_;
  std::optional<Deferred<LumaThumbnail>> on_its_way_;  // thumbnail of the device's last picture
  std::optional<double> known_since_utc_s_;
  bool accepted_ = false, turned_ = false;
  int64_t first_ns_ = -1, last_look_ns_ = INT64_MIN / 2;
  int learnt_ = 0;
  Luma known_{};
  uint64_t fingerprint_ = 0;
  int64_t same_since_ns_ = 0, uncovered_ns_ = 0, agreed_ns_ = 0;
  int64_t good_since_ns_ = 0, judged_ns_ = 0;
  std::string problem_;
};

}  // namespace vantage
