// The report that a program leaves behind when it dies of a fault: its version, the instruction set and
// device in use, the stack, and the last lines of the log, from which passwords are gone already. No
// pictures, no memory, no command line.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace vantage {

// SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT (also what is thrown and not caught) from now on write a report
// that its user alone can read, state on stderr where it is, and end the program as before. Reports lie in
// crash_folder(). Called once, where the program starts and after the instruction set is chosen.
void report_crashes(std::string_view program, std::string_view version);

// The device that is in use, as doctor calls it.
void set_crash_report_device(std::string_view description);
// A folder in which a second copy is left: of the results that are being written. Empty: none.
void set_crash_report_copy(const std::filesystem::path& folder);

// $XDG_STATE_HOME/vantage/crashes
std::filesystem::path crash_folder();
// The reports of a folder, the newest first.
std::vector<std::filesystem::path> crash_reports(const std::filesystem::path& folder);

// Which build of the program this is: what is computed by one is not taken for another's.

// The identity that the linker gave the program or library that this code is in, as hexadecimal digits:
// another for any other code. Where there is none, its file's size and time.
const std::string& build_id();

}  // namespace vantage
