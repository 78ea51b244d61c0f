// Project files: what loads can be saved and is the same afterwards.
#include "core/project/project.h"
#include "tests/fuzz/target.h"

using namespace vantage;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Result<Project> read = load_project(fuzz::as_file("a.vantage", fuzz::text_of(data, size)));
  if (!read) return 0;
  const auto copy = fuzz::as_file("b.vantage", "");
  if (!save_project(*read, copy)) return 0;
  const Result<Project> again = load_project(copy);
  fuzz::hold(again.has_value(), "a saved project can be loaded");
  fuzz::hold(!difference(*read, *again).any(), "a saved project is the same");
  return 0;
}
