#include "core/pipeline/stages/stage_types.h"

#include <fmt/core.h>
#include <algorithm>
#include <array>
#include <bit>
#include <mutex>
#include <utility>

#include "core/base/hash.h"
#include "core/carving/voxel_votes.h"
#include "core/detections/detection_parameters.h"
#include "core/heads/heads_parameters.h"
#include "core/people/mask_samples.h"
#include "core/people/occupancy/occupancy_map.h"
#include "core/pipeline/artifacts.h"
#include "core/pipeline/head_views.h"
#include "core/pipeline/memory_needed.h"
#include "core/pipeline/stage.h"
#include "core/pipeline/stages/fused_people.h"

namespace vantage {
namespace {

// Sets that are searched for people at the same time: one thread takes longer for a set than a decoder.
constexpr size_t kSearches = 2;
// Bytes of a hypothesis of fused people: its box in a camera, and its index.
constexpr double kHypothesis = 80;

struct PeopleStageOptions {
  std::vector<std::string> names;  // the cameras', in the project's order
  std::vector<PinholeCamera<double>> cameras;
  VoxelGrid grid;  // the floor map's
  FloorCoverage coverage;
  std::vector<FloorZone> areas;                // areas in which people can be; none: everywhere
  std::unique_ptr<OccupancyMapper> occupancy;  // has the same cameras, grid and areas
  FloorRectangle fusion_floor;                 // area in which detections are fused
  std::vector<IgnoredPixels> ignored;          // by camera
  bool has_detections = false;                 // files or a model: decides people.source = automatic
};

// Minimum foreground, as a share of the picture: less is noise, not a person.
constexpr double kNoForeground = 2e-4;

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

std::string about(const std::vector<std::string>& names, const char* what) {
  return listed(names) + (names.size() == 1 ? " has no " : " have no ") + what;
}

std::string rejections(const std::vector<RejectedPeak>& rejected) {
  std::array<int, 6> counts{};
  for (const RejectedPeak& peak : rejected) ++counts[static_cast<size_t>(peak.reason)];
  std::vector<std::string> parts;
  for (size_t i = 0; i < counts.size(); ++i)
    if (counts[i] > 0)
      parts.push_back(std::to_string(counts[i]) + " " +
                      std::string(reject_reason_text(static_cast<RejectReason>(i))));
  return listed(parts);
}

class PeopleStage final : public StageOf<&FrameArtifacts::people> {
 public:
  // One sampler a worker, where the masks are.
  PeopleStage(PeopleStageOptions options, std::vector<std::unique_ptr<MaskSampler>> samplers)
      : options_(std::move(options)),
        fused_(options_.fusion_floor, options_.cameras, options_.areas, options_.ignored) {
    for (std::unique_ptr<MaskSampler>& sampler : samplers)
      searches_.push_back(std::make_unique<Search>(options_, std::move(sampler)));
    for (const auto& search : searches_) idle_.push_back(search.get());
  }

  static Result<std::unique_ptr<Stage>> make(ChainContext& context) {
    PeopleStageOptions options;
    options.areas = context.areas;
    for (const ChainCamera& camera : context.cameras) options.names.push_back(camera.name);
    options.cameras = context.models();
    options.grid = *context.grid;
    options.coverage = *context.coverage;
    options.fusion_floor = context.fusion_floor;
    options.ignored = context.ignored_pixels();
    options.has_detections = context.has_detections;
    std::vector<std::unique_ptr<MaskSampler>> samplers(kSearches);
    for (std::unique_ptr<MaskSampler>& sampler : samplers) {
      VANTAGE_ASSIGN(sampler, context.backends.create<MaskSampler>({}));
    }
    VANTAGE_ASSIGN(options.occupancy,
                   context.backends.create<OccupancyMapper>({options.cameras, options.grid, options.areas}));
    return std::make_unique<PeopleStage>(std::move(options), std::move(samplers));
  }

  static void estimate_memory(const AnalysedScene& scene, MemoryEstimate* estimate) {
    if (!scene.fusion_floor || !scene.get<DetectionParameters>().enabled) return;
    const FloorRectangle& floor = *scene.fusion_floor;
    const double cells = (floor.max_x_m - floor.min_x_m) * (floor.max_y_m - floor.min_y_m) /
                         (PeopleFusion::kCell_m * PeopleFusion::kCell_m);
    const double hypotheses = std::min(cells, static_cast<double>(PeopleFusion::kMaxCells)) *
                              static_cast<double>(PeopleFusion::kHeights_m.size());
    estimate->add(
        {"fusion",
         kHypothesis * hypotheses * static_cast<double>(scene.pictures.size() * scene.calibration_spans), 0,
         "Give the project a smaller grid."});
  }

