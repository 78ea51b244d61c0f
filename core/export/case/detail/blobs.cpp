#include "core/export/case/detail/blobs.h"

#include <numeric>

namespace vantage::case_detail {
namespace {

int32_t root(std::vector<int32_t>& parent, int32_t label) {
  while (parent[static_cast<size_t>(label)] != label) {
    int32_t& up = parent[static_cast<size_t>(label)];
    up = parent[static_cast<size_t>(up)];
    label = up;
  }
  return label;
}

void join(std::vector<int32_t>& parent, int32_t a, int32_t b) {
  a = root(parent, a), b = root(parent, b);
  if (a < b)
    parent[static_cast<size_t>(b)] = a;
  else
    parent[static_cast<size_t>(a)] = b;
}

}  // namespace

Blobs find_blobs(const ImageView<const uint8_t>& mask) {
  Blobs blobs;
  const auto width = static_cast<size_t>(mask.width);
  blobs.label.resize(width * static_cast<size_t>(mask.height));
  std::vector<int32_t> parent = {0};
  for (int y = 0; y < mask.height; ++y) {
    const uint8_t* row = mask.row(y);
    int32_t* labels = blobs.label.data() + width * static_cast<size_t>(y);
    const int32_t* above = y > 0 ? labels - width : nullptr;
    for (int x = 0; x < mask.width; ++x) {
      if (!row[x]) continue;
      int32_t& label = labels[x];
      const auto meet = [&](int32_t other) {
        if (other == 0) return;
        if (label == 0)
          label = other;
        else if (label != other)
          join(parent, label, other);
      };
      if (x > 0) meet(labels[x - 1]);
      for (int dx = -1; above && dx <= 1; ++dx)
        if (x + dx >= 0 && x + dx < mask.width) meet(above[x + dx]);
      if (label != 0) continue;
      label = static_cast<int32_t>(parent.size());
      parent.push_back(label);
    }
  }
  std::vector<int32_t> final(parent.size());
  for (size_t i = 1; i < parent.size(); ++i) {
    const auto top = static_cast<size_t>(root(parent, static_cast<int32_t>(i)));
    final[i] = top == i ? ++blobs.count : final[top];
  }
  for (int32_t& label : blobs.label) label = final[static_cast<size_t>(label)];
  return blobs;
}

}  // namespace vantage::case_detail
