#ifndef ACPBRIDGE_CPROFILES_H
#define ACPBRIDGE_CPROFILES_H

#include <stddef.h>

/// One profile of an agent, as its JSON file stood when the program was built.
struct embedded_profile {
    /// The file's name without `.json`, which is the profile's `name`; NULL in the entry after the last.
    const char *_Nullable name;
    /// The file's bytes, UTF-8; not ended by a zero byte.
    const unsigned char *_Nullable bytes;
    size_t length;
};

/// The profiles in the binary, in the order of their names; the first entry without a name ends the table.
/// Lives as long as the program and never changes, so any thread may read it.
const struct embedded_profile *_Nonnull embedded_profiles(void);

#endif
