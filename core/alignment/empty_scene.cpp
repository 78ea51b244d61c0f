#include "core/alignment/empty_scene.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstdlib>

namespace vantage {
namespace {

void clean_row(const std::vector<Picture>& from, std::vector<Picture>& to, int plane, int y) {
  const int width = from[0].plane(plane).width;
  std::vector<uint8_t> values(from.size());
  const auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::vector<const uint8_t*> in;
  std::vector<uint8_t*> out;
  for (const Picture& picture : from) in.push_back(picture.plane(plane).row(y));
  for (Picture& picture : to) out.push_back(picture.writable_plane(plane).row(y));
  for (int x = 0; x < width; ++x) {
    for (size_t i = 0; i < in.size(); ++i) values[i] = in[i][x];
    std::nth_element(values.begin(), middle, values.end());
    const int median = *middle;
    for (size_t i = 0; i < in.size(); ++i)
      out[i][x] = std::abs(in[i][x] - median) > kSceneSpread ? static_cast<uint8_t>(median) : in[i][x];
  }
}

}  // namespace

Result<std::vector<Picture>> empty_scene(const std::vector<Picture>& pictures) {
  std::vector<Picture> cleaned;
  for (const Picture& picture : pictures) {
    if (picture.format() != pictures[0].format() || picture.place().kind != MemoryKind::host)
      return fail(ErrorKind::invalid_argument, "the pictures of a scene differ in size or memory");
    VANTAGE_ASSIGN(Picture copy, Picture::make(picture.format(), HostPool::shared()));
    cleaned.push_back(std::move(copy));
  }
  for (int plane = 0; !pictures.empty() && plane < pictures[0].plane_count(); ++plane)
    tbb::parallel_for(0, pictures[0].plane(plane).height,
                      [&](int y) { clean_row(pictures, cleaned, plane, y); });
  return cleaned;
}

}  // namespace vantage
