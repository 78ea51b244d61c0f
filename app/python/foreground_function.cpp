#include "app/python/foreground_function.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

#include "app/python/arrays.h"
#include "app/python/error.h"
#include "core/foreground/methods.h"

namespace vantage::python {
namespace {

constexpr uint8_t kMaskFrom = 128;  // indicator >= 0.5

// The function keeps what it remembers itself.
class NothingKept final : public ForegroundState {
 public:
  size_t size_bytes() const override { return 0; }
};

Result<Image> mask_of(const Image& indicator, int64_t* count) {
  VANTAGE_ASSIGN(Image mask,
                 Image::make(ImageType::u8, indicator.width(), indicator.height(), HostPool::shared()));
  const ImageView<const uint8_t> from = indicator.view<uint8_t>();
  const ImageView<uint8_t> to = mask.writable_view<uint8_t>();
  for (int y = 0; y < from.height; ++y)
    for (int x = 0; x < from.width; ++x) {
      const bool there = from.at(x, y) >= kMaskFrom;
      to.at(x, y) = there ? 255 : 0;
      *count += there;
    }
  return mask;
}

class CalledForeground final : public ForegroundModel {
 public:
  CalledForeground(PictureForeground function, std::unique_ptr<MemoryTransfer> transfer, int camera)
      : function_(std::move(function)), transfer_(std::move(transfer)), camera_(camera) {}

  void reset() override {}
  void set_parameters(const ParameterStore&) override {}
  Status learn(const Picture&, int64_t) override { return {}; }
  Result<ForegroundImages> apply(const Picture& picture, int64_t frame) override {
    VANTAGE_ASSIGN(const Picture on_host, transfer_->download(picture, frame, camera_));
    VANTAGE_ASSIGN(const Image indicator, function_(static_cast<size_t>(camera_), on_host, frame));
    int64_t count = 0;
    VANTAGE_ASSIGN(const Image mask, mask_of(indicator, &count));
    ForegroundImages images;
    VANTAGE_ASSIGN(images.indicator, transfer_->upload(indicator, frame, camera_));
    VANTAGE_ASSIGN(images.mask, transfer_->upload(mask, frame, camera_));
    images.mask_count = count;
    return images;
  }
  Result<std::shared_ptr<const ForegroundState>> save() const override {
    return std::make_shared<const NothingKept>();
  }
  Status restore(const ForegroundState&) override { return {}; }

 private:
  const PictureForeground function_;
  const std::unique_ptr<MemoryTransfer> transfer_;
  const int camera_;
};

}  // namespace

Image indicator_of(const py::object& found, int width, int height) {
  if (found.is_none()) {
    Image empty = value(Image::make(ImageType::u8, width, height, HostPool::shared()));
    std::memset(empty.buffer()->data(), 0, empty.size_bytes());
    return empty;
  }
  const char* const name = "the foreground function's mask";
  py::array array = py::array::ensure(found);
  if (!array) throw py::error_already_set();
  require_shape(array, {height, width}, name);
  const bool truth = array.dtype().kind() == 'b';
  if (truth) array = array.attr("view")(py::dtype::of<uint8_t>());
  // A copy: the function may use its array again for the next picture.
  Image image = copied_image_of(array, ImageType::u8, name);
  if (!truth) return image;
  const ImageView<uint8_t> bytes = image.writable_view<uint8_t>();
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) bytes.at(x, y) = bytes.at(x, y) ? 255 : 0;
  return image;
}

void use_foreground(const PictureForeground& function, const DeviceBackends& backends,
                    BackendRegistry* registry) {
  const auto make = [function, backends](const BackendContext&, const ForegroundModel::Arguments& arguments)
      -> Result<std::unique_ptr<ForegroundModel>> {
    VANTAGE_ASSIGN(auto transfer, backends.create<MemoryTransfer>({}));
    return std::make_unique<CalledForeground>(function, std::move(transfer), arguments.camera);
  };
  for (const ForegroundMethodInfo& method : foreground_methods())
    registry->add<ForegroundModel>(method.name, backends.device, make);
}

Project without_learning(Project project) {
  const std::string& stage = parameter_table<ForegroundParameters>().stage;
  check(project.parameters.set(stage, "whole_recording", 0));
  check(project.parameters.set(stage, "learning_frames", 0));
  for (ProjectCamera& camera : project.cameras) camera.background.clear();
  return project;
}

}  // namespace vantage::python
