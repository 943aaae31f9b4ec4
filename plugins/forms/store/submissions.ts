/** Stored submissions: one record each, in a collection per form. */
import type { CollectionDefinition, RecordCollection, RecordStore } from "#kernel";
import { z } from "zod";
import type { Submission } from "../contract.js";

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const DAY_MS = 86_400_000;

const stored: z.ZodType<Submission> = z.object({
  id: z.string().regex(ULID),
  form: z.string(),
  at: z.number(),
  lang: z.string(),
  page: z.string(),
  user: z.string().nullable(),
  spam: z.boolean(),
  values: z.record(z.string(), z.unknown()),
});

/** Which submissions of a form. */
export interface SubmissionsQuery {
  readonly limit: number;
  readonly offset: number;
  /** A text that one of the values contains, in any case; empty: all. */
  readonly q?: string;
  readonly spam?: boolean;
}

/** Submissions by form and id. */
export class Submissions {
  readonly #store: () => RecordStore;

  constructor(store: () => RecordStore) {
    this.#store = store;
  }

  /** Durable when it resolves. */
  async add(submission: Submission): Promise<void> {
    await this.#of(submission.form).put(submission.id, submission);
  }

  async get(form: string, id: string): Promise<Submission | null> {
    return (await this.#of(form).get(id))?.value ?? null;
  }

  delete(form: string, id: string): Promise<boolean> {
    return this.#of(form).delete(id);
  }

  /** All of a form, the newest first. */
  async all(form: string): Promise<readonly Submission[]> {
    const { items } = await this.#of(form).list();
    return items.map(({ value }) => value);
  }

  /** A part of them; `total` counts all that match. */
  async list(
    form: string,
    { limit, offset, q = "", spam }: SubmissionsQuery,
  ): Promise<{ items: readonly Submission[]; total: number }> {
    if (q === "" && spam === undefined) {
      const { items, total } = await this.#of(form).list({ limit: offset + limit });
      return { items: items.slice(offset).map(({ value }) => value), total };
    }
    const words = q.toLowerCase();
    const found = (await this.all(form)).filter(
      (one) =>
        (spam === undefined || one.spam === spam) &&
        (words === "" || JSON.stringify(Object.values(one.values)).toLowerCase().includes(words)),
    );
    return { items: found.slice(offset, offset + limit), total: found.length };
  }

  /** Deletes those that are older than `days` days, by whole days. */
  async prune(form: string, days: number, now: number): Promise<void> {
    await this.#of(form).prune(now - days * DAY_MS);
  }

  #of(form: string): RecordCollection<Submission> {
    const definition: CollectionDefinition<Submission> = {
      name: `forms-${form}`,
      key: ULID,
      byDay: true,
      parse: (value, key) => {
        const parsed = stored.safeParse(value);
        return parsed.success && parsed.data.id === key ? parsed.data : null;
      },
    };
    return this.#store().collection(definition);
  }
}
