// Swift does not import the functions of <spawn.h> that are not in POSIX.
#define _GNU_SOURCE
#include "spawn_child.h"

#include <signal.h>
#include <spawn.h>

int spawn_child(pid_t *child, const char *path, char *const arguments[], char *const environment[],
                struct child_settings settings) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addchdir_np(&actions, settings.directory);
  for (int number = 0; number < 3; number++)
    posix_spawn_file_actions_adddup2(&actions, settings.files[number], number);
  posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  sigset_t signals;
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes, &signals);
  sigfillset(&signals);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  posix_spawnattr_setflags(
      &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  int error = posix_spawn(child, path, &actions, &attributes, arguments, environment);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error;
}
