#include "core/run/mask_scores.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/metrics/masks/masks.h"
#include "core/optical_flow/optical_flow.h"
#include "core/video/frame_source.h"

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
  options.pipeline.cache_bytes = 0;  // each frame is used once
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

namespace {

// The mask of one camera at the frame of this picture.
struct Carried {
  std::string name;
  size_t index = 0;  // index among the source's cameras
  Image mask;
  Picture picture;
  std::unique_ptr<OpticalFlow> flow;
};

// The cameras whose masks are carried, and the first one, which defines the frames.
FrameSourceOptions pictures_of(const Project& project, const std::map<std::string, Image>& masks) {
  FrameSourceOptions options;
  for (size_t i = 0; i < project.cameras.size(); ++i) {
    const ProjectCamera& camera = project.cameras[i];
    if (i == 0 || masks.contains(camera.name))
      options.cameras.push_back(
          {camera.name, camera.video, camera.offset_frames, camera.frame_rate, camera.offset_changes});
  }
  return options;
}

Result<std::vector<Carried>> start(const Project& project, const BackendRegistry& registry,
                                   const std::map<std::string, Image>& masks,
                                   const FrameSourceOptions& opened, const FrameSet& frames) {
  std::vector<Carried> cameras;
  for (size_t i = 0; i < opened.cameras.size(); ++i) {
    const std::string& name = opened.cameras[i].name;
    const auto mask = masks.find(name);
    const Picture& picture = frames.cameras[i].picture;
    if (mask == masks.end() || !picture) continue;
    if (picture.width() != mask->second.width() || picture.height() != mask->second.height())
      return fail(ErrorKind::invalid_argument, "the mask and the picture have different sizes", name,
                  "A mask has the size of its camera's picture.");
    VANTAGE_ASSIGN(auto flow, registry.create<OpticalFlow>(Device::cpu, {}, {}));
    flow->set_parameters(project.parameters.get<OpticalFlowParameters>());
    cameras.push_back({name, i, mask->second, picture, std::move(flow)});
  }
  return cameras;
}

// The flow maps the later picture's pixels back to the earlier one's.
Status carry_on(Carried* camera, const Picture& next, int64_t frame) {
  camera->flow->reset();
  VANTAGE_TRY(camera->flow->next(next, {}, frame));
  VANTAGE_ASSIGN(const FlowField back, camera->flow->next(camera->picture, {}, frame));
  VANTAGE_ASSIGN(camera->mask,
                 carried_mask(camera->mask.view<uint8_t>(), back.vectors.view<float>(), HostPool::shared()));
  camera->picture = next;
  return {};
}

}  // namespace

Result<std::map<std::string, Image>> carry_masks(const Project& project, const BackendRegistry& registry,
                                                 const std::map<std::string, Image>& masks, int64_t from,
                                                 int64_t to, const StopSource& stop) {
  const FrameSourceOptions opened = pictures_of(project, masks);
  VANTAGE_ASSIGN(const auto source, FrameSource::open(opened));
  VANTAGE_ASSIGN(FrameSet frames, source->read(from));
  VANTAGE_ASSIGN(std::vector<Carried> cameras, start(project, registry, masks, opened, frames));
  for (int64_t frame = from; frame != to;) {
    if (stop.stop_requested()) return fail(ErrorKind::cancelled, "stopped", "carry");
    frame += to > from ? 1 : -1;
    VANTAGE_ASSIGN(frames, source->read(frame));
    std::erase_if(cameras, [&](const Carried& camera) { return !frames.cameras[camera.index].picture; });
    for (Carried& camera : cameras)
      VANTAGE_TRY(carry_on(&camera, frames.cameras[camera.index].picture, frame));
  }
  std::map<std::string, Image> carried;
  for (Carried& camera : cameras) carried[camera.name] = std::move(camera.mask);
  return carried;
}

}  // namespace vantage
