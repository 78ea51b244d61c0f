#include <opencv2/core/version.hpp>
#include <opencv2/dnn.hpp>

#include "core/detections/engines/engines.h"

namespace vantage {
namespace {

Error refused(const cv::Exception& error, const std::string& where) {
  return {ErrorKind::bad_data, "OpenCV's dnn module cannot run the model (" + error.err + ")", where,
          "Try ONNX Runtime, which knows more operators: `vantage-cli doctor` says how to get it."};
}

class OpenCvEngine final : public InferenceEngine {
 public:
  OpenCvEngine(cv::dnn::Net net, std::string where) : net_(std::move(net)), where_(std::move(where)) {
    outputs_ = net_.getUnconnectedOutLayersNames();
  }
  std::string name() const override { return "OpenCV dnn"; }
  std::string version() const override { return opencv_version(); }

  Result<std::vector<Tensor>> run(const Tensor& input) override {
    try {
      const std::vector<int> shape(input.shape.begin(), input.shape.end());
      // It is only read.
      const cv::Mat blob(shape, CV_32F, const_cast<float*>(input.values.data()));
      net_.setInput(blob);
      std::vector<cv::Mat> found;
      net_.forward(found, outputs_);
      std::vector<Tensor> tensors;
      for (const cv::Mat& mat : found) {
        const cv::Mat whole = mat.isContinuous() ? mat : mat.clone();
        Tensor& tensor = tensors.emplace_back();
        tensor.shape.assign(whole.size.p, whole.size.p + whole.dims);
        tensor.values.assign(whole.ptr<float>(), whole.ptr<float>() + whole.total());
      }
      return tensors;
    } catch (const cv::Exception& error) {
      return fail(refused(error, where_));
    }
  }

 private:
  cv::dnn::Net net_;
  std::vector<std::string> outputs_;
  const std::string where_;
};

}  // namespace

std::string opencv_version() {
  return CV_VERSION;
}

Result<std::unique_ptr<InferenceEngine>> open_opencv_engine(std::string_view model,
                                                            const std::string& where) {
  try {
    cv::dnn::Net net = cv::dnn::readNetFromONNX(model.data(), model.size());
    return std::unique_ptr<InferenceEngine>(std::make_unique<OpenCvEngine>(std::move(net), where));
  } catch (const cv::Exception& error) {
    return fail(refused(error, where));
  }
}

}  // namespace vantage
