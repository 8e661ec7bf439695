#include "sqlite_memory.h"

#include <sqlite3.h>

bool sqlite_omit_memory_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0) == SQLITE_OK;
}
