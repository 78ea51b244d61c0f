// The look of the window, in one place: spacing, sizes of text, colours in the light and in the dark, icons.
// The page resources/docs/looks.md states it.
#pragma once

#include <QColor>
#include <QFont>
#include <QIcon>
#include <QPalette>
#include <cstdint>

namespace vantage::ui {

enum class Theme { system, light, dark };

// Sets the application's style, palette and tooltips. `system` follows the palette the program was started
// with.
void apply_theme(Theme theme);
bool is_dark(const QPalette& palette);

// Spacing, in px: what belongs together, parts of a panel, groups, and the margin of a page. Multiples of 4,
// and the only ones; what has no layout of its own gets them from the style.
inline constexpr int kTight = 4, kApart = 8, kWide = 16, kPage = 24;

// The sizes of text: next to what is drawn, everything, and titles.
enum class TextSize : uint8_t { small, normal, title };
QFont sized(QFont font, TextSize size);

// The colours of the window, after M. Okabe and K. Ito, "Color Universal Design" (2008): told apart by
// colour-blind people. Colour never stands alone: there is always a number, a shape or a word next to it.
// Palette::Highlight is the accent: what is active, selected or to be done next, never a switch among others.

inline constexpr QRgb kViewBackground = 0xff1e1e1e;
inline constexpr QRgb kNoPicture = 0xff2d2f32;     // in a view: where a camera without a video would show one
inline constexpr QRgb kMissingHatch = 0xff4a4d52;  // on it: what is there, but not to be had
inline constexpr QRgb kForegroundOverlay = 0xff56b4e9;
inline constexpr QRgb kDoubtful = 0xffe69f00;
inline constexpr QRgb kFailed = 0xffd55e00;
inline constexpr QRgb kSelection = 0xfff0e442;
inline constexpr QRgb kRejected = 0xffb0b3b6;  // and what has no number yet
inline constexpr QRgb kQuietText = 0xff9a9da1;
inline constexpr QRgb kViewText = 0xffe0e0e0;
inline constexpr QRgb kOnAir = 0xffc8321e;  // live cameras, and their recording

// Colours that differ in the light and in the dark, in addition to those of the palette.
enum class Tone : uint8_t {
  current,  // results that hold
  to_do,    // an event that no one has seen
  chosen,   // selected people, the marked range
  flag,     // bookmarks
  handle,   // between parts that can be moved
};
QColor tone(Tone which, const QPalette& palette);

// The square next to a camera's name and its frustum in the scene.
QColor camera_color(int camera);

// The look of a person, always next to the ID: ten colours, every second five of them dashed or dotted, so
// that thirty IDs in a row look different.
QColor person_color(int64_t id);
Qt::PenStyle person_line(int64_t id);
// White or black, whichever is read better on it.
QColor ink_on(const QColor& ground);

// Icons from resources/icons: drawn in one colour, the one of the text they stand next to.

// `name` without folder and suffix: "play". Disabled icons take the disabled text's colour.
QIcon themed_icon(const QString& name, const QPalette& palette);
// One colour, for marks that keep theirs in every theme.
QPixmap colored_pixmap(const QString& name, const QColor& color, int size_px, qreal device_pixel_ratio = 1);

}  // namespace vantage::ui
