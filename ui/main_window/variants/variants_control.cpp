#include "ui/main_window/variants/variants_control.h"

#include <QFileDialog>
#include <QMessageBox>
#include <cctype>
#include <utility>

#include "ui/main_window/overlay_control.h"

namespace vantage::ui {
namespace {

ShownVariant shown_variant(const std::filesystem::path& project, Variant variant) {
  const std::filesystem::path folder = variant_results(project, variant.name);
  ShownVariant shown{std::move(variant), std::nullopt, false};
  const Result<ParametersOfResults> of = parameters_of_results(folder, default_parameters());
  if (!of) return shown;  // nothing is kept under its name
  shown.frames = of->frames;
  shown.results_current = parameter_differences(of->parameters, shown.variant.parameters).empty();
  return shown;
}

// A name that a variant can have, of a folder's.
std::string name_of_folder(const QString& folder) {
  std::string name = std::filesystem::path(folder.toStdString()).stem().string();
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.' && c != '-' && c != '_') c = ' ';
  return name.substr(0, 60);
}

}  // namespace

VariantsControl::VariantsControl(const WindowParts& parts)
    : Control(parts),
      dock_(add_action({"variants_dock", "&Variants", "Ctrl+F6", "Show the variants of the parameters", true},
                       {Menu::docks, "parameters"})),
      keep_(add_action({"keep_variant", "&Keep as Variant", "Shift+F6",
                        "Keep the parameters in use under the name that is typed", false, "Keep"},
                       {Menu::edit, nullptr, true}, [this] { keep(); })),
      use_(add_action({"use_variant", "&Use Variant", "Ctrl+Shift+F6",
                       "Give the project the chosen variant's parameters; can be undone", false, "Use"},
                      {Menu::edit, "keep_variant"}, [this] { use(); })),
      from_results_(
          add_action({"variant_of_results", "Variant of &Results\u2026", "Ctrl+Alt+F6",
                      "Keep the parameters that old results were made with", false, "Of Results\u2026"},
                     {Menu::edit, "use_variant"}, [this] { ask_for_results(); })),
      remove_(add_action(
          {"remove_variant", "Re&move Variant\u2026", "Ctrl+Alt+Shift+F6",
           "Remove the chosen variant, and the results kept under its name", false, "Remove\u2026"},
          {Menu::edit, "variant_of_results"}, [this] { ask_to_remove(); })),
      draw_(
          add_action({"draw_variant", "&Draw Variant's People", "Ctrl+F5",
                      "Show the people of the chosen variant's results in every view, dashed around those of "
                      "the project; orange where they differ",
                      true, "Draw"},
                     {Menu::analysis, "load_truth", true})),
      next_(
          add_action({"next_difference", "&Next Difference", "Ctrl+Alt+F5",
                      "Go to the next frame in which the chosen variant's results have other people than the "
                      "project's: nobody within 0.7 m, or more than 0.3 m apart",
                      false, "Next Difference"},
                     {Menu::analysis, "draw_variant"}, [this] { go_to_next(); })),
      panel_(new VariantsPanel({keep_, use_, from_results_, remove_, draw_, next_})) {
  connect(panel_, &VariantsPanel::chosen_changed, this, [this] {
    update_availability();
    if (chosen_name() != compared_with_) drop_comparison();
  });
  connect(draw_, &QAction::toggled, this, [this](bool on) { on ? compare([this] { draw(); }) : draw(); });
}

std::optional<Dock> VariantsControl::dock() const {
  return Dock{tr("Variants"), panel_, dock_};
}

void VariantsControl::refresh(Changes what) {
  if (what.testFlag(Change::tracks)) drop_comparison();
  if (what.testFlag(Change::frame)) draw();
  if (!what.testFlag(Change::project)) return;
  if (!state().open()) return;
  panel_->show_in_use(project().parameters);
  if (what.testFlag(Change::other_project)) change({}, {});
}

void VariantsControl::forget() {
  job_.stop();
  drop_comparison();
  panel_->clear();
}

std::string VariantsControl::chosen_name() const {
  const ShownVariant* shown = panel_->chosen();
  return shown && shown->frames ? shown->variant.name : std::string();
}

// Other results, or another variant: what was compared is not theirs.
void VariantsControl::drop_comparison() {
  compare_job_.stop();
  compared_.reset();
  compared_with_.clear();
  draw_->setChecked(false);
  draw();
}

void VariantsControl::compare(const std::function<void()>& then) {
  const std::string name = chosen_name();
  if (name.empty()) return;
  if (compared_ && compared_with_ == name) return then();
  panel_->show_text(tr("Comparing the results \u2026"));
  compare_job_.start(
      [this, then, name, mine = project().results_folder(),
       other = variant_results(project().path, name)](const StopSource& stop) -> BackgroundJob::Deliver {
        CompareResultsOptions options;
        options.stop = stop;
        auto compared = std::make_shared<Result<ResultsComparison>>(compare_results(mine, other, options));
        return [this, then, name, compared] {
          if (!*compared) {
            draw_->setChecked(false);
            return panel_->show_text(QString::fromStdString(compared->error().message()));
          }
          compared_ = std::make_shared<const ResultsComparison>(std::move(**compared));
          compared_with_ = name;
          panel_->show_text(tr("%1 of %2 frames differ.").arg(compared_->differing).arg(compared_->frames));
          then();
        };
      });
}

void VariantsControl::draw() {
  std::vector<MarkedSecond> others;
  if (compared_ && draw_->isChecked() && state().shown()) {
    const auto now = compared_->people.find(state().shown()->result->frame);
    if (now != compared_->people.end())
      for (const PersonOfTwo& one : now->second)
        if (one.second)
          others.push_back(
              {{one.second->id, {one.second->x_m, one.second->y_m, 0}, one.second->height_m}, one.differs});
  }
  parts().overlays->set_others(std::move(others));
}

void VariantsControl::go_to_next() {
  compare([this] {
    const int64_t frame = state().shown() ? state().shown()->result->frame : -1;
    const std::optional<int64_t> next = compared_->next_difference(frame);
    if (!next) return panel_->show_text(tr("The results do not differ."));
    const PersonOfTwo& one = compared_->people.at(*next).front();
    const QString place =
        tr("Frame %1, x %2  y %3 m: ").arg(*next).arg(one.any().x_m, 0, 'f', 2).arg(one.any().y_m, 0, 'f', 2);
    const QString name = QString::fromStdString(compared_with_);
    panel_->show_text(place + (!one.second  ? tr("%1 has nobody here.").arg(name)
                               : !one.first ? tr("only %1 has somebody here.").arg(name)
                                            : tr("%1 m apart.").arg(one.apart_m, 0, 'f', 2)));
    draw_->setChecked(true);
    emit seek_requested(*next);
  });
}

void VariantsControl::update_availability() {
  const bool saved = has_file();
  const QString save_first = tr("Save the project first: variants lie beside it.");
  enable(keep_, saved, save_first);
  enable(from_results_, saved, save_first);
  for (QAction* action : {draw_, next_})
    enable(action, !chosen_name().empty(), tr("Choose a variant with results first."));
  for (QAction* action : {use_, remove_})
    enable(action, saved && panel_->chosen(), saved ? tr("Choose a variant first.") : save_first);
}

void VariantsControl::keep() {
  const QString name = panel_->name();
  if (name.isEmpty()) {
    emit dock_wanted();
    panel_->focus_name();
    return panel_->show_text(tr("Type a name first."));
  }
  const Variant variant{name.toStdString(), {}, "the project", {}, project().parameters};
  change([variant](const std::filesystem::path& to) { return write_variant(to, variant, false); }, name);
}

void VariantsControl::ask_for_results() {
  const QString folder = QFileDialog::getExistingDirectory(
      panel_, tr("Variant of Results"), QString::fromStdString(project().path.parent_path().string()));
  if (!folder.isEmpty()) keep_results(folder);
}

void VariantsControl::keep_results(const QString& folder) {
  const std::string typed = panel_->name().toStdString();
  const std::string name = typed.empty() ? name_of_folder(folder) : typed;
  change(
      [name, from = std::filesystem::path(folder.toStdString())](const std::filesystem::path& to) -> Status {
        VANTAGE_ASSIGN(const ParametersOfResults of, parameters_of_results(from, default_parameters()));
        return write_variant(
            to, {name, {}, from.filename().string() + " of version " + of.version, {}, of.parameters}, false);
      },
      QString::fromStdString(name));
}

void VariantsControl::use() {
  const ShownVariant* shown = panel_->chosen();
  if (!shown) return;
  post(command::Edit{
      "variant " + shown->variant.name,
      [parameters = shown->variant.parameters](Project& project) { project.parameters = parameters; }});
}

void VariantsControl::ask_to_remove() {
  const ShownVariant* shown = panel_->chosen();
  if (!shown) return;
  const std::string name = shown->variant.name;
  const QString question =
      tr("Remove the variant %1%2? This cannot be undone.")
          .arg(QString::fromStdString(name),
               shown->frames ? tr(" with its results of %1 frames").arg(*shown->frames) : QString());
  if (QMessageBox::question(panel_, tr("Remove Variant"), question) != QMessageBox::Yes) return;
  change([name](const std::filesystem::path& from) { return remove_variant(from, name); }, {});
}

void VariantsControl::change(const std::function<Status(const std::filesystem::path& project)>& work,
                             const QString& name) {
  if (!has_file()) return;
  job_.start([this, work, name, file = project().path](const StopSource&) -> BackgroundJob::Deliver {
    const Status done = work ? work(file) : Status();
    StoredVariants stored = read_variants(file, default_parameters());
    auto shown = std::make_shared<std::vector<ShownVariant>>();
    for (Variant& variant : stored.variants) shown->push_back(shown_variant(file, std::move(variant)));
    return [this, done, shown, damaged = std::move(stored.damaged), name] {
      if (!done) return panel_->show_text(QString::fromStdString(done.error().message()));
      show(*shown, damaged, name);
    };
  });
}

void VariantsControl::show(const std::vector<ShownVariant>& variants, const std::vector<Error>& damaged,
                           const QString& name) {
  panel_->show_variants(variants);
  if (!name.isEmpty()) {
    panel_->choose(name);
    panel_->clear_name();
  }
  if (!damaged.empty()) panel_->show_text(QString::fromStdString(damaged.front().message()));
  update_availability();
}

}  // namespace vantage::ui
