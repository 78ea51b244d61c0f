#include "core/pipeline/detail/kept_artifacts.h"

#include <bit>
#include <cstring>

#include "core/base/byte_stream.h"
#include "core/people/mask_samples.h"

namespace vantage::pipeline_detail {
namespace {

bool on_device(const Image& image) {
  return image && image.place().kind != MemoryKind::host;
}

Result<Image> zeros(ImageType type, int width, int height) {
  VANTAGE_ASSIGN(Image image, Image::make(type, width, height, HostPool::shared()));
  std::memset(image.buffer()->data(), 0, image.size_bytes());
  return image;
}

// ---- video

void write_video(const FrameSetArtifact& artifact, ByteWriter* to) {
  const FrameSet& frames = artifact.frames;
  to->add(frames.frame).add(frames.time_ns).add(uint64_t{frames.cameras.size()});
  for (const CameraFrame& camera : frames.cameras) {
    to->add(camera.camera_frame).add(camera.time_ns).add(camera.offset_remainder_frames).add(camera.packet);
    to->add(std::string_view(camera.problem));
  }
}

ArtifactRef read_video(ByteReader* from) {
  auto artifact = std::make_shared<FrameSetArtifact>();
  FrameSet& frames = artifact->frames;
  from->take(&frames.frame), from->take(&frames.time_ns);
  for (auto count = from->take<uint64_t>(); count > 0 && !from->damaged(); --count) {
    CameraFrame& camera = frames.cameras.emplace_back();
    from->take(&camera.camera_frame), from->take(&camera.time_ns);
    from->take(&camera.offset_remainder_frames), from->take(&camera.packet);
    camera.problem = from->take_text();
  }
  return artifact;
}

// ---- detections

void write_detections(const DetectionsArtifact& artifact, ByteWriter* to) {
  to->add(uint8_t{artifact.present}).add(uint64_t{artifact.cameras.size()});
  for (const CameraDetections& camera : artifact.cameras) {
    to->add(uint8_t{camera.known}).add(uint64_t{camera.people.size()});
    for (const PersonDetection& person : camera.people) {
      to->add(person.left_px).add(person.top_px).add(person.width_px).add(person.height_px);
      to->add(person.score).add(uint64_t{person.keypoints.size()});
      for (const Keypoint& joint : person.keypoints) to->add(joint.x_px).add(joint.y_px).add(joint.score);
    }
  }
}

ArtifactRef read_detections(ByteReader* from) {
  auto artifact = std::make_shared<DetectionsArtifact>();
  artifact->present = from->take<uint8_t>() != 0;
  for (auto cameras = from->take<uint64_t>(); cameras > 0 && !from->damaged(); --cameras) {
    CameraDetections& camera = artifact->cameras.emplace_back();
    camera.known = from->take<uint8_t>() != 0;
    for (auto people = from->take<uint64_t>(); people > 0 && !from->damaged(); --people) {
      PersonDetection& person = camera.people.emplace_back();
      from->take(&person.left_px), from->take(&person.top_px);
      from->take(&person.width_px), from->take(&person.height_px), from->take(&person.score);
      for (auto joints = from->take<uint64_t>(); joints > 0 && !from->damaged(); --joints) {
        Keypoint& joint = person.keypoints.emplace_back();
        from->take(&joint.x_px), from->take(&joint.y_px), from->take(&joint.score);
      }
    }
  }
  return artifact;
}

// ---- foreground: figures, and the masks where the search for people samples them

Result<bool> write_foreground(const ForegroundArtifact& artifact, ByteWriter* to) {
  to->add(uint64_t{artifact.cameras.size()});
  for (const ForegroundImages& images : artifact.cameras) {
    if (on_device(images.mask) || on_device(images.indicator)) return false;
    to->add(int32_t{images.mask.width()}).add(int32_t{images.mask.height()});
    if (!images.mask) continue;
    const Result<int64_t>& count = images.mask_count.get();
    if (!count) return fail(count.error());
    to->add(*count);
    const MaskSamples samples = sample_mask(images.indicator.view<uint8_t>());
    for (const std::vector<uint64_t>* bits : {&samples.bits, &samples.undecided}) {
      std::vector<uint32_t> places;
      std::vector<uint64_t> words;  // most are 0
      for (size_t i = 0; i < bits->size(); ++i) {
        if ((*bits)[i] == 0) continue;
        places.push_back(static_cast<uint32_t>(i)), words.push_back((*bits)[i]);
      }
      to->add(places).add(words);
    }
  }
  return true;
}

// Levels of the mask and of undecided pixels (core/people/mask_samples.h).
constexpr uint8_t kIn = 255, kUndecided = 96;
static_assert(in_mask(kIn) && is_undecided(kUndecided));

// Bits of an image's samples, as stored.
struct KeptSamples {
  std::vector<uint32_t> places;
  std::vector<uint64_t> words;
  void read(ByteReader* from) { from->take(&places), from->take(&words); }
};

// Sets the samples' pixels of an image that is 0 elsewhere.
void set_samples(const KeptSamples& samples, uint8_t level, const ImageView<uint8_t>& mask) {
  const auto& [places, words] = samples;
  const SampleGrid grid = SampleGrid::of(mask.width, mask.height);
  for (size_t i = 0; i < places.size() && i < words.size() && places[i] < grid.word_count(); ++i) {
    const int row = static_cast<int>(places[i]) / grid.words, word = static_cast<int>(places[i]) % grid.words;
    for (uint64_t left = words[i]; left != 0; left &= left - 1) {
      const int x = 64 * word + std::countr_zero(left);
      if (x < grid.width)
        mask.at(grid.step_x * x + grid.step_x / 2, grid.step_y * row + grid.step_y / 2) = level;
    }
  }
}

// ---- volume and floor map

void write_grid(const VoxelGrid& grid, ByteWriter* to) {
  for (const double value : grid.origin_in_world_m) to->add(value);
  to->add(grid.voxel_size_m).add(int32_t{grid.nx}).add(int32_t{grid.ny}).add(int32_t{grid.nz});
}

VoxelGrid read_grid(ByteReader* from) {
  VoxelGrid grid;
  for (double& value : grid.origin_in_world_m) from->take(&value);
  from->take(&grid.voxel_size_m);
  grid.nx = from->take<int32_t>(), grid.ny = from->take<int32_t>(), grid.nz = from->take<int32_t>();
  return grid;
}

Result<bool> write_volume(const VolumeArtifact& artifact, bool shell, ByteWriter* to) {
  const CarvedVolume& volume = artifact.volume;
  const Result<VolumeCounts>& counts = volume.counts.get();
  if (!counts) return fail(counts.error());
  write_grid(volume.grid, to);
  to->add(volume.frame).add(counts->occupied).add(counts->shell).add(uint8_t{shell});
  if (!shell || counts->shell == 0) return true;
  const Result<Image>& ids = volume.shell_ids.get();
  if (!ids) return fail(ids.error());
  if (on_device(*ids)) return false;
  to->raw(ids->view<uint32_t>().data, static_cast<size_t>(counts->shell) * sizeof(uint32_t));
  return true;
}

// Null where the shell is needed and was not kept.
ArtifactRef read_volume(ByteReader* from, bool shell) {
  auto artifact = std::make_shared<VolumeArtifact>();
  CarvedVolume& volume = artifact->volume;
  volume.grid = read_grid(from);
  VolumeCounts counts;
  from->take(&volume.frame), from->take(&counts.occupied), from->take(&counts.shell);
  const bool has_shell = from->take<uint8_t>() != 0;
  if (from->damaged() || (shell && !has_shell)) return nullptr;
  if (has_shell && counts.shell > 0) {
    const size_t bytes = static_cast<size_t>(counts.shell) * sizeof(uint32_t);
    if (counts.shell > INT32_MAX || bytes > from->left()) return nullptr;
    Result<Image> ids = Image::make(ImageType::u32, static_cast<int>(counts.shell), 1, HostPool::shared());
    if (!ids) return nullptr;
    from->raw(ids->writable_view<uint32_t>().data, bytes);
    volume.shell_size_bytes = ids->size_bytes();
    volume.shell_ids = std::move(*ids);
  }
  volume.counts = counts;
  return artifact;
}

// Stores cells with something over them as runs along x: first cells, lengths, and the values of all their
// cells, columns before tops, in one byte each where possible.
void write_floor(const FloorMapArtifact& artifact, ByteWriter* to) {
  const FloorMap& map = artifact.map;
  write_grid(map.grid, to);
  to->add(map.frame);
  const auto columns = map.columns.view<uint16_t>(), tops = map.tops.view<uint16_t>();
  std::vector<uint32_t> firsts;
  std::vector<uint16_t> lengths, cells, highest;
  for (int y = 0; y < columns.height; ++y)
    for (int x = 0; x < columns.width; ++x) {
      if (columns.at(x, y) == 0 && tops.at(x, y) == 0) continue;
      const auto cell = static_cast<uint32_t>(y * columns.width + x);
      const bool continues =
          !firsts.empty() && cell == firsts.back() + lengths.back() && x > 0 && lengths.back() < UINT16_MAX;
      if (!continues) firsts.push_back(cell), lengths.push_back(0);
      ++lengths.back();
      cells.push_back(columns.at(x, y)), highest.push_back(tops.at(x, y));
    }
  cells.insert(cells.end(), highest.begin(), highest.end());
  const bool bytes = map.grid.nz <= UINT8_MAX;
  to->add(firsts).add(lengths);
  if (bytes)
    to->add(std::vector<uint8_t>(cells.begin(), cells.end()));
  else
    to->add(cells);
}

// Omits the cells where only figures are needed: lines of results hold none.
ArtifactRef read_floor(ByteReader* from, Need need) {
  auto artifact = std::make_shared<FloorMapArtifact>();
  FloorMap& map = artifact->map;
  map.grid = read_grid(from);
  from->take(&map.frame);
  std::vector<uint32_t> firsts;
  std::vector<uint16_t> lengths, values;
  from->take(&firsts), from->take(&lengths);
  if (map.grid.nz <= UINT8_MAX) {
    std::vector<uint8_t> bytes;
    from->take(&bytes);
    values.assign(bytes.begin(), bytes.end());
  } else {
    from->take(&values);
  }
  size_t cells = 0;
  for (const uint16_t length : lengths) cells += length;
  if (from->damaged() || firsts.size() != lengths.size() || values.size() != 2 * cells) return nullptr;
  if (need == Need::figures) return artifact;
  Result<Image> columns = zeros(ImageType::u16, map.grid.nx, map.grid.ny);
  Result<Image> tops = zeros(ImageType::u16, map.grid.nx, map.grid.ny);
  if (!columns || !tops) return nullptr;
  const auto column = columns->writable_view<uint16_t>(), top = tops->writable_view<uint16_t>();
  size_t next = 0;
  for (size_t run = 0; run < firsts.size(); ++run) {
    const int x = static_cast<int>(firsts[run]) % map.grid.nx,
              y = static_cast<int>(firsts[run]) / map.grid.nx;
    if (y >= map.grid.ny || x + lengths[run] > map.grid.nx) return nullptr;
    for (int i = 0; i < lengths[run]; ++i, ++next)
      column.at(x + i, y) = values[next], top.at(x + i, y) = values[cells + next];
  }
  map.columns = std::move(*columns), map.tops = std::move(*tops);
  return artifact;
}

// ---- people

void write_person(const FoundPerson& person, ByteWriter* to) {
  to->add(person.x_m).add(person.y_m).add(person.height_m).add(person.volume_l).add(person.confidence);
  to->add(int32_t{person.cameras});
}

void read_person(ByteReader* from, FoundPerson* person) {
  from->take(&person->x_m), from->take(&person->y_m), from->take(&person->height_m);
  from->take(&person->volume_l), from->take(&person->confidence);
  person->cameras = from->take<int32_t>();
}

void write_people(const PeopleArtifact& artifact, ByteWriter* to) {
  const PeopleFound& found = artifact.found;
  to->add(found.peaks).add(found.largest_peak_l).add(uint64_t{found.people.size()});
  for (const FoundPerson& person : found.people) write_person(person, to);
  to->add(uint64_t{found.rejected.size()});
  for (const RejectedPeak& one : found.rejected) {
    write_person(one.peak, to);
    to->add(one.reason);
  }
  to->add(int32_t{artifact.cameras}).add(int32_t{artifact.without_picture}).add(artifact.covered_share);
  to->add(std::string_view(artifact.stopped_at)).add(uint8_t{artifact.looked});
  to->add(uint64_t{artifact.fused.size()});
  for (const FusedPerson& person : artifact.fused) {
    to->add(person.x_m).add(person.y_m).add(person.height_m);
    to->add(person.variance_x_m2).add(person.covariance_xy_m2).add(person.variance_y_m2);
    to->add(person.height_deviation_m).add(person.gain_nats).add(person.confidence);
    to->add(uint64_t{person.evidence.size()});
    for (const CameraEvidence& one : person.evidence)
      to->add(one.camera).add(one.detection).add(one.nats).add(one.visible).add(one.in_mask).add(one.head);
  }
}

void read_fused(ByteReader* from, FusedPerson* person) {
  from->take(&person->x_m), from->take(&person->y_m), from->take(&person->height_m);
  from->take(&person->variance_x_m2), from->take(&person->covariance_xy_m2);
  from->take(&person->variance_y_m2), from->take(&person->height_deviation_m);
  from->take(&person->gain_nats), from->take(&person->confidence);
  for (auto count = from->take<uint64_t>(); count > 0 && !from->damaged(); --count) {
    CameraEvidence& one = person->evidence.emplace_back();
    from->take(&one.camera), from->take(&one.detection), from->take(&one.nats), from->take(&one.visible);
    from->take(&one.in_mask), from->take(&one.head);
  }
}

ArtifactRef read_people(ByteReader* from) {
  auto artifact = std::make_shared<PeopleArtifact>();
  PeopleFound& found = artifact->found;
  from->take(&found.peaks), from->take(&found.largest_peak_l);
  for (auto count = from->take<uint64_t>(); count > 0 && !from->damaged(); --count)
    read_person(from, &found.people.emplace_back());
  for (auto count = from->take<uint64_t>(); count > 0 && !from->damaged(); --count) {
    RejectedPeak& one = found.rejected.emplace_back();
    read_person(from, &one.peak);
    from->take(&one.reason);
  }
  artifact->cameras = from->take<int32_t>(), artifact->without_picture = from->take<int32_t>();
  from->take(&artifact->covered_share);
  artifact->stopped_at = from->take_text();
  artifact->looked = from->take<uint8_t>() != 0;
  for (auto count = from->take<uint64_t>(); count > 0 && !from->damaged(); --count)
    read_fused(from, &artifact->fused.emplace_back());
  return artifact;
}

bool is_on(const ParameterStore& parameters, std::string_view stage) {
  return parameters.get(stage, "enabled").value_or(0) != 0;
}

}  // namespace

Need input_need(std::string_view stage, uint64_t own_hash, const ParameterStore& parameters) {
  if (stage == kPeopleStage) {
    const PeopleSource source = parameters.get<PeopleParameters>().source;
    return source == PeopleSource::occupancy ? Need::everything : Need::evidence;
  }
  if (stage == kTrackingStage || stage == kSkeletonsStage) return Need::evidence;
  if (stage == kJoinedHeadsStage) return Need::figures;
  // Switched-off stages have artifacts that only state that.
  for (const std::string_view off : {kHeadsStage, kHeightMapStage})
    if (stage == off && !is_on(parameters, stage)) return Need::figures;
  // Colours are also measured for people who come back.
  if (stage == kAppearanceStage && own_hash == 0) return Need::figures;
  if (stage == kMotionStage && !is_on(parameters, kFlowStage)) return Need::figures;
  return Need::everything;
}

bool kept_whole(std::string_view stage) {
  return stage == kPeopleStage || stage == kDetectionsStage;
}

Result<std::optional<std::string>> kept_bytes(std::string_view stage, const Artifact& artifact, bool shell) {
  ByteWriter to;
  bool kept = true;
  if (stage == kVideoStage) {
    write_video(static_cast<const FrameSetArtifact&>(artifact), &to);
  } else if (stage == kDetectionsStage) {
    write_detections(static_cast<const DetectionsArtifact&>(artifact), &to);
  } else if (stage == kForegroundStage) {
    VANTAGE_ASSIGN(kept, write_foreground(static_cast<const ForegroundArtifact&>(artifact), &to));
  } else if (stage == kFlowStage) {
    kept = static_cast<const FlowArtifact&>(artifact).cameras.empty();
  } else if (stage == kCarvingStage) {
    VANTAGE_ASSIGN(kept, write_volume(static_cast<const VolumeArtifact&>(artifact), shell, &to));
  } else if (stage == kFloorStage) {
    write_floor(static_cast<const FloorMapArtifact&>(artifact), &to);
  } else if (stage == kPeopleStage) {
    write_people(static_cast<const PeopleArtifact&>(artifact), &to);
  } else {
    kept = false;
  }
  if (!kept) return std::nullopt;
  return to.take();
}

ArtifactRef KeptReader::read(std::string_view stage, std::string_view bytes, Need need, bool shell) {
  ByteReader from(bytes);
  ArtifactRef artifact;
  if (stage == kVideoStage) artifact = read_video(&from);
  if (stage == kDetectionsStage) artifact = read_detections(&from);
  if (stage == kForegroundStage) artifact = read_foreground(&from, need);
  if (stage == kFlowStage) artifact = std::make_shared<FlowArtifact>();
  if (stage == kCarvingStage) artifact = read_volume(&from, shell);
  if (stage == kFloorStage) artifact = read_floor(&from, need);
  if (stage == kPeopleStage) artifact = read_people(&from);
  return from.finish() ? artifact : nullptr;
}

ArtifactRef KeptReader::read_foreground(ByteReader* from, Need need) {
  auto artifact = std::make_shared<ForegroundArtifact>();
  for (auto cameras = from->take<uint64_t>(); cameras > 0 && !from->damaged(); --cameras) {
    ForegroundImages& images = artifact->cameras.emplace_back();
    const auto width = from->take<int32_t>(), height = from->take<int32_t>();
    if (width <= 0 || height <= 0) continue;
    images.mask_count = from->take<int64_t>();
    KeptSamples in, undecided;
    in.read(from), undecided.read(from);
    if (from->damaged()) return nullptr;
    const auto image = [&] {
      return need == Need::figures ? empty_mask(width, height) : zeros(ImageType::u8, width, height);
    };
    Result<Image> mask = image(), indicator = image();
    if (!mask || !indicator) return nullptr;
    images.mask = std::move(*mask), images.indicator = std::move(*indicator);
    if (need == Need::figures) continue;
    set_samples(in, kIn, images.mask.writable_view<uint8_t>());
    set_samples(in, kIn, images.indicator.writable_view<uint8_t>());
    set_samples(undecided, kUndecided, images.indicator.writable_view<uint8_t>());
  }
  return artifact;
}

// Images are immutable once handed on, so all frames of a camera share one.
Result<Image> KeptReader::empty_mask(int width, int height) {
  Image& mask = empty_masks_[{width, height}];
  if (!mask) {
    VANTAGE_ASSIGN(mask, zeros(ImageType::u8, width, height));
  }
  return mask;
}

}  // namespace vantage::pipeline_detail

