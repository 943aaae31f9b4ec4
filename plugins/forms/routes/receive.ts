/** Takes a submission (guard, fields, delivery), and answers it: the thanks, the page with the form again, or JSON. */
import type { Request, Response } from "express";
import { ulid } from "ulid";
import { type SiteContext, HttpError, safeNext } from "#kernel";
import type { FormGuard, GuardObstacle, SentFields } from "../contract.js";
import type { Form } from "../form.js";
import type { SiteForms } from "../site-forms.js";
import { errorTexts, checkValues } from "../check-values.js";
import { type FormTexts, formHtml } from "../form-html.js";
import type { Submissions } from "../submissions.js";
import { deliver } from "../deliver.js";

/** Dependencies of receiving submissions. */
export interface ReceiveDependencies {
  readonly site: SiteContext;
  readonly forms: SiteForms;
  readonly submissions: Submissions;
  readonly guard: FormGuard;
  readonly texts: FormTexts;
}
/** A submission that was not accepted. */
interface Rejection extends GuardObstacle {
  readonly errors: ReadonlyMap<string, string>;
  readonly sent: SentFields;
}
/** The outcome of a submission. */
interface Received {
  readonly form: Form;
  readonly lang: string;
  /** Path of the page that showed the form; empty for none. */
  readonly page: string;
  /** Null: it was accepted. */
  readonly rejection: Rejection | null;
}

/** @throws HttpError 400, 404, 415, and what the delivery throws. */
export async function receive(
  parts: ReceiveDependencies,
  req: Request,
  name: string,
): Promise<Received> {
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
  if (errors.length === 0) {
    const at = parts.site.runtime.clock.now();
    const user = accountOf(parts.site, req);
    const submission = { id: ulid(at), form: name, at, lang, page, user, spam: isSpam, values };
    await deliver(parts, form, submission);
  }
  return { form, lang, page, rejection: null };
}

/** A form that another site has sent is not from the account whose cookie came with it. */
function accountOf(site: SiteContext, req: Request): string | null {
  const user = req.ctx.state.siteUser;
  return user && !site.use("security").isFromElsewhere(req.headers) ? user.id : null;
}

/** Dependencies of responses. */
interface AnswerDependencies {
  readonly site: SiteContext;
  readonly guard: FormGuard;
  readonly texts: FormTexts;
}
interface Exchange {
  readonly req: Request;
  readonly res: Response;
}
const PRIVATE = { "Cache-Control": "private, no-store" };

/** 303 to the page after the form. */
export async function accepted(
  { site }: AnswerDependencies,
  { req, res }: Exchange,
  { form, lang }: Received,
): Promise<void> {
  const to = thanksPath(site, form, lang);
  const headers = { ...PRIVATE, Location: to };
  await site.http.json(req, res, { ok: true, thanks: to }, { status: 303, headers });
}

/** The page after a form, in the language of the visitor. */
function thanksPath(site: SiteContext, { name, thanks }: Form, lang: string): string {
  const { addresses, languages } = site.use("content");
  if (thanks === null) {
    const query = lang === languages.main ? "" : `?lang=${encodeURIComponent(lang)}`;
    return `/forms/${name}/thanks${query}`;
  }
  const { route, lang: written } = addresses.parse(thanks);
  const isPlain = !/[?#]/.test(thanks) && written === null;
  const entry = isPlain ? site.use("content").view().page(route, lang) : undefined;
  return safeNext(entry === undefined ? thanks : site.use("content").addressIn(entry, lang));
}

/** Answers what was not accepted: with JSON that names the fields, or the page with the form and its values. */
export async function rejected(
  parts: AnswerDependencies,
  { req, res }: Exchange,
  { form, lang, page }: Received,
  rejection: Rejection,
): Promise<void> {
  const { status, message, errors, code, retryAfter, sent } = rejection;
  const headers = {
    ...PRIVATE,
    ...(retryAfter !== null && { "Retry-After": String(retryAfter) }),
  };
  if (parts.guard.wantsJson(req)) {
    const validationErrors = [...errors].map(([field, text]) => ({ field, message: text }));
    throw new HttpError(status, jsonMessage(message, [...errors.keys()]), {
      code,
      headers,
      ...(errors.size > 0 && { validationErrors }),
    });
  }
  const hidden = await parts.guard.fields({
    subject: `form:${form.name}`,
    page,
    id: `form-${form.name}`,
    trap: parts.texts.of(lang)("form.trap", "Leave this field empty"),
  });
  const html = formHtml({
    form,
    hidden,
    errors,
    message,
    t: parts.texts.of(lang),
    values: sent,
    action: `/forms/${form.name}`,
  });
  const again = { page, name: form.name, heading: form.title, html };
  const answer = await parts.guard.again(req, again);
  const { cache: _cache, ...rest } = answer;
  parts.site.http.send(req, res, {
    ...rest,
    status,
    cache: { private: true },
    headers: { ...answer.headers, ...headers },
  });
}

function jsonMessage(message: string, fields: readonly string[]): string {
  return fields.length === 0 ? message : `${message} ${fields.join(", ")}`;
}
