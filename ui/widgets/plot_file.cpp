#include "ui/widgets/plot_file.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QImage>
#include <QMenu>
#include <QMessageBox>
#include <QPainter>
#include <QPdfWriter>

#include "core/base/file.h"

namespace vantage::ui {
namespace {

QString plot_tr(const char* text) {
  return QCoreApplication::translate("PlotFile", text);
}

void ask_for_plot_file(QWidget* plot, const QString& title,
                       const std::function<Status(const QString& file)>& save) {
  const QString file = QFileDialog::getSaveFileName(plot, plot_tr("Save Plot"), title + ".csv",
                                                    plot_tr("Values (*.csv);;Pictures (*.svg *.pdf *.png)"));
  if (file.isEmpty()) return;
  if (const Status saved = save(file); !saved)
    QMessageBox::warning(plot, plot_tr("Save Plot"), QString::fromStdString(saved.error().message()));
}

}  // namespace

Status save_plot(const QString& file, const PlotFile& plot) {
  const std::string path = file.toStdString();
  const QString ending = QFileInfo(file).suffix().toLower();
  if (ending == "csv") return write_file_atomically(path, plot.csv());
  if (ending == "svg") return write_file_atomically(path, plot.svg());
  if (ending == "pdf" || ending == "png")
    return write_file_atomically(path, plot.picture(ending == "pdf").toStdString());
  return fail(ErrorKind::invalid_argument, "plots are not saved in this format", path,
              "Use a name that ends in .csv, .svg, .pdf or .png.");
}

QPalette paper_palette() {
  QPalette colors(Qt::white);
  colors.setColor(QPalette::Base, Qt::white);
  colors.setColor(QPalette::Text, Qt::black);
  colors.setColor(QPalette::PlaceholderText, QColor(0xff5a5d61));
  return colors;
}

QByteArray plot_picture(const QSize& size, bool pdf, const QString& title,
                        const std::function<void(QPainter&)>& draw) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  if (pdf) {
    constexpr int kDots = 96, kPoints = 72;  // an inch
    QPdfWriter writer(&buffer);
    writer.setTitle(title);
    writer.setResolution(kDots);
    writer.setPageSize(QPageSize(QSizeF(size) * kPoints / kDots, QPageSize::Point));
    writer.setPageMargins({});
    QPainter painter(&writer);
    draw(painter);
    painter.end();
  } else {
    constexpr int kFiner = 2;
    QImage image(size * kFiner, QImage::Format_RGB32);
    image.setDevicePixelRatio(kFiner);
    QPainter painter(&image);
    draw(painter);
    painter.end();
    image.save(&buffer, "PNG");
  }
  return bytes;
}

void offer_to_save_plot(QWidget* plot, const QString& title, const QString& why_not, const QPoint& at,
                        const std::function<Status(const QString& file)>& save) {
  auto* menu = new QMenu(plot);
  menu->setObjectName("plot_menu");
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->setToolTipsVisible(true);
  QAction* action = menu->addAction(plot_tr("&Save Plot\u2026"));
  action->setToolTip(why_not.isEmpty() ? plot_tr("Save the values as CSV, or the picture as SVG, PDF or PNG")
                                       : why_not);
  action->setEnabled(why_not.isEmpty());
  QObject::connect(action, &QAction::triggered, plot,
                   [plot, title, save] { ask_for_plot_file(plot, title, save); });
  menu->popup(at);
}

}  // namespace vantage::ui
