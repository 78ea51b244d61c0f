#include "app/server/page.h"

extern "C" {
extern const char vantage_server_page_begin[];
extern const char vantage_server_page_end[];
extern const char vantage_server_api_begin[];
extern const char vantage_server_api_end[];
}
// The files are compiled into the program, so that they are always available.
#define VANTAGE_PART_OF_PROGRAM(name, file) \
  asm(".section .rodata\n"                  \
      ".global " name                       \
      "_begin\n"                            \
      ".global " name                       \
      "_end\n"                              \
      "" name                               \
      "_begin:\n"                           \
      ".incbin \"" file                     \
      "\"\n"                                \
      "" name                               \
      "_end:\n"                             \
      ".byte 0\n"                           \
      ".previous\n")
VANTAGE_PART_OF_PROGRAM("vantage_server_page", VANTAGE_SERVER_PAGE);
VANTAGE_PART_OF_PROGRAM("vantage_server_api", VANTAGE_SERVER_API);
#undef VANTAGE_PART_OF_PROGRAM

namespace vantage::server {

Answer page() {
  Answer answer;
  answer.type = "text/html; charset=utf-8";
  answer.body.assign(vantage_server_page_begin, vantage_server_page_end);
  answer.headers.emplace_back(
      "Content-Security-Policy",
      "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; "
      "img-src blob:; media-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
  return answer;
}

Answer api_description() {
  Answer answer;
  answer.type = "application/json";
  answer.body.assign(vantage_server_api_begin, vantage_server_api_end);
  return answer;
}

}  // namespace vantage::server
