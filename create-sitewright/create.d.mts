import type { Readable, Writable } from "node:stream";

/** Runs the command; resolves with the exit code. */
export function main(
  words: readonly string[],
  version: string,
  streams?: { input?: Readable & { isTTY?: boolean }; output?: Writable & { isTTY?: boolean } },
): Promise<number>;
