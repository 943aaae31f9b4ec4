import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Clock, Logger } from "#kernel";
import { openText, sealText, sha256 } from "#lib/secrets";
import type { User } from "../../users/contract.js";
import type {
  CollectionDefinition,
  RecordCollection,
  RecordStore,
} from "../../records/contract.js";

const PERIOD_SECONDS = 30;
/** Accepted steps before and after the current one. */
const WINDOW = 1;
const CODE = /^\d{6}$/;

const shape = z.object({
  /** The sealed secret, in base32. */
  secret: z.string(),
  /** Unix ms; null until the first code. */
  confirmedAt: z.number().nullable(),
  /** The step of the last accepted code: no code is accepted twice. */
  lastStep: z.number(),
  /** Digests of the recovery codes that are left. */
  recovery: z.array(z.string()),
});
type TotpEntry = z.infer<typeof shape>;

const COLLECTION: CollectionDefinition<TotpEntry> = {
  name: "panel-totp",
  key: /^[0-9a-f]{64}$/,
  parse: (value) => shape.safeParse(value).data ?? null,
};

/** Dependencies of the codes. */
export interface TotpDeps {
  readonly store: RecordStore;
  /** Seals the secrets. */
  key(): Promise<Buffer>;
  clock: Clock;
  log: Logger;
}
/** The codes of an account: it needs them, or not. */
export interface TotpStatus {
  enabled: boolean;
  /** Unix ms. */
  confirmedAt: number | null;
  recoveryCodesLeft: number;
}

/** Codes of authenticator apps (RFC 6238) as second factor of passwords. */
export class Totp {
  readonly #parts: TotpDeps;

  constructor(parts: TotpDeps) {
    this.#parts = parts;
  }

  async status(userId: string): Promise<TotpStatus> {
    const record = await this.#read(userId);
    if (record === null || record.confirmedAt === null) {
      return { enabled: false, confirmedAt: null, recoveryCodesLeft: 0 };
    }
    const { confirmedAt, recovery } = record;
    return { enabled: true, confirmedAt, recoveryCodesLeft: recovery.length };
  }

  /** A new secret in base32, which counts once a code confirms it; null when codes are needed already. */
  async begin(userId: string): Promise<string | null> {
    const { Secret } = await import("otpauth");
    const secret = new Secret({ size: 20 }).base32;
    const sealed = sealText(secret, await this.#parts.key());
    const record = { secret: sealed, confirmedAt: null, lastStep: 0, recovery: [] };
    const stored = await this.#entries.update(sha256(userId), (entry) =>
      entry === null || entry.confirmedAt === null ? record : null,
    );
    return stored?.value.secret === sealed ? secret : null;
  }

