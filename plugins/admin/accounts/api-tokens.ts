import { randomBytes } from "node:crypto";
import { z } from "zod";
import { HttpError, type Clock } from "#kernel";
import type { RecordCollection, RecordStore } from "../../records/contract.js";
import type { ApiToken, ApiTokens, CreatedApiToken, NewApiToken } from "../contract.js";
import { idCollection, SecretEntries, halvesFormat } from "./secret-entries.js";
import { isPermission, PERMISSIONS } from "./permissions.js";

const FORMAT = halvesFormat("site_");
const ID = /^[0-9a-f]{16}$/;
const MAX_NAME_LENGTH = 100;
/** Most paths, and most fields, of a token. */
const MAX_LIMITS = 50;
/** Shortest interval between two writes of `lastUsedAt`. */
const USED_EVERY_MS = 5 * 60_000;

const recordShape = z.object({
  id: z.string().regex(ID),
  name: z.string(),
  /** Digest of the secret half. */
  hash: z.string().length(64),
  permissions: z.array(
    z.custom<ApiToken["permissions"][number]>((value) => isPermission(String(value))),
  ),
  userId: z.string().nullable(),
  createdAt: z.number(),
  expiresAt: z.number().nullable(),
  lastUsedAt: z.number().nullable(),
  // Absent in tokens of earlier versions.
  paths: z.array(z.string()).nullable().default(null),
  fields: z.array(z.string()).nullable().default(null),
});
type TokenEntry = z.infer<typeof recordShape>;

/** True for the format of an API token of this site, valid or not. */
export function isApiToken(text: string): boolean {
  return FORMAT.parse(text) !== null;
}

const COLLECTION = idCollection<TokenEntry>({ name: "tokens", key: ID }, recordShape);

/** API tokens, hashed. */
export class TokenRecords implements ApiTokens {
  readonly #links: SecretEntries<TokenEntry>;
  readonly #clock: Clock;

  constructor(store: RecordStore, clock: Clock) {
    this.#links = new SecretEntries({ store, clock, collection: COLLECTION, format: FORMAT });
    this.#clock = clock;
  }

  async create(token: NewApiToken): Promise<CreatedApiToken> {
    const now = this.#clock.now();
    if (token.expiresAt !== null && token.expiresAt <= now) {
      throw refused("expires is in the past");
    }
    const id = randomBytes(8).toString("hex");
    const data = {
      id,
      name: checkedName(token.name),
      permissions: checkedPermissions(token.permissions),
      userId: token.userId,
      createdAt: now,
      expiresAt: token.expiresAt,
      lastUsedAt: null,
      paths: checkedList("paths", token.paths, /^[^/\s][^\\\p{Cc}]*$/u),
      fields: checkedList("fields", token.fields, /^[A-Za-z_][\w-]*$/),
    };
    // A full disk is answered as such.
    const { entry, token: secret } = await this.#links.issue(id, (hash) => ({ ...data, hash }));
    return { token: shown(entry), secret };
  }

  async list(): Promise<readonly ApiToken[]> {
    const { items } = await this.#run((tokens) => tokens.list());
    return items
      .map(({ value }) => shown(value))
      .toSorted((a, b) => a.createdAt - b.createdAt || a.id.localeCompare(b.id));
  }

  revoke(id: string): Promise<boolean> {
    return this.#run((tokens) => tokens.delete(id));
  }

  /** The token of this text; null when it is unknown, expired or revoked. */
  async verify(text: string): Promise<ApiToken | null> {
    const entry = await this.#run(() => this.#links.find(text));
    if (entry === null) return null;
    const now = this.#clock.now();
    if (now - (entry.lastUsedAt ?? 0) >= USED_EVERY_MS) {
      // A failed write must not deny access; the next use tries again.
      await this.#noteUse(entry.id, now).catch(() => undefined);
    }
    return shown(entry);
  }

  async #noteUse(id: string, now: number): Promise<void> {
    await this.#run((tokens) =>
      tokens.update(id, (entry) => (entry === null ? null : { ...entry, lastUsedAt: now })),
    );
  }

  /** @throws ERR_ADMIN_TOKENS_DOWN (503): a failing store does not invalidate a token. */
  async #run<T>(work: (tokens: RecordCollection<TokenEntry>) => Promise<T>): Promise<T> {
    try {
      return await work(this.#links.entries);
    } catch (cause) {
      throw new HttpError(503, "API tokens cannot be read at the moment", {
        code: "ERR_ADMIN_TOKENS_DOWN",
        headers: { "Retry-After": "5" },
        cause,
      });
    }
  }
}

function shown({ hash: _, ...token }: TokenEntry): ApiToken {
  return token;
}

function checkedName(name: string): string {
  const clean = name.replaceAll(/\p{Cc}/gu, "").trim();
  if (clean === "" || clean.length > MAX_NAME_LENGTH) {
    throw refused(`the name must have 1 to ${MAX_NAME_LENGTH} characters`);
  }
  return clean;
}

function checkedPermissions(names: readonly string[]): TokenEntry["permissions"] {
  const unknown = names.find((name) => !isPermission(name));
  if (unknown !== undefined || names.length === 0) {
    const subject =
      unknown === undefined
        ? "no permission was given"
        : `${JSON.stringify(unknown)} is not a permission`;
    throw refused(`${subject}; use some of ${PERMISSIONS.join(", ")}`);
  }
  return [...new Set(names.filter(isPermission))];
}

/** Null: no limit. An empty list would be a token that may do nothing. */
function checkedList(
  name: string,
  values: readonly string[] | null | undefined,
  pattern: RegExp,
): string[] | null {
  if (values === undefined || values === null) return null;
  if (values.length === 0 || values.length > MAX_LIMITS) {
    throw refused(`${name} must name 1 to ${MAX_LIMITS} values`);
  }
  const wrong = values.find((value) => value.length > 200 || !pattern.test(value));
  if (wrong === undefined) return [...new Set(values)];
  const example = name === "paths" ? "blog/**" : "title";
  throw refused(`${name} has the invalid value ${JSON.stringify(wrong)}; write ${example}`);
}

function refused(message: string): HttpError {
  return new HttpError(400, message, { code: "ERR_ADMIN_TOKEN", exitCode: 2 });
}
