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

/* OpenBLAS starts threads when it is loaded, and for 30 ms they turn on every processor, waiting
 * for work that most commands never have.  It starts them anew when it does have some.  (What it
 * calls itself before a fork; other libraries have none.)  Not from
 * the shared library: the program that has loaded it may be using them. */
bool calm_blas(void *library)
{
    int (*rest)(void);
    *(void **)&rest = dlsym(library, "blas_thread_shutdown_");
    if (rest) rest();
    return rest;
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

/* nobody calls OpenBLAS before it is calm */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

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
        void *library = dlopen(all[i].library, RTLD_LAZY);
        if (!library || !dlsym(library, all[i].name)) return dlerror();
    }
    return NULL;
}

__attribute__((used)) static void *find(far *x) __asm__("far_find");
static void                       *find(far *x)
{
#ifndef NOE_SHARED
    static bool calm;
#endif
    const int before = errno;
    pthread_mutex_lock(&lock);
    void *library = dlopen(x->library, RTLD_LAZY), *at = library ? dlsym(library, x->name) : NULL;
#ifndef NOE_SHARED
    if (at && !calm) calm = calm_blas(library);
#endif
    pthread_mutex_unlock(&lock);
    if (!at) {
        /* There is no way back: as the dynamic linker does where it binds late.  Nobody comes here
         * who has called noe_optional_library_require before. */
        fprintf(stderr, "noether: cannot go on without a library: %s\n", dlerror());
        exit(NOE_EXIT_BAD_USE);
    }
    __atomic_store_n(&x->at, at, __ATOMIC_RELEASE);
    errno = before;
    return at;
}
#endif
