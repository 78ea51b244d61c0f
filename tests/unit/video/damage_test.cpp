// Damaged files: what is decodable is delivered, the rest reported with its frame; never a crash, a hang or,
// after a seek, another frame than in play.
#include <gtest/gtest.h>

#include <fstream>
#include <iostream>
#include <iterator>

#include "tests/support/data.h"
#include "tests/support/loop_size.h"
#include "tests/unit/video/video_test_support.h"

namespace vantage::test {
namespace {

namespace fs = std::filesystem;
using Bytes = std::string;

constexpr int kFrames = 60;

Bytes read_bytes(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_bytes(const fs::path& path, const Bytes& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

Bytes damaged(Bytes bytes, std::mt19937_64& random) {
  const auto below = [&](size_t limit) { return static_cast<size_t>(random() % std::max<size_t>(limit, 1)); };
  switch (random() % 5) {
    case 0:  // cut off
      bytes.resize(below(bytes.size()));
      break;
    case 1:  // single bytes
      for (size_t i = 0, n = 1 + below(40); i < n; ++i)
        bytes[below(bytes.size())] = static_cast<char>(random());
      break;
    case 2: {  // a stretch of zeros
      const size_t begin = below(bytes.size());
      std::fill_n(bytes.begin() + static_cast<ptrdiff_t>(begin), std::min(bytes.size() - begin, below(8000)),
                  '\0');
      break;
    }
    case 3: {  // a stretch of noise
      const size_t begin = below(bytes.size()), size = std::min(bytes.size() - begin, below(3000));
      for (size_t i = 0; i < size; ++i) bytes[begin + i] = static_cast<char>(random());
      break;
    }
    default: {  // a stretch is gone
      const size_t begin = below(bytes.size());
      bytes.erase(begin, below(5000));
    }
  }
  return bytes;
}

// Plays to the end and back in jumps. Returns the number of frames with a picture.
int64_t exercise(const fs::path& video, std::mt19937_64& random, bool compare_jumps) {
  VideoOpenOptions options;
  options.native_checksum = true;
  Result<std::unique_ptr<VideoSource>> source = open_video(video.string(), options);
  if (!source) {
    EXPECT_FALSE(source.error().what.empty());
    EXPECT_EQ(source.error().where, video.string());
    EXPECT_NE(source.error().kind, ErrorKind::end_of_stream);
    return 0;
  }
  const std::vector<std::string> played = play(**source);
  int64_t pictures = 0;
  std::vector<int64_t> reported;
  for (const auto& [frame, text] : (*source)->problems()) {
    EXPECT_FALSE(text.empty());
    reported.push_back(frame);
  }
  for (size_t i = 0; i < played.size(); ++i) {
    pictures += played[i].empty() ? 0 : 1;
    if (played[i].empty()) {
      EXPECT_TRUE(std::binary_search(reported.begin(), reported.end(), static_cast<int64_t>(i))) << i;
    }
  }
  if (!compare_jumps || played.empty()) return pictures;
  // The first jump in a damaged file starts a check of the whole file; jumps are exact from then on.
  EXPECT_TRUE((*source)->seek(0));
  EXPECT_TRUE((*source)->wait_for_frame_count({}));
  check_random_access(**source, played, 8, random);
  return pictures;
}

class DamagedContainer : public testing::TestWithParam<const char*> {};

TEST_P(DamagedContainer, AnyDamageIsSurvived) {
  const TemporaryFolder folder;
  const fs::path whole = folder.path() / ("whole" + std::string(GetParam()));
  write_pattern_video(whole, {PictureLayout::i420, 160, 96}, kFrames, {.gop_frames = 12, .b_frames = 2});
  const Bytes bytes = read_bytes(whole);
  std::cout << "seed " << test_seed() << "\n";
  std::mt19937_64 random(test_seed());
  EXPECT_EQ(exercise(whole, random, true), kFrames);
  int64_t pictures = 0;
  const int cases = loop_size("VANTAGE_TEST_DAMAGES", 20);
  for (int i = 0; i < cases; ++i) {
    SCOPED_TRACE("case " + std::to_string(i));
    const fs::path video = folder.path() / ("case" + std::to_string(i) + GetParam());
    write_bytes(video, damaged(bytes, random));
    pictures += exercise(video, random, true);
    if (HasFailure()) {
      fs::copy_file(video, fs::temp_directory_path() / video.filename(),
                    fs::copy_options::overwrite_existing);
    }
    fs::remove(video);
  }
  EXPECT_GT(pictures, cases * kFrames / 8);  // much was still delivered
}

INSTANTIATE_TEST_SUITE_P(Files, DamagedContainer, testing::Values(".mp4", ".mkv", ".avi", ".ts"),
                         [](const auto& info) { return std::string(info.param + 1); });

TEST(DamagedVideo, CorruptMiddleKeepsTheNumbersOfTheRest) {
  const TemporaryFolder folder;
  const fs::path whole = folder.path() / "whole.mp4", broken = folder.path() / "broken.mp4";
  write_pattern_video(whole, {PictureLayout::i420, 160, 96}, kFrames, {.gop_frames = 12, .b_frames = 0});
  Bytes bytes = read_bytes(whole);
  for (size_t i = bytes.size() / 2; i < bytes.size() / 2 + 300; ++i) bytes[i] = static_cast<char>(0xff);
  write_bytes(broken, bytes);
  const auto good = open_checked(whole), bad = open_checked(broken);
  ASSERT_TRUE(good && bad);
  const std::vector<std::string> expected = play(*good), played = play(*bad);
  ASSERT_EQ(played.size(), expected.size());
  int same = 0, different = 0;
  for (size_t i = 0; i < played.size(); ++i) (played[i] == expected[i] ? same : different) += 1;
  EXPECT_GE(same, kFrames - 2 * 12);  // damage ends with its GOP
  EXPECT_GT(different, 0);
  EXPECT_EQ(played.front(), expected.front());
  EXPECT_EQ(played.back(), expected.back());
  const auto problems = bad->problems();
  ASSERT_FALSE(problems.empty());
  const auto first = static_cast<size_t>(problems.front().first);
  EXPECT_NE(played[first], expected[first]);
}

TEST(DamagedVideo, TruncatedFileReportsWhereItEnds) {
  const TemporaryFolder folder;
  const fs::path whole = folder.path() / "whole.avi", cut = folder.path() / "cut.avi";
  write_pattern_video(whole, {PictureLayout::i420, 160, 96}, kFrames, {.gop_frames = 12, .b_frames = 0});
  const Bytes bytes = read_bytes(whole);
  write_bytes(cut, bytes.substr(0, bytes.size() / 2));
  const auto source = open_checked(cut);
  ASSERT_TRUE(source);
  const auto frames = static_cast<int64_t>(play(*source).size());
  EXPECT_GT(frames, kFrames / 4);
  EXPECT_LT(frames, kFrames);
  const auto problems = source->problems();
  ASSERT_FALSE(problems.empty());
  EXPECT_GE(problems.back().first, frames - 1);
}

TEST(DamagedVideo, NotAVideoIsAnErrorThatSaysSo) {
  const TemporaryFolder folder;
  const auto expect_error = [&](const char* name, const Bytes& content, ErrorKind kind, const char* word) {
    const fs::path path = folder.path() / name;
    write_bytes(path, content);
    const auto source = open_video(path.string(), {});
    ASSERT_FALSE(source) << name;
    EXPECT_EQ(source.error().kind, kind);
    EXPECT_NE(source.error().what.find(word), std::string::npos) << source.error().message();
    EXPECT_EQ(source.error().where, path.string());
  };
  Bytes text;
  for (int i = 0; i < 500; ++i) text += "This is a text file, line " + std::to_string(i) + "\n";
  expect_error("empty.mp4", "", ErrorKind::bad_data, "empty");
  expect_error("text.mp4", text, ErrorKind::bad_data, "video");
  expect_error("text.avi", text, ErrorKind::bad_data, "video");
  expect_error("text.txt", text, ErrorKind::bad_data, "video");
  expect_error("zeros.mkv", Bytes(100000, '\0'), ErrorKind::bad_data, "video");

  const fs::path whole = folder.path() / "whole.mp4";
  write_pattern_video(whole, {PictureLayout::i420, 160, 96}, 30);
  const Bytes bytes = read_bytes(whole);
  expect_error("no_index.mp4", bytes.substr(0, bytes.rfind("moov") - 4), ErrorKind::bad_data, "index");

  const auto absent = open_video((folder.path() / "absent.mp4").string(), {});
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().kind, ErrorKind::not_found);
  EXPECT_FALSE(open_video("", {}));
}

}  // namespace
}  // namespace vantage::test
