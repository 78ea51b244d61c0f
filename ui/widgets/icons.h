// Icons from resources/icons: drawn in one colour, the one of the text they stand next to.
#pragma once

#include <QIcon>
#include <QPalette>

namespace vantage::ui {

// `name` without folder and suffix: "play". Disabled icons take the disabled text's colour.
QIcon themed_icon(const QString& name, const QPalette& palette);
// One colour, for marks that keep theirs in every theme.
QPixmap colored_pixmap(const QString& name, const QColor& color, int size_px, qreal device_pixel_ratio = 1);

}  // namespace vantage::ui
