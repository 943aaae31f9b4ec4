/** The problems of a running server in a file, where `site doctor` finds them without a port or a token. */
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { atomicWrite, type SiteContext } from "#kernel";
import { isAlive, rootHolder } from "#lib/files";
import { parseJson } from "#lib/values";
import type { HealthProblem } from "./contract.js";

const NAME = "health.json";
/** Interval at which the problems are compared with the file, in ms. */
const LOOK_MS = 2_000;

const noteShape = z.object({
  /** Unix ms. */
  at: z.number(),
  problems: z.array(z.object({ part: z.string(), problem: z.string() })),
});

/** Writes the problems of this server whenever they change; of several workers, the leader does. */
export function followProblems(
  { lifecycle, log, paths, runtime }: SiteContext,
  problems: () => readonly HealthProblem[],
): void {
  const file = join(paths.runtime, NAME);
  let written = "";
  let writing: Promise<void> = Promise.resolve();
  const write = async (): Promise<void> => {
    const list = problems();
    const text = JSON.stringify(list);
    if (!runtime.workers.isLeader || text === written) return;
    written = text;
    // With a full disk the file is missing: then doctor looks at a site of its own.
    await atomicWrite(file, JSON.stringify({ at: Date.now(), problems: list })).catch(
      (error: unknown) => {
        written = "";
        log.debug("health.note_failed", { error: String(error) });
        return rm(file, { force: true }).catch(() => undefined);
      },
    );
  };
  const look = (): void => void (writing = writing.then(write));
  lifecycle.onListen(() => {
    look();
    const timer = setInterval(look, LOOK_MS).unref();
    lifecycle.onClose(async () => {
      clearInterval(timer);
      await writing;
      if (written !== "") await rm(file, { force: true }).catch(() => undefined);
    });
  });
}

/** The problems of the server that runs on a runtime folder; null: none runs, or it has not written them yet. */
export async function readProblems(runtime: string): Promise<readonly HealthProblem[] | null> {
  const holder = rootHolder(runtime);
  if (holder === null || isAlive(holder) === false) return null;
  const text = await readFile(join(runtime, NAME), "utf8").catch(() => "");
  const note = noteShape.safeParse(parseJson(text)).data;
  // One of an earlier server, which was killed.
  if (note === undefined || note.at < Date.parse(holder.since)) return null;
  return note.problems;
}
