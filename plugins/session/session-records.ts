import { z } from "zod";
import {
  type Clock,
  closeCall,
  type EngineCalls,
  expectFields,
  expectKind,
  expectMethods,
  expectOptional,
  SiteError,
  type ValueCheck,
} from "#kernel";
import type { StoreGuard } from "#lib/stores";
import type { SessionRecord, SessionStore } from "./contract.js";
import { storeKey } from "./session-id.js";

const recordShape: z.ZodType<SessionRecord> = z.object({
  userId: z.string().min(1),
  kind: z.enum(["visitor", "admin", "request"]),
  data: z.record(z.string(), z.unknown()),
  createdAt: z.number(),
  expiresAt: z.number(),
});

/** Dependencies of the records. */
export interface RecordsOptions {
  store(): SessionStore;
  /** Separate, since a store that cannot write, as on a full disk, may still be readable. */
  guards: { readonly read: StoreGuard; readonly write: StoreGuard };
  clock: Clock;
  /** Claims a key when the store has no `claim` of its own. */
  claim(key: string, ttlSeconds: number): Promise<boolean>;
}

/**
 * The store as the front uses it: guarded, keyed by cookie id, without expired or foreign records.
 */
export class SessionRecords {
  readonly #options: RecordsOptions;

  constructor(options: RecordsOptions) {
    this.#options = options;
  }

  /** @throws ERR_SESSION_STORE_DOWN. */
  async get<K extends SessionRecord["kind"]>(
    kind: K,
    id: string,
  ): Promise<SessionRecord<K> | null> {
    return this.byKey(kind, storeKey(kind, id));
  }

  /** The record of a store key. @throws ERR_SESSION_STORE_DOWN. */
  async byKey<K extends SessionRecord["kind"]>(
    kind: K,
    key: string,
  ): Promise<SessionRecord<K> | null> {
    const stored: unknown = await this.#call("read", (store) => store.get(key));
    const parsed = recordShape.safeParse(stored);
    if (!parsed.success || parsed.data.kind !== kind) return null;
    return parsed.data.expiresAt > this.#options.clock.now() ? { ...parsed.data, kind } : null;
  }

  /** @throws ERR_SESSION_STORE_DOWN. */
  set(id: string, record: SessionRecord): Promise<void> {
    const leftMs = record.expiresAt - this.#options.clock.now();
    const ttlSeconds = Math.max(1, Math.ceil(leftMs / 1000));
    return this.#call("write", (store) => store.set(storeKey(record.kind, id), record, ttlSeconds));
  }

  /** @throws ERR_SESSION_STORE_DOWN. */
  destroy(kind: SessionRecord["kind"], id: string): Promise<void> {
    return this.destroyKey(storeKey(kind, id));
  }

  /** @throws ERR_SESSION_STORE_DOWN. */
  destroyKey(key: string): Promise<void> {
    return this.#call("write", (store) => store.destroy(key));
  }

  /** @throws ERR_SESSION_STORE_DOWN. */
  destroyUser(userId: string): Promise<number> {
    return this.#call("write", (store) => store.destroyUser(userId));
  }

  /** @throws ERR_SESSION_STORE_DOWN. */
  claim(key: string, ttlSeconds: number): Promise<boolean> {
    return this.#call("write", (store) =>
      store.claim ? store.claim(key, ttlSeconds) : this.#options.claim(key, ttlSeconds),
    );
  }

  #call<T>(kind: "read" | "write", work: (store: SessionStore) => Promise<T>): Promise<T> {
    return this.#options.guards[kind].run(async () => work(this.#options.store()));
  }
}

/** The 503 for requests that need a session. */
export function storeDown(cause?: unknown): SiteError {
  return new SiteError("ERR_SESSION_STORE_DOWN", "the session store does not respond", {
    status: 503,
    headers: { "Retry-After": "5" },
    fix: "restore the session store; the site retries every second",
    ...(cause === undefined ? {} : { cause }),
  });
}

const methods = expectMethods(
  ["get", "set", "destroy", "destroyUser"],
  ["claim", "sweep", "open", "close"],
);
const limits = expectFields({
  limits: expectOptional(
    expectFields({ readMs: ["number", "nothing"], writeMs: ["number", "nothing"] }),
  ),
});
const record = expectFields({
  userId: ["string"],
  kind: ["string"],
  data: ["object"],
  createdAt: ["number"],
  expiresAt: ["number"],
});

/** Checks an engine of the slot `sessionStore`. */
export const storeProblem: ValueCheck = (store) => methods(store) ?? limits(store);

/** The calls of the slot; the front limits their time. */
export const storeCalls: EngineCalls<SessionStore> = {
  // A missing record may also be undefined, as a map returns it.
  get: { result: (value) => (value === null ? null : expectOptional(record)(value)) },
  set: { result: expectKind("anything") },
  destroy: { result: expectKind("anything") },
  destroyUser: { result: expectKind("number") },
  claim: { result: expectKind("boolean") },
  sweep: { result: expectKind("number", "nothing") },
  open: { result: expectKind("anything") },
  close: closeCall,
};
