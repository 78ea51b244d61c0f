#include "core/display/canvas.h"

#include <cairo-pdf.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numbers>
#include <optional>
#include <utility>

#include "core/base/json.h"
#include "core/display/color_conversion.h"

namespace vantage {
namespace {

static_assert(std::endian::native == std::endian::little, "Cairo's pixels are blue, green, red in memory");

constexpr double kFarthest_px = 100'000;
constexpr double kPointsPerPixel = 0.75;  // 96 px and 72 points an inch
constexpr ptrdiff_t kRgbPixel_bytes = 4;

cairo_status_t append_bytes(void* closure, const unsigned char* data, unsigned length) {
  static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

cairo_status_t read_bytes(void* closure, unsigned char* to, unsigned length) {
  auto& rest = *static_cast<std::string_view*>(closure);
  if (length > rest.size()) return CAIRO_STATUS_READ_ERROR;
  std::memcpy(to, rest.data(), length);
  rest.remove_prefix(length);
  return CAIRO_STATUS_SUCCESS;
}

using Surface = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;

Result<Surface> surface_of(std::string_view png) {
  Surface surface(cairo_image_surface_create_from_png_stream(&read_bytes, &png), &cairo_surface_destroy);
  if (cairo_surface_status(surface.get()) != CAIRO_STATUS_SUCCESS)
    return fail(ErrorKind::bad_data, "the picture for a page is not a PNG file");
  return surface;
}

tl::unexpected<Error> failed(cairo_status_t status) {
  const ErrorKind kind = status == CAIRO_STATUS_NO_MEMORY      ? ErrorKind::out_of_memory
                         : status == CAIRO_STATUS_INVALID_SIZE ? ErrorKind::invalid_argument
                                                               : ErrorKind::io;
  return fail(kind, std::string("this cannot be drawn (") + cairo_status_to_string(status) + ")");
}

cairo_font_face_t* letters() {
  static cairo_font_face_t* const face =
      cairo_toy_font_face_create("DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  return face;
}

// Letters are not hinted: Cairo keeps the hinting of a font's first use for the whole program. Their
// positions are whole pixels in pictures alone, since pages are scaled to any size.
void set_letters(cairo_t* context, bool of_picture) {
  cairo_set_font_face(context, letters());
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, of_picture ? CAIRO_HINT_METRICS_ON : CAIRO_HINT_METRICS_OFF);
  cairo_set_font_options(context, options);
  cairo_font_options_destroy(options);
}

// Cairo refuses bytes that are not UTF-8; control characters have no letters.
std::string drawable(const std::string& text) {
  std::string valid = parse_json(json_text(nlohmann::json(text))).get<std::string>();
  for (char& c : valid)
    if ((c >= 0 && c < ' ') || c == 0x7f) c = ' ';
  return valid;
}

double width_of(cairo_t* context, const std::string& text, double size_px) {
  cairo_set_font_size(context, size_px);
  cairo_text_extents_t extents = {};
  cairo_text_extents(context, drawable(text).c_str(), &extents);
  return extents.x_advance;
}

}  // namespace

Outline rectangle(double left, double top, double right, double bottom) {
  return {{left, top}, {right, top}, {right, bottom}, {left, bottom}, {left, top}};
}

struct Canvas::Parts {
  struct Plane {
    cairo_surface_t* surface;
    cairo_t* context;
  };
  std::vector<Plane> planes;  // of a camera picture Y, Cb and Cr, else one
  std::optional<PictureFormat> format;
  std::string pdf;

  Parts() = default;
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;
  ~Parts() {
    for (const Plane& plane : planes) cairo_destroy(plane.context), cairo_surface_destroy(plane.surface);
  }

