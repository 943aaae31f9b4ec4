import { randomBytes } from "node:crypto";
import { z } from "zod";
import { HttpError, type Clock } from "#kernel";
import {
  createSecret,
  isSecretOf,
  sha256,
  type CollectionDefinition,
  type RecordCollection,
  type RecordStore,
} from "#kernel/internal";

const TOKEN = /^([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/;
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
  rev: z.string().nullable().default(null),
});
type StoredLink = z.infer<typeof shape>;
/** A link that shows an unpublished page, or the site at a moment, to people without an account. Times in Unix ms. */
export type PreviewLink = Omit<StoredLink, "hash">;

const COLLECTION: CollectionDefinition<StoredLink> = {
  name: "preview-links",
  key: ID,
  parse: (value, id) => {
    const { data } = shape.safeParse(value);
    return data?.id === id ? data : null;
  },
};

/** Preview links: only their digests are stored. */
export class PreviewLinks {
  readonly #store: () => RecordStore;
  readonly #clock: Clock;

  constructor(store: () => RecordStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** @throws HttpError 409 when too many exist. */
  async create(
    shows: Pick<PreviewLink, "path" | "at" | "rev">,
    lifetimeMs: number,
    createdBy: PreviewLink["createdBy"],
  ): Promise<{ link: PreviewLink; token: string }> {
    if ((await this.list()).length >= MAX_LINKS) {
      throw new HttpError(409, `there are ${MAX_LINKS} preview links; revoke some`);
    }
    const id = randomBytes(8).toString("hex");
    const secret = createSecret();
    const createdAt = this.#clock.now();
    const link = { ...shows, id, createdAt, expiresAt: createdAt + lifetimeMs, createdBy };
    await this.#links.put(id, { ...link, hash: sha256(secret) });
    return { link, token: `${id}_${secret}` };
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
    const [, id, secret] = TOKEN.exec(token) ?? [];
    if (id === undefined || secret === undefined) return null;
    const link = (await this.#links.get(id))?.value ?? null;
    if (link === null || link.expiresAt <= this.#clock.now()) return null;
    return isSecretOf(secret, link.hash) ? shown(link) : null;
  }

  get #links(): RecordCollection<StoredLink> {
    return this.#store().collection(COLLECTION);
  }
}

function shown({ hash: _, ...link }: StoredLink): PreviewLink {
  return link;
}
