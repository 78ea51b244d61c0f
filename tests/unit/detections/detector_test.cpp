#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/base/file.h"
#include "core/detections/detail/onnx_model.h"
#include "core/detections/detection_store.h"
#include "core/detections/families/family.h"
#include "core/detections/joint_finder.h"
#include "core/detections/person_detector.h"
#include "core/video/sha256.h"
#include "core/video/video_source.h"
#include "tests/support/data.h"
#include "tests/support/made_models.h"

namespace vantage {
namespace {

using namespace detections_detail;
using test::d_fine_model, test::joints_model;

// ---- decoding a model's outputs

Tensor zeros(std::vector<int64_t> shape) {
  Tensor tensor;
  tensor.shape = std::move(shape);
  size_t count = 1;
  for (const int64_t size : tensor.shape) count *= static_cast<size_t>(size);
  tensor.values.resize(count);
  return tensor;
}

constexpr InputSize kInput = {64, 96};  // width, height

void expect_box(const Detection& box, float x, float y, float w, float h) {
  EXPECT_NEAR(box.x, x, 1e-3);
  EXPECT_NEAR(box.y, y, 1e-3);
  EXPECT_NEAR(box.w, w, 1e-3);
  EXPECT_NEAR(box.h, h, 1e-3);
}

int families_that_recognise(const std::vector<Tensor>& outputs) {
  int count = 0;
  for (const Family* family : {&kRtmDet, &kYoloX, &kNanoDet, &kRfDetr, &kDFine, &kDetr, &kRtmo})
    count += family->recognise(outputs, kInput);
  return count;
}

TEST(Families, RtmDetSidesFromItsCell) {
  // Score and sides in the last dimension.
  std::vector<Tensor> joint = {zeros({1, 12, 8, 5}), zeros({1, 6, 4, 5}), zeros({1, 3, 2, 5})};
  for (Tensor& level : joint)
    for (size_t i = 0; i < level.values.size(); i += 5) level.values[i] = -10;
  const size_t cell = (2 * 4 + 1) * 5;  // x 1, y 2 of stride 16
  const float values[] = {2, 3, 4, 5, 6};
  std::copy(std::begin(values), std::end(values), joint[1].values.begin() + cell);
  ASSERT_TRUE(kRtmDet.recognise(joint, kInput));
  EXPECT_EQ(families_that_recognise(joint), 1);
  const auto found = kRtmDet.decode(joint, kInput, 0.3F);
  ASSERT_EQ(found.size(), 1U);
  expect_box(found[0], 16 - 3, 32 - 4, 3 + 5, 4 + 6);
  EXPECT_NEAR(found[0].score, 1 / (1 + std::exp(-2.0)), 1e-6);

  // The same with levels of scores, then levels of sides.
  std::vector<Tensor> apart = {zeros({1, 1, 12, 8}), zeros({1, 1, 6, 4}), zeros({1, 4, 12, 8}),
                               zeros({1, 4, 6, 4})};
  for (size_t level : {0, 1})
    for (float& logit : apart[level].values) logit = -10;
  apart[1].values[2 * 4 + 1] = 2;
  for (size_t side = 0; side < 4; ++side) apart[3].values[side * 24 + 2 * 4 + 1] = values[side + 1];
  ASSERT_TRUE(kRtmDet.recognise(apart, kInput));
  EXPECT_EQ(families_that_recognise(apart), 1);
  const auto same = kRtmDet.decode(apart, kInput, 0.3F);
  ASSERT_EQ(same.size(), 1U);
  expect_box(same[0], found[0].x, found[0].y, found[0].w, found[0].h);

  // After suppression: corners and score, and labels of which 0 is a person.
  std::vector<Tensor> final = {zeros({1, 2, 5}), zeros({1, 2})};
  final[0].values = {1, 2, 11, 22, 0.9F, 1, 2, 11, 22, 0.8F};
  final[1].values = {1, 0};
  ASSERT_TRUE(kRtmDet.recognise(final, kInput));
  const auto labelled = kRtmDet.decode(final, kInput, 0.3F);
  ASSERT_EQ(labelled.size(), 1U);
  expect_box(labelled[0], 1, 2, 10, 20);
  EXPECT_EQ(labelled[0].score, 0.8F);
}

TEST(Families, YoloXRawAndDecoded) {
  // 96 + 24 + 6 cells.
  std::vector<Tensor> outputs = {zeros({1, 126, 85})};
  float* row = outputs[0].values.data() + (96 + 2 * 4 + 1) * 85;  // x 1, y 2 of stride 16
  const float raw[] = {0.5F, 0.25F, std::log(2.0F), std::log(3.0F), 0.8F, 0.5F};
  std::copy(std::begin(raw), std::end(raw), row);
  row[7] = 1;  // another class does not count
  ASSERT_TRUE(kYoloX.recognise(outputs, kInput));
  EXPECT_EQ(families_that_recognise(outputs), 1);
  auto found = kYoloX.decode(outputs, kInput, 0.3F);
  ASSERT_EQ(found.size(), 1U);
  expect_box(found[0], 24 - 16, 36 - 24, 32, 48);
  EXPECT_NEAR(found[0].score, 0.4, 1e-6);
  const float decoded[] = {24, 36, 32, 48};
  std::copy(std::begin(decoded), std::end(decoded), row);
  found = kYoloX.decode(outputs, kInput, 0.3F);
  ASSERT_EQ(found.size(), 1U);
  expect_box(found[0], 8, 12, 32, 48);
}

TEST(Families, NanoDetDistributions) {
  // 96 + 24 + 6 + 2 cells: the rows of stride 64 are rounded up.
  std::vector<Tensor> outputs = {zeros({1, 128, 112})};
  float* row = outputs[0].values.data() + (96 + 2 * 4 + 1) * 112;
  row[0] = 0.9F;
  for (int side = 0; side < 4; ++side) row[80 + 8 * side + side + 1] = 100;  // surely 1, 2, 3, 4 strides
  ASSERT_TRUE(kNanoDet.recognise(outputs, kInput));
  EXPECT_EQ(families_that_recognise(outputs), 1);
  const auto found = kNanoDet.decode(outputs, kInput, 0.3F);
  ASSERT_EQ(found.size(), 1U);
  expect_box(found[0], 16 - 16, 32 - 32, 16 + 48, 32 + 64);
}

TEST(Families, DetrSharesOfTheInput) {
  std::vector<Tensor> outputs = {zeros({1, 3, 80}), zeros({1, 3, 4})};
  for (float& logit : outputs[0].values) logit = -10;
  outputs[0].values[80] = 2;
  const float box[] = {0.5F, 0.5F, 0.25F, 0.5F};
  std::copy(std::begin(box), std::end(box), outputs[1].values.begin() + 4);
  ASSERT_TRUE(kDetr.recognise(outputs, kInput));
  EXPECT_EQ(families_that_recognise(outputs), 1);
  auto found = kDetr.decode(outputs, kInput, 0.3F);
  ASSERT_EQ(found.size(), 1U);
  expect_box(found[0], 24, 24, 16, 48);
  // COCO's own numbering, with a class for nothing: person is 1, and the classes share a probability.
  outputs[0] = zeros({1, 3, 92});
  for (size_t query = 0; query < 3; ++query) outputs[0].values[query * 92 + 91] = 20;
  outputs[0].values[92 + 1] = 21;
  found = kDetr.decode(outputs, kInput, 0.3F);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].score, 1 / (1 + std::exp(-1.0)), 1e-3);
}

