#include <fmt/core.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/display/color_conversion.h"
#include "core/display/flow_colors.h"
#include "core/export/figure/detail/compared_figure.h"
#include "core/export/figure/detail/figure_drawing.h"

namespace vantage::figure_detail {
namespace {

constexpr MarkColor kForegroundTint = {0x56, 0xb4, 0xe9};  // that of the window
constexpr double kTintShare = 0.35, kHaloShare = 0.75, kDifferenceShare = 0.7;
constexpr double kRim_px = 2, kHalo_px = 1;
constexpr double kSubdued = 0.4;
constexpr double kHeadRing_px = 9;

// Maps pixels of a camera to those of the figure, in which (0, 0) is the centre of the first, too.
struct PictureScale {
  double factor = 1;                                 // figure pixels by picture pixels
  Eigen::Vector2d corner = Eigen::Vector2d::Zero();  // of the picture in the figure
  Eigen::Vector2d to_figure(const Eigen::Vector2d& picture_px) const {
    return ((picture_px.array() + 0.5) * factor - 0.5).matrix() + corner;
  }
  Eigen::Vector2d to_picture(double x, double y) const {
    return {(x - corner.x() + 0.5) / factor - 0.5, (y - corner.y() + 0.5) / factor - 0.5};
  }
};

// The red, green and blue of pictures, between the pixels too.
class ColorSampler {
 public:
  explicit ColorSampler(const Picture& picture)
      : luma_(picture.plane(0)),
        cb_(picture.plane(1)),
        cr_(picture.format().layout == PictureLayout::nv12 ? picture.plane(1) : picture.plane(2)),
        interleaved_(picture.format().layout == PictureLayout::nv12),
        conversion_(rgb_from_ycbcr(picture.format().range, picture.format().matrix)) {}

  MarkColor pixel(int x, int y) const {
    x = std::clamp(x, 0, luma_.width - 1), y = std::clamp(y, 0, luma_.height - 1);
    const int step = interleaved_ ? 2 : 1;
    const uint8_t luma = luma_.at(x, y), cb = cb_.at(step * (x / 2), y / 2),
                  cr = cr_.at(step * (x / 2) + (interleaved_ ? 1 : 0), y / 2);
    MarkColor rgb;
    for (int c = 0; c < 3; ++c) rgb[c] = rgb_component(conversion_, c, luma, cb, cr);
    return rgb;
  }
  Eigen::Vector3d between(const Eigen::Vector2d& at) const {
    const auto x = static_cast<int>(std::floor(at.x())), y = static_cast<int>(std::floor(at.y()));
    const double u = at.x() - x, v = at.y() - y;
    const auto value = [&](int column, int row) {
      const MarkColor rgb = pixel(column, row);
      return Eigen::Vector3d(rgb[0], rgb[1], rgb[2]);
    };
    return (1 - v) * ((1 - u) * value(x, y) + u * value(x + 1, y)) +
           v * ((1 - u) * value(x, y + 1) + u * value(x + 1, y + 1));
  }