  std::string_view name() const override { return kPeopleStage; }
  std::vector<std::string_view> inputs() const override {
    std::vector<std::string_view> inputs = {kVideoStage, kDetectionsStage, kForegroundStage, kCarvingStage,
                                            kFloorStage};
    if (asks_heads_) inputs.push_back(kHeadsStage);
    return inputs;
  }
  Status configure(const ParameterStore& parameters) override {
    const auto people = parameters.get<PeopleParameters>();
    for (const auto& search : searches_) search->finder.set_parameters(people);
    source_ = resolved_source(parameters, options_.has_detections);
    asks_heads_ = source_ == PeopleSource::fused && parameters.get<HeadParameters>().enabled;
    separation_m_ = people.separation_m;
    // The source in use, also with people.source = automatic.
    ParameterStore used = parameters;
    const std::string_view stage = parameter_table<PeopleParameters>().stage;
    VANTAGE_TRY(used.set(stage, "source", static_cast<double>(source_)));
    Hasher hasher;
    hasher.add(used.hash(stage));
    fused_.configure(parameters);
    if (source_ == PeopleSource::fused) fused_.hash(&hasher);
    if (source_ == PeopleSource::occupancy) {
      marginals_ = parameters.get<MarginalParameters>();
      VANTAGE_TRY(options_.occupancy->prepare(marginals_));
      hasher.add(parameters.hash(parameter_table<MarginalParameters>().stage));
    }
    for (const FloorZone& area : options_.areas)
      for (const Eigen::Vector2d& corner : area.corners_m) hasher.add(corner.x()).add(corner.y());
    hash_ = hasher.value();
    needed_cameras_ =
        needed_cameras(parameters.get<CarvingParameters>(), static_cast<int>(options_.cameras.size()));
    return {};
  }
  // Cameras and grid are those of the carver.
  uint64_t own_hash() const override { return hash_; }
  // Hypotheses of fused people and the occupancy map are large, so there is one of each.
  size_t workers() const override { return source_ == PeopleSource::volume ? searches_.size() : 1; }

  Result<Made> process(int64_t frame, const FrameArtifacts& inputs) override {
    const std::vector<ForegroundImages>& foreground = inputs.foreground->cameras;
    const CarvedVolume& volume = inputs.carving->volume;
    const FloorMap& map = inputs.floor->map;
    const FloorViews floor{map.columns.view<uint16_t>(), map.tops.view<uint16_t>()};
    auto artifact = std::make_shared<PeopleArtifact>();
    const Lease lease(this);
    Search& search = *lease.search;
    if (source_ == PeopleSource::fused) {
      VANTAGE_TRY(find_fused(frame, inputs, floor, search, artifact.get()));
      return artifact;
    }
    SearchTrace trace;
    if (source_ == PeopleSource::volume) {
      // Copied in the background.
      VANTAGE_ASSIGN(const Deferred<std::vector<MaskSamples>> samples,
                     search.sampler->sample(indicators_of(foreground), frame));
      search.finder.take(floor);
      VANTAGE_ASSIGN(trace, trace_of(foreground, volume, search));
      const Result<std::vector<MaskSamples>>& masks = samples.get();
      if (!masks) return fail(masks.error());
      artifact->found = search.finder.find(*masks);
    } else {
      VANTAGE_ASSIGN(trace, trace_of(foreground, volume, search));
      VANTAGE_ASSIGN(artifact->found,
                     find_in_occupancy(floor, masks_of(foreground), frame, search.finder, &trace));
    }
    artifact->cameras = static_cast<int>(foreground.size());
    artifact->without_picture = static_cast<int>(std::count_if(
        foreground.begin(), foreground.end(), [](const ForegroundImages& camera) { return !camera.mask; }));
    artifact->covered_share = trace.covered_share;
    artifact->stopped_at = where_it_stopped(trace, artifact->found);
    return artifact;
  }

 private:
  // One worker's.
  struct Search {
    Search(const PeopleStageOptions& options, std::unique_ptr<MaskSampler> of)
        : finder(options.grid, options.cameras, may_stand_in(options.areas)), sampler(std::move(of)) {}

