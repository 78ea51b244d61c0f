// Marks on events as clients read and write them.
#pragma once

#include "app/server/request.h"
#include "app/server/result_source.h"

namespace vantage::server {

// The document of event_marks.json.
Answer marks_answer(const ResultSource& source, const Request& request);
// One event marked, as the body says: {"rule", "person", "raised_frame", "standing", "note"}; what it does
// not say of the last two stays as it is. Answers with the mark.
Answer mark_event(const ResultSource& source, const Request& request);

}  // namespace vantage::server
