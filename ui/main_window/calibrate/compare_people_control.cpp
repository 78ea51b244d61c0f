#include "ui/main_window/calibrate/compare_people_control.h"

#include <memory>
#include <utility>

#include "ui/main_window/calibrate/calibrate_panel.h"
#include "ui/main_window/calibrate/proposal.h"

namespace vantage::ui {
namespace {

QString favoured(GainVerdict verdict) {
  if (verdict == GainVerdict::better) return ComparePeopleControl::tr("people favour the proposal");
  if (verdict == GainVerdict::worse) return ComparePeopleControl::tr("people favour the present calibration");
  return ComparePeopleControl::tr("people cannot tell which is better");
}

QString compared_text(const ComparedByPeople& compared) {
  const CalibrationsByPeople& people = compared.people;
  QString text = ComparePeopleControl::tr(
                     "People, now and proposed: %1 and %2 tracks, %3 and %4 person-frames, %5 of them the "
                     "same people; these "
                     "apart by %6 cm (median) and %7 cm (95 %). Outlines miss by %8 and %9 px")
                     .arg(people.found[0].tracks)
                     .arg(people.found[1].tracks)
                     .arg(people.found[0].person_frames)
                     .arg(people.found[1].person_frames)
                     .arg(people.same)
                     .arg(100 * people.apart_median_m, 0, 'f', 1)
                     .arg(100 * people.apart_p95_m, 0, 'f', 1)
                     .arg(people.found[0].outlines_px, 0, 'f', 2)
                     .arg(people.found[1].outlines_px, 0, 'f', 2);
  for (const ComparedFigure& figure : compared.truth)
    text += ComparePeopleControl::tr("; %1 %2 and %3")
                .arg(QString::fromStdString(std::string(figure.figure->title)))
                .arg(figure.first, 0, 'f', 3)
                .arg(figure.second, 0, 'f', 3);
  return text + QStringLiteral(": ") + favoured(compared.second_is()) + QStringLiteral(".");
}

}  // namespace

ComparePeopleControl::ComparePeopleControl(const WindowParts& parts) : Control(parts) {
  QAction* compare = add_action(
      {"compare_people", "Compare &People of the Proposal", "",
       "Run the chain over the marked range under the present and the proposed "
       "calibration, and say whom each finds, how far the same people are apart, and "
       "which calibration their outlines favour; Esc stops",
       false, "Compare People"},
      {Menu::analysis, "dismiss_calibration"}, [this] { this->compare(); }, [this] { return why_not(); });
  compare->setVisible(parts.services.compare_by_people != nullptr);
  parts.calibrate->add_to_proposal(compare);
  connect(parts.proposal, &Proposal::found, this, &ComparePeopleControl::update_availability);
  connect(parts.proposal, &Proposal::dropped, this, [this] {
    job_.stop();
    update_availability();
  });
  connect(&job_, &BackgroundJob::stopped, this, [this] {
    emit running_changed();
    update_availability();
  });
}

void ComparePeopleControl::forget() {
  job_.stop();
}

std::optional<RunningWork> ComparePeopleControl::running() const {
  if (!job_.running()) return std::nullopt;
  return work_;
}

void ComparePeopleControl::stop() {
  job_.stop();
}

QString ComparePeopleControl::why_not() const {
  const auto& proposal = parts().proposal->proposed();
  const bool proposed = proposal && proposal->change;
  const auto world = proposed ? proposal->world : ProposedWorld::moved;
  return unmet(
      {{proposed, tr("Nothing is proposed.")},
       {project().calibrated() && project().has_pictures() && !state().live(),
        tr("People are compared in a calibrated recording.")},
       {world != ProposedWorld::moved, tr("The proposal moves the world: positions are other ones then.")},
       {world != ProposedWorld::later, tr("The proposal changes a camera in the middle of the recording.")},
       {!state().busy() && !job_.running(), state().why_busy()}});
}

// The proposal that was compared may be applied or replaced meanwhile: it is then another text.
void ComparePeopleControl::compare() {
  const auto& proposal = parts().proposal->proposed();
  if (!proposal || !proposal->change || job_.running()) return;
  const FrameRange frames = state().frames_of_range();
  Project changed = project();
  proposal->change(changed);
  work_ = {tr("Comparing people"), tr("People are being compared under two calibrations.")};
  const auto progress = [this](int64_t done, int64_t total) {
    QMetaObject::invokeMethod(this, [this, done, total] {
      if (job_.running() && advance(&work_, done, total)) emit running_changed();
    });
  };
  const auto work =
      [frames, progress, project = project(), changed,
       compare = parts().services.compare_by_people](const StopSource& stop) -> Result<ComparedByPeople> {
    VANTAGE_ASSIGN(const VoxelGrid grid, project.effective_grid());
    const BothCalibrations both{
        {project.named_calibrations(frames.begin), changed.named_calibrations(frames.begin)},
        grid,
        frames,
        ground_truth_of(project.truth)};
    return compare(project, both, progress, stop);
  };
  job_.start([this, work, text = proposal->text](const StopSource& stop) -> BackgroundJob::Deliver {
    const auto found = std::make_shared<Result<ComparedByPeople>>(work(stop));
    return [this, found, text] {
      emit running_changed();
      update_availability();
      const auto& shown = parts().proposal->proposed();
      if (!shown || shown->text != text) return;
      parts().proposal->add(*found ? compared_text(**found)
                                   : QString::fromStdString(found->error().message()));
    };
  });
  emit running_changed();
  update_availability();
}

}  // namespace vantage::ui
