#include "core/run/mask_scores.h"

#include <algorithm>
#include <span>
#include <utility>

namespace vantage {
namespace {

Result<MaskOverlap> compared(const Image& found, const std::filesystem::path& file) {
  VANTAGE_ASSIGN(const Image drawn, read_mask(file, HostPool::shared()));
  if (drawn.width() != found.width() || drawn.height() != found.height())
    return fail(ErrorKind::bad_data,
                "is " + std::to_string(drawn.width()) + "x" + std::to_string(drawn.height()) +
                    " pixels, what it is compared with " + std::to_string(found.width()) + "x" +
                    std::to_string(found.height()),
                file.string(), "A mask has the size of its camera's picture.");
  return overlap_of(found.view<uint8_t>(), drawn.view<uint8_t>());
}

template <typename Key, typename KeyOf>
std::map<Key, double> means_by(const std::vector<MaskScore>& scores, const KeyOf& key_of) {
  std::map<Key, std::pair<double, int>> sums;
  for (const MaskScore& score : scores) {
    auto& [sum, count] = sums[key_of(score)];
    sum += score.overlap.iou(), ++count;
  }
  std::map<Key, double> means;
  for (const auto& [key, sum] : sums) means[key] = sum.first / sum.second;
  return means;
}

}  // namespace

std::optional<double> mean_iou(const std::vector<MaskScore>& scores) {
  if (scores.empty()) return std::nullopt;
  double sum = 0;
  for (const MaskScore& score : scores) sum += score.overlap.iou();
  return sum / static_cast<double>(scores.size());
}

FigureInterval iou_interval(const std::vector<MaskScore>& scores, const BootstrapOptions& options) {
  std::map<int64_t, std::pair<double, double>> frames;  // sum, masks
  for (const MaskScore& score : scores)
    frames[score.frame].first += score.overlap.iou(), ++frames[score.frame].second;
  StepTerms terms{2, {}};
  for (const auto& [frame, sums] : frames) terms.values.insert(terms.values.end(), {sums.first, sums.second});
  return bootstrap_interval(terms, [](std::span<const double> sums) { return sums[0] / sums[1]; }, options);
}

std::map<std::string, double> iou_by_camera(const std::vector<MaskScore>& scores) {
  return means_by<std::string>(scores, [](const MaskScore& score) { return score.camera; });
}

std::vector<std::pair<int64_t, double>> worst_frames(const std::vector<MaskScore>& scores) {
  const auto means = means_by<int64_t>(scores, [](const MaskScore& score) { return score.frame; });
  std::vector<std::pair<int64_t, double>> frames(means.begin(), means.end());
  std::stable_sort(frames.begin(), frames.end(),
                   [](const auto& a, const auto& b) { return a.second < b.second; });
  return frames;
}

Result<std::vector<MaskScore>> score_frame(const FrameResult& result,
                                           const std::vector<ProjectCamera>& cameras,
                                           const DrawnMasks& drawn) {
  std::vector<MaskScore> scores;
  const auto here = drawn.find(result.frame);
  if (here == drawn.end() || !result.foreground()) return scores;
  VANTAGE_ASSIGN(const std::vector<Image> masks, result.foreground()->host_masks.get());
  for (size_t i = 0; i < cameras.size() && i < masks.size(); ++i) {
    const auto file = here->second.find(cameras[i].name);
    if (file == here->second.end() || !masks[i]) continue;
    VANTAGE_ASSIGN(const MaskOverlap overlap, compared(masks[i], file->second));
    scores.push_back({result.frame, cameras[i].name, overlap});
  }
  return scores;
}

Result<std::vector<MaskScore>> score_masks(Analysis& analysis, const std::vector<ProjectCamera>& cameras,
                                           const DrawnMasks& drawn,
                                           const std::function<void(size_t done, size_t all)>& progress,
                                           const StopSource& stop) {
  std::vector<MaskScore> scores;
  FrameEffort effort;
  effort.last_stage = kForegroundStage;
  size_t done = 0;
  for (const auto& [frame, files] : drawn) {
    const Result<FrameResultRef> result = analysis.pipeline().frame(frame, effort, stop);
    if (!result && result.error().kind == ErrorKind::end_of_stream) break;
    if (!result) return fail(result.error());
    VANTAGE_ASSIGN(const std::vector<MaskScore> of_frame, score_frame(**result, cameras, drawn));
    scores.insert(scores.end(), of_frame.begin(), of_frame.end());
    progress(++done, drawn.size());
  }
  return scores;
}

Result<std::vector<MaskScore>> score_project_masks(
    const Project& project, const DeviceBackends& backends, const DrawnMasks& drawn,
    const std::function<void(size_t done, size_t all)>& progress, const StopSource& stop) {
  AnalysisOptions options;
  options.backends = backends;
  options.stop = stop;
  options.pipeline.cache_bytes = 0;  // every frame is seen once
  VANTAGE_ASSIGN(const auto analysis, Analysis::open(project, options));
  return score_masks(*analysis, project.cameras, drawn, progress, stop);
}

Result<std::vector<MaskScore>> score_mask_files(const std::filesystem::path& drawn,
                                                const std::filesystem::path& given) {
  VANTAGE_ASSIGN(const DrawnMasks truth, find_masks(drawn));
  VANTAGE_ASSIGN(const DrawnMasks found, find_masks(given));
  std::vector<MaskScore> scores;
  for (const auto& [frame, cameras] : truth) {
    const auto there = found.find(frame);
    if (there == found.end()) continue;
    for (const auto& [camera, file] : cameras) {
      const auto other = there->second.find(camera);
      if (other == there->second.end()) continue;
      VANTAGE_ASSIGN(const Image mask, read_mask(other->second, HostPool::shared()));
      VANTAGE_ASSIGN(const MaskOverlap overlap, compared(mask, file));
      scores.push_back({frame, camera, overlap});
    }
  }
  if (scores.empty())
    return fail(ErrorKind::not_found, "have no camera and frame in common",
                drawn.string() + " and " + given.string(),
                "Masks are named CAMERA/frame_000012.png or CAMERA_frame_0012.png.");
  return scores;
}

}  // namespace vantage
