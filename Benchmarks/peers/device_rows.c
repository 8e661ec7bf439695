// The best that a device's SQLite can do: a loop in C writes the rows of a device's database into an empty
// one with the same tables, indexes, full text, settings and number of records a transaction. Like the device,
// it then indexes the contacts: the lists in one transaction, and the full text in transactions of 800. Events are
// omitted, because they are not part of the address book.
//
//   device_rows DATABASE FOLDER RECORDS_PER_TRANSACTION NAME
#define _GNU_SOURCE
#include "measure.h"

#include <sqlite3.h>
#include <stdint.h>

static sqlite3 *source, *target;

static void check(sqlite3 *database, int code) {
  if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) return;
  fprintf(stderr, "SQLite: %s\n", sqlite3_errmsg(database));
  exit(1);
}

static void run(sqlite3 *database, const char *sql) {
  check(database, sqlite3_exec(database, sql, NULL, NULL, NULL));
}

static sqlite3_stmt *prepared(sqlite3 *database, const char *sql) {
  sqlite3_stmt *statement;
  check(database, sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL));
  return statement;
}

// The rows of one table, read into memory before the measurement.
struct rows {
  const char *select, *insert;
  int columns;
  int64_t count;
  sqlite3_value **values;
  sqlite3_stmt *statement;
};

static void load(struct rows *rows) {
  sqlite3_stmt *statement = prepared(source, rows->select);
  rows->columns = sqlite3_column_count(statement);
  int64_t room = 0;
  while (sqlite3_step(statement) == SQLITE_ROW) {
    if (rows->count == room) {
      room = room ? room * 2 : 1024;
      rows->values = realloc(rows->values, (size_t)(room * rows->columns) * sizeof *rows->values);
      if (!rows->values) fail("realloc");
    }
    for (int column = 0; column < rows->columns; column++)
      rows->values[rows->count * rows->columns + column] =
          sqlite3_value_dup(sqlite3_column_value(statement, column));
    rows->count++;
  }
  sqlite3_finalize(statement);
}

static void copy_schema(void) {
  sqlite3_stmt *statement = prepared(
      source, "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"
              " AND name NOT LIKE 'contact_text_%' AND name NOT LIKE 'grdb_%'"
              " ORDER BY type <> 'table', rowid");
  while (sqlite3_step(statement) == SQLITE_ROW)
    run(target, (const char *)sqlite3_column_text(statement, 0));
  sqlite3_finalize(statement);
}

static void insert(struct rows *rows, int64_t row) {
  if (row >= rows->count) return;
  for (int column = 0; column < rows->columns; column++)
    sqlite3_bind_value(rows->statement, column + 1, rows->values[row * rows->columns + column]);
  check(target, sqlite3_step(rows->statement));
  check(target, sqlite3_reset(rows->statement));
}

// The indexes of the lists are made again with all contacts.
static const char *lists_step =
    "BEGIN IMMEDIATE;"
    "DROP INDEX contact_last; DROP INDEX contact_first; DROP INDEX contact_company;"
    "DROP INDEX contact_zone_last;"
    "UPDATE OR FAIL contact_place SET indexed = 1 WHERE indexed = 0;"
    "CREATE INDEX contact_last ON contact_place (generation, last, record, indexed) WHERE indexed = 1;"
    "CREATE INDEX contact_first ON contact_place (generation, first, record, indexed) WHERE indexed = 1;"
    "CREATE INDEX contact_company ON contact_place (generation, company, record, indexed)"
    "  WHERE indexed = 1;"
    "CREATE INDEX contact_zone_last ON contact_place (generation, zone, last, record, indexed)"
    "  WHERE indexed = 1;"
    "COMMIT";

