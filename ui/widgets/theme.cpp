#include "ui/widgets/theme.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QBuffer>
#include <QComboBox>
#include <QCursor>
#include <QEvent>
#include <QFile>
#include <QImageReader>
#include <QLabel>
#include <QPainter>
#include <QProxyStyle>
#include <QScreen>
#include <QStyleFactory>
#include <QStyleOption>
#include <algorithm>
#include <array>
#include <cmath>

#include "core/display/marked_view.h"
#include "core/display/scene_lines.h"

namespace vantage::ui {
namespace {

// A colour in the light and in the dark.
struct Shade {
  QRgb light, dark;
  QColor in(bool is_dark) const { return QColor(is_dark ? dark : light); }
};

constexpr Shade kWindow = {0xfff5f5f3, 0xff262728}, kButton = {0xffececea, 0xff323436},
                kText = {0xff1f2022, 0xffe6e6e6}, kDisabled = {0xff8d9094, 0xff85888c};
constexpr struct {
  QPalette::ColorRole role;
  Shade shade;
} kRoles[] = {
    {QPalette::Base, {0xffffffff, 0xff1e1f20}},
    {QPalette::AlternateBase, {0xfff0f0ee, 0xff2b2c2e}},
    {QPalette::Mid, {0xffcfcfcc, 0xff3c3e41}},  // borders
    {QPalette::Highlight, {0xff0072b2, 0xff2f7fb5}},
    {QPalette::HighlightedText, {0xffffffff, 0xffffffff}},
    {QPalette::Link, {0xff005a8e, 0xff6fc0ee}},
    {QPalette::ToolTipBase, kButton},
    {QPalette::ToolTipText, kText},
    {QPalette::WindowText, kText},
    {QPalette::Text, kText},
    {QPalette::ButtonText, kText},
    {QPalette::PlaceholderText, {0xff5f6368, 0xffa3a7ac}},
};
constexpr Shade kTones[] = {  // by Tone
    {0xff0072b2, 0xff56b4e9},
    {0xffb04a00, kDoubtful},
    {0xff8a7a00, kSelection},
    {0xff007a52, 0xff5fd3a6},
    {0xffacaca8, 0xff5e6165}};

constexpr double kSmallText = 0.85, kTitleText = 1.5, kMinText_pt = 7;

QPalette make_palette(bool dark) {
  QPalette palette(kButton.in(dark), kWindow.in(dark));
  for (const auto& [role, shade] : kRoles) palette.setColor(role, shade.in(dark));
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::Highlight})
    palette.setColor(QPalette::Disabled, role, kDisabled.in(dark));
  return palette;
}

// Fusion frames check boxes and radio buttons in a shade of the window, which in the dark is next to nothing;
// its spacing is not on the grid.
bool is_wheeled(const QWidget& widget) {
  return qobject_cast<const QAbstractSpinBox*>(&widget) || qobject_cast<const QComboBox*>(&widget);
}

class FramedStyle final : public QProxyStyle {
 public:
  FramedStyle() : QProxyStyle(QStyleFactory::create("Fusion")) {}

  int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override {
    switch (metric) {
      case PM_LayoutLeftMargin:
      case PM_LayoutTopMargin:
      case PM_LayoutRightMargin:
      case PM_LayoutBottomMargin:
      case PM_LayoutHorizontalSpacing:
        return kApart;
      case PM_LayoutVerticalSpacing:
        return kTight;
      default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
  }

  using QProxyStyle::polish;
  void polish(QWidget* widget) override {
    QProxyStyle::polish(widget);
    if (is_wheeled(*widget) && widget->focusPolicy() == Qt::WheelFocus)
      widget->setFocusPolicy(Qt::StrongFocus);
  }

  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override {
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    if (element != PE_IndicatorCheckBox && element != PE_IndicatorRadioButton) return;
    QColor frame = option->palette.color(QPalette::WindowText);
    frame.setAlphaF(option->state.testFlag(State_Enabled) ? 0.7F : 0.3F);
    const QRectF box = QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5);
    painter->save();
    painter->setBrush(Qt::NoBrush);
    painter->setPen(frame);
    painter->setRenderHint(QPainter::Antialiasing, element == PE_IndicatorRadioButton);
    element == PE_IndicatorRadioButton ? painter->drawEllipse(box) : painter->drawRect(box);
    painter->restore();
  }
};

}  // namespace

