/* Loads a library when the first of its functions is called: f(x) = x -> library(f)(x).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * To load HDF5, FLINT, SuiteSparse, ARPACK and OpenBLAS, with the sixty libraries that they ask
 * for, takes 16 ms, and most runs call none of them.  So the command and the shared library define
 * their functions themselves, as jumps: the first time to far_first, which finds the function, and
 * from then on to it.  late.def, made by cli/far, lists them; on other machines, and with
 * LATE=linked, it is empty, and they are linked. */
#include "command.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends the threads that OpenBLAS starts when it is loaded: they would keep every processor busy
 * for up to 0.1 s, waiting for work that most commands never have.  OpenBLAS starts them anew when
 * it has some.  (It calls the same function itself before a fork; other libraries have none.)  Not
 * from the shared library: the program that has loaded it may be using these threads. */
bool end_blas_threads(void *library)
{
    int (*shut_down)(void);
    *(void **)&shut_down = dlsym(library, "blas_thread_shutdown_");
    if (shut_down) shut_down();
    return shut_down;
}

#ifdef __x86_64__
typedef struct {
    void       *at; /* where to jump */
    const char *name, *library;
} far;

#define FAR(file, f)                                                                              \
    extern const char first_##f[];                                                                \
    static far        far_##f __attribute__((used)) = { (void *)first_##f, #f, file };            \
    __asm__(".text\n.globl " #f "\n.hidden " #f "\n.type " #f ", @function\n" #f ": jmp *far_" #f \
            "(%rip)\n"                                                                            \
            "first_" #f ": lea far_" #f "(%rip), %r11\n"                                          \
            "jmp far_first\n");
#include "late.def"

/* The arguments of a call, as the System V ABI passes them (AMD64 supplement, 3.2.3), are kept
 * while the function is found. */
#define EACH(of) of(0) of(1) of(2) of(3) of(4) of(5) of(6) of(7)
#define KEEP(i) "movups %xmm" #i ", 16*" #i "(%rsp)\n"
#define BACK(i) "movups 16*" #i "(%rsp), %xmm" #i "\n"
__asm__(".text\nfar_first: push %rbp\nmov %rsp, %rbp\n"
        "push %rdi\npush %rsi\npush %rdx\npush %rcx\npush %r8\npush %r9\npush %rax\npush %r10\n"
        "sub $128, %rsp\n" EACH (KEEP) "mov %r11, %rdi\ncall far_find\nmov %rax, %r11\n" EACH (
            BACK) "add $128, %rsp\n"
                  "pop %r10\npop %rax\npop %r9\npop %r8\npop %rcx\npop %rdx\npop %rsi\npop "
                  "%rdi\npop %rbp\njmp *%r11\n");

/* Held while a library is loaded, so that nobody calls OpenBLAS while its threads are ended. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The library of that name, without idle threads; NULL: dlerror() has the reason. */
static void *load(const char *name)
{
    pthread_mutex_lock(&lock);
    void *library = dlopen(name, RTLD_LAZY);
#ifndef NOE_SHARED
    static bool ended;
    if (library && !ended) ended = end_blas_threads(library);
#endif
    pthread_mutex_unlock(&lock);
    return library;
}

/* Before the first call the library asks for all that it will call: base/optional_library.h. */
const char *noe_optional_library_absent(const char *file);
const char *noe_optional_library_absent(const char *file)
{
    static const struct {
        const char *library, *name;
    } all[] = {
#undef FAR
#define FAR(file, f) { file, #f },
#include "late.def"
        { NULL, NULL }
    };
    for (int i = 0; all[i].library; i++) {
        if (strncmp(all[i].library, file, strlen(file))) continue;
        void *library = load(all[i].library);
        if (!library || !dlsym(library, all[i].name)) return dlerror();
    }
    return NULL;
}

__attribute__((used)) static void *find(far *x) __asm__("far_find");
static void                       *find(far *x)
{
    const int before = errno;
    void     *library = load(x->library), *at = library ? dlsym(library, x->name) : NULL;
    if (!at) {
        /* As the dynamic linker does where it binds late: the call cannot return.  Nobody comes
         * here who has called noe_optional_library_require before. */
        fprintf(stderr, "noether: cannot go on without a library: %s\n", dlerror());
        exit(NOE_EXIT_BAD_USE);
    }
    __atomic_store_n(&x->at, at, __ATOMIC_RELEASE);
    errno = before;
    return at;
}
#endif
