// The project's rules: what makes an event. Every row says how many alarms an hour it would have made on what
// is analysed, so that a rule is tried before it is armed by OK.
#pragma once

#include <QDialog>

#include "core/project/project.h"
#include "core/session/recorded_tracks.h"

class QLabel;
class QTableWidget;

namespace vantage::ui {

// "enters", "more people than"
QString rule_kind_text(RuleKind kind);

class RulesDialog final : public QDialog {
  Q_OBJECT
 public:
  // `tracks` may be null: then nothing can be tried.
  RulesDialog(const Project& project, TracksRef tracks, QWidget* parent = nullptr);

  std::vector<FloorRule> rules() const;
  QString tried(int row) const;  // "4.1 an hour (12)"
  void add_rule(const FloorRule& rule);

 private:
  void remove_rule();
  void try_rules();
  QStringList places(RuleKind kind) const;

  const Project project_;
  const TracksRef tracks_;
  QTableWidget* table_;
  QLabel* words_;
};

}  // namespace vantage::ui
