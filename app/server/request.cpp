#include "app/server/request.h"

#include "core/base/json.h"
#include "core/base/log.h"

namespace vantage::server {

Answer error_answer(int status, const std::string& what, const std::string& where,
                    const std::string& remedy) {
  Answer answer;
  answer.status = status;
  answer.body = json_text(nlohmann::ordered_json{{"what", what}, {"where", where}, {"do", remedy}}) + "\n";
  return answer;
}

Answer error_answer(const Error& error, const std::string& where) {
  if (error.kind == ErrorKind::not_found) return error_answer(404, error.what, where, error.remedy);
  if (error.kind == ErrorKind::invalid_argument) return error_answer(400, error.what, where, error.remedy);
  log_error("result server: " + error.message());
  return error_answer(500, redact_credentials(error.what), where, "See the log of the program that serves.");
}

}  // namespace vantage::server
