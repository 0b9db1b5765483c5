#include "CPostgres.h"

#include "CLibrary.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The part of libpq's structures that is used, as in its soname 5.
struct option {
    char *keyword, *environment, *compiled, *value, *label, *display;
    int display_size;
};

// The functions, with libpq's own names.
static struct {
    struct pg_conn *(*PQconnectStartParams)(const char *const *, const char *const *, int);
    int (*PQconnectPoll)(struct pg_conn *);
    void (*PQfinish)(struct pg_conn *);
    int (*PQstatus)(const struct pg_conn *);
    int (*PQsocket)(const struct pg_conn *);
    int (*PQserverVersion)(const struct pg_conn *);
    const char *(*PQparameterStatus)(const struct pg_conn *, const char *);
    char *(*PQerrorMessage)(const struct pg_conn *);
    char *(*PQpass)(const struct pg_conn *);
    int (*PQsetnonblocking)(struct pg_conn *, int);
    void (*(*PQsetNoticeProcessor)(struct pg_conn *, void (*)(void *, const char *), void *))(void *, const char *);
    int (*PQsendQueryParams)(
        struct pg_conn *, const char *, int, const unsigned *, const char *const *, const int *, const int *, int);
    int (*PQsendQuery)(struct pg_conn *, const char *);
    int (*PQflush)(struct pg_conn *);
    int (*PQconsumeInput)(struct pg_conn *);
    int (*PQisBusy)(struct pg_conn *);
    struct pg_result *(*PQgetResult)(struct pg_conn *);
    int (*PQenterPipelineMode)(struct pg_conn *);
    int (*PQexitPipelineMode)(struct pg_conn *);
    int (*PQpipelineSync)(struct pg_conn *);
    void (*PQfreemem)(void *);
    int (*PQresultStatus)(const struct pg_result *);
    char *(*PQresultErrorField)(const struct pg_result *, int);
    void (*PQclear)(struct pg_result *);
    int (*PQntuples)(const struct pg_result *);
    int (*PQnfields)(const struct pg_result *);
    int (*PQgetisnull)(const struct pg_result *, int, int);
    int (*PQgetlength)(const struct pg_result *, int, int);
    char *(*PQgetvalue)(const struct pg_result *, int, int);
    struct option *(*PQconninfoParse)(const char *, char **);
    void (*PQconninfoFree)(struct option *);
} pq;

static char failure[512];

static bool find_all(void *library) {
#define FIND(name) if (!(pq.name = (__typeof__(pq.name))dlsym(library, #name))) return false;
    FIND(PQconnectStartParams) FIND(PQconnectPoll) FIND(PQfinish) FIND(PQstatus) FIND(PQsocket) FIND(PQserverVersion)
    FIND(PQparameterStatus) FIND(PQerrorMessage) FIND(PQpass) FIND(PQsetnonblocking) FIND(PQsetNoticeProcessor)
    FIND(PQsendQueryParams) FIND(PQsendQuery) FIND(PQflush) FIND(PQconsumeInput) FIND(PQisBusy) FIND(PQgetResult)
    FIND(PQenterPipelineMode) FIND(PQexitPipelineMode) FIND(PQpipelineSync) FIND(PQfreemem)
    FIND(PQresultStatus) FIND(PQresultErrorField) FIND(PQclear) FIND(PQntuples) FIND(PQnfields) FIND(PQgetisnull)
    FIND(PQgetlength) FIND(PQgetvalue) FIND(PQconninfoParse) FIND(PQconninfoFree)
#undef FIND
    return true;
}

static void load(void) {
    void *library = clibrary_open("libpq.so.5");
    const char *reason = !library ? clibrary_failure() : !find_all(library) ? dlerror() : NULL;
    if (reason) snprintf(failure, sizeof failure, "%s", reason);
}

const char *cpostgres_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return *failure ? failure : NULL;
}

