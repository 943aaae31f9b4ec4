import { hkdfSync, randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SiteError } from "#kernel";
import { errorCode } from "#lib/errors";
import { PRIVATE_FILE, PRIVATE_FOLDER } from "#lib/files";

/** Minimum length of a secret in bytes. */
const BYTES = 32;

/** Source of the site's secret. */
export interface SecretSource {
  /** Value of SITE_AUTH_SECRET. */
  configured: string | undefined;
  /** Absolute path; the secret is generated here when none is configured. */
  runtime: string;
}

/** Derives a secret per purpose from one root secret, which is read or generated on first use. */
export class Secrets {
  readonly #source: SecretSource;
  #root: Buffer | null = null;

  constructor(source: SecretSource) {
    this.#source = source;
    if (source.configured !== undefined && Buffer.byteLength(source.configured) < BYTES) {
      throw new SiteError(
        "ERR_SESSION_SECRET",
        `SITE_AUTH_SECRET has ${Buffer.byteLength(source.configured)} bytes, at least ${BYTES} are needed`,
        { fix: "set it to the output of: openssl rand -base64 48" },
      );
    }
  }

  /** @throws ERR_SESSION_SECRET when the stored secret is invalid. */
  async derive(purpose: string): Promise<Buffer> {
    return this.deriveSync(purpose);
  }

  /**
   * The same at once: the secret is one small file, read or written once per process.
   * @throws ERR_SESSION_SECRET; the next call tries again, since a full disk may have space by then.
   */
  deriveSync(purpose: string): Buffer {
    this.#root ??= this.#load();
    return Buffer.from(hkdfSync("sha256", this.#root, "site", purpose, BYTES));
  }

  #load(): Buffer {
    const { configured, runtime } = this.#source;
    if (configured !== undefined) return Buffer.from(configured);
    const file = join(runtime, "auth-secret");
    return readSecret(file) ?? makeSecret(file);
  }
}

function readSecret(file: string): Buffer | null {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw broken(file, error);
  }
  const secret = Buffer.from(text.trim(), "base64url");
  if (secret.length < BYTES) throw broken(file);
  return secret;
}

function makeSecret(file: string): Buffer {
  const temporary = `${file}.${randomBytes(8).toString("hex")}`;
  const secret = randomBytes(BYTES);
  try {
    mkdirSync(dirname(file), { recursive: true, mode: PRIVATE_FOLDER });
    const text = `${secret.toString("base64url")}\n`;
    writeFileSync(temporary, text, { mode: PRIVATE_FILE, flush: true });
    // A link appears atomically and never replaces: if two processes start together, one wins and
    // both read it.
    linkSync(temporary, file);
    return secret;
  } catch (error) {
    const exists = errorCode(error) === "EEXIST";
    const stored = exists ? readSecret(file) : null;
    if (stored === null) throw broken(file, error);
    return stored;
  } finally {
    rmSync(temporary, { force: true });
  }
}

function broken(file: string, cause?: unknown): SiteError {
  return new SiteError(
    "ERR_SESSION_SECRET",
    `the secret in ${JSON.stringify(file)} cannot be used`,
    {
      fix: "make the folder writable, or delete the file so that a new one is generated",
      ...(cause === undefined ? {} : { cause }),
    },
  );
}
