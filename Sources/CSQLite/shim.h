#include <sqlite3.h>

/* Turns off the memory of 20 pages that each connection allocates when it is opened, and touches. The library must not
   be in use yet. Swift cannot call sqlite3_config itself, because it takes a variable number of arguments.
   https://sqlite.org/c3ref/c_config_covering_index_scan.html#sqliteconfigpagecache */
static inline int sqlite_allocate_pages_as_needed(void) {
    return sqlite3_config(SQLITE_CONFIG_PAGECACHE, (void *)0, 0, 0);
}
