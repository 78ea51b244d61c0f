#include "core/detections/file_frames.h"

#include <gtest/gtest.h>

namespace vantage {
namespace {

// Frame i holds i people.
std::shared_ptr<const DetectionFile> counting_file(size_t frames) {
  auto file = std::make_shared<DetectionFile>();
  file->frames.resize(frames);
  for (size_t i = 0; i < frames; ++i) {
    file->frames[i].known = true;
    file->frames[i].people.resize(i, {0, 0, 1, 1, 1, {}});
  }
  return file;
}

// The number of people by camera frame; -1: unknown.
std::vector<int> at_frames(const FileFrames& frames, int count) {
  std::vector<int> people;
  for (int i = 0; i < count; ++i) {
    const CameraDetections found = frames.at(i);
    people.push_back(found.known ? static_cast<int>(found.people.size()) : -1);
  }
  return people;
}

TEST(FileFrames, SameRateAndStart) {
  EXPECT_EQ(at_frames(FileFrames(counting_file(3), {}), 4), (std::vector<int>{0, 1, 2, -1}));
  EXPECT_FALSE(FileFrames(counting_file(3), {}).at(-1).known);
}

TEST(FileFrames, AnOffsetShiftsThem) {
  EXPECT_EQ(at_frames(FileFrames(counting_file(4), {2, 1}), 3), (std::vector<int>{2, 3, -1}));
  EXPECT_EQ(at_frames(FileFrames(counting_file(4), {-1, 1}), 3), (std::vector<int>{-1, 0, 1}));
}

TEST(FileFrames, FewerDetectionsBelongToTheNearestFrameAlone) {
  EXPECT_EQ(at_frames(FileFrames(counting_file(3), {0, 1.0 / 3}), 8),
            (std::vector<int>{0, -1, -1, 1, -1, -1, 2, -1}));
}

TEST(FileFrames, MoreDetectionsThanFramesAreLeftOut) {
  EXPECT_EQ(at_frames(FileFrames(counting_file(6), {0, 2}), 4), (std::vector<int>{0, 2, 4, -1}));
}

TEST(FileFrames, TheHashTellsContentAndTiming) {
  const uint64_t hash = FileFrames(counting_file(3), {}).hash();
  EXPECT_EQ(FileFrames(counting_file(3), {}).hash(), hash);
  EXPECT_NE(FileFrames(counting_file(3), {1, 1}).hash(), hash);
  EXPECT_NE(FileFrames(counting_file(2), {}).hash(), hash);
}

}  // namespace
}  // namespace vantage
