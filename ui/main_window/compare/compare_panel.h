// Which two runs are compared and how, and where they differ, as a list.
#pragma once

#include <QLabel>
#include <QString>
#include <QWidget>
#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/threads.h"
#include "core/project/project.h"
#include "core/results/compare_results.h"
#include "ui/views/compared_marks.h"

class QComboBox;
class QTableWidget;

namespace vantage::ui {

// Two runs of a project that are compared: read off the GUI thread, kept as long as their files stay as they
// are.

// The results of a variant, by its name; the project's own have an empty one.
using RunName = std::string;
QString run_text(const RunName& name);  // "strict", "the project"

struct ComparedRun {
  RunName name;
  std::filesystem::path folder;
  std::optional<ParameterStore> made_with;  // nothing: older results do not say
  std::optional<ParameterStore> variant;    // its present parameters; nothing: the project's count
  bool masks = false;                       // foreground masks of some frames are kept

  // Why they are not those of the present parameters, for a label; empty: they are.
  QString outdated(const ParameterStore& project) const;
};

struct ComparedRuns {
  std::array<ComparedRun, 2> runs;
  ResultsComparison results;
};
using ComparedRunsRef = std::shared_ptr<const ComparedRuns>;

// When their results were written; changes with every run.
using RunStamps = std::array<std::filesystem::file_time_type, 2>;
RunStamps stamps_of(const Project& project, const std::array<RunName, 2>& names);

// Errors: those of read_variant() and compare_results().
Result<ComparedRunsRef> compare_runs(const Project& project, const std::array<RunName, 2>& names,
                                     const StopSource& stop);

// The two by the ground truth drawn in the project; empty where it has none in their frames. Errors: those of
// compare_by_truth().
Result<std::vector<ComparedFigure>> measure_runs(const Project& project, const std::array<RunName, 2>& names);

// People of the project at other values, shown next to those it has now: a point of a sweep.
struct ComparedValue {
  QString name;  // "people.min_own 0.4"
  // Who is there then; nothing: not known.
  std::function<std::optional<std::vector<FloorPerson>>(int64_t frame)> people;
};
// A: those `now`, B: those of the value.
MarkedComparison marks_of_value(const ComparedValue& value, const std::vector<FloorPerson>& now,
                                int64_t frame);

// The two sides of a frame; without masks.
MarkedComparison marks_of_frame(const ComparedRuns& compared, int64_t frame, const ParameterStore& project);
// The masks of a frame that the runs keep, by camera; empty: none.
std::vector<ComparedMasks> masks_of_frame(const ComparedRuns& compared,
                                          const std::vector<std::string>& cameras, int64_t frame,
                                          const StopSource& stop);

struct ComparePanelActions {
  std::vector<QAction*> styles;
  QAction *swap, *previous, *next;
};

class ComparePanel final : public QWidget {
  Q_OBJECT
 public:
  explicit ComparePanel(const ComparePanelActions& actions, QWidget* parent = nullptr);

  // The runs there are; those chosen stay chosen where they are among them, else two others are.
  void show_runs(const std::vector<RunName>& runs);
  std::array<RunName, 2> chosen() const;
  void choose(const std::array<RunName, 2>& names);
  void show_text(const QString& text);
  void show_note(const QString& text);  // of the frame that is shown; empty: none
  // `frame_text`: a frame with its time, for tooltips.
  void show_differences(const ComparedRuns& compared, const std::function<QString(int64_t)>& frame_text);
  void clear();
  // Figures by ground truth: which of the two is better; `words` says what they mean, or why there are none.
  void show_figures(const std::vector<ComparedFigure>& figures, const QString& words);
  QTableWidget* figures() const { return figures_; }
  QString figures_text() const { return figures_text_->text(); }
  // Differences of the chosen kinds, by first frame.
  const std::vector<ResultsDifference>& differences() const { return listed_; }
  void select(std::optional<size_t> difference);
  std::optional<size_t> selected() const;
  QTableWidget* list() const { return list_; }
  QComboBox* side(size_t side) const { return sides_[side]; }
  QComboBox* kinds() const { return kinds_; }
  QString text() const { return text_->text(); }
  QString note() const { return note_->text(); }

 signals:
  void runs_chosen();
  // A row was clicked, or chosen with the keys.
  void difference_chosen(size_t difference);
  void kinds_changed();

 private:
  void fill_list();

  std::array<QComboBox*, 2> sides_;
  QComboBox* kinds_;
  QLabel *text_, *note_, *more_, *figures_text_;
  QTableWidget *list_, *figures_;
  std::vector<ResultsDifference> all_, listed_;
  std::array<std::string, 2> names_;
  std::function<QString(int64_t)> frame_text_;
};

}  // namespace vantage::ui
