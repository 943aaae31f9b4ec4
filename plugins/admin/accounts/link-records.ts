/** Records that a secret text opens: tokens, and links in mails. Only a digest of the secret is stored. */
import type { ZodType } from "zod";
import type { Clock } from "#kernel";
import { isSecretOf, sha256, createSecret } from "#lib/secrets";
import type {
  CollectionDefinition,
  RecordCollection,
  RecordStore,
} from "../../records/contract.js";

/** A record that a secret text opens. */
export interface LinkRecord {
  readonly id: string;
  /** SHA-256 of the secret, hex. */
  readonly hash: string;
  /** Unix ms; null: never. */
  readonly expiresAt: number | null;
}
/** The format of the secret texts of a kind of records. */
export interface LinkFormat {
  /** Makes the text of a record. */
  create(id: string): { readonly token: string; readonly secret: string };
  /** The id and the secret in a well-formed text; null for any other. */
  parse(token: string): { readonly id: string; readonly secret: string } | null;
}
/** The collection of a kind of records, and the format of their texts. */
export interface LinkOptions<T extends LinkRecord> {
  readonly store: RecordStore;
  readonly clock: Clock;
  readonly collection: CollectionDefinition<T>;
  readonly format: LinkFormat;
}

/** A collection whose records name their own key in `id`. */
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

/** Records of one kind, found by their secret text. */
export class LinkRecords<T extends LinkRecord> {
  readonly #options: LinkOptions<T>;

  constructor(options: LinkOptions<T>) {
    this.#options = options;
  }

  /** All of them, by id. */
  get records(): RecordCollection<T> {
    return this.#options.store.collection(this.#options.collection);
  }

  /** Stores a record under a new secret; returns its text, which cannot be read again. */
  async issue(
    id: string,
    complete: (hash: string) => T,
  ): Promise<{ readonly record: T; readonly token: string }> {
    const { token, secret } = this.#options.format.create(id);
    const record = complete(sha256(secret));
    await this.records.put(id, record);
    return { record, token };
  }

  /** The record of a text; null when it is unknown, used, revoked or expired. Takes the same time for any secret. */
  async find(token: string): Promise<T | null> {
    const parts = this.#options.format.parse(token);
    const record = parts === null ? null : ((await this.records.get(parts.id))?.value ?? null);
    if (parts === null || record === null || !isSecretOf(parts.secret, record.hash)) return null;
    const { expiresAt } = record;
    return expiresAt === null || expiresAt > this.#options.clock.now() ? record : null;
  }

  /**
   * Runs `work` for the record of a text, which uses it up; an error gives it back. Null when the text is
   * not valid, as for the second of two concurrent requests.
   */
  async use<R>(token: string, work: (record: T) => Promise<R>): Promise<R | null> {
    const record = await this.find(token);
    if (record === null || !(await this.records.delete(record.id))) return null;
    try {
      return await work(record);
    } catch (error) {
      await this.records.put(record.id, record);
      throw error;
    }
  }
}

/** `once_`: the log redacts such texts. The id finds the record, the whole text proves the link. */
const ONCE = /^once_([0-9A-Za-z]{16,26})_[A-Za-z0-9_-]{43}$/;
/** The two halves of a token after its prefix. */
const HALVES = /^([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/;

/** Links that work once. */
export const onceFormat: LinkFormat = {
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
export function halvesFormat(prefix: string): LinkFormat {
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
