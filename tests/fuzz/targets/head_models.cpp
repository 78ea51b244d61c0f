// Trained head detectors from files.
#include "core/heads/head_model.h"
#include "tests/fuzz/target.h"

using namespace vantage;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Result<HeadModel> model = parse_head_model(fuzz::text_of(data, size), "a model");
  if (!model) return 0;
  const Result<HeadModel> again = parse_head_model(serialize_head_model(*model), "again");
  fuzz::hold(again && again->weak.size() == model->weak.size(), "a model that is read can be written");
  return 0;
}
