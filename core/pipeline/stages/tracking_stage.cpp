#include "core/pipeline/stages/stage_types.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/hash.h"
#include "core/people/floor_person.h"
#include "core/people/people.h"
#include "core/pipeline/artifacts.h"
#include "core/pipeline/stage.h"
#include "core/tracking/paths/path_tracker.h"

namespace vantage {
namespace {

// People of frames that no detector examined: those of the last examined frame, each moved along their track,
// at constant speed for Tracker::kCoast_s at most.
//
// They may have left, so their confidence decreases (carried_confidence), and after keep_s, when the tracker
// gives up too, the frame's people are unknown.

// The last examined frame, as a plain value: a copy is a checkpoint.
struct LastLook {
  int64_t frame = -1;  // -1: none was examined
  int64_t gap = 0;     // frames since the one before
  std::vector<CarriedPerson> people;
};

// `tracked`: the tracks of `found`, in their order.
LastLook last_look(int64_t frame, int64_t gap, std::span<const FoundPerson> found,
                   std::span<const TrackedPerson> tracked) {
  LastLook look{frame, gap, {}};
  for (size_t i = 0; i < tracked.size(); ++i) look.people.push_back({tracked[i], found[i].confidence});
  return look;
}

// People in a later frame; nothing: unknown. `frame_s`: seconds per frame.
std::optional<std::vector<CarriedPerson>> carried_people(const LastLook& look, int64_t frame, double frame_s,
                                                         double keep_s) {
  const double passed_s = static_cast<double>(frame - look.frame) * frame_s;
  if (look.frame < 0 || frame < look.frame || passed_s > keep_s) return std::nullopt;
  const double coast_s = std::min(passed_s, Tracker::kCoast_s);
  std::vector<CarriedPerson> people = look.people;
  for (CarriedPerson& person : people) {
    person.track.x_m += person.track.speed_x * coast_s, person.track.y_m += person.track.speed_y * coast_s;
    person.confidence = carried_confidence(person.confidence, passed_s);
  }
  return people;
}

// Where examined frames are far apart (live cameras on a slow machine), a person missed in two of them is
// kept. A single pause does not count. `gap`: frames since the last examined one.
double keep_s_for(double keep_s, const LastLook& last, int64_t gap, double frame_s) {
  constexpr int kLooks = 3;
  return std::max(keep_s, kLooks * static_cast<double>(std::min(gap, last.gap)) * frame_s);
}

FloorDetection detection_of(const FoundPerson& person) {
  return {person.x_m, person.y_m, person.height_m};
}

class TracksMemory final : public StageMemory {
 public:
  TracksMemory(TrackerMemory memory, LastLook look) : memory(std::move(memory)), look(std::move(look)) {}
  size_t size_bytes() const override {
    return sizeof *this + memory.tracks.size() * sizeof(TrackerMemory::Track) +
           look.people.size() * sizeof(CarriedPerson);
  }
  const TrackerMemory memory;
  const LastLook look;
};

class TrackingStage final : public StageOf<&FrameArtifacts::tracking> {
 public:
  TrackingStage(double frame_rate, std::unique_ptr<TrackAssociation> association)
      : frame_rate_(frame_rate), tracker_(frame_rate, std::move(association)) {}

  static Result<std::unique_ptr<Stage>> make(ChainContext& context) {
    VANTAGE_ASSIGN(auto association, context.backends.create<TrackAssociation>({}));
    return std::make_unique<TrackingStage>(context.frame_rate, std::move(association));
  }

  std::string_view name() const override { return kTrackingStage; }
  std::vector<std::string_view> inputs() const override { return {kPeopleStage}; }
  bool has_memory() const override { return true; }
  Status configure(const ParameterStore& parameters) override {
    const auto own = parameters_ = parameters.get<TrackingParameters>();
    parameter_hash_ = parameters.hash(parameter_table<TrackingParameters>().stage);
    if (own.method != TrackingMethod::greedy)  // IDs in results may depend on these
      parameter_hash_ =
          Hasher().add(parameter_hash_).add(parameters.hash(parameter_table<PathParameters>().stage)).value();
    return {};
  }
  uint64_t own_hash() const override { return Hasher().add(frame_rate_).add(parameter_hash_).value(); }

