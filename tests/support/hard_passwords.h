// Passwords that mean something in addresses, texts, JSON or pages.
#pragma once

#include <string>
#include <vector>

namespace vantage::test {

// Each holds a word of its own that stands in no message.
inline std::vector<std::string> hard_passwords() {
  return {"zq1secret",       "zq2/secret",     "zq3#secret",   "zq4?secret",   "zq5@secret",
          "zq6:secret",      "zq7%secret",     "zq8%2Fsecret", "zq9&secret",   "zq10=secret",
          "zq11;secret",     "zq12'secret",    "zq13(secret)", "zq14[secret]", "zq15{secret}",
          "zq16<secret>",    "zq17|secret",    "zq18\\secret", "zq19$secret",  "zq20!secret*",
          "zq21+secret~",    "zq22,secret",    "zq23//secret", "zq24@/secret", "zq25#/secret",
          "zq26?a=b@secret", "zq27://secret",  "zq28 secret",  "zq29\"secret", "zq30\xC3\xA4secret",
          "zq31@@secret",    "zq32/secret/#?@"};
}

}  // namespace vantage::test
