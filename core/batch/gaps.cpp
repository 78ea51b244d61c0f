#include "core/batch/gaps.h"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace vantage {
namespace {

// Problems differ in the numbers that they name.
std::string without_digits(const std::string& text) {
  std::string words;
  std::copy_if(text.begin(), text.end(), std::back_inserter(words),
               [](unsigned char c) { return std::isdigit(c) == 0; });
  return words;
}

}  // namespace

std::string gap_text(const Gap& gap) {
  const std::string frames = gap.first == gap.last
                                 ? "frame " + std::to_string(gap.first)
                                 : "frames " + std::to_string(gap.first) + " to " + std::to_string(gap.last);
  return (gap.camera.empty() ? "" : gap.camera + ", ") + frames + ": " + gap.problem;
}

void GapWatch::add(const FrameSet& frames) {
  for (size_t c = 0; c < frames.cameras.size() && c < cameras_.size(); ++c) {
    const CameraFrame& camera = frames.cameras[c];
    if (camera.picture && camera.problem.empty()) {
      open_[c] = -1;
      continue;
    }
    if (open_[c] >= 0) {
      Gap& gap = gaps_[static_cast<size_t>(open_[c])];
      if (gap.last == frames.frame - 1 && without_digits(gap.problem) == without_digits(camera.problem)) {
        gap.last = frames.frame;
        continue;
      }
    }
    open_[c] = static_cast<int64_t>(gaps_.size());
    gaps_.push_back({cameras_[c], frames.frame, frames.frame,
                     camera.problem.empty() ? "there is no picture" : camera.problem});
  }
}

// Only a camera that starts late or ends early: a gap that reaches beyond the edge is one.
bool GapWatch::at_edge(const Gap& gap) const {
  const bool first = gap.first == 0 && gap.last < edge_frames_;
  const bool last = gap.last == recording_frames_ - 1 && gap.first >= recording_frames_ - edge_frames_;
  const bool clock = gap.problem.ends_with("had not started yet") || gap.problem.ends_with("has ended");
  return clock && (first || last);
}

std::vector<Gap> GapWatch::take() {
  std::erase_if(gaps_, [this](const Gap& gap) { return at_edge(gap); });
  std::fill(open_.begin(), open_.end(), -1);
  return std::exchange(gaps_, {});
}

}  // namespace vantage