    PeopleFinder finder;
    std::unique_ptr<MaskSampler> sampler;
    // The same cameras have pictures in nearly every frame.
    uint64_t covered_for = 0;
    int covered_needed = 0;  // 0: nothing computed yet
    double covered_share = 0;
  };

  // An idle search: there are as many as calls at a time.
  struct Lease {
    explicit Lease(PeopleStage* stage) : of(stage) {
      const std::lock_guard lock(of->mutex_);
      search = of->idle_.back();
      of->idle_.pop_back();
    }
    ~Lease() {
      const std::lock_guard lock(of->mutex_);
      of->idle_.push_back(search);
    }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

    PeopleStage* const of;
    Search* search = nullptr;
  };

  static MayStand may_stand_in(const std::vector<FloorZone>& areas) {
    if (areas.empty()) return {};
    return [areas](double x_m, double y_m) { return in_any(areas, {x_m, y_m}); };
  }

  static std::vector<Image> masks_of(const std::vector<ForegroundImages>& foreground) {
    std::vector<Image> masks;
    for (const ForegroundImages& camera : foreground) masks.push_back(camera.mask);
    return masks;
  }

  static std::vector<Image> indicators_of(const std::vector<ForegroundImages>& foreground) {
    std::vector<Image> indicators;
    for (const ForegroundImages& camera : foreground) indicators.push_back(camera.indicator);
    return indicators;
  }

  Status find_fused(int64_t frame, const FrameArtifacts& inputs, const FloorViews& floor, Search& search,
                    PeopleArtifact* artifact) {
    const std::vector<CameraFrame>& frames = inputs.video->frames.cameras;
    artifact->cameras = static_cast<int>(frames.size());
    artifact->without_picture = static_cast<int>(std::count_if(
        frames.begin(), frames.end(), [](const CameraFrame& camera) { return camera.camera_frame < 0; }));
    const auto& detections = *inputs.detections;
    uint64_t known = 0;
    for (size_t c = 0; c < detections.cameras.size(); ++c)
      if (detections.cameras[c].known) known |= uint64_t{1} << c;
    artifact->looked = std::popcount(known) >= fused_.needed();
    if (!artifact->looked) {
      artifact->stopped_at = !detections.present ? "the project has no detections: neither files nor a model"
                             : known == 0        ? "no camera has detections of this frame"
                                                 : "too few cameras have detections of this frame";
      return {};
    }
    VANTAGE_ASSIGN(const Deferred<std::vector<MaskSamples>> samples,
                   search.sampler->sample(indicators_of(inputs.foreground->cameras), frame));
    const Result<std::vector<MaskSamples>>& masks = samples.get();
    if (!masks) return fail(masks.error());
    artifact->covered_share = covered_share(fused_.needed(), known, search);
    fused_.find(detections.cameras, *masks, head_boxes(inputs.heads.get()), artifact);
    artifact->stopped_at = where_fusion_stopped(detections.cameras, artifact->found);
    // Boxes give the heights of people who are close together better than their common volume.
    std::vector<FoundPerson> measured = artifact->found.people;
    search.finder.measure(floor, measured);
    for (size_t i = 0; i < measured.size(); ++i) artifact->found.people[i].volume_l = measured[i].volume_l;
    return {};
  }

  Result<PeopleFound> find_in_occupancy(const FloorViews& floor, const std::vector<Image>& masks,
                                        int64_t frame, PeopleFinder& finder, SearchTrace* trace) {
    uint64_t available = 0;
    for (size_t c = 0; c < masks.size(); ++c)
      if (masks[c]) available |= uint64_t{1} << c;
    VANTAGE_ASSIGN(const Marginals marginals, options_.occupancy->estimate(masks, frame));
    const OccupancyPlan& plan = options_.occupancy->plan();
    trace->largest_probability = plan.largest_in_areas(marginals);
    PeopleFound found;
    for (const FloorPerson& person : plan.people_in_areas(marginals, separation_m_))
      found.people.push_back({person.x_m, person.y_m, marginals_.height_m, 0, person.confidence,
                              plan.cameras_at(person.x_m, person.y_m, available)});
    finder.measure(floor, found.people);
    std::sort(found.people.begin(), found.people.end(), [](const FoundPerson& a, const FoundPerson& b) {
      return a.x_m != b.x_m ? a.x_m < b.x_m : a.y_m < b.y_m;
    });
    found.peaks = static_cast<int64_t>(found.people.size());
    return found;
  }

