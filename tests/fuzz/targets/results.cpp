// Lines of results.jsonl, tracks.csv and marks of events, as another program may have left them.
#include "core/metrics/tracking_metrics.h"
#include "core/results/results_events.h"
#include "core/results/results_paths.h"
#include "core/results/results_reader.h"
#include "tests/fuzz/target.h"

using namespace vantage;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string text(fuzz::text_of(data + 1, size - 1));
  switch (data[0] % 4) {
    case 0: {
      const Result<StoredResults> read = read_results_file(fuzz::as_file("results.jsonl", text));
      if (!read) return 0;
      for (size_t i = 0; i < read->frames.size(); ++i)
        fuzz::hold(read->frames[i].versions != nullptr, "frames name the versions of their stages");
      return 0;
    }
    case 1:
      read_paths(fuzz::as_file("tracks.csv", text));
      return 0;
    case 2: {
      const auto folder = fuzz::empty_folder("marks.results");
      std::filesystem::copy_file(fuzz::as_file("event_marks.json", text), folder / "event_marks.json");
      read_event_marks(folder);
      return 0;
    }
    default:
      read_mot_csv(text, "truth");
      return 0;
  }
}
