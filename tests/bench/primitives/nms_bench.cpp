// The CPU's non-maximum suppression beside cv::dnn::NMSBoxes.
#include "app/cli/bench/boxes.h"
#include "core/primitives/nms.h"
#include "tests/bench/primitives/report.h"
#include "tests/bench/primitives/timing.h"
#ifdef VANTAGE_WITH_OPENCV
#include <opencv2/dnn.hpp>
#endif

namespace vantage::bench {
namespace {

void measure_peer([[maybe_unused]] Report& report, [[maybe_unused]] const std::string& input,
                  [[maybe_unused]] const std::vector<Detection>& boxes) {
#ifdef VANTAGE_WITH_OPENCV
  std::vector<cv::Rect2d> rects;
  std::vector<float> scores;
  for (const Detection& d : boxes) rects.emplace_back(d.x, d.y, d.w, d.h), scores.push_back(d.score);
  std::vector<int> kept;
  const double time = host_time_us([&] { cv::dnn::NMSBoxes(rects, scores, 0.0f, 0.5f, kept); });
  report.add({"non-maximum suppression, CPU", input,
              "cv::dnn::NMSBoxes, keeps " + std::to_string(kept.size()), time, 0});
#endif
}

}  // namespace

void measure_nms_cpu(Report& report) {
  for (const int n : {200, 1027, 2895, 10000, 65536}) {
    const std::vector<Detection> boxes = cli::clustered_boxes(n);
    const std::string input = "n = " + std::to_string(n);
    if (n <= 10000) measure_peer(report, input, boxes);
    const auto row = [&](const std::string& name, const NmsOptions& options, int threads) {
      size_t kept = 0;
      const double time =
          host_time_us([&] { kept = non_maximum_suppression_cpu(boxes, options, threads)->kept.size(); });
      report.add({"non-maximum suppression, CPU", input, name + ", keeps " + std::to_string(kept), time, 0});
    };
    row("greedy, 1 thread", {}, 1);
    row("map-reduce, 1 thread", published_nms(0.5f), 1);
    row("map-reduce, all threads", published_nms(0.5f), 0);
    if (n <= 3000) row("soft, Gaussian, 1 thread", {NmsMethod::soft_gaussian, {}}, 1);
  }
}

}  // namespace vantage::bench
