/* A server that takes one job at a time, and its adapter: the C side of `specwright run`.
 *
 *     cc -o adapter examples/adapters/adapter.c
 *     specwright run suite.json -- ./adapter
 *
 * The model is examples/request-busy/request_busy.smv. To test something else, replace `struct server`. A line of the
 * protocol has no spaces outside of strings, so that a few values are found without a JSON library. */

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The implementation under test. */
struct server {
    bool busy;
};

static void step(struct server *server, bool request) {
    server->busy = !server->busy && request;
}

/* The protocol. */
static bool is(const char *line, const char *op) {
    char member[32];
    snprintf(member, sizeof member, "\"op\":\"%s\"", op);
    return strstr(line, member) != NULL;
}

static void answer(const struct server *server) {
    printf("{\"outputs\":{\"state\":\"%s\"}}\n", server->busy ? "busy" : "ready");
}

int main(void) {
    static char line[1 << 16];
    struct server server = {false};
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (is(line, "hello")) {
            /* One process does for many tests, and a step acts on the inputs of the state that it leaves. */
            puts("{\"protocol\":\"specwright/run/1\",\"reset\":true,\"inputs\":\"leaving\"}");
        } else if (is(line, "reset")) {
            server = (struct server){false};
            answer(&server);
        } else if (is(line, "step")) {
            step(&server, strstr(line, "\"request\":true") != NULL);
            answer(&server);
        } else if (is(line, "bye")) {
            break;
        }
    }
    return 0;
}
