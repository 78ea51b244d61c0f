#include "ui/widgets/plot_widget.h"

#include <QBuffer>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QPainter>
#include <QPdfWriter>

#include "core/base/file.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

constexpr QSize kMinPicture(640, 400);

// Whatever the theme: papers are white.
QPalette paper_palette() {
  QPalette colors(Qt::white);
  colors.setColor(QPalette::Base, Qt::white);
  colors.setColor(QPalette::Text, Qt::black);
  colors.setColor(QPalette::PlaceholderText, QColor(0xff5a5d61));
  return colors;
}

}  // namespace

PlotWidget::PlotWidget(const QString& title, QWidget* parent) : QWidget(parent), title_(title) {
  setAccessibleName(title);
  setFocusPolicy(Qt::StrongFocus);
  setFont(sized(font(), TextSize::small));
}

void PlotWidget::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  draw(painter);
  draw_over(painter);
  if (!chosen_ && !hasFocus()) return;
  painter.setPen(QPen(palette().color(hasFocus() ? QPalette::Highlight : QPalette::Mid), 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
}

void PlotWidget::draw_empty(QPainter& painter, const QString& text, int top_px) const {
  painter.setPen(palette().color(QPalette::PlaceholderText));
  painter.drawText(rect().adjusted(8, top_px, -8, -4), Qt::AlignCenter | Qt::TextWordWrap, text);
}

void PlotWidget::set_chosen(bool chosen) {
  chosen_ = chosen;
  update();
}

// A PNG of twice as many pixels, or a page of a PDF with 96 of them an inch.
QByteArray SavedPlot::picture(bool pdf) const {
  constexpr int kDots = 96, kPoints = 72, kFiner = 2;
  const std::unique_ptr<SavedPlot> plot = copy();
  plot->setPalette(paper_palette());
  plot->resize(size().expandedTo(kMinPicture));
  const auto draw_on = [&plot](QPaintDevice* device) {
    QPainter painter(device);
    painter.setFont(plot->font());
    plot->draw(painter);
  };
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  if (pdf) {
    QPdfWriter writer(&buffer);
    writer.setTitle(title());
    writer.setResolution(kDots);
    writer.setPageSize(QPageSize(QSizeF(plot->size()) * kPoints / kDots, QPageSize::Point));
    writer.setPageMargins({});
    draw_on(&writer);
  } else {
    QImage image(plot->size() * kFiner, QImage::Format_RGB32);
    image.setDevicePixelRatio(kFiner);
    draw_on(&image);
    image.save(&buffer, "PNG");
  }
  return bytes;
}

Status SavedPlot::save(const QString& file) const {
  const std::string path = file.toStdString();
  if (!why_not_saved().isEmpty())
    return fail(ErrorKind::invalid_argument, "the plot has no values", title().toStdString());
  const QString ending = QFileInfo(file).suffix().toLower();
  if (ending == "csv") return write_file_atomically(path, csv());
  if (ending == "svg") return write_file_atomically(path, svg());
  if (ending == "pdf" || ending == "png")
    return write_file_atomically(path, picture(ending == "pdf").toStdString());
  return fail(ErrorKind::invalid_argument, "plots are not saved in this format", path,
              "Use a name that ends in .csv, .svg, .pdf or .png.");
}

void SavedPlot::ask_for_file() {
  const QString file = QFileDialog::getSaveFileName(this, tr("Save Plot"), title() + ".csv",
                                                    tr("Values (*.csv);;Pictures (*.svg *.pdf *.png)"));
  if (file.isEmpty()) return;
  if (const Status saved = save(file); !saved)
    QMessageBox::warning(this, tr("Save Plot"), QString::fromStdString(saved.error().message()));
}

void SavedPlot::contextMenuEvent(QContextMenuEvent* event) {
  const QString why_not = why_not_saved();
  auto* menu = new QMenu(this);
  menu->setObjectName("plot_menu");
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->setToolTipsVisible(true);
  QAction* action = menu->addAction(tr("&Save Plot\u2026"), this, &SavedPlot::ask_for_file);
  action->setToolTip(why_not.isEmpty() ? tr("Save the values as CSV, or the picture as SVG, PDF or PNG")
                                       : why_not);
  action->setEnabled(why_not.isEmpty());
  menu->popup(event->globalPos());
}

}  // namespace vantage::ui
