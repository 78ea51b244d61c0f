// The CPU's non-maximum suppression in turns with cv::dnn::NMSBoxes.
#include <functional>

#include "core/primitives/nms.h"
#include "tests/bench/primitives/report.h"
#include "tests/bench/timing.h"
#include "tools/bench/boxes.h"
#ifdef VANTAGE_WITH_OPENCV
#include <opencv2/dnn.hpp>
#endif

namespace vantage::bench {
namespace {

struct Method {
  std::string name;
  std::function<size_t()> kept;  // how many boxes stay
};

Method ours(const std::string& name, const std::vector<Detection>& boxes, const NmsOptions& options,
            int threads) {
  return {name, [&boxes, options, threads] {
            return non_maximum_suppression_cpu(boxes, options, threads)->kept.size();
          }};
}

#ifdef VANTAGE_WITH_OPENCV
Method opencv(const std::vector<Detection>& boxes) {
  std::vector<cv::Rect2d> rects;
  std::vector<float> scores;
  for (const Detection& d : boxes) rects.emplace_back(d.x, d.y, d.w, d.h), scores.push_back(d.score);
  return {"cv::dnn::NMSBoxes", [rects, scores] {
            std::vector<int> kept;
            cv::dnn::NMSBoxes(rects, scores, 0.0f, 0.5f, kept);
            return kept.size();
          }};
}
#endif

void measure(Report& report, const std::string& input, const std::vector<Method>& methods) {
  std::vector<size_t> kept(methods.size());
  std::vector<std::function<void()>> calls;
  for (size_t i = 0; i < methods.size(); ++i)
    calls.emplace_back([&methods, &kept, i] { kept[i] = methods[i].kept(); });
  const std::vector<HostTime> times = times_in_turn(calls);
  for (size_t i = 0; i < methods.size(); ++i)
    report.add({"non-maximum suppression, CPU", input, methods[i].name + ", keeps " + std::to_string(kept[i]),
                times[i].median_us, 0, times[i].min_us});
}

}  // namespace

void measure_nms_cpu(Report& report) {
  for (const int n : {200, 1027, 2895, 10000, 65536}) {
    const std::vector<Detection> boxes = cli::clustered_boxes(n);
    std::vector<Method> methods;
#ifdef VANTAGE_WITH_OPENCV
    if (n <= 10000) methods.push_back(opencv(boxes));
#endif
    methods.push_back(ours("greedy, 1 thread", boxes, {}, 1));
    methods.push_back(ours("map-reduce, 1 thread", boxes, published_nms(0.5f), 1));
    methods.push_back(ours("map-reduce, all threads", boxes, published_nms(0.5f), 0));
    if (n <= 3000)
      methods.push_back(ours("soft, Gaussian, 1 thread", boxes, {NmsMethod::soft_gaussian, {}}, 1));
    measure(report, "n = " + std::to_string(n), methods);
  }
}

}  // namespace vantage::bench
