// People: a lane for everyone who was tracked, the commands that repair identities, and the list of repairs,
// with those that do not apply.
#pragma once

#include <QLabel>
#include <QWidget>
#include <vector>

#include "core/session/recorded_tracks.h"
#include "ui/widgets/track_lanes.h"

class QListWidget;
class QToolButton;

namespace vantage::ui {

class PeoplePanel final : public QWidget {
  Q_OBJECT
 public:
  // The commands are buttons in its head.
  explicit PeoplePanel(const std::vector<QAction*>& commands, QWidget* parent = nullptr);

  // The time axis shared with other lanes of a recording.
  void share(TimeAxis* axis) { axis_ = axis; }
  void set_frame_count(int64_t count);  // 0: of live cameras; the lanes then show the range of the tracks
  void show_tracks(const TracksRef& tracks, const std::vector<IdentityRepair>& repairs);
  TrackLanes* lanes() const { return lanes_; }
  QListWidget* repairs() const { return repairs_; }
  QString summary() const { return summary_->text(); }

 signals:
  void seek_requested(qint64 frame);
  void repair_dropped(int number);

 private:
  void show_repairs(const std::vector<IdentityRepair>& repairs, const std::vector<FailedRepair>& unmet);
  bool eventFilter(QObject* watched, QEvent* event) override;

  int64_t frame_count_ = 0;
  TimeAxis* axis_ = nullptr;
  TrackLanes* lanes_;
  QLabel* summary_;
  QWidget* repairs_side_;
  QListWidget* repairs_;
  QToolButton* drop_;
};

// "join: frame 310 (x 1.20, y 3.40 m) and frame 352 (x 1.50, y 3.10 m)".
QString repair_text(const IdentityRepair& repair);

}  // namespace vantage::ui
