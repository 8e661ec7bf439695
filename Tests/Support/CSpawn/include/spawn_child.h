#pragma once

#include <sys/types.h>

// The surroundings of a new process.
struct child_settings {
  const char *directory;
  // The files that become its standard input, output and error.
  int files[3];
};

// Starts the program at `path` in a process group of its own, with signals as in a shell: the threads of tests block
// most of them. It inherits no other files. Returns 0 and sets `*child`, or returns an error number.
int spawn_child(pid_t *child, const char *path, char *const arguments[], char *const environment[],
                struct child_settings settings);
