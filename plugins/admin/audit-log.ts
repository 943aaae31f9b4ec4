import { appendFile, mkdir, readFile, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { ulid } from "ulid";
import type { Clock, Logger } from "#kernel";
import { FileLock } from "#kernel/internal";
import type { AuditEntry, AuditEvent } from "./contract.js";

/** File size in bytes at which the log rotates. */
const ROTATE_BYTES = 5 * 1_048_576;
/** Number of rotated files; `audit.1.jsonl` is the newest. */
const MAX_ROTATED_FILES = 5;
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

/** Append-only JSONL in the runtime folder; a write error is logged and fails no request. */
export class AuditLog {
  readonly #file: string;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #lock: FileLock;
  #queue: Promise<void> = Promise.resolve();

  constructor(file: string, parts: { clock: Clock; log: Logger }) {
    this.#file = file;
    this.#clock = parts.clock;
    this.#log = parts.log;
    this.#lock = new FileLock(`${file}.lock`, {
      code: "ERR_ADMIN_AUDIT_LOCKED",
      message: "another process is rotating the audit log",
      fix: "try again",
    });
  }

  write(event: AuditEvent): void {
    const line = `${JSON.stringify(this.#entry(event))}\n`;
    this.#queue = this.#queue
      .then(() => this.#append(line))
      .catch((error: unknown) => {
        this.#log.error("admin.audit_failed", { error: String(error) });
      });
  }

  /** Newest first; `total` is the number of matches. */
  async list(query: AuditQuery): Promise<{ entries: AuditEntry[]; total: number }> {
    await this.#queue;
    const names = [this.#file, ...former(this.#file)];
    const texts = await Promise.all(names.map((name) => readFile(name, "utf8").catch(() => "")));
    const matching = texts.flatMap((text) => parseLines(text).reverse()).filter(matches(query));
    return {
      entries: matching.slice(query.offset, query.offset + query.limit),
      total: matching.length,
    };
  }

  /** Resolves when all pending entries are written. */
  settled(): Promise<void> {
    return this.#queue;
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

  async #append(line: string): Promise<void> {
    await mkdir(dirname(this.#file), { recursive: true });
    const { size } = await stat(this.#file).catch(() => ({ size: 0 }));
    if (size + line.length > ROTATE_BYTES) await this.#lock.run(() => this.#rotate(line.length));
    await appendFile(this.#file, line, { mode: 0o600 });
  }

  /** Another worker may have rotated it meanwhile. */
  async #rotate(length: number): Promise<void> {
    const { size } = await stat(this.#file).catch(() => ({ size: 0 }));
    if (size + length <= ROTATE_BYTES) return;
    const names = [this.#file, ...former(this.#file)];
    for (let at = names.length - 2; at >= 0; at -= 1) {
      const [from = "", to = ""] = names.slice(at, at + 2);
      await rename(from, to).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "ENOENT") throw error;
      });
    }
  }
}

function former(file: string): string[] {
  return Array.from({ length: MAX_ROTATED_FILES }, (_, index) =>
    file.replace(/\.jsonl$/, `.${index + 1}.jsonl`),
  );
}

/** Skips lines truncated by a crash. */
function parseLines(text: string): AuditEntry[] {
  return text.split("\n").flatMap((line) => {
    try {
      const entry: AuditEntry = JSON.parse(line);
      return typeof entry === "object" && entry !== null ? [entry] : [];
    } catch {
      return [];
    }
  });
}

function matches({ event, actor, outcome }: AuditQuery): (entry: AuditEntry) => boolean {
  return (entry) =>
    (event === undefined || entry.event === event) &&
    (actor === undefined || entry.actor?.id === actor) &&
    (outcome === undefined || entry.outcome === outcome);
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
