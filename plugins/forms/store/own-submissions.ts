/** Submissions of one account, and their retention. */
import type { SiteContext } from "#kernel";
import { engineFailureFields } from "#kernel/internal";
import type { PersonalData } from "../../auth/contract.js";
import type { FormsService, Submission } from "../contract.js";
import type { SiteForms } from "../definition/site-forms.js";
import type { Submissions } from "./submissions.js";

const PRUNE_EVERY_MS = 6 * 3_600_000;

/** What an account has sent. */
export function ofAccount(
  forms: SiteForms,
  submissions: Submissions,
): Pick<FormsService, "submissionsOf" | "deleteOf"> {
  const submissionsOf = async (userId: string): Promise<readonly Submission[]> => {
    const found: Submission[] = [];
    for (const name of forms.names) {
      found.push(...(await submissions.all(name)).filter(({ user }) => user === userId));
    }
    return found.toSorted((a, b) => b.at - a.at);
  };
  return {
    submissionsOf,
    deleteOf: async (userId) => {
      const found = await submissionsOf(userId);
      for (const { form, id } of found) await submissions.delete(form, id);
      return found.length;
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
