// processor.c: the processor's name, from /proc/cpuinfo.

#include "work/processor.h"

#include <stdio.h>
#include <string.h>

static const char *const unknown = "unknown processor";

// The name on a line of /proc/cpuinfo, "model name	: NAME"; NULL: none stands there.
static const char *name_on(char *line)
{
    static const char key[] = "model name";
    char *colon = strchr(line, ':');
    if (strncmp(line, key, sizeof key - 1) != 0 || colon == NULL)
        return NULL;
    colon += 1 + strspn(colon + 1, " \t");
    colon[strcspn(colon, "\n")] = '\0';
    return *colon == '\0' ? NULL : colon;
}

const char *merels_processor_name(char out[PROCESSOR_NAME_BYTES])
{
    char line[256];
    const char *name = NULL;
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file != NULL && name == NULL && fgets(line, sizeof line, file) != NULL)
        name = name_on(line);
    (void)snprintf(out, PROCESSOR_NAME_BYTES, "%s", name == NULL ? unknown : name);
    if (file != NULL)
        (void)fclose(file);
    return out;
}
