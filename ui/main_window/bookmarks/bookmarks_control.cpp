#include "ui/main_window/bookmarks/bookmarks_control.h"

#include <algorithm>

#include "ui/main_window/overlay_control.h"
#include "ui/main_window/playback_control.h"
#include "ui/views/camera_grid.h"
#include "ui/views/scene_view.h"
#include "ui/widgets/timeline.h"

namespace vantage::ui {

BookmarksControl::BookmarksControl(const WindowParts& parts) : Control(parts) {
  const auto recorded = [this] {
    return unmet(
        {{!state().live(), tr("Live cameras have no frames to go back to: bookmark the recording.")}});
  };
  const auto some = [this] {
    return unmet({{!project().bookmarks.empty() && !state().live(), tr("There are no bookmarks.")}});
  };
  add_action(
      {"bookmark", "&Bookmark…", "Ctrl+B",
       "Mark this frame with a note: of the chosen person, or of the place you point at"},
      {Menu::playback, "previous_found", true}, [this] { ask(); }, recorded);
  add_action(
      {"next_bookmark", "Next B&ookmark", "Ctrl+Shift+PgDown", "Go to the next bookmark"},
      {Menu::playback, "bookmark"}, [this] { go_on(1); }, some);
  add_action(
      {"previous_bookmark", "Previous Bookmar&k", "Ctrl+Shift+PgUp", "Go to the previous bookmark"},
      {Menu::playback, "next_bookmark"}, [this] { go_on(-1); }, some);
  const auto point = [this](const std::optional<Eigen::Vector3d>& at) { pointed_ = at; };
  connect(parts.cameras, &CameraGrid::pointed, this, point);
  connect(parts.scene, &SceneView::pointed, this, point);
}

void BookmarksControl::forget() {
  delete dialog_;
  pointed_.reset();
  parts().timeline->set_flags({});
}

void BookmarksControl::refresh(Changes what) {
  if (what.testFlag(Change::project) && state().open() && state().project_change().bookmarks) show_flags();
}

void BookmarksControl::show_flags() {
  std::vector<FrameFlag> flags;
  for (const Bookmark& one : project().bookmarks)
    flags.push_back({one.frame, QString::fromStdString(one.note)});
  parts().timeline->set_flags(std::move(flags));
}

const Bookmark* BookmarksControl::bookmark_at(int64_t frame) const {
  const auto found = std::ranges::find(project().bookmarks, frame, &Bookmark::frame);
  return found == project().bookmarks.end() ? nullptr : &*found;
}

BookmarksControl::Subject BookmarksControl::subject() const {
  const OverlayControl& overlays = *parts().overlays;
  const int64_t chosen = overlays.marks().choice.first;
  if (const auto person = chosen > 0 ? overlays.who().find(chosen) : std::nullopt)
    return {Eigen::Vector2d(person->x_m, person->y_m), overlays.called(chosen)};
  if (!pointed_) return {};
  return {pointed_->head<2>(),
          tr("x %1 m, y %2 m").arg(pointed_->x(), 0, 'f', 2).arg(pointed_->y(), 0, 'f', 2)};
}

void BookmarksControl::ask() {
  delete dialog_;
  const int64_t frame = parts().playback->frame();
  const Bookmark* there = bookmark_at(frame);
  // The person or position stays where only the note is changed.
  Subject about = subject();
  if (there && there->place_m)
    about = {there->place_m,
             tr("x %1 m, y %2 m").arg(there->place_m->x(), 0, 'f', 2).arg(there->place_m->y(), 0, 'f', 2)};
  const QString moment = tr("frame %1, %2").arg(frame).arg(state().times().full_text(frame));
  const QString words = about.words.isEmpty() ? moment : moment + QStringLiteral(", ") + about.words;
  dialog_ = new MomentDialog({.title = tr("Bookmark"),
                              .label = tr("&Note"),
                              .hint = tr("what it is about; may be empty"),
                              .text = there ? QString::fromStdString(there->note) : QString(),
                              .button = tr("&Set"),
                              .removal = there ? tr("&Remove") : QString(),
                              .answer = [words](const QString&) -> Result<QString> { return words; },
                              .may_be_empty = true,
                              .removal_tip = tr("Remove this bookmark; Undo restores it")},
                             parts().window);
  dialog_->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog_, &QDialog::accepted, this, [this, frame, about] {
    const Bookmark bookmark{frame, dialog_->typed().trimmed().toStdString(), about.place_m};
    post(command::Edit{"bookmark in frame " + std::to_string(frame),
                       [bookmark](Project& project) { set_bookmark(&project.bookmarks, bookmark); }});
  });
  connect(dialog_, &MomentDialog::removed, this, [this, frame] {
    post(command::Edit{"bookmark in frame " + std::to_string(frame),
                       [frame](Project& project) { remove_bookmark(&project.bookmarks, frame); }});
  });
  dialog_->open();
}

// The last is followed by the first, and the first preceded by the last.
void BookmarksControl::go_on(int by) {
  const std::vector<Bookmark>& all = project().bookmarks;
  if (all.empty()) return;
  const int64_t frame = parts().playback->frame();
  auto next = by > 0 ? std::ranges::upper_bound(all, frame, {}, &Bookmark::frame)
                     : std::ranges::lower_bound(all, frame, {}, &Bookmark::frame);
  if (by > 0 && next == all.end()) next = all.begin();
  if (by < 0) next = next == all.begin() ? std::prev(all.end()) : std::prev(next);
  emit seek_requested(next->frame);
  if (!next->place_m) return;
  const Eigen::Vector3d place(next->place_m->x(), next->place_m->y(), 0);
  parts().cameras->set_pointed(place);
  parts().scene->set_pointed(place);
}

}  // namespace vantage::ui
