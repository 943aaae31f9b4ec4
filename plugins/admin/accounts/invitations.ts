import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Clock } from "#kernel";
import type { RecordCollection, RecordStore } from "../../records/contract.js";
import { idCollection, LinkRecords, onceFormat } from "./link-records.js";

/** Lifetime of an invitation. */
export const INVITATION_DAYS = 7;
const DAY_MS = 86_400_000;
/** An expired invitation is listed this long, to be sent again. */
const KEPT_MS = 30 * DAY_MS;
const ID = /^[0-9a-f]{16}$/;

const shape = z.object({
  id: z.string().regex(ID),
  email: z.string(),
  role: z.string(),
  /** SHA-256 of the link's token, hex. */
  hash: z.string().length(64),
  createdAt: z.number(),
  expiresAt: z.number(),
  invitedBy: z.object({ id: z.string(), name: z.string() }),
});
/** An invitation as it is stored. Times are Unix ms. */
export type Invitation = z.infer<typeof shape>;

const COLLECTION = idCollection<Invitation>({ name: "invitations", key: ID }, shape);

/** Invitations to the panel, each accepted at most once. */
export class Invitations {
  readonly #links: LinkRecords<Invitation>;
  readonly #clock: Clock;

  constructor(store: RecordStore, clock: Clock) {
    this.#links = new LinkRecords({ store, clock, collection: COLLECTION, format: onceFormat });
    this.#clock = clock;
  }

  /** Replaces earlier invitations of the address. Returns the token of the link. */
  async create(
    invited: Pick<Invitation, "email" | "role" | "invitedBy">,
  ): Promise<{ invitation: Invitation; token: string }> {
    for (const { id, email } of await this.list()) {
      if (email === invited.email) await this.revoke(id);
    }
    return this.#write({ ...invited, id: randomBytes(8).toString("hex") });
  }

  /** A new link for the same person; the former one ends. Null: no such invitation. */
  async renew(id: string): Promise<{ invitation: Invitation; token: string } | null> {
    const stored = await this.#records.get(id);
    // Taken first: an invitation that is accepted meanwhile must not come back.
    if (stored === null || !(await this.#records.delete(id))) return null;
    return this.#write(stored.value);
  }

  /** The newest first; also those that expired lately. */
  async list(): Promise<readonly Invitation[]> {
    const now = this.#clock.now();
    const { items } = await this.#records.list();
    const all = items.map(({ value }) => value);
    for (const { id, expiresAt } of all) {
      if (expiresAt + KEPT_MS <= now) await this.revoke(id);
    }
    return all
      .filter(({ expiresAt }) => expiresAt + KEPT_MS > now)
      .toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1));
  }

  /** False: no such invitation. */
  revoke(id: string): Promise<boolean> {
    return this.#records.delete(id);
  }

  /** The invitation of a link; null when the link is unknown, used, revoked or expired. */
  find(token: string): Promise<Invitation | null> {
    return this.#links.find(token);
  }

  /**
   * Runs `work` for the invitation of a link, which is used up then; an error gives it back. Null when
   * the link is not valid, as for the second of two concurrent requests.
   */
  accept<T>(token: string, work: (invitation: Invitation) => Promise<T>): Promise<T | null> {
    return this.#links.use(token, work);
  }

  async #write(
    invited: Pick<Invitation, "id" | "email" | "role" | "invitedBy">,
  ): Promise<{ invitation: Invitation; token: string }> {
    const { id, email, role, invitedBy } = invited;
    const createdAt = this.#clock.now();
    const expiresAt = createdAt + INVITATION_DAYS * DAY_MS;
    const { record, token } = await this.#links.issue(id, (hash) => {
      return { id, email, role, hash, createdAt, expiresAt, invitedBy };
    });
    return { invitation: record, token };
  }

  get #records(): RecordCollection<Invitation> {
    return this.#links.records;
  }
}
