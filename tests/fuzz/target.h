// What the targets of the program share: each takes bytes from a stranger as libFuzzer hands them, or a kept
// file of the corpus. A target that crashes, hangs or breaks what `hold()` states is a finding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

// libFuzzer's entry; 0: go on.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace vantage::fuzz {

// The bytes in a file of this process alone, in memory; it is written again by the next call of the same
// name.
std::filesystem::path as_file(const std::string& name, std::string_view bytes);

// A folder of this process alone, empty.
std::filesystem::path empty_folder(const std::string& name);

// Ends the program where something that a header promises does not hold.
void hold(bool promise, const char* what);

inline std::string_view text_of(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace vantage::fuzz
