#include "core/session/analysed_frames.h"

#include <algorithm>

namespace vantage {
namespace {

constexpr int64_t kMostFrames = 20'000'000;  // days of recording: beyond, a results file is damaged

}  // namespace

AnalysedFrames::Analysed& AnalysedFrames::at(int64_t frame) {
  const auto index = static_cast<size_t>(frame);
  if (frames_.size() <= index) frames_.resize(index + 1);
  return frames_[index];
}

bool AnalysedFrames::note(const FrameResult& result, std::string_view last_stage) {
  const auto version = result.versions.find(last_stage);
  if (result.preview || version == result.versions.end()) return false;
  Analysed& entry = at(result.frame);
  if (entry.version == version->second) return false;
  const PeopleArtifact* people = result.people();
  const bool counted = people && people->count_known();
  entry = {version->second, static_cast<int16_t>(counted ? people->found.people.size() : -1)};
  return true;
}

void AnalysedFrames::add_stored(const StoredResults& stored, std::string_view last_stage) {
  for (const StoredFrame& frame : stored.frames) {
    const auto version = frame.versions->find(last_stage);
    if (version == frame.versions->end() || frame.frame < 0 || frame.frame >= kMostFrames) continue;
    Analysed& entry = at(frame.frame);
    if (entry.version == 0) entry = {version->second, static_cast<int16_t>(frame.people_count)};
  }
}

std::vector<FrameSummary> AnalysedFrames::summary(int64_t count, uint64_t present) const {
  std::vector<FrameSummary> summary(static_cast<size_t>(count));
  for (size_t i = 0; i < std::min(summary.size(), frames_.size()); ++i)
    if (frames_[i].version != 0)
      summary[i] = {frames_[i].version == present ? FrameState::current : FrameState::out_of_date,
                    frames_[i].people};
  return summary;
}

}  // namespace vantage
