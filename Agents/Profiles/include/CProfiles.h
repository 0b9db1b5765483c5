#ifndef ACPBRIDGE_CPROFILES_H
#define ACPBRIDGE_CPROFILES_H

#include <stddef.h>

/// An agent profile: the contents of its JSON file at the time of the build.
struct embedded_profile {
    /// The file's name without `.json`, which is also the profile's `name`; NULL in the entry after the last
    /// profile.
    const char *_Nullable name;
    /// The file's bytes in UTF-8, without a zero byte at the end.
    const unsigned char *_Nullable bytes;
    size_t length;
};

/// The profiles in the binary, sorted by name. An entry without a name ends the table. The table exists as long as
/// the program and never changes, so any thread can read it.
const struct embedded_profile *_Nonnull embedded_profiles(void);

#endif
