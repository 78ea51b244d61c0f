#include "core/run/carry_masks.h"

#include <memory>
#include <utility>
#include <vector>

#include "core/metrics/masks/carried_mask.h"
#include "core/optical_flow/optical_flow.h"
#include "core/video/frame_source.h"

namespace vantage {
namespace {

// The mask of one camera, in the frame whose picture this is.
struct Carried {
  std::string name;
  size_t index = 0;  // of the source's cameras
  Image mask;
  Picture picture;
  std::unique_ptr<OpticalFlow> flow;
};

// The cameras whose masks are carried, and the first, whose frames count.
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

// The flow is that of the later picture's pixels back to the earlier one's.
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
