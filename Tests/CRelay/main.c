// c-relay COMMAND…: prints the loopback port on which it listens, and ends when the command ends.
#include "relay.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

extern char **environ;

enum { read_size = 128 << 10, pipe_size = 1 << 20, request_size = 72 << 10, most_clients = 4096 };

// A client that is this far behind blocks the command, because nothing is stored and nothing must be lost.
static const size_t most_queued_bytes = 4 << 20;

struct client {
    int fd;
    bool is_open, waits_for_room;
    size_t request_bytes;
    struct outbox outbox;
    uint8_t request[request_size + 1];
};

static struct client *clients[most_clients];
static int client_count, listener, poller, command_input, command_output;
static bool is_paused;
static uint8_t *input;
static size_t input_size, input_capacity;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void watch(int operation, int fd, uint32_t events, void *owner) {
    struct epoll_event event = {.events = events, .data.ptr = owner};
    if (epoll_ctl(poller, operation, fd, &event)) fail("epoll_ctl");
}

static void pause_if_behind(void) {
    bool is_behind = false;
    for (int i = 0; i < client_count; i++) is_behind |= clients[i]->outbox.queued_bytes > most_queued_bytes;
    if (is_behind == is_paused) return;
    is_paused = is_behind;
    watch(EPOLL_CTL_MOD, command_output, is_paused ? 0 : EPOLLIN, &command_output);
}

static void let_go(struct client *client) {
    for (int i = 0; i < client_count; i++)
        if (clients[i] == client) clients[i] = clients[--client_count];
    epoll_ctl(poller, EPOLL_CTL_DEL, client->fd, NULL);
    close(client->fd);
    outbox_free(&client->outbox);
    free(client);
    pause_if_behind();
}

static void wait_for_room(struct client *client) {
    bool waits = client->outbox.count > 0;
    if (waits == client->waits_for_room) return;
    client->waits_for_room = waits;
    watch(EPOLL_CTL_MOD, client->fd, waits ? EPOLLIN | EPOLLOUT : EPOLLIN, client);
}

// From the command to the clients

static void send_to_all(struct chunk *chunk) {
    for (int i = 0; i < client_count; i++) {
        struct client *client = clients[i];
        if (!client->is_open) continue;
        ssize_t sent = 0;
        if (!client->outbox.count) {
            sent = send(client->fd, chunk->bytes, chunk->size, MSG_DONTWAIT | MSG_NOSIGNAL);
            if (sent == (ssize_t)chunk->size) continue;
            if (sent < 0) sent = 0;
        }
        outbox_add(&client->outbox, chunk, (size_t)sent);
        wait_for_room(client);
    }
    chunk_release(chunk);
    pause_if_behind();
}

static void frame_lines(void) {
    size_t start = 0;
    uint8_t *end;
    // A header of at most 10 bytes replaces each line feed. A header of more than 2 bytes belongs to a line of at least
    // 126 bytes.
    struct chunk *chunk = chunk_new(2 * input_size + 10);
    while ((end = memchr(input + start, '\n', input_size - start))) {
        size_t size = (size_t)(end - input) - start;
        chunk_append_frame(chunk, input + start, size);
        start += size + 1;
    }
    input_size -= start;
    memmove(input, input + start, input_size);
    if (chunk->size) send_to_all(chunk); else chunk_release(chunk);
}

static void read_command(void) {
    if (input_capacity < input_size + read_size) {
        input_capacity = 2 * (input_size + read_size);
        if (!(input = realloc(input, input_capacity))) abort();
    }
    ssize_t count = read(command_output, input + input_size, read_size);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count <= 0) exit(0);
    input_size += (size_t)count;
    frame_lines();
}

// From the clients to the command

static void write_command(const uint8_t *line, size_t size) {
    while (size) {
        ssize_t count = write(command_input, line, size);
        if (count < 0) exit(0);
        line += count;
        size -= (size_t)count;
    }
}

// Returns false when the client must be disconnected.
static bool take_frames(struct client *client) {
    size_t taken = 0;
    ssize_t count;
    uint8_t *payload;
    size_t size;
    while ((count = frame_take(client->request + taken, client->request_bytes - taken, &payload, &size)) > 0) {
        write_command(payload, size);
        write_command((const uint8_t *)"\n", 1);
        taken += (size_t)count;
    }
    client->request_bytes -= taken;
    memmove(client->request, client->request + taken, client->request_bytes);
    return count == 0 && client->request_bytes < request_size;
}

static bool take_handshake(struct client *client) {
    char answer[256];
    client->request[client->request_bytes] = 0;
    if (!handshake_answer((const char *)client->request, answer, sizeof answer))
        return client->request_bytes < request_size;
    client->request_bytes = 0;
    client->is_open = true;
    return send(client->fd, answer, strlen(answer), MSG_NOSIGNAL) > 0;
}

static void serve_client(struct client *client, uint32_t events) {
    bool stays = true;
    if (events & EPOLLOUT) {
        stays = outbox_write(&client->outbox, client->fd);
        wait_for_room(client);
        pause_if_behind();
    }
    if (stays && events & (EPOLLIN | EPOLLHUP | EPOLLERR)) {
        ssize_t count = recv(client->fd, client->request + client->request_bytes,
            request_size - client->request_bytes, MSG_DONTWAIT);
        if (count > 0) {
            client->request_bytes += (size_t)count;
            stays = client->is_open ? take_frames(client) : take_handshake(client);
        } else {
            stays = count < 0 && (errno == EAGAIN || errno == EINTR);
        }
    }
    if (!stays) let_go(client);
}

static void accept_client(void) {
    int on = 1, fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (fd < 0) return;
    struct client *client = client_count < most_clients ? calloc(1, sizeof *client) : NULL;
    if (!client) { close(fd); return; }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    client->fd = fd;
    clients[client_count++] = client;
    watch(EPOLL_CTL_ADD, fd, EPOLLIN, client);
}

static void start(char **command) {
    int to[2], from[2];
    if (pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC)) fail("pipe");
    fcntl(from[1], F_SETPIPE_SZ, pipe_size);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, to[0], 0);
    posix_spawn_file_actions_adddup2(&actions, from[1], 1);
    pid_t pid;
    if ((errno = posix_spawnp(&pid, command[0], &actions, NULL, command, environ))) fail(command[0]);
    close(to[0]);
    close(from[1]);
    command_input = to[1];
    command_output = from[0];
    fcntl(command_output, F_SETFL, O_NONBLOCK);
}

static void listen_on_loopback(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(listener, (struct sockaddr *)&address, size) || listen(listener, 1024)) fail("listen");
    getsockname(listener, (struct sockaddr *)&address, &size);
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
}

int main(int argc, char **argv) {
    if (argc < 2) { fputs("c-relay COMMAND…\n", stderr); return 64; }
    signal(SIGPIPE, SIG_IGN);
    poller = epoll_create1(EPOLL_CLOEXEC);
    start(argv + 1);
    listen_on_loopback();
    watch(EPOLL_CTL_ADD, listener, EPOLLIN, &listener);
    watch(EPOLL_CTL_ADD, command_output, EPOLLIN, &command_output);
    while (true) {
        struct epoll_event events[256];
        int count = epoll_wait(poller, events, 256, -1);
        for (int i = 0; i < count; i++) {
            void *owner = events[i].data.ptr;
            if (owner == &listener) accept_client();
            else if (owner == &command_output) read_command();
            else serve_client(owner, events[i].events);
        }
    }
}
