import { join } from "node:path";
import { z } from "zod";
import type { Logger } from "#kernel";
import { readSmallFile } from "#lib/files";
import { sha256 } from "#lib/secrets";
import type { AuthzRecord, AuthzStore, SeenReport } from "../contract.js";
import { accountLock, runOnEach, jsonNames, putAside, readText, writeJson } from "./local-files.js";

/** Schema of a stored report. */
export const seenReport: z.ZodType<SeenReport> = z.object({ digest: z.string(), at: z.number() });

const shape: z.ZodType<AuthzRecord> = z.object({
  user: z.string(),
  fingerprint: z.string().nullable(),
  tuples: z.array(
    z.object({
      user: z.string(),
      relation: z.string(),
      object: z.string(),
      hmac: z.string().optional(),
    }),
  ),
  endedAt: z.number().optional(),
  endedBy: z.array(seenReport).optional(),
});

/** Dependencies of the store. */
export interface LocalAuthzOptions {
  /** `data/permissions`; created with the first tuple. */
  folder: string;
  log: Logger;
  /** Unix ms. */
  now(): number;
}

/** Tuples as files, one per user, named by the digest of the user's id. */
export class LocalAuthzStore implements AuthzStore {
  readonly #options: LocalAuthzOptions;
  readonly #lock: ReturnType<typeof accountLock>;

  constructor(options: LocalAuthzOptions) {
    this.#options = options;
    this.#lock = accountLock(options.folder);
  }

  async get(user: string): Promise<AuthzRecord | null> {
    const text = readSmallFile(this.#file(user));
    const record = text === null ? null : parseAuthzRecord(text);
    return record?.user === user ? record : null;
  }

  update(user: string, change: (record: AuthzRecord) => AuthzRecord): Promise<AuthzRecord> {
    return this.#lock.run(async () => {
      const before = await this.#readOrPutAside(user);
      const after = change(before);
      if (after !== before) await writeJson(this.#file(user), { ...after, user });
      return after;
    });
  }

  async users(): Promise<readonly string[]> {
    const users: string[] = [];
    await runOnEach(await jsonNames(this.#options.folder), async (name) => {
      const text = await readText(join(this.#options.folder, `${name}.json`));
      const record = text === null ? null : parseAuthzRecord(text);
      if (record !== null) users.push(record.user);
    });
    return users;
  }

  async #readOrPutAside(user: string): Promise<AuthzRecord> {
    const text = await readText(this.#file(user));
    const record = text === null ? null : parseAuthzRecord(text);
    if (record?.user === user) return record;
    if (text !== null) {
      await putAside(this.#file(user), this.#options.now());
      this.#options.log.error("authz.record_corrupt", { user });
    }
    return { user, fingerprint: null, tuples: [] };
  }

  #file(user: string): string {
    const digest = sha256(user);
    return join(this.#options.folder, `${digest}.json`);
  }
}

/** Parses a JSON text; null if it is not a record of permissions. */
export function parseAuthzRecord(text: string): AuthzRecord | null {
  try {
    const parsed = shape.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
