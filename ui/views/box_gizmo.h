// The handles of a box in a view: shown, found under the pointer, dragged. The view passes on its mouse, as
// rays; one with several pictures those of the picture in which the handle was taken.
#pragma once

#include <QObject>
#include <optional>
#include <string>
#include <vector>

#include "core/display/box_handles.h"
#include "ui/views/marks.h"

class QWidget;

namespace vantage::ui {

class BoxGizmo final : public QObject {
  Q_OBJECT
 public:
  explicit BoxGizmo(QWidget* view);

  // Nothing: no handles. One that does not turn keeps to the world's axes, and to its height. While a handle
  // is held, the box stays the one being dragged; unless there is none any more or it is another kind of box,
  // whose handle is not held.
  void set_box(std::optional<UprightBox> box, bool turns);
  bool held() const { return held_.has_value(); }
  // Boxes that are shown without handles, and get them by a click on one of their edges.
  void set_others(std::vector<NamedBox> boxes) { others_ = std::move(boxes); }

  void draw(QPainter& painter, const MarkView& view) const;
  // Shows the handle there, by the pointer's shape too.
  void hover(const MarkView& view, const QPointF& position);
  void leave();
  // True when an edge of another box lies there: it is to be the chosen one.
  bool click(const MarkView& view, const QPointF& position);
  // True when a handle lies there: it is held.
  bool press(const MarkView& view, const QPointF& position, const Ray& ray);
  void drag(const Ray& ray);  // one that misses moves nothing
  void release();
  void give_up();   // in place of release(): the box is as it was before
  void put_away();  // for a tool: neither held nor shown by the pointer

 signals:
  void taken();
  // `finished`: let go of.
  void edited(const vantage::UprightBox& box, bool finished);
  void given_up();  // in place of the end of an edit
  void chosen(const std::string& name);

 private:
  bool offers(BoxHandle handle, bool from_above) const;
  std::optional<QPointF> shown_at(const MarkView& view, BoxHandle handle) const;
  const NamedBox* other_at(const MarkView& view, const QPointF& position) const;
  std::optional<BoxHandle> handle_at(const MarkView& view, const QPointF& position) const;
  void draw_handle(QPainter& painter, const QPointF& at, BoxHandle handle) const;
  Qt::CursorShape cursor_for(const MarkView& view, BoxHandle handle) const;

  struct Held {
    BoxHandle handle;
    UprightBox box;  // when it was taken
    Ray ray;
    bool moved = false;
  };
  QWidget* view_;
  std::optional<UprightBox> box_;
  bool turns_ = true;
  std::vector<NamedBox> others_;
  std::optional<BoxHandle> hovered_;
  bool over_other_ = false;
  std::optional<Held> held_;
};

}  // namespace vantage::ui
