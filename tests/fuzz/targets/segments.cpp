// A live recording's header and index, as a crash or a full disk may have left them.
#include <fstream>

#include "core/video/segments/segment_index.h"
#include "tests/fuzz/target.h"

using namespace vantage;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view text = fuzz::text_of(data + 1, size - 1);
  if (data[0] % 2 == 0) {
    const Result<SegmentsHeader> header = read_segments_header(fuzz::as_file("cam.segments", text));
    if (header)
      fuzz::hold(header->width_px > 0 && header->height_px > 0 && header->frame_rate > 0,
                 "an accepted header has a size and a rate");
    return 0;
  }
  const auto folder = fuzz::empty_folder("cam");
  std::ofstream(index_path(folder, 0), std::ios::binary) << text;
  SegmentIndex index(folder);
  index.refresh();
  for (int64_t frame = index.begin(); frame < std::min(index.end(), index.begin() + 1000); ++frame)
    index.start_before(index.at(frame));
  return 0;
}
