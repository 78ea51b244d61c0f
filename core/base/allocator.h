// The C library's allocator, set up for programs that run for days. Called once, where a program starts.
#pragma once

namespace vantage {

// Blocks of kLarge_bytes and more come from the system and go back to it one by one. glibc begins so, but
// raises the limit to the size of whatever was given back (32 MiB at most): pictures then lie among small
// blocks, and what cameras that come and go leave between them is never whole again.
inline constexpr int kLarge_bytes = 128 << 10;
void give_back_large_blocks();

}  // namespace vantage
