import { SiteError } from "#lib/errors";
import { within } from "#lib/concurrency";
import type { Plugin } from "../contracts.js";

/** Limits and reports while the boot waits for a part. */
interface Patience {
  /** The work as the error names it: `plugin "search": its setup`. */
  work: string;
  /** Called at this interval in ms while it runs, with the whole seconds so far. */
  sayEveryMs: number;
  say(seconds: number): void;
  /** Fails after this many ms; null: never. */
  limitMs: number | null;
}

/** When and how often a slow part of the startup is reported. */
export const PATIENT = { sayEveryMs: 5_000, limitMs: null } as const;
/** `setup()` only registers things; taking longer means it is stuck. */
const SETUP_LIMIT_MS = 60_000;
/** The site does without an optional plugin, so it does not wait for it as long. */
const OPTIONAL_LIMIT_MS = 10_000;

/** Time limit of `setup`, and of the work of `onReady`, of a plugin, in ms. */
export function setupLimitMs({ optional }: Pick<Plugin, "optional">): number {
  return optional === true ? OPTIONAL_LIMIT_MS : SETUP_LIMIT_MS;
}

/**
 * Waits for work and reports it while it runs. Otherwise a process that waits for a promise that never
 * settles would exit silently.
 * @throws ERR_PLUGIN_SETUP past the limit.
 */
export async function withPatience<T>(run: () => T, patience: Patience): Promise<Awaited<T>> {
  const pending = run();
  if (!(pending instanceof Promise)) return await pending;
  const { sayEveryMs, say, limitMs, work: name } = patience;
  const started = performance.now();
  const talk = setInterval(
    () => say(Math.round((performance.now() - started) / 1_000)),
    sayEveryMs,
  );
  const giveUp = (ms: number) => (): never => {
    throw new SiteError("ERR_PLUGIN_SETUP", `${name} did not finish within ${ms / 1_000} s`, {
      fix: "register things only, give each request a time limit, and do slow work in a job",
    });
  };
  try {
    return await (limitMs === null ? pending : within(limitMs, pending, giveUp(limitMs)));
  } finally {
    clearInterval(talk);
  }
}
