// The target is its header; the build system wants one source file.
#include "cvector.h"
