// The three standard streams of a program. A shell can close them (`<&-`, `>&-`). The next file, socket or event queue
// would then get the number: results would be written into it, or input read from it. By being linked, this target
// opens an empty file in place of each closed stream before `main`, where the Swift runtime opens its first event
// queue. The file is opened in the wrong direction, so that using the stream fails with EBADF, as if it were closed.
#pragma once

#include <stdbool.h>

// Whether the stream with this number, 0 to 2, was closed when the program started.
bool standard_stream_was_closed(int number);
