/** Error codes of servers with several processes and of reloads: what each means, and the fix. */
export const workersErrors = {
  ERR_RELOAD_NONE:
    "`site reload` finds no server that it can tell: start one, or run the command where it runs.",
  ERR_RELOAD_SILENT:
    "The server did not report the end of a reload in time: its log says what it does.",
  ERR_WORKERS_CALL: "A call between the workers of a server failed: the message says why.",
  ERR_WORKERS_START:
    "Workers end again and again right after their start: the lines above say why.",
};
