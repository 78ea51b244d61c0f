#include "app/cli/results/truth_masks.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>

#include "app/cli/common/chain.h"
#include "app/cli/common/command.h"
#include "core/algorithms.h"
#include "core/results/drawn_masks.h"
#include "core/run/mask_scores.h"

namespace vantage::cli {
namespace {

using nlohmann::ordered_json;

constexpr size_t kPrintedFrames = 5;

int64_t number_of(std::string_view text, const std::string& option) {
  int64_t number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0)
    throw CLI::ValidationError(option, "frames are whole numbers from 0");
  return number;
}

// "12" or "12,cam1".
void remove_masks(const std::string& text, const Project& project, const std::filesystem::path& folder) {
  const size_t comma = text.find(',');
  const int64_t frame = number_of(std::string_view(text).substr(0, comma), "--remove-masks");
  std::optional<std::string> camera;
  if (comma != std::string::npos) {
    camera = text.substr(comma + 1);
    camera_named(project, *camera, "--remove-masks");
  }
  bool any = false;
  for (const ProjectCamera& one : project.cameras) {
    if (camera && one.name != *camera) continue;
    any = any || find_mask(folder, one.name, frame).has_value();
    check_or_fail(remove_mask(folder, one.name, frame));
  }
  if (!any)
    fail_command({ErrorKind::not_found, "has no mask of " + text, project.path.string(),
                  "`vantage-cli truth --json` lists them."});
}

// Masks that are there already stay: a person may have drawn them.
ordered_json carry(const TruthMaskOptions& options, const Project& project,
                   const std::filesystem::path& folder) {
  const size_t colon = options.carry.find(':');
  if (colon == std::string::npos) throw CLI::ValidationError("--carry-masks", "FROM:TO is expected");
  const std::string_view text = options.carry;
  const int64_t from = number_of(text.substr(0, colon), "--carry-masks");
  const int64_t to = number_of(text.substr(colon + 1), "--carry-masks");
  if (from == to) throw CLI::ValidationError("--carry-masks", "FROM and TO are the same frame");
  std::map<std::string, Image> masks;
  int64_t kept = 0;
  for (const ProjectCamera& camera : project.cameras) {
    const auto file = find_mask(folder, camera.name, from);
    if (!file) continue;
    if (!options.replace && find_mask(folder, camera.name, to))
      ++kept;
    else
      masks[camera.name] = value_or_fail(read_mask(*file, HostPool::shared()));
  }
  if (masks.empty() && kept == 0)
    fail_command({ErrorKind::not_found, "has no mask in frame " + std::to_string(from), project.path.string(),
                  "`vantage-cli truth --json` lists them."});
  int64_t carried = 0;
  if (!masks.empty()) {
    BackendRegistry registry;
    register_cpu_backends(registry);
    for (const auto& [camera, mask] :
         value_or_fail(carry_masks(project, registry, masks, from, to, interrupted()))) {
      check_or_fail(write_mask(folder, camera, to, mask));
      ++carried;
    }
  }
  return {{"from", from}, {"to", to}, {"carried", carried}, {"kept", kept}};
}

// "union", "12=theirs" or "12,cam1=intersection".
struct Taking {
  std::optional<int64_t> frame;
  std::optional<std::string> camera;
  MaskMerge how = MaskMerge::ours;
};

Taking taking_of(const std::string& text, const Project& project) {
  const size_t equals = text.rfind('=');
  const std::string of = equals == std::string::npos ? std::string() : text.substr(0, equals);
  const std::string how = equals == std::string::npos ? text : text.substr(equals + 1);
  const auto name = std::ranges::find(kMaskMergeNames, how);
  if (name == kMaskMergeNames.end())
    throw CLI::ValidationError("--take", "'" + how + "' is none of ours, theirs, union, intersection");
  Taking taking;
  taking.how = static_cast<MaskMerge>(name - kMaskMergeNames.begin());
  if (equals == std::string::npos) return taking;
  const size_t comma = of.find(',');
  taking.frame = number_of(std::string_view(of).substr(0, comma), "--take");
  if (comma != std::string::npos) {
    taking.camera = of.substr(comma + 1);
    camera_named(project, *taking.camera, "--take");
  }
  return taking;
}

// The closest of what was said; of two as close the later.
MaskMerge how_to_take(const std::vector<Taking>& takings, const TheirMask& mask) {
  const auto close = [](const Taking& one) { return one.frame.has_value() + one.camera.has_value(); };
  Taking best;
  for (const Taking& one : takings)
    if (one.frame.value_or(mask.frame) == mask.frame && one.camera.value_or(mask.camera) == mask.camera &&
        close(one) >= close(best))
      best = one;
  return best.how;
}

ordered_json merge(const TruthMaskOptions& options, const Project& project,
                   const std::filesystem::path& folder) {
  std::vector<Taking> takings;
  for (const std::string& text : options.takes) takings.push_back(taking_of(text, project));
  const MaskComparison compared = value_or_fail(compare_masks(project, options.merge));
  MaskStep step = value_or_fail(add_missing_masks(compared.missing));
  ordered_json json = {
      {"added", step.size()}, {"same", compared.same}, {"unknown_cameras", compared.unknown}};
  json["disagreements"] = ordered_json::array();
  for (const MaskDisagreement& one : compared.disagreements) {
    const MaskMerge how = how_to_take(takings, one.theirs);
    const MaskStep settled = value_or_fail(settle_masks(project, {&one, 1}, how));
    step.insert(step.end(), settled.begin(), settled.end());
    json["disagreements"].push_back({{"frame", one.theirs.frame},
                                     {"camera", one.theirs.camera},
                                     {"iou", one.difference.overlap.iou()},
                                     {"only_ours_px", one.difference.only_ours},
                                     {"only_theirs_px", one.difference.only_theirs},
                                     {"taken", kMaskMergeNames[static_cast<size_t>(how)]}});
  }
  for (const MaskChange& change : step)
    check_or_fail(write_mask(folder, change.camera, change.frame, change.after));
  return json;
}

void print_merged(const ordered_json& json) {
  std::printf(
      "masks merged: %lld added, %lld the same, %zu disagree, of cameras that the project has not: %lld\n",
      json["added"].get<long long>(), json["same"].get<long long>(), json["disagreements"].size(),
      json["unknown_cameras"].get<long long>());
  for (const auto& one : json["disagreements"])
    std::printf(
        "frame %lld, %s: IoU %.3f, %lld px only ours, %lld px only theirs; %s\n",
        one["frame"].get<long long>(), one["camera"].get<std::string>().c_str(), one["iou"].get<double>(),
        one["only_ours_px"].get<long long>(), one["only_theirs_px"].get<long long>(),
        one["taken"] == "ours" ? "left as it is" : (one["taken"].get<std::string>() + " taken").c_str());
}

std::vector<MaskScore> scores_of(const Project& project, const DrawnMasks& masks) {
  if (masks.empty())
    fail_command({ErrorKind::not_found, "has no masks drawn by hand", project.path.string(),
                  "Paint them in the window, or --import-masks."});
  OpenedChain chain = open_chain_or_fail({}, project);
  Progress progress("masks");
  return value_or_fail(score_masks(
      *chain.analysis, project.cameras, masks,
      [&](size_t done, size_t all) {
        progress.update(static_cast<int64_t>(done), static_cast<int64_t>(all));
      },
      interrupted()));
}

}  // namespace

