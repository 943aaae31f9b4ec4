/** Takes a submission: guard, fields, delivery. */
import type { Request } from "express";
import type { SiteContext } from "#kernel";
import { ulid } from "ulid";
import type { FormGuard, GuardObstacle, SentFields } from "../contract.js";
import type { Form } from "../definition/form.js";
import type { SiteForms } from "../definition/site-forms.js";
import { errorTexts } from "../markup/error-text.js";
import type { FormTexts } from "../markup/form-texts.js";
import type { Submissions } from "../store/submissions.js";
import { checkValues } from "../receive/check-values.js";
import { deliver } from "../receive/deliver.js";

/** What submissions are taken with. */
export interface ReceiveParts {
  readonly site: SiteContext;
  readonly forms: SiteForms;
  readonly submissions: Submissions;
  readonly guard: FormGuard;
  readonly texts: FormTexts;
}
/** A submission that was not accepted. */
export interface Rejection extends GuardObstacle {
  readonly errors: ReadonlyMap<string, string>;
  readonly sent: SentFields;
}
/** What became of a submission. */
export interface Received {
  readonly form: Form;
  readonly lang: string;
  /** Path of the page that showed the form; empty for none. */
  readonly page: string;
  /** Null: it was accepted. */
  readonly rejection: Rejection | null;
}

/** @throws HttpError 400, 404, 415, and what the delivery throws. */
export async function receive(parts: ReceiveParts, req: Request, name: string): Promise<Received> {
  const { guard, forms, texts } = parts;
  forms.get(name);
  const sent = await guard.read(req);
  const subject = `form:${name}`;
  const { verdict, page } = await guard.judge(subject, sent);
  const lang = texts.langOf(page);
  const form = forms.get(name, lang);
  const t = texts.of(lang);
  const obstacle = await guard.obstacle(req, { subject, verdict, t });
  if (obstacle !== null) {
    return { form, lang, page, rejection: { ...obstacle, errors: new Map(), sent } };
  }
  const { values, errors } = checkValues(form, sent);
  const isSpam = verdict === "spam";
  if (errors.length > 0 && !isSpam) {
    const message = t("form.check", "Please check these entries:");
    const invalid = { status: 422, code: "ERR_FORMS_INVALID", message, retryAfter: null } as const;
    const found = errorTexts(t, form.fields, errors);
    return { form, lang, page, rejection: { ...invalid, errors: found, sent } };
  }
  // A program that falls into the trap does not learn what is wrong.
  if (errors.length === 0) await keep(parts, req, { form, lang, page, values, isSpam });
  return { form, lang, page, rejection: null };
}

async function keep(
  parts: ReceiveParts,
  req: Request,
  given: Omit<Received, "rejection"> & {
    values: Readonly<Record<string, unknown>>;
    isSpam: boolean;
  },
): Promise<void> {
  const { form, lang, page, values, isSpam: spam } = given;
  const at = parts.site.runtime.clock.now();
  const user = accountOf(parts.site, req);
  await deliver(parts, form, { id: ulid(at), form: form.name, at, lang, page, user, spam, values });
}

/** A form that another site has sent is not from the account whose cookie came with it. */
function accountOf(site: SiteContext, req: Request): string | null {
  const user = req.ctx.state.siteUser;
  return user && !site.use("security").isFromElsewhere(req.headers) ? user.id : null;
}
