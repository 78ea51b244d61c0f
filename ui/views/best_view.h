// Which camera sees a person best, and when a better one takes its place: calmly, so that what is arranged by
// it does not flicker.
#pragma once

#include <QSizeF>
#include <optional>
#include <span>
#include <vector>

#include "ui/views/marks.h"

namespace vantage::ui {

// How well a camera sees a person, 0 (not at all) to 1: the share of the person's upright rectangle that lies
// in the picture and behind no one else, times its height as a share of the picture's.
double seen_share(const Camera& camera, const MarkedPerson& person, std::span<const MarkedPerson> everybody);

// Keeps the best of several until another has been better by a quarter for 0.8 s of footage, or until the
// best has seen nothing for 0.3 s while another does. Where the time jumps by more than a second it chooses
// at once.
class CalmChoice {
 public:
  // The index of the best; nothing where no share was ever above 0. Shares of another number start again.
  std::optional<int> choose(std::span<const double> shares, double time_s);
  void forget() { *this = {}; }

 private:
  std::optional<int> chosen_;
  size_t count_ = 0;
  double last_s_ = 0, better_for_s_ = 0;
};

}  // namespace vantage::ui
