#include "ui/widgets/colors.h"

#include <array>

#include "core/display/marked_view.h"
#include "core/display/scene_lines.h"

namespace vantage::ui {

namespace {

QColor color_of(const MarkColor& rgb) {
  return QColor(rgb[0], rgb[1], rgb[2]);
}

}  // namespace

QColor camera_color(int camera) {
  return color_of(camera_rgb(camera));
}

QColor person_color(int64_t id) {
  return color_of(person_rgb(id));
}

Qt::PenStyle person_line(int64_t id) {
  static constexpr std::array<Qt::PenStyle, 3> styles = {Qt::SolidLine, Qt::DashLine, Qt::DotLine};
  return styles[static_cast<size_t>(id < 1 ? 0 : id - 1) / 5 % styles.size()];
}

}  // namespace vantage::ui