TEST(Families, RfDetrIsDetrWithNamesAndNormalisedPixels) {
  std::vector<Tensor> outputs = {zeros({1, 2, 4}), zeros({1, 2, 91})};
  outputs[0].name = "dets", outputs[1].name = "labels";
  for (float& logit : outputs[1].values) logit = -10;
  outputs[1].values[91 + 1] = 2;  // COCO's numbering: person is 1
  const float box[] = {0.5F, 0.5F, 0.25F, 0.5F};
  std::copy(std::begin(box), std::end(box), outputs[0].values.begin() + 4);
  for (const bool masks : {false, true}) {
    if (masks) outputs.push_back(zeros({1, 2, 24, 16})), outputs.back().name = "masks";
    ASSERT_TRUE(kRfDetr.recognise(outputs, kInput));
    EXPECT_EQ(families_that_recognise(outputs), 1);
    const auto found = kRfDetr.decode(outputs, kInput, 0.3F);
    ASSERT_EQ(found.size(), 1U);
    expect_box(found[0], 24, 24, 16, 48);
  }
  EXPECT_NEAR(kRfDetr.pixels.mean[0], 255 * 0.485, 1e-3);
  outputs[2].name = "features";  // another third output
  EXPECT_EQ(families_that_recognise(outputs), 0);
}

