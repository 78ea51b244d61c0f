// Why is a person here, or no one; why is this pixel in the mask: asked by pointing, answered by the session
// in the Why dock. While the dock is shown, the question follows the frame and the parameters.
#pragma once

#include <QLabel>
#include <QString>
#include <QWidget>
#include <optional>

#include "core/why/answer.h"
#include "ui/main_window/control.h"
#include "ui/views/picture_tool.h"

class QAction;
class QTreeWidget;

namespace vantage::ui {

// The answer to "why": the verdict, and below it every value in sections that fold.

class WhyPanel final : public QWidget {
  Q_OBJECT
 public:
  // The commands stand below the values as buttons.
  explicit WhyPanel(const std::vector<QAction*>& commands, QWidget* parent = nullptr);

  void show_answer(const Report& answer);
  // In place of an answer, which goes: why there is none.
  void show_text(const QString& words);
  // Above the answer, which is the former one's as long as the next is computed; empty: it is current.
  void show_waiting(const QString& words);
  bool has_answer() const { return has_answer_; }
  QString verdict() const { return verdict_->text(); }
  QString waiting() const { return waiting_->text(); }
  QTreeWidget* values() const { return values_; }
  // The chosen values, each with its section, or the verdict with all of them.
  QString text_to_copy() const;

 signals:
  // A threshold was double-clicked, or chosen with Enter: "people.min_own".
  void parameter_wanted(const QString& key);

 private:
  void fill(const Report& answer);

  QLabel *verdict_, *waiting_;
  QTreeWidget* values_;
  QString all_;
  bool has_answer_ = false;
};

class WhyControl final : public Control {
  Q_OBJECT
 public:
  explicit WhyControl(const WindowParts& parts);

  void forget() override;
  void refresh(Changes what) override;

  // Asks about a position on the floor, of the frame that is shown.
  void ask_place(const Eigen::Vector3d& position_in_world_m);

 private:
  using About = std::variant<FloorQuestion, PixelQuestion>;
  void point_at(const std::optional<Eigen::Vector3d>& position_in_world_m) { pointed_ = position_in_world_m; }
  void offer_menu(const std::optional<Eigen::Vector3d>& position_in_world_m, const QPoint& at);
  void ask_pointed_place();
  void ask_pixel(const std::optional<PicturePosition>& pixel);
  void ask(const About& about);
  void say_where_to_point(const QString& words);
  void post_question();
  void mark();
  void take(const WhyReport& report);

  QAction *why_here_, *why_pixel_;
  WhyPanel* panel_;
  int64_t person_ = 0;  // under the pointer; 0: none with a number
  std::optional<Eigen::Vector3d> pointed_;
  std::optional<PicturePosition> pixel_;  // under the pointer
  std::optional<About> asked_;            // shown in the dock, or waited for
  bool waiting_ = false;                  // for the session's answer
};

}  // namespace vantage::ui
