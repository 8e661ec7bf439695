// libpq, loaded when it is needed: a broker that keeps its records in a file, and the other programs, need neither it nor
// the libraries that it loads. Call `libpq_load` before any other function.
#pragma once

#include <stdbool.h>

#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#include <postgresql/libpq-fe.h>
#endif

// Loads the library. Returns false if it is not installed, or older than version 14.
bool libpq_load(void);
