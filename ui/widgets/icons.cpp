#include "ui/widgets/icons.h"

#include <QBuffer>
#include <QFile>
#include <QImageReader>

static void load_resources() {
  Q_INIT_RESOURCE(vantage);
}

namespace vantage::ui {

QPixmap colored_pixmap(const QString& name, const QColor& color, int size_px, qreal device_pixel_ratio) {
  load_resources();
  QFile file(":/icons/" + name + ".svg");
  if (!file.open(QIODevice::ReadOnly)) return {};
  QByteArray svg = file.readAll();
  svg.replace("currentColor", color.name().toLatin1());
  QBuffer buffer(&svg);
  QImageReader reader(&buffer, "svg");
  const int pixels = qRound(size_px * device_pixel_ratio);
  reader.setScaledSize(QSize(pixels, pixels));
  QPixmap pixmap = QPixmap::fromImage(reader.read());
  pixmap.setDevicePixelRatio(device_pixel_ratio);
  return pixmap;
}

QIcon themed_icon(const QString& name, const QPalette& palette) {
  QIcon icon;
  for (const int size : {16, 20, 24, 32, 48}) {
    icon.addPixmap(colored_pixmap(name, palette.color(QPalette::Active, QPalette::ButtonText), size));
    icon.addPixmap(colored_pixmap(name, palette.color(QPalette::HighlightedText), size), QIcon::Normal,
                   QIcon::On);
    icon.addPixmap(colored_pixmap(name, palette.color(QPalette::Disabled, QPalette::ButtonText), size),
                   QIcon::Disabled);
  }
  return icon;
}

}  // namespace vantage::ui
