// The broker's work on SQLite without the broker. A request writes its records, its zone's new revision and
// its outcome. One transaction contains all requests that arrived together, to a given number of accounts'
// zones. Pages, cache, log and durability are set as in the broker.
//
//   sqlite_saves FOLDER
#define _GNU_SOURCE
#include "measure.h"

#include <sqlite3.h>
#include <stdint.h>

enum { fields_bytes = 300 };

static const char *schema =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536;"
    "PRAGMA wal_autocheckpoint = 4000;"
    "CREATE TABLE zone (key INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE,"
    "  head INTEGER NOT NULL) STRICT;"
    "CREATE TABLE record (key INTEGER PRIMARY KEY, zone INTEGER NOT NULL REFERENCES zone,"
    "  name TEXT NOT NULL, revision INTEGER NOT NULL, kind INTEGER NOT NULL, type TEXT NOT NULL,"
    "  created_at INTEGER NOT NULL, created_device INTEGER NOT NULL,"
    "  created_number INTEGER NOT NULL, modified_at INTEGER NOT NULL,"
    "  modified_device INTEGER NOT NULL, modified_number INTEGER NOT NULL, fields BLOB NOT NULL,"
    "  UNIQUE (zone, name), UNIQUE (zone, revision)) STRICT;"
    "CREATE TABLE outcome (device INTEGER NOT NULL, number INTEGER NOT NULL,"
    "  fingerprint BLOB NOT NULL, bytes BLOB NOT NULL,"
    "  PRIMARY KEY (device, number)) STRICT, WITHOUT ROWID;";

static sqlite3 *database;

static void check(int code) {
  if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) return;
  fprintf(stderr, "SQLite: %s\n", sqlite3_errmsg(database));
  exit(1);
}

static void run(const char *sql) { check(sqlite3_exec(database, sql, NULL, NULL, NULL)); }

static sqlite3_stmt *prepared(const char *sql) {
  sqlite3_stmt *statement;
  check(sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL));
  return statement;
}

static void finish(sqlite3_stmt *statement) {
  check(sqlite3_step(statement));
  check(sqlite3_reset(statement));
}

// Names rise with time, as the names that our programs generate.
static void bind_name(sqlite3_stmt *statement, int column, int64_t revision) {
  char name[37];
  snprintf(name, sizeof name, "%08x-%04x-7000-8000-%012lx", (unsigned)(revision >> 16),
           (unsigned)(revision & 0xffff), (unsigned long)random());
  check(sqlite3_bind_text(statement, column, name, 36, SQLITE_TRANSIENT));
}

static void measure(const char *name, const char *folder, int requests, int records, int zones) {
  char path[4096], log_path[4160];
  snprintf(path, sizeof path, "%s/saves.sqlite", folder);
  unlink(path);
  for (int i = 0; i < 2; i++) {
    snprintf(log_path, sizeof log_path, "%s-%s", path, i ? "wal" : "shm");
    unlink(log_path);
  }
  check(sqlite3_open(path, &database));
  run(schema);
  sqlite3_stmt *record = prepared(
      "INSERT INTO record (zone, name, revision, kind, type, created_at, created_device,"
      " created_number, modified_at, modified_device, modified_number, fields)"
      " VALUES (?5, ?1, ?2, 0, 'Contact', ?3, ?5, ?2, ?3, ?5, ?2, ?4)");
  sqlite3_stmt *head = prepared("UPDATE zone SET head = ?1 WHERE key = ?2");
  sqlite3_stmt *outcome = prepared("INSERT INTO outcome VALUES (?3, ?1, ?2, ?2)");
  sqlite3_stmt *zone = prepared("INSERT INTO zone VALUES (?1, randomblob(16), 0)");
  for (int key = 0; key < zones; key++) {
    sqlite3_bind_int(zone, 1, key);
    finish(zone);
  }
  sqlite3_finalize(zone);
  static const char fields[fields_bytes] = {7}, digest[16] = {1};
  int64_t revision = 0, number = 0;
  double start = now_seconds(), elapsed;
  do {
    run("BEGIN IMMEDIATE");
    for (int request = 0; request < requests; request++) {
      for (int index = 0; index < records; index++) {
        revision++;
        bind_name(record, 1, revision);
        sqlite3_bind_int64(record, 2, revision);
        sqlite3_bind_int64(record, 3, 1700000000000000 + revision);
        sqlite3_bind_blob(record, 4, fields, sizeof fields, SQLITE_STATIC);
        sqlite3_bind_int(record, 5, request % zones);
        finish(record);
      }
      sqlite3_bind_int64(head, 1, revision);
      sqlite3_bind_int(head, 2, request % zones);
      finish(head);
      sqlite3_bind_int64(outcome, 1, ++number);
      sqlite3_bind_int(outcome, 3, request);
      sqlite3_bind_blob(outcome, 2, digest, sizeof digest, SQLITE_STATIC);
      finish(outcome);
    }
    run("COMMIT");
    elapsed = now_seconds() - start;
  } while (elapsed < 2.0);
  printf("%s_per_s %.0f\n", name, (double)revision / elapsed);
  sqlite3_finalize(record);
  sqlite3_finalize(head);
  sqlite3_finalize(outcome);
  check(sqlite3_close(database));
  unlink(path);
}

int main(int count, char **arguments) {
  if (count != 2) {
    fprintf(stderr, "usage: sqlite_saves FOLDER\n");
    return 64;
  }
  setvbuf(stdout, NULL, _IOLBF, 0);
  measure("sqlite_saves_1", arguments[1], 1, 1, 1);
  measure("sqlite_saves_50", arguments[1], 50, 1, 50);
  measure("sqlite_saves_50_of_one", arguments[1], 50, 1, 1);
  measure("sqlite_saves_400", arguments[1], 1, 400, 1);
  return 0;
}
