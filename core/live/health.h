// Health of a live camera's stream.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vantage {

struct CameraHealth {
  std::string name;
  bool here = false;                        // it sends
  std::string state;                        // "by sender's clock", "by arrival", or why nothing comes
  std::string picture;                      // fault of the picture; empty: none
  bool turned = false;                      // the fault is a turned view
  std::optional<bool> certificate_checked;  // nothing: its stream is not encrypted
  std::string detector;                     // fault of its detector's boxes; empty: none, or unknown
  // Time of the reference view that was kept with its calibration, seconds since 1970; nothing: the view is
  // compared with this run's first seconds.
  std::optional<double> view_of_utc_s;
  double declared_rate = 0;              // pictures/s, by the stream's own times
  double delivered_rate = 0;             // over the last seconds
  double bit_rate = 0;                   // likewise, bits/s
  double jitter_ms = 0;                  // mean delay beyond that of an undelayed picture
  double age_s = -1;                     // the last picture's; -1: none yet
  double delay_ms = -1;                  // capture to arrival; -1: unknown
  std::optional<double> clock_offset_s;  // its clock minus ours
  double correction_s = 0;               // confirmed transit time of its pictures beyond what its clock shows
  double drift_ppm = 0;                  // rate error of its stream's clock
  int64_t pictures = 0;
  int64_t decode_errors = 0;  // damaged, or refused by the decoder
  int64_t left_out = 0;       // depend on pictures that never came, after a stall
  int64_t late = 0;           // came after their set was released
  int64_t reconnections = 0;
};

struct LiveHealth {
  std::vector<CameraHealth> cameras;
  double start_utc_s = 0;  // time of set time 0, seconds since 1970
  double rate = 0;         // sets/s
  double bound_ms = 0;
  double delay_span_ms = 0;     // range of the corrections; a set waits for so long before the bound begins
  int thinning = 1;             // every n-th set is analysed
  double processor_share = -1;  // share of the machine's processors in use over the last seconds; -1: unknown
  int64_t sets = 0, incomplete = 0, dropped = 0, thinned = 0, analysed = 0;
  // Latency from the last camera's bytes, and age from the capture, to the result.
  double latency_p50_ms = 0, latency_p95_ms = 0, latency_max_ms = 0;
  double age_p50_ms = 0, age_p95_ms = 0, age_max_ms = 0;
  double latency_ms = 0, age_ms = 0;  // the newest result's
  // Latency from a picture's burnt-in time code to the result; -1: none.
  double code_p50_ms = -1, code_p95_ms = -1, code_max_ms = -1;
};

}  // namespace vantage