namespace vantage {

ArtifactRef ArtifactCache::find(const ArtifactKey& key) {
  const std::lock_guard lock(mutex_);
  const auto found = index_.find(key);
  if (found == index_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->artifact;
}

void ArtifactCache::put(const ArtifactKey& key, ArtifactRef artifact) {
  const size_t bytes = artifact->size_bytes();
  std::list<Entry> dropped;
  const std::lock_guard lock(mutex_);
  if (bytes > max_bytes_) return;
  if (const auto found = index_.find(key); found != index_.end()) remove(found->second, &dropped);
  while (bytes_ + bytes > max_bytes_) remove(std::prev(entries_.end()), &dropped);
  entries_.push_front({key, std::move(artifact), bytes});
  index_[key] = entries_.begin();
  bytes_ += bytes;
}

void ArtifactCache::erase(const ArtifactKey& key) {
  std::list<Entry> dropped;
  const std::lock_guard lock(mutex_);
  if (const auto found = index_.find(key); found != index_.end()) remove(found->second, &dropped);
}

void ArtifactCache::restate(size_t stage, uint64_t from, uint64_t to, int64_t first_changed) {
  const std::lock_guard lock(mutex_);
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
    ArtifactKey key = entry->key;
    if (key.stage != stage || key.version != from || key.frame >= first_changed) continue;
    key.version = to;
    if (index_.contains(key)) continue;
    index_.erase(entry->key);
    index_[key] = entry;
    entry->key = key;
  }
}

size_t ArtifactCache::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

void ArtifactCache::set_max_bytes(size_t max_bytes) {
  std::list<Entry> dropped;
  const std::lock_guard lock(mutex_);
  max_bytes_ = max_bytes;
  while (bytes_ > max_bytes_) remove(std::prev(entries_.end()), &dropped);
}

void ArtifactCache::remove(std::list<Entry>::iterator entry, std::list<Entry>* dropped) {
  bytes_ -= entry->bytes;
  index_.erase(entry->key);
  dropped->splice(dropped->end(), entries_, entry);
}

}  // namespace vantage
