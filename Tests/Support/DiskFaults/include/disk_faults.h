// What the shim is told, by the environment variable DISK_FAULT: KIND:NUMBER:PATH. It meets the
// NUMBER-th call (from 1) that writes to a file whose path contains PATH, or makes one durable.
//
//   write    the call fails with EIO, as a disk does
//   sync     fdatasync and fsync fail with EIO; only these are counted
//   full     the call and all that follow fail with ENOSPC
//   torn     half of what was to be written is written, and the process dies
//   cut      the power fails: what was not made durable is taken back, or not, write by write as the
//            dice of NUMBER fall, and the process dies
#ifndef DISK_FAULTS_H
#define DISK_FAULTS_H

// How many calls were counted so far.
long disk_faults_count(void);

#endif