 private:
  ImageView<const uint8_t> luma_, cb_, cr_;
  bool interleaved_;
  RgbFromYcbcr conversion_;
};

// Averages the picture over each pixel of the figure, so that fine lines do not flicker in reduced pictures.
void draw_picture(const Picture& picture, const PixelArea& area, const PictureScale& scale, bool subdued,
                  Canvas& canvas) {
  const ColorSampler colors(picture);
  const int samples = std::max(1, static_cast<int>(std::ceil(1 / scale.factor)));
  tbb::parallel_for(area.top, area.bottom, [&](int y) {
    for (int x = area.left; x < area.right; ++x) {
      Eigen::Vector3d sum = Eigen::Vector3d::Zero();
      for (int j = 0; j < samples; ++j)
        for (int i = 0; i < samples; ++i)
          sum +=
              colors.between(scale.to_picture(x - 0.5 + (i + 0.5) / samples, y - 0.5 + (j + 0.5) / samples));
      sum /= samples * samples;
      if (subdued) sum.setConstant(kSubdued * sum.dot(Eigen::Vector3d(0.299, 0.587, 0.114)));
      canvas.put(x, y,
                 {static_cast<uint8_t>(sum.x() + 0.5), static_cast<uint8_t>(sum.y() + 0.5),
                  static_cast<uint8_t>(sum.z() + 0.5)});
    }
  });
}

// Tinted, with a rim and a dark halo around it.
void draw_mask(const Image& mask, const PixelArea& area, const PictureScale& scale, Canvas& canvas) {
  const ImageView<const uint8_t> pixels = mask.view<uint8_t>();
  const auto inside = [&](double x, double y) {
    const Eigen::Vector2d at = scale.to_picture(x, y);
    const auto column = static_cast<int>(std::lround(at.x())), row = static_cast<int>(std::lround(at.y()));
    return column >= 0 && row >= 0 && column < pixels.width && row < pixels.height &&
           pixels.at(column, row) != 0;
  };
  constexpr double kDiagonal = 0.7071;
  constexpr std::array<std::array<double, 2>, 8> kAround = {{{1, 0},
                                                             {-1, 0},
                                                             {0, 1},
                                                             {0, -1},
                                                             {kDiagonal, kDiagonal},
                                                             {-kDiagonal, -kDiagonal},
                                                             {kDiagonal, -kDiagonal},
                                                             {-kDiagonal, kDiagonal}}};
  tbb::parallel_for(area.top, area.bottom, [&](int y) {
    for (int x = area.left; x < area.right; ++x) {
      const auto near = [&](double radius, bool wanted) {
        return std::any_of(kAround.begin(), kAround.end(), [&](const auto& way) {
          return inside(x + radius * way[0], y + radius * way[1]) == wanted;
        });
      };
      if (inside(x, y))
        canvas.put(x, y, kForegroundTint, near(kRim_px, false) ? 1 : kTintShare);
      else if (near(kHalo_px, true))
        canvas.put(x, y, {0, 0, 0}, kHaloShare);
    }
  });
}

// Pixels of one mask alone are highlighted, those of both subdued.
void draw_mask_difference(const Image& first, const Image& second, const PixelArea& area,
                          const PictureScale& scale, Canvas& canvas) {
  const ImageView<const uint8_t> a = first.view<uint8_t>(), b = second.view<uint8_t>();
  const auto inside = [](const ImageView<const uint8_t>& mask, int column, int row) {
    return column >= 0 && row >= 0 && column < mask.width && row < mask.height && mask.at(column, row) != 0;
  };
  tbb::parallel_for(area.top, area.bottom, [&](int y) {
    for (int x = area.left; x < area.right; ++x) {
      const Eigen::Vector2d at = scale.to_picture(x, y);
      const auto column = static_cast<int>(std::lround(at.x())), row = static_cast<int>(std::lround(at.y()));
      const bool in_a = inside(a, column, row), in_b = inside(b, column, row);
      if (in_a && in_b)
        canvas.put(x, y, kBothSides, kTintShare);
      else if (in_a || in_b)
        canvas.put(x, y, in_a ? kOnlyFirst : kOnlySecond, kDifferenceShare);
    }
  });
}

void draw_flow(const FlowField& field, double full_px, const PixelArea& area, const PictureScale& scale,
               Canvas& canvas) {
  const ImageView<const float> vectors = field.vectors.view<float>();
  for (int y = area.top; y < area.bottom; ++y)
    for (int x = area.left; x < area.right; ++x) {
      const Eigen::Vector2d at = scale.to_picture(x, y);
      const int column = std::clamp(static_cast<int>(std::lround(at.x())), 0, field.width - 1);
      const int row = std::clamp(static_cast<int>(std::lround(at.y())), 0, field.height - 1);
      const float dx = vectors.at(2 * column, row), dy = vectors.at(2 * column + 1, row);
      if (!is_known_flow(dx) || !is_known_flow(dy)) continue;
      const auto [red, green, blue, alpha] = flow_rgba(dx, dy, full_px);
      canvas.put(x, y, {red, green, blue}, alpha / 255.0);
    }
}

WorldView scaled(const Camera& camera, const PictureScale& scale) {
  const WorldView whole = camera_view(camera);
  WorldView view;
  view.project = [whole, scale](const Eigen::Vector3d& point) {
    std::optional<Eigen::Vector2d> at = whole.project(point);
    if (at) *at = scale.to_figure(*at);
    return at;
  };
  view.bounds_px = {scale.to_figure(whole.bounds_px.min()), scale.to_figure(whole.bounds_px.max())};
  return view;
}

Eigen::AlignedBox2d box_of(const PictureScale& scale, double left, double top, double width, double height) {
  return {scale.to_figure({left, top}), scale.to_figure({left + width, top + height})};
}

void draw_boxes(const FigureScene& scene, const FigureFrame& frame, const PictureScale& scale,
                const MarkedView& marks) {
  const DetectionsArtifact* detections = frame.result->detections();
  if (scene.shows(FigureOverlay::detections) && detections)
    for (const PersonDetection& seen : detections->cameras[scene.camera].people)
      marks.draw_box(box_of(scale, seen.left_px, seen.top_px, seen.width_px, seen.height_px), kMarkWhite,
                     fmt::format("{:.2f}", static_cast<double>(seen.score)));
  const HeadsArtifact* heads = frame.result->heads();
  if (scene.shows(FigureOverlay::heads) && heads)
    for (const Detection& head : heads->cameras[scene.camera])
      marks.draw_box(box_of(scale, head.x, head.y, head.w, head.h), kMarkWhite,
                     fmt::format("{:.2f}", static_cast<double>(head.score)));
}

bool draw_ground(const FigureScene& scene, const FigureFrame& frame, bool subdued, PictureScale* scale,
                 Canvas& canvas) {
  const PixelArea& area = scene.page.view;
  if (!frame.picture) {
    canvas.fill(area, {0, 0, 0});
    const int text = 2 * scene.page.text_px;
    canvas.text("no picture", area.left + text, area.top + 2 * text, text, kMarkWhite);
    return false;
  }
  scale->factor = static_cast<double>(area.width()) / frame.picture.width();
  scale->corner = {area.left, area.top};
  draw_picture(frame.picture, area, *scale, subdued, canvas);
  return true;
}

}  // namespace

void draw_camera(const FigureScene& scene, const FigureFrame& frame, Canvas& canvas) {
  const PixelArea& area = scene.page.view;
  PictureScale scale;
  if (!draw_ground(scene, frame, false, &scale, canvas)) return;
  if (scene.shows(FigureOverlay::flow) && frame.result->flow())
    if (const FlowField& field = frame.result->flow()->cameras[scene.camera].field)
      draw_flow(field, frame.flow_full_px, area, scale, canvas);
  if (scene.shows(FigureOverlay::mask) && frame.mask && frame.other_mask)
    draw_mask_difference(frame.mask, frame.other_mask, area, scale, canvas);
  else if (scene.shows(FigureOverlay::mask) && frame.mask)
    draw_mask(frame.mask, area, scale, canvas);
  const Camera* camera = scene.project.cameras[scene.camera].calibration_at(frame.result->frame);
  const MarkedView marks = {canvas, camera ? scaled(*camera, scale) : WorldView(),
                            MarkSizes::of(area.height())};
  canvas.clip_to(area);
  if (camera && scene.shows(FigureOverlay::floor))
    marks.draw_shapes(scene.project.zones, scene.project.lines);
  if (camera && scene.shows(FigureOverlay::trails)) marks.draw_trails(frame.trails);
  draw_boxes(scene, frame, scale, marks);
  if (camera && scene.shows(FigureOverlay::people))
    for (const FigurePerson& person : frame.people)
      marks.draw_person({person.x_m, person.y_m, 0}, person.height_m, person.shown_color(), person.label);
  canvas.clip_to(canvas.whole());
}

void draw_height_map(const FigureScene& scene, const FigureFrame& frame, Canvas& canvas) {
  const PixelArea& area = scene.page.view;
  PictureScale scale;
  const HeightEstimate* estimate = frame.result->height_map();
  if (!draw_ground(scene, frame, true, &scale, canvas) || !estimate) return;
  const ImageView<const float> heights_m = estimate->heights_m.view<float>();
  for (int y = area.top; y < area.bottom; ++y)
    for (int x = area.left; x < area.right; ++x) {
      const Eigen::Vector2d at = scale.to_picture(x, y);
      const float height_m =
          heights_m.at(std::clamp(static_cast<int>(std::lround(at.x())), 0, heights_m.width - 1),
                       std::clamp(static_cast<int>(std::lround(at.y())), 0, heights_m.height - 1));
      if (std::isfinite(height_m))
        canvas.put(x, y, mapped_color(kViridis, estimate->map.scale.share(static_cast<double>(height_m))));
    }
  if (!scene.shows(FigureOverlay::heads)) return;
  const MarkSizes sizes = MarkSizes::of(area.height());
  canvas.clip_to(area);
  for (const HeightMapHead& head : estimate->heads) {
    const Eigen::Vector2d at = scale.to_figure({head.x_px, head.y_px});
    std::vector<Eigen::Vector2d> ring;
    for (int i = 0; i <= 32; ++i)
      ring.push_back(at + kHeadRing_px * Eigen::Vector2d(std::cos(i * M_PI / 16), std::sin(i * M_PI / 16)));
    canvas.polyline(ring, sizes.line_px, kMarkWhite);
    canvas.label(fmt::format("{:.2f} m", head.height_m), static_cast<int>(at.x() + kHeadRing_px) + 4,
                 static_cast<int>(at.y()) - sizes.text_px / 2, sizes.text_px);
  }
  canvas.clip_to(canvas.whole());
}

}  // namespace vantage::figure_detail
