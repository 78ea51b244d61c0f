// Every reader of calibrations, chosen by content. The first byte chooses the options and the name's ending.
#include <cmath>

#include "core/calibration/formats/calibration.h"
#include "tests/fuzz/target.h"

using namespace vantage;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const char* const endings[] = {".xml", ".json", ".toml", ".yaml", ".txt", ""};
  CalibrationOptions options;
  options.width_px = 640, options.height_px = 480;
  if (data[0] & 64) options.unit_scale_m = 0.001;
  if (data[0] & 128) options.up_axis = "-y";
  const auto file = fuzz::as_file(std::string("calibration") + endings[data[0] % 8 % std::size(endings)],
                                  fuzz::text_of(data + 1, size - 1));
  const Result<Calibration> read = read_calibration(file, options);
  if (!read) return 0;
  for (const Camera& camera : read->cameras) {
    fuzz::hold(camera.width_px() > 0 && camera.height_px() > 0, "an accepted camera has a picture size");
    fuzz::hold(camera.center_in_world_m().allFinite(), "an accepted camera stands somewhere");
  }
  const Result<std::vector<Camera>> again =
      calibration_from_json(calibration_to_json(read->cameras), "again");
  fuzz::hold(again && again->size() == read->cameras.size(), "what is read can be kept as our own format");
  return 0;
}