TEST(Families, DFineLabelsBoxesAndScores) {
  std::vector<Tensor> outputs = {zeros({1, 3}), zeros({1, 3, 4}), zeros({1, 3})};
  outputs[0].name = "labels", outputs[1].name = "boxes", outputs[2].name = "scores";
  outputs[0].values = {0, 2, 0};
  outputs[1].values = {8, 12, 40, 60, 0, 0, 64, 96, 1, 1, 2, 2};
  outputs[2].values = {0.9F, 0.8F, 0.1F};
  for (const bool shares : {false, true}) {
    if (shares)
      for (size_t i = 0; i < outputs[1].values.size(); ++i) outputs[1].values[i] /= i % 2 ? 96.F : 64.F;
    ASSERT_TRUE(kDFine.recognise(outputs, kInput));
    EXPECT_EQ(families_that_recognise(outputs), 1);
    const auto found = kDFine.decode(outputs, kInput, 0.3F);
    ASSERT_EQ(found.size(), 1U);  // neither the car nor the weak one
    expect_box(found[0], 8, 12, 32, 48);
  }
  // Labels and scores have one shape: without names no one knows which is which.
  outputs[0].name.clear();
  EXPECT_EQ(families_that_recognise(outputs), 0);
}

TEST(Families, RtmoJointsOfTheSameRows) {
  std::vector<Tensor> outputs = {zeros({1, 3, 5}), zeros({1, 3, 17, 3})};
  outputs[0].values = {0, 0, 9, 9, 0.1F, 8, 12, 40, 60, 0.9F, 1, 2, 3, 4, 0.4F};
  for (size_t row = 0; row < 3; ++row)
    for (size_t number = 0; number < 51; ++number)
      outputs[1].values[row * 51 + number] = number % 3 == 2 ? 0.5F : static_cast<float>(100 * row + number);
  ASSERT_TRUE(kRtmo.recognise(outputs, kInput));
  EXPECT_EQ(families_that_recognise(outputs), 1);
  const auto found = kRtmo.decode(outputs, kInput, 0.3F);
  const auto joints = kRtmo.joints(outputs, 0.3F);
  ASSERT_EQ(found.size(), 2U);
  ASSERT_EQ(joints.size(), 2U);
  expect_box(found[0], 8, 12, 32, 48);
  ASSERT_EQ(joints[1].size(), 17U);
  EXPECT_EQ(joints[1][2].x_px, 206);
  EXPECT_EQ(joints[1][2].y_px, 207);
  EXPECT_EQ(joints[1][2].score, 0.5F);
  outputs[1] = zeros({1, 2, 17, 3});  // joints of other rows
  EXPECT_EQ(families_that_recognise(outputs), 0);
}

// ---- the input

Picture even_picture(const PictureFormat& format, uint8_t y, uint8_t cb, uint8_t cr) {
  Picture picture = Picture::make(format, HostPool::shared()).value();
  for (int p = 0; p < picture.plane_count(); ++p) {
    const ImageView<uint8_t> plane = picture.writable_plane(p);
    for (int row = 0; row < plane.height; ++row)
      for (int x = 0; x < plane.width; ++x)
        plane.at(x, row) = p == 0                                 ? y
                           : format.layout == PictureLayout::nv12 ? (x % 2 ? cr : cb)
                           : p == 1                               ? cb
                                                                  : cr;
  }
  return picture;
}

