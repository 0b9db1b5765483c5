#include <sqlite3.h>

/* Turns off what nobody uses: the memory of 20 pages that each connection allocates when it is opened, and touches; and
   the count of all allocated memory, for which the threads share a lock. The library must not be in use yet. Swift cannot
   call sqlite3_config itself, because it takes a variable number of arguments.
   https://sqlite.org/c3ref/c_config_covering_index_scan.html */
static inline void sqlite_allocate_as_needed(void) {
    sqlite3_config(SQLITE_CONFIG_PAGECACHE, (void *)0, 0, 0);
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
