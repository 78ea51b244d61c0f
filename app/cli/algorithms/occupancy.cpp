#include <cmath>
#include <cstdio>

#include "app/cli/common/chain.h"
#include "app/cli/common/value_or_fail.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/image/backend/memory_transfer.h"
#include "core/image/png.h"
#include "core/metrics/tracking_metrics.h"
#include "core/people/occupancy/occupancy_map.h"
#include "core/people/people.h"
#include "core/results/drawn_masks.h"
#include "core/results/floor_cells.h"
#include "core/results/frame_pictures.h"

namespace vantage::cli {
namespace {

struct OccupancyOptions {
  ChainOptions chain;
  std::string masks, out, map;
  bool json = false;
};

// The mapper on the chosen device, with what brings masks there.
struct OpenedMapper {
  TraceRecorder trace;
  Backends backends;
  std::unique_ptr<OccupancyMapper> mapper;
  std::unique_ptr<MemoryTransfer> transfer;

  OpenedMapper(const ChainOptions& options, const Project& project)
      : backends(open_backends_or_fail(options, &trace)) {
    OccupancyMapper::Arguments arguments{{}, value_or_fail(project.effective_grid()), project.areas()};
    for (const Camera& camera : project.calibrations()) arguments.cameras.push_back(camera.model());
    mapper = value_or_fail(backends.on_device(&trace).create<OccupancyMapper>(arguments));
    transfer = value_or_fail(backends.on_device(&trace).create<MemoryTransfer>({}));
    check_or_fail(mapper->prepare(project.parameters.get<MarginalParameters>()));
  }

  Image read(const std::string& path, int64_t frame) {
    return value_or_fail(transfer->upload(value_or_fail(read_png_gray(path, HostPool::shared())), frame, -1));
  }
};

std::string people_rows(int64_t frame, const std::vector<FloorPerson>& people) {
  std::string rows;
  TrackRow row;
  row.frame = frame + 1;
  for (const FloorPerson& person : people) {
    ++row.id;
    row.confidence = person.confidence, row.x_m = person.x_m, row.y_m = person.y_m;
    rows += mot_csv_row(row);
  }
  return rows;
}

void write_map(const std::string& path, const MarginalCells& cells, const std::vector<double>& q) {
  const Image image = value_or_fail(picture_of_cells<uint8_t>(cells.nx, cells.ny, [&](int x, int y) {
    return static_cast<uint8_t>(std::lround(255 * q[static_cast<size_t>(x + cells.nx * y)]));
  }));
  const VoxelGrid grid{{cells.left_m, cells.low_m, 0}, cells.cell_m, cells.nx, cells.ny, 1};
  check_or_fail(write_png_gray(path, image, {kFloorScaleKeyword, floor_scale(grid, "255: probability 1")}));
}

void occupancy(const OccupancyOptions& options) {
  const Project project = load_project_or_fail(options.chain);
  if (!project.calibrated())
    fail_command({ErrorKind::invalid_argument, "occupancy needs a calibration of every camera",
                  project.path.string(), "Make the project again with --calibration."});
  const FrameRange range = parse_frames(options.chain.frames);
  const std::string masks =
      options.masks.empty() ? (project.results_folder() / "masks").string() : options.masks;
  OpenedMapper opened(options.chain, project);
  const OccupancyPlan& plan = opened.mapper->plan();
  const double separation_m = project.parameters.get<PeopleParameters>().separation_m;
  std::string rows;
  int64_t frames = 0, people = 0, iterations = 0;
  Marginals found;
  for (int64_t frame = range.begin; frame < range.end; ++frame) {
    if (!std::filesystem::exists(mask_file(masks, project.cameras.front().name, frame))) break;
    std::vector<Image> images;
    for (const ProjectCamera& camera : project.cameras)
      images.push_back(opened.read(mask_file(masks, camera.name, frame), frame));
    found = value_or_fail(opened.mapper->estimate(images, frame));
    const std::vector<FloorPerson> standing = plan.people_in_areas(found, separation_m);
    rows += people_rows(frame, standing);
    people += static_cast<int64_t>(standing.size());
    ++frames, iterations += found.iterations;
  }
  if (frames == 0)
    fail_command({ErrorKind::not_found, "there are no masks of these frames", masks,
                  "Run with --masks 1, or `vantage-cli segment`."});
  check_or_fail(write_file_atomically(options.out, rows));
  if (!options.map.empty()) write_map(options.map, plan.cells, found.probability);
  const auto n = static_cast<double>(frames);
  const nlohmann::ordered_json json = {{"frames", frames},
                                       {"mean_people", static_cast<double>(people) / n},
                                       {"mean_iterations", static_cast<double>(iterations) / n},
                                       {"out", options.out}};
  if (options.json)
    print_json(json);
  else
    std::printf("%lld frames, %.1f people and %.0f iterations on average\n%s\n",
                static_cast<long long>(frames), static_cast<double>(people) / n,
                static_cast<double>(iterations) / n, options.out.c_str());
}

}  // namespace

void add_occupancy(CLI::App& app) {
  auto options = std::make_shared<OccupancyOptions>();
  CLI::App* command = app.add_subcommand(
      "occupancy", "Probability that a person stands in each cell of the floor, from masks alone.");
  command->footer(
      "The probabilistic occupancy map of Fleuret et al. 2008: people are rectangles in all pictures\n"
      "at once. Needs the masks of a run with --masks 1 (or of `segment`); writes the first ten columns\n"
      "of tracks.csv, with new IDs in each frame. Its parameters are occupancy.*;\n"
      "`run --set people.source=occupancy` tracks these people.\n"
      "Example: vantage-cli occupancy hall.vantage --frames 100:200 --out people.csv --map last.png");
  add_chain_options(*command, options->chain);
  add_frames_option(*command, options->chain);
  command
      ->add_option("--masks", options->masks, "folder with CAMERA/frame_000000.png; the results' if absent")
      ->type_name("DIR");
  command->add_option("--out", options->out, "CSV file")->required()->type_name("FILE");
  command->add_option("--map", options->map, "PNG file with the probabilities of the last frame")
      ->type_name("FILE");
  command->add_flag("--json", options->json, "print the summary as JSON");
  command->callback([options] { occupancy(*options); });
}

}  // namespace vantage::cli
