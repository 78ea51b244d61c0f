// Expected failures are values: a function that can fail returns Result<T>. Assertions are for bugs.
// An error says what happened, where, and what to do about it. It is handled once: libraries return it,
// the session (or a command-line subcommand) reports it.
#pragma once

#include <string>
#include <tl/expected.hpp>

namespace vantage {

enum class ErrorKind {
  invalid_argument,  // the caller's or the user's input is wrong
  not_found,         // a file, camera or algorithm is missing
  unsupported,       // understood, but not available here
  bad_data,          // damaged or inconsistent content
  io,                // reading or writing failed (disk full, permissions)
  out_of_memory,
  device_lost,    // a sticky CUDA error: nothing more runs on that device
  cancelled,      // stopped on request
  end_of_stream,  // no further frame
};

struct Error {
  ErrorKind kind = ErrorKind::invalid_argument;
  std::string what;    // what happened
  std::string where;   // file, camera, frame, parameter; may be empty
  std::string remedy;  // what to do; may be empty

  // "WHERE: WHAT. REMEDY" as one line for people.
  std::string message() const;
};

template <typename T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

inline tl::unexpected<Error> fail(ErrorKind kind, std::string what, std::string where = {},
                                  std::string remedy = {}) {
  return tl::unexpected<Error>(Error{kind, std::move(what), std::move(where), std::move(remedy)});
}

inline tl::unexpected<Error> fail(Error error) {
  return tl::unexpected<Error>(std::move(error));
}

}  // namespace vantage

// Returns the error of an expression of type Result<T> to the caller.
#define VANTAGE_TRY(expression)                                                         \
  do {                                                                                  \
    if (auto vantage_try_result = (expression); !vantage_try_result)                    \
      return ::tl::unexpected<::vantage::Error>(std::move(vantage_try_result).error()); \
  } while (false)

#define VANTAGE_CONCAT_INNER(a, b) a##b
#define VANTAGE_CONCAT(a, b) VANTAGE_CONCAT_INNER(a, b)
// VANTAGE_ASSIGN(auto x, f()): x gets f()'s value, or the error returns to the caller.
#define VANTAGE_ASSIGN(declaration, expression)                                                              \
  auto VANTAGE_CONCAT(vantage_result_, __LINE__) = (expression);                                             \
  if (!VANTAGE_CONCAT(vantage_result_, __LINE__))                                                            \
    return ::tl::unexpected<::vantage::Error>(std::move(VANTAGE_CONCAT(vantage_result_, __LINE__)).error()); \
  declaration = std::move(*VANTAGE_CONCAT(vantage_result_, __LINE__))
