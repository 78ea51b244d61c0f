#include "ui/main_window/result_text.h"

#include <QCoreApplication>
#include <cmath>

#include "core/pipeline/frame_people.h"
#include "core/pipeline/memory_needed.h"
#include "core/pipeline/stages.h"
#include "ui/widgets/numbers.h"

namespace vantage::ui {
namespace {

QString result_tr(const char* text) {
  return QCoreApplication::translate("ResultText", text);
}

// "cam1, cam2 have no picture; cam3 has no foreground".
QString cameras_without_people(const Project& project, const FrameResult& result) {
  QStringList pictures, masks;
  const ForegroundArtifact* foreground = result.foreground();
  for (size_t i = 0; foreground && i < foreground->cameras.size() && i < project.cameras.size(); ++i) {
    const ForegroundImages& camera = foreground->cameras[i];
    const Result<int64_t>& count = camera.mask_count.get();
    if (count && *count == 0)
      (camera.mask ? masks : pictures) << QString::fromStdString(project.cameras[i].name);
  }
  const auto told = [](const QStringList& names, const char* one, const char* several) {
    return names.isEmpty() ? QStringList()
                           : QStringList(result_tr(names.size() == 1 ? one : several).arg(names.join(", ")));
  };
  return (told(pictures, QT_TRANSLATE_NOOP("ResultText", "%1 has no picture"),
               QT_TRANSLATE_NOOP("ResultText", "%1 have no picture")) +
          told(masks, QT_TRANSLATE_NOOP("ResultText", "%1 has no foreground"),
               QT_TRANSLATE_NOOP("ResultText", "%1 have no foreground")))
      .join("; ");
}

constexpr double kMinTold_ms = 0.05;  // of a stage; most that take less are switched off

QString quoted(const QString& text) {
  return '\'' + QString(text).replace("'", "'\\''") + '\'';
}

}  // namespace

SceneText scene_text(const Project& project, const ShownFrame& shown) {
  const FrameResult& result = *shown.result;
  if (!project.calibrated())
    return {SceneState::needs_calibration, result_tr("3-D and people need a calibration.")};
  const CarvedVolume* volume = result.volume();
  if (!volume) return {SceneState::not_analysed, result_tr("Not analysed here.")};
  const PeopleArtifact* people = shown.people();
  if (people && !people_of(shown).empty()) return {};
  if (people && !people->looked && people_count(result))
    return {SceneState::nothing_found,
            result_tr("No one was found in the last frame that the detector searched.")};
  if (people && !people->looked)
    return {
        SceneState::nothing_found,
        result_tr("Whether anyone is here is unknown: %1.").arg(QString::fromStdString(people->stopped_at))};
  const Result<VolumeCounts>& counts = volume->counts.get();
  if (counts && counts->shell > 0) return {};
  if (people && result.detections() && !people->stopped_at.empty())
    return {SceneState::nothing_found,
            result_tr("No one found: %1.").arg(QString::fromStdString(people->stopped_at))};
  const QString reason = cameras_without_people(project, result);
  return {SceneState::nothing_found,
          result_tr("No one found: %1.")
              .arg(reason.isEmpty() ? result_tr("the cameras do not agree on any position") : reason)};
}

QString volume_text(const FrameResult& result) {
  const CarvedVolume* volume = known_volume(result);
  if (!volume) return {};
  const Result<VolumeCounts>& counts = volume->counts.get();
  if (!counts) return {};
  return result_tr("volume in sight %1 litres").arg(qRound(volume->grid.liters(counts->occupied)));
}

QString position_text(const Project& project, int64_t frame, const Eigen::Vector3d& point_in_world_m) {
  int seen = 0;
  for (const ProjectCamera& camera : project.cameras)
    if (const Camera* now = camera.calibration_at(frame); now && now->sees(point_in_world_m)) ++seen;
  return result_tr("x %1  y %2 m, seen by %3 of %4")
      .arg(point_in_world_m.x(), 0, 'f', 2)
      .arg(point_in_world_m.y(), 0, 'f', 2)
      .arg(seen)
      .arg(project.cameras.size());
}

QString coordinates_text(const Eigen::Vector3d& v_m, const QString& between) {
  QStringList numbers;
  for (const double value : v_m) numbers << number_text(value, 'f', 3);
  return numbers.join(between);
}

QString start_offset_text(const Project& project, int camera, double frames_per_s) {
  if (camera <= 0) return {};
  const ProjectCamera& entry = project.cameras.at(camera);
  const QString base = QString::fromStdString(project.cameras.front().name);
  const double frames = entry.offset_frames;
  if (frames == 0) return result_tr("started with %1").arg(base);
  const double rate = entry.frame_rate > 0 ? entry.frame_rate : frames_per_s;
  return (frames > 0 ? result_tr("started %1 frames (%2 s) before %3")
                     : result_tr("started %1 frames (%2 s) after %3"))
      .arg(std::abs(frames))
      .arg(rate > 0 ? std::abs(frames) / rate : 0, 0, 'f', 2)
      .arg(base);
}

QStringList camera_text(const Project& project, int camera, double frames_per_s, const FrameResult* result,
                        const FrameTimings& timings) {
  QStringList lines;
  const FrameSet* frames = result ? result->frames() : nullptr;
  const auto index = static_cast<size_t>(camera);
  if (frames && index < frames->cameras.size() && frames->cameras[index].camera_frame >= 0)
    lines << result_tr("frame %1").arg(frames->cameras[index].camera_frame);
  if (const QString offset = start_offset_text(project, camera, frames_per_s); !offset.isEmpty())
    lines << offset;
  if (const auto decode = timings.decode_ms.find(camera); decode != timings.decode_ms.end())
    lines << result_tr("decode %1 ms").arg(decode->second, 0, 'f', 1);
  return lines;
}

QStringList stage_text(const FrameTimings& timings) {
  QStringList lines;
  double sum = 0;
  for (const StageType* stage : stage_types()) {
    const auto found = timings.stages_ms.find(std::string(stage->name));
    if (found == timings.stages_ms.end() || found->second < kMinTold_ms) continue;
    lines << result_tr("%1 %2 ms").arg(QString::fromStdString(found->first)).arg(found->second, 0, 'f', 1);
    sum += found->second;
  }
  if (lines.size() > 1) lines << result_tr("together %1 ms").arg(sum, 0, 'f', 1);
  if (timings.latency_ms)
    lines << result_tr("after the last bytes %1 ms").arg(*timings.latency_ms, 0, 'f', 1);
  return lines;
}

QString command_text(const Project& project, const ParameterStore& saved, const QString& frames) {
  const QString path = project.path.empty() ? QStringLiteral("PROJECT.vantage")
                                            : QString::fromStdString(project.path.string());
  QString command = QStringLiteral("vantage-cli run ") + quoted(path);
  if (!frames.isEmpty()) command += QStringLiteral(" --frames ") + frames;
  for (const ParameterTable* table : project.parameters.tables())
    for (const ParameterDescription& entry : table->entries) {
      const Result<double> value = project.parameters.get(table->stage, entry.name),
                           in_file = saved.get(table->stage, entry.name);
      if (value && (!in_file || *value != *in_file))
        command += QString::fromStdString(" --set " + table->stage + "." + entry.name + "=" +
                                          ParameterStore::to_text(entry, *value));
    }
  return command;
}

}  // namespace vantage::ui
