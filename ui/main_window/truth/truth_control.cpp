#include "ui/main_window/truth/truth_control.h"

#include <QFileDialog>
#include <QSettings>
#include <QTabWidget>
#include <algorithm>
#include <memory>
#include <utility>

#include "core/results/compare_trackers.h"
#include "core/results/truth_files.h"
#include "ui/main_window/overlay_control.h"
#include "ui/main_window/playback_control.h"
#include "ui/main_window/truth/truth_panel.h"
#include "ui/views/camera_grid.h"
#include "ui/views/scene_view.h"
#include "ui/widgets/message_bar.h"

namespace vantage::ui {
namespace {

constexpr const char* kGoOn = "truth/frames_per_click";

QString metrics_text(const TrackingMetrics& m) {
  QString words = TruthControl::tr(
                      "Results in %1 of these frames: MODA %2, IDF1 %3, HOTA %4, OSPA %8 m, "
                      "GOSPA %9 m; %5 missed, %6 false, %7 ID switches")
                      .arg(m.frames)
                      .arg(m.clear.moda, 0, 'f', 3)
                      .arg(m.identity.idf1, 0, 'f', 3)
                      .arg(m.hota.hota, 0, 'f', 3)
                      .arg(m.clear.false_negatives)
                      .arg(m.clear.false_positives)
                      .arg(m.clear.switches)
                      .arg(m.sets.ospa_m, 0, 'f', 3)
                      .arg(m.sets.gospa_m, 0, 'f', 3);
  if (m.clear.true_positives > 0)
    words += TruthControl::tr("; %1 cm apart on average").arg(100 * m.places.floor_error_m, 0, 'f', 1);
  if (m.places.heights > 0)
    words += TruthControl::tr(", heights %1 cm").arg(100 * m.places.height_error_m, 0, 'f', 1);
  return words + QStringLiteral(".");
}

}  // namespace

TruthControl::TruthControl(const WindowParts& parts) : Control(parts), pages_(new QTabWidget) {
  const auto recorded = [this] {
    return Need{!state().live(), tr("Live cameras have no frames to go back to: draw on the recording.")};
  };
  const auto drawable = [this, recorded] {
    return unmet({recorded(), {project().calibrated(), tr("Positions on the floor need a calibration.")}});
  };
  const auto has_person = [this] {
    return Need{chosen() != nullptr, tr("Choose a person in the list of true people first.")};
  };
  draw_ = add_action(
      {"draw_truth", "Draw &Ground Truth", "Shift+T",
       "Click where people stand, in pictures or the scene, to measure results by it; Esc ends", true,
       "Draw"},
      {Menu::analysis, "load_truth"}, [this](bool on) { on ? start() : end(); }, drawable);
  QAction* next_person = add_action(
      {"next_true_person", "Another Tr&ue Person", "Alt+T",
       "The next click sets a person who was not drawn yet", false, "Another"},
      {Menu::analysis, "draw_truth"},
      [this] {
        panel_->choose(0);
        if (!drawing()) start();
        show();
        emit availability_changed();
      },
      drawable);
  leaves_ = add_action(
      {"true_person_leaves", "True Person Lea&ves", "Alt+Shift+T",
       "The chosen person is not there any more after this frame, until set again", true, "Leaves"},
      {Menu::analysis, "next_true_person"}, [this](bool on) { set_leaves(on); },
      [this, has_person] {
        return unmet(
            {has_person(), {chosen_now().has_value(), tr("The chosen person is not there in this frame.")}});
      });
  QAction* remove_position = add_action(
      {"remove_true_position", "Remove True Positio&n", "Shift+Del",
       "Remove what was set for the chosen person in this frame", false, "Remove Position"},
      {Menu::analysis, "true_person_leaves"},
      [this] {
        const int64_t id = panel_->chosen(), now = frame();
        edit(tr("remove a position of person %1").arg(id),
             [id, now](std::vector<TruePerson>& people) { remove_key(&people, id, now); });
      },
      [this, has_person] {
        const auto now = chosen_now();
        return unmet(
            {has_person(), {now && now->key, tr("Nothing was set for the chosen person in this frame.")}});
      });
  QAction* remove_person = add_action(
      {"remove_true_person", "Remove True Perso&n", "Shift+Backspace",
       "Remove the chosen person from the ground truth", false, "Remove Person"},
      {Menu::analysis, "remove_true_position"},
      [this] {
        const int64_t id = panel_->chosen();
        edit(tr("remove true person %1").arg(id), [id](std::vector<TruePerson>& people) {
          std::erase_if(people, [id](const TruePerson& person) { return person.id == id; });
        });
      },
      [has_person] { return unmet({has_person()}); });
  const auto folder = [this] { return QString::fromStdString(project().path.parent_path().string()); };
  QAction* import_action = add_action(
      {"import_truth", "&Import Ground Truth\u2026", "Ctrl+Alt+I",
       "Read tracks on the floor (MOTChallenge CSV), or a project's ground truth: people missing here are "
       "added, disagreements are listed",
       false, "Import"},
      {Menu::analysis, "remove_true_person"},
      [this, folder] {
        const QString file = QFileDialog::getOpenFileName(
            panel_, tr("Import Ground Truth"), folder(),
            tr("Tracks on the floor (*.csv *.txt);;Projects (*.vantage);;All files (*)"));
        if (!file.isEmpty()) import_from(file);
      },
      [recorded] { return unmet({recorded()}); });
  QAction* export_action = add_action(
      {"export_truth", "E&xport Ground Truth\u2026", "Ctrl+Alt+X",
       "Write it as MOTChallenge CSV, or as COCO JSON with boxes in all pictures", false, "Export"},
      {Menu::analysis, "import_truth"},
      [this, folder] {
        const QString file = QFileDialog::getSaveFileName(
            panel_, tr("Export Ground Truth"), folder() + QStringLiteral("/truth.csv"),
            tr("MOTChallenge CSV, positions on the floor (*.csv);;COCO JSON, boxes in all pictures "
               "(*.json)"));
        if (!file.isEmpty()) export_to(file);
      },
      [this] { return unmet({{!project().truth.empty(), tr("No one was drawn yet.")}}); });
  panel_ = new TruthPanel(
      {{draw_, next_person, leaves_}, {remove_position, remove_person}, {import_action, export_action}});
  pages_->setAccessibleName(tr("Ground truth"));
  pages_->setDocumentMode(true);
  add_page(panel_, tr("People"));
  QAction* dock = add_dock({"truth_dock", "&Ground Truth", "Ctrl+F5",
                            "Show the people who were drawn by hand, and measure the results by them"},
                           "trackers_dock", tr("Ground Truth"), pages_);
  connect(dock, &QAction::toggled, this, [this] {
    show();
    measure();
  });
  connect(panel_, &TruthPanel::chosen_by_hand, this, [this] {
    show();
    emit availability_changed();
  });
  connect(panel_, &TruthPanel::seek_requested, this, &TruthControl::seek_requested);
  connect(panel_, &TruthPanel::height_typed, this, [this](double height_m) {
    const int64_t id = panel_->chosen();
    edit(tr("height of true person %1").arg(id),
         [id, height_m](std::vector<TruePerson>& people) { true_person(&people, id).height_m = height_m; });
  });
}

// The views live longer.
TruthControl::~TruthControl() {
  parts().cameras->drop_floor_tool(this);
  parts().scene->drop_floor_tool(this);
}

void TruthControl::add_page(QWidget* page, const QString& title) {
  pages_->addTab(page, title);
}

void TruthControl::show_page(QWidget* page) {
  pages_->setCurrentWidget(page);
}

void TruthControl::set_analysed_only(bool only) {
  analysed_only_ = only;
  measure();
}

void TruthControl::restore(const QSettings& settings) {
  panel_->set_frames_per_click(settings.value(kGoOn, 0).toInt());
}

void TruthControl::save(QSettings& settings) const {
  settings.setValue(kGoOn, panel_->frames_per_click());
}

void TruthControl::forget() {
  end();
  job_.stop();
  reading_.stop();
  new_id_ = 0;
  panel_->show_people({}, 0);
  panel_->show_metrics({});
  parts().overlays->set_truth({});
}

void TruthControl::refresh(Changes what) {
  if (!state().open()) return;
  const bool changed = what.testFlag(Change::project) && state().project_change().truth;
  if (changed || what.testFlag(Change::frame)) show();
  if (changed || what.testFlag(Change::tracks)) measure();
  if (changed || what.testFlag(Change::frame)) update_availability();
}

void TruthControl::update_availability() {
  Control::update_availability();
  const TruePerson* person = chosen();
  leaves_->setChecked(person && std::ranges::any_of(person->keys, [this](const TruthKey& key) {
                        return key.frame == frame() && key.leaves;
                      }));
}

void TruthControl::set_leaves(bool on) {
  const int64_t id = panel_->chosen(), now = frame();
  edit(tr("person %1 leaves").arg(id), [id, now, on](std::vector<TruePerson>& people) {
    TruePerson& person = true_person(&people, id);
    if (const auto at = true_position(person, now)) set_key(&person, {now, at->x_m, at->y_m, on});
  });
}

int64_t TruthControl::frame() const {
  return state().shown() ? state().shown()->result->frame : parts().playback->frame();
}

const TruePerson* TruthControl::chosen() const {
  return find_true_person(project().truth, panel_->chosen());
}

std::optional<TruePosition> TruthControl::chosen_now() const {
  const TruePerson* person = chosen();
  return person ? true_position(*person, frame()) : std::nullopt;
}

// ---- the tool

void TruthControl::start() {
  emit tool_begun();
  draw_->setChecked(true);
  parts().cameras->set_floor_tool(this);
  parts().scene->set_floor_tool(this);
  parts().cameras->setCursor(Qt::CrossCursor);
  parts().scene->setCursor(Qt::CrossCursor);
  if (state().status().playing) post(command::Pause{});
  emit dock_wanted();
  show_page(panel_);
  if (!parts().scene->hasFocus()) parts().cameras->setFocus();
  show();
  emit availability_changed();
}

void TruthControl::end() {
  if (!drawing()) return;
  draw_->setChecked(false);
  drag_.reset();
  parts().cameras->drop_floor_tool(this);
  parts().scene->drop_floor_tool(this);
  if (!parts().cameras->has_tool()) parts().cameras->unsetCursor();
  if (!parts().scene->has_tool()) parts().scene->unsetCursor();
  show();
  emit availability_changed();
}

// A press on a person chooses and can drag them. Elsewhere: the chosen one stands there, or a new person.
bool TruthControl::press(const FloorPosition& place) {
  drag_.reset();
  const int64_t now = frame();
  double nearest_m = place.reach_m;
  for (const TruePerson& person : project().truth) {
    const auto at = true_position(person, now);
    const double away_m = at ? (Eigen::Vector2d(at->x_m, at->y_m) - place.at_m).norm() : nearest_m;
    if (at && away_m < nearest_m)
      drag_ = Drag{person.id, place.at_m, place.reach_m / 3, {}}, nearest_m = away_m;
  }
  if (drag_) {
    panel_->choose(drag_->id);
    show();
    emit availability_changed();
    return true;
  }
  const int64_t id = chosen() ? panel_->chosen() : next_true_id(project().truth);
  set_position(id, place.at_m);
  return true;
}

void TruthControl::drag(const FloorPosition& place) {
  if (!drag_) return;
  if (!drag_->to_m && (place.at_m - drag_->from_m).norm() <= drag_->reach_m) return;
  drag_->to_m = place.at_m;
  show();
}

void TruthControl::release() {
  const std::optional<Drag> dragged = std::exchange(drag_, std::nullopt);
  if (dragged && dragged->to_m) set_position(dragged->id, *dragged->to_m);
}

void TruthControl::abandon() {
  drag_.reset();
  show();
}

// Whether the person leaves then stays as it was.
void TruthControl::set_position(int64_t id, const Eigen::Vector2d& at_m) {
  const int64_t now = frame();
  new_id_ = id;
  edit(tr("true person %1 in frame %2").arg(id).arg(now), [id, now, at_m](std::vector<TruePerson>& people) {
    TruePerson& person = true_person(&people, id);
    const auto there = std::ranges::find(person.keys, now, &TruthKey::frame);
    set_key(&person, {now, at_m.x(), at_m.y(), there != person.keys.end() && there->leaves});
  });
  if (panel_->frames_per_click() > 0) post(command::Step{panel_->frames_per_click()});
}

void TruthControl::edit(const QString& what, const std::function<void(std::vector<TruePerson>&)>& change) {
  post(command::Edit{what.toStdString(), [change](Project& project) { change(project.truth); }});
}

// ---- files

void TruthControl::import_from(const QString& path) {
  reading_.start([this, ours = project().truth,
                  file = path.toStdString()](const StopSource&) -> BackgroundJob::Deliver {
    const Result<std::vector<TruePerson>> theirs = read_drawn_truth(file);
    if (!theirs) return [this, error = theirs.error()] { emit failed(error); };
    return
        [this, merged = std::make_shared<const MergedTruth>(merge_truth(ours, *theirs))] { take(*merged); };
  });
}

void TruthControl::take(const MergedTruth& merged) {
  edit(tr("import ground truth"),
       [people = merged.people](std::vector<TruePerson>& truth) { truth = people; });
  emit dock_wanted();
  QString words = tr("%n true people imported.", nullptr, static_cast<int>(merged.added));
  if (merged.matched > 0)
    words += tr(" %n are drawn here already.", nullptr, static_cast<int>(merged.matched));
  int64_t frames = 0;
  for (const TruthDisagreement& one : merged.disagreements) frames += one.last - one.first + 1;
  const auto place =
      std::ranges::find_if(merged.disagreements, [](const TruthDisagreement& one) { return one.ours > 0; });
  if (place != merged.disagreements.end())
    words += tr(" They disagree in %1 person-frames, first in frame %2 about person %3; `vantage-cli truth "
                "--merge` lists all.")
                 .arg(frames)
                 .arg(place->first)
                 .arg(place->ours);
  parts().messages->post({place == merged.disagreements.end() ? Severity::note : Severity::doubtful, words});
}

void TruthControl::export_to(const QString& path) {
  const TruthFormat format = path.endsWith(".json", Qt::CaseInsensitive)  ? TruthFormat::coco
                             : path.endsWith(".csv", Qt::CaseInsensitive) ? TruthFormat::mot
                                                                          : TruthFormat::wildtrack;
  emit work_requested(
      [project = project(), format, file = path.toStdString()] {
        return write_truth(project, format, std::nullopt, file);
      },
      tr("Ground truth exported to %1.").arg(path));
}

// ---- what is shown

void TruthControl::show() {
  const int64_t now = frame();
  const bool shown = state().open() && (dock_shown() || drawing());
  if (new_id_ > 0 && find_true_person(project().truth, new_id_)) {
    panel_->show_people(project().truth, now);
    panel_->choose(std::exchange(new_id_, 0));
  } else if (shown) {
    panel_->show_people(project().truth, now);
  }
  std::vector<MarkedTruth> marks;
  if (shown)
    for (const TruePerson& person : project().truth) {
      const bool dragged = drag_ && drag_->id == person.id && drag_->to_m;
      auto at = true_position(person, now);
      if (dragged) at = TruePosition{drag_->to_m->x(), drag_->to_m->y(), true};
      if (at)
        marks.push_back(
            {person.id, {at->x_m, at->y_m, 0}, person.height_m, at->key, person.id == panel_->chosen()});
    }
  parts().overlays->set_truth(std::move(marks));
}

void TruthControl::measure() {
  if (!dock_shown() || !state().open()) return;
  if (project().truth.empty()) {
    job_.stop();
    return panel_->show_metrics(tr("No one was drawn yet: Draw, then click where a person stands."));
  }
  if (!state().tracks() || state().tracks()->frames.empty()) {
    job_.stop();
    return panel_->show_metrics(tr("Analyse first: results are measured by what was drawn."));
  }
  job_.start([this, tracks = state().tracks(), only = analysed_only_,
              drawn = project().truth](const StopSource&) -> BackgroundJob::Deliver {
    const GroundTruth truth = ground_truth_of(drawn);
    auto measured = std::make_shared<Result<TrackingMetrics>>(
        measure_paths(tracks->paths, {tracks->frames, tracks->known_frames, only}, truth));
    const QString without = QString::fromStdString(without_results_text(truth, tracks->frames, only));
    return [this, measured, without] {
      if (!*measured) return panel_->show_metrics(QString::fromStdString(measured->error().message()));
      panel_->show_metrics((*measured)->frames > 0
                               ? metrics_text(**measured) +
                                     (without.isEmpty() ? without : QStringLiteral(" %1.").arg(without))
                               : tr("None of the drawn frames was analysed, or no one was seen there."));
    };
  });
}

}  // namespace vantage::ui