  cairo_t* first() const { return planes.front().context; }
  Status add(cairo_surface_t* surface, double scale, bool of_picture = true) {
    cairo_t* const context = planes.emplace_back(surface, cairo_create(surface)).context;
    cairo_scale(context, scale, scale);
    cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND);
    set_letters(context, of_picture);
    const cairo_status_t status = cairo_status(context);
    return status == CAIRO_STATUS_SUCCESS ? Status() : failed(status);
  }
};

Canvas::Canvas(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Canvas::~Canvas() = default;
Canvas::Canvas(Canvas&&) noexcept = default;

Result<Canvas> Canvas::make(int width_px, int height_px, const MarkColor& ground) {
  auto parts = std::make_unique<Parts>();
  VANTAGE_TRY(parts->add(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width_px, height_px), 1));
  cairo_surface_t* const surface = parts->planes.front().surface;
  Canvas canvas(std::move(parts));
  canvas.whole_ = canvas.clip_ = {0, 0, width_px, height_px};
  canvas.pixels_ = cairo_image_surface_get_data(surface);
  canvas.stride_ = cairo_image_surface_get_stride(surface);
  canvas.fill(canvas.whole_, ground);
  return canvas;
}

// Each plane is drawn on as a mask, whose cover is the sample.
Result<Canvas> Canvas::over(Picture& picture) {
  auto parts = std::make_unique<Parts>();
  parts->format = picture.format();
  for (int p = 0; p < 3; ++p) {
    const ImageView<uint8_t> plane = picture.writable_plane(p);
    VANTAGE_TRY(
        parts->add(cairo_image_surface_create_for_data(plane.data, CAIRO_FORMAT_A8, plane.width, plane.height,
                                                       static_cast<int>(plane.stride_bytes)),
                   p == 0 ? 1 : 0.5));
    cairo_set_operator(parts->planes.back().context, CAIRO_OPERATOR_SOURCE);
  }
  Canvas canvas(std::move(parts));
  canvas.whole_ = canvas.clip_ = {0, 0, picture.width(), picture.height()};
  return canvas;
}

Result<Canvas> Canvas::pdf(double width_px, double height_px, const std::string& title,
                           const std::string& created) {
  auto parts = std::make_unique<Parts>();
  cairo_surface_t* const surface = cairo_pdf_surface_create_for_stream(
      &append_bytes, &parts->pdf, width_px * kPointsPerPixel, height_px * kPointsPerPixel);
  cairo_pdf_surface_restrict_to_version(surface, CAIRO_PDF_VERSION_1_4);
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, drawable(title).c_str());
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, created.c_str());
  VANTAGE_TRY(parts->add(surface, kPointsPerPixel, false));
  Canvas canvas(std::move(parts));
  canvas.whole_ = {0, 0, static_cast<int>(std::lround(width_px)), static_cast<int>(std::lround(height_px))};
  canvas.clip_ = canvas.whole_;
  return canvas;
}

template <typename Draw>
void Canvas::paint(const MarkColor& color, const Draw& draw) const {
  std::array<uint8_t, 3> samples = {};
  if (parts_->format) {
    const YcbcrSample sample = ycbcr_of(color[0], color[1], color[2], *parts_->format);
    samples = {sample.y, sample.cb, sample.cr};
  }
  for (size_t p = 0; p < parts_->planes.size(); ++p) {
    cairo_t* const context = parts_->planes[p].context;
    if (parts_->format)
      cairo_set_source_rgba(context, 0, 0, 0, samples[p] / 255.0);
    else
      cairo_set_source_rgb(context, color[0] / 255.0, color[1] / 255.0, color[2] / 255.0);
    cairo_new_path(context);
    draw(context, p > 0);
  }
}

void Canvas::clip_to(const PixelArea& area) {
  clip_ = area;
  for (const Parts::Plane& plane : parts_->planes) {
    cairo_reset_clip(plane.context);
    cairo_new_path(plane.context);
    cairo_rectangle(plane.context, area.left, area.top, area.width(), area.height());
    cairo_clip(plane.context);
  }
}

void Canvas::stroke(std::span<const Eigen::Vector2d> points, double width_px, const MarkColor& color,
                    std::span<const double> dashes_px) {
  paint(color, [&](cairo_t* context, bool) {
    for (const Eigen::Vector2d& point : points) cairo_line_to(context, point.x(), point.y());
    cairo_set_line_width(context, width_px);
    cairo_set_line_cap(context, CAIRO_LINE_CAP_BUTT);
    cairo_set_dash(context, dashes_px.data(), static_cast<int>(dashes_px.size()), 0);
    cairo_stroke(context);
  });
}

// A sample of colour is two pixels wide: lines of colour are a pixel wider than those of luma, or their rims
// would be grey.
void Canvas::polyline(std::span<const Eigen::Vector2d> points_px, double width_px, const MarkColor& color) {
  for (const Eigen::Vector2d& point : points_px)
    if (!point.allFinite() || point.norm() > kFarthest_px) return;
  paint(color, [&](cairo_t* context, bool half) {
    for (const Eigen::Vector2d& point : points_px) cairo_line_to(context, point.x() + 0.5, point.y() + 0.5);
    cairo_set_line_width(context, width_px + (half ? 1 : 0));
    cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND);
    cairo_set_dash(context, nullptr, 0, 0);
    cairo_stroke(context);
  });
}

void Canvas::fill(const PixelArea& area, const MarkColor& color) {
  paint(color, [&](cairo_t* context, bool) {
    cairo_rectangle(context, area.left, area.top, area.width(), area.height());
    cairo_fill(context);
  });
}

