// host.cc: a C++ program on the installed library: host RULES DIR POSITION.

#include <cstdio>
#include <string>
#include <vector>

#include <merels.h>

static int fail(const merels_failure &failure)
{
    std::fprintf(stderr, "%s: %s\n", merels_status_text(failure.status), failure.text);
    return 1;
}

static_assert(MERELS_VERSION_MAJOR >= 0 && MERELS_VERSION_MINOR >= 0 && MERELS_VERSION_PATCH >= 0,
              "the numbers of the version");

int main(int argc, char **argv)
{
    if (std::string(MERELS_VERSION) != merels_version()) {
        std::printf("header %s, library %s\n", MERELS_VERSION, merels_version());
        return 3;
    }
    if (argc != 4)
        return 2;
    merels *handle = nullptr;
    merels_failure failure;
    if (merels_open(argv[1], argv[2], 1 << 20, &handle, &failure) != MERELS_OK)
        return fail(failure);
    merels_position position;
    std::vector<merels_ply> plies(100);
    std::size_t n = 0;
    if (merels_parse(handle, argv[3], &position, &failure) != MERELS_OK ||
        merels_rank(handle, &position, plies.data(), plies.size(), &n, nullptr, &failure) !=
            MERELS_OK) {
        merels_close(handle);
        return fail(failure);
    }
    const bool right = n > 0 && plies[0].value == MERELS_WIN && plies[0].plies == 1;
    std::printf("%s of %s: %s\n", std::string(plies[0].text).c_str(), merels_version(),
                right ? "right" : "wrong");
    merels_close(handle);
    return right ? 0 : 1;
}
