// The base of every plot of the window: a title, small words, a frame while it has the focus. Plots of values
// that the window has save them to a file, from the menu of the right button or of the menu key.
#pragma once

#include <QWidget>
#include <memory>
#include <string>

#include "core/base/result.h"

namespace vantage::ui {

class PlotWidget : public QWidget {
  Q_OBJECT
 public:
  // Saves by the file's ending: .csv, the values; .svg; .pdf and .png, as drawn, on white, at least
  // 640 x 400 px. Errors: invalid_argument for another ending and for a plot without values; io.
  Status save(const QString& file) const;

 protected:
  // `smaller_pt`: than the words of other widgets.
  PlotWidget(const QString& title, double smaller_pt, QWidget* parent = nullptr);
  const QString& title() const { return title_; }

  virtual void draw(QPainter& painter) const = 0;       // for the screen and for files
  virtual void draw_over(QPainter& painter) const = 0;  // the choice, and what is pointed at
  // Around all, where it has the focus or is chosen.
  void draw_frame(QPainter& painter, bool chosen = false) const;

  virtual QString why_not_saved() const = 0;  // empty: it can be
  virtual std::string csv() const = 0;
  virtual std::string svg() const = 0;
  virtual std::unique_ptr<PlotWidget> copy() const = 0;  // of the same values

  void paintEvent(QPaintEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  QByteArray picture(bool pdf) const;
  void ask_for_file();

  const QString title_;
};

}  // namespace vantage::ui
