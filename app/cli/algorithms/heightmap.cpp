#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>

#include "app/cli/common/chain.h"
#include "app/cli/common/command.h"
#include "core/base/assignment.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/height_map/heads.h"
#include "core/height_map/height_map_io.h"
#include "core/image/image_files.h"
#include "core/metrics/tracking_metrics.h"
#include "core/pipeline/height_mapper.h"
#include "core/results/results_pictures.h"

namespace vantage::cli {
namespace {

// Compares a height map with the ground truth of `vantage-cli synth --heights`.

struct HeightTruthReport {
  int truth_heads = 0, found_heads = 0, matched = 0;
  double recall() const { return truth_heads > 0 ? static_cast<double>(matched) / truth_heads : 1; }
  double precision() const { return found_heads > 0 ? static_cast<double>(matched) / found_heads : 1; }
  double mean_distance_m = 0;   // distance of matched heads, on the floor
  double mean_top_error_m = 0;  // error of their tops against the highest visible point of the true ones
  // Pixels of matched heads in the ground truth; a pixel without a height is within no tolerance.
  struct Pixels {
    int64_t all = 0, with_height = 0, within_5cm = 0, within_2_5cm = 0;
  };
  Pixels pixels, of_labels;  // the final heights', and of the map's labels alone
  // All pixels.
  int64_t missed = 0, invented = 0;  // head without a height, height without a head
};

constexpr double kReach_m = 0.3;
constexpr double kMinVisible = 0.5;

struct TruthHead {
  double x_m, y_m;
  int left, top, right, bottom;
  bool counts;
};

Result<std::vector<TruthHead>> read_heads(const std::filesystem::path& path, int64_t frame, int width,
                                          int height) {
  VANTAGE_ASSIGN(const std::string text, read_file(path));
  VANTAGE_ASSIGN(const std::vector<TrackRow> rows, read_mot_csv(text, path.string()));
  std::vector<TruthHead> heads;
  for (const TrackRow& row : rows) {
    if (row.frame != frame + 1) continue;  // files count from 1
    TruthHead head{row.x_m, row.y_m, static_cast<int>(row.left_px), static_cast<int>(row.top_px), 0, 0, true};
    head.right = head.left + static_cast<int>(row.width_px),
    head.bottom = head.top + static_cast<int>(row.height_px);
    // A head at the picture's border may show too little to be found.
    const bool cut = head.left <= 0 || head.top <= 0 || head.right >= width || head.bottom >= height;
    head.counts = row.confidence >= kMinVisible && !cut;
    heads.push_back(head);
  }
  return heads;
}

// For each true head the found one, -1 for none.
std::vector<int> match(const std::vector<TruthHead>& truth, const std::vector<HeightMapHead>& found) {
  ScoreMatrix scores(static_cast<int>(truth.size()), static_cast<int>(found.size()));
  const auto distance = [&](int t, int f) {
    const TruthHead& a = truth[t];
    const HeightMapHead& b = found[f];
    return std::hypot(a.x_m - b.x_m, a.y_m - b.y_m);
  };
  for (int t = 0; t < scores.rows; ++t)
    for (int f = 0; f < scores.columns; ++f) scores.at(t, f) = std::max(0.0, kReach_m - distance(t, f));
  std::vector<int> matched = assign_maximum(scores);
  for (int t = 0; t < scores.rows; ++t) {
    int& f = matched[t];
    if (f >= 0 && distance(t, f) > kReach_m) f = -1;
  }
  return matched;
}

template <typename F>
void for_each_pixel(const TruthHead& head, const ImageView<const float>& truth, const F& work) {
  for (int y = std::max(0, head.top); y < std::min(head.bottom, truth.height); ++y)
    for (int x = std::max(0, head.left); x < std::min(head.right, truth.width); ++x)
      if (truth.at(x, y) > 0) work(x, y, static_cast<double>(truth.at(x, y)));
}

void count_pixels(const TruthHead& head, const ImageView<const float>& truth,
                  const ImageView<const float>& heights_m, HeightTruthReport::Pixels& pixels) {
  for_each_pixel(head, truth, [&](int x, int y, double height_m) {
    ++pixels.all;
    const double away = std::abs(static_cast<double>(heights_m.at(x, y)) - height_m);
    pixels.with_height += !std::isnan(away);
    pixels.within_5cm += away <= 0.05;
    pixels.within_2_5cm += away <= 0.025;
  });
}

double top_of(const TruthHead& head, const ImageView<const float>& truth) {
  double top = 0;
  for_each_pixel(head, truth, [&](int, int, double height_m) { top = std::max(top, height_m); });
  return top;
}

// `folder`: the recording's truth folder, `frame`: the camera's. Heads of which less than half is visible do
// not count: a match with one is neither right nor wrong. Heads match within 0.3 m on the floor.
Result<HeightTruthReport> compare_with_truth(const std::filesystem::path& folder, const std::string& camera,
                                             int64_t frame, const HeightEstimate& estimate) {
  const HeightMap& map = estimate.map;
  const std::vector<HeightMapHead>& heads = estimate.heads;
  VANTAGE_ASSIGN(const Image image,
                 read_pfm(folder / "heights" / camera / frame_file_name(frame, "pfm"), HostPool::shared()));
  if (image.width() != map.width || image.height() != map.height)
    return fail(ErrorKind::invalid_argument, "the ground truth has another size than the map",
                folder.string());
  VANTAGE_ASSIGN(const std::vector<TruthHead> truth,
                 read_heads(folder / ("heads_" + camera + ".csv"), frame, map.width, map.height));
  const ImageView<const float> heights = image.view<float>();
  const ImageView<const float> found = estimate.heights_m.view<float>();
  VANTAGE_ASSIGN(const Image labels, heights_in_metres(map, HostPool::shared()));
  HeightTruthReport report;
  const std::vector<int> matched = match(truth, heads);
  report.found_heads = static_cast<int>(heads.size());
  for (size_t t = 0; t < truth.size(); ++t) {
    if (!truth[t].counts) {
      report.found_heads -= matched[t] >= 0;
      continue;
    }
    ++report.truth_heads;
    if (matched[t] < 0) continue;
    ++report.matched;
    const HeightMapHead& head = heads[matched[t]];
    report.mean_distance_m += std::hypot(head.x_m - truth[t].x_m, head.y_m - truth[t].y_m);
    report.mean_top_error_m += head.height_m - top_of(truth[t], heights);
    count_pixels(truth[t], heights, found, report.pixels);
    count_pixels(truth[t], heights, labels.view<float>(), report.of_labels);
  }
  if (report.matched > 0) report.mean_distance_m /= report.matched, report.mean_top_error_m /= report.matched;
  for (int y = 0; y < map.height; ++y)
    for (int x = 0; x < map.width; ++x) {
      const bool head = heights.at(x, y) > 0, height = !std::isnan(found.at(x, y));
      report.missed += head && !height;
      report.invented += height && !head;
    }
  return report;
}

struct HeightmapOptions {
  ChainOptions chain;
  int64_t frame = -1;
  std::string reference, out, cost, save_cost, mask, truth;
  int warm_frames = 0;
  bool json = false;
};

// The input of one frame's map.
struct FrameInput {
  FrameSet frames;
  std::vector<Image> foreground;  // on the host
};

FrameInput frame_input(const OpenedChain& chain, const HeightMapper& mapper, int64_t frame) {
  FrameEffort effort;
  effort.last_stage = mapper.parameters().use_foreground ? kForegroundStage : kVideoStage;
  const FrameResultRef result = value_or_fail(chain.analysis->pipeline().frame(frame, effort, interrupted()));
  FrameInput input;
  input.frames = *result->frames();
  if (const ForegroundArtifact* foreground = result->foreground();
      foreground && mapper.parameters().use_foreground)
    input.foreground = value_or_fail(foreground->host_masks.get());
  return input;
}

struct Solved {
  HeightEstimate estimate;
  Image picture;  // the reference's luma, on the host; empty for costs from a file
};

Image grey_copy(const Picture& picture, MemoryTransfer& transfer, int64_t frame) {
  const Picture host = value_or_fail(transfer.download(picture, frame, 0));
  const ImageView<const uint8_t> from = host.plane(0);
  Image image = value_or_fail(Image::make(ImageType::u8, from.width, from.height, HostPool::shared()));
  for (int y = 0; y < from.height; ++y)
    std::copy_n(from.row(y), from.width, image.writable_view<uint8_t>().row(y));
  return image;
}

Solved solve(const HeightmapOptions& options, const OpenedChain& chain, HeightMapper& mapper,
             MemoryTransfer& transfer) {
  Solved solved;
  if (!options.cost.empty()) {
    CostVolume costs = value_or_fail(read_cost(options.cost, HostPool::shared()));
    costs = value_or_fail(mapper.to_device(std::move(costs)));
    solved.estimate = value_or_fail(mapper.solve(costs, {}, options.frame));
    return solved;
  }
  const Image mask =
      options.mask.empty() ? Image{} : value_or_fail(read_png_gray(options.mask, HostPool::shared()));
  HeightMapRequest request;
  for (int64_t frame = std::max<int64_t>(0, options.frame - options.warm_frames); frame <= options.frame;
       ++frame) {
    const FrameInput input = frame_input(chain, mapper, frame);
    const CostVolume costs =
        value_or_fail(mapper.measure(luma_of(input.frames), input.foreground, mask, frame));
    solved.estimate = value_or_fail(mapper.solve(costs, request, frame));
    request.warm_start = true;
    if (frame < options.frame) continue;
    solved.picture = grey_copy(input.frames.cameras[mapper.reference()].picture, transfer, frame);
    if (!options.save_cost.empty())
      check_or_fail(write_cost(options.save_cost, value_or_fail(mapper.to_host(costs))));
  }
  return solved;
}

nlohmann::ordered_json heads_json(const HeightEstimate& estimate, const std::string& camera) {
  nlohmann::ordered_json heads = nlohmann::ordered_json::array();
  for (const HeightMapHead& head : estimate.heads)
    heads.push_back({{"x_m", head.x_m},
                     {"y_m", head.y_m},
                     {"z_m", head.z_m},
                     {"height_m", head.height_m},
                     {"x_px", head.x_px},
                     {"y_px", head.y_px},
                     {"area_m2", head.area_m2},
                     {"pixels", head.pixels},
                     {"radius_m", head.radius_m},
                     {"outline", head.outline}});
  return {{"frame", estimate.map.frame}, {"camera", camera}, {"heads", heads}};
}

void write_files(const HeightmapOptions& options, const Solved& solved, const std::string& camera) {
  const std::filesystem::path folder = options.out;
  const HeightMap& map = solved.estimate.map;
  const ImageView<const float> heights_m = solved.estimate.heights_m.view<float>();
  HostPool& pool = HostPool::shared();
  check_or_fail(make_folder(folder));
  check_or_fail(
      write_png_rgb(folder / "heights.png", value_or_fail(colored_heights(heights_m, map.scale, {}, pool))));
  if (solved.picture)
    check_or_fail(write_png_rgb(
        folder / "blended.png",
        value_or_fail(colored_heights(heights_m, map.scale, solved.picture.view<uint8_t>(), pool))));
  check_or_fail(write_pfm(folder / "heights.pfm", solved.estimate.heights_m));
  check_or_fail(write_png_gray(folder / "labels.png", map.labels));
  check_or_fail(write_png_gray(folder / "unsettled.png", map.unsettled));
  check_or_fail(
      write_file_atomically(folder / "heads.json", json_text(heads_json(solved.estimate, camera), 2) + "\n"));
  std::string energies = "iteration,energy,changed\n";
  for (const HeightMapCheck& check : map.checks) {
    energies += fmt::format("{},{:.6f},{}\n", check.iteration, check.energy, check.changed);
  }
  check_or_fail(write_file_atomically(folder / "energies.csv", energies));
}

nlohmann::ordered_json truth_json(const HeightTruthReport& r) {
  const auto share = [&](int64_t n) {
    return r.pixels.all > 0 ? static_cast<double>(n) / static_cast<double>(r.pixels.all) : 0.0;
  };
  return {{"heads", r.truth_heads},
          {"recall", r.recall()},
          {"precision", r.precision()},
          {"mean_distance_m", r.mean_distance_m},
          {"mean_top_error_m", r.mean_top_error_m},
          {"head_pixels", r.pixels.all},
          {"share_with_height", share(r.pixels.with_height)},
          {"share_within_5cm", share(r.pixels.within_5cm)},
          {"share_within_2_5cm", share(r.pixels.within_2_5cm)},
          {"labels_with_height", share(r.of_labels.with_height)},
          {"labels_within_5cm", share(r.of_labels.within_5cm)},
          {"labels_within_2_5cm", share(r.of_labels.within_2_5cm)},
          {"missed_pixels", r.missed},
          {"invented_pixels", r.invented}};
}

void report(const HeightmapOptions& options, const Solved& solved, const std::string& camera,
            size_t memory_bytes) {
  const HeightMap& map = solved.estimate.map;
  nlohmann::ordered_json json = {{"frame", map.frame},
                                 {"camera", camera},
                                 {"width", map.width},
                                 {"height", map.height},
                                 {"memory_mb", static_cast<double>(memory_bytes) * 1e-6},
                                 {"iterations", map.checks.back().iteration},
                                 {"settled", map.settled},
                                 {"energy", map.checks.back().energy},
                                 {"unsettled_pixels", map.checks.back().changed},
                                 {"heads", solved.estimate.heads.size()},
                                 {"out", options.out}};
  if (!options.truth.empty())
    json["truth"] =
        truth_json(value_or_fail(compare_with_truth(options.truth, camera, map.frame, solved.estimate)));
  if (options.json) {
    print_json(json);
    return;
  }
  fmt::print("frame {} from {}: {} heads, energy {:.1f} after {} iterations, {} pixels unsettled\n",
             map.frame, camera, solved.estimate.heads.size(), map.checks.back().energy,
             map.checks.back().iteration, map.checks.back().changed);
  if (json.contains("truth"))
    for (const auto& [key, value] : json["truth"].items())
      fmt::print("  {} {:g}\n", key, value.get<double>());
  fmt::print("written to {}\n", options.out);
}

void heightmap(const HeightmapOptions& options) {
  Project project = load_project_or_fail(options.chain);
  if (!project.calibrated())
    fail_command({ErrorKind::invalid_argument, "a height map needs a calibration of every camera",
                  project.path.string(), "Make the project again with --calibration."});
  if (!options.reference.empty())
    check_or_fail(project.parameters.set("heightmap", "reference",
                                         camera_named(project, options.reference, "--reference") + 1));
  const OpenedChain chain = open_chain_or_fail(options.chain, std::move(project));
  cut_to_recording_or_fail({options.frame, options.frame + 1}, chain.analysis->source());
  HeightMapperOptions mapper_options;
  mapper_options.backends = chain.backends.on_device(chain.trace.get());
  mapper_options.cameras = chain.project.calibrations(options.frame);
  mapper_options.region = chain.project.grid;
  HeightMapper mapper(mapper_options);
  check_or_fail(mapper.configure(chain.project.parameters.get<HeightMapParameters>(),
                                 chain.project.parameters.get<DaisyParameters>()));
  const std::string camera = chain.project.cameras[mapper.reference()].name;
  fmt::print(stderr, "height map of {}: {:.0f} MB of memory\n", camera,
             static_cast<double>(mapper.memory_bytes()) * 1e-6);
  const auto transfer = value_or_fail(mapper_options.backends.create<MemoryTransfer>({}));
  const Solved solved = solve(options, chain, mapper, *transfer);
  write_files(options, solved, camera);
  report(options, solved, camera, mapper.memory_bytes());
}

}  // namespace

void add_heightmap(CLI::App& app) {
  auto options = std::make_shared<HeightmapOptions>();
  CLI::App* command =
      app.add_subcommand("heightmap", "Height of the head seen at each pixel of one camera, and the heads.");
  command->footer(
      "Writes heights.png and blended.png (viridis, scale in metres), heights.pfm (metres, NaN: no head), "
      "labels.png,\n"
      "unsettled.png, heads.json and energies.csv. Heights are those of heads measured by their outlines, "
      "and the "
      "map's elsewhere;\nlabels are the map's (heightmap.outlines=false: everywhere). Parameters are "
      "heightmap.* and daisy.*.\n"
      "Example: vantage-cli heightmap crowd.vantage --frame 0 --reference cam1 --out heights --set "
      "heightmap.lambda=6");
  add_chain_options(*command, options->chain);
  command->add_option("--frame", options->frame, "frame of the base camera, from 0")
      ->required()
      ->check(CLI::NonNegativeNumber);
  command->add_option("--reference", options->reference, "camera; the one that sees the most floor if absent")
      ->type_name("CAMERA");
  command->add_option("--out", options->out, "folder for the files")->required()->type_name("DIR");
  command->add_option("--cost", options->cost, "read the data cost from this file instead of the recording")
      ->type_name("FILE");
  command->add_option("--save-cost", options->save_cost, "write the data cost to this file")
      ->type_name("FILE");
  command->add_option("--mask", options->mask, "PNG of the reference's size: no heads where it is 0")
      ->type_name("FILE.png");
  command
      ->add_option("--warm-frames", options->warm_frames,
                   "solve this many frames before and start from their messages")
      ->check(CLI::NonNegativeNumber);
  command
      ->add_option("--truth", options->truth,
                   "ground truth folder of synth --heights: report recall and precision")
      ->type_name("DIR");
  add_json_flag(*command, &options->json);
  command->callback([options] { heightmap(*options); });
}

}  // namespace vantage::cli
