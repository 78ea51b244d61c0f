#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/cli/chain.h"
#include "app/cli/value_or_fail.h"
#include "core/base/file.h"
#include "core/image/png.h"
#include "core/metrics/tracking_metrics.h"
#include "core/occupancy/marginals.h"
#include "core/project/results_pictures.h"

namespace vantage::cli {
namespace {

constexpr int kMaskWidth_px = 160;  // masks are looked at about this wide

struct OccupancyOptions {
  std::string project, masks, frames, out, map;
  double cell_m = 0.2;
  MarginalParameters parameters;
  bool json = false;
};

// A camera's mask made small: each pixel is the middle one of a square.
struct SmallMask {
  std::string name;
  int step = 1, width = 0, height = 0;
  std::vector<BodyRectangle> rectangles;
  std::vector<uint8_t> pixels;

  SmallMask(const Camera& camera, const MarginalCells& cells, const MarginalParameters& parameters)
      : name(camera.name()) {
    const PinholeCamera<double>& model = camera.model();
    step = std::max(1, model.width_px / kMaskWidth_px);
    width = model.width_px / step, height = model.height_px / step;
    rectangles = body_rectangles(model, cells, width, height, parameters);
    pixels.resize(static_cast<size_t>(width) * static_cast<size_t>(height));
  }

  Status read(const std::filesystem::path& file) {
    VANTAGE_ASSIGN(const Image image, read_png_gray(file, HostPool::shared()));
    if (image.width() < width * step || image.height() < height * step)
      return fail(ErrorKind::bad_data, "the mask is smaller than the camera's picture", file.string());
    const ImageView<const uint8_t> from = image.view<uint8_t>();
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        pixels[static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)] =
            from.at(x * step + step / 2, y * step + step / 2);
    return {};
  }
  MarginalView view() const {
    return {{pixels.data(), width, height, static_cast<size_t>(width)}, rectangles};
  }
};

MarginalCells cells_over(const VoxelGrid& grid, double cell_m) {
  return {grid.origin_in_world_m[0], grid.origin_in_world_m[1], cell_m,
          static_cast<int>(std::ceil(grid.nx * grid.voxel_size_m / cell_m)),
          static_cast<int>(std::ceil(grid.ny * grid.voxel_size_m / cell_m))};
}

std::string people_rows(int64_t frame, const std::vector<ProbablePerson>& people) {
  std::string rows;
  TrackRow row;
  row.frame = frame + 1;
  for (const ProbablePerson& person : people) {
    ++row.id;
    row.confidence = person.probability, row.x_m = person.x_m, row.y_m = person.y_m;
    rows += mot_csv_row(row);
  }
  return rows;
}

void write_map(const std::string& path, const MarginalCells& cells, const std::vector<double>& q) {
  Image image = value_or_fail(Image::make(ImageType::u8, cells.nx, cells.ny, HostPool::shared()));
  const ImageView<uint8_t> to = image.writable_view<uint8_t>();
  for (int y = 0; y < cells.ny; ++y)
    for (int x = 0; x < cells.nx; ++x)
      to.at(x, cells.ny - 1 - y) =
          static_cast<uint8_t>(std::lround(255 * q[static_cast<size_t>(x + cells.nx * y)]));
  const VoxelGrid grid{{cells.left_m, cells.low_m, 0}, cells.cell_m, cells.nx, cells.ny, 1};
  check_or_fail(write_png_gray(path, image, {"Vantage floor", floor_scale(grid, "255: probability 1")}));
}

void occupancy(const OccupancyOptions& options) {
  const Project project = value_or_fail(load_project(options.project));
  if (!project.calibrated())
    fail_command({ErrorKind::invalid_argument, "occupancy needs a calibration of every camera",
                  project.path.string(), "Make the project again with --calibration."});
  const FrameRange range = parse_frames(options.frames);
  const MarginalCells cells = cells_over(value_or_fail(project.effective_grid()), options.cell_m);
  const std::string masks =
      options.masks.empty() ? (project.results_folder() / "masks").string() : options.masks;
  std::vector<SmallMask> cameras;
  for (const Camera& camera : project.calibrations()) cameras.emplace_back(camera, cells, options.parameters);
  const auto mask_of = [&](const SmallMask& camera, int64_t frame) {
    return std::filesystem::path(masks) / camera.name / frame_file_name(frame, "png");
  };
  std::string rows;
  int64_t frames = 0, people = 0, iterations = 0;
  Marginals found;
  for (int64_t frame = range.begin; frame < range.end; ++frame) {
    if (!std::filesystem::exists(mask_of(cameras.front(), frame))) break;
    std::vector<MarginalView> views;
    for (SmallMask& camera : cameras) {
      check_or_fail(camera.read(mask_of(camera, frame)));
      views.push_back(camera.view());
    }
    found = occupancy_marginals(views, static_cast<size_t>(cells.nx) * static_cast<size_t>(cells.ny),
                                options.parameters);
    const std::vector<ProbablePerson> standing = probable_people(cells, found.probability);
    rows += people_rows(frame, standing);
    people += static_cast<int64_t>(standing.size());
    ++frames, iterations += found.iterations;
  }
  if (frames == 0)
    fail_command({ErrorKind::not_found, "there are no masks of these frames", masks,
                  "Run with --masks 1, or `vantage-cli segment`."});
  check_or_fail(write_file_atomically(options.out, rows));
  if (!options.map.empty()) write_map(options.map, cells, found.probability);
  const auto n = static_cast<double>(frames);
  const nlohmann::ordered_json json = {{"frames", frames},
                                       {"mean_people", static_cast<double>(people) / n},
                                       {"mean_iterations", static_cast<double>(iterations) / n},
                                       {"out", options.out}};
  if (options.json)
    std::printf("%s\n", json.dump(2).c_str());
  else
    std::printf("%lld frames, %.1f people and %.0f iterations on average\n%s\n",
                static_cast<long long>(frames), static_cast<double>(people) / n,
                static_cast<double>(iterations) / n, options.out.c_str());
}

}  // namespace

