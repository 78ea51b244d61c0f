// Boxes that are laid over things of known size, and the region that is analysed: shown in every view, the
// chosen one with handles, set by numbers, moved by keys. Edits go to the session, one a drag.
#pragma once

#include <optional>

#include "core/geometry/upright_box.h"
#include "core/geometry/voxel_grid.h"
#include "ui/main_window/control.h"

namespace vantage::ui {

class BoxEditor;
class BoxGizmo;
class BoxList;

class BoxControl final : public Control {
  Q_OBJECT
 public:
  explicit BoxControl(const WindowParts& parts);

  void forget() override;
  void refresh(Changes what) override;
  bool stoppable() const override { return held(); }
  void stop() override;

  BoxEditor* editor() const { return editor_; }
  BoxList* list() const { return list_; }  // for a dock
  // The chosen one of the project's boxes; null: it has none.
  const NamedBox* chosen() const;

 signals:
  void box_chosen();

 private:
  Need calibrated() const;
  void add_nudges();
  void connect_views();
  std::vector<BoxGizmo*> gizmos() const;  // of every view
  bool held() const;
  void take_project();
  void toggle_box(bool shown);
  void edit_region(bool on);
  void edit_by_numbers(bool on);
  void on_dragged(const UprightBox& box, bool finished);
  void on_edited(const UprightBox& box, double voxel_m);
  void post_edit(const std::string& what, const UprightBox& box, double voxel_m);
  void nudge(const Eigen::Vector3d& own_m, double turn_degrees);
  void choose(const std::string& name);
  void choose_next();
  void add(UprightBox box);
  void add_first();
  void duplicate();
  void remove();
  void rename(const QString& before, const QString& after);
  void mark_boxes(const std::optional<UprightBox>& edited);
  std::string edited_name() const;
  void show();
  void place_editor();
  UprightBox first_box() const;
  UprightBox shown_box() const;
  double voxel_m() const;
  bool editing_region() const;
  bool eventFilter(QObject* watched, QEvent* event) override;

  QAction *box_, *edit_region_, *edit_numbers_;
  BoxList* list_;
  BoxEditor* editor_;
  std::string chosen_;             // a box that the project may not have yet; else its first one
  std::optional<VoxelGrid> grid_;  // of the region, once it is known
  std::optional<UprightBox> dragged_;
  int drags_ = 0;
};

}  // namespace vantage::ui
