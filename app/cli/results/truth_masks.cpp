#include "app/cli/results/truth_masks.h"

#include <fmt/core.h>
#include <algorithm>
#include <charconv>
#include <optional>

#include "app/cli/common/chain.h"
#include "app/cli/common/command.h"
#include "core/algorithms.h"
#include "core/results/drawn_masks.h"
#include "core/run/mask_scores.h"

namespace vantage::cli {
namespace {

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

// Existing masks are kept: a person may have drawn them.
Report carry(const TruthMaskOptions& options, const Project& project, const std::filesystem::path& folder) {
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
  Report report;
  report.add_data("from", from), report.add_data("to", to);
  report.add_data("carried", carried), report.add_data("kept", kept);
  report.say("masks carried from frame {from} to {to}: {carried}, kept: {kept}");
  return report;
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

// The most specific of the given choices; ties: the later.
MaskMerge how_to_take(const std::vector<Taking>& takings, const TheirMask& mask) {
  const auto close = [](const Taking& one) { return one.frame.has_value() + one.camera.has_value(); };
  Taking best;
  for (const Taking& one : takings)
    if (one.frame.value_or(mask.frame) == mask.frame && one.camera.value_or(mask.camera) == mask.camera &&
        close(one) >= close(best))
      best = one;
  return best.how;
}

Report disagreement_report(const MaskDisagreement& one, MaskMerge how) {
  const std::string taken(kMaskMergeNames[static_cast<size_t>(how)]);
  Report row;
  row.add_data("frame", one.theirs.frame), row.add_data("camera", one.theirs.camera);
  row.add_data("iou", one.difference.overlap.iou());
  row.add_data("only_ours_px", one.difference.only_ours);
  row.add_data("only_theirs_px", one.difference.only_theirs), row.add_data("taken", taken);
  row.say(
      "frame {frame}, {camera}: IoU {iou:3}, {only_ours_px} px only ours, {only_theirs_px} px only theirs; " +
      (how == MaskMerge::ours ? "left as it is" : taken + " taken"));
  return row;
}

Report merge(const TruthMaskOptions& options, const Project& project, const std::filesystem::path& folder) {
  std::vector<Taking> takings;
  for (const std::string& text : options.takes) takings.push_back(taking_of(text, project));
  const MaskComparison compared = value_or_fail(compare_masks(project, options.merge));
  MaskStep step = value_or_fail(add_missing_masks(compared.missing));
  Report report;
  report.add_data("added", step.size()), report.add_data("same", compared.same);
  report.add_data("unknown_cameras", compared.unknown);
  report.say("masks merged: {added} added, {same} the same, " +
             std::to_string(compared.disagreements.size()) +
             " disagree, of cameras that the project has not: {unknown_cameras}");
  std::vector<Report> disagreements;
  for (const MaskDisagreement& one : compared.disagreements) {
    const MaskMerge how = how_to_take(takings, one.theirs);
    const MaskStep settled = value_or_fail(settle_masks(project, {&one, 1}, how));
    step.insert(step.end(), settled.begin(), settled.end());
    disagreements.push_back(disagreement_report(one, how));
  }
  report.add_rows("disagreements", std::move(disagreements));
  for (const MaskChange& change : step)
    check_or_fail(write_mask(folder, change.camera, change.frame, change.after));
  return report;
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
                  "is a person) to NAME.truth/masks; existing ones are kept")
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

Report change_masks(const TruthMaskOptions& options, const Project& project) {
  const std::filesystem::path folder = drawn_masks_folder(project.path);
  Report report;
  if (!options.import.empty()) {
    const CopiedMasks copied = value_or_fail(import_masks(project, options.import, options.replace));
    Report imported;
    imported.add_data("masks", copied.copied), imported.add_data("kept", copied.kept);
    imported.add_data("unknown_cameras", copied.unknown);
    imported.say(
        "masks imported: {masks}, kept: {kept}, of cameras that the project has not: {unknown_cameras}");
    report.add_section("imported", std::move(imported));
  }
  if (!options.merge.empty()) report.add_section("merged", merge(options, project, folder));
  for (const std::string& removal : options.removals) remove_masks(removal, project, folder);
  if (!options.carry.empty()) report.add_section("carried", carry(options, project, folder));
  if (!options.out.empty()) report.add_data("exported", value_or_fail(export_masks(project, options.out)));
  const DrawnMasks masks = value_or_fail(find_masks(folder));
  std::vector<Report> frames;
  size_t files = 0;
  for (const auto& [frame, of_cameras] : masks) {
    std::vector<std::string> cameras;
    for (const auto& [camera, file] : of_cameras) cameras.push_back(camera);
    files += cameras.size();
    Report& row = frames.emplace_back();
    row.add_data("frame", frame), row.add_data("cameras", cameras);
  }
  report.add_sentence(
      "folder", folder.string(),
      files > 0 ? fmt::format("masks in {} frames, {} files in ", frames.size(), files) + folder.string()
                : "");
  report.add_rows("frames", std::move(frames));
  if (options.iou) report.add_section("iou", iou_report(scores_of(project, masks)));
  return report;
}

Report iou_report(const std::vector<MaskScore>& scores) {
  const auto mean = mean_iou(scores);
  Report report, cameras;
  report.add_data("mean", mean), report.add_data("masks", scores.size());
  report.say(mean ? "IoU, mean over {masks} masks {mean:3}"
                  : "no mask could be compared: the recording has none of the drawn frames");
  for (const auto& [camera, iou] : iou_by_camera(scores))
    cameras.add_sentence(camera, iou, fmt::format("IoU of {} {:.3f}", camera, iou));
  report.add_section("cameras", std::move(cameras));
  std::vector<Report> worst, each;
  const auto frames = worst_frames(scores);
  for (const auto& [frame, iou] : frames) {
    const bool printed = frames.size() > 1 && worst.size() < kPrintedFrames;
    Report& row = worst.emplace_back();
    row.add_data("frame", frame);
    row.add_sentence("iou", iou, printed ? fmt::format("frame {}: {:.3f}", frame, iou) : "");
  }
  for (const MaskScore& score : scores) {
    Report& row = each.emplace_back();
    row.add_data("frame", score.frame), row.add_data("camera", score.camera);
    row.add_data("iou", score.overlap.iou());
    row.add_data("both_px", score.overlap.both), row.add_data("either_px", score.overlap.either);
  }
  report.add_rows("worst_frames", std::move(worst)), report.add_rows("each", std::move(each));
  return report;
}

}  // namespace vantage::cli