bool is_dark(const QPalette& palette) {
  return palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
}

namespace {

// Tooltips are plain text, which Qt lays in one line: longer ones wrap, else they would run off the screen.
// The wheel scrolls the page below a number or choice without focus, and changes nothing.
class WindowManners final : public QObject {
 public:
  using QObject::QObject;
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::Wheel && watched->isWidgetType()) {
      const auto& widget = static_cast<const QWidget&>(*watched);
      const bool passed_on = is_wheeled(widget) && !widget.hasFocus();
      if (passed_on) event->ignore();
      return passed_on;
    }
    const bool laid = event->type() == QEvent::Show || event->type() == QEvent::Resize;
    if (laid && watched->inherits("QTipLabel")) wrap(static_cast<QLabel*>(watched));
    return false;
  }

 private:
  static void wrap(QLabel* tip) {
    constexpr int kWidth = 480, kNearPointer = 16;
    if (tip->width() <= kWidth) return;
    tip->setWordWrap(true);
    tip->resize(kWidth, tip->heightForWidth(kWidth) + 2);
    const QRect screen = tip->screen()->availableGeometry();
    tip->move(std::clamp(QCursor::pos().x() + kNearPointer, screen.left(), screen.right() - kWidth),
              std::min(tip->y(), screen.bottom() - tip->height()));
  }
};

}  // namespace

void apply_theme(Theme theme) {
  static const bool system_is_dark = is_dark(QApplication::palette());
  const bool dark = theme == Theme::dark || (theme == Theme::system && system_is_dark);
  static const bool styled =
      (QApplication::setStyle(new FramedStyle), qApp->installEventFilter(new WindowManners(qApp)), true);
  (void)styled;
  QApplication::setPalette(make_palette(dark));
  qApp->setStyleSheet(QStringLiteral(R"(
    QToolTip { border: 1px solid palette(mid); padding: 4px; }
    QStatusBar::item { border: none; }
    QMainWindow::separator { width: 4px; height: 4px; }
    QMainWindow::separator, QSplitter::handle { background: %1; }
    QMainWindow::separator:hover, QSplitter::handle:hover { background: palette(highlight); }
    QToolBar { border: none; spacing: 0; padding: 4px 8px; }
    QToolBar QToolButton { padding: 4px 8px; border: 1px solid transparent; border-radius: 4px; }
    QToolBar QToolButton[group="true"] { border-color: palette(mid); border-radius: 0; margin-right: -1px; }
    QToolBar QToolButton[last="true"] { margin-right: 0; }
    QToolBar QToolButton:hover { background: palette(alternate-base); border-color: palette(mid); }
    QToolBar QToolButton:checked, QDockWidget QToolButton:checked { background: palette(mid);
      border: 1px solid palette(mid); }
    QToolBar QToolButton[task="true"]:checked, QDockWidget QToolButton:checked {
      border-bottom: 2px solid palette(highlight); padding-bottom: 3px; }
    QToolBar QToolButton::menu-indicator, QStatusBar QToolButton::menu-indicator { image: none; }
    QToolBar QToolButton:disabled { color: palette(button-text); }
  )")
                          .arg(tone(Tone::handle, QApplication::palette()).name()));
}

QColor tone(Tone which, const QPalette& palette) {
  return kTones[static_cast<size_t>(which)].in(is_dark(palette));
}

QFont sized(QFont font, TextSize size) {
  const double normal_pt = QApplication::font().pointSizeF();
  font.setPointSizeF(size == TextSize::title   ? normal_pt * kTitleText
                     : size == TextSize::small ? std::max(kMinText_pt, normal_pt * kSmallText)
                                               : normal_pt);
  return font;
}

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

QColor ink_on(const QColor& ground) {
  const auto part = [](float share, float value) { return share * std::pow(value, 2.2F); };
  const float luminance =
      part(0.21F, ground.redF()) + part(0.72F, ground.greenF()) + part(0.07F, ground.blueF());
  return luminance < 0.18F ? Qt::white : Qt::black;
}

}  // namespace vantage::ui

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
    icon.addPixmap(colored_pixmap(name, palette.color(QPalette::Disabled, QPalette::ButtonText), size),
                   QIcon::Disabled);
  }
  return icon;
}

}  // namespace vantage::ui
