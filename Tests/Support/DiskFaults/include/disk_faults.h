// The environment variable DISK_FAULT selects the failure: KIND:NUMBER:PATH. It affects the NUMBER-th
// call, from 1, that writes or syncs a file whose path contains PATH.
//
//   write    the call fails with EIO
//   sync     fdatasync and fsync fail with EIO; only these are counted
//   full     the call and all later ones fail with ENOSPC
//   torn     the call writes half of its bytes, and the process ends
//   cut      the power fails: writes that were not synced are undone, all of them or a random part that
//            NUMBER determines, and the process ends
#ifndef DISK_FAULTS_H
#define DISK_FAULTS_H

// Returns the number of calls counted so far.
long disk_faults_count(void);

#endif
