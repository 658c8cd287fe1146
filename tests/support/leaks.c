// leaks.c: tells the leak sanitizer what is not ours: Criterion keeps a few bytes until it
// ends. Without the sanitizer nobody calls these functions.

#define EXPORTED __attribute__((visibility("default")))

EXPORTED const char *__lsan_default_suppressions(void);
EXPORTED const char *__lsan_default_options(void);

const char *__lsan_default_suppressions(void)
{
    return "leak:libcriterion\n";
}

const char *__lsan_default_options(void)
{
    return "print_suppressions=0";
}
