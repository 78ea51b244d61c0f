// vantage-cli calibrate: its subcommands.
#include "app/cli/calibrate/calibrate_apply.h"
#include "app/cli/calibrate/calibrate_boards.h"
#include "app/cli/calibrate/calibrate_bumped.h"
#include "app/cli/calibrate/calibrate_compare.h"
#include "app/cli/calibrate/calibrate_convert.h"
#include "app/cli/calibrate/calibrate_measure.h"
#include "app/cli/calibrate/calibrate_people.h"
#include "app/cli/calibrate/calibrate_points.h"
#include "app/cli/calibrate/calibrate_print.h"
#include "app/cli/calibrate/calibrate_refine.h"
#include "app/cli/calibrate/calibrate_report.h"
#include "app/cli/calibrate/calibrate_world.h"
#include "app/cli/common/command.h"

namespace vantage::cli {

void add_calibrate(CLI::App& app) {
  CLI::App* calibrate = app.add_subcommand("calibrate",
                                           "Solves calibrations from a board, clicked points or people who "
                                           "walk; refines, levels, scales, measures, compares, reports, "
                                           "applies and converts them.");
  calibrate->require_subcommand(1);
  add_boards(*calibrate);
  add_print(*calibrate);
  add_points(*calibrate);
  add_bumped(*calibrate);
  add_people(*calibrate);
  add_refine(*calibrate);
  add_level(*calibrate);
  add_scale(*calibrate);
  add_measure(*calibrate);
  add_compare(*calibrate);
  add_report(*calibrate);
  add_apply(*calibrate);
  add_convert(*calibrate);
}

}  // namespace vantage::cli