bool cpostgres_is_address(const char *address) {
    char *message = NULL;
    struct option *options = pq.PQconninfoParse(address, &message);
    if (message) pq.PQfreemem(message);
    pq.PQconninfoFree(options);
    return options;
}

char *cpostgres_option(const char *address, const char *name) {
    char *message = NULL;
    struct option *options = pq.PQconninfoParse(address, &message);
    if (message) pq.PQfreemem(message);
    char *value = NULL;
    for (struct option *option = options; option && option->keyword; option++)
        if (option->value && strcmp(option->keyword, name) == 0) value = strdup(option->value);
    pq.PQconninfoFree(options);
    return value;
}

static void discard(void *context, const char *message) {
    (void)context;
    (void)message;
}

struct pg_conn *cpostgres_connect_start(const char *const *names, const char *const *values) {
    return pq.PQconnectStartParams(names, values, 1);
}
int cpostgres_connect_poll(struct pg_conn *connection) { return pq.PQconnectPoll(connection); }
void cpostgres_finish(struct pg_conn *connection) { pq.PQfinish(connection); }
int cpostgres_status(const struct pg_conn *connection) { return pq.PQstatus(connection); }
int cpostgres_socket(const struct pg_conn *connection) { return pq.PQsocket(connection); }
int cpostgres_server_version(const struct pg_conn *connection) { return pq.PQserverVersion(connection); }
const char *cpostgres_parameter(const struct pg_conn *connection, const char *name) {
    return pq.PQparameterStatus(connection, name);
}
const char *cpostgres_error(const struct pg_conn *connection) { return pq.PQerrorMessage(connection); }
const char *cpostgres_password(const struct pg_conn *connection) { return pq.PQpass(connection); }
int cpostgres_set_nonblocking(struct pg_conn *connection) { return pq.PQsetnonblocking(connection, 1); }
void cpostgres_discard_notices(struct pg_conn *connection) { pq.PQsetNoticeProcessor(connection, discard, NULL); }

int cpostgres_send(
    struct pg_conn *connection, const char *sql, int count, const unsigned *types, const char *const *values,
    const int *lengths) {
    enum { MOST = 32 };
    static const int binary[MOST] = {
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    };
    if (count > MOST) return 0;
    return pq.PQsendQueryParams(connection, sql, count, types, values, lengths, binary, 1);
}
int cpostgres_send_script(struct pg_conn *connection, const char *sql) { return pq.PQsendQuery(connection, sql); }
int cpostgres_flush(struct pg_conn *connection) { return pq.PQflush(connection); }
int cpostgres_consume(struct pg_conn *connection) { return pq.PQconsumeInput(connection); }
int cpostgres_is_busy(struct pg_conn *connection) { return pq.PQisBusy(connection); }
struct pg_result *cpostgres_result(struct pg_conn *connection) { return pq.PQgetResult(connection); }

int cpostgres_enter_pipeline(struct pg_conn *connection) { return pq.PQenterPipelineMode(connection); }
int cpostgres_exit_pipeline(struct pg_conn *connection) { return pq.PQexitPipelineMode(connection); }
int cpostgres_pipeline_sync(struct pg_conn *connection) { return pq.PQpipelineSync(connection); }

int cpostgres_result_status(const struct pg_result *result) { return pq.PQresultStatus(result); }
const char *cpostgres_result_field(const struct pg_result *result, int field) {
    return pq.PQresultErrorField(result, field);
}
void cpostgres_clear(struct pg_result *result) { pq.PQclear(result); }
int cpostgres_rows(const struct pg_result *result) { return pq.PQntuples(result); }
int cpostgres_columns(const struct pg_result *result) { return pq.PQnfields(result); }
bool cpostgres_is_null(const struct pg_result *result, int row, int column) {
    return pq.PQgetisnull(result, row, column);
}
int cpostgres_length(const struct pg_result *result, int row, int column) {
    return pq.PQgetlength(result, row, column);
}
const char *cpostgres_value(const struct pg_result *result, int row, int column) {
    return pq.PQgetvalue(result, row, column);
}
