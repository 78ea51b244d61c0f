// Finds who was where and when in the tracks of the results (core/tracks/find), off the GUI thread, and goes
// there.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/tracks/find/question.h"
#include "ui/main_window/control.h"
#include "ui/main_window/find/find_panel.h"
#include "ui/platform/background_job.h"

namespace vantage::ui {

class FindControl final : public Control {
  Q_OBJECT
 public:
  explicit FindControl(const WindowParts& parts);

  void forget() override;
  void refresh(Changes what) override;
  void restore(const QSettings& settings) override;
  void save(QSettings& settings) const override;

  const std::vector<FoundMoment>& found() const { return found_; }
  bool searching() const { return job_.running(); }

 private:
  struct Answer {
    std::shared_ptr<const TrackIndex> index;
    std::vector<FoundMoment> moments;
  };
  void ask();
  Result<FindQuestion> question() const;
  Result<std::vector<int64_t>> people_of(const QString& text) const;
  Result<TypedTime> time_of(const QString& text, int64_t otherwise) const;
  QString how_times_were_read() const;
  void draw(bool zone);
  void show_place();
  void show(const Answer& answer);
  FoundRow row_of(const FoundMoment& moment) const;
  QString name_of(int64_t person) const;
  void fetch_pictures();
  void go_to(int row);
  void take_project();

  FindPanel* panel_;
  std::vector<Eigen::Vector2d> drawn_zone_, drawn_line_;  // empty: none
  TracksRef tracks_;                                      // the tracks of the index
  std::shared_ptr<const TrackIndex> index_;               // null: not built yet
  bool again_ = false;
  bool stale_ = true;  // to be asked when the dock is seen
  std::vector<FoundMoment> found_;
  BackgroundJob job_, fetching_;
};

}  // namespace vantage::ui
