#include "ui/main_window/compare/compared_runs.h"

#include <QCoreApplication>
#include <algorithm>

#include "core/image/png.h"
#include "core/project/variants.h"
#include "core/results/results_pictures.h"

namespace vantage::ui {
namespace {

QString runs_tr(const char* text) {
  return QCoreApplication::translate("ComparedRuns", text);
}

std::filesystem::path results_of(const Project& project, const RunName& name) {
  return name.empty() ? project.results_folder() : variant_results(project.path, name);
}

// Bit `value` of every pixel of the foreground, as indexed_8; null: not kept.
QImage mask_bits(const std::filesystem::path& file, uint8_t value) {
  std::error_code none;
  if (!std::filesystem::exists(file, none)) return {};
  HostPool pool;
  const Result<Image> mask = read_png_gray(file, pool);
  if (!mask) return {};
  const ImageView<const uint8_t> from = mask->view<uint8_t>();
  QImage bits(mask->width(), mask->height(), QImage::Format_Indexed8);
  for (int y = 0; y < mask->height(); ++y) {
    uchar* to = bits.scanLine(y);
    for (int x = 0; x < mask->width(); ++x) to[x] = from.at(x, y) >= 128 ? value : 0;
  }
  return bits;
}

ComparedPerson compared_person(const FloorPerson& person, bool differs) {
  return {{person.id, {person.x_m, person.y_m, 0}, person.height_m}, differs};
}

}  // namespace

QString run_text(const RunName& name) {
  return name.empty() ? runs_tr("the project") : QString::fromStdString(name);
}

QString ComparedRun::outdated(const ParameterStore& project) const {
  if (!made_with) return runs_tr("of unknown parameters");
  return parameter_differences(*made_with, variant ? *variant : project).empty() ? QString()
                                                                                 : runs_tr("out of date");
}

RunStamps stamps_of(const Project& project, const std::array<RunName, 2>& names) {
  RunStamps stamps;
  for (size_t side = 0; side < 2; ++side) {
    std::error_code none;
    stamps[side] = std::filesystem::last_write_time(results_of(project, names[side]) / "results.jsonl", none);
  }
  return stamps;
}

Result<ComparedRunsRef> compare_runs(const Project& project, const std::array<RunName, 2>& names,
                                     const StopSource& stop) {
  auto compared = std::make_shared<ComparedRuns>();
  for (size_t side = 0; side < 2; ++side) {
    ComparedRun& run = compared->runs[side];
    run.name = names[side], run.folder = results_of(project, names[side]);
    if (!run.name.empty()) {
      VANTAGE_ASSIGN(Variant variant, read_variant(project.path, run.name, default_parameters()));
      run.variant = std::move(variant.parameters);
    }
    if (auto of = parameters_of_results(run.folder, default_parameters()))
      run.made_with = std::move(of->parameters);
    std::error_code none;
    run.masks = std::filesystem::exists(run.folder / "masks", none);
  }
  CompareResultsOptions options;
  options.project = &project, options.stop = stop;
  VANTAGE_ASSIGN(compared->results,
                 compare_results(compared->runs[0].folder, compared->runs[1].folder, options));
  return ComparedRunsRef(std::move(compared));
}

Result<std::vector<ComparedFigure>> measure_runs(const Project& project,
                                                 const std::array<RunName, 2>& names) {
  return compare_by_truth(results_of(project, names[0]), results_of(project, names[1]),
                          ground_truth_of(project.truth));
}

MarkedComparison marks_of_value(const ComparedValue& value, const std::vector<FloorPerson>& now,
                                int64_t frame) {
  MarkedComparison marked;
  const std::optional<std::vector<FloorPerson>> then = value.people(frame);
  marked.project = true;
  marked.sides[0].name = runs_tr("A: as it is now");
  marked.sides[1].name = QStringLiteral("B: %1").arg(value.name);
  marked.sides[1].known = then.has_value();
  if (!then) marked.sides[1].name += runs_tr(", \u25b2 not swept here");
  for (const PersonOfTwo& one : compare_people(now, then.value_or(std::vector<FloorPerson>()), {})) {
    // No one differs where nothing is known of the value.
    if (one.first) marked.sides[0].people.push_back(compared_person(*one.first, then && one.differs));
    if (one.second) marked.sides[1].people.push_back(compared_person(*one.second, one.differs));
  }
  return marked;
}

MarkedComparison marks_of_frame(const ComparedRuns& compared, int64_t frame, const ParameterStore& project) {
  MarkedComparison marked;
  const auto found = compared.results.by_frame.find(frame);
  const FrameOfTwo now = found == compared.results.by_frame.end() ? FrameOfTwo() : found->second;
  for (size_t side = 0; side < 2; ++side) {
    const ComparedRun& run = compared.runs[side];
    QString& name = marked.sides[side].name;
    name = QStringLiteral("%1: %2").arg(QChar("AB"[side])).arg(run_text(run.name));
    marked.sides[side].known = side == 0 ? now.first : now.second;
    if (!marked.sides[side].known) name += runs_tr(", \u25b2 no data here");
    if (const QString outdated = run.outdated(project); !outdated.isEmpty())
      name += QStringLiteral(", \u25b2 ") + outdated;
    marked.project |= run.name.empty();
  }
  for (const PersonOfTwo& one : now.people) {
    if (one.first) marked.sides[0].people.push_back(compared_person(*one.first, one.differs));
    if (one.second) marked.sides[1].people.push_back(compared_person(*one.second, one.differs));
  }
  return marked;
}

std::vector<ComparedMasks> masks_of_frame(const ComparedRuns& compared,
                                          const std::vector<std::string>& cameras, int64_t frame,
                                          const StopSource& stop) {
  std::vector<ComparedMasks> all;
  for (const std::string& camera : cameras) {
    if (stop.stop_requested()) return {};
    std::array<QImage, 2> masks;
    for (size_t side = 0; side < 2; ++side)
      masks[side] = mask_bits(compared.runs[side].folder / "masks" / camera / frame_file_name(frame, "png"),
                              side == 0 ? 1 : 2);
    all.push_back(tint_masks(masks));
  }
  return all;
}

}  // namespace vantage::ui
