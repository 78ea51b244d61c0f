#include "app/server/page.h"

extern "C" {
extern const char vantage_server_page_begin[];
extern const char vantage_server_page_end[];
}
// The file becomes part of the program, so that it is there wherever the program is.
asm(".section .rodata\n"
    ".global vantage_server_page_begin\n"
    ".global vantage_server_page_end\n"
    "vantage_server_page_begin:\n"
    ".incbin \"" VANTAGE_SERVER_PAGE
    "\"\n"
    "vantage_server_page_end:\n"
    ".byte 0\n"
    ".previous\n");

namespace vantage::server {

Answer page() {
  Answer answer;
  answer.type = "text/html; charset=utf-8";
  answer.body.assign(vantage_server_page_begin, vantage_server_page_end);
  answer.headers.emplace_back(
      "Content-Security-Policy",
      "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; "
      "img-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
  return answer;
}

}  // namespace vantage::server
