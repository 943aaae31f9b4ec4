/** Entries that a secret text opens: tokens, and links in mails. Only a digest of the secret is stored. */
import type { ZodType } from "zod";
import type { Clock } from "#kernel";
import { isSecretOf, sha256, createSecret } from "#lib/secrets";
import type {
  CollectionDefinition,
  RecordCollection,
  RecordStore,
} from "../../records/contract.js";

/** An entry that a secret text opens. */
export interface SecretEntry {
  readonly id: string;
  /** SHA-256 of the secret, hex. */
  readonly hash: string;
  /** Unix ms; null: never. */
  readonly expiresAt: number | null;
}
/** The format of the secret texts of a kind of entries. */
export interface SecretFormat {
  /** Makes the text of an entry. */
  create(id: string): { readonly token: string; readonly secret: string };
  /** The id and the secret in a well-formed text; null for any other. */
  parse(token: string): { readonly id: string; readonly secret: string } | null;
}
/** The collection of a kind of entries, and the format of their texts. */
export interface SecretOptions<T extends SecretEntry> {
  readonly store: RecordStore;
  readonly clock: Clock;
  readonly collection: CollectionDefinition<T>;
  readonly format: SecretFormat;
}

/** A collection whose entries name their own key in `id`. */
export function idCollection<T extends { readonly id: string }>(
  definition: Omit<CollectionDefinition<T>, "parse">,
  shape: ZodType<T>,
): CollectionDefinition<T> {
  return {
    ...definition,
    parse: (value, id) => {
      const { data } = shape.safeParse(value);
      return data?.id === id ? data : null;
    },
  };
}

/** Entries of one kind, found by their secret text. */
export class SecretEntries<T extends SecretEntry> {
  readonly #options: SecretOptions<T>;

  constructor(options: SecretOptions<T>) {
    this.#options = options;
  }

  /** All of them, by id. */
  get entries(): RecordCollection<T> {
    return this.#options.store.collection(this.#options.collection);
  }

  /** Stores an entry under a new secret; returns its text, which cannot be read again. */
  async issue(
    id: string,
    complete: (hash: string) => T,
  ): Promise<{ readonly entry: T; readonly token: string }> {
    const { token, secret } = this.#options.format.create(id);
    const entry = complete(sha256(secret));
    await this.entries.put(id, entry);
    return { entry, token };
  }

  /** The entry of a text; null when it is unknown, used, revoked or expired. Takes the same time for any secret. */
  async find(token: string): Promise<T | null> {
    const parts = this.#options.format.parse(token);
    const entry = parts === null ? null : ((await this.entries.get(parts.id))?.value ?? null);
    if (parts === null || entry === null || !isSecretOf(parts.secret, entry.hash)) return null;
    const { expiresAt } = entry;
    return expiresAt === null || expiresAt > this.#options.clock.now() ? entry : null;
  }

  /**
   * Runs `work` for the entry of a text, which uses it up; an error gives it back. Null when the text is
   * not valid, as for the second of two concurrent requests.
   */
  async use<R>(token: string, work: (entry: T) => Promise<R>): Promise<R | null> {
    const entry = await this.find(token);
    if (entry === null || !(await this.entries.delete(entry.id))) return null;
    try {
      return await work(entry);
    } catch (error) {
      await this.entries.put(entry.id, entry);
      throw error;
    }
  }
}

/** `once_`: the log redacts such texts. The id finds the entry, the whole text proves the link. */
const ONCE = /^once_([0-9A-Za-z]{16,26})_[A-Za-z0-9_-]{43}$/;
/** The two halves of a token after its prefix. */
const HALVES = /^([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/;

/** Links that work once. */
export const onceFormat: SecretFormat = {
  create: (id) => {
    const token = `once_${id}_${createSecret()}`;
    return { token, secret: token };
  },
  parse: (token) => {
    const id = ONCE.exec(token)?.[1];
    return id === undefined ? null : { id, secret: token };
  },
};

/** Tokens of an id and a secret after a prefix. */
export function halvesFormat(prefix: string): SecretFormat {
  return {
    create: (id) => {
      const secret = createSecret();
      return { token: `${prefix}${id}_${secret}`, secret };
    },
    parse: (token) => {
      if (!token.startsWith(prefix)) return null;
      const [, id, secret] = HALVES.exec(token.slice(prefix.length)) ?? [];
      return id === undefined || secret === undefined ? null : { id, secret };
    },
  };
}