void add_mask_options(CLI::App& command, TruthMaskOptions& options) {
  command
      .add_option("--import-masks", options.import,
                  "copy masks from this folder (CAMERA/frame_000012.png or CAMERA_frame_0012.png, above 127 "
                  "is a person) to NAME.truth/masks; those that are there stay")
      ->check(CLI::ExistingDirectory)
      ->type_name("DIR");
  CLI::Option* merged = command
                            .add_option("--merge-masks", options.merge,
                                        "compare with the masks that another person painted (a folder or a "
                                        "project), list disagreements, and add those that are missing here")
                            ->check(CLI::ExistingPath)
                            ->type_name("PATH");
  command
      .add_option(
          "--take", options.takes,
          "what --merge-masks does where masks disagree: ours (they stay, the default), theirs, union "
          "or intersection; of one frame or mask as FRAME=theirs or FRAME,CAMERA=union; may be repeated")
      ->needs(merged)
      ->type_name("[FRAME[,CAMERA]=]HOW");
  command
      .add_option("--carry-masks", options.carry,
                  "carry the masks of one frame to another by the optical flow between; those that are there "
                  "stay")
      ->type_name("FROM:TO");
  command.add_flag("--replace-masks", options.replace, "--import-masks and --carry-masks replace masks");
  command
      .add_option("--remove-masks", options.removals,
                  "remove the masks of a frame, or one camera's; may be repeated")
      ->type_name("FRAME[,CAMERA]");
  command.add_option("--export-masks", options.out, "copy the masks to this folder")->type_name("DIR");
  command.add_flag("--iou", options.iou,
                   "compare the foreground of the project's parameters with the masks: intersection over "
                   "union, by camera and frame");
}

