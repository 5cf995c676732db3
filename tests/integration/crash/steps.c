/* Stands between a process and its disk: preloaded into a seller, it counts what is written and
 * synced to the ledger's files and to standard output, and at a chosen step kills the process,
 * tears the write or lets it fail. It can also write everything down in order, so that a test can
 * work out what a power cut would have left.
 *
 *   STEPS_FOLDER  only files in this folder count (and standard output)
 *   STEPS_END     only files whose names end like this are counted for the chosen step
 *   STEPS_KIND    'w' write or 's' sync
 *   STEPS_AT      the chosen step, from 1; none if 0
 *   STEPS_DO      before, after: kill there; part: write STEPS_PART bytes and kill; fail: an error
 *   STEPS_PART    how many bytes of a torn write reach the file
 *   STEPS_LOG     where to write everything down
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static const char *folder, *end, *doing;
static char kind;
static long at, part, counted;
static int notes = -1;

static ssize_t (*real_pwrite)(int, const void *, size_t, off64_t);
static ssize_t (*real_write)(int, const void *, size_t);
static int (*real_fsync)(int), (*real_fdatasync)(int), (*real_unlink)(const char *);
static int (*real_ftruncate)(int, off64_t);

__attribute__((constructor)) static void begin(void) {
    real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
    real_write = dlsym(RTLD_NEXT, "write");
    real_fsync = dlsym(RTLD_NEXT, "fsync");
    real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
    real_unlink = dlsym(RTLD_NEXT, "unlink");
    real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
    folder = getenv("STEPS_FOLDER");
    end = getenv("STEPS_END");
    doing = getenv("STEPS_DO");
    kind = getenv("STEPS_KIND") ? getenv("STEPS_KIND")[0] : 0;
    at = getenv("STEPS_AT") ? atol(getenv("STEPS_AT")) : 0;
    part = getenv("STEPS_PART") ? atol(getenv("STEPS_PART")) : 0;
    if (getenv("STEPS_LOG"))
        notes = open(getenv("STEPS_LOG"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

/* The name of a file that counts, or nothing. */
static const char *named(int fd, char *path, size_t size) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = folder ? readlink(link, path, size - 1) : -1;
    if (length < 0) return NULL;
    path[length] = 0;
    size_t inside = strlen(folder);
    return strncmp(path, folder, inside) || path[inside] != '/' ? NULL : path + inside + 1;
}

/* Is this the chosen step? */
static int chosen(char step, const char *name) {
    size_t length = strlen(name), tail = end ? strlen(end) : 0;
    if (!at || step != kind || length < tail || strcmp(name + length - tail, end)) return 0;
    return ++counted == at;
}

static void die(void) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

static void note(char step, const char *name, int64_t offset, const void *bytes, uint64_t size) {
    if (notes < 0) return;
    uint64_t head[4] = {(uint64_t)step, strlen(name), (uint64_t)offset, size};
    real_write(notes, head, sizeof head);
    real_write(notes, name, head[1]);
    if (size) real_write(notes, bytes, size);
}

static ssize_t put(int fd, const void *bytes, size_t size, int64_t offset) {
    return offset < 0 ? real_write(fd, bytes, size) : real_pwrite(fd, bytes, size, offset);
}

static ssize_t written(int fd, const void *bytes, size_t size, int64_t offset) {
    char path[4096];
    const char *name = named(fd, path, sizeof path);
    if (!name) return put(fd, bytes, size, offset);
    pthread_mutex_lock(&turn);
    int now = chosen('w', name);
    ssize_t done = -1;
    if (now && !strcmp(doing, "before")) die();
    if (now && !strcmp(doing, "part")) {
        put(fd, bytes, (size_t)part < size ? (size_t)part : size, offset);
        die();
    }
    if (now && !strcmp(doing, "fail")) errno = EIO;
    else done = put(fd, bytes, size, offset);
    if (now && !strcmp(doing, "after")) die();
    if (done > 0) note('w', name, offset, bytes, (uint64_t)done);
    pthread_mutex_unlock(&turn);
    return done;
}

static int synced(int fd, int (*real)(int)) {
    char path[4096];
    const char *name = named(fd, path, sizeof path);
    if (!name) return real(fd);
    pthread_mutex_lock(&turn);
    int now = chosen('s', name), done = -1;
    if (now && !strcmp(doing, "before")) die();
    if (now && !strcmp(doing, "fail")) errno = EIO;
    else done = real(fd);
    if (now && !strcmp(doing, "after")) die();
    if (!done) note('s', name, 0, NULL, 0);
    pthread_mutex_unlock(&turn);
    return done;
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t offset) {
    return written(fd, bytes, size, offset);
}
ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset) {
    return written(fd, bytes, size, offset);
}
ssize_t write(int fd, const void *bytes, size_t size) { return written(fd, bytes, size, -1); }
int fsync(int fd) { return synced(fd, real_fsync); }
int fdatasync(int fd) { return synced(fd, real_fdatasync); }

int ftruncate64(int fd, off64_t size) {
    char path[4096];
    const char *name = named(fd, path, sizeof path);
    pthread_mutex_lock(&turn);
    int done = real_ftruncate(fd, size);
    if (name && !done) note('t', name, size, NULL, 0);
    pthread_mutex_unlock(&turn);
    return done;
}
int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

int unlink(const char *path) {
    pthread_mutex_lock(&turn);
    int done = real_unlink(path);
    size_t inside = folder ? strlen(folder) : 0;
    if (folder && !done && !strncmp(path, folder, inside) && path[inside] == '/')
        note('u', path + inside + 1, 0, NULL, 0);
    pthread_mutex_unlock(&turn);
    return done;
}
