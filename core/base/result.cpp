#include "core/base/result.h"

namespace vantage {

std::string Error::message() const {
  std::string text = where.empty() ? what : where + ": " + what;
  if (!remedy.empty()) {
    if (!text.empty() && text.back() != '.') text += '.';
    text += ' ' + remedy;
  }
  return text;
}

}  // namespace vantage
