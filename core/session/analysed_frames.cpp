#include "core/session/analysed_frames.h"

#include <algorithm>

namespace vantage {
namespace {

constexpr int64_t kMostFrames = 20'000'000;  // days of recording: beyond, a results file is damaged

uint64_t height_map_version(const StageVersions& versions) {
  const auto found = versions.find(kHeightMapStage);
  return found == versions.end() ? 0 : found->second;
}

}  // namespace

AnalysedFrames::Analysed& AnalysedFrames::at(int64_t frame) {
  const auto index = static_cast<size_t>(frame);
  if (frames_.size() <= index) frames_.resize(index + 1);
  return frames_[index];
}

bool AnalysedFrames::note(const FrameResult& result, std::string_view last_stage, bool continued) {
  const auto version = result.versions.find(last_stage);
  if (result.preview || version == result.versions.end()) return false;
  Analysed& entry = at(result.frame);
  const LastVersions versions{version->second, height_map_version(result.versions)};
  if (entry.versions == versions) return false;
  const PeopleArtifact* people = result.people();
  const bool counted = people && people->count_known();
  entry = {versions, static_cast<int16_t>(counted ? people->found.people.size() : -1), continued};
  return true;
}

void AnalysedFrames::add_stored(const StoredResults& stored, std::string_view last_stage) {
  for (const StoredFrame& frame : stored.frames) {
    const auto version = frame.versions->find(last_stage);
    if (version == frame.versions->end() || frame.frame < 0 || frame.frame >= kMostFrames) continue;
    Analysed& entry = at(frame.frame);
    if (entry.versions.chain == 0)
      entry = {{version->second, height_map_version(*frame.versions)},
               static_cast<int16_t>(frame.people_count),
               frame.continued};
  }
}

std::vector<FrameSummary> AnalysedFrames::summary(int64_t count,
                                                  std::span<const LastVersions> present) const {
  std::vector<FrameSummary> summary(static_cast<size_t>(count));
  for (size_t i = 0; i < std::min(summary.size(), frames_.size()); ++i) {
    const Analysed& frame = frames_[i];
    if (frame.versions.chain == 0) continue;
    const bool current = std::any_of(present.begin(), present.end(), [&](const LastVersions& now) {
      return frame.versions.chain == now.chain &&
             (now.height_map == 0 || frame.versions.height_map == now.height_map);
    });
    summary[i] = {current ? FrameState::current : FrameState::out_of_date, frame.people, frame.continued};
  }
  return summary;
}

}  // namespace vantage
