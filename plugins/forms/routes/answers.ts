/** Responses to visitors: the page with the form again, the thanks, or JSON. */
import type { Request, Response } from "express";
import { HttpError, safeNext, type SiteContext } from "#kernel";
import type { FormGuard } from "../contract.js";
import type { Form } from "../definition/form.js";
import { formHtml } from "../markup/form-html.js";
import type { FormTexts } from "../markup/form-texts.js";
import type { Received, Rejection } from "./receive.js";

/** What responses are made with. */
export interface AnswerParts {
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
  { site }: AnswerParts,
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

/** What was not accepted: JSON that names the fields, or the page with the form and its values. */
export async function rejected(
  parts: AnswerParts,
  { req, res }: Exchange,
  { form, lang, page, rejection }: Received & { rejection: Rejection },
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
