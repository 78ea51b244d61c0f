// Which build of the program this is: what is computed by one is not taken for another's.
#pragma once

#include <string>

namespace vantage {

// The identity that the linker gave the program or library that this code is in, as hexadecimal digits:
// another for any other code. Where there is none, its file's size and time.
const std::string& build_id();

}  // namespace vantage
