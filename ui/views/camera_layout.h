// How N pictures share a rectangle, and where a picture lies in its cell.
#pragma once

#include <QRectF>
#include <QSizeF>
#include <optional>
#include <span>
#include <vector>

#include "ui/views/marks.h"

namespace vantage::ui {

// Cells of equal size and of this aspect (width by height) in reading order, in the arrangement of rows and
// columns that makes them largest, in the middle of the area with `gap` between them. A single one gets all
// of the area.
std::vector<QRectF> grid_cells(const QRectF& area, int count, double aspect, double gap);

// One large cell and the others small next to it or below it, in reading order: in the arrangement in which
// the large one is largest while the small ones keep a sixth of its width (at most half), or, where none
// does, the small ones are largest. The first is the large one.
std::vector<QRectF> wall_cells(const QRectF& area, int count, double aspect, double gap);

// The part of its picture that a view shows: zoom 1 is all of it; the centre is in picture coordinates,
// [0,1].
struct PictureZoom {
  double zoom = 1;
  QPointF center = {0.5, 0.5};
};

// The rectangle of the whole picture, its aspect kept; larger than the cell when zoomed.
QRectF picture_rect(const QRectF& cell, const QSizeF& picture, const PictureZoom& zoom);
// Zooms about a position in the cell that stays where it is. Between 1 and 32 times; the picture never leaves
// the cell.
PictureZoom zoomed_about(const QRectF& cell, const QSizeF& picture, const PictureZoom& zoom,
                         const QPointF& place, double factor);
PictureZoom panned(const QRectF& cell, const QSizeF& picture, const PictureZoom& zoom, const QPointF& by);

// Which camera sees a person best, and when a better one takes its place: calmly, so that what is arranged by
// it does not flicker.

// How well a camera sees a person, 0 (not at all) to 1: the share of the person's upright rectangle that lies
// in the picture and behind no one else, times its height as a share of the picture's.
double seen_share(const Camera& camera, const MarkedPerson& person, std::span<const MarkedPerson> everybody);

// Keeps the best of several until another has been better by a quarter for 0.8 s of footage, or until the
// best has seen nothing for 0.3 s while another does. Where the time jumps by more than a second it chooses
// at once.
class CalmChoice {
 public:
  // The index of the best; nothing where no share was ever above 0. Shares of another number start again.
  std::optional<int> choose(std::span<const double> shares, double time_s);
  void forget() { *this = {}; }

 private:
  std::optional<int> chosen_;
  size_t count_ = 0;
  double last_s_ = 0, better_for_s_ = 0;
};

}  // namespace vantage::ui
