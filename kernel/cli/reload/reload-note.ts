/** The note of a server about its last reload, for the command that requested it. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { atomicWrite } from "#lib/files";
import type { ConfigState } from "../../contracts.js";
import { configStateShape } from "../../reload/config-state.js";

const NAME = "reload.json";

const noteShape = configStateShape.extend({
  /** Counts the reloads of this server. */
  number: z.number(),
});
type ReloadNote = z.output<typeof noteShape>;

/** The state after a reload, as it is noted. */
export interface ReloadState extends ConfigState {
  /** The number of reloads of this server. */
  number: number;
}

/** Writes the note; `runtime` is the runtime folder. */
export async function noteReload(runtime: string, note: ReloadState): Promise<void> {
  await atomicWrite(join(runtime, NAME), `${JSON.stringify(note)}\n`);
}

/** The note of the last reload; null without one, and for one that cannot be read. */
export async function readReloadNote(runtime: string): Promise<ReloadNote | null> {
  try {
    return noteShape.parse(JSON.parse(await readFile(join(runtime, NAME), "utf8")));
  } catch {
    return null;
  }
}