  Result<SearchTrace> trace_of(const std::vector<ForegroundImages>& foreground, const CarvedVolume& volume,
                               Search& search) const {
    SearchTrace trace;
    uint64_t available = 0;
    for (size_t c = 0; c < foreground.size(); ++c) {
      SearchTrace::Camera& camera = trace.cameras.emplace_back();
      camera.name = options_.names[c];
      camera.has_picture = static_cast<bool>(foreground[c].mask);
      if (!camera.has_picture) continue;
      available |= uint64_t{1} << c;
      const Result<int64_t>& count = foreground[c].mask_count.get();
      if (!count) return fail(count.error());
      camera.foreground_share =
          static_cast<double>(*count) /
          (static_cast<double>(foreground[c].mask.width()) * foreground[c].mask.height());
    }
    trace.covered_share = covered_share(needed_cameras_, available, search);
    const Result<VolumeCounts>& counts = volume.counts.get();
    if (!counts) return fail(counts.error());
    trace.occupied_voxels = counts->occupied;
    return trace;
  }

  double covered_share(int needed, uint64_t available, Search& search) const {
    if (available != search.covered_for || needed != search.covered_needed)
      search.covered_share = options_.coverage.covered_share(needed, available);
    search.covered_for = available, search.covered_needed = needed;
    return search.covered_share;
  }

  const PeopleStageOptions options_;
  std::vector<std::unique_ptr<Search>> searches_;
  std::mutex mutex_;
  std::vector<Search*> idle_;
  FusedPeopleFinder fused_;
  PeopleSource source_ = PeopleSource::volume;
  bool asks_heads_ = false;  // evidence in addition to detections
  double separation_m_ = 0;
  MarginalParameters marginals_;
  uint64_t hash_ = 0;
  int needed_cameras_ = 1;
};

}  // namespace

std::string where_it_stopped(const SearchTrace& trace, const PeopleFound& found) {
  if (!found.people.empty()) return {};
  std::vector<std::string> blind, empty;
  for (const SearchTrace::Camera& camera : trace.cameras) {
    if (!camera.has_picture) blind.push_back(camera.name);
    if (camera.has_picture && camera.foreground_share < kNoForeground) empty.push_back(camera.name);
  }
  if (!blind.empty() && blind.size() == trace.cameras.size()) return "no camera has a picture";
  const std::string no_foreground =
      empty.size() == trace.cameras.size() ? "no camera has foreground" : about(empty, "foreground");
  if (trace.covered_share <= 0) {
    if (!blind.empty()) return about(blind, "picture") + ", the others see too little";
    return "no part of the floor is seen by enough cameras";
  }
  if (trace.largest_probability && blind.empty() && empty.empty()) {
    return fmt::format(
        "the occupancy map reaches a probability of {:.1f} nowhere (maximum of a cell: {:.2f})", kPresent,
        *trace.largest_probability);
  }
  // Peaks are more informative than a camera without foreground, which may be outvoted.
  if (found.rejected.empty() || found.largest_peak_l <= 0) {
    if (!blind.empty()) return about(blind, "picture");
    if (!empty.empty()) return no_foreground;
    if (trace.occupied_voxels == 0)
      return "no voxel reaches the agreement: the cameras' foregrounds do not meet";
    return "nothing stands above the lowest height of the floor map";
  }
  std::string text = "no peak of the floor map is a person: " + rejections(found.rejected);
  if (!empty.empty()) text += "; " + no_foreground;
  return text + fmt::format(" (maximum {:.1f} l)", found.largest_peak_l);
}

PeopleSource resolved_source(const ParameterStore& parameters, bool has_detections) {
  const PeopleSource chosen = parameters.get<PeopleParameters>().source;
  if (chosen != PeopleSource::automatic) return chosen;
  const bool detections = has_detections && parameters.get<DetectionParameters>().enabled;
  return detections ? PeopleSource::fused : PeopleSource::volume;
}

const StageType kPeopleStageType = {
    .name = kPeopleStage,
    .needs_calibration = true,
    .by_calibration = true,
    .tables = tables_of<PeopleParameters, MarginalParameters, FusionParameters>,
    .make = PeopleStage::make,
    .estimate_memory = PeopleStage::estimate_memory};

size_t PeopleArtifact::size_bytes() const {
  size_t bytes = sizeof *this + stopped_at.size() + found.people.size() * sizeof(FoundPerson) +
                 found.rejected.size() * sizeof(RejectedPeak);
  for (const FusedPerson& person : fused)
    bytes += sizeof person + person.evidence.size() * sizeof(CameraEvidence);
  return bytes;
}

}  // namespace vantage
