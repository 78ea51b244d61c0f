// Containers and streams: FFmpeg finds pictures in them, we copy, convert and number those. FFmpeg itself is
// not instrumented. Its first byte chooses the ending.
#include "core/video/video_source.h"
#include "tests/fuzz/target.h"

using namespace vantage;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const char* const endings[] = {".mp4", ".mkv", ".avi", ".h264", ".hevc", ".mjpeg", ".png", ".jpg"};
  const auto file =
      fuzz::as_file(std::string("video") + endings[data[0] % 8], fuzz::text_of(data + 1, size - 1));
  constexpr int kPictures = 5;  // of each: the target is what they come through, not how many
  const auto source = open_video(file.string(), {});
  if (!source) return 0;
  int64_t last = -1;
  for (int i = 0; i < kPictures; ++i) {
    const Result<DecodedFrame> frame = (*source)->read();
    if (!frame) break;
    fuzz::hold(frame->index > last, "frames are numbered upwards");
    last = frame->index;
  }
  if (last >= 0 && (*source)->seek(0)) {
    const Result<DecodedFrame> frame = (*source)->read();
    fuzz::hold(!frame || frame->index == 0, "the first frame is found again");
  }
  return 0;
}
