/** The last reload of a server: what its sites know of it, and the note for the command that asked for it. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { type ConfigState, problemsOf, type ReloadStatus } from "#kernel";
import { atomicWrite } from "#lib/files";

/** The result of a reload, as processes pass it on. */
export const configStateShape = z.object({
  state: z.enum(["valid", "invalid"]),
  at: z.string().nullable(),
  problems: z.array(
    z.object({
      file: z.string().nullable(),
      line: z.number().nullable(),
      key: z.string().nullable(),
      message: z.string(),
      cause: z.string(),
      fix: z.string().nullable(),
    }),
  ),
});

/** Holds the state; the site that runs reads it, whatever reloads the configuration writes it. */
export class ConfigStateHolder {
  current: ConfigState = { state: "valid", at: null, problems: [] };
  readonly #listeners = new Set<() => void>();
  readonly #changedPackages = new Set<string>();

  /** A read-only view for plugins. */
  view(): ReloadStatus {
    return {
      configState: () => this.current,
      changedPackages: this.#changedPackages,
      onOutdated: (listener) => {
        this.#listeners.add(listener);
        return () => void this.#listeners.delete(listener);
      },
    };
  }

  succeeded(): ConfigState {
    return (this.current = { state: "valid", at: new Date().toISOString(), problems: [] });
  }

  failed(error: unknown, root: string): ConfigState {
    const problems = problemsOf(error, root);
    this.current = { state: "invalid", at: new Date().toISOString(), problems };
    this.#outdated();
    return this.current;
  }

  /** Notes a package that this process has loaded in another version: no later site has the new one. */
  packageChanged(name: string): void {
    this.#changedPackages.add(name);
    this.#outdated();
  }

  #outdated(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Name of the note, in the runtime folder. */
const NOTE = "reload.json";

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
  await atomicWrite(join(runtime, NOTE), `${JSON.stringify(note)}\n`);
}

/** The note of the last reload; null without one, and for one that cannot be read. */
export async function readReloadNote(runtime: string): Promise<ReloadNote | null> {
  try {
    return noteShape.parse(JSON.parse(await readFile(join(runtime, NOTE), "utf8")));
  } catch {
    return null;
  }
}
