#include "core/display/pdf_pages.h"

#include <cairo-ft.h>
#include <cairo-pdf.h>
#include <fontconfig/fontconfig.h>

#include <algorithm>
#include <cstring>
#include <numbers>

#include "core/display/detail/letters.h"

namespace vantage {
namespace {

constexpr double kPointsPerPixel = 0.75;  // 96 px and 72 points an inch

cairo_status_t append_bytes(void* closure, const unsigned char* data, unsigned length) {
  static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

struct ReadBytes {
  const std::string& file;
  size_t at = 0;
};

cairo_status_t read_bytes(void* closure, unsigned char* to, unsigned length) {
  auto& from = *static_cast<ReadBytes*>(closure);
  if (from.at + length > from.file.size()) return CAIRO_STATUS_READ_ERROR;
  std::memcpy(to, from.file.data() + from.at, length);
  from.at += length;
  return CAIRO_STATUS_SUCCESS;
}

using Surface = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;

Result<Surface> surface_of(const std::string& png) {
  ReadBytes from{png};
  Surface surface(cairo_image_surface_create_from_png_stream(&read_bytes, &from), &cairo_surface_destroy);
  if (cairo_surface_status(surface.get()) != CAIRO_STATUS_SUCCESS)
    return fail(ErrorKind::bad_data, "the picture for a page is not a PNG file");
  return surface;
}

// Cairo keeps faces of its own as long as it likes.
cairo_font_face_t* font_of(const std::string& file) {
  FcPattern* pattern = FcPatternCreate();
  FcPatternAddString(pattern, FC_FILE, reinterpret_cast<const FcChar8*>(file.c_str()));
  FcPatternAddInteger(pattern, FC_INDEX, 0);
  cairo_font_face_t* font = cairo_ft_font_face_create_for_pattern(pattern);
  FcPatternDestroy(pattern);
  return font;
}

}  // namespace

struct PdfPages::Parts {
  Parts() = default;
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;
  ~Parts() {
    if (context) cairo_destroy(context);
    if (surface) cairo_surface_destroy(surface);
    if (font) cairo_font_face_destroy(font);
  }

  std::string bytes;
  cairo_font_face_t* font = nullptr;
  cairo_surface_t* surface = nullptr;
  cairo_t* context = nullptr;

  void set_color(const PdfColor& color) const {
    cairo_set_source_rgb(context, color[0] / 255.0, color[1] / 255.0, color[2] / 255.0);
  }
  void set_path(const PdfPoints& points) const {
    cairo_new_path(context);
    for (const auto& [x, y] : points) cairo_line_to(context, x, y);
  }
};

PdfPages::PdfPages(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
PdfPages::~PdfPages() = default;

Result<std::unique_ptr<PdfPages>> PdfPages::open(double width_px, double height_px, const std::string& title,
                                                 const std::string& created) {
  VANTAGE_ASSIGN(const std::string file, display_detail::font_file());
  auto parts = std::make_unique<Parts>();
  parts->font = font_of(file);
  parts->surface = cairo_pdf_surface_create_for_stream(
      &append_bytes, &parts->bytes, width_px * kPointsPerPixel, height_px * kPointsPerPixel);
  cairo_pdf_surface_restrict_to_version(parts->surface, CAIRO_PDF_VERSION_1_4);
  cairo_pdf_surface_set_metadata(parts->surface, CAIRO_PDF_METADATA_TITLE,
                                 display_detail::valid_utf8(title).c_str());
  cairo_pdf_surface_set_metadata(parts->surface, CAIRO_PDF_METADATA_CREATE_DATE, created.c_str());
  parts->context = cairo_create(parts->surface);
  cairo_scale(parts->context, kPointsPerPixel, kPointsPerPixel);
  cairo_set_font_face(parts->context, parts->font);
  cairo_set_line_join(parts->context, CAIRO_LINE_JOIN_ROUND);
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_set_font_options(parts->context, options);
  cairo_font_options_destroy(options);
  return std::unique_ptr<PdfPages>(new PdfPages(std::move(parts)));
}

void PdfPages::next_page() {
  cairo_show_page(parts_->context);
}

void PdfPages::polyline(const PdfPoints& points, double width_px, const PdfColor& color,
                        const std::vector<double>& dashes_px) {
  parts_->set_color(color);
  parts_->set_path(points);
  cairo_set_line_width(parts_->context, width_px);
  cairo_set_dash(parts_->context, dashes_px.data(), static_cast<int>(dashes_px.size()), 0);
  cairo_stroke(parts_->context);
}

void PdfPages::fill(const PdfPoints& corners, const PdfColor& color) {
  parts_->set_color(color);
  parts_->set_path(corners);
  cairo_fill(parts_->context);
}

void PdfPages::fill_all(const std::vector<PdfPoints>& outlines, const PdfColor& color) {
  parts_->set_color(color);
  cairo_new_path(parts_->context);
  for (const PdfPoints& outline : outlines) {
    cairo_new_sub_path(parts_->context);
    for (const auto& [x, y] : outline) cairo_line_to(parts_->context, x, y);
    cairo_close_path(parts_->context);
  }
  cairo_fill(parts_->context);
}

void PdfPages::disc(double x, double y, double radius_px, const PdfColor& color) {
  parts_->set_color(color);
  cairo_new_path(parts_->context);
  cairo_arc(parts_->context, x, y, radius_px, 0, 2 * std::numbers::pi);
  cairo_fill(parts_->context);
}

void PdfPages::text(const std::string& text, double x, double y, double size_px, const PdfColor& color,
                    bool upright) {
  cairo_t* context = parts_->context;
  cairo_save(context);
  parts_->set_color(color);
  cairo_set_font_size(context, size_px);
  cairo_translate(context, x, y);
  if (upright) cairo_rotate(context, -std::numbers::pi / 2);
  cairo_move_to(context, 0, 0);
  cairo_show_text(context, display_detail::valid_utf8(text).c_str());
  cairo_restore(context);
}

double PdfPages::text_width(const std::string& text, double size_px) const {
  cairo_set_font_size(parts_->context, size_px);
  cairo_text_extents_t extents = {};
  cairo_text_extents(parts_->context, display_detail::valid_utf8(text).c_str(), &extents);
  return extents.x_advance;
}

Result<double> PdfPages::picture_height(const std::string& file, double width_px) const {
  VANTAGE_ASSIGN(const Surface picture, surface_of(file));
  return width_px * cairo_image_surface_get_height(picture.get()) /
         std::max(1, cairo_image_surface_get_width(picture.get()));
}

Status PdfPages::picture(const std::string& file, double left, double top, double width_px) {
  VANTAGE_ASSIGN(const Surface picture, surface_of(file));
  const double scale = width_px / std::max(1, cairo_image_surface_get_width(picture.get()));
  cairo_save(parts_->context);
  cairo_translate(parts_->context, left, top);
  cairo_scale(parts_->context, scale, scale);
  cairo_set_source_surface(parts_->context, picture.get(), 0, 0);
  cairo_paint(parts_->context);
  cairo_restore(parts_->context);
  return {};
}

Result<std::string> PdfPages::finish() {
  cairo_show_page(parts_->context);
  cairo_surface_finish(parts_->surface);
  cairo_status_t status = cairo_status(parts_->context);
  if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(parts_->surface);
  if (status != CAIRO_STATUS_SUCCESS)
    return fail(status == CAIRO_STATUS_NO_MEMORY ? ErrorKind::out_of_memory : ErrorKind::io,
                std::string("the PDF pages cannot be made (") + cairo_status_to_string(status) + ")");
  return std::move(parts_->bytes);
}

}  // namespace vantage
