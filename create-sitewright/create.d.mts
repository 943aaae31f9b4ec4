import type { Readable, Writable } from "node:stream";

export const PRESETS: Readonly<Record<string, string>>;
export const LOOKS: Readonly<Record<string, string>>;
/** Runs the command; resolves with the exit code. */
export function main(
  words: readonly string[],
  version: string,
  streams?: { input?: Readable & { isTTY?: boolean }; output?: Writable & { isTTY?: boolean } },
): Promise<number>;
export function callingManager(env: Readonly<Record<string, string | undefined>>): {
  name: string;
  isBerry: boolean;
  command: string[];
};
