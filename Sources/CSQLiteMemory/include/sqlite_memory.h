// A setting of SQLite that Swift cannot change, because the function has a variable number of arguments.
#pragma once

#include <stdbool.h>

// Makes SQLite allocate memory without counting it. Returns false, and changes nothing, once SQLite is in use.
bool sqlite_omit_memory_statistics(void);
