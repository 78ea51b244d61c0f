// Asks for the kind of a plot, and its figures out of a list that is searched by typing.
#pragma once

#include <QDialog>
#include <functional>

#include "ui/main_window/plots/plot_reader.h"

class QCheckBox;
class QComboBox;
class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QListWidgetItem;
class QSpinBox;

namespace vantage::ui {

class PlotDialog final : public QDialog {
  Q_OBJECT
 public:
  // The name of a person; may be empty.
  using NameOf = std::function<QString(int64_t id)>;
  // `figures`: all that are offered, by name; those of the plot that are not among them are offered, too.
  PlotDialog(const QString& title, const std::vector<std::string>& figures, NameOf name_of,
             const PlotSpec& spec, QWidget* parent = nullptr);

  // In place of those before, when more is known of the results; what is chosen stays.
  void offer(const std::vector<std::string>& figures);
  PlotSpec spec() const;
  QString problem() const;  // why it cannot be drawn; empty: it can
  // As they are chosen.
  const std::vector<std::string>& chosen() const { return chosen_; }
  QListWidget* list() const { return list_; }

 signals:
  void accepted_with(const vantage::ui::PlotSpec& spec);

 private:
  void add_figure(const std::string& figure);
  void search();
  void take(const QListWidgetItem& item);
  void update_state();

  const NameOf name_of_;
  std::vector<std::string> offered_;
  QListWidget* list_;
  QLabel *shown_, *problem_;
  QCheckBox* in_range_;
  QDialogButtonBox* buttons_;
  std::vector<std::string> chosen_;
  QComboBox* kind_;
  QLineEdit* search_;
  QSpinBox* bins_;
};

}  // namespace vantage::ui