TEST(Letterbox, ColoursFollowRangeAndMatrix) {
  struct Case {
    ColorRange range;
    ColorMatrix matrix;
    uint8_t y, cb, cr;  // pure red
  };
  for (const PictureLayout layout : {PictureLayout::i420, PictureLayout::nv12})
    for (const Case& c : {Case{ColorRange::limited, ColorMatrix::bt601, 81, 90, 240},
                          Case{ColorRange::full, ColorMatrix::bt601, 76, 85, 255},
                          Case{ColorRange::limited, ColorMatrix::bt709, 63, 102, 240}}) {
      const Picture red = even_picture({layout, 64, 32, c.range, c.matrix}, c.y, c.cb, c.cr);
      const auto input = letterbox(red, {64, 64}, PixelForm{});
      ASSERT_TRUE(input);
      const auto at = [&](size_t plane, size_t x, size_t y) {
        return input->tensor.values[plane * 64 * 64 + y * 64 + x];
      };
      EXPECT_NEAR(at(0, 10, 10), 0, 3);
      EXPECT_NEAR(at(1, 10, 10), 0, 3);
      EXPECT_NEAR(at(2, 10, 10), 255, 3);
      EXPECT_EQ(at(0, 10, 40), 114);  // beyond the picture
      EXPECT_EQ(input->scale_x, 1);
    }
}

TEST(Letterbox, SizesAreMultiplesOf32) {
  EXPECT_EQ(input_size(1920, 1080, 416).width_px, 416);
  EXPECT_EQ(input_size(1920, 1080, 416).height_px, 256);
  EXPECT_EQ(input_size(1080, 1920, 416).width_px, 256);
  EXPECT_EQ(input_size(640, 480, 400).width_px, 416);
}

// ---- the file

TEST(OnnxFile, WhatIsNoneIsRefused) {
  EXPECT_FALSE(describe_onnx("", "x"));
  EXPECT_FALSE(describe_onnx("an .onnx file that is a web page", "x"));
  EXPECT_FALSE(describe_onnx(std::string(100, '\xff'), "x"));
  // A graph of one input and one output, by hand.
  const std::string value =
      std::string("\x0a\x01x\x12\x10\x0a\x0e\x08\x01\x12\x0a", 11) + std::string(
                                                                         "\x0a\x02\x08\x03\x0a\x04\x12\x02"
                                                                         "hh",
                                                                         10);
  std::string graph = "\x5a" + std::string(1, static_cast<char>(value.size())) + value;
  graph += "\x62" + std::string(1, static_cast<char>(value.size())) + value;
  const std::string model = "\x3a" + std::string(1, static_cast<char>(graph.size())) + graph;
  const auto described = describe_onnx(model, "x");
  ASSERT_TRUE(described) << described.error().message();
  ASSERT_EQ(described->inputs.size(), 1U);
  EXPECT_EQ(described->inputs[0].name, "x");
  EXPECT_EQ(described->inputs[0].dimensions, (std::vector<int64_t>{3, -1}));
  EXPECT_FALSE(describe_onnx(std::string_view(model).substr(0, model.size() - 3), "x"));
  // Its input's size is fixed, its output's is not; another input's is left alone.
  const auto sized = describe_onnx(with_input_shape(model, "x", {3, 12345}), "x");
  ASSERT_TRUE(sized) << sized.error().message();
  EXPECT_EQ(sized->inputs[0].name, "x");
  EXPECT_EQ(sized->inputs[0].dimensions, (std::vector<int64_t>{3, 12345}));
  EXPECT_EQ(sized->outputs[0].dimensions, (std::vector<int64_t>{3, -1}));
  EXPECT_EQ(with_input_shape(model, "y", {3, 12345}), model);
}

