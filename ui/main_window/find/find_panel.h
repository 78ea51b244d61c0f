// A question to everybody's tracks, asked again with every change, and its answer.
#pragma once

#include <QAbstractTableModel>
#include <QImage>
#include <QLabel>
#include <QStringList>
#include <QTableView>
#include <QWidget>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/tracks/find/question.h"

class QComboBox;
class QDoubleSpinBox;
class QLineEdit;
class QSettings;
class QToolButton;

namespace vantage::ui {

class Form;

// Results as a table: when, who, for how long, where; a picture next to the time where one was read.

// A column's heading, and what is said of it.
struct FoundColumn {
  QString name, tip;
};

// A result in words; time and people can take two lines.
struct FoundRow {
  QString time, who, length, where, tip;
  QImage picture = {};  // null: none
};

class FoundModel final : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column : uint8_t { kTime, kWho, kLength, kWhere, kColumns };
  explicit FoundModel(QObject* parent = nullptr);

  void set_columns(const std::array<FoundColumn, kColumns>& columns) { columns_ = columns; }
  void set_rows(std::vector<FoundRow> rows);
  void set_picture(int row, const QImage& picture);
  const FoundRow& at(int row) const { return rows_[row]; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::array<FoundColumn, kColumns> columns_;
  std::vector<FoundRow> rows_;
};

// One row is chosen; Return, Enter or a double-click on it, and go_on(), ask to go there.
class FoundList final : public QTableView {
  Q_OBJECT
 public:
  explicit FoundList(QWidget* parent = nullptr);

  // Other headings than those of search results; before the first rows.
  void set_columns(const std::array<FoundColumn, FoundModel::kColumns>& columns) {
    model_->set_columns(columns);
  }
  // `pictured`: pictures will come; there is room for them.
  void set_rows(std::vector<FoundRow> rows, bool pictured);
  void set_picture(int row, const QImage& picture) { model_->set_picture(row, picture); }
  int count() const { return model_->rowCount(); }
  const FoundRow& at(int row) const { return model_->at(row); }
  int chosen() const;  // -1: none
  // Chooses the next (1) or previous (-1) row, the first or last where none is chosen, and goes there. False:
  // there is none.
  bool go_on(int by);

 signals:
  void wanted(int row);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fit_columns();

  FoundModel* model_;
  std::array<int, FoundModel::kColumns> needed_px_ = {};  // by the columns' contents
};

// A question as the fields have it.
struct TypedQuestion {
  FindKind kind = FindKind::present;
  std::string place;  // name of a zone or line of the project; empty: the drawn one
  CrossingWay way = CrossingWay::either;
  double closer_m = 1, longer_s = 0;
  std::optional<double> taller_m, shorter_m;
  QString from, to, people;
};

class FindPanel final : public QWidget {
  Q_OBJECT
 public:
  // The commands that go to the next and the previous answer stand below as buttons.
  explicit FindPanel(const std::vector<QAction*>& commands, QWidget* parent = nullptr);

  TypedQuestion typed() const;
  void show_places(const std::vector<std::string>& zones, const std::vector<std::string>& lines);
  void set_drawn(bool zone, bool there);  // a place was drawn, and is chosen; or it is gone
  // How times are written here: "14:32:05, +0:12:30 …".
  void show_moment_hint(const QString& hint);
  void show_found(std::vector<FoundRow> rows, bool pictured, const QString& words);
  void show_problem(const QString& problem);  // nothing can be asked so
  void forget();                              // what belongs to one recording: places, times and people
  void focus_first();
  FoundList* list() const { return list_; }
  QString summary() const { return summary_->text(); }

  void restore(const QSettings& settings);
  void save(QSettings& settings) const;

 signals:
  void asked();
  void draw_wanted(bool zone);

 private:
  void add_place();
  void show_kind();
  void fill_places();

  std::vector<std::string> zones_, lines_;
  bool drawn_zone_ = false, drawn_line_ = false;
  Form* form_;
  QComboBox *kind_, *place_, *way_;
  QToolButton* draw_;
  QWidget* place_row_;
  QDoubleSpinBox *closer_, *longer_, *taller_, *shorter_;
  QLineEdit *from_, *to_, *people_;
  QLabel* summary_;
  FoundList* list_;
};

}  // namespace vantage::ui
