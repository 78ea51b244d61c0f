// Results of two runs, A and B, over every view: side by side, on both sides of a divider, in turn, or both
// at once with the differences. A is blue and solid, B orange and dashed.
#pragma once

#include <QImage>
#include <array>

#include "ui/views/marks.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {

enum class CompareStyle : uint8_t { side_by_side, wipe, blink, difference };

inline constexpr std::array<QRgb, 2> kSideColors = {kForegroundOverlay, kDoubtful};

struct ComparedPerson {
  MarkedPerson person;
  bool differs = false;  // the other run has no one there, or at another position
};

// One run's people in the shown frame.
struct ComparedSide {
  QString name;       // "A: strict, out of date"
  bool known = true;  // the people are known
  std::vector<ComparedPerson> people;
};

// The foreground masks of a camera in this frame, tinted; null: not kept. `both`: with the difference, if
// both are kept.
struct ComparedMasks {
  std::array<QImage, 2> sides;
  QImage both;
};

struct MarkedComparison {
  CompareStyle style = CompareStyle::difference;
  std::array<ComparedSide, 2> sides;
  double wipe = 0.5;     // share of a view's width in which A is shown, 0 to 1
  int turn = 0;          // blink: the side that is shown
  bool project = false;  // one of the sides is the project's own results, whose people can be chosen
  std::optional<Eigen::Vector3d> place_in_world_m;  // the chosen difference's
  std::vector<ComparedMasks> masks;                 // one per camera; may be empty
};

// 1 in `bits` of A's mask, 2 of B's: rows of `width` bytes.
ComparedMasks tint_masks(const std::array<QImage, 2>& masks);

// The part of a view that shows a side: nothing, all, or up to the divider. `pane`: the side that a picture
// shows alone; -1: none.
QRectF area_of_side(const MarkedComparison& marked, const QRectF& visible, int pane, int side);
void draw_compared_people(QPainter& painter, const MarkView& view, const MarkedComparison& marked);
void draw_compared_masks(QPainter& painter, const QRectF& picture, const QRectF& visible, int pane,
                         const ComparedMasks& masks, const MarkedComparison& marked);
// Draws the divider and the names, from the lower left corner or, `above`, from the upper. Returns the height
// of the names.
double draw_compared_names(QPainter& painter, const QRectF& visible, int pane, const MarkedComparison& marked,
                           bool above);

// The mouse on the divider of a view.
class WipeHandle {
 public:
  static bool is_at(const MarkedComparison* marked, const QRectF& visible, const QPointF& place);
  // True: the press is on the divider, which is then dragged.
  bool press(const MarkedComparison* marked, const QRectF& visible, const QPointF& place);
  // The share at that position, 0 to 1.
  double drag(const QPointF& place) const;
  bool held() const { return held_; }
  void let_go() { held_ = false; }

 private:
  QRectF visible_;
  bool held_ = false;
};

}  // namespace vantage::ui