TEST(Sha256, OfKnownText) {
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

// ---- kept detections

TEST(DetectionStores, LooksAreFoundAgain) {
  const test::TemporaryFolder folder;
  DetectorProvenance from{"m.onnx", "aa", "RTMDet", "OpenCV dnn", "4.6.0", 0.05, 0.6, 416, "11"};
  {
    auto store = DetectionStore::open(folder.path() / "kept", "cam 1/a", from).value();
    EXPECT_FALSE(store->find(7));
    ASSERT_TRUE(store->add(7, {true, {{1, 2, 3, 4, 0.5F, {}}}}));
    ASSERT_TRUE(store->add(9, {true, {}}));
  }
  std::filesystem::path file;
  {
    const auto again = DetectionStore::open(folder.path() / "kept", "cam 1/a", from).value();
    file = again->file();
    ASSERT_TRUE(again->find(7));
    EXPECT_EQ(again->find(7)->people.size(), 1U);
    ASSERT_TRUE(again->find(9));
    EXPECT_TRUE(again->find(9)->people.empty());
    EXPECT_FALSE(again->find(8));
  }
  // An incomplete line is ignored, and the next one starts a new line.
  const auto text = read_file(file);
  ASSERT_TRUE(write_file_atomically(file, text->substr(0, text->size() - 4)));
  {
    const auto cut = DetectionStore::open(folder.path() / "kept", "cam 1/a", from).value();
    EXPECT_FALSE(cut->find(9));
    ASSERT_TRUE(cut->add(10, {true, {}}));
  }
  EXPECT_TRUE(DetectionStore::open(folder.path() / "kept", "cam 1/a", from).value()->find(10));
  EXPECT_TRUE(DetectionStore::open(folder.path() / "kept", "Main door", from).value()->find(10)) << "renamed";
  for (auto change : {&DetectorProvenance::joints_model_sha256, &DetectorProvenance::model_sha256,
                      &DetectorProvenance::engine, &DetectorProvenance::video}) {
    DetectorProvenance other = from;
    other.*change += "x";
    EXPECT_FALSE(DetectionStore::open(folder.path() / "kept", "cam 1/a", other).value()->find(7));
  }
}

// ---- a model made here

TEST(MadeModels, DFineIsGivenItsInputsSizeAndReadByNames) {
  // 0.9 of red, twice as wide as high, so that the input is stretched.
  const Picture picture = even_picture({PictureLayout::i420, 128, 64, ColorRange::full}, 69, 89, 246);
  for (const EngineChoice engine : {EngineChoice::opencv, EngineChoice::onnx_runtime}) {
    if (engine == EngineChoice::onnx_runtime && find_onnx_runtime().library.empty()) continue;
    const auto detector =
        PersonDetector::open({{"d.onnx", "aa", d_fine_model("scores")}, {}}, {}, {.choice = engine});
    ASSERT_TRUE(detector) << detector.error().message();
    EXPECT_EQ((*detector)->provenance().family, "D-FINE");
    const auto people = (*detector)->detect(picture);
    ASSERT_TRUE(people) << people.error().message();
    ASSERT_EQ(people->size(), 1U);  // the other is no person
    const PersonDetection& person = people->front();
    EXPECT_NEAR(person.left_px, 0.25 * 128 - 0.5, 0.02);
    EXPECT_NEAR(person.top_px, 0.5 * 64 - 0.5, 0.02);
    EXPECT_NEAR(person.width_px, 0.5 * 128, 0.02);
    EXPECT_NEAR(person.height_px, 0.375 * 64, 0.02);
    EXPECT_NEAR(person.score, 0.9, 0.02);
  }
}

TEST(MadeModels, JointsAreWhereTheyAreInThePicture) {
  // A box near the right border, so that the cut goes beyond the picture; red at 14, 22 and blue at 30, 40.
  Picture picture = even_picture({PictureLayout::i420, 128, 64, ColorRange::full}, 0, 128, 128);
  const auto paint = [&](int x, int y, uint8_t luma, uint8_t cb, uint8_t cr) {
    for (int row = y; row < y + 2; ++row)
      for (int column = x; column < x + 2; ++column) picture.writable_plane(0).at(column, row) = luma;
    picture.writable_plane(1).at(x / 2, y / 2) = cb, picture.writable_plane(2).at(x / 2, y / 2) = cr;
  };
  paint(114, 22, 76, 85, 255);
  paint(98, 40, 29, 255, 107);
  for (const EngineChoice engine : {EngineChoice::opencv, EngineChoice::onnx_runtime}) {
    if (engine == EngineChoice::onnx_runtime && find_onnx_runtime().library.empty()) continue;
    auto finder = JointFinder::open({"j.onnx", "bb", joints_model("simcc_x")}, {.choice = engine});
    ASSERT_TRUE(finder) << finder.error().message();
    std::vector<PersonDetection> people = {{90, 10, 36, 44, 0.9F, {}}, {90, 10, 36, 44, 0.2F, {}}};
    const Status found = (*finder)->find(picture, 0.3F, &people);
    ASSERT_TRUE(found) << found.error().message();
    ASSERT_EQ(people[0].keypoints.size(), 17U);
    // The middle between two pixels; a quarter of a pixel of the picture is more than one of the cut's.
    EXPECT_NEAR(people[0].keypoints[0].x_px, 114.5, 0.5);
    EXPECT_NEAR(people[0].keypoints[0].y_px, 22.5, 0.5);
    EXPECT_NEAR(people[0].keypoints[16].x_px, 98.5, 0.5);
    EXPECT_NEAR(people[0].keypoints[16].y_px, 40.5, 0.5);
    EXPECT_GT(people[0].keypoints[0].score, 0.3);
    EXPECT_EQ(people[0].keypoints[1].score, 0) << "nothing is green";
    EXPECT_TRUE(people[1].keypoints.empty()) << "a weak box";
  }
}

TEST(MadeModels, WhatFindsNoJointsIsRefused) {
  const auto open = [](const std::string& bytes) {
    const auto finder = JointFinder::open({"j.onnx", "bb", bytes}, {.choice = EngineChoice::opencv});
    return finder ? std::string() : finder.error().what;
  };
  EXPECT_EQ(open(joints_model("simcc_x", 26)), "");
  EXPECT_NE(open(joints_model("simcc_x", 21)).find("simcc_x 1x21x192"), std::string::npos) << "a hand's";
  EXPECT_NE(open(d_fine_model("scores")).find("one picture"), std::string::npos);
}

TEST(MadeModels, ThreeOutputsOfOtherNamesAreRefusedByName) {
  const auto detector = PersonDetector::open({{"d.onnx", "aa", d_fine_model("quality")}, {}}, {},
                                             {.choice = EngineChoice::opencv});
  ASSERT_FALSE(detector);
  EXPECT_NE(detector.error().what.find("quality 1x2"), std::string::npos) << detector.error().what;
  EXPECT_NE(detector.error().what.find("boxes 1x2x4"), std::string::npos) << detector.error().what;
}

// ---- real models

ModelFile model_file(const std::filesystem::path& path) {
  ModelFile model{path.string(), "", read_file(path).value()};
  model.sha256 = sha256(model.bytes);
  return model;
}

std::unique_ptr<PersonDetector> open_model(const std::filesystem::path& path, EngineChoice engine) {
  auto detector = PersonDetector::open({model_file(path), {}}, {}, {.choice = engine});
  EXPECT_TRUE(detector) << detector.error().message();
  return detector ? std::move(*detector) : nullptr;
}

Picture picture_of(const std::filesystem::path& video, int64_t frame) {
  const auto source = open_video(video.string(), {}).value();
  EXPECT_TRUE(source->seek(frame));
  return source->read().value().picture;
}

std::filesystem::path lab_video(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> videos;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".mp4" || entry.path().extension() == ".mkv")
      videos.push_back(entry.path());
  std::sort(videos.begin(), videos.end());
  return videos.empty() ? std::filesystem::path() : videos.front();
}

