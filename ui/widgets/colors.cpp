#include "ui/widgets/colors.h"

namespace vantage::ui {

QColor camera_color(int camera) {
  static constexpr std::array<QRgb, 7> colors = {0xffe69f00, 0xff009e73, 0xff56b4e9, 0xffcc79a7,
                                                 0xffd55e00, 0xfff0e442, 0xff0072b2};
  return QColor(colors[static_cast<size_t>(camera < 0 ? 0 : camera) % colors.size()]);
}

}  // namespace vantage::ui
