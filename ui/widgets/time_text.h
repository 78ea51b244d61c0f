// Times as people read them.
#pragma once

#include <QString>
#include <cstdint>

namespace vantage::ui {

// "0:32.480"; hours only where there are any: "1:02:05.480".
QString time_text(double seconds);
// "0:32", for ruler marks and remaining time.
QString short_time_text(double seconds);
// Time of day here of a moment in seconds since 1970: "14:32:05.4".
QString clock_text(double utc_s);
// "2", "0.5", "-1" followed by the times sign.
QString rate_text(double rate);

}  // namespace vantage::ui
