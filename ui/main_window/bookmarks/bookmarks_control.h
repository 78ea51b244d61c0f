// Bookmarks: set and removed at the frame that is shown, with a note, the chosen person or the place that is
// pointed at; flags on the time axis; gone through by key.
#pragma once

#include <Eigen/Core>
#include <QPointer>
#include <optional>

#include "ui/main_window/clock/clock_control.h"
#include "ui/main_window/control.h"

namespace vantage::ui {

class BookmarksControl final : public Control {
  Q_OBJECT
 public:
  explicit BookmarksControl(const WindowParts& parts);

  void forget() override;
  void refresh(Changes what) override;
  MomentDialog* dialog() const { return dialog_; }  // null: none was asked for

 private:
  struct Subject {
    std::optional<Eigen::Vector2d> place_m;  // nothing: the frame alone
    QString words;                           // "Anna", "x 1.2 m, y 0.4 m"; empty: the frame alone
  };
  Subject subject() const;
  const Bookmark* bookmark_at(int64_t frame) const;
  void ask();
  void go_on(int by);
  void show_flags();

  std::optional<Eigen::Vector3d> pointed_;  // in a view
  QPointer<MomentDialog> dialog_;
};

}  // namespace vantage::ui