void Canvas::fill(std::span<const Outline> outlines, const MarkColor& color) {
  paint(color, [&](cairo_t* context, bool) {
    for (const Outline& outline : outlines) {
      cairo_new_sub_path(context);
      for (const Eigen::Vector2d& point : outline) cairo_line_to(context, point.x(), point.y());
      cairo_close_path(context);
    }
    cairo_fill(context);
  });
}

void Canvas::disc(double x, double y, double radius_px, const MarkColor& color) {
  paint(color, [&](cairo_t* context, bool) {
    cairo_arc(context, x, y, radius_px, 0, 2 * std::numbers::pi);
    cairo_fill(context);
  });
}

void Canvas::text(const std::string& text, double x, double y, double size_px, const MarkColor& color,
                  bool upright) {
  const std::string valid = drawable(text);
  paint(color, [&](cairo_t* context, bool) {
    cairo_save(context);
    cairo_set_font_size(context, size_px);
    cairo_translate(context, x, y);
    if (upright) cairo_rotate(context, -std::numbers::pi / 2);
    cairo_move_to(context, 0, 0);
    cairo_show_text(context, valid.c_str());
    cairo_restore(context);
  });
}

double Canvas::text_width(const std::string& text, double size_px) const {
  return width_of(parts_->first(), text, size_px);
}

int Canvas::picture_text_width_px(const std::string& text, int size_px) {
  const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1), &cairo_surface_destroy);
  cairo_t* const context = cairo_create(surface.get());
  set_letters(context, true);
  const double width = width_of(context, text, size_px);
  cairo_destroy(context);
  return static_cast<int>(std::lround(width));
}

void Canvas::label(const std::string& text, int left, int top, int height_px) {
  fill({left, top, left + label_width_px(text, height_px), top + label_height_px(height_px)}, {0, 0, 0});
  this->text(text, left + height_px / 4, top + height_px + height_px / 24, height_px, kMarkWhite);
}

void Canvas::put(int x, int y, const MarkColor& color, double cover) {
  if (x < clip_.left || y < clip_.top || x >= clip_.right || y >= clip_.bottom || cover <= 0) return;
  uint8_t* pixel = pixels_ + static_cast<ptrdiff_t>(stride_) * y + kRgbPixel_bytes * x;
  const double share = std::min(1.0, cover);
  for (size_t c = 0; c < 3; ++c)
    pixel[2 - c] = static_cast<uint8_t>((1 - share) * pixel[2 - c] + share * color[c] + 0.5);
}

Result<Image> Canvas::image() const {
  cairo_surface_flush(parts_->planes.front().surface);
  VANTAGE_ASSIGN(Image image,
                 Image::make(ImageType::u8, 3 * whole_.right, whole_.bottom, HostPool::shared()));
  const ImageView<uint8_t> to = image.writable_view<uint8_t>();
  for (int y = 0; y < to.height; ++y) {
    const uint8_t* pixel = pixels_ + static_cast<ptrdiff_t>(stride_) * y;
    for (int x = 0; x < to.width; x += 3, pixel += kRgbPixel_bytes)
      for (int c = 0; c < 3; ++c) to.at(x + c, y) = pixel[2 - c];
  }
  return image;
}

Result<double> Canvas::picture_height(const std::string& file, double width_px) {
  VANTAGE_ASSIGN(const Surface picture, surface_of(file));
  return width_px * cairo_image_surface_get_height(picture.get()) /
         std::max(1, cairo_image_surface_get_width(picture.get()));
}

Status Canvas::picture(const std::string& file, double left, double top, double width_px) {
  VANTAGE_ASSIGN(const Surface picture, surface_of(file));
  const double scale = width_px / std::max(1, cairo_image_surface_get_width(picture.get()));
  cairo_save(parts_->first());
  cairo_translate(parts_->first(), left, top);
  cairo_scale(parts_->first(), scale, scale);
  cairo_set_source_surface(parts_->first(), picture.get(), 0, 0);
  cairo_paint(parts_->first());
  cairo_restore(parts_->first());
  return {};
}

void Canvas::next_page() {
  cairo_show_page(parts_->first());
}

Result<std::string> Canvas::finish() {
  cairo_show_page(parts_->first());
  cairo_surface_finish(parts_->planes.front().surface);
  cairo_status_t status = cairo_status(parts_->first());
  if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(parts_->planes.front().surface);
  if (status != CAIRO_STATUS_SUCCESS) return failed(status);
  return std::move(parts_->pdf);
}

}  // namespace vantage
