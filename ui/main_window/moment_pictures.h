// Pictures of what happened somewhere on the floor: the part of the nearest camera's picture in which it is
// seen, as lists show it.
#pragma once

#include <QImage>
#include <QRect>
#include <functional>
#include <optional>
#include <vector>

#include "core/base/threads.h"
#include "core/project/project.h"
#include "core/video/frame_source.h"

namespace vantage::ui {

struct Moment {
  int64_t frame = 0;
  double x_m = 0, y_m = 0;
};

struct SightOfPlace {
  size_t camera = 0;
  QRect part;  // of its picture
};

// The sight of the nearest camera that has a picture and sees a person's chest there; nothing: none does.
std::optional<SightOfPlace> nearest_sight(const Project& project, const FrameSet& frames, double x_m,
                                          double y_m);
// No larger than it is ever shown.
QImage reduced(const QImage& picture);
// The part of a picture in host memory; null: no camera sees the place.
QImage picture_of_place(const Project& project, const FrameSet& frames, double x_m, double y_m);

// Reads from the recording itself, one after the other, off the GUI thread: index of the instant, and its
// picture. What cannot be read is left out.
void read_pictures(const Project& project, const std::vector<Moment>& moments, const StopSource& stop,
                   const std::function<void(size_t, QImage)>& take);

}  // namespace vantage::ui
