// The base of every plot of the window: a title, small words, a frame while it is chosen or has the focus.
#pragma once

#include <QWidget>
#include <memory>
#include <string>

#include "core/base/result.h"

namespace vantage::ui {

class PlotWidget : public QWidget {
  Q_OBJECT
 public:
  void set_chosen(bool chosen);  // among several

 protected:
  explicit PlotWidget(const QString& title, QWidget* parent = nullptr);
  const QString& title() const { return title_; }

  virtual void draw(QPainter& painter) const = 0;       // what changes seldom
  virtual void draw_over(QPainter& painter) const = 0;  // the choice, and what is pointed at
  // In place of values, where there are none.
  void draw_empty(QPainter& painter, const QString& text, int top_px) const;

  void paintEvent(QPaintEvent* event) override;

 private:
  const QString title_;
  bool chosen_ = false;
};

// One of values that the window has: they are saved from the menu of the right button or of the menu key.
class SavedPlot : public PlotWidget {
  Q_OBJECT
 public:
  // Saves by the file's ending: .csv, the values; .svg; .pdf and .png, as drawn, on white, at least
  // 640 x 400 px. Errors: invalid_argument for another ending and for a plot without values; io.
  Status save(const QString& file) const;

 protected:
  explicit SavedPlot(const QString& title, QWidget* parent = nullptr) : PlotWidget(title, parent) {}
  virtual QString why_not_saved() const = 0;  // empty: it can be
  virtual std::string csv() const = 0;
  virtual std::string svg() const = 0;
  virtual std::unique_ptr<SavedPlot> copy() const = 0;  // of the same values
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  QByteArray picture(bool pdf) const;
  void ask_for_file();
};

}  // namespace vantage::ui
