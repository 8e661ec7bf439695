// What Linux offers for starting and watching a process and Swift's module of the C library leaves
// out. No decision is made here; all of these return -1 and set errno, or return an error number,
// as the calls do that they stand for.
#pragma once

// A file in memory that is closed when another program is started.
int processes_memory_file(const char *name);

// A descriptor that can be read from when the process has ended.
int processes_end_file(int process);

// A descriptor that can be read from once eight bytes were written to it.
int processes_event_file(void);

// A pipe that does not wait; files[0] is read from, files[1] written to.
int processes_pipe(int files[2]);

// Starts `shell -c command` in a process group of its own, with every signal as it is by default and
// no file but the standard ones. Returns 0 and sets *process, or returns an error number.
int processes_start(const char *shell, const char *command, char *const environment[],
                    const char *directory, int input, int output, int *process);
