#include "core/synth/detail/pixel_truth.h"

#include <algorithm>

#include "core/synth/detail/silhouette.h"

namespace vantage::synth {

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
      Appearance& appearance = appearances_[static_cast<size_t>(pixel.person)];
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
  Appearance& appearance = appearances_[static_cast<size_t>(person)];
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
