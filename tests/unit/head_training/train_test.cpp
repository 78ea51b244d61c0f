#include <gtest/gtest.h>

#include <algorithm>

#include "core/heads/curve.h"
#include "core/heads/heads_cpu.h"
#include "core/synth/head_pictures.h"
#include "tools/head_training/train.h"

namespace vantage {
namespace {

TEST(HeadCurve, CountsWhatIsRightAndWrong) {
  HeadCurve curve;
  const std::vector<GroundTruthHead> truth = {
      {10, 10, 20, 24, true}, {100, 10, 20, 24, true}, {200, 10, 20, 24, false}};
  // One right, one twice (the second is wrong), one on a head that does not count, one on nothing.
  curve.add(
      std::vector<Detection>{
          {10, 11, 20, 24, 5, 0}, {12, 10, 20, 24, 4, 0}, {201, 10, 20, 24, 3, 0}, {50, 90, 20, 24, 2, 0}},
      truth);
  EXPECT_EQ(curve.heads(), 2);
  EXPECT_DOUBLE_EQ(curve.at_score(-100).recall, 0.5);
  EXPECT_DOUBLE_EQ(curve.at_score(-100).false_positives, 2);
  EXPECT_DOUBLE_EQ(curve.at_score(4.5).false_positives, 0);
  EXPECT_DOUBLE_EQ(curve.at(1).false_positives, 1);
}

TEST(HeadCurve, ReadsRenderedTruth) {
  const auto truth =
      read_true_heads("1,1,10,20,15,18,0.9,0,0,1.6\n3,2,0,20,15,18,1,0,0,1.6\n3,1,30,20,15,18,0.2,0,0,1\n",
                      "heads.csv", 100, 80, 12)
          .value();
  ASSERT_EQ(truth.size(), 3u);
  EXPECT_TRUE(truth[0][0].counts);
  EXPECT_TRUE(truth[1].empty());
  EXPECT_FALSE(truth[2][0].counts);  // cut by the border
  EXPECT_FALSE(truth[2][1].counts);  // hidden
  EXPECT_FALSE(read_true_heads("frame,x\n", "heads.csv", 100, 80, 12));
}

TEST(HeadTraining, RepeatsItselfAndLearns) {
  HeadTrainingOptions options;
  options.seed = 77;
  options.scenes = 1;
  options.weak = 12;
  options.others = 3000;
  const TrainedHeads first = train_heads(options, {}, StopSource{}).value();
  const TrainedHeads second = train_heads(options, {}, StopSource{}).value();
  EXPECT_EQ(serialize_head_model(first.model), serialize_head_model(second.model));
  EXPECT_GT(first.curve.heads(), 10);
  // A dozen classifiers are no detector yet, but far better than chance.
  EXPECT_GT(first.curve.at(20).recall, 0.1);
}

TEST(HeadTraining, StopsWhenAsked) {
  StopSource stop;
  stop.request_stop();
  const auto trained = train_heads({}, {}, stop);
  ASSERT_FALSE(trained);
  EXPECT_EQ(trained.error().kind, ErrorKind::cancelled);
}

// The model that is shipped, on scenes it was not trained on.
TEST(HeadTraining, TheBuiltInModelFindsHeads) {
  HeadCurve curve;
  const HeadParameters parameters;
  HeadPlanes planes;
  const auto model = built_in_head_model();
  for (uint64_t seed = 50'000; seed < 50'003; ++seed) {
    const auto pictures = synth::render_head_pictures(seed, 2).value();
    for (const synth::HeadPicture& picture : pictures) {
      const HeadSearch search =
          plan_head_search(picture.luma.width(), picture.luma.height(), parameters).value();
      planes.build(picture.luma.view<uint8_t>(), search);
      std::vector<GroundTruthHead> truth;
      for (const synth::RenderedHead& head : picture.heads)
        truth.push_back({static_cast<float>(head.box.x0), static_cast<float>(head.box.y0),
                         static_cast<float>(head.box.x1 - head.box.x0),
                         static_cast<float>(head.box.y1 - head.box.y0),
                         !head.cut && head.visibility >= kHeadCountsFrom &&
                             head.box.y1 - head.box.y0 >= parameters.smallest_px});
      curve.add(suppress_heads(find_head_windows(planes, search, *model, model->accept_from), search, *model,
                               parameters)
                    .value(),
                truth);
    }
  }
  EXPECT_GT(curve.heads(), 30);
  // These scenes are made hard; far above chance all the same.
  EXPECT_GT(curve.at_score(-100).recall, 0.2);
  EXPECT_LT(curve.at_score(-100).false_positives, 0.5);
}

}  // namespace
}  // namespace vantage
