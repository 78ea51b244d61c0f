#include "core/check/footage_agreement.h"

#include <fmt/core.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "core/base/parallel_each.h"
#include "core/base/text.h"
#include "core/calibration/formats/calibration.h"
#include "core/check/camera_view.h"
#include "core/check/detail/project_checks.h"
#include "core/check/detail/scene_places.h"
#include "core/check/silhouettes.h"
#include "core/image/picture.h"

namespace vantage {
namespace {

// Removes from silhouettes the parts that only some cameras show.

class CommonSilhouettes {
 public:
  // `views`: must outlive this object.
  CommonSilhouettes(const GridViews& views, double tolerance_px)
      : views_(views), tolerance_px_(tolerance_px) {}

  // The masks (u8, 0 or 255, host memory; an empty Image: none) without specks and without parts that lie
  // farther than the tolerance from the silhouettes of all other cameras that see them; three or more must
  // see a part where there are three. Thread-safe.
  std::vector<Image> of(std::span<const Image> masks) const;

 private:
  const GridViews& views_;
  double tolerance_px_;
};

constexpr double kMinBlob_m2 = 0.05;  // seen at right angles; a person has 0.4 and more

// The cells of the blob (eight neighbours connected) around a cell; removes them from `counts`.
std::vector<size_t> take_blob(size_t start, int width, int height, std::vector<int>* counts,
                              int64_t* pixels) {
  std::vector<size_t> blob = {start};
  *pixels = std::exchange((*counts)[start], 0);
  for (size_t next = 0; next < blob.size(); ++next) {
    const int x = static_cast<int>(blob[next] % width), y = static_cast<int>(blob[next] / width);
    for (int v = std::max(0, y - 1); v <= std::min(height - 1, y + 1); ++v)
      for (int u = std::max(0, x - 1); u <= std::min(width - 1, x + 1); ++u) {
        const size_t cell = static_cast<size_t>(v) * width + u;
        if ((*counts)[cell] == 0) continue;
        *pixels += std::exchange((*counts)[cell], 0);
        blob.push_back(cell);
      }
  }
  return blob;
}

// Keeps in `cells` the blobs as large as a good part of a body: the smallest speck outside it spoils an
// outline. depths_m: of the farthest voxel of the loose hull behind each cell.
void drop_small_blobs(const Image& mask, const std::vector<float>& depths_m, double focal_length_px,
                      Cells* cells) {
  std::vector<int> counts = pixels_set(mask);
  for (size_t cell = 0; cell < counts.size(); ++cell)
    if (!cells->set[cell]) counts[cell] = 0;
  std::fill(cells->set.begin(), cells->set.end(), uint8_t{0});
  for (size_t cell = 0; cell < counts.size(); ++cell) {
    if (counts[cell] == 0) continue;
    int64_t pixels = 0;
    const std::vector<size_t> blob = take_blob(cell, cells->width, cells->height, &counts, &pixels);
    double depth_m = 0;
    for (const size_t at : blob) depth_m = std::max<double>(depth_m, depths_m[at]);
    const double pixel_m = depth_m / focal_length_px;
    if (static_cast<double>(pixels) * pixel_m * pixel_m < kMinBlob_m2) continue;
    for (const size_t at : blob) cells->set[at] = 1;
  }
}

Image within(const Image& mask, const Cells& cells) {
  Result<Image> copy = Image::make(ImageType::u8, mask.width(), mask.height(), HostPool::shared());
  if (!copy) return {};
  const ImageView<const uint8_t> from = mask.view<uint8_t>();
  const ImageView<uint8_t> to = copy->writable_view<uint8_t>();
  for (int y = 0; y < from.height; ++y)
    for (int x = 0; x < from.width; ++x)
      to.at(x, y) = cells.at(x / kCell_px, y / kCell_px) ? from.at(x, y) : 0;
  return *copy;
}

void note_depth(const Footprint& f, int width, double depth_m, std::vector<float>* depths_m) {
  for (int y = f.y0; y <= f.y1; ++y)
    for (int x = f.x0; x <= f.x1; ++x) {
      float& depth = (*depths_m)[static_cast<size_t>(y) * width + x];
      depth = std::max(depth, static_cast<float>(depth_m));
    }
}

std::vector<Image> CommonSilhouettes::of(std::span<const Image> masks) const {
  const std::vector<Camera>& cameras = views_.cameras();
  const size_t count = cameras.size();
  std::vector<CellSums> sums(count);
  std::vector<Cells> common(count);
  std::vector<std::vector<float>> depths_m(count);
  for (size_t c = 0; c < count; ++c) {
    if (!masks[c]) continue;
    const Cells cells = shrink(masks[c]);
    sums[c] = CellSums(cells);
    common[c] = Cells(cells.width, cells.height);
    depths_m[c].resize(common[c].set.size());
  }
  // Two cameras nearly always have a common position where both see something; a third rarely has.
  const int least = static_cast<int>(std::min<ptrdiff_t>(
      3, std::count_if(masks.begin(), masks.end(), [](const Image& mask) { return bool(mask); })));
  const int radius = static_cast<int>(std::ceil(tolerance_px_ / kCell_px));
  for (size_t voxel = 0; voxel < views_.voxels(); ++voxel) {
    int seeing = 0;
    bool met = true;
    for (const GridViews::View& view : views_.of(voxel)) {
      if (!masks[view.camera]) continue;
      ++seeing;
      met = sums[view.camera].any(view.cells, radius);
      if (!met) break;
    }
    if (!met || seeing < least) continue;
    for (const auto& [camera, footprint, depth_m] : views_.of(voxel)) {
      if (!masks[camera]) continue;
      fill(footprint, &common[camera]);
      note_depth(footprint, common[camera].width, depth_m, &depths_m[camera]);
    }
  }
  std::vector<Image> result(count);
  for (size_t c = 0; c < count; ++c) {
    if (!masks[c]) continue;
    drop_small_blobs(masks[c], depths_m[c], cameras[c].model().fx_px, &common[c]);
    result[c] = within(masks[c], common[c]);
  }
  return result;
}

constexpr double kStray =
    0.05;  // share of the width: foreground farther than this from all others' silhouettes is stray
constexpr double kMaxUnexplained = 0.016;  // share of the focal length: 0.9 degrees
constexpr double kFarOff = 2;              // factor of kMaxUnexplained
constexpr double kApart = 0.25;  // share in the common hull: below this for all cameras, nothing fits at all
constexpr size_t kHullInstants = 6;  // maximum number of instants: more add nothing about the common hull

const char* const kCalibrateAgain = "Calibrate this camera again, or match it to its video.";
const char* const kRecordMore = "Record a person who walks where all cameras see the whole body.";
const char* const kLookFirst = "Check the foreground and the offsets first, then the calibration.";

void step(const FootageMasks& footage) {
  if (footage.parts) footage.parts->step();
}

std::shared_ptr<const GridViews> views_of(const FootageMasks& footage) {
  return std::make_shared<const GridViews>(footage.cameras, footage.grid);
}

Verdict gravest(const FootageMasks& footage) {
  return footage.proven ? Verdict::failed : Verdict::doubtful;
}
const char* remedy_of(Verdict verdict) {
  return verdict == Verdict::passed ? "" : verdict == Verdict::failed ? kCalibrateAgain : kLookFirst;
}

// Instants spread over all of them.
std::vector<MaskSet> hull_instants(const FootageMasks& footage) {
  const size_t count = footage.instants.size(), wanted = std::min(count, kHullInstants);
  std::vector<MaskSet> sets;
  for (size_t i = 0; i < wanted; ++i) sets.push_back(footage.instants[count * (2 * i + 1) / (2 * wanted)]);
  return sets;
}

// `blamed`: the camera that the outlines name, whose silhouettes spoil the common hull of all.
CheckItem silhouette_item(const FootageMasks& footage, size_t c, const SilhouetteAgreement& agreement,
                          const SilhouetteFinding& finding, std::optional<size_t> blamed) {
  const std::string& name = footage.cameras[c].name();
  const SilhouetteShare& share = agreement.all[c];
  const std::string limit = fmt::format("at least {:.0f} %, or no better without it", 100 * kMinCoverage);
  if (finding.verdict == SilhouetteVerdict::exchanged && (c == finding.wrong || c == finding.other)) {
    const std::string& other = footage.cameras[c == finding.wrong ? finding.other : finding.wrong].name();
    return {
        "silhouettes",
        name,
        Verdict::failed,  // exchanged cameras fail: no fault of masks makes them fit once they are exchanged
        fmt::format("{:.0f} % of its silhouette is in the common hull, nearly all when exchanged with {}",
                    100 * share.value(), other),
        limit,
        "This camera's video and that of " + other + " are exchanged: match them again."};
  }
  Verdict verdict = Verdict::passed;
  if (finding.verdict == SilhouetteVerdict::unknown || share.silhouette == 0)
    verdict = Verdict::cannot_tell;
  else if (finding.verdict == SilhouetteVerdict::one_wrong)
    verdict = c == finding.wrong ? gravest(footage) : Verdict::passed;
  else if (finding.verdict == SilhouetteVerdict::disagree)
    verdict = is_foreign(agreement, c)       ? gravest(footage)
              : share.value() < kMinCoverage ? Verdict::doubtful
                                             : Verdict::passed;
  if (blamed && *blamed != c && verdict > Verdict::cannot_tell) verdict = Verdict::cannot_tell;
  return {"silhouettes",
          name,
          verdict,
          fmt::format(
              "{:.0f} % of its silhouette is in the common hull, {:.0f} % in that of the others; without "
              "it the others' are {:.0f} %",
              100 * share.value(), 100 * agreement.by_others(c).value(), 100 * agreement.without_camera(c)),
          limit,
          remedy_of(verdict)};
}

// An item about the whole project: no camera's silhouettes meet those of the others, which masks cannot
// explain.
std::optional<CheckItem> apart_item(const SilhouetteAgreement& agreement) {
  double smallest = 1, largest = 0;
  for (const SilhouetteShare& share : agreement.all) {
    if (share.silhouette == 0) return std::nullopt;
    smallest = std::min(smallest, share.value()), largest = std::max(largest, share.value());
  }
  if (largest >= kApart) return std::nullopt;
  return CheckItem{"silhouettes",
                   "",
                   Verdict::failed,
                   fmt::format("{:.0f} to {:.0f} % of the cameras' silhouettes are in the common hull",
                               100 * smallest, 100 * largest),
                   fmt::format("at least {:.0f} % of one camera's", 100 * kApart),
                   "This calibration does not belong to this footage, or videos and cameras are matched "
                   "wrongly: match them, or calibrate again."};
}

void add(const SilhouetteShare& share, SilhouetteShare* sum) {
  sum->silhouette += share.silhouette;
  sum->covered += share.covered;
}

// Empty where there is no instant.
SilhouetteAgreement silhouette_agreement(const FootageMasks& footage, const GridViews& views,
                                         const std::vector<MaskSet>& sets) {
  std::vector<SilhouetteAgreement> of_instants(sets.size());
  parallel_each(sets.size(), [&](size_t i) {
    if (!footage.stop.stop_requested()) add_silhouettes(views, sets[i], &of_instants[i]);
    step(footage);
  });
  SilhouetteAgreement sum;
  for (const SilhouetteAgreement& one : of_instants) {
    const size_t count = one.all.size();
    if (count == 0) continue;
    sum.all.resize(count), sum.without.resize(count, std::vector<SilhouetteShare>(count));
    for (size_t c = 0; c < count; ++c) {
      add(one.all[c], &sum.all[c]);
      for (size_t h = 0; h < count; ++h) add(one.without[h][c], &sum.without[h][c]);
    }
  }
  return sum;
}

// Masks cannot explain silhouettes that all agree in the mirrored world and not in the calibrated one.
bool agree_mirrored(const FootageMasks& footage, const std::vector<MaskSet>& sets) {
  std::vector<Camera> cameras;
  for (const Camera& camera : footage.cameras) {
    PinholeCamera<double> model = camera.model();
    mirror(&model);
    const Result<Camera> mirrored = Camera::make(camera.name(), model);
    if (!mirrored) return false;
    cameras.push_back(*mirrored);
  }
  VoxelGrid grid = footage.grid;
  grid.origin_in_world_m[1] = -(grid.origin_in_world_m[1] + grid.ny * grid.voxel_size_m);
  const FootageMasks mirrored{cameras, grid, {}, footage.proven, footage.stop, false, nullptr};
  const SilhouetteAgreement agreement = silhouette_agreement(mirrored, GridViews(cameras, grid), sets);
  return !agreement.all.empty() && judge(agreement).verdict == SilhouetteVerdict::agree;
}

std::vector<CheckItem> silhouette_items(const FootageMasks& footage, const FootageReport& report) {
  const std::vector<MaskSet> sets = hull_instants(footage);
  const CheckParts::Running part(footage.parts, "silhouettes", sets.size());
  const std::shared_ptr<const GridViews> views = report.views ? report.views : views_of(footage);
  const SilhouetteAgreement agreement = silhouette_agreement(footage, *views, sets);
  if (agreement.all.empty()) return {};
  SilhouetteFinding finding = judge(agreement);
  if (finding.verdict == SilhouetteVerdict::disagree)
    finding = find_exchanged(footage.cameras, footage.grid, sets, footage.stop);
  std::vector<CheckItem> items;
  for (size_t c = 0; c < footage.cameras.size(); ++c)
    items.push_back(silhouette_item(footage, c, agreement, finding, report.wrong));
  const bool disagree =
      finding.verdict == SilhouetteVerdict::disagree || finding.verdict == SilhouetteVerdict::one_wrong;
  if (disagree && agree_mirrored(footage, sets))
    items.push_back(
        {"silhouettes", "", Verdict::failed,
         "the cameras' silhouettes agree once all cameras are mirrored, and do not as they are",
         "silhouettes that agree",
         "The calibration's world is left-handed: make the project again, ticking mirrored in New "
         "Project, or with --mirror."});
  else if (auto whole = apart_item(agreement))
    items.push_back(std::move(*whole));
  return items;
}

// Describes the pose of the camera to blame, where people show it.
std::string stands_text(const PeopleFit& fit) {
  if (!is_elsewhere(fit))
    return fmt::format("its pose differs from the calibration by more than {:.0f} cm on the floor",
                       100 * kMaxFloorShift_m);
  return fmt::format(
      "its pose differs from the calibration by up to {:.0f} ± {:.0f} cm on the floor (turned by {:.1f} "
      "degrees, "
      "moved by {:.0f} cm; people's outlines miss by {:.1f} px, with the pose from people by {:.1f} px)",
      100 * fit.floor.largest_m, 100 * fit.floor.sigma_m, fit.turned_deg, 100 * fit.moved_m, fit.before_px,
      fit.after_px);
}

bool is_any_elsewhere(const PeopleReport& people) {
  return std::any_of(people.cameras.begin(), people.cameras.end(), is_elsewhere);
}

// " (rays through outlines name cam3, people would place cam0, cam1 elsewhere)"; empty where the two agree.
std::string contradiction_text(const FootageMasks& footage, const FootageReport& report) {
  if (report.wrong || !report.outlines.wrong) return {};
  std::string elsewhere;
  for (size_t c = 0; c < report.people.cameras.size(); ++c)
    if (is_elsewhere(report.people.cameras[c])) append_item(&elsewhere, footage.cameras[c].name());
  return " (rays through outlines name " + footage.cameras[*report.outlines.wrong].name() +
         ", people would place " + elsewhere + " elsewhere)";
}

CheckItem outline_item(const FootageMasks& footage, size_t c, const FootageReport& report) {
  const CameraFit& fit = report.outlines.cameras[c];
  CheckItem item;
  item.check = "outlines";
  item.camera = footage.cameras[c].name();
  item.limit = fmt::format("positions on the floor within {:.0f} cm", 100 * kMaxFloorShift_m);
  const std::string differ =
      fmt::format("its outlines differ by up to {:.1f} px from what the others predict, theirs by {:.1f} px",
                  fit.error_px, fit.others_px);
  if (report.wrong == c) {
    item.verdict = gravest(footage);
    item.figure = stands_text(report.people.cameras[c]) + "; " + differ;
    item.remedy = "Solve its pose from the people of this footage, or calibrate again.";
    item.command = "vantage-cli calibrate people --camera " + item.camera;
    return item;
  }
  item.verdict = Verdict::cannot_tell;
  item.remedy = kRecordMore;
  if (fit.rays == 0) {
    item.figure = "no outline in both its picture and another's";
  } else if (fit.floor.blind_m > kMaxBlind_m) {
    item.figure =
        fmt::format("this footage shows only shifts of more than {:.0f} cm; ", 100 * fit.floor.blind_m) +
        differ;
  } else if (!is_judged(fit)) {
    item.figure = "too few outlines in its picture and in two others'; " + differ;
  } else if (!report.wrong && (is_suspected(fit) || is_elsewhere(report.people.cameras[c]))) {
    item.figure =
        "the pose of this or another camera differs from the calibration, and this footage does not show "
        "which" +
        contradiction_text(footage, report) + "; " + differ;
  } else {
    item.verdict = Verdict::passed;
    item.figure = differ + fmt::format("; shifts of more than {:.0f} cm would show", 100 * fit.floor.blind_m);
    item.remedy.clear();
  }
  return item;
}

// An item about the whole project: the outlines do not fit, and no single camera explains it. If even the
// best camera's outlines are far off, masks are not to blame, however they were made.
std::optional<CheckItem> unexplained_item(const FootageMasks& footage, const FootageReport& report) {
  if (report.wrong) return std::nullopt;
  double most = 0, least = INFINITY;  // shares of the limit
  std::string names, limit;
  for (size_t c = 0; c < report.outlines.cameras.size(); ++c) {
    const CameraFit& fit = report.outlines.cameras[c];
    if (fit.rays == 0) continue;
    const double limit_px = kMaxUnexplained * footage.cameras[c].model().fx_px,
                 share = fit.middle_px / limit_px;
    most = std::max(most, share), least = std::min(least, share);
    if (share <= 1) continue;
    names +=
        fmt::format("{}{} by {:.0f} px", names.empty() ? "" : ", ", footage.cameras[c].name(), fit.middle_px);
    limit = fmt::format("at most {:.0f} px", limit_px);
  }
  if (most <= 1) return std::nullopt;
  const bool fails = least > kFarOff;
  // Masks may be to blame while one camera's outlines fit.
  const Verdict verdict = fails ? Verdict::failed : least > 1 ? Verdict::doubtful : Verdict::cannot_tell;
  return CheckItem{
      "outlines",
      "",
      verdict,
      "outlines differ from what the other cameras predict: " + names + "; no single camera explains it",
      limit,
      fails ? "This calibration does not belong to this footage, or cameras have moved: calibrate again."
            : kLookFirst};
}

OutlineReport fitted_outlines(const FootageMasks& footage, const GridViews& views,
                              const Neighbours& neighbours) {
  const CheckParts::Running part(footage.parts, "outlines", footage.instants.size() + footage.cameras.size());
  const double stray_px = kStray * footage.cameras.front().width_px();
  const CommonSilhouettes silhouettes(views, stray_px);
  std::vector<std::vector<Image>> common(footage.instants.size());
  tbb::parallel_for(size_t{0}, common.size(), [&](size_t i) {
    if (!footage.stop.stop_requested()) common[i] = silhouettes.of(footage.instants[i]);
    step(footage);
  });
  OutlineFit fit(footage.cameras, neighbours, footage.grid, stray_px);
  for (const std::vector<Image>& masks : common)
    if (!masks.empty()) fit.add(masks);
  return fit.report([&] { step(footage); }, footage.stop);
}

PeopleReport placed_by_people(const FootageMasks& footage, const Neighbours& neighbours) {
  const CheckParts::Running part(footage.parts, "people", footage.cameras.size());
  return people_report(
      footage.cameras, neighbours, footage.grid, footage.instants, [&] { step(footage); }, footage.stop);
}

std::vector<CheckItem> outline_items(const FootageMasks& footage, const FootageReport& report) {
  std::vector<CheckItem> items;
  for (size_t c = 0; c < footage.cameras.size(); ++c) items.push_back(outline_item(footage, c, report));
  if (auto whole = unexplained_item(footage, report)) items.push_back(std::move(*whole));
  return items;
}

}  // namespace

OutlineReport outline_report(const FootageMasks& footage) {
  return fitted_outlines(footage, *views_of(footage), neighbours_of(footage.cameras, footage.grid));
}

FootageReport together(OutlineReport outlines, PeopleReport people) {
  FootageReport report{std::move(outlines), std::move(people), {}, {}};
  const std::optional<size_t>&by_rays = report.outlines.wrong, &by_people = report.people.wrong;
  if (by_rays && by_people && *by_rays != *by_people) return report;
  // People would place two cameras elsewhere: rays can tell which one, but not name a third.
  if (by_rays && !by_people && is_any_elsewhere(report.people) &&
      !is_elsewhere(report.people.cameras[*by_rays]))
    return report;
  report.wrong = by_rays ? by_rays : by_people;
  return report;
}

FootageReport footage_report(const FootageMasks& footage) {
  const Neighbours neighbours = neighbours_of(footage.cameras, footage.grid);
  const std::shared_ptr<const GridViews> views = views_of(footage);
  OutlineReport outlines = fitted_outlines(footage, *views, neighbours);
  PeopleReport people;
  people.cameras.resize(footage.cameras.size());
  if (footage.by_people && !footage.stop.stop_requested()) people = placed_by_people(footage, neighbours);
  FootageReport report = together(std::move(outlines), std::move(people));
  report.views = views;
  return report;
}

std::vector<CheckItem> examine_agreement(const FootageMasks& footage, const FootageReport& report) {
  std::vector<CheckItem> items = outline_items(footage, report),
                         silhouettes = silhouette_items(footage, report);
  std::move(silhouettes.begin(), silhouettes.end(), std::back_inserter(items));
  return items;
}

}  // namespace vantage
