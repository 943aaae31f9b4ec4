/** Stored submissions, one record each in a collection per form: by account, and until they expire. */
import { z } from "zod";
import { engineFailureFields, type SiteContext } from "#kernel";
import type { CollectionDefinition, RecordCollection, RecordStore } from "../records/contract.js";
import type { Submission, FormsService } from "./contract.js";
import type { PersonalData } from "../auth/contract.js";
import type { SiteForms } from "./site-forms.js";

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

/** Selects submissions of a form. */
interface SubmissionsQuery {
  readonly limit: number;
  readonly offset: number;
  /** A text that one of the values contains, in any case; empty: all. */
  readonly q?: string;
  readonly spam?: boolean;
}

/** Submissions by form and id. */
export class Submissions {
  readonly #store: RecordStore;

  constructor(store: RecordStore) {
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
    const matches = (await this.all(form)).filter(
      (one) =>
        (spam === undefined || one.spam === spam) &&
        (words === "" || JSON.stringify(Object.values(one.values)).toLowerCase().includes(words)),
    );
    return { items: matches.slice(offset, offset + limit), total: matches.length };
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
    return this.#store.collection(definition);
  }
}

const PRUNE_EVERY_MS = 6 * 3_600_000;

/** Finds and deletes what an account has sent. */
export function ofAccount(
  forms: SiteForms,
  submissions: Submissions,
): Pick<FormsService, "submissionsOf" | "deleteOf"> {
  const findSubmissions = async (userId: string): Promise<readonly Submission[]> => {
    const collected: Submission[] = [];
    for (const name of forms.names) {
      collected.push(...(await submissions.all(name)).filter(({ user }) => user === userId));
    }
    return collected.toSorted((a, b) => b.at - a.at);
  };
  return {
    submissionsOf: findSubmissions,
    deleteOf: async (userId) => {
      const ofUser = await findSubmissions(userId);
      for (const { form, id } of ofUser) await submissions.delete(form, id);
      return ofUser.length;
    },
  };
}

/** Submissions for the export and the deletion of accounts. */
export function formsData(forms: SiteForms, submissions: Submissions): PersonalData {
  const { submissionsOf, deleteOf } = ofAccount(forms, submissions);
  return {
    fate: { deleted: "forms that you have sent while logged in" },
    export: ({ id }) => submissionsOf(id),
    erase: async ({ id }) => void (await deleteOf(id)),
  };
}

/** Deletes expired submissions at startup and every six hours. */
export function keepPruned(site: SiteContext, forms: SiteForms, submissions: Submissions): void {
  const prune = async (): Promise<void> => {
    for (const name of forms.names) {
      const days = forms.find(name)?.retentionDays ?? null;
      if (days !== null) await submissions.prune(name, days, site.runtime.clock.now());
    }
  };
  const run = (): void => {
    prune().catch((error: unknown) => {
      site.log.warn("forms.prune_failed", engineFailureFields(error));
    });
  };
  site.lifecycle.afterReady(run);
  const timer = setInterval(run, PRUNE_EVERY_MS).unref();
  site.lifecycle.onClose(() => clearInterval(timer));
}
