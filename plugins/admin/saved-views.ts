import { randomBytes } from "node:crypto";
import { z } from "zod";
import { HttpError, type SiteContext } from "#kernel";
import type { RecordCollection } from "../records/contract.js";
import { idCollection } from "./accounts/secret-entries.js";

const ID = /^[0-9a-f]{16}$/;
/** Views of one account; shared ones count for who created them. */
const MAX_OF_OWNER = 50;

const shape = z.object({
  id: z.string().regex(ID),
  name: z.string(),
  /** Filters, sorting and columns as the address of the list has them. */
  query: z.record(z.string(), z.string()),
  isShared: z.boolean(),
  owner: z.object({ id: z.string(), name: z.string() }),
});
/** A saved view of the list of pages. */
export type SavedView = Readonly<z.infer<typeof shape>>;
const COLLECTION = idCollection<SavedView>({ name: "page-views", key: ID }, shape);

/** The saved views of all accounts. The own ones of a deleted account are deleted; shared ones stay. */
export class SavedViews {
  readonly #collection: RecordCollection<SavedView>;

  constructor(site: SiteContext) {
    this.#collection = site.use("records").collection(COLLECTION);
    site.hooks.on("onUserDelete", async ({ data }) => {
      for (const { id, isShared } of await this.#ofOwner(data.user.id))
        if (!isShared) await this.#collection.delete(id);
    });
  }

  /** The views that an account sees, by name: its own and the shared ones. */
  async listFor(ownerId: string): Promise<SavedView[]> {
    const all = await this.#list();
    return all
      .filter(({ owner, isShared }) => isShared || owner.id === ownerId)
      .toSorted((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id));
  }

  /** Null without such a view. */
  async get(id: string): Promise<SavedView | null> {
    return ID.test(id) ? ((await this.#collection.get(id))?.value ?? null) : null;
  }

  /** @throws HttpError 409 when its owner has too many. */
  async create(view: Omit<SavedView, "id">): Promise<SavedView> {
    const { length } = await this.#ofOwner(view.owner.id);
    if (length >= MAX_OF_OWNER) {
      const message = `you have ${length} saved views, at most ${MAX_OF_OWNER} are allowed; delete some`;
      throw new HttpError(409, message);
    }
    const created = { ...view, id: randomBytes(8).toString("hex") };
    await this.#collection.put(created.id, created);
    return created;
  }

  /** Replaces the view that has this id. */
  async replace(view: SavedView): Promise<void> {
    await this.#collection.put(view.id, view);
  }

  /** False: missing. */
  remove(id: string): Promise<boolean> {
    return this.#collection.delete(id);
  }

  async #ofOwner(id: string): Promise<SavedView[]> {
    return (await this.#list()).filter(({ owner }) => owner.id === id);
  }

  async #list(): Promise<SavedView[]> {
    const { items } = await this.#collection.list();
    return items.map(({ value }) => value);
  }
}
