#include <algorithm>
#include <map>
#include <opencv2/core/version.hpp>
#include <opencv2/dnn.hpp>

#include "core/detections/detail/onnx_model.h"
#include "core/detections/engine.h"

namespace vantage {
namespace {

Error refused(const cv::Exception& error, const std::string& where) {
  return {ErrorKind::bad_data, "OpenCV's dnn module cannot run the model (" + error.err + ")", where,
          "Try ONNX Runtime, which supports more operators: `vantage-cli doctor` explains how to get it."};
}

// OpenCV from 4.7 on computes each layer's size when it reads a model, so a model with variable input size is
// read again for each size.
class OpenCvEngine final : public InferenceEngine {
 public:
  OpenCvEngine(std::string_view model, std::string where) : model_(model), where_(std::move(where)) {}
  std::string name() const override { return "OpenCV dnn"; }
  std::string version() const override { return opencv_version(); }

  // Reads a model of fixed size at once, so that its errors are reported.
  Status open() {
    VANTAGE_ASSIGN(described_, describe_onnx(model_, where_));
    const OnnxValue& input = described_.picture();
    if (std::count(input.dimensions.begin(), input.dimensions.end(), -1) > 0) {
      free_input_ = input.name;
      return {};
    }
    try {
      net_for({});
      return {};
    } catch (const cv::Exception& error) {
      return fail(refused(error, where_));
    }
  }

  Result<std::vector<Tensor>> run(const Tensor& input) override {
    try {
      cv::dnn::Net& net = net_for(input.shape);
      const std::vector<int> shape(input.shape.begin(), input.shape.end());
      // Only read, despite the const_cast.
      const cv::Mat blob(shape, CV_32F, const_cast<float*>(input.values.data()));
      if (described_.takes_size()) {
        const float size[] = {static_cast<float>(input.shape[3]), static_cast<float>(input.shape[2])};
        net.setInput(blob, described_.picture().name);
        net.setInput(cv::Mat(1, 2, CV_32F, const_cast<float*>(size)).clone(), std::string(kSizeInput));
      } else {
        net.setInput(blob);
      }
      // The module sorts outputs by name, or has other names for them.
      std::vector<std::string> names;
      for (const OnnxValue& output : described_.outputs) names.push_back(output.name);
      const std::vector<std::string> known = net.getUnconnectedOutLayersNames();
      const bool named = std::ranges::is_permutation(names, known);
      std::vector<cv::Mat> found;
      net.forward(found, named ? names : known);
      std::vector<Tensor> tensors;
      for (size_t i = 0; i < found.size(); ++i) {
        const cv::Mat& mat = found[i];
        const cv::Mat whole = mat.isContinuous() ? mat : mat.clone();
        Tensor& tensor = tensors.emplace_back();
        tensor.shape.assign(whole.size.p, whole.size.p + whole.dims);
        tensor.values.assign(whole.ptr<float>(), whole.ptr<float>() + whole.total());
        if (named) tensor.name = names[i];
      }
      return tensors;
    } catch (const cv::Exception& error) {
      return fail(refused(error, where_));
    }
  }

 private:
  cv::dnn::Net& net_for(const std::vector<int64_t>& shape) {
    const auto [at, added] = nets_.try_emplace(free_input_.empty() ? std::vector<int64_t>() : shape);
    if (added) {
      std::string sized = free_input_.empty() ? model_ : with_input_shape(model_, free_input_, shape);
      if (described_.takes_size()) sized = with_input_shape(sized, std::string(kSizeInput), {1, 2});
      try {
        at->second = cv::dnn::readNetFromONNX(sized.data(), sized.size());
      } catch (...) {
        nets_.erase(at);
        throw;
      }
    }
    return at->second;
  }

  const std::string model_, where_;
  OnnxModel described_;
  std::string free_input_;                             // name; empty: all sizes are fixed
  std::map<std::vector<int64_t>, cv::dnn::Net> nets_;  // the cameras of a project have few sizes
};

}  // namespace

std::string opencv_version() {
  return CV_VERSION;
}

Result<std::unique_ptr<InferenceEngine>> open_opencv_engine(std::string_view model,
                                                            const std::string& where) {
  auto engine = std::make_unique<OpenCvEngine>(model, where);
  VANTAGE_TRY(engine->open());
  return std::unique_ptr<InferenceEngine>(std::move(engine));
}

}  // namespace vantage
