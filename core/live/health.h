// How well a live camera feeds the chain.
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
  std::string picture;                      // what is wrong with what it shows; empty: nothing
  bool turned = false;                      // that is another view than the one it should show
  std::optional<bool> certificate_checked;  // nothing: its stream is not encrypted
  std::string detector;  // what is wrong with its detector's boxes; empty: nothing, or no one can tell
  // Its view is compared with the one that was kept with its calibration then, seconds since 1970; nothing:
  // against this run's first seconds.
  std::optional<double> view_of_utc_s;
  double declared_rate = 0;              // pictures a second, by the stream's own times
  double delivered_rate = 0;             // over the last seconds
  double bit_rate = 0;                   // likewise, bits a second
  double jitter_ms = 0;                  // mean delay beyond an undelayed picture's
  double age_s = -1;                     // of the last picture; -1: none yet
  double delay_ms = -1;                  // from taking to arrival; -1: its clock does not tell
  std::optional<double> clock_offset_s;  // its clock less ours
  double correction_s =
      0;                 // how much longer its pictures are in transit than its clock tells, as was confirmed
  double drift_ppm = 0;  // how much faster its stream's clock runs
  int64_t pictures = 0;
  int64_t decode_errors = 0;  // damaged, or refused by the decoder
  int64_t left_out = 0;       // build on pictures that never came, after a stall
  int64_t late = 0;           // came after their set had gone out
  int64_t reconnections = 0;
};

struct LiveHealth {
  std::vector<CameraHealth> cameras;
  double start_utc_s = 0;  // of set time 0, since 1970
  double rate = 0;         // sets a second
  double bound_ms = 0;
  double delay_span_ms = 0;  // between the corrections; a set waits for so long before the bound begins
  int thinning = 1;          // every so many sets are analysed
  double processor_share =
      -1;  // of the machine's processor time, in use over the last seconds; -1: not known
  int64_t sets = 0, incomplete = 0, dropped = 0, thinned = 0, analysed = 0;
  // Latency from the last camera's bytes, and age from the instant shown, to the result.
  double latency_p50_ms = 0, latency_p95_ms = 0, latency_max_ms = 0;
  double age_p50_ms = 0, age_p95_ms = 0, age_max_ms = 0;
  double latency_ms = 0, age_ms = 0;  // of the newest result
  // Latency from the burnt-in time code of a picture to the result; -1: there is none.
  double code_p50_ms = -1, code_p95_ms = -1, code_max_ms = -1;
};

}  // namespace vantage
