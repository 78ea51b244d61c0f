#include "ui/widgets/colors.h"

#include <array>

namespace vantage::ui {

QColor camera_color(int camera) {
  static constexpr std::array<QRgb, 7> colors = {0xffe69f00, 0xff009e73, 0xff56b4e9, 0xffcc79a7,
                                                 0xffd55e00, 0xfff0e442, 0xff0072b2};
  return QColor(colors[static_cast<size_t>(camera < 0 ? 0 : camera) % colors.size()]);
}

QColor person_color(int64_t id) {
  static constexpr std::array<QRgb, 5> colors = {0xffe69f00, 0xff009e73, 0xff0072b2, 0xffd55e00, 0xffcc79a7};
  return QColor(colors[static_cast<size_t>(id < 1 ? 0 : id - 1) % colors.size()]);
}

Qt::PenStyle person_line(int64_t id) {
  static constexpr std::array<Qt::PenStyle, 3> styles = {Qt::SolidLine, Qt::DashLine, Qt::DotLine};
  return styles[static_cast<size_t>(id < 1 ? 0 : id - 1) / 5 % styles.size()];
}

}  // namespace vantage::ui
