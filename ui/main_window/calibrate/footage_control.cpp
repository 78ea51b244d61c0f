#include "ui/main_window/calibrate/footage_control.h"

#include <QAction>
#include <QDoubleSpinBox>
#include <QVBoxLayout>

#include "core/detections/detection_parameters.h"
#include "ui/main_window/calibrate/calibrate_panel.h"
#include "ui/main_window/calibrate/proposal.h"
#include "ui/widgets/form.h"

namespace vantage::ui {
namespace {

// The field's lowest value stands for adults.
constexpr double kAdults_m = 0.49, kTallest_m = 2.5, kMaxOffset_s = 120;

std::vector<Camera> found_in(const FootageProgress& progress) {
  std::vector<Camera> cameras;
  for (const std::optional<Camera>& found : progress.found)
    if (found) cameras.push_back(*found);
  return cameras;
}

std::vector<Camera> found_in(const FootageSolution& solution) {
  std::vector<Camera> cameras;
  for (const FootageSolvedCamera& solved : solution.cameras)
    if (solved.placed()) cameras.push_back(solved.camera);
  return cameras;
}

}  // namespace

FootageControl::FootageControl(const WindowParts& parts) : Control(parts) {
  QAction* solve = add_action(
      {"solve_footage", "Solve From F&ootage", "Alt+Shift+K",
       "Solve lenses, poses and offsets of all cameras from the people who walk in the marked range, "
       "whatever calibration there is; it is proposed first; Esc stops"},
      {Menu::analysis, "solve_people"}, [this] { this->solve(); }, [this] { return why_not(); });
  solve->setVisible(parts.services.solve_footage != nullptr);
  page_ = new FootagePage(solve);
  parts.calibrate->add_page(page_, tr("Footage"));
  connect(parts.proposal, &Proposal::solving_changed, this, &FootageControl::update_availability);
}

QString FootageControl::why_not() const {
  return unmet(
      {{!parts().proposal->solving(), Proposal::why_busy()},
       {!state().live(), tr("Cameras are solved from recordings: record the live cameras first.")},
       {project().cameras.size() > 1,
        tr("Cameras are placed relative to each other: two or more are needed.")},
       {project().has_detections(),
        tr("People must be detected: choose a model (Analysis ▸ Detector…), or make the project with files "
           "of detections.")},
       {project().parameters.get<DetectionParameters>().enabled,
        tr("Detections are switched off in this project.")},
       idle()});
}

void FootageControl::solve() {
  parts().calibrate->show_page(page_);
  const FootageRequest request{state().frames_of_range(), page_->max_offset_s(), page_->mean_height_m()};
  parts().proposal->solve(
      [request, solve = parts().services.solve_footage, show = parts().proposal->show_found()](
          const Project& project, const Proposal::FramesDone& progress,
          const StopSource& stop) -> Result<CalibrationProposal> {
        // Boxes are read first, then cameras are placed.
        constexpr double kReading = 0.5, kSteps = 1000;
        const auto share = [&](double done) { progress(static_cast<int64_t>(kSteps * done), kSteps); };
        const auto read = [&](int64_t done, int64_t total) {
          share(kReading * static_cast<double>(done) / static_cast<double>(total));
        };
        const auto found = [&](const FootageProgress& now) {
          share(kReading + (1 - kReading) * now.done);
          show(found_in(now));
        };
        VANTAGE_ASSIGN(const FootageSolution solution, solve(project, request, read, found, stop));
        show(found_in(solution));
        return propose_by_footage(project, solution);
      },
      RunningWork{tr("Solving cameras from footage"), tr("Cameras are being solved from footage.")});
}

void FootageControl::restore(const QSettings& settings) {
  Control::restore(settings);
  page_->form()->restore(settings);
}

void FootageControl::save(QSettings& settings) const {
  Control::save(settings);
  page_->form()->save(settings);
}

FootagePage::FootagePage(QAction* solve, QWidget* parent) : QWidget(parent), form_(new Form) {
  height_ =
      form_->add(tr("People's he&ight"),
                 tr("Mean height of the people, metres, which gives the scale; adults: 1.69 m \u00b1 5 %"),
                 number_field(kAdults_m, kTallest_m, kAdults_m, 2, tr(" m"), 0.01));
  height_->setSpecialValueText(tr("adults"));
  offset_ =
      form_->add(tr("Ma&ximum offset"), tr("Cameras started so many seconds apart at most; 0: all together"),
                 number_field(0.0, kMaxOffset_s, FootageRequest().max_offset_s, 1, tr(" s"), 1));
  form_->keep(offset_, "footage_max_offset");
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(0, kTight, 0, 0);
  page->setSpacing(kApart);
  page->addWidget(quiet_label(
      tr("Cameras stand still, and show people as a whole who walk all over the floor, and turn, for 20 s or "
         "more; two cameras or more show the same people. Lenses, poses, offsets and scale are solved, and "
         "nothing changes until they are applied.")));
  page->addLayout(form_);
  page->addLayout(button_row({solve}));
  page->addStretch(1);
}

std::optional<double> FootagePage::mean_height_m() const {
  return height_->value() > kAdults_m ? std::optional(height_->value()) : std::nullopt;
}

double FootagePage::max_offset_s() const {
  return offset_->value();
}

}  // namespace vantage::ui
