#include "ui/main_window/variants/variants_control.h"

#include <QFileDialog>
#include <QMessageBox>
#include <cctype>
#include <utility>

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
      keep_results_(add_action(
          {"keep_results", "Keep Resu&lts", "Ctrl+F2",
           "Keep the project's results, with the parameters that they were made with, under the name that "
           "is typed: the next analysis leaves them alone, and can be compared with them",
           false, "Keep Results"},
          {Menu::edit, "keep_variant"}, [this] { keep_with_results(); })),
      use_(add_action({"use_variant", "&Use Variant", "Ctrl+Shift+F6",
                       "Give the project the chosen variant's parameters; can be undone", false, "Use"},
                      {Menu::edit, "keep_variant"}, [this] { use(); })),
      from_results_(
          add_action({"variant_of_results", "Variant of &Results\u2026", "Ctrl+Shift+F2",
                      "Keep the parameters that old results were made with", false, "Of Results\u2026"},
                     {Menu::edit, "use_variant"}, [this] { ask_for_results(); })),
      remove_(add_action(
          {"remove_variant", "Re&move Variant\u2026", "Ctrl+Shift+F3",
           "Remove the chosen variant, and the results kept under its name", false, "Remove\u2026"},
          {Menu::edit, "variant_of_results"}, [this] { ask_to_remove(); })),
      panel_(new VariantsPanel({keep_, keep_results_, use_, from_results_, remove_})) {
  connect(panel_, &VariantsPanel::chosen_changed, this, &VariantsControl::update_availability);
}

std::optional<Dock> VariantsControl::dock() const {
  return Dock{tr("Variants"), panel_, dock_};
}

void VariantsControl::refresh(Changes what) {
  if (!what.testFlag(Change::project)) return;
  if (!state().open()) return;
  panel_->show_in_use(project().parameters);
  if (what.testFlag(Change::other_project)) read_list();
}

void VariantsControl::forget() {
  job_.stop();
  panel_->clear();
}

void VariantsControl::update_availability() {
  const bool saved = has_file();
  const QString save_first = tr("Save the project first: variants are stored next to it.");
  enable(keep_, saved, save_first);
  enable(from_results_, saved, save_first);
  const bool analysed = state().tracks() && !state().tracks()->frames.empty();
  enable(keep_results_, saved && analysed && !state().busy(),
         !saved     ? save_first
         : analysed ? state().why_busy()
                    : tr("Analyse first."));
  for (QAction* action : {use_, remove_})
    enable(action, saved && panel_->chosen(), saved ? tr("Choose a variant first.") : save_first);
}

bool VariantsControl::has_name() {
  if (!panel_->name().isEmpty()) return true;
  emit dock_wanted();
  panel_->focus_name();
  panel_->show_text(tr("Type a name first."));
  return false;
}

void VariantsControl::keep() {
  if (!has_name()) return;
  const Variant variant{panel_->name().toStdString(), {}, "the project", {}, project().parameters};
  change([variant](const std::filesystem::path& to) { return write_variant(to, variant, false); },
         panel_->name());
}

void VariantsControl::keep_with_results() {
  if (!has_name()) return;
  panel_->show_text(tr("Copying the results \u2026"));
  change(
      [name = panel_->name().toStdString(),
       from = project().results_folder()](const std::filesystem::path& to) {
        return vantage::keep_results(to, name, from, default_parameters());
      },
      panel_->name());
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
  emit listed(variants);
  if (!name.isEmpty()) {
    panel_->choose(name);
    panel_->clear_name();
  }
  if (!damaged.empty()) panel_->show_text(QString::fromStdString(damaged.front().message()));
  update_availability();
}

}  // namespace vantage::ui
