#include "core/synth/detail/truth.h"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>

#include "core/base/json.h"
#include "core/results/results_pictures.h"
#include "core/synth/detail/body.h"

namespace vantage::synth {
namespace {

// `more`: what else stands in the row.
void append_row(int64_t frame, size_t person, const Eigen::Vector3d& point, const std::string& more,
                std::string* text) {
  *text += fmt::format("{},{},-1,-1,-1,-1,1,{:.4f},{:.4f},{:.4f}", frame + 1, person + 1, point.x(),
                       point.y(), point.z());
  *text += more + '\n';
}

// The top of the hair, or of what is worn on it.
double top_of_head_m(const Body& body) {
  double top_m = 0;
  for (const Ellipsoid& part : body.parts)
    if (part.of_head)
      top_m = std::max(
          top_m, part.center_in_world_m.z() + part.axes.row(2).transpose().cwiseProduct(part.radii_m).norm());
  return top_m;
}

void append_box_row(int64_t frame, size_t person, const Outline& outline, const Eigen::Vector3d& point,
                    std::string* text) {
  const PixelBox& box = outline.box;
  if (box.empty()) return;
  *text +=
      fmt::format("{},{},{},{},{},{},{:.4f},{:.4f},{:.4f},{:.4f}\n", frame + 1, person + 1, box.x0, box.y0,
                  box.x1 - box.x0, box.y1 - box.y0, outline.visibility(), point.x(), point.y(), point.z());
}

}  // namespace

TruthTables make_truth(const Scene& scene) {
  TruthTables tables;
  for (int64_t frame = 0; frame < scene.frame_count(); ++frame) {
    const std::vector<Body> bodies = pose_people(scene, scene.time_s(frame));
    for (size_t i = 0; i < bodies.size(); ++i) {
      const WalkState state = scene.walk_state(i, scene.time_s(frame));
      append_row(frame, i, {state.x_m, state.y_m, 0}, fmt::format(",{:.4f}", top_of_head_m(bodies[i])),
                 &tables.tracks);
      append_row(frame, i, bodies[i].head_center_in_world_m, {}, &tables.heads);
    }
  }
  return tables;
}

std::string sync_truth(const Scene& scene) {
  const double frame_rate = scene.options.frame_rate;
  nlohmann::ordered_json cameras = nlohmann::ordered_json::array();
  for (size_t i = 0; i < scene.clocks.size(); ++i) {
    const CameraClock& clock = scene.clocks[i];
    nlohmann::ordered_json dropped = nlohmann::ordered_json::array(), times = nlohmann::ordered_json::array();
    for (const DroppedFrames& drop : clock.drops())
      dropped.push_back({{"before_frame", drop.before_frame}, {"count", drop.count}});
    for (int64_t frame = 0; frame < clock.frame_count(); ++frame)
      times.push_back(std::round(clock.time_s(frame) * 1e7) / 1e7);
    cameras.push_back({{"name", scene.cameras[i].name()},
                       {"offset_frames", clock.offset_frames()},
                       {"offset_seconds", clock.offset_frames() / frame_rate},
                       {"drift_ppm", clock.drift_ppm()},
                       {"dropped", dropped},
                       {"capture_times_s", times}});
  }
  const nlohmann::ordered_json json = {
      {"base", scene.cameras.front().name()}, {"frame_rate", frame_rate}, {"cameras", cameras}};
  return json_text(json) + "\n";
}

void append_box_rows(const Scene& scene, const CameraClock& clock, int64_t frame,
                     const std::vector<Appearance>& appearances, const std::vector<Body>& bodies,
                     BoxRows* rows) {
  for (size_t i = 0; i < appearances.size(); ++i) {
    const WalkState state = scene.walk_state(i, clock.time_s(frame));
    append_box_row(frame, i, appearances[i].person, {state.x_m, state.y_m, 0}, &rows->persons);
    append_box_row(frame, i, appearances[i].head, bodies[i].head_center_in_world_m, &rows->heads);
  }
}

std::filesystem::path truth_picture_path(const std::filesystem::path& folder, const std::string& kind,
                                         const std::string& camera, int64_t frame,
                                         const std::string& extension) {
  return folder / "truth" / kind / camera / frame_file_name(frame, extension);
}

PixelTruth::PixelTruth(const CameraView& view)
    : view_(view), pixels_(static_cast<size_t>(view.width_px()) * view.height_px()) {}

void PixelTruth::draw(const std::vector<Body>& bodies, size_t people) {
  people_ = static_cast<int32_t>(people);
  for (const PixelBox& box : drawn_)
    for (int y = box.y0; y < box.y1; ++y) std::fill(&at(0, y) + box.x0, &at(0, y) + box.x1, Pixel{});
  drawn_.clear();
  appearances_.assign(bodies.size(), {});
  for (size_t person = 0; person < bodies.size(); ++person)
    for (const Ellipsoid& part : bodies[person].parts) draw_part(part, static_cast<int>(person));
  appearances_.resize(people);
  PixelBox all;
  for (const PixelBox& box : drawn_) all.include(box);
  for (int y = all.y0; y < all.y1; ++y)
    for (int x = all.x0; x < all.x1; ++x) {
      const Pixel& pixel = at(x, y);
      if (!shows_person(pixel)) continue;
      Appearance& appearance = appearances_[pixel.person];
      ++appearance.person.visible;
      // Hair over the own shoulders does not hide a head, so who sees the person there sees the head's
      // outline.
      if (pixel.meets_head) ++appearance.head.visible;
    }
}

void PixelTruth::draw_part(const Ellipsoid& part, int person) {
  const Silhouette silhouette(part, view_);
  const PixelBox& box = silhouette.box();
  drawn_.push_back(box);
  Appearance& appearance = appearances_[person];
  const auto include = [](Outline* outline, int x, int y) {
    ++outline->pixels;
    outline->box.include({x, y, x + 1, y + 1});
  };
  for (int y = box.y0; y < box.y1; ++y)
    for (int x = box.x0; x < box.x1; ++x) {
      const Eigen::Vector2f ray = view_.center_sample(x, y);
      float depth;
      if (!silhouette.hit(ray.x(), ray.y(), &depth)) continue;
      Pixel& pixel = at(x, y);
      if (pixel.outline != person) include(&appearance.person, x, y);
      pixel.outline = person;
      if (part.of_head && pixel.head_outline != person) include(&appearance.head, x, y);
      if (part.of_head) pixel.head_outline = person;
      if (pixel.person < 0 || depth < pixel.depth) {
        pixel.depth = depth;
        pixel.person = person;
        pixel.head = part.of_head;
      }
      // All parts of a person are drawn before the next person's.
      if (pixel.person == person) pixel.meets_head = pixel.head_outline == person;
    }
}

template <class PixelType, class Value>
Result<Image> PixelTruth::paint(ImageType type, Value value) const {
  VANTAGE_ASSIGN(Image image, Image::make(type, view_.width_px(), view_.height_px(), HostPool::shared()));
  const ImageView<PixelType> to = image.writable_view<PixelType>();
  for (int y = 0; y < to.height; ++y)
    for (int x = 0; x < to.width; ++x) to.at(x, y) = value(at(x, y), x, y);
  return image;
}

Result<Image> PixelTruth::mask() const {
  return paint<uint8_t>(ImageType::u8, [this](const Pixel& pixel, int, int) {
    return static_cast<uint8_t>(shows_person(pixel) ? 255 : 0);
  });
}

Result<Image> PixelTruth::persons() const {
  return paint<uint8_t>(ImageType::u8, [this](const Pixel& pixel, int, int) {
    return static_cast<uint8_t>(shows_person(pixel) ? std::min(pixel.person + 1, 255) : 0);
  });
}

Result<Image> PixelTruth::head_heights() const {
  const Eigen::Vector3f up = view_.rotation().col(2);
  return paint<float>(ImageType::f32, [&](const Pixel& pixel, int x, int y) {
    if (!shows_person(pixel) || !pixel.head) return 0.f;
    const Eigen::Vector2f ray = view_.center_sample(x, y);
    return view_.center().z() + pixel.depth * up.dot(Eigen::Vector3f(ray.x(), ray.y(), 1.f));
  });
}

}  // namespace vantage::synth