int64_t of_at_least(const std::vector<PersonDetection>& people, float score) {
  return std::count_if(people.begin(), people.end(),
                       [score](const PersonDetection& person) { return person.score >= score; });
}

TEST(RealModels, PeopleInTheLaboratory) {
  VANTAGE_NEED_DATA(models, "models");
  VANTAGE_NEED_DATA(lab, "ufes-lab-4cam");
  const Picture picture = picture_of(lab_video(lab), 60);
  const auto detector = open_model(models / "rtmdet_nano_person.onnx", EngineChoice::opencv);
  ASSERT_TRUE(detector);
  EXPECT_EQ(detector->provenance().family, "RTMDet");
  EXPECT_EQ(detector->provenance().model_sha256,
            "8c59d283024281d9bc09b90a9da6ee95c7750e5f9c008ff0ed1114163dc8f9cb");
  const auto people = detector->detect(picture);
  ASSERT_TRUE(people) << people.error().message();
  EXPECT_GE(of_at_least(*people, 0.4F), 2);
  EXPECT_LE(of_at_least(*people, 0.4F), 5);
  for (const PersonDetection& person : *people) {
    if (person.score < 0.4F) continue;
    EXPECT_GT(person.height_px, 0.8F * person.width_px);
    EXPECT_GT(person.left_px + person.width_px / 2, 0);
    EXPECT_LT(person.left_px + person.width_px / 2, picture.width());
  }
  // Another size afterwards, and the first again: the same boxes.
  const Picture small = even_picture({PictureLayout::i420, 320, 320}, 128, 128, 128);
  EXPECT_EQ(of_at_least(*detector->detect(small), 0.4F), 0);
  const auto again = detector->detect(picture);
  ASSERT_EQ(again->size(), people->size());
  EXPECT_EQ((*again)[0].left_px, (*people)[0].left_px);
}

