// Every reader of detections, chosen by content.
#include "core/detections/detection_file.h"
#include "tests/fuzz/target.h"

using namespace vantage;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const char* const endings[] = {".txt", ".json", ".csv", ".jsonl"};
  DetectionFileOptions options;
  if (data[0] & 4) options.width_px = 640, options.height_px = 480;
  if (data[0] & 8) options.first_frame = 1;
  const auto file =
      fuzz::as_file(std::string("detections") + endings[data[0] % 4], fuzz::text_of(data + 1, size - 1));
  const Result<DetectionFile> read = read_detection_file(file, options);
  if (!read) return 0;
  fuzz::hold(read->known_frames() <= static_cast<int64_t>(read->frames.size()), "known frames are among all");
  constexpr size_t kManyFrames = 100'000;  // whose lines take the sanitizers half a minute
  if (read->frames.size() > kManyFrames) return 0;
  // No person is lost by writing and reading again.
  const auto again_file = fuzz::as_file("again.jsonl", "");
  if (!write_detection_file(again_file, *read)) return 0;
  const Result<DetectionFile> again = read_detection_file(again_file);
  if (read->known_frames() == 0) return 0;  // a file without frames is refused
  fuzz::hold(again.has_value(), "our own file can be read");
  fuzz::hold(again->people() == read->people(), "our own file holds everybody");
  return 0;
}
