// Languages of the window: its words, and how it writes and reads numbers and dates (ui/widgets/numbers.h).
// Files, command lines and results know nothing of it.
#pragma once

#include <cstdint>

namespace vantage::ui {

enum class Language : uint8_t { system, english, german };

// Whatever is made from now on has it. `system`: the first of the user's languages that is one of ours, else
// English. Tests begin with English.
void use_language(Language language);
// The one in use, never `system`.
Language language_in_use();

}  // namespace vantage::ui
