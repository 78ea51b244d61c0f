#include "core/pipeline/artifacts.h"

namespace vantage {

size_t FrameSetArtifact::size_bytes() const {
  size_t total = sizeof *this;
  for (const CameraFrame& camera : frames.cameras) total += sizeof camera + camera.picture.size_bytes();
  return total;
}

size_t DetectionsArtifact::size_bytes() const {
  size_t total = sizeof *this + cameras.size() * sizeof(CameraDetections);
  for (const CameraDetections& camera : cameras)
    for (const PersonDetection& person : camera.people)
      total += sizeof person + person.keypoints.size() * sizeof(Keypoint);
  return total;
}

namespace {

// With its copy on the host, whether somebody has asked for that or not.
size_t bytes_of_mask(const Image& mask) {
  const bool copied = mask && mask.place().kind != MemoryKind::host;
  return mask.size_bytes() * (copied ? 2 : 1);
}

}  // namespace

size_t ForegroundArtifact::size_bytes() const {
  size_t total = sizeof *this;
  for (const ForegroundImages& images : cameras)
    total += sizeof images + images.indicator.size_bytes() + bytes_of_mask(images.mask);
  return total;
}

Status ForegroundArtifact::finish() const {
  for (const ForegroundImages& images : cameras)
    if (const Result<int64_t>& count = images.mask_count.get(); !count) return fail(count.error());
  return {};
}

size_t VolumeArtifact::size_bytes() const {
  return sizeof *this + volume.shell_size_bytes + volume.confidence.size_bytes() +
         volume.occupancy.size_bytes();
}

Status VolumeArtifact::finish() const {
  if (const Result<VolumeCounts>& counts = volume.counts.get(); !counts) return fail(counts.error());
  return {};
}

size_t FloorMapArtifact::size_bytes() const {
  return sizeof *this + map.columns.size_bytes() + map.tops.size_bytes();
}

size_t PeopleArtifact::size_bytes() const {
  size_t bytes = sizeof *this + stopped_at.size() + found.people.size() * sizeof(Person) +
                 found.rejected.size() * sizeof(RejectedPeak);
  for (const FusedPerson& person : fused)
    bytes += sizeof person + person.evidence.size() * sizeof(CameraEvidence);
  return bytes;
}

size_t TracksArtifact::size_bytes() const {
  return sizeof *this + tracked.size() * sizeof(TrackedDetection);
}

size_t HeightMapArtifact::size_bytes() const {
  const bool own_levels = estimate.levels.buffer() != estimate.map.labels.buffer();
  return sizeof *this + estimate.map.labels.size_bytes() + estimate.map.unsettled.size_bytes() +
         estimate.heights_m.size_bytes() + (own_levels ? estimate.levels.size_bytes() : 0) +
         estimate.device_levels.size_bytes() + estimate.device_unsettled.size_bytes() +
         estimate.heads.size() * sizeof(Head);
}

size_t FlowArtifact::size_bytes() const {
  size_t total = sizeof *this;
  for (const CameraFlow& camera : cameras)
    total += sizeof camera + camera.field.vectors.size_bytes() + camera.field.confidence.size_bytes();
  return total;
}

size_t MotionArtifact::size_bytes() const {
  return sizeof *this + people.size() * sizeof(people[0]);
}

size_t AppearanceArtifact::size_bytes() const {
  size_t total = sizeof *this;
  for (const std::vector<BodyColor>& person : people)
    total += sizeof person + person.size() * sizeof(BodyColor);
  return total;
}

size_t HeadsArtifact::size_bytes() const {
  size_t total = sizeof *this + heads.size() * sizeof(SceneHead);
  for (const std::vector<Detection>& boxes : cameras)
    total += sizeof boxes + boxes.size() * sizeof(Detection);
  return total;
}

size_t JoinedHeadsArtifact::size_bytes() const {
  return sizeof *this + joined.size() * sizeof(JoinedHead);
}

size_t DisplayArtifact::size_bytes() const {
  size_t total = sizeof *this + shell_ids.size_bytes();
  for (const Picture& picture : pictures) total += picture.size_bytes();
  for (const Image& indicator : indicators) total += indicator.size_bytes();
  return total;
}

}  // namespace vantage
