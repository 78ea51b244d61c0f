// Proposals of another calibration: what is changed, and what that does, before it is applied. Made off the
// GUI thread, by the functions that vantage-cli calibrate calls, too.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/calibration/people/footage_solve.h"
#include "core/calibration/people/people_solve.h"
#include "core/calibration/solve/camera_values.h"
#include "core/check/bumped_cameras.h"
#include "core/project/project.h"
#include "core/setup/boards/project_boards.h"
#include "core/setup/boards/recorded_instants.h"
#include "ui/main_window/calibrate/calibrate_panel.h"
#include "ui/main_window/residuals/residuals.h"

namespace vantage::ui {

// Where places of the floor are by what is proposed; people can be compared where they stay.
enum class ProposedWorld : uint8_t {
  same,
  moved,
  later,  // the same up to a frame in the middle of the recording
};

struct CalibrationProposal {
  QString text;
  std::vector<CalibrateProposalRow> rows;
  QStringList columns = {};  // of the rows; empty: what they usually say
  std::string what;          // names the edit
  std::vector<SolvedTogether> solved = {};
  ProposedWorld world = ProposedWorld::moved;
  ResidualsRef residuals = {};  // null: nothing to look at
  std::function<void(Project&)> change;
  // Offsets that are offered besides; the user decides. Null: none.
  std::function<void(Project&)> offsets = {};
  bool offsets_wanted = false;  // unless the user decides otherwise
};

// The cameras placed by the project's clicked points; the others are held.
Result<CalibrationProposal> propose_by_points(const Project& project, const std::vector<std::string>& cameras,
                                              bool focal);
// The cameras placed by people, from that frame set on.
CalibrationProposal propose_by_people(const Project& project, const PeopleSolution& solution, int64_t frame);
// A calibration from its jump on for each camera that was bumped.
CalibrationProposal propose_bumps(const Project& project, const std::vector<WatchedCamera>& watched);
// All cameras, lenses too. The world becomes the board's: the region is fitted again.
// `clips`: by camera, whose offsets are offered where they were solved; otherwise not read. `left_out`: of
// it.
CalibrationProposal propose_by_board(const Project& project, const SolvedProjectBoards& solved,
                                     const std::vector<BoardClip>& clips, const LeftOut& left_out = {});

// All cameras, lenses and offsets by the people who walk in the footage, whatever calibration there is. The
// region is fitted again.
CalibrationProposal propose_by_footage(const Project& project, const FootageSolution& solution);

// Points by name, as the project's cameras triangulate them.
struct LevelChoice {
  std::vector<std::string> floor;
  std::string origin, towards_x;  // empty: as level_world() has it
};
Result<CalibrationProposal> propose_level(const Project& project, const LevelChoice& choice);
Result<CalibrationProposal> propose_scale(const Project& project, const std::string& from,
                                          const std::string& to, double length_m);
// To the points' known coordinates.
Result<CalibrationProposal> propose_known(const Project& project);
// So that the points lie at the corners of one of the project's boxes that are nearest to them.
Result<CalibrationProposal> propose_box_world(const Project& project, const NamedBox& box,
                                              const std::vector<std::string>& points);

// The box moved to the points.
Result<UprightBox> box_at_points(const Project& project, const UprightBox& box,
                                 const std::vector<std::string>& points);

}  // namespace vantage::ui
