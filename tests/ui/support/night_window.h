// Last night's project, as an operator finds it in the morning, and the hands that work on it.
#pragma once

#include <QDialogButtonBox>
#include <functional>
#include <memory>
#include <vector>

#include "core/people/floor_person.h"
#include "tests/ui/support/hands.h"
#include "tests/ui/support/session_window.h"
#include "ui/panels/events_panel.h"
#include "ui/widgets/timeline.h"
#include "ui/widgets/track_lanes.h"

namespace vantage::ui {

// From that frame on the tracks have exchanged the IDs of two people.
inline constexpr int64_t kSwapped = 40;
inline constexpr double kNightRate = 10;

// How much happened last night.
enum class Night { quiet, busy };

// Two people in a hall, from 23:59:56 on, over midnight, analysed.
class NightWindow : public SessionWindow {
 public:
  NightWindow(Night night, Hand hand);

  void open_and_wait();
  EventsPanel* events() const;
  TrackLanes* lanes() const;
  Timeline* timeline() const;
  template <typename Field>
  static Field* named(const QWidget* in, const QString& name) {
    for (auto* one : in->findChildren<Field*>())
      if (one->accessibleName() == name) return one;
    return nullptr;
  }
  // The time in the transport.
  QToolButton* time() const;
  // To a moment that is typed, as one reads it off a clock: asked for by the time itself, or by the menus.
  void go(const QString& moment, int64_t frame, bool by_menus = false) const;
  // Two lanes: with the arrow keys, or by clicks, the second with Ctrl.
  void choose_people(int64_t first, int64_t second) const;
  // Whether everybody is where the tracks had them before somebody exchanged them.
  bool as_tracked() const;
  QPushButton* ok_of(const QDialog* dialog) const {
    return dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
  }
  const Project& project() const { return project_; }

  std::vector<PersonPath> right;  // the two who are longest there come first
  std::unique_ptr<Hands> hands;

 private:
  void click_lane(Qt::KeyboardModifiers with, const std::function<bool()>& done) const;
};

}  // namespace vantage::ui
