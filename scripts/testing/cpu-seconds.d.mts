/** CPU time of this process and, on Linux, of its child processes that have ended, in seconds. */
export function cpuSeconds(): number;