TEST(RealModels, BothEnginesFindTheSameBoxes) {
  VANTAGE_NEED_DATA(models, "models");
  VANTAGE_NEED_DATA(lab, "ufes-lab-4cam");
  if (find_onnx_runtime().library.empty())
    GTEST_SKIP() << "no ONNX Runtime: set VANTAGE_ONNXRUNTIME to libonnxruntime.so";
  const Picture picture = picture_of(lab_video(lab), 60);
  for (const char* name : {"rtmdet_nano_person.onnx", "yolox_nano_416.onnx"}) {
    const auto opencv = open_model(models / name, EngineChoice::opencv);
    const auto runtime = open_model(models / name, EngineChoice::onnx_runtime);
    ASSERT_TRUE(opencv && runtime);
    const auto a = opencv->detect(picture), b = runtime->detect(picture);
    ASSERT_TRUE(a && b);
    const auto count = static_cast<size_t>(of_at_least(*a, 0.3F));
    EXPECT_GE(count, 1U) << name;
    ASSERT_EQ(of_at_least(*b, 0.3F), static_cast<int64_t>(count)) << name;
    for (size_t i = 0; i < count; ++i) {
      EXPECT_NEAR((*a)[i].left_px, (*b)[i].left_px, 0.1) << name;
      EXPECT_NEAR((*a)[i].height_px, (*b)[i].height_px, 0.1) << name;
      EXPECT_NEAR((*a)[i].score, (*b)[i].score, 1e-3) << name;
    }
  }
}

TEST(RealModels, AWrongFamilyIsRefusedWithTheOutputsShapes) {
  VANTAGE_NEED_DATA(models, "models");
  DetectionParameters parameters;
  parameters.family = DetectorFamily::detr;
  const auto detector = PersonDetector::open({model_file(models / "rtmdet_nano_person.onnx"), {}}, parameters,
                                             {.choice = EngineChoice::opencv});
  ASSERT_FALSE(detector);
  EXPECT_NE(detector.error().what.find("x5"), std::string::npos) << detector.error().what;
}

}  // namespace
}  // namespace vantage