  Result<Made> process(int64_t frame, const FrameArtifacts& inputs) override {
    std::vector<FloorDetection> detections, rejected;
    const auto& people = *inputs.people;
    for (const FoundPerson& person : people.found.people) detections.push_back(detection_of(person));
    for (const RejectedPeak& one : people.found.rejected) rejected.push_back(detection_of(one.peak));
    auto artifact = std::make_shared<TracksArtifact>();
    if (!people.looked) {
      artifact->carried = carried_people(look_, frame, 1 / frame_rate_, parameters_.keep_s);
      return artifact;
    }
    const int64_t gap = look_.frame < 0 ? 0 : frame - look_.frame;
    TrackingParameters now = parameters_;
    now.keep_s = keep_s_for(now.keep_s, look_, gap, 1 / frame_rate_);
    tracker_.set_parameters(now);
    VANTAGE_ASSIGN(artifact->tracked, tracker_.update(frame, detections, rejected,
                                                      sight_of(people.cameras, people.without_picture)));
    look_ = last_look(frame, gap, people.found.people, artifact->tracked);
    return artifact;
  }

  Status reset() override {
    tracker_.reset();
    look_ = {};
    return {};
  }
  Result<StageMemoryRef> save() const override {
    return std::make_shared<TracksMemory>(tracker_.memory(), look_);
  }
  Status restore(const StageMemory& memory) override {
    const auto& tracks = dynamic_cast<const TracksMemory&>(memory);
    tracker_.restore(tracks.memory);
    look_ = tracks.look;
    return {};
  }
  Status write_memory(ByteWriter* to) const override {
    const TrackerMemory& memory = tracker_.memory();
    to->add(memory.next_id).add(memory.last_frame).add(memory.recovered_frame);
    to->add(uint64_t{memory.tracks.size()});
    for (const TrackerMemory::Track& t : memory.tracks) {
      to->add(t.id).add(t.x_m).add(t.y_m).add(t.speed_x).add(t.speed_y).add(t.height_m);
      to->add(t.first_frame).add(t.last_frame).add(t.found_frame).add(t.hits).add(t.sure_frame);
    }
    to->add(look_.frame).add(look_.gap).add(uint64_t{look_.people.size()});
    for (const CarriedPerson& one : look_.people) {
      const TrackedPerson& t = one.track;
      to->add(t.id).add(t.x_m).add(t.y_m).add(t.height_m).add(t.speed_x).add(t.speed_y).add(one.confidence);
    }
    return {};
  }
  Status read_memory(ByteReader* from) override {
    TrackerMemory memory;
    from->take(&memory.next_id), from->take(&memory.last_frame), from->take(&memory.recovered_frame);
    for (auto count = from->take<uint64_t>(); count > 0 && !from->damaged(); --count) {
      TrackerMemory::Track& t = memory.tracks.emplace_back();
      from->take(&t.id), from->take(&t.x_m), from->take(&t.y_m), from->take(&t.speed_x);
      from->take(&t.speed_y), from->take(&t.height_m), from->take(&t.first_frame);
      from->take(&t.last_frame), from->take(&t.found_frame), from->take(&t.hits);
      from->take(&t.sure_frame);
    }
    tracker_.restore(std::move(memory));
    look_ = {};
    from->take(&look_.frame), from->take(&look_.gap);
    for (auto count = from->take<uint64_t>(); count > 0 && !from->damaged(); --count) {
      CarriedPerson& one = look_.people.emplace_back();
      TrackedPerson& t = one.track;
      from->take(&t.id), from->take(&t.x_m), from->take(&t.y_m), from->take(&t.height_m);
      from->take(&t.speed_x), from->take(&t.speed_y), from->take(&one.confidence);
    }
    return {};
  }

 private:
  const double frame_rate_;
  Tracker tracker_;
  TrackingParameters parameters_;
  LastLook look_;  // people are carried from it where no detector examines
  uint64_t parameter_hash_ = 0;
};

}  // namespace

const StageType kTrackingStageType = {.name = kTrackingStage,
                                      .needs_calibration = true,
                                      .tables = tables_of<TrackingParameters, PathParameters>,
                                      .make = TrackingStage::make};

size_t TracksArtifact::size_bytes() const {
  return sizeof *this + tracked.size() * sizeof(TrackedPerson) +
         (carried ? carried->size() * sizeof(CarriedPerson) : 0);
}

}  // namespace vantage
