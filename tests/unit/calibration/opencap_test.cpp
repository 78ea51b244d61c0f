// OpenCap's pickles: as Python writes them, and such that would run a program.
#include <gtest/gtest.h>

#include <cstdlib>

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

// The pickle's JSON by pickle_to_json.py, as Python's json writes it; its error where it refuses.
struct Converted {
  bool done = false;
  std::string text;
};

Converted converted(const std::string& bytes) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "camera.pickle", said = folder.path() / "said";
  EXPECT_TRUE(write_file_atomically(path, bytes));
  const std::string command = "python3 " VANTAGE_SOURCE_DIR "/resources/python/pickle_to_json.py " +
                              path.string() + " 2> " + said.string();
  const bool done = std::system(command.c_str()) == 0;
  EXPECT_EQ(done, std::filesystem::exists(folder.path() / "camera.json"));
  return {done, read_file(done ? folder.path() / "camera.json" : said).value()};
}

class OpenCapPickles : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("python3 --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "there is no python3";
  }
};

Result<Calibration> read_in_folder(const std::string& text, const CalibrationOptions& options) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "Cam0" / "cameraIntrinsicsExtrinsics.json";
  std::filesystem::create_directory(path.parent_path());
  EXPECT_TRUE(write_file_atomically(path, text));
  return read_calibration(path, options);
}

TEST_F(OpenCapPickles, AllProtocolsAreConverted) {
  const std::vector<Camera> known = {test::known_cameras()[0]};
  CalibrationOptions options;
  options.up_axis = "y";
  for (const std::string_view hex : test::kOpenCapPickles) {
    const Converted json = converted(from_hex(hex));
    ASSERT_TRUE(json.done) << json.text;
    const auto read = read_in_folder(json.text, options);
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_EQ(read->format, "OpenCap");
    EXPECT_EQ(read->stated, "units of 0.001 m, y up, the world is a pose of the board");
    EXPECT_EQ(read->cameras[0].name(), "Cam0");
    expect_same_pixels(read->cameras, known);
  }
}

// Functions that a pickle wants called are named, never run.
TEST_F(OpenCapPickles, NoFunctionOfAPickleIsRun) {
  // {"intrinsicMat": an object whose __reduce__ is os.system("true")}, as Python writes it.
  const std::string hostile = from_hex(
      "80037d710028580c000000696e7472696e7369634d6174710163706f7369780a73797374656d0a71025804"
      "0000007472756571038571045271055808000000726f746174696f6e71064b01752e");
  const Converted refused = converted(hostile), cut = converted(hostile.substr(0, 20));
  EXPECT_FALSE(refused.done);
  EXPECT_NE(refused.text.find("calls posix.system"), std::string::npos) << refused.text;
  EXPECT_FALSE(cut.done);
}

TEST(OpenCap, ErrorsSayWhatIsWrongAndWhatToDo) {
  expect_refused(from_hex(test::kOpenCapPickles[2]), "python3 pickle_to_json.py");
  expect_refused(R"({"intrinsicMat":[[1,0,0],[0,1,0],[0,0,1]],"rotation":[],"imageSize":[[480.0],[640.0]]})",
                 "the key distortion is missing");
}

}  // namespace
}  // namespace vantage
