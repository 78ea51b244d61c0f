#include "core/detections/detection_store.h"

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

// A video of ten frames whose pictures 4 to 6 are not there.
std::shared_ptr<const std::vector<int64_t>> with_gap() {
  return std::make_shared<const std::vector<int64_t>>(std::vector<int64_t>{0, 1, 2, 3, -1, -1, -1, 4, 5, 6});
}

TEST(FileFrames, OfAVideoWithAGapAFileCountsFramesOrPictures) {
  // Ten frames: they go beyond the last picture.
  const FileFrames frames(counting_file(10), {}, with_gap());
  EXPECT_FALSE(frames.counts_pictures());
  EXPECT_EQ(at_frames(frames, 10), (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  // Seven, with people in the gap: they are the pictures.
  const FileFrames pictures(counting_file(7), {}, with_gap());
  EXPECT_TRUE(pictures.counts_pictures());
  EXPECT_EQ(at_frames(pictures, 10), (std::vector<int>{0, 1, 2, 3, -1, -1, -1, 4, 5, 6}));
  EXPECT_NE(pictures.hash(), FileFrames(counting_file(7), {}).hash());
  // At another rate than the video's the file has times of its own.
  EXPECT_FALSE(FileFrames(counting_file(7), {0, 0.5}, with_gap()).counts_pictures());
}

TEST(FileFrames, OfAVideoWithAGapAFileThatIsEmptyThereCountsFrames) {
  auto file = std::make_shared<DetectionFile>(*counting_file(6));
  file->frames.resize(6);
  for (size_t i = 4; i < 6; ++i) file->frames[i].people.clear();
  EXPECT_FALSE(FileFrames(file, {}, with_gap()).counts_pictures());
}

TEST(FileFrames, TheHashTellsContentAndTiming) {
  const uint64_t hash = FileFrames(counting_file(3), {}).hash();
  EXPECT_EQ(FileFrames(counting_file(3), {}).hash(), hash);
  EXPECT_NE(FileFrames(counting_file(3), {1, 1}).hash(), hash);
  EXPECT_NE(FileFrames(counting_file(2), {}).hash(), hash);
}

}  // namespace
}  // namespace vantage