ordered_json change_masks(const TruthMaskOptions& options, const Project& project) {
  const std::filesystem::path folder = drawn_masks_folder(project.path);
  ordered_json json;
  if (!options.import.empty()) {
    const CopiedMasks copied = value_or_fail(import_masks(project, options.import, options.replace));
    json["imported"] = {{"masks", copied.copied}, {"kept", copied.kept}, {"unknown_cameras", copied.unknown}};
  }
  if (!options.merge.empty()) json["merged"] = merge(options, project, folder);
  for (const std::string& removal : options.removals) remove_masks(removal, project, folder);
  if (!options.carry.empty()) json["carried"] = carry(options, project, folder);
  if (!options.out.empty()) json["exported"] = value_or_fail(export_masks(project, options.out));
  const DrawnMasks masks = value_or_fail(find_masks(folder));
  json["folder"] = folder.string();
  json["frames"] = ordered_json::array();
  for (const auto& [frame, cameras] : masks) {
    ordered_json entry = {{"frame", frame}, {"cameras", ordered_json::array()}};
    for (const auto& [camera, file] : cameras) entry["cameras"].push_back(camera);
    json["frames"].push_back(std::move(entry));
  }
  if (options.iou) json["iou"] = iou_json(scores_of(project, masks));
  return json;
}

void print_masks(const ordered_json& json) {
  if (json.contains("imported"))
    std::printf("masks imported: %lld, kept: %lld, of cameras that the project has not: %lld\n",
                json["imported"]["masks"].get<long long>(), json["imported"]["kept"].get<long long>(),
                json["imported"]["unknown_cameras"].get<long long>());
  if (json.contains("merged")) print_merged(json["merged"]);
  if (json.contains("carried"))
    std::printf("masks carried from frame %lld to %lld: %lld, kept: %lld\n",
                json["carried"]["from"].get<long long>(), json["carried"]["to"].get<long long>(),
                json["carried"]["carried"].get<long long>(), json["carried"]["kept"].get<long long>());
  size_t files = 0;
  for (const auto& entry : json["frames"]) files += entry["cameras"].size();
  if (files > 0)
    std::printf("masks in %zu frames, %zu files in %s\n", json["frames"].size(), files,
                json["folder"].get<std::string>().c_str());
  if (json.contains("iou")) print_iou(json["iou"]);
}

ordered_json iou_json(const std::vector<MaskScore>& scores) {
  ordered_json json;
  const auto mean = mean_iou(scores);
  json["mean"] = mean ? ordered_json(*mean) : ordered_json();
  json["masks"] = scores.size();
  json["cameras"] = ordered_json::object();
  for (const auto& [camera, iou] : iou_by_camera(scores)) json["cameras"][camera] = iou;
  json["worst_frames"] = ordered_json::array();
  for (const auto& [frame, iou] : worst_frames(scores))
    json["worst_frames"].push_back({{"frame", frame}, {"iou", iou}});
  json["each"] = ordered_json::array();
  for (const MaskScore& score : scores)
    json["each"].push_back({{"frame", score.frame},
                            {"camera", score.camera},
                            {"iou", score.overlap.iou()},
                            {"both_px", score.overlap.both},
                            {"either_px", score.overlap.either}});
  return json;
}

void print_iou(const ordered_json& json) {
  if (json["mean"].is_null()) {
    std::printf("no mask could be compared: the recording has none of the drawn frames\n");
    return;
  }
  for (const auto& [camera, iou] : json["cameras"].items())
    std::printf("IoU of %s %.3f\n", camera.c_str(), iou.get<double>());
  std::printf("IoU, mean over %zu masks %.3f\n", json["masks"].get<size_t>(), json["mean"].get<double>());
  const auto& worst = json["worst_frames"];
  for (size_t i = 0; worst.size() > 1 && i < worst.size() && i < kPrintedFrames; ++i)
    std::printf("frame %lld: %.3f\n", worst[i]["frame"].get<long long>(), worst[i]["iou"].get<double>());
}

}  // namespace vantage::cli
