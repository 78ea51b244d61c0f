#include "ui/main_window/window_menus.h"

#include <QCoreApplication>
#include <QMainWindow>
#include <QMenuBar>
#include <QSet>
#include <QSettings>
#include <QWidget>
#include <algorithm>
#include <iterator>

#include "ui/main_window/file_control.h"

namespace vantage::ui {
namespace {

QMenu* with_tooltips(QMenu* menu) {
  menu->setToolTipsVisible(true);
  return menu;
}

// The place of its letter in a text: behind a '&' that is not doubled; -1: it has none.
qsizetype letter_of(const QString& text) {
  for (qsizetype at = text.indexOf('&'); at >= 0 && at + 1 < text.size(); at = text.indexOf('&', at + 2))
    if (text[at + 1] != '&') return at + 1;
  return -1;
}

// The first letter of a word that is free, else any letter; -1: all are taken.
qsizetype free_letter(const QString& text, const QSet<QChar>& taken) {
  const auto is_free = [&](qsizetype at) {
    return text[at].isLetterOrNumber() && !taken.contains(text[at].toLower());
  };
  for (qsizetype at = 0; at < text.size(); ++at)
    if (is_free(at) && (at == 0 || text[at - 1] == ' ')) return at;
  for (qsizetype at = 0; at < text.size(); ++at)
    if (is_free(at)) return at;
  return -1;
}

// Entries above keep their letters. Invisible ones take none.
void settle_letters_of(const QMenu& menu) {
  QSet<QChar> taken;
  std::vector<QAction*> without;
  for (QAction* action : menu.actions()) {
    if (action->isSeparator() || !action->isVisible()) continue;
    const qsizetype letter = letter_of(action->text());
    if (letter >= 0 && !taken.contains(action->text()[letter].toLower()))
      taken.insert(action->text()[letter].toLower());
    else
      without.push_back(action);
  }
  for (QAction* action : without) {
    QString text = action->text();
    if (const qsizetype letter = letter_of(text); letter >= 0) text.remove(letter - 1, 1);
    const qsizetype letter = free_letter(text, taken);
    if (letter >= 0) {
      taken.insert(text[letter].toLower());
      text.insert(letter, '&');
    }
    if (text != action->text()) action->setText(text);
  }
}

void list_commands(const QList<QAction*>& actions, std::vector<QAction*>& all) {
  for (QAction* action : actions)
    if (action->menu())
      list_commands(action->menu()->actions(), all);
    else if (!action->objectName().isEmpty() && std::find(all.begin(), all.end(), action) == all.end())
      all.push_back(action);
}

}  // namespace

WindowMenus::WindowMenus(QMainWindow& window, Open open) : QObject(&window), window_(window) {
  const struct {
    Menu menu;
    QString title;
  } bar[] = {{Menu::file, tr("&File")},         {Menu::edit, tr("&Edit")},
             {Menu::view, tr("&View")},         {Menu::playback, tr("&Playback")},
             {Menu::analysis, tr("&Analysis")}, {Menu::scene, tr("&Scene")},
             {Menu::help, tr("&Help")}};
  for (const auto& [menu, title] : bar) of(menu) = with_tooltips(window.menuBar()->addMenu(title));
  add_recent_menu(open);
  of(Menu::file_export) = add_submenu(tr("&Export"), "export_menu", {Menu::file, "save_as"});
  of(Menu::edit_people) = add_submenu(tr("&People"), "people_menu", {Menu::edit, "redo", true});
  of(Menu::overlays) = add_submenu(tr("&Overlays"), "overlays_menu", {Menu::view});
  of(Menu::cameras) = add_submenu(tr("&Cameras"), "cameras_menu", {Menu::view});
  of(Menu::docks) = add_submenu(tr("&Docks"), "docks_menu", {Menu::view});
  of(Menu::layout) = add_submenu(tr("&Layout"), "layout_menu", {Menu::view});
  of(Menu::nudge) = add_submenu(tr("&Nudge Box"), "nudge_menu", {Menu::scene, "next_box"});
  of(Menu::masks) = add_submenu(tr("True &Masks"), "masks_menu", {Menu::analysis, "export_truth"});
  of(Menu::theme) = add_submenu(tr("&Theme"), "theme_menu", {Menu::view});
  for (QMenu* menu : menus_) connect(menu, &QMenu::aboutToShow, this, [menu] { settle_letters_of(*menu); });
}

void WindowMenus::settle_letters() {
  for (QMenu* menu : menus_) settle_letters_of(*menu);
}

QMenu* WindowMenus::add_submenu(const QString& title, const char* name, const MenuPosition& place) {
  auto* menu = with_tooltips(new QMenu(title, of(place.menu)));
  menu->menuAction()->setObjectName(name);
  this->place(menu->menuAction(), place);
  return menu;
}

void WindowMenus::add_recent_menu(const Open& open) {
  QMenu* recent = add_submenu(tr("Open &Recent"), "recent_menu", {Menu::file, "open"});
  connect(of(Menu::file), &QMenu::aboutToShow, recent,
          [recent] { recent->menuAction()->setEnabled(!recent_projects().isEmpty()); });
  connect(recent, &QMenu::aboutToShow, recent, [recent, open] {
    recent->clear();
    for (const QString& path : recent_projects()) {
      QAction* action =
          recent->addAction(QString(path).replace("&", "&&"), recent, [open, path] { open(path); });
      action->setToolTip(tr("Open %1").arg(path));
    }
  });
}

QAction* WindowMenus::add(const ActionSpec& spec, const MenuPosition& place) {
  QAction* action = make_action(spec, &window_);
  this->place(action, place);
  return action;
}

void WindowMenus::place(QAction* action, const MenuPosition& place) {
  waiting_.push_back({action, place});
  while (place_waiting()) {
  }
}

// One that can stand where it belongs, because what is above it is there.
bool WindowMenus::place_waiting() {
  for (auto one = waiting_.begin(); one != waiting_.end(); ++one) {
    const QList<QAction*> there = of(one->place.menu)->actions();
    const auto above = std::find_if(there.begin(), there.end(), [&](const QAction* other) {
      return one->place.after && other->objectName() == QLatin1String(one->place.after);
    });
    if (one->place.after && above == there.end()) continue;
    QAction* below = above == there.end() || std::next(above) == there.end() ? nullptr : *std::next(above);
    if (one->place.separated) of(one->place.menu)->insertSeparator(below);
    of(one->place.menu)->insertAction(below, one->action);
    waiting_.erase(one);
    return true;
  }
  return false;
}

std::vector<QAction*> WindowMenus::in_order() const {
  std::vector<QAction*> all;
  list_commands(window_.menuBar()->actions(), all);
  return all;
}

namespace {

QString action_text(const char* text) {
  return QCoreApplication::translate("WindowActions", text);
}

constexpr char kDefaultKeys[] = "default_keys";

QString setting_of(const QAction& action) {
  return QStringLiteral("keys/") + action.objectName();
}

QList<QKeySequence> keys_of(const QString& text) {
  QList<QKeySequence> keys;
  for (const QString& key : text.split(' ', Qt::SkipEmptyParts)) keys << QKeySequence(key);
  return keys;
}

void set_keys(QAction* action, const QList<QKeySequence>& keys) {
  const QString reason = action->toolTip().section('\n', 1);
  action->setShortcuts(keys);
  action->setToolTip(reason.isEmpty() ? tooltip_of(*action) : tooltip_of(*action) + '\n' + reason);
}

}  // namespace

void set_own_key(QAction* action, const QKeySequence& key) {
  set_keys(action, key.isEmpty() ? QList<QKeySequence>() : QList<QKeySequence>{key});
  QSettings().setValue(setting_of(*action), key.toString(QKeySequence::PortableText));
}

void reset_key(QAction* action) {
  set_keys(action, keys_of(action->property(kDefaultKeys).toString()));
  QSettings().remove(setting_of(*action));
}

QString tooltip_of(const QAction& action) {
  const QString tip = action.property("tip").toString();
  const QString key = action.shortcut().toString(QKeySequence::NativeText);
  return key.isEmpty() ? tip : QStringLiteral("%1 (%2)").arg(tip, key);
}

void set_available(QAction* action, bool available, const QString& reason) {
  action->setEnabled(available);
  action->setToolTip(available ? tooltip_of(*action) : tooltip_of(*action) + QStringLiteral("\n") + reason);
}

QAction* make_action(const ActionSpec& spec, QObject* parent) {
  auto* action = new QAction(action_text(spec.text), parent);
  action->setObjectName(spec.name);
  action->setProperty(kDefaultKeys, QString(spec.keys));
  const QSettings settings;
  action->setShortcuts(keys_of(settings.value(setting_of(*action), QString(spec.keys)).toString()));
  action->setCheckable(spec.checkable);
  action->setAutoRepeat(false);
  action->setProperty("tip", action_text(spec.tip));
  action->setToolTip(tooltip_of(*action));
  if (spec.on_button) action->setIconText(action_text(spec.on_button));
  return action;
}

QString without_letter(QString text) {
  text.replace("&&", "\n").remove('&').replace('\n', '&');
  return text;
}

QString menu_of(const QAction& action) {
  for (const QObject* object : action.associatedObjects())
    if (const auto* menu = qobject_cast<const QMenu*>(object)) return without_letter(menu->title());
  return {};
}

QAction* find_action(const QWidget& window, const char* name) {
  return window.findChild<QAction*>(QString::fromLatin1(name), Qt::FindDirectChildrenOnly);
}

}  // namespace vantage::ui
