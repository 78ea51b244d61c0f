// The menu bar, and the one way of declaring what stands in it: a command with its position. Controls add
// theirs through Control::add_action().
#pragma once

#include <QObject>
#include <QString>
#include <array>
#include <functional>
#include <vector>

#include "ui/main_window/window_actions.h"

class QMainWindow;
class QMenu;

namespace vantage::ui {

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
  std::vector<const QAction*> in_order() const;

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
