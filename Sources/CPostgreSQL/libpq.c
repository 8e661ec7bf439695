// libpq's functions, which forward to the library once it is loaded. They are hidden, so that libpq itself calls its own.
#include "CPostgreSQL.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

#define EACH_FUNCTION(DO) \
  DO(PQbackendPID) DO(PQcancel) DO(PQclear) DO(PQcmdStatus) DO(PQcmdTuples) DO(PQconnectPoll) \
  DO(PQconnectStartParams) DO(PQconnectionNeedsPassword) DO(PQconninfoFree) DO(PQconninfoParse) DO(PQconsumeInput) \
  DO(PQdb) DO(PQenterPipelineMode) DO(PQerrorMessage) DO(PQfinish) DO(PQflush) DO(PQfname) DO(PQfreeCancel) \
  DO(PQftype) DO(PQgetCancel) DO(PQgetResult) DO(PQgetisnull) DO(PQgetlength) DO(PQgetvalue) DO(PQhost) \
  DO(PQisBusy) DO(PQnfields) DO(PQntuples) DO(PQpipelineSync) DO(PQport) DO(PQresultErrorField) DO(PQresultStatus) \
  DO(PQsendFlushRequest) DO(PQsendPrepare) DO(PQsendQueryParams) DO(PQsendQueryPrepared) DO(PQserverVersion) \
  DO(PQfreemem) DO(PQnotifies) DO(PQsetErrorVerbosity) DO(PQsetNoticeReceiver) DO(PQsetnonblocking) DO(PQsocket) DO(PQstatus) DO(PQuser)

#define POINTER(name) __typeof__(&name) name;
static struct {
  EACH_FUNCTION(POINTER)
} libpq;
static bool is_loaded;

static void load(void) {
  void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return;
  is_loaded = true;
#define FIND(name) is_loaded = is_loaded && (libpq.name = (__typeof__(&name))dlsym(library, #name)) != NULL;
  EACH_FUNCTION(FIND)
}

bool libpq_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_loaded;
}

#define FORWARD(result, name, parameters, arguments) \
  __attribute__((visibility("hidden"))) result name parameters { return libpq.name arguments; }

FORWARD(int, PQbackendPID, (const PGconn *connection), (connection))
FORWARD(int, PQcancel, (PGcancel *cancel, char *text, int size), (cancel, text, size))
FORWARD(void, PQclear, (PGresult *result), (result))
FORWARD(char *, PQcmdStatus, (PGresult *result), (result))
FORWARD(char *, PQcmdTuples, (PGresult *result), (result))
FORWARD(PostgresPollingStatusType, PQconnectPoll, (PGconn *connection), (connection))
FORWARD(PGconn *, PQconnectStartParams, (const char *const *keywords, const char *const *values, int expands),
        (keywords, values, expands))
FORWARD(int, PQconnectionNeedsPassword, (const PGconn *connection), (connection))
FORWARD(void, PQconninfoFree, (PQconninfoOption *options), (options))
FORWARD(PQconninfoOption *, PQconninfoParse, (const char *address, char **message), (address, message))
FORWARD(int, PQconsumeInput, (PGconn *connection), (connection))
FORWARD(char *, PQdb, (const PGconn *connection), (connection))
FORWARD(int, PQenterPipelineMode, (PGconn *connection), (connection))
FORWARD(char *, PQerrorMessage, (const PGconn *connection), (connection))
FORWARD(void, PQfinish, (PGconn *connection), (connection))
FORWARD(int, PQflush, (PGconn *connection), (connection))
FORWARD(char *, PQfname, (const PGresult *result, int column), (result, column))
FORWARD(void, PQfreeCancel, (PGcancel *cancel), (cancel))
FORWARD(Oid, PQftype, (const PGresult *result, int column), (result, column))
FORWARD(void, PQfreemem, (void *memory), (memory))
FORWARD(PGcancel *, PQgetCancel, (PGconn *connection), (connection))
FORWARD(PGresult *, PQgetResult, (PGconn *connection), (connection))
FORWARD(int, PQgetisnull, (const PGresult *result, int row, int column), (result, row, column))
FORWARD(int, PQgetlength, (const PGresult *result, int row, int column), (result, row, column))
FORWARD(char *, PQgetvalue, (const PGresult *result, int row, int column), (result, row, column))
FORWARD(char *, PQhost, (const PGconn *connection), (connection))
FORWARD(int, PQisBusy, (PGconn *connection), (connection))
FORWARD(int, PQnfields, (const PGresult *result), (result))
FORWARD(PGnotify *, PQnotifies, (PGconn *connection), (connection))
FORWARD(int, PQntuples, (const PGresult *result), (result))
FORWARD(int, PQpipelineSync, (PGconn *connection), (connection))
FORWARD(char *, PQport, (const PGconn *connection), (connection))
FORWARD(char *, PQresultErrorField, (const PGresult *result, int field), (result, field))
FORWARD(ExecStatusType, PQresultStatus, (const PGresult *result), (result))
FORWARD(int, PQsendFlushRequest, (PGconn *connection), (connection))
FORWARD(int, PQsendPrepare, (PGconn *connection, const char *name, const char *query, int count, const Oid *types),
        (connection, name, query, count, types))
FORWARD(int, PQsendQueryParams, (PGconn *connection, const char *command, int count, const Oid *types,
        const char *const *values, const int *lengths, const int *formats, int format), (connection, command, count,
        types, values, lengths, formats, format))
FORWARD(int, PQsendQueryPrepared, (PGconn *connection, const char *name, int count, const char *const *values,
        const int *lengths, const int *formats, int format), (connection, name, count, values, lengths, formats,
        format))
FORWARD(int, PQserverVersion, (const PGconn *connection), (connection))
FORWARD(PGVerbosity, PQsetErrorVerbosity, (PGconn *connection, PGVerbosity verbosity), (connection, verbosity))
FORWARD(PQnoticeReceiver, PQsetNoticeReceiver, (PGconn *connection, PQnoticeReceiver receiver, void *argument),
        (connection, receiver, argument))
FORWARD(int, PQsetnonblocking, (PGconn *connection, int argument), (connection, argument))
FORWARD(int, PQsocket, (const PGconn *connection), (connection))
FORWARD(ConnStatusType, PQstatus, (const PGconn *connection), (connection))
FORWARD(char *, PQuser, (const PGconn *connection), (connection))
