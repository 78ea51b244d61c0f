// The menu bar. Controls add their commands beside those that are there (Control::add_action()).
#pragma once

#include <QObject>
#include <QString>
#include <array>
#include <functional>
#include <vector>

#include "ui/main_window/window_actions.h"

class QMainWindow;
class QMenu;
class QMenuBar;

namespace vantage::ui {

enum class Menu : uint8_t { file_export, edit_people, docks, playback, analysis, scene };

// Where a command stands in the menus.
struct MenuPlace {
  Menu menu;
  const char* after = nullptr;  // the name of the action above it, which may be added later; null: at the end
  bool separated = false;       // from that one, by a line
};

class WindowMenus final : public QObject {
  Q_OBJECT
 public:
  // `open` is called with the file of a recent project that was chosen. `window` owns this.
  WindowMenus(QMainWindow& window, const WindowActions& actions,
              std::function<void(const QString& file)> open);

  void add(QAction* action, const MenuPlace& place);

 private:
  using Open = std::function<void(const QString& file)>;
  void build_file_menu(QMenuBar* bar, const WindowActions& actions, const Open& open);
  void build_edit_menu(QMenuBar* bar, const WindowActions& actions);
  void build_view_menu(QMenuBar* bar, const WindowActions& actions);
  QMenu*& of(Menu menu) { return menus_[static_cast<size_t>(menu)]; }

  bool add_waiting();

  struct Waiting {
    QAction* action;
    MenuPlace place;
  };
  std::array<QMenu*, 6> menus_ = {};  // by Menu
  std::vector<Waiting> waiting_;      // for those that they stand below
};

}  // namespace vantage::ui
