// Analyses, and checks of the project off the GUI thread: on demand, and before every analysis, which a
// failed one stops with the choice to go on. One button says what an analysis will do, then how far it is;
// results are replaced only when that was agreed to.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ui/main_window/control.h"
#include "ui/platform/background_job.h"
#include "ui/widgets/message_bar.h"

namespace vantage::ui {

class ChecksPanel;

class CheckControl final : public Control {
  Q_OBJECT
 public:
  explicit CheckControl(const WindowParts& parts);

  void forget() override;
  void refresh(Changes what) override;
  void update_availability() override;
  void restore(const QSettings& settings) override;  // how fast analyses are
  void save(QSettings& settings) const override;
  std::optional<RunningWork> running() const override;
  void stop() override;

  // Makes it the camera's empty-scene clip, where it fits the video; examined off the GUI thread.
  void use_clip(const QString& camera, const QString& file);

 signals:
  void checked(const vantage::CheckReport& report);
  void pose_wanted(const QString& camera);  // of that camera, by people

 private:
  Need unkept() const;
  static QString no_past();
  bool available() const { return parts().services.check != nullptr; }
  void check_now();
  void ask_and_analyse(FrameRange frames);  // where results would be replaced, only if that is agreed to
  QString replaced_text(FrameRange frames) const;
  void analyse(FrameRange frames);  // after a check, where there is something to be checked
  void begin(FrameRange frames);
  void find_rest();
  void show_offer();
  void measure_speed();
  double seconds_for(int64_t frames) const;  // negative: nothing was measured yet
  double pixels_of_set() const;              // 0: not known
  void start(const CheckOptions& options, const QString& activity);
  double share() const;  // of the check in progress
  void on_progress(const CheckProgress& at);
  void on_checked(const CheckReport& report);
  void on_stopped();
  // A finding that a command mends: the cause of others comes first in a report.
  struct Cure {
    std::string camera;
    QString text, button;
    std::function<void()> action;
  };
  std::optional<Cure> cure_of(const CheckReport& report);
  void offer(const Cure& cure, Message message);
  void withdraw_if_cured();
  void offer_to_go_on(const CheckReport& report, FrameRange frames, const std::optional<Cure>& cure);
  void show_frame_of(const QString& camera, int64_t camera_frame);
  void do_remedy(const QString& command, const QString& camera);
  void count();
  void show_live(bool live);  // what the same command does with live cameras

  QAction *analyse_range_, *analyse_all_, *continue_analysis_, *analyse_while_playing_;
  ChecksPanel* panel_;
  bool live_ = false;
  double pixels_per_s_ = 0;                    // of the last analysis here; 0: none was measured
  bool asks_ = true;                           // before it replaces results of this project
  FrameRange analysed_;                        // by the analysis that was begun last
  bool stop_asked_ = false, stopped_ = false;  // it was told to end; it has, before its end
  std::optional<FrameRange> rest_;             // of it, then
  QString activity_;
  CheckProgress progress_;  // of the check in progress
  std::optional<FrameRange> analyse_after_;
  bool passed_ = false;            // the last check was before an analysis, and nothing had failed
  std::vector<uint64_t> checked_;  // of the last check; empty: nothing, or something older
  QString offered_;                // what is said of a cure; empty: nothing
  ProjectCamera accused_;          // as it was when that was said
  BackgroundJob job_, clip_job_;
};

}  // namespace vantage::ui
