import { randomBytes } from "node:crypto";
import { z } from "zod";
import { HttpError, type Clock } from "#kernel";
import type { RecordCollection, RecordStore } from "../../records/contract.js";
import { idCollection, SecretEntries, halvesFormat } from "../accounts/secret-entries.js";

const ID = /^[0-9a-f]{16}$/;
const MAX_LINKS = 1_000;

const shape = z.object({
  id: z.string().regex(ID),
  path: z.string(),
  /** SHA-256 of the secret half, hex. */
  hash: z.string().length(64),
  createdAt: z.number(),
  expiresAt: z.number(),
  createdBy: z.object({ id: z.string(), name: z.string() }),
  /** The moment of the site that is shown, as written; both null: the page with its working copy. */
  at: z.string().nullable().default(null),
  /** True: its creator may run code, and only then does it show a page that is code. */
  runsCode: z.boolean().default(false),
  rev: z.string().nullable().default(null),
});
type StoredLink = z.infer<typeof shape>;
/** A link that shows an unpublished page, or the site at a moment, to people without an account. Times in Unix ms. */
export type PreviewLink = Omit<StoredLink, "hash">;

const COLLECTION = idCollection<StoredLink>({ name: "preview-links", key: ID }, shape);

/** Preview links: only their digests are stored. */
export class PreviewLinks {
  readonly #entries: SecretEntries<StoredLink>;
  readonly #clock: Clock;

  constructor(store: RecordStore, clock: Clock) {
    this.#entries = new SecretEntries({
      store,
      clock,
      collection: COLLECTION,
      format: halvesFormat(""),
    });
    this.#clock = clock;
  }

  /** @throws HttpError 409 when too many exist. */
  async create(
    shows: Pick<PreviewLink, "path" | "at" | "rev" | "runsCode">,
    lifetimeMs: number,
    createdBy: PreviewLink["createdBy"],
  ): Promise<{ link: PreviewLink; token: string }> {
    if ((await this.list()).length >= MAX_LINKS) {
      throw new HttpError(409, `there are ${MAX_LINKS} preview links; revoke some`);
    }
    const id = randomBytes(8).toString("hex");
    const createdAt = this.#clock.now();
    const link = { ...shows, id, createdAt, expiresAt: createdAt + lifetimeMs, createdBy };
    const { token } = await this.#entries.issue(id, (hash) => ({ ...link, hash }));
    return { link, token };
  }

  /** The latest first. Deletes expired ones. */
  async list(): Promise<PreviewLink[]> {
    const { items } = await this.#links.list();
    const now = this.#clock.now();
    const links = items.map(({ value }) => value);
    const expired = links.filter(({ expiresAt }) => expiresAt <= now);
    await Promise.all(expired.map(({ id }) => this.#links.delete(id)));
    return links
      .filter(({ expiresAt }) => expiresAt > now)
      .map(shown)
      .toSorted((a, b) => b.createdAt - a.createdAt || a.id.localeCompare(b.id));
  }

  async get(id: string): Promise<PreviewLink | null> {
    const stored = await this.#links.get(id);
    return stored === null ? null : shown(stored.value);
  }

  /** False: missing. */
  revoke(id: string): Promise<boolean> {
    return this.#links.delete(id);
  }

  /** The link of this text; null when it is unknown, expired or revoked. */
  async find(token: string): Promise<PreviewLink | null> {
    const link = await this.#entries.find(token);
    return link === null ? null : shown(link);
  }

  get #links(): RecordCollection<StoredLink> {
    return this.#entries.entries;
  }
}

function shown({ hash: _, ...link }: StoredLink): PreviewLink {
  return link;
}
