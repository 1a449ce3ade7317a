/* Stands in for rename in tests of the driver, which load it before the system's library. It acts when a file is about
 * to take its place: FAKE_RENAME=slow says so and waits for a second, FAKE_RENAME=broken fails for every file but the
 * first. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int rename(const char *from, const char *to)
{
    static int done;
    const char *action = getenv("FAKE_RENAME");
    if (action && strstr(from, "/new/")) {
        if (strcmp(action, "slow") == 0 && done == 0) {
            fputs("moving\n", stderr);
            sleep(1);
        }
        if (strcmp(action, "broken") == 0 && done > 0) {
            errno = EIO;
            return -1;
        }
        done++;
    }
    int (*system_rename)(const char *, const char *) =
        (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
    return system_rename(from, to);
}
