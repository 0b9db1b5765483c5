#ifndef CPOSTGRES_H
#define CPOSTGRES_H

// The functions of PostgreSQL's client library (libpq, soname 5) that are used. `cpostgres_load` loads the library at
// run time. Each function has the meaning of libpq's function with that name: see "libpq - C Library" in PostgreSQL's
// manual. A connection is used by one thread at a time.

#include <stdbool.h>

/// libpq's PGconn and PGresult.
struct pg_conn;
struct pg_result;

/// The values of libpq's enumerations that are used.
enum {
    CPOSTGRES_CONNECTION_BAD = 1,
    CPOSTGRES_POLLING_FAILED = 0,
    CPOSTGRES_POLLING_READING = 1,
    CPOSTGRES_POLLING_WRITING = 2,
    CPOSTGRES_POLLING_OK = 3,
    CPOSTGRES_COMMAND_OK = 1,
    CPOSTGRES_TUPLES_OK = 2,
    CPOSTGRES_BAD_RESPONSE = 5,
    CPOSTGRES_FATAL_ERROR = 7,
    CPOSTGRES_PIPELINE_SYNC = 10,
    CPOSTGRES_PIPELINE_ABORTED = 11,
    CPOSTGRES_DIAG_SQLSTATE = 'C',
    CPOSTGRES_DIAG_MESSAGE_PRIMARY = 'M',
    CPOSTGRES_DIAG_CONSTRAINT = 'n',
};

/// Returns NULL, or the reason why the library cannot be loaded. Must be called first. Can be called from any thread,
/// and more than once.
const char *cpostgres_load(void);

/// Returns whether libpq accepts the text as a connection string or URI. The reason is not returned, because libpq's
/// message quotes the text, which can contain a password.
bool cpostgres_is_address(const char *address);

/// Returns the value of an option in a connection string or URI, or NULL. The caller frees it.
char *cpostgres_option(const char *address, const char *name);

/// PQconnectStartParams with `expand_dbname`: `names` and `values` end with NULL.
struct pg_conn *cpostgres_connect_start(const char *const *names, const char *const *values);
int cpostgres_connect_poll(struct pg_conn *);
void cpostgres_finish(struct pg_conn *);
int cpostgres_status(const struct pg_conn *);
int cpostgres_socket(const struct pg_conn *);
int cpostgres_server_version(const struct pg_conn *);
const char *cpostgres_parameter(const struct pg_conn *, const char *name);
const char *cpostgres_error(const struct pg_conn *);
/// The password of the connection, for removing it from messages.
const char *cpostgres_password(const struct pg_conn *);
int cpostgres_set_nonblocking(struct pg_conn *);
/// Messages of the level NOTICE are discarded. libpq would print them on standard error.
void cpostgres_discard_notices(struct pg_conn *);

/// All parameters and results have the binary format. `values[i]` is NULL for NULL.
int cpostgres_send(
    struct pg_conn *, const char *sql, int count, const unsigned *types, const char *const *values,
    const int *lengths);
/// Sends statements without parameters, separated by semicolons. Results have the text format.
int cpostgres_send_script(struct pg_conn *, const char *sql);
int cpostgres_flush(struct pg_conn *);
int cpostgres_consume(struct pg_conn *);
int cpostgres_is_busy(struct pg_conn *);
struct pg_result *cpostgres_result(struct pg_conn *);

int cpostgres_enter_pipeline(struct pg_conn *);
int cpostgres_exit_pipeline(struct pg_conn *);
int cpostgres_pipeline_sync(struct pg_conn *);

int cpostgres_result_status(const struct pg_result *);
const char *cpostgres_result_field(const struct pg_result *, int field);
void cpostgres_clear(struct pg_result *);
int cpostgres_rows(const struct pg_result *);
int cpostgres_columns(const struct pg_result *);
bool cpostgres_is_null(const struct pg_result *, int row, int column);
int cpostgres_length(const struct pg_result *, int row, int column);
const char *cpostgres_value(const struct pg_result *, int row, int column);

#endif
