import { ulid } from "ulid";
import { type Clock, engineFailureFields, isRecord, type Logger } from "#kernel";
import type { LogDefinition, LogMatch, RecordLog, RecordStore } from "../records/contract.js";
import type { AuditEntry, AuditEvent } from "./contract.js";

const LOG: LogDefinition<AuditEntry> = {
  name: "audit",
  files: ["audit.jsonl", ...[1, 2, 3, 4, 5].map((nth) => `audit.${nth}.jsonl`)],
  maxBytes: 30 * 1_048_576,
  parse: (value) => (isEntry(value) ? value : null),
};
/** Entries that wait for a store that fails; above it, the oldest are lost. */
const MAX_WAITING = 1_000;
const MAX_TEXT_LENGTH = 512;
const SECRET = /password|secret|token|authorization|cookie|api_?key/i;

/** Filter of audit log entries. */
export interface AuditQuery {
  limit: number;
  offset: number;
  event?: string | undefined;
  actor?: string | undefined;
  outcome?: "success" | "failure" | undefined;
}

/**
 * Entries are written in the background. Those that cannot be stored are logged, fail no request, and are
 * tried again with the next one.
 */
export class AuditLog {
  readonly #store: RecordStore;
  readonly #clock: Clock;
  readonly #log: Logger;
  #waiting: AuditEntry[] = [];
  #queue: Promise<void> = Promise.resolve();

  constructor(store: RecordStore, clock: Clock, log: Logger) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
  }

  write(event: AuditEvent): void {
    this.#waiting.push(this.#entry(event));
    void this.settled();
  }

  /** Newest first; `total` is the number of matches. */
  async list(query: AuditQuery): Promise<{ entries: AuditEntry[]; total: number }> {
    await this.settled();
    const { limit, offset } = query;
    const { entries, total } = await this.#records.list({
      limit,
      offset,
      match: toLogMatch(query),
    });
    const shown = entries.map(({ value, node }) => (node === null ? value : { ...value, node }));
    return { entries: shown, total };
  }

  /** Resolves when all pending entries are written, or cannot be. */
  settled(): Promise<void> {
    this.#queue = this.#queue.then(() => this.#write());
    return this.#queue;
  }

  get #records(): RecordLog<AuditEntry> {
    return this.#store.log(LOG);
  }

  async #write(): Promise<void> {
    const entries = this.#waiting;
    if (entries.length === 0) return;
    this.#waiting = [];
    try {
      await this.#records.append(entries);
    } catch (error) {
      this.#waiting = [...entries, ...this.#waiting].slice(-MAX_WAITING);
      this.#log.error("admin.audit_failed", engineFailureFields(error));
    }
  }

  #entry({ event, actor, ip, target, detail, outcome }: AuditEvent): AuditEntry {
    const ts = this.#clock.now();
    return {
      id: ulid(ts),
      ts,
      event,
      actor: actor ? { id: actor.id, name: actor.name } : null,
      ip: ip ?? "",
      target: target ? { type: target.type, id: cut(target.id) } : null,
      detail: withoutSecrets(detail ?? {}),
      outcome: outcome ?? "success",
    };
  }
}

/** Lines of other programs are skipped. */
function isEntry(value: unknown): value is AuditEntry {
  return isRecord(value);
}

function toLogMatch({ event, actor, outcome }: AuditQuery): LogMatch {
  return {
    ...(event !== undefined && { event }),
    ...(actor !== undefined && { actor: { id: actor } }),
    ...(outcome !== undefined && { outcome }),
  };
}

function withoutSecrets(detail: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(detail).map(([key, value]) => [
    key,
    SECRET.test(key) ? "[redacted]" : typeof value === "string" ? cut(value) : value,
  ]);
  return Object.fromEntries(entries);
}

function cut(text: string): string {
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
}
