#include <sqlite3.h>

/* Keeps the WAL as it is when the connection is closed. */
static inline void csqlite_keep_wal_when_closed(sqlite3 *db) {
    sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

/* Turns off what nobody uses: the memory of 20 pages that each connection allocates when it is opened, and touches; and
   the count of all allocated memory, for which the threads share a lock. The library must not be in use yet. Swift cannot
   call sqlite3_config itself, because it takes a variable number of arguments.
   https://sqlite.org/c3ref/c_config_covering_index_scan.html */
static inline void sqlite_allocate_as_needed(void) {
    sqlite3_config(SQLITE_CONFIG_PAGECACHE, (void *)0, 0, 0);
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
