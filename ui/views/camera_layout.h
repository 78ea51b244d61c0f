// Layouts of N pictures in a rectangle, and the position of a picture in its cell.
#pragma once

#include <QRectF>
#include <QSizeF>
#include <optional>
#include <span>
#include <vector>

#include "ui/views/marks.h"

namespace vantage::ui {

// Cells of equal size and of this aspect (width by height) in reading order, in the arrangement of rows and
// columns that maximises them, centred in the area with `gap` between them. A single one gets the whole area.
std::vector<QRectF> grid_cells(const QRectF& area, int count, double aspect, double gap);

// One large cell, the first, with small ones next to it or below it, in reading order: the arrangement that
// maximises the large one while the small ones have at least a sixth of its width (at most half) or, where
// none does, that maximises the small ones.
std::vector<QRectF> wall_cells(const QRectF& area, int count, double aspect, double gap);

// The visible part of a picture: zoom 1 is all of it; the centre is in picture coordinates, [0,1].
struct PictureZoom {
  double zoom = 1;
  QPointF center = {0.5, 0.5};
};

// Rectangle of the complete picture with its aspect; larger than the cell when zoomed.
QRectF picture_rect(const QRectF& cell, const QSizeF& picture, const PictureZoom& zoom);
// Zooms about a position in the cell, which does not move. Between 1 and 32 times; the picture always covers
// the cell's visible part.
PictureZoom zoomed_about(const QRectF& cell, const QSizeF& picture, const PictureZoom& zoom,
                         const QPointF& place, double factor);
PictureZoom panned(const QRectF& cell, const QSizeF& picture, const PictureZoom& zoom, const QPointF& by);

// Chooses the camera that sees a person best, with hysteresis, so that the layout does not flicker.

// How well a camera sees a person, 0 (not at all) to 1: the share of the person's upright rectangle in the
// picture and not hidden by others, times its height as a share of the picture's.
double seen_share(const Camera& camera, const MarkedPerson& person, std::span<const MarkedPerson> everybody);

// Keeps the chosen camera until another has been better by a quarter for 0.8 s of footage, or until it has
// seen nothing for 0.3 s while another does. Where the time jumps by more than a second it chooses at once.
class CalmChoice {
 public:
  // The index of the best; nothing where no share was ever above 0. Restarts for another number of shares.
  std::optional<int> choose(std::span<const double> shares, double time_s);
  void forget() { *this = {}; }

 private:
  std::optional<int> chosen_;
  size_t count_ = 0;
  double last_s_ = 0, better_for_s_ = 0;
};

}  // namespace vantage::ui
