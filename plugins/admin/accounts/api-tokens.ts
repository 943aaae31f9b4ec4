import { createHash, randomBytes } from "node:crypto";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { atomicWrite, constantTimeEqual, HttpError, KeyedLock, type Clock } from "#kernel";
import { errorCode } from "#kernel/internal";
import type { ApiToken, ApiTokens } from "../contract.js";
import { isPermission, PERMISSIONS } from "./permissions.js";

const TOKEN = /^site_([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/;
const ID = /^[0-9a-f]{16}$/;
const MAX_NAME_LENGTH = 100;
/** Shortest interval between two writes of `lastUsedAt`. */
const USED_EVERY_MS = 5 * 60_000;

const recordShape = z.object({
  id: z.string().regex(ID),
  name: z.string(),
  /** SHA-256 of the secret half, hex: with 256 random bits no slow hash is needed. */
  hash: z.string().length(64),
  permissions: z.array(
    z.custom<ApiToken["permissions"][number]>((value) => isPermission(String(value))),
  ),
  userId: z.string().nullable(),
  createdAt: z.number(),
  expiresAt: z.number().nullable(),
  lastUsedAt: z.number().nullable(),
});
type TokenRecord = z.infer<typeof recordShape>;

/** True for the format of an API token of this site, valid or not. */
export function isApiToken(text: string): boolean {
  return TOKEN.test(text);
}

/** API tokens, hashed, one file each; the folder is created with the first token. */
export class TokenFiles implements ApiTokens {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #lock = new KeyedLock();

  constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  async create(
    token: Parameters<ApiTokens["create"]>[0],
  ): Promise<{ token: ApiToken; secret: string }> {
    const now = this.#clock.now();
    if (token.expiresAt !== null && token.expiresAt <= now) {
      throw refused("expires is in the past");
    }
    const id = randomBytes(8).toString("hex");
    const secret = randomBytes(32).toString("base64url");
    const record: TokenRecord = {
      id,
      name: checkedName(token.name),
      hash: digest(secret),
      permissions: checkedPermissions(token.permissions),
      userId: token.userId,
      createdAt: now,
      expiresAt: token.expiresAt,
      lastUsedAt: null,
    };
    await this.#write(record);
    return { token: shown(record), secret: `site_${id}_${secret}` };
  }

  async list(): Promise<readonly ApiToken[]> {
    const names = (await unlessMissing(readdir(this.#folder))) ?? [];
    const ids = names.map((name) => name.replace(/\.json$/, "")).filter((id) => ID.test(id));
    const records = await Promise.all(ids.map((id) => this.#read(id)));
    return records
      .flatMap((record) => (record === null ? [] : [shown(record)]))
      .toSorted((a, b) => a.createdAt - b.createdAt || a.id.localeCompare(b.id));
  }

  async revoke(id: string): Promise<boolean> {
    return this.#lock.run(id, async () => {
      if ((await this.#read(id)) === null) return false;
      await rm(this.#file(id), { force: true });
      return true;
    });
  }

  /** The token of this text; null when it is unknown, expired or revoked. */
  async verify(text: string): Promise<ApiToken | null> {
    const [, id, secret] = TOKEN.exec(text) ?? [];
    if (id === undefined || secret === undefined) return null;
    const record = await this.#read(id);
    const now = this.#clock.now();
    if (record === null || !isUsable(record, secret, now)) return null;
    if (now - (record.lastUsedAt ?? 0) >= USED_EVERY_MS) {
      // A failed write must not deny access; the next use tries again.
      await this.#noteUse(id, now).catch(() => undefined);
    }
    return shown(record);
  }

  async #noteUse(id: string, now: number): Promise<void> {
    await this.#lock.run(id, async () => {
      const record = await this.#read(id);
      if (record !== null) await this.#write({ ...record, lastUsedAt: now });
    });
  }

  async #read(id: string): Promise<TokenRecord | null> {
    if (!ID.test(id)) return null;
    const text = await unlessMissing(readFile(this.#file(id), "utf8"));
    const parsed = recordShape.safeParse(text === null ? null : parseJson(text));
    return parsed.success && parsed.data.id === id ? parsed.data : null;
  }

  #write(record: TokenRecord): Promise<void> {
    return atomicWrite(this.#file(record.id), JSON.stringify(record), { mode: 0o600 });
  }

  #file(id: string): string {
    return join(this.#folder, `${id}.json`);
  }
}

function isUsable({ hash, expiresAt }: TokenRecord, secret: string, now: number): boolean {
  const matches = constantTimeEqual(digest(secret), hash);
  return matches && (expiresAt === null || expiresAt > now);
}

/** @throws ERR_ADMIN_TOKENS_DOWN (503): a failing disk does not invalidate a token. */
async function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (cause) {
    if (errorCode(cause) === "ENOENT") return null;
    throw new HttpError(503, "API tokens cannot be read at the moment", {
      code: "ERR_ADMIN_TOKENS_DOWN",
      headers: { "Retry-After": "5" },
      cause,
    });
  }
}

/** Null for a malformed file. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function digest(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

function shown({ hash: _, ...token }: TokenRecord): ApiToken {
  return token;
}

function checkedName(name: string): string {
  const clean = name.replaceAll(/\p{Cc}/gu, "").trim();
  if (clean === "" || clean.length > MAX_NAME_LENGTH) {
    throw refused(`the name must have 1 to ${MAX_NAME_LENGTH} characters`);
  }
  return clean;
}

function checkedPermissions(names: readonly string[]): TokenRecord["permissions"] {
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

function refused(message: string): HttpError {
  return new HttpError(400, message, { code: "ERR_ADMIN_TOKEN" });
}
