// The menu bar, and the one way of declaring what stands in it: a command with its position. Controls add
// theirs through Control::add_action().
#pragma once

#include <QAction>
#include <QObject>
#include <QString>
#include <array>
#include <functional>
#include <vector>

class QMainWindow;
class QMenu;
class QWidget;

namespace vantage::ui {

// Commands of the window: text, keys, what each does. Every control adds its own (Control::add_action()), the
// window those that are about itself and the project's file; WindowMenus makes them. A command that cannot be
// given now is disabled and says why in its tooltip.

struct ActionSpec {
  const char* name;
  const char* text;
  const char*
      keys;  // separated by a space; the first is shown; empty: by its words alone (command_palette.h)
  const char* tip;
  bool checkable = false;
  const char* on_button = nullptr;  // null: the text
};

// Belongs to `parent`. Its keys act in the whole window, but where what has the focus needs them
// (focus_keys.h).
QAction* make_action(const ActionSpec& spec, QObject* parent);
// The user's key in place of the one that the action was made with, now and at every start; empty: none.
void set_own_key(QAction* action, const QKeySequence& key);
void reset_key(QAction* action);
// Title of the menu that holds it, without its letter.
QString menu_of(const QAction& action);
QString without_letter(QString text);
// Null: the window has none of this name.
QAction* find_action(const QWidget& window, const char* name);

// Enabled, or disabled with the reason ("Open a project first.") in the tooltip.
void set_available(QAction* action, bool available, const QString& reason);
// "Play (Space)": what the tooltip shows while the action is enabled.
QString tooltip_of(const QAction& action);

enum class Menu : uint8_t {
  file,
  file_export,
  edit,
  edit_people,
  view,
  overlays,
  cameras,
  docks,
  layout,
  theme,
  playback,
  analysis,
  masks,
  scene,
  nudge,
  help
};

// Position of a command in the menus.
struct MenuPosition {
  Menu menu;
  // The name of the action above it, which may be added later, or of a submenu ("recent_menu", "export_menu",
  // "people_menu", "nudge_menu", "masks_menu"); null: at the end. Of several with the same name above, the
  // last is highest.
  const char* after = nullptr;
  bool separated = false;  // from what is above, by a line
};

class WindowMenus final : public QObject {
  Q_OBJECT
 public:
  // `window` owns this and all actions. `open` is called with the file of a recent project that was chosen.
  WindowMenus(QMainWindow& window, std::function<void(const QString& file)> open);

  QAction* add(const ActionSpec& spec, const MenuPosition& place);
  // A further position of a command.
  void place(QAction* action, const MenuPosition& place);
  // Gives every entry of a menu a letter of its own, the one that its text has or, where that is taken,
  // another of its words. Once all are placed, and whenever a menu is opened: texts change.
  void settle_letters();
  // Every command once, as the menus list them.
  std::vector<QAction*> in_order() const;

 private:
  using Open = std::function<void(const QString& file)>;
  QMenu* add_submenu(const QString& title, const char* name, const MenuPosition& place);
  void add_recent_menu(const Open& open);
  QMenu*& of(Menu menu) { return menus_[static_cast<size_t>(menu)]; }
  bool place_waiting();

  struct Waiting {
    QAction* action;
    MenuPosition place;
  };
  QMainWindow& window_;
  std::array<QMenu*, 16> menus_ = {};  // by Menu
  std::vector<Waiting> waiting_;       // for those that they stand below
};

}  // namespace vantage::ui
