#include "ui/main_window/truth/mask_control.h"

#include <QFileDialog>
#include <QSettings>
#include <QSpinBox>
#include <algorithm>
#include <memory>
#include <utility>

#include "ui/main_window/playback_control.h"
#include "ui/main_window/truth/mask_panel.h"
#include "ui/main_window/truth/truth_control.h"
#include "ui/views/camera_grid.h"
#include "ui/widgets/message_bar.h"

namespace vantage::ui {

// Masks that are being written are written by saving_, whose end it waits for.
MaskStore::~MaskStore() {
  static_cast<void>(write(unsaved_));
}

void MaskStore::open(const std::filesystem::path& folder) {
  if (folder == folder_) return;
  folder_ = folder;
  drawn_.clear();
  masks_.clear();
  frame_ = -1;
  listed_ = loaded_ = false;
  listing_.stop();
  loading_.stop();
  emit changed();
  read_again();
}

void MaskStore::read_again() {
  if (folder_.empty()) return;
  listing_.start([this, folder = folder_](const StopSource&) -> BackgroundJob::Deliver {
    auto found = std::make_shared<Result<DrawnMasks>>(find_masks(folder));
    return [this, found] {
      if (!*found) return emit failed(found->error());
      drawn_ = **found;
      for (const Files* files : {&writing_, &unsaved_})
        for (const auto& [file, mask] : *files)
          if (file.folder == folder_) note({file.camera, file.frame, {}, mask});
      listed_ = true;
      loaded_ = false;
      emit changed();
      go_to(frame_);
    };
  });
}

void MaskStore::go_to(int64_t frame) {
  if (frame == frame_ && loaded_) return;
  frame_ = frame;
  loaded_ = false;
  if (!listed_ || folder_.empty() || frame < 0) return;
  std::map<std::string, Image> known;
  for (const Files* files : {&writing_, &unsaved_})
    for (const auto& [file, mask] : *files)
      if (file.folder == folder_ && file.frame == frame) known[file.camera] = mask;
  std::map<std::string, std::filesystem::path> files;
  if (const auto here = drawn_.find(frame); here != drawn_.end()) files = here->second;
  loading_.start(
      [this, frame, known, files, changes = changes_](const StopSource&) -> BackgroundJob::Deliver {
        auto masks = std::make_shared<std::map<std::string, Image>>();
        std::optional<Error> error;
        for (const auto& [camera, mask] : known)
          if (mask) (*masks)[camera] = mask;
        for (const auto& [camera, file] : files) {
          if (known.contains(camera)) continue;
          Result<Image> mask = read_mask(file, HostPool::shared());
          mask ? static_cast<void>((*masks)[camera] = *mask) : static_cast<void>(error = mask.error());
        }
        return [this, frame, masks, error, changes] {
          if (frame != frame_) return;
          if (changes != changes_) return go_to(frame);  // masks were changed meanwhile
          masks_ = std::move(*masks);
          loaded_ = true;
          emit changed();
          if (error) emit failed(*error);
        };
      });
}

Image MaskStore::mask(const std::string& camera) const {
  const auto found = masks_.find(camera);
  return found == masks_.end() ? Image() : found->second;
}

void MaskStore::apply(const MaskStep& step, const std::filesystem::path& folder) {
  for (const MaskChange& change : step) {
    unsaved_[{folder, change.camera, change.frame}] = change.after;
    if (folder == folder_) note(change);
  }
  write_unsaved();
  emit changed();
}

void MaskStore::note(const MaskChange& change) {
  ++changes_;
  if (change.after) {
    drawn_[change.frame][change.camera] = mask_file(folder_, change.camera, change.frame);
  } else if (const auto here = drawn_.find(change.frame); here != drawn_.end()) {
    here->second.erase(change.camera);
    if (here->second.empty()) drawn_.erase(here);
  }
  if (change.frame != frame_ || !loaded_) return;
  if (change.after)
    masks_[change.camera] = change.after;
  else
    masks_.erase(change.camera);
}

MaskStore::Written MaskStore::write(const Files& files) {
  Written written;
  for (const auto& [file, mask] : files) {
    const Status done = mask ? write_mask(file.folder, file.camera, file.frame, mask)
                             : remove_mask(file.folder, file.camera, file.frame);
    if (done) continue;
    written.failed[file] = mask;
    written.error = done.error();
  }
  return written;
}

void MaskStore::write_unsaved() {
  if (!writing_.empty() || unsaved_.empty()) return;
  writing_.swap(unsaved_);
  saving_.start([this, files = writing_](const StopSource&) -> BackgroundJob::Deliver {
    return [this, written = write(files)] {
      writing_.clear();
      if (written.error) {
        unsaved_.insert(written.failed.begin(), written.failed.end());  // what is newer stays
        emit failed(*written.error);
        return;
      }
      write_unsaved();
      if (saved()) emit all_saved();
    };
  });
}

namespace {

constexpr const char* kMaskRadius = "masks/brush_px";
constexpr const char* kMaskTolerance = "masks/tolerance";
constexpr const char* kMaskStep = "masks/frames_carried";

}  // namespace

MaskControl::MaskControl(const WindowParts& parts)
    : Control(parts), truth_(parts.window->findChild<TruthControl*>()) {
  const MenuPosition place{Menu::masks}, separated{Menu::masks, nullptr, true};
  const auto paintable = [this] { return why_not(); };
  const auto tool = [&](const ActionSpec& spec, Tool kind) {
    QAction* action = add_action(spec, place, [this, kind](bool on) { on ? start(kind) : end(); }, paintable);
    tools_.push_back({action, kind});
    return action;
  };
  const auto sized = [this] {
    return unmet({{tool_ == Tool::brush || tool_ == Tool::grow, tr("Choose Brush or Grow first.")}});
  };
  const auto painted = [this] { return Need{!store_.drawn().empty(), tr("No mask was painted yet.")}; };
  const auto here = [this] {
    return Need{store_.loaded() && !store_.masks().empty(), tr("No mask was painted in this frame.")};
  };
  const auto can = [this] { return Need{why_not().isEmpty(), why_not()}; };
  const auto unused = [this](bool offered) {
    return Need{offered && !state().busy() && !scoring_.running() && !carrying_.running(),
                state().why_busy()};
  };
  QAction* brush = tool({"paint_brush", "&Brush", "Alt+1",
                         "Paint masks over people in the pictures: drag; Shift erases; the wheel changes the "
                         "size, Ctrl+wheel zooms; Esc ends",
                         true},
                        Tool::brush);
  QAction* polygon = tool({"paint_polygon", "&Polygon", "Alt+2",
                           "Click the corners of a mask; a double click or the first corner closes it; Shift "
                           "erases; Esc drops it",
                           true},
                          Tool::polygon);
  QAction* fill = tool({"paint_fill", "&Fill", "Alt+3",
                        "Click a hole of a mask to fill it; with Shift a body, to erase it", true},
                       Tool::fill);
  QAction* grow_tool = tool({"paint_grow", "&Grow", "Alt+4",
                             "Click a colour: what is joined to it and within the tolerance becomes mask; "
                             "Shift erases",
                             true},
                            Tool::grow);
  erase_ = add_switch(
      {"paint_erase", "&Erase", "Alt+5", "All of these tools erase, as with Shift"}, place,
      [this] { draw_masks(); }, paintable);
  add_action(
      {"brush_smaller", "&Smaller", "[", "Make the brush, or the tolerance, smaller"}, place,
      [this] { change_size(-1); }, sized);
  add_action(
      {"brush_larger", "&Larger", "]", "Make the brush, or the tolerance, larger"}, place,
      [this] { change_size(1); }, sized);
  add_action(
      {"close_polygon", "&Close Polygon", "Alt+Return", "Join the last corner to the first"}, place,
      [this] { close_polygon(); },
      [this] { return unmet({{polygon_.size() > 2, tr("Click three corners of a polygon first.")}}); });
  QAction* carry = add_action(
      {"carry_masks", "Carry &On", "Alt+.",
       "Carry the masks of this frame to a later one by the optical flow, and go there; masks that "
       "are there stay"},
      separated, [this] { this->carry(); },
      [this, can, here, unused] {
        return unmet({can(), here(), unused(this->parts().services.carry_masks != nullptr)});
      });
  QAction* nobody = add_action(
      {"mask_nobody", "&No One", "Alt+0", "No one is in this frame: cameras without a mask get an empty one"},
      place, [this] { set_nobody(); },
      [this, can] {
        return unmet({can(),
                      {store_.loaded() && store_.masks().size() < project().cameras.size(),
                       tr("Every camera has a mask in this frame.")}});
      });
  QAction* remove = add_action(
      {"remove_mask", "&Remove", "Alt+Backspace",
       "Remove the chosen camera's mask of this frame, or all of this frame"},
      place, [this] { this->remove(); }, [can, here] { return unmet({can(), here()}); });
  QAction* measure = add_action(
      {"measure_masks", "&Measure", "Alt+7",
       "Compare the foreground of the present parameters with every painted frame"},
      separated, [this] { this->measure(); },
      [this, painted, unused] {
        return unmet({painted(), unused(this->parts().services.score_masks != nullptr)});
      });
  QAction* worst = add_action(
      {"worst_mask", "&Worst", "Alt+8",
       "Go to the painted frame where the foreground fits worst, then to the next worst"},
      place, [this] { go_to_worst(); },
      [this, painted] { return unmet({painted(), {!scores_.empty(), tr("Measure first.")}}); });
  const auto ask = [this](const QString& title) {
    return QFileDialog::getExistingDirectory(panel_, title,
                                             QString::fromStdString(project().path.parent_path().string()));
  };
  QAction* import_action = add_action(
      {"import_masks", "&Import\u2026", "",
       "Copy masks from a folder: CAMERA/frame_000012.png or CAMERA_frame_0012.png; those that are here "
       "stay; "
       "it cannot be undone"},
      separated,
      [this, ask] {
        if (const QString folder = ask(tr("Import Masks")); !folder.isEmpty()) import_from(folder);
      },
      paintable);
  QAction* export_action = add_action(
      {"export_masks", "E&xport\u2026", "", "Copy all masks to a folder, as PNG files"}, place,
      [this, ask] {
        if (const QString folder = ask(tr("Export Masks")); !folder.isEmpty()) export_to(folder);
      },
      [painted] { return unmet({painted()}); });
  panel_ = new MaskPanel({{brush, polygon, fill, grow_tool, erase_},
                          {carry, nobody, remove},
                          {measure, worst, import_action, export_action}});
  truth_->add_page(panel_, tr("Masks"));
  connect(parts.cameras, &CameraGrid::pixel_pointed, this, [this](const auto& pixel) {
    pointed_ = pixel;
    if (painting()) draw_masks();
  });
  connect(panel_, &MaskPanel::seek_requested, this, &MaskControl::seek_requested);
  connect(panel_, &MaskPanel::camera_chosen, this, &MaskControl::update_availability);
  connect(panel_, &MaskPanel::shown_or_hidden, this, [this] {
    show_masks();
    score_shown();
    emit availability_changed();
  });
  connect(panel_->radius(), &QSpinBox::valueChanged, this, &MaskControl::draw_masks);
  connect(&store_, &MaskStore::failed, this, &MaskControl::failed);
  connect(&store_, &MaskStore::changed, this, [this] {
    show_masks();
    score_shown();
    emit availability_changed();
    emit masks_changed();
  });
  connect(&store_, &MaskStore::all_saved, this, [this] {
    for (const auto& then : std::exchange(once_saved_, {})) then();
  });
  for (BackgroundJob* job : {&scoring_, &carrying_})
    connect(job, &BackgroundJob::stopped, this, &MaskControl::running_changed);
}

// The view lives longer.
MaskControl::~MaskControl() {
  parts().cameras->drop_picture_tool(this);
}

void MaskControl::restore(const QSettings& settings) {
  panel_->radius()->setValue(settings.value(kMaskRadius, panel_->radius()->value()).toInt());
  panel_->tolerance()->setValue(settings.value(kMaskTolerance, panel_->tolerance()->value()).toInt());
  panel_->step()->setValue(settings.value(kMaskStep, panel_->step()->value()).toInt());
}

void MaskControl::save(QSettings& settings) const {
  settings.setValue(kMaskRadius, panel_->radius()->value());
  settings.setValue(kMaskTolerance, panel_->tolerance()->value());
  settings.setValue(kMaskStep, panel_->step()->value());
}

std::optional<RunningWork> MaskControl::running() const {
  if (scoring_.running()) return RunningWork{tr("Measuring masks"), tr("Masks are being measured."), scored_};
  if (carrying_.running()) return RunningWork{tr("Carrying masks"), tr("Masks are being carried.")};
  return std::nullopt;
}

void MaskControl::stop() {
  scoring_.stop();
  carrying_.stop();
  if (stroke_) return abandon();
  if (polygon_.empty()) return end();
  polygon_.clear();
  show_masks();
  update_availability();
}

void MaskControl::forget() {
  for (BackgroundJob* job : {&growing_, &carrying_, &scoring_here_, &scoring_, &reading_}) job->stop();
  end();
  once_saved_.clear();
  scores_.clear();
  scored_version_ = 0;
  tinted_.clear();
  theirs_.clear();
  store_.open({});
  show_panel();
}

void MaskControl::refresh(Changes what) {
  if (!state().open()) return;
  if (what.testFlag(Change::project)) {
    store_.open(state().live() ? std::filesystem::path() : drawn_masks_folder(project().path));
    if (state().project_change().parameters) scoring_.stop();
  }
  if (!what.testFlag(Change::frame)) return;
  if (store_.frame() != frame()) {
    abandon();
    polygon_.clear();
  }
  store_.go_to(frame());
  show_masks();
  score_shown();
  update_availability();
}

QString MaskControl::why_not() const {
  if (state().live()) return tr("Live cameras have no frames to go back to: paint on the recording.");
  if (project().path.empty()) return tr("Save the project first: masks are stored next to its file.");
  if (state().status().held_by) return tr("The project is open elsewhere.");
  if (!project().has_pictures()) return tr("There are no pictures to paint on.");
  return {};
}

void MaskControl::update_availability() {
  Control::update_availability();
  if (state().open() && !why_not().isEmpty()) end();
}

int64_t MaskControl::frame() const {
  return state().shown() ? state().shown()->result->frame : parts().playback->frame();
}

void MaskControl::go_to(int64_t frame) {
  if (frame != this->frame()) emit seek_requested(frame);
}

void MaskControl::apply(const MaskStep& step) {
  if (step.empty()) return;
  MaskStep back = step;
  for (MaskChange& change : back) std::swap(change.before, change.after);
  const std::filesystem::path folder = store_.folder();
  const auto change_to = [this, folder](const MaskStep& masks) {
    return on_present<MaskControl>([folder, masks](MaskControl& now) {
      now.store_.apply(masks, folder);
      now.go_to(masks.front().frame);
    });
  };
  const MaskChange& one = step.front();
  post(command::Did{step.size() > 1 ? std::to_string(step.size()) + " masks"
                                    : "mask of " + one.camera + " in frame " + std::to_string(one.frame),
                    change_to(back), change_to(step)});
  store_.apply(step, folder);
}

void MaskControl::tell(const QString& words, bool doubtful) {
  parts().messages->post({doubtful ? Severity::doubtful : Severity::note, words});
}

void MaskControl::when_saved(std::function<void()> then) {
  if (store_.saved()) return then();
  once_saved_.push_back(std::move(then));
}

// ---- files

void MaskControl::import_from(const QString& folder) {
  reading_.start(
      [this, now = project(), from = folder.toStdString()](const StopSource&) -> BackgroundJob::Deliver {
        const Result<CopiedMasks> copied = import_masks(now, from, false);
        return [this, copied] {
          if (!copied) return emit failed(copied.error());
          store_.read_again();
          QString words = tr("%n masks imported.", nullptr, static_cast<int>(copied->copied));
          if (copied->kept > 0)
            words += tr(" %n were painted here already, and stay.", nullptr, static_cast<int>(copied->kept));
          if (copied->unknown > 0)
            words += tr(" %n are of cameras that the project does not have.", nullptr,
                        static_cast<int>(copied->unknown));
          tell(words, copied->kept + copied->unknown > 0);
        };
      });
}

void MaskControl::export_to(const QString& folder) {
  when_saved([this, folder] {
    emit work_requested(
        [now = project(), to = folder.toStdString()]() -> Status {
          const Result<int64_t> written = export_masks(now, to);
          return written ? Status() : fail(written.error());
        },
        tr("Masks exported to %1.").arg(folder));
  });
}

}  // namespace vantage::ui
