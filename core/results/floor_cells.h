// Cells of the floor as a grey picture: the first row of cells is the lowest of the picture.
#pragma once

#include "core/base/result.h"
#include "core/image/picture.h"

namespace vantage {

// The PNG text that says where such a picture lies, with floor_scale() (frame_pictures.h).
inline constexpr const char* kFloorScaleKeyword = "Vantage floor";

// In host memory; `value` gives the Pixel of cell (x, y).
template <typename Pixel, typename Value>
Result<Image> picture_of_cells(int nx, int ny, const Value& value) {
  VANTAGE_ASSIGN(Image image, Image::make(image_type_of<Pixel>(), nx, ny, HostPool::shared()));
  const ImageView<Pixel> to = image.writable_view<Pixel>();
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x) to.at(x, ny - 1 - y) = value(x, y);
  return image;
}

}  // namespace vantage
