// A frame's result as text.
#pragma once

#include <QStringList>

#include "core/project/project.h"
#include "core/session/shown_frame.h"
#include "ui/panels/timings_panel.h"

namespace vantage::ui {

enum class SceneState { needs_calibration, not_analysed, nothing_found, found };

struct SceneText {
  SceneState state = SceneState::found;
  QString text;  // for the scene's hint; empty when something was found
};
SceneText scene_text(const Project& project, const ShownFrame& shown);

// "412 litres", empty without a volume that is known.
QString volume_text(const FrameResult& result);

// "x 2.41  y 0.87 m, seen by 3 of 4", as the cameras stand at that frame.
QString position_text(const Project& project, int64_t frame, const Eigen::Vector3d& point_in_world_m);

// "2.410 0.870 0.000": metres, to the millimetre.
QString coordinates_text(const Eigen::Vector3d& v_m, const QString& between = QStringLiteral(" "));

// "started 12 frames (0.48 s) before cam1": when a camera's video begins against the base camera's. Empty for
// the base camera.
QString start_offset_text(const Project& project, int camera, double frames_per_s);

// Lines for a camera's corner: its own frame, when it started, what decoding took.
QStringList camera_text(const Project& project, int camera, double frames_per_s, const FrameResult* result,
                        const FrameTimings& timings);
// A line a stage of the chain, and their sum.
QStringList stage_text(const FrameTimings& timings);

// The vantage-cli command that analyses this project with its present parameters: those that differ from the
// project file's are given. `frames` is "A:B" or empty.
QString command_text(const Project& project, const ParameterStore& saved, const QString& frames);

}  // namespace vantage::ui
