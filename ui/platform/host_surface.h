// The display surface for host memory: for the CPU chain, or a device chain whose display stage copied to the
// host because OpenGL runs elsewhere. Plane textures are uploaded and converted to RGB by a shader, within
// one grey level of the conversion in double. Chroma is not interpolated, pixel (x, y) uses sample (x/2,
// y/2), as in the foreground model.
//
// Errors: invalid_argument for a picture in device memory without a copy of the display stage; unsupported
// where the context cannot run the shader.
#pragma once

#include <QOpenGLShaderProgram>
#include <array>
#include <map>
#include <memory>
#include <vector>

#include "core/display/display_surface.h"
#include "core/image/picture.h"

namespace vantage::ui {

class HostSurface final : public DisplaySurface {
 public:
  // `description`, for users: "OpenGL from host memory", or why the copy through the host is needed.
  explicit HostSurface(std::string description);

  std::string description() const override { return description_; }
  Result<DrawnSize> draw(unsigned texture, const FrameResult& result, int camera,
                         DisplayLayer layer) override;
  Result<int64_t> draw_points(unsigned buffer, const FrameResult& result) override;
  void release() override;

 private:
  struct Target {
    int width = 0, height = 0;
    std::array<unsigned, 3> planes{};
  };
  Status draw_picture(unsigned texture, const Picture& picture);
  static void upload_bytes(unsigned texture, const ImageView<const uint8_t>& view);
  Status ensure_program();
  void upload_planes(const Target& target, const Picture& picture);
  void convert(unsigned texture, const Picture& picture);

  std::string description_;
  std::unique_ptr<QOpenGLShaderProgram> program_;
  unsigned vertex_array_ = 0, framebuffer_ = 0;
  std::map<unsigned, Target> targets_;
};

}  // namespace vantage::ui
