// The handles of a box in a view: shown, found under the pointer, dragged. No widget: the view passes on its
// mouse.
#pragma once

#include <optional>

#include "core/display/box_handles.h"
#include "ui/views/marks.h"

namespace vantage::ui {

class BoxGizmo {
 public:
  // While a handle is held, the box stays the one being dragged; unless there is none any more or it is
  // another kind of box, whose handle is not held.
  void set_box(std::optional<UprightBox> box, bool turns);
  const std::optional<UprightBox>& box() const { return box_; }
  bool held() const { return held_.has_value(); }

  void draw(QPainter& painter, const MarkView& view) const;
  // True when it changed what is drawn.
  bool hover(const MarkView& view, const QPointF& place);
  // Takes the handle that lies there.
  bool press(const MarkView& view, const QPointF& place, const Ray& ray);
  // The box as it is now; nothing when the ray misses.
  std::optional<UprightBox> drag(const Ray& ray);
  // The box where it was dragged to; nothing when it was only clicked.
  std::optional<UprightBox> release();
  void give_up();  // the box is as it was before
  bool hovered() const { return hovered_.has_value(); }

 private:
  std::optional<BoxHandle> handle_at(const MarkView& view, const QPointF& place) const;
  bool offers(BoxHandle handle, bool from_above) const;

  struct Held {
    BoxHandle handle;
    UprightBox box;  // when it was taken
    Ray ray;
    bool moved = false;
  };
  std::optional<UprightBox> box_;
  bool turns_ = true;
  std::optional<BoxHandle> hovered_;
  std::optional<Held> held_;
};

}  // namespace vantage::ui
