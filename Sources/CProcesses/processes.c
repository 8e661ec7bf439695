#define _GNU_SOURCE
#include "processes.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

int processes_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

// By number: the library has a name for it from version 2.36 on only.
int processes_end_file(int process) { return (int)syscall(SYS_pidfd_open, process, 0); }

int processes_event_file(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int processes_pipe(int files[2]) {
  if (pipe2(files, O_CLOEXEC)) return -1;
  // The reading end alone: a command that writes faster than it is read has to wait, not to fail.
  return fcntl(files[0], F_SETFL, O_NONBLOCK);
}

int processes_start(const char *shell, const char *command, char *const environment[],
                    const char *directory, int input, int output, int *process) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t all, none;
  char *const arguments[] = {(char *)shell, "-c", (char *)command, NULL};
  int error = posix_spawn_file_actions_init(&actions);
  if (error) return error;
  error = posix_spawnattr_init(&attributes);
  if (error) {
    posix_spawn_file_actions_destroy(&actions);
    return error;
  }
  sigfillset(&all);
  sigemptyset(&none);
  error = posix_spawn_file_actions_adddup2(&actions, input, 0);
  if (!error) error = posix_spawn_file_actions_adddup2(&actions, output, 1);
  if (!error) error = posix_spawn_file_actions_adddup2(&actions, output, 2);
  if (!error) error = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  if (!error) error = posix_spawn_file_actions_addchdir_np(&actions, directory);
  if (!error) error = posix_spawnattr_setsigdefault(&attributes, &all);
  if (!error) error = posix_spawnattr_setsigmask(&attributes, &none);
  if (!error) error = posix_spawnattr_setpgroup(&attributes, 0);
  if (!error)
    error = posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  if (!error) error = posix_spawn(process, shell, &actions, &attributes, arguments, environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}
