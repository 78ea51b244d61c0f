// The C library's allocator, for programs that run for days, and what happens when it has nothing left.
#pragma once

namespace vantage {

// Blocks of kLarge_bytes and more come from the system and go back to it one by one. glibc begins so, but
// raises the limit to the size of whatever was given back (32 MiB at most): pictures then lie among small
// blocks, and what cameras that come and go leave between them is never whole again. Called once, where a
// program starts.
inline constexpr int kLarge_bytes = 128 << 10;
void give_back_large_blocks();

// What is said where memory ran out.
inline constexpr char kMemoryRanOut[] =
    "memory ran out: close other programs, or use fewer or smaller cameras at a time, a coarser grid, fewer "
    "--threads. What was saved before is untouched.";
// Memory that runs out where nothing can answer it (on a thread of its own, while something is taken down)
// ends the program with that sentence and exit code 1 from now on, not as a crash. Called once, where a
// program without a window starts.
void end_where_memory_runs_out(const char* program);

// Returns what is free among small blocks to the system, page by page; for use after much memory was freed.
// Takes some milliseconds, in which other threads may wait for memory.
void give_back_free_memory();

}  // namespace vantage
