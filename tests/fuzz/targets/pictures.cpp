// Pictures and maps that are not decoded by FFmpeg: PNG, PFM, FLO, and costs of a height map.
#include "core/height_map/height_map_io.h"
#include "core/image/image_files.h"
#include "core/optical_flow/flow_file.h"
#include "tests/fuzz/target.h"

using namespace vantage;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const auto file = fuzz::as_file("picture", fuzz::text_of(data + 1, size - 1));
  HostPool pool;
  switch (data[0] % 4) {
    case 0:
      read_png_gray(file, pool);
      return 0;
    case 1:
      read_pfm(file, pool);
      return 0;
    case 2: {
      const Result<FlowField> field = read_flo(file, pool);
      if (field) flow_statistics(*field);
      return 0;
    }
    default:
      read_cost(file, pool);
      return 0;
  }
}
