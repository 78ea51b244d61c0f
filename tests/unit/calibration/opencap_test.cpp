// OpenCap's pickles: as Python writes them, damaged, and such that would run a program.
#include <gtest/gtest.h>

#include "tests/unit/calibration/flipped_bytes.h"
#include "tests/unit/calibration/known_cameras.h"
#include "tests/unit/calibration/opencap_pickles.h"
#include "tests/unit/calibration/read_text.h"

namespace vantage {
namespace {

using test::expect_refused;
using test::expect_same_pixels;

std::string from_hex(std::string_view hex) {
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  return bytes;
}

Result<Calibration> read_in_folder(const std::string& bytes, const CalibrationOptions& options) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "Cam0" / "cameraIntrinsicsExtrinsics.pickle";
  std::filesystem::create_directory(path.parent_path());
  EXPECT_TRUE(write_file_atomically(path, bytes));
  return read_calibration(path, options);
}

TEST(OpenCap, PicklesOfAllProtocols) {
  const std::vector<Camera> known = {test::known_cameras()[0]};
  CalibrationOptions options;
  options.up_axis = "y";
  for (const std::string_view hex : test::kOpenCapPickles) {
    const auto read = read_in_folder(from_hex(hex), options);
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_EQ(read->format, "OpenCap");
    EXPECT_EQ(read->stated, "units of 0.001 m, y up, the world is a pose of the board");
    EXPECT_EQ(read->cameras[0].name(), "Cam0");
    expect_same_pixels(read->cameras, known);
  }
}

// What a pickle asks to be called is called by nobody: it is named.
TEST(OpenCap, NoFunctionOfAPickleIsRun) {
  // {"intrinsicMat": an object whose __reduce__ is os.system("true")}, as Python writes it.
  expect_refused(
      from_hex("80037d710028580c000000696e7472696e7369634d6174710163706f7369780a73797374656d0a71025804"
               "0000007472756571038571045271055808000000726f746174696f6e71064b01752e"),
      "calls \"posix system\"");
  expect_refused(from_hex("8004") + "cnumpy.core.multiarray\n_reconstruct\n)R.", "array without content");
}

TEST(OpenCap, SaysWhatIsWrong) {
  const std::string sound = from_hex(test::kOpenCapPickles[2]);
  expect_refused(sound.substr(0, sound.size() / 2), "is cut off");
  expect_refused(from_hex("8004") + "}.", "is a Python pickle, but no calibration");
  expect_refused(from_hex("8004") + "h\x07.", "refers to a value that it does not hold");
  expect_refused(from_hex("8004") + "].K\x01", "is a Python pickle, but no calibration");
  expect_refused(from_hex("8004") + "R.", "takes more than it holds");
  std::string other = sound;
  other.replace(other.find("distortion"), 10, "distartion");
  expect_refused(other, "the key distortion is missing");
  std::string complex = sound;
  complex.replace(complex.find("f8"), 2, "c8");
  expect_refused(complex, "a type that calibrations do not have");
}

// Memos let some bytes describe lists of lists of lists without end.
TEST(OpenCap, ALongStoryIsRefused) {
  std::string bytes = from_hex("8004") + "]";
  for (int i = 0; i < 200; ++i) bytes += std::string("\x94") + "h" + static_cast<char>(i) + "\x86";
  expect_refused(bytes + ".", "holds too much");
  std::string itself = from_hex("8004") + "]\x94h";
  itself += std::string("\0", 1) + "a.";
  expect_refused(itself, "holds too much");
}

TEST(OpenCap, FlippedBytesNeverCrash) {
  std::vector<std::string> sound;
  for (const std::string_view hex : test::kOpenCapPickles) sound.push_back(from_hex(hex));
  test::expect_no_crash({.sound = sound, .seed = 20261128, .min_refused = 500, .kept_bytes = 2});
}

}  // namespace
}  // namespace vantage
