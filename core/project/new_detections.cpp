#include "core/project/new_detections.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/base/frame_rate.h"
#include "core/detections/detection_file.h"
#include "core/detections/detection_remarks.h"
#include "core/video/no_video.h"

namespace vantage {

DetectionFileOptions asking_options(const NewCamera& camera) {
  int width_px = camera.info.width_px, height_px = camera.info.height_px;
  if (width_px == 0 && camera.calibration)
    width_px = camera.calibration->camera.width_px(), height_px = camera.calibration->camera.height_px();
  const bool filmed = !camera.video.empty() && !names_no_video(camera.video);
  const double stated = camera.frame_rate > 0 ? camera.frame_rate : camera.info.frame_rate;
  DetectionFileOptions options =
      reading_options(camera.detections, width_px, height_px,
                      camera.detections.frame_rate > 0 ? camera.detections.frame_rate : stated,
                      filmed ? camera.info.frame_count : 0);
  options.ask = true;
  return options;
}

Result<std::vector<std::string>> settle_detections(std::vector<NewCamera>* cameras) {
  std::vector<std::string> said;
  std::set<std::string> from_zero;  // formats
  std::map<size_t, std::string> perhaps;
  for (size_t i = 0; i < cameras->size(); ++i) {
    const NewCamera& camera = (*cameras)[i];
    if (camera.detections.file.empty()) continue;
    VANTAGE_ASSIGN(const DetectionFile file,
                   read_detection_file(camera.detections.file, asking_options(camera)));
    if (file.may_count_from_zero)
      perhaps[i] = file.format;
    else if (file.first_number == 0)
      from_zero.insert(file.format);
    if (!file.frames_said.empty()) said.push_back(camera.detections.file + ": " + file.frames_said);
    for (const std::string& remark : remarks_on(file)) said.push_back(camera.detections.file + ": " + remark);
  }
  for (const auto& [i, format] : perhaps) {
    if (!from_zero.contains(format)) continue;
    (*cameras)[i].detections.first_frame = 0;
    said.push_back((*cameras)[i].detections.file +
                   ": frames count from 0, since another camera's file of this format has a frame 0");
  }
  return said;
}

}  // namespace vantage
