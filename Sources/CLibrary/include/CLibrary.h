#ifndef CLIBRARY_H
#define CLIBRARY_H

/// Opens a library of the system's, by its soname, and nothing else of that name: neither LD_LIBRARY_PATH nor the
/// program's own RUNPATH is searched (dlopen(3) searches both for a bare soname). NULL where there is none.
void *clibrary_open(const char *soname);

/// Why the last call on this thread gave NULL: one sentence.
const char *clibrary_failure(void);

#endif