void add_occupancy(CLI::App& app) {
  auto options = std::make_shared<OccupancyOptions>();
  CLI::App* command = app.add_subcommand(
      "occupancy", "Probability that somebody stands in each cell of the floor, from masks alone.");
  command->footer(
      "The probabilistic occupancy map of Fleuret et al. 2008: people are rectangles in all pictures at "
      "once. "
      "Needs\nthe masks of a run with --masks 1 (or of `segment`); writes the columns of tracks.csv, numbers "
      "anew in each frame.\n"
      "Example: vantage-cli occupancy hall.vantage --frames 100:200 --out people.csv --map last.png");
  command->add_option("project", options->project, "a project with calibrated cameras")->required();
  command
      ->add_option("--masks", options->masks, "folder with CAMERA/frame_000000.png; the results' if absent")
      ->type_name("DIR");
  command->add_option("--frames", options->frames, "A:B, frames from A up to and without B")
      ->type_name("A:B");
  command->add_option("--out", options->out, "CSV file")->required()->type_name("FILE");
  command->add_option("--map", options->map, "PNG file with the probabilities of the last frame")
      ->type_name("FILE");
  command->add_option("--cell", options->cell_m, "side of a cell, in metres")
      ->check(CLI::Range(0.05, 1.0))
      ->capture_default_str();
  command->add_option("--sigma", options->parameters.sigma, "how exactly pictures fit; smaller is sharper")
      ->check(CLI::Range(0.0001, 1.0))
      ->capture_default_str();
  command->add_option("--prior", options->parameters.prior, "probability of a cell without any picture")
      ->check(CLI::Range(0.0001, 0.5))
      ->capture_default_str();
  command->add_flag("--json", options->json, "print the summary as JSON");
  command->callback([options] { occupancy(*options); });
}

}  // namespace vantage::cli
