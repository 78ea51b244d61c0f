// The menu of a person in a view or a lane: each command says what it will do.
#include <QInputDialog>
#include <QMenu>
#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/main_window/overlay_control.h"
#include "ui/main_window/people_control.h"
#include "ui/main_window/why/why_control.h"
#include "ui/panels/people_panel.h"

namespace vantage::ui {
namespace {

constexpr size_t kMaxOffered = 9;

size_t frames_from(const PersonPath& path, int64_t frame) {
  return path.points.size() - path.points.first_from(frame);
}

// How long the two are apart; nothing: they overlap, and cannot be one.
std::optional<int64_t> gap_between(const PersonPath& a, const PersonPath& b) {
  const auto last = [](const PersonPath& path) { return path.points.frame(path.points.size() - 1); };
  if (b.points.frame(0) > last(a)) return b.points.frame(0) - last(a);
  if (a.points.frame(0) > last(b)) return a.points.frame(0) - last(b);
  return std::nullopt;
}

void keep_nearest(std::vector<std::pair<double, int64_t>>* others, std::vector<int64_t>* ids) {
  std::sort(others->begin(), others->end());
  if (others->size() > kMaxOffered) others->resize(kMaxOffered);
  for (const auto& [away, id] : *others) ids->push_back(id);
}

}  // namespace

QString PeopleControl::name_of(int64_t id) const {
  if (!tracks_) return QString::number(id);
  const auto name = tracks_->names.find(id);
  return name == tracks_->names.end() ? QString::number(id) : QString::fromStdString(name->second);
}

// ---- texts of repairs

QString PeopleControl::join_text(int64_t id, int64_t other) const {
  const int64_t kept = std::min(id, other), given = std::max(id, other);
  const PersonPath* path = who().path(given);
  const bool named = tracks_ && tracks_->names.contains(kept);
  return tr("%1 frames of %2 become %3's")
      .arg(path ? path->points.size() : 0)
      .arg(given)
      .arg(named ? name_of(kept) : QString::number(kept));
}

QString PeopleControl::swap_text(int64_t id, int64_t other) const {
  const PersonPath *a = who().path(id), *b = who().path(other);
  if (!a || !b) return {};
  return tr("from here on %1 frames of %2 become %3's, and %4 frames of %3 become %2's")
      .arg(frames_from(*a, frame_))
      .arg(name_of(id), name_of(other))
      .arg(frames_from(*b, frame_));
}

QString PeopleControl::split_text(int64_t id) const {
  const PersonPath* path = who().path(id);
  return path ? tr("%1 frames of %2 from here on become a new person's")
                    .arg(frames_from(*path, frame_))
                    .arg(name_of(id))
              : QString();
}

QString PeopleControl::delete_text(int64_t id) const {
  const PersonPath* path = who().path(id);
  return path ? tr("the %1 frames of %2 become no one's").arg(path->points.size()).arg(name_of(id))
              : QString();
}

// ---- whom it can be done with

// The nearest in time first; those who are there at once cannot be one person.
std::vector<int64_t> PeopleControl::others_to_join(int64_t id) const {
  std::vector<std::pair<double, int64_t>> others;
  std::vector<int64_t> ids;
  const PersonPath* own = who().path(id);
  if (!own || !tracks_) return ids;
  for (const PersonPath& path : tracks_->paths)
    if (const auto gap = path.id == id ? std::nullopt : gap_between(*own, path))
      others.emplace_back(static_cast<double>(*gap), path.id);
  keep_nearest(&others, &ids);
  return ids;
}

// The nearest on the floor first.
std::vector<int64_t> PeopleControl::others_here(int64_t id) const {
  std::vector<std::pair<double, int64_t>> others;
  std::vector<int64_t> ids;
  const auto own = place_now(id);
  if (!own || !tracks_) return ids;
  for (const PersonPath& path : tracks_->paths) {
    if (path.id == id) continue;
    if (const std::optional<PathPoint> point = path.points.find(frame_))
      others.emplace_back(std::hypot(point->x_m - own->x_m, point->y_m - own->y_m), path.id);
  }
  keep_nearest(&others, &ids);
  return ids;
}

// ---- the menu

void PeopleControl::offer_other(QMenu* menu, bool join, int64_t id) {
  QMenu* others = menu->addMenu(join ? tr("&Join With") : tr("S&wap With"));
  std::vector<int64_t> ids = join ? others_to_join(id) : others_here(id);
  if (chosen_.first > 0 && chosen_.first != id) {  // who was chosen before, first
    const auto chosen = std::find(ids.begin(), ids.end(), chosen_.first);
    if (chosen != ids.end()) std::rotate(ids.begin(), chosen, chosen + 1);
  }
  for (const int64_t other : ids) {
    QAction* action = others->addAction(
        QStringLiteral("%1: %2").arg(name_of(other), join ? join_text(id, other) : swap_text(id, other)));
    connect(action, &QAction::triggered, this, [this, join, id, other] {
      choose({id, other});
      join ? this->join() : swap();
    });
  }
  others->menuAction()->setEnabled(!ids.empty());
  others->menuAction()->setToolTip(
      join ? tr("No one else can be the same person: all others are there at the same time")
           : tr("No one else is there in this frame"));
}

void PeopleControl::offer_menu(int64_t id, const QPoint& at) {
  auto* menu = new QMenu(parts().window);
  menu->setObjectName("person_menu");
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->setToolTipsVisible(true);
  menu->addSection(parts().overlays->called(id));
  const auto add = [&](const QAction* like, const QString& what, bool available, auto command) {
    QAction* action =
        menu->addAction(what.isEmpty() ? like->text() : QStringLiteral("%1: %2").arg(like->text(), what));
    action->setEnabled(available && !state().live());
    action->setToolTip(like->toolTip());
    connect(action, &QAction::triggered, this, [this, id, command] {
      choose({id, 0});
      command();
    });
  };
  const bool known = who().path(id) != nullptr;
  add(rename_, {}, known, [this] { ask_name(); });
  if (known && !state().live()) {
    offer_other(menu, true, id);
    offer_other(menu, false, id);
  }
  add(split_, split_text(id), place_now(id).has_value(), [this] { split(); });
  add(delete_, delete_text(id), known, [this] { remove(); });
  menu->addSeparator();
  const auto& shown = who().people();
  const auto here =
      std::find_if(shown.begin(), shown.end(), [id](const ShownPerson& person) { return person.id == id; });
  const bool is_here = here != shown.end();
  const QAction* why_here = action("why_here");
  QAction* why = menu->addAction(why_here->text());
  why->setToolTip(is_here ? why_here->toolTip() : tr("The person is not in this frame."));
  why->setEnabled(why_here->isEnabled() && is_here);
  if (is_here)
    connect(why, &QAction::triggered, this, [this, place = Eigen::Vector3d(here->x_m, here->y_m, 0)] {
      parts().window->findChild<WhyControl*>()->ask_place(place);
    });
  QAction* follow = menu->addAction(follow_->text());
  follow->setToolTip(follow_->toolTip());
  connect(follow, &QAction::triggered, this, [this, id] {
    choose({id, 0});
    set_following(true);
  });
  menu->popup(at);
}

// ---- names

void PeopleControl::ask_name() {
  const int64_t id = chosen_.first;
  if (!tracks_ || !who().path(id)) return;
  auto* dialog = new QInputDialog(parts().window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(tr("Rename"));
  dialog->setLabelText(tr("Name of person %1; none where it is empty").arg(id));
  const auto name = tracks_->names.find(id);
  if (name != tracks_->names.end()) dialog->setTextValue(QString::fromStdString(name->second));
  connect(dialog, &QInputDialog::textValueSelected, this,
          [this, id](const QString& typed) { rename(id, typed.trimmed()); });
  dialog->open();
}

// What named the person before goes.
void PeopleControl::rename(int64_t id, const QString& name) {
  if (!tracks_) return;
  const auto position = unambiguous_position(tracks_->paths, id, frame_);
  if (!position) return;
  std::vector<IdentityRepair> before;
  for (const size_t number : names_of(tracks_->paths, project().repairs, id))
    before.push_back(project().repairs[number]);
  const IdentityRepair named{RepairKind::name, *position, {}, name.toStdString()};
  // Each name can be undone by itself.
  const std::string what = "name of person " + std::to_string(id) + ": " + named.name;
  post(command::Edit{what, [before, named](Project& project) {
                       std::erase_if(project.repairs, [&](const IdentityRepair& repair) {
                         return std::find(before.begin(), before.end(), repair) != before.end();
                       });
                       if (!named.name.empty()) project.repairs.push_back(named);
                     }});
}

}  // namespace vantage::ui