  /** Confirms the new secret; returns the recovery codes, or null for a wrong code. */
  async confirm(userId: string, code: string): Promise<readonly string[] | null> {
    const record = await this.#read(userId);
    const step = record === null ? null : await this.#stepOf(record, code);
    if (record === null || step === null) return null;
    const { codes, hashes } = createRecoveryCodes();
    const confirmedAt = this.#parts.clock.now();
    const isDone = await this.#change(userId, (entry) =>
      entry.secret === record.secret && entry.confirmedAt === null
        ? { ...entry, confirmedAt, lastStep: step, recovery: hashes }
        : null,
    );
    return isDone ? codes : null;
  }

  /** True for a current code, or a recovery code; each works once. */
  async accept(userId: string, text: string): Promise<boolean> {
    const code = text.replaceAll(/\s/g, "");
    const record = await this.#read(userId);
    if (record === null || record.confirmedAt === null) return false;
    if (!CODE.test(code)) return this.#spend(userId, recoveryDigest(code));
    const step = await this.#stepOf(record, code);
    if (step === null) return false;
    return this.#change(userId, (entry) =>
      entry.secret === record.secret && step > entry.lastStep ? { ...entry, lastStep: step } : null,
    );
  }

  /** New recovery codes in place of the former ones; null when the account needs no codes. */
  async renewRecovery(userId: string): Promise<readonly string[] | null> {
    const { codes, hashes } = createRecoveryCodes();
    const isDone = await this.#change(userId, (entry) =>
      entry.confirmedAt === null ? null : { ...entry, recovery: hashes },
    );
    return isDone ? codes : null;
  }

  /** False when the account needed no codes. */
  remove(userId: string): Promise<boolean> {
    return this.#entries.delete(sha256(userId));
  }

  #spend(userId: string, hash: string): Promise<boolean> {
    return this.#change(userId, (entry) => {
      const recovery = entry.recovery.filter((each) => each !== hash);
      return recovery.length < entry.recovery.length ? { ...entry, recovery } : null;
    });
  }

  /** The step that the code belongs to; null for a wrong code. */
  async #stepOf({ secret: sealed }: TotpEntry, code: string): Promise<number | null> {
    if (!CODE.test(code)) return null;
    const { Secret, TOTP } = await import("otpauth");
    const base32 = openText(sealed, await this.#parts.key());
    if (base32 === null) {
      const fix = "restore SITE_AUTH_SECRET, or remove the codes: site users:remove-totp <address>";
      this.#parts.log.error("admin.totp_unreadable", { fix });
      return null;
    }
    const totp = new TOTP({ secret: Secret.fromBase32(base32), period: PERIOD_SECONDS });
    const timestamp = this.#parts.clock.now();
    const delta = totp.validate({ token: code, timestamp, window: WINDOW });
    return delta === null ? null : Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta;
  }

  async #read(userId: string): Promise<TotpEntry | null> {
    return (await this.#entries.get(sha256(userId)))?.value ?? null;
  }

  /** True when `change` returned a record, which is stored then. */
  async #change(userId: string, change: (entry: TotpEntry) => TotpEntry | null): Promise<boolean> {
    let isDone = false;
    await this.#entries.update(sha256(userId), (entry) => {
      const next = entry === null ? null : change(entry);
      isDone = next !== null;
      return next;
    });
    return isDone;
  }

  get #entries(): RecordCollection<TotpEntry> {
    return this.#parts.store.collection(COLLECTION);
  }
}

const COUNT = 10;
/** 32 characters, without some that look alike. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";

/** Ten codes of 80 random bits, `xxxx-xxxx-xxxx-xxxx`, and their digests. */
function createRecoveryCodes(): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: COUNT }, createCode);
  return { codes, hashes: codes.map(recoveryDigest) };
}

/** The digest of a code as a person writes it: case, spaces and dashes do not matter. */
function recoveryDigest(code: string): string {
  return sha256(code.toLowerCase().replaceAll(/[\s-]/g, ""));
}

function createCode(): string {
  const letters = [...randomBytes(16)].map((byte) => ALPHABET[byte % ALPHABET.length]);
  return letters.join("").replaceAll(/.{4}(?=.)/g, "$&-");
}

/** The code must be entered this soon after the password. */
const STEP_MS = 5 * 60_000;

const stepShape = z.object({
  userId: z.string(),
  /** The name that was entered, for the limit of failed logins. */
  name: z.string(),
  /** Another password ends the login. */
  password: z.string(),
  until: z.number(),
});
/** A login whose password was right, while the code is missing. */
export type LoginStep = z.infer<typeof stepShape>;

/** The key that seals a login, and the time. */
export interface StepSeal {
  readonly key: Buffer;
  /** Unix ms. */
  readonly now: number;
}

/** Seals a login for the form that asks for the code, so that it need not contain the password. */
export function sealStep(user: User, name: string, { key, now }: StepSeal): string {
  const password = passwordDigest(user);
  const step: LoginStep = { userId: user.id, name, password, until: now + STEP_MS };
  return sealText(JSON.stringify(step), key);
}

/** The sealed login; null when it is damaged, forged or expired. */
export function openStep(sealed: string, { key, now }: StepSeal): LoginStep | null {
  const text = openText(sealed, key);
  const { data } = stepShape.safeParse(text === null ? null : JSON.parse(text));
  return data !== undefined && data.until > now ? data : null;
}

/** True while the account has the password that was entered. */
export function isCurrentStep(step: Pick<LoginStep, "password">, user: User): boolean {
  return step.password === passwordDigest(user);
}

/** The digest of the password of an account: another password changes it. */
export function passwordDigest({ passwordHash = "" }: User): string {
  return sha256(passwordHash);
}
