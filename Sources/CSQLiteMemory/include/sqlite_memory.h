// A setting of SQLite that Swift cannot change, because the function has a variable number of arguments.
#pragma once

// Makes SQLite allocate memory without counting it. Has no effect once SQLite is in use.
void sqlite_omit_memory_statistics(void);
