// FiftyOne's video datasets (voxel51.com/docs, "FiftyOneVideoLabelsDataset"): labels by frame, from 1, boxes
// in shares of the picture.
#include <map>

#include "core/base/json.h"
#include "core/export/case/case_people.h"
#include "core/export/people/detail/formats.h"

namespace vantage::people_export_detail {

using nlohmann::ordered_json;

std::string video_labels(const ExportCamera& camera, const RecordedPeople& people) {
  const double width = camera.camera->calibration->width_px(),
               height = camera.camera->calibration->height_px();
  std::map<int64_t, ordered_json> frames;
  for (const PersonPath& path : people.paths)
    for (const CameraBox& box : boxes_of(camera, people, path)) {
      if (box.outside) continue;
      const auto attribute = [](const char* type, const char* name, const ordered_json& value) {
        return ordered_json{{"type", type}, {"name", name}, {"value", value}};
      };
      // Corners are edges of pixels.
      const auto corner = [&](double x, double y) {
        return ordered_json{{"x", (x + 0.5) / width}, {"y", (y + 0.5) / height}};
      };
      frames[box.frame].push_back(
          {{"type", "eta.core.objects.DetectedObject"},
           {"label", "person"},
           {"index", path.id},
           {"bounding_box",
            {{"top_left", corner(box.corners[0], box.corners[1])},
             {"bottom_right", corner(box.corners[2], box.corners[3])}}},
           {"attrs",
            {{"attrs",
              {attribute("eta.core.data.CategoricalAttribute", "name", person_label(path.id, people.names)),
               attribute("eta.core.data.BooleanAttribute", "occluded", !box.seen)}}}}});
    }
  ordered_json document = {{"frames", ordered_json::object()}};
  for (const auto& [frame, objects] : frames)
    document["frames"][std::to_string(frame + 1)] = {{"frame_number", frame + 1},
                                                     {"objects", {{"objects", objects}}}};
  return json_text(document) + '\n';
}

}  // namespace vantage::people_export_detail
