#include <stddef.h>
#include <stdint.h>

// libFuzzer's own main function under another name. This interface has no header.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*try_input)(const uint8_t *data, size_t size));
