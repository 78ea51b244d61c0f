// Parts of the cameras' pictures that do not count (core/geometry/ignored_region.h): drawn with the mouse as
// polygons, shown hatched, kept in the project as edits that can be undone.
#pragma once

#include <optional>
#include <vector>

#include "ui/main_window/control.h"
#include "ui/views/picture_tool.h"

class QAction;

namespace vantage::ui {

class IgnoredControl final : public Control, public PictureTool {
  Q_OBJECT
 public:
  explicit IgnoredControl(const WindowParts& parts);
  ~IgnoredControl() override;

  void forget() override;
  void refresh(Changes what) override;
  bool stoppable() const override { return drawing(); }
  void stop() override;  // the polygon that is being drawn first
  void end_tool() override { end(); }

  bool drawing() const { return draw_->isChecked(); }
  struct Chosen {
    int camera = 0;
    size_t region = 0;
    bool operator==(const Chosen&) const = default;
  };
  const std::optional<Chosen>& chosen() const { return chosen_; }

  // PictureTool: by the cameras' view.
  bool press(const PicturePosition& place) override;
  void drag(const PicturePosition&) override {}
  void release() override {}
  void abandon() override {}
  bool double_click() override;

 private:
  void start();
  void end();
  void close_polygon();
  void remove();
  void choose_next();
  std::vector<Chosen> all() const;
  std::optional<Chosen> region_at(const PicturePosition& place) const;
  void show();
  bool eventFilter(QObject* watched, QEvent* event) override;

  QAction *shown_, *draw_;
  int polygon_camera_ = -1;
  std::vector<Eigen::Vector2d> polygon_;  // being drawn; empty: none
  std::optional<Chosen> chosen_;          // one of the project's
};

}  // namespace vantage::ui
