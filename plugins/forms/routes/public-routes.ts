/** `POST /forms/{name}`, the pages of forms, and `GET /api/forms/{name}`. */
import { z } from "zod";
import type { Request, Response } from "express";
import { ulid } from "ulid";
import { escapeHtml, type SiteContext, HttpError, safeNext } from "#kernel";
import { fieldsSchema } from "#lib/fields";
import { formHtml, type FormTexts } from "../form-html.js";
import { formPage } from "./form-page.js";
import { MAX_BYTES, TOKEN_FIELD, TRAP_FIELD } from "./guard.js";
import type { FormGuard, GuardObstacle, SentFields } from "../contract.js";
import type { Form } from "../form.js";
import type { SiteForms } from "../site-forms.js";
import { errorTexts, checkValues } from "../check-values.js";
import type { Submissions } from "../submissions.js";
import { deliver } from "../deliver.js";

const problem = z.object({ error: z.string() });
const invalid = z.object({
  error: z.string(),
  validationErrors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
});
const langQuery = z.object({
  lang: z.string().max(35).optional().describe("Language of the texts; default: that of the site"),
});
const formShape = z
  .object({
    name: z.string(),
    title: z.string(),
    schema: z.record(z.string(), z.unknown()).describe("JSON Schema of the fields"),
    fields: z.array(
      z.object({
        name: z.string(),
        type: z.string(),
        label: z.string(),
        help: z.string(),
        required: z.boolean(),
        options: z.array(z.object({ value: z.string(), label: z.string() })),
        when: z.record(z.string(), z.array(z.unknown())).nullable(),
      }),
    ),
    token: z.string().describe(`Sent back as ${TOKEN_FIELD}`),
    leastSeconds: z.number().describe("Wait this long between reading the form and sending it"),
    trap: z.string().describe("Name of a field that must stay empty"),
  })
  .meta({ id: "Form", description: "A form for visitors" });

/** Declares the routes. */
export function publicRoutes(site: SiteContext, parts: ReceiveDependencies): void {
  const { http } = site;
  http.jsonPrefix("/api/forms");
  http.route({
    method: "get",
    path: "/api/forms/:name",
    summary: "A form: its fields, and a token to send it with",
    query: langQuery,
    responses: { 200: formShape, 404: problem },
    handler: async (req, res, { params, query: { lang } }) => {
      const { name, title, fields } = parts.forms.get(params["name"] ?? "", lang);
      const body = {
        name,
        title,
        schema: fieldsSchema(fields),
        fields: fields.map(({ name: field, type, label, help, required, options, when }) => ({
          name: field,
          type,
          label,
          help,
          required,
          options,
          when,
        })),
        token: await parts.guard.token(`form:${name}`, ""),
        leastSeconds: site.settings.site.forms.least_seconds,
        trap: TRAP_FIELD,
      };
      await http.json(req, res, body, { cache: { private: true } });
    },
  });
  http.route({
    method: "post",
    path: "/forms/:name",
    summary: "Send a form; 303 to the page after it",
    body: { as: "raw", limit: MAX_BYTES },
    responses: {
      303: z.object({ ok: z.literal(true), thanks: z.string() }),
      422: invalid,
      ...Object.fromEntries([400, 404, 413, 415, 429].map((status) => [status, problem])),
    },
    handler: async (req, res, { params }) => {
      const received = await receive(parts, req, params["name"] ?? "");
      const { rejection } = received;
      if (rejection === null) return accepted(parts, { req, res }, received);
      return rejected(parts, { req, res }, received, rejection);
    },
  });
  pageRoutes(site, parts);
}

/** `GET /forms/{name}` and `GET /forms/{name}/thanks`, in the theme. */
function pageRoutes(site: SiteContext, parts: ReceiveDependencies): void {
  const { forms, guard, texts } = parts;
  site.http.route({
    method: "get",
    path: "/forms/:name",
    summary: "A page with the form",
    hidden: true,
    query: langQuery,
    handler: async (req, res, { params, query }) => {
      const lang = pickLanguage(site, query.lang);
      const form = forms.get(params["name"] ?? "", lang);
      const t = texts.of(lang);
      const hidden = await guard.fields({
        subject: `form:${form.name}`,
        page: "",
        id: `form-${form.name}`,
        trap: t("form.trap", "Leave this field empty"),
      });
      const html = formHtml({ form, t, hidden, action: `/forms/${form.name}` });
      const page = toHomeAddress(site, lang);
      const answer = await formPage(site, req, { heading: form.title, html, page });
      site.http.send(req, res, { ...answer, cache: { private: true } });
    },
  });
  site.http.route({
    method: "get",
    path: "/forms/:name/thanks",
    summary: "The page after a form",
    hidden: true,
    query: langQuery,
    handler: async (req, res, { params, query }) => {
      const lang = pickLanguage(site, query.lang);
      forms.get(params["name"] ?? "", lang);
      const t = texts.of(lang);
      const text = escapeHtml(t("form.thanks.text", "Your message has arrived."));
      const heading = t("form.thanks.title", "Thank you");
      const html = `<p>${text}</p>`;
      const page = toHomeAddress(site, lang);
      const answer = await formPage(site, req, { heading, html, page });
      site.http.send(req, res, { ...answer, cache: { private: true } });
    },
  });
}

function pickLanguage(site: SiteContext, lang: string | undefined): string {
  const { supported, main } = site.use("content").languages;
  return lang !== undefined && supported.includes(lang) ? lang : main;
}

function toHomeAddress(site: SiteContext, lang: string): string {
  return site.use("content").addresses.urlOf("/", lang);
}

/** Dependencies of receiving submissions. */
interface ReceiveDependencies {
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
async function receive(parts: ReceiveDependencies, req: Request, name: string): Promise<Received> {
  const { guard, forms, texts } = parts;
  forms.get(name);
  const sent = await guard.read(req);
  const subject = `form:${name}`;
  const { verdict, page } = await guard.judge(subject, sent);
  const lang = texts.findLanguage(page);
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
    const messages = errorTexts(t, form.fields, errors);
    return { form, lang, page, rejection: { ...invalid, errors: messages, sent } };
  }
  // A program that falls into the trap does not learn what is wrong.
  if (errors.length === 0) {
    const at = parts.site.runtime.clock.now();
    const user = findAccount(parts.site, req);
    const submission = { id: ulid(at), form: name, at, lang, page, user, spam: isSpam, values };
    await deliver(parts, form, submission);
  }
  return { form, lang, page, rejection: null };
}

/** A form that another site has sent is not from the account whose cookie came with it. */
function findAccount(site: SiteContext, req: Request): string | null {
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
async function accepted(
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
async function rejected(
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
