#ifndef CLIBRARY_H
#define CLIBRARY_H

/// Opens a library of the system by its soname. It searches only the system's folders. For a bare soname, dlopen(3)
/// would also search LD_LIBRARY_PATH and the program's own RUNPATH. Returns NULL if the library was not found or cannot
/// be loaded.
void *clibrary_open(const char *soname);

/// Returns the reason, in one sentence, why the last call on this thread returned NULL.
const char *clibrary_failure(void);

#endif
