#include "core/push/push_queue.h"

#include <sqlite3.h>
#include <sys/stat.h>

#include "core/base/file.h"
#include "core/base/process_owner.h"

namespace vantage {
namespace {

constexpr int kBusy_ms = 10'000;  // another program writes
constexpr char kFile[] = "queue.sqlite";

struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

Statement prepare_statement(sqlite3* database, const char* sql) {
  sqlite3_stmt* made = nullptr;
  sqlite3_prepare_v2(database, sql, -1, &made, nullptr);
  return Statement(made);
}

void bind(sqlite3_stmt* statement, int place, const std::string& text) {
  sqlite3_bind_text(statement, place, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
}

// Binds the target as the first parameter.
Statement prepare_about(sqlite3* database, const char* sql, const std::string& target) {
  Statement statement = prepare_statement(database, sql);
  if (statement) bind(statement.get(), 1, target);
  return statement;
}

std::string text_of(sqlite3_stmt* statement, int column) {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement, column));
  return bytes ? std::string(bytes, static_cast<size_t>(sqlite3_column_bytes(statement, column)))
               : std::string();
}

}  // namespace

std::filesystem::path push_folder(const std::filesystem::path& project) {
  std::filesystem::path folder = project;
  return folder.replace_extension(".push");
}

tl::unexpected<Error> PushQueue::failed() const {
  const int code = database_ ? sqlite3_errcode(database_) & 0xff : SQLITE_NOMEM;
  const std::string why = database_ ? sqlite3_errmsg(database_) : "no memory";
  if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB)
    return fail(ErrorKind::bad_data, "the queue of messages is damaged (" + why + ")", file_.string(),
                "Move its folder away; its messages are then not sent.");
  return fail(ErrorKind::io, "the queue of messages cannot be used (" + why + ")", file_.string(),
              code == SQLITE_FULL ? "The disk is full: free some space." : "Check the folder and the disk.");
}

Result<std::unique_ptr<PushQueue>> PushQueue::open(const std::filesystem::path& folder,
                                                   int64_t max_picture_bytes) {
  VANTAGE_TRY(make_folder(folder));
  ::chmod(folder.c_str(), 0700);
  std::unique_ptr<PushQueue> queue(new PushQueue(folder / kFile));
  queue->max_picture_bytes_ = max_picture_bytes;
  const FolderLock alone(queue->file_);  // SQLite fails where two programs make one database at once
  VANTAGE_TRY(queue->prepare());
  return queue;
}

PushQueue::~PushQueue() {
  sqlite3_close(database_);
}

// Every commit is synced, and pages of deleted messages are returned to the file system.
Status PushQueue::prepare() {
  constexpr int kFlags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX;
  if (sqlite3_open_v2(file_.c_str(), &database_, kFlags, nullptr) != SQLITE_OK) return failed();
  sqlite3_busy_timeout(database_, kBusy_ms);
  VANTAGE_TRY(run("PRAGMA auto_vacuum=FULL; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"));
  VANTAGE_TRY(
      run("CREATE TABLE IF NOT EXISTS messages (sequence INTEGER PRIMARY KEY AUTOINCREMENT,"
          " target TEXT NOT NULL, body TEXT NOT NULL, jpeg BLOB);"
          "CREATE INDEX IF NOT EXISTS by_target ON messages (target, sequence);"
          "CREATE TABLE IF NOT EXISTS problems (target TEXT PRIMARY KEY, problem TEXT NOT NULL);"
          "CREATE TABLE IF NOT EXISTS queue (id TEXT NOT NULL);"
          "INSERT INTO queue SELECT lower(hex(randomblob(8))) WHERE NOT EXISTS (SELECT 1 FROM queue);"));
  const Statement id = prepare_statement(database_, "SELECT id FROM queue LIMIT 1");
  if (!id || sqlite3_step(id.get()) != SQLITE_ROW) return failed();
  id_ = text_of(id.get(), 0);
  return {};
}

Status PushQueue::run(const char* sql) const {
  if (sqlite3_exec(database_, sql, nullptr, nullptr, nullptr) == SQLITE_OK) return {};
  return failed();
}

Result<int64_t> PushQueue::number(const char* sql) const {
  const Statement statement = prepare_statement(database_, sql);
  if (!statement || sqlite3_step(statement.get()) != SQLITE_ROW) return failed();
  return sqlite3_column_int64(statement.get(), 0);
}

