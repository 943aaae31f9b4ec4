/** `POST /forms/{name}`, the pages of forms, and `GET /api/forms/{name}`. */
import { z } from "zod";
import { escapeHtml, type SiteContext } from "#kernel";
import { fieldsSchema } from "#lib/fields";
import { formHtml } from "../form-html.js";
import { MAX_BYTES, TOKEN_FIELD, TRAP_FIELD } from "./guard.js";
import { receive, type ReceiveDependencies, accepted, rejected } from "./receive.js";
import { formPage } from "./form-page.js";

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
      const lang = languageOf(site, query.lang);
      const form = forms.get(params["name"] ?? "", lang);
      const t = texts.of(lang);
      const hidden = await guard.fields({
        subject: `form:${form.name}`,
        page: "",
        id: `form-${form.name}`,
        trap: t("form.trap", "Leave this field empty"),
      });
      const html = formHtml({ form, t, hidden, action: `/forms/${form.name}` });
      const page = rootOf(site, lang);
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
      const lang = languageOf(site, query.lang);
      forms.get(params["name"] ?? "", lang);
      const t = texts.of(lang);
      const text = escapeHtml(t("form.thanks.text", "Your message has arrived."));
      const heading = t("form.thanks.title", "Thank you");
      const html = `<p>${text}</p>`;
      const page = rootOf(site, lang);
      const answer = await formPage(site, req, { heading, html, page });
      site.http.send(req, res, { ...answer, cache: { private: true } });
    },
  });
}

function languageOf(site: SiteContext, lang: string | undefined): string {
  const { supported, main } = site.use("content").languages;
  return lang !== undefined && supported.includes(lang) ? lang : main;
}

function rootOf(site: SiteContext, lang: string): string {
  return site.use("content").addresses.urlOf("/", lang);
}
