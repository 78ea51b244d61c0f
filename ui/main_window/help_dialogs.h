// Five steps for who sees the window for the first time, each with its keys.
#pragma once

#include <QDialog>
#include <vector>

class QAction;
class QLabel;
class QLineEdit;
class QListWidget;
class QTableWidget;
class QTableWidgetItem;
class QTextBrowser;
class QUrl;

namespace vantage::ui {

class FirstStepsDialog final : public QDialog {
  Q_OBJECT
 public:
  explicit FirstStepsDialog(QWidget* parent);
};

// The guide's pages: all of them or, once words are typed, those that hold all of the words.

class GuideWindow final : public QDialog {
  Q_OBJECT
 public:
  explicit GuideWindow(QWidget* parent);

 private:
  struct Page {
    QString url, title, text;
  };
  void read_pages();
  void list();
  void open_chosen();
  void follow(const QUrl& link);
  void mark_words();

  std::vector<Page> pages_;  // in the order of the guide's contents
  QLineEdit* words_;
  QListWidget* list_;
  QTextBrowser* text_;
};

// Every command of the window with its key, which can be changed, by the menus that hold them.

class ShortcutsDialog final : public QDialog {
  Q_OBJECT
 public:
  ShortcutsDialog(const std::vector<QAction*>& actions, QWidget* parent);

 private:
  void list();
  void add_heading(const QString& text);
  void take_key(QTableWidgetItem* item);
  void reset(bool all);

  std::vector<QAction*> actions_;
  std::vector<QAction*> rows_;  // what each row is about; null: a heading, or a key that is held
  QTableWidget* table_;
  QLabel* note_;
};

}  // namespace vantage::ui