// One step of the background work.
static const char *index_step =
    "BEGIN IMMEDIATE;"
    "CREATE TEMP TABLE IF NOT EXISTS step (record INTEGER PRIMARY KEY);"
    "INSERT INTO step SELECT record FROM contact_deferred ORDER BY record LIMIT 800;"
    "INSERT INTO contact_text (rowid, text)"
    "  SELECT contact.record, contact.text FROM step CROSS JOIN contact ON contact.record = step.record;"
    "DELETE FROM contact_deferred WHERE record IN (SELECT record FROM step);"
    "DELETE FROM step;"
    "COMMIT";

int main(int count, char **arguments) {
  if (count != 5) {
    fprintf(stderr, "usage: device_rows DATABASE FOLDER RECORDS_PER_TRANSACTION NAME\n");
    return 64;
  }
  int64_t batch = atoll(arguments[3]);
  char path[4096], log_path[4160];
  snprintf(path, sizeof path, "%s/device-rows.sqlite", arguments[2]);
  for (int i = 0; i < 3; i++) {
    snprintf(log_path, sizeof log_path, "%s%s", path, i == 0 ? "" : i == 1 ? "-wal" : "-shm");
    unlink(log_path);
  }
  check(source, sqlite3_open_v2(arguments[1], &source, SQLITE_OPEN_READONLY, NULL));
  check(target, sqlite3_open(path, &target));
  run(target, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16000;"
              "PRAGMA wal_autocheckpoint = 4000; PRAGMA foreign_keys = ON;");
  copy_schema();
  run(target, "INSERT INTO contact_text (contact_text, rank) VALUES ('automerge', 8)");
  struct rows tables[] = {
      {.select = "SELECT * FROM zone", .insert = "INSERT INTO zone SELECT %s"},
      {.select = "SELECT * FROM record WHERE type = 'Contact' ORDER BY id",
       .insert = "INSERT INTO record SELECT %s"},
      {.select = "SELECT * FROM contact ORDER BY record", .insert = "INSERT INTO contact SELECT %s"},
      {.select = "SELECT record FROM contact ORDER BY record",
       .insert = "INSERT INTO contact_deferred SELECT %s"},
      {.select = "SELECT generation, record, zone, last, first, company, 0 FROM contact_place"
                 " ORDER BY record",
       .insert = "INSERT INTO contact_place SELECT %s"},
      {.select = "SELECT * FROM contact_section", .insert = "INSERT INTO contact_section SELECT %s"},
  };
  enum { table_count = sizeof tables / sizeof *tables };
  for (int table = 0; table < table_count; table++) {
    load(&tables[table]);
    char places[256] = "?", sql[512];
    for (int column = 1; column < tables[table].columns; column++) strcat(places, ", ?");
    snprintf(sql, sizeof sql, tables[table].insert, places);
    tables[table].statement = prepared(target, sql);
  }
  int64_t contacts = tables[1].count;
  for (int64_t row = 0; row < tables[0].count; row++) insert(&tables[0], row);
  double start = now_seconds();
  for (int64_t first = 0; first < contacts; first += batch) {
    run(target, "BEGIN IMMEDIATE");
    for (int64_t row = first; row < first + batch && row < contacts; row++)
      for (int table = 1; table < 5; table++) insert(&tables[table], row);
    run(target, "COMMIT");
  }
  for (int64_t row = 0; row < tables[5].count; row++) insert(&tables[5], row);
  printf("%s_per_s %.1f\n", arguments[4], (double)contacts / (now_seconds() - start));
  start = now_seconds();
  run(target, lists_step);
  sqlite3_stmt *left = prepared(target, "SELECT EXISTS (SELECT 1 FROM contact_deferred)");
  while (sqlite3_step(left) == SQLITE_ROW && sqlite3_column_int(left, 0)) {
    sqlite3_reset(left);
    run(target, index_step);
  }
  sqlite3_finalize(left);
  printf("%s_indexed_s %.1f\n", arguments[4], now_seconds() - start);
  for (int table = 0; table < table_count; table++) sqlite3_finalize(tables[table].statement);
  check(target, sqlite3_close(target));
  sqlite3_close(source);
  unlink(path);
  return 0;
}
