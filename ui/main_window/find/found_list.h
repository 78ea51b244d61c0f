// What was found, as a table: when, who, for how long, where; a picture next to the time where one was read.
#pragma once

#include <QAbstractTableModel>
#include <QImage>
#include <QStringList>
#include <QTableView>
#include <array>
#include <vector>

namespace vantage::ui {

// A column's heading, and what is said of it.
struct FoundColumn {
  QString name, tip;
};

// A result in words.
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
  const FoundRow& at(int row) const { return rows_[static_cast<size_t>(row)]; }

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

}  // namespace vantage::ui
