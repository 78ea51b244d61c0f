#include "ui/main_window/result_words.h"

#include <QCoreApplication>
#include <QStringList>

namespace vantage::ui {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("ResultWords", text);
}

QStringList cameras_without_foreground(const Project& project, const FrameResult& result) {
  QStringList names;
  const ForegroundArtifact* foreground = result.foreground();
  for (size_t i = 0; foreground && i < foreground->cameras.size() && i < project.cameras.size(); ++i) {
    const Result<int64_t>& count = foreground->cameras[i].mask_count.get();
    if (count && *count == 0) names << QString::fromStdString(project.cameras[i].name);
  }
  return names;
}

QString quoted(const QString& text) {
  return '\'' + QString(text).replace("'", "'\\''") + '\'';
}

}  // namespace

SceneWords scene_words(const Project& project, const FrameResult& result) {
  if (!project.calibrated()) return {SceneState::needs_calibration, tr("3-D and people need a calibration.")};
  const CarvedVolume* volume = result.volume();
  if (!volume) return {SceneState::not_analysed, tr("Not analysed here.")};
  const Result<VolumeCounts>& counts = volume->counts.get();
  if (counts && counts->shell > 0) return {};
  const QStringList missing = cameras_without_foreground(project, result);
  if (missing.isEmpty())
    return {SceneState::nothing_found, tr("Nobody found: the cameras do not agree on any place.")};
  const QString reason = missing.size() == 1 ? tr("%1 has no foreground") : tr("%1 have no foreground");
  return {SceneState::nothing_found, tr("Nobody found: %1.").arg(reason.arg(missing.join(", ")))};
}

QString volume_words(const FrameResult& result) {
  const CarvedVolume* volume = result.volume();
  if (!volume) return {};
  const Result<VolumeCounts>& counts = volume->counts.get();
  if (!counts) return {};
  return tr("%1 litres").arg(qRound(volume->grid.liters(counts->occupied)));
}

QString place_words(const Project& project, const Eigen::Vector3d& point_in_world_m) {
  int seen = 0;
  for (const ProjectCamera& camera : project.cameras)
    if (camera.calibration && camera.calibration->sees(point_in_world_m)) ++seen;
  return tr("x %1  y %2 m, seen by %3 of %4")
      .arg(point_in_world_m.x(), 0, 'f', 2)
      .arg(point_in_world_m.y(), 0, 'f', 2)
      .arg(seen)
      .arg(project.cameras.size());
}

QString command_words(const Project& project, const QString& frames) {
  const QString path = project.path.empty() ? QStringLiteral("PROJECT.vantage")
                                            : QString::fromStdString(project.path.string());
  QString command = QStringLiteral("vantage-cli run ") + quoted(path);
  if (!frames.isEmpty()) command += QStringLiteral(" --frames ") + frames;
  for (const ParameterTable* table : project.parameters.tables())
    for (const ParameterDescription& entry : table->entries) {
      if (project.parameters.is_default(table->stage, entry.name)) continue;
      const Result<double> value = project.parameters.get(table->stage, entry.name);
      if (value)
        command += QString::fromStdString(" --set " + table->stage + "." + entry.name + "=" +
                                          ParameterStore::to_text(entry, *value));
    }
  return command;
}

}  // namespace vantage::ui
