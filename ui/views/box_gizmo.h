// The handles of a box in a view: drawn, picked, dragged. The view passes on its mouse, as rays; one with
// several pictures passes that of the picture in which the handle was picked.
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

  // Nothing: no handles. A box that does not turn stays aligned with the world's axes, and keeps its height.
  // During a drag the box stays the dragged one, unless it is removed or replaced by another kind of box,
  // which ends the drag.
  void set_box(std::optional<UprightBox> box, bool turns);
  bool held() const { return held_.has_value(); }
  // Boxes without handles, which get them by a click on one of their edges.
  void set_others(std::vector<NamedBox> boxes) { others_ = std::move(boxes); }

  void draw(QPainter& painter, const MarkView& view) const;
  // Highlights the handle there, and sets the cursor.
  void hover(const MarkView& view, const QPointF& position);
  void leave();
  // True if an edge of another box is there, which is to be chosen.
  bool click(const MarkView& view, const QPointF& position);
  // True if a handle is there, which is then dragged.
  bool press(const MarkView& view, const QPointF& position, const Ray& ray);
  void drag(const Ray& ray);  // a ray that misses moves nothing
  void release();
  void give_up();   // instead of release(): restores the box
  void put_away();  // for a tool: ends a drag and the highlight

 signals:
  void taken();
  // `finished`: the handle was released.
  void edited(const vantage::UprightBox& box, bool finished);
  void given_up();  // instead of the end of an edit
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
    UprightBox box;  // at the start of the drag
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