Status PushQueue::insert(const std::string& target, const std::string& body, const std::string& jpeg) const {
  const Statement statement =
      prepare_about(database_, "INSERT INTO messages (target, body, jpeg) VALUES (?, ?, ?)", target);
  if (!statement) return failed();
  bind(statement.get(), 2, body);
  if (!jpeg.empty())
    sqlite3_bind_blob(statement.get(), 3, jpeg.data(), static_cast<int>(jpeg.size()), SQLITE_TRANSIENT);
  if (sqlite3_step(statement.get()) != SQLITE_DONE) return failed();
  return {};
}

Status PushQueue::add(const std::vector<std::string>& targets, const std::string& body,
                      const std::string& jpeg) {
  const std::lock_guard lock(mutex_);
  VANTAGE_TRY(run("BEGIN IMMEDIATE"));
  Status taken;
  const Result<int64_t> bytes =
      jpeg.empty() ? Result<int64_t>(0) : number("SELECT coalesce(sum(length(jpeg)), 0) FROM messages");
  if (!bytes) taken = fail(bytes.error());
  const bool fits = bytes && *bytes + static_cast<int64_t>(jpeg.size()) <= max_picture_bytes_;
  for (size_t i = 0; i < targets.size() && taken; ++i)
    taken = insert(targets[i], body, fits ? jpeg : std::string());
  if (taken) taken = run("COMMIT");
  if (!taken) sqlite3_exec(database_, "ROLLBACK", nullptr, nullptr, nullptr);
  return taken;
}

Result<std::optional<PushMessage>> PushQueue::next(const std::string& target, int64_t after) const {
  const std::lock_guard lock(mutex_);
  const Statement statement = prepare_about(database_,
                                            "SELECT sequence, body, jpeg FROM messages WHERE target = ? "
                                            "AND sequence > ? ORDER BY sequence LIMIT 1",
                                            target);
  if (!statement) return failed();
  sqlite3_bind_int64(statement.get(), 2, after);
  const int code = sqlite3_step(statement.get());
  if (code == SQLITE_DONE) return std::optional<PushMessage>();
  if (code != SQLITE_ROW) return failed();
  PushMessage message;
  message.sequence = sqlite3_column_int64(statement.get(), 0);
  message.id = id_ + "-" + std::to_string(message.sequence);
  message.body = text_of(statement.get(), 1);
  message.jpeg = text_of(statement.get(), 2);
  return std::optional(std::move(message));
}

Status PushQueue::remove(const std::string& target, int64_t up_to) {
  const std::lock_guard lock(mutex_);
  const Statement statement =
      prepare_about(database_, "DELETE FROM messages WHERE target = ? AND sequence <= ?", target);
  if (!statement) return failed();
  sqlite3_bind_int64(statement.get(), 2, up_to);
  if (sqlite3_step(statement.get()) != SQLITE_DONE) return failed();
  return {};
}

Result<int64_t> PushQueue::waiting(const std::string& target, int64_t after) const {
  const std::lock_guard lock(mutex_);
  const Statement statement =
      prepare_about(database_, "SELECT count(*) FROM messages WHERE target = ? AND sequence > ?", target);
  if (!statement) return failed();
  sqlite3_bind_int64(statement.get(), 2, after);
  if (sqlite3_step(statement.get()) != SQLITE_ROW) return failed();
  return sqlite3_column_int64(statement.get(), 0);
}

Result<std::vector<std::string>> PushQueue::targets() const {
  const std::lock_guard lock(mutex_);
  const Statement statement =
      prepare_statement(database_, "SELECT DISTINCT target FROM messages ORDER BY target");
  if (!statement) return failed();
  std::vector<std::string> names;
  int code = SQLITE_ROW;
  while ((code = sqlite3_step(statement.get())) == SQLITE_ROW) names.push_back(text_of(statement.get(), 0));
  if (code != SQLITE_DONE) return failed();
  return names;
}

Status PushQueue::note_problem(const std::string& target, const std::string& problem) {
  const std::lock_guard lock(mutex_);
  const Statement statement =
      prepare_about(database_, "INSERT OR REPLACE INTO problems (target, problem) VALUES (?, ?)", target);
  if (!statement) return failed();
  bind(statement.get(), 2, problem);
  if (sqlite3_step(statement.get()) != SQLITE_DONE) return failed();
  return {};
}

Result<std::string> PushQueue::problem(const std::string& target) const {
  const std::lock_guard lock(mutex_);
  const Statement statement =
      prepare_about(database_, "SELECT problem FROM problems WHERE target = ?", target);
  if (!statement) return failed();
  const int code = sqlite3_step(statement.get());
  if (code == SQLITE_ROW) return text_of(statement.get(), 0);
  if (code == SQLITE_DONE) return std::string();
  return failed();
}

}  // namespace vantage
