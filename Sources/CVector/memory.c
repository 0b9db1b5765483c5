#include "cvector.h"

#include <sys/mman.h>

int cvector_can_allocate(size_t count) {
    // Not malloc, which a compiler may leave out together with its free.
    void *room = mmap(NULL, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) return 0;
    munmap(room, count);
    return 1;
}
