/** Submissions in the admin API, as JSON and as CSV. */
import { z } from "zod";
import { HttpError, type SiteContext } from "#kernel";
import { formatCsv } from "#lib/text";
import type { AdminService } from "../../admin/contract.js";
import type { Form } from "../form.js";
import type { SiteForms } from "../site-forms.js";
import type { Submissions } from "../submissions.js";
import type { Submission } from "../contract.js";
import { valueText } from "../deliver.js";

const problem = z.object({ error: z.string() });
const submission = z
  .object({
    id: z.string(),
    form: z.string(),
    at: z.number().describe("Unix ms"),
    lang: z.string(),
    page: z.string(),
    user: z.string().nullable(),
    spam: z.boolean(),
    values: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "FormSubmission", description: "A stored submission of a form" });
const formRow = z.object({
  name: z.string(),
  title: z.string(),
  store: z.boolean(),
  retentionDays: z.number().nullable(),
  fields: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      options: z.array(z.object({ value: z.string(), label: z.string() })),
    }),
  ),
  total: z.int(),
  lastAt: z.number().nullable(),
});
const whole = (max: number) =>
  z
    .string()
    .regex(/^\d{1,7}$/, { error: "a whole number" })
    .transform(Number)
    .refine((value) => value <= max, { error: `at most ${max}` });
const listQuery = z.object({
  limit: whole(200)
    .refine((value) => value > 0, { error: "at least 1" })
    .optional()
    .describe("Default 50"),
  offset: whole(1_000_000).optional(),
  q: z.string().max(200).optional().describe("A text in one of the values"),
  spam: z.enum(["true", "false"]).optional(),
});

/** Dependencies of the routes. */
interface AdminRoutesDependencies {
  readonly site: SiteContext;
  readonly forms: SiteForms;
  readonly submissions: Submissions;
}

/** Declares the routes; without the plugin admin there are none. */
export function adminRoutes(parts: AdminRoutesDependencies): void {
  const admin = parts.site.use("admin", { optional: true });
  if (admin === undefined) return;
  listRoutes(parts, admin);
  oneRoutes(parts, admin);
}

function listRoutes(
  { site, forms, submissions }: AdminRoutesDependencies,
  admin: AdminService,
): void {
  admin.route({
    method: "get",
    path: "/forms",
    permission: "submissions.read",
    summary: "The forms of the site, with the number of their submissions",
    responses: { 200: z.object({ items: z.array(formRow), total: z.int() }) },
    handler: async (req, res) => {
      const items = await Promise.all(
        forms.names.map(async (name) => {
          const { title, store, retentionDays, fields } = forms.get(name);
          const { items: newest, total } = await submissions.list(name, { limit: 1, offset: 0 });
          return {
            name,
            title,
            store,
            retentionDays,
            total,
            lastAt: newest[0]?.at ?? null,
            fields: fields.map(({ name: field, label, options }) => ({
              name: field,
              label,
              options: [...options],
            })),
          };
        }),
      );
      await site.http.json(req, res, { items, total: items.length });
    },
  });
  admin.route({
    method: "get",
    path: "/forms/:name/submissions",
    permission: "submissions.read",
    summary: "Submissions of a form, the newest first",
    query: listQuery,
    responses: {
      200: z.object({ items: z.array(submission), total: z.int() }),
      404: problem,
    },
    handler: async (req, res, { params, query: { limit = 50, offset = 0, q = "", spam } }) => {
      const { name } = findForm(forms, params);
      const only = spam === undefined ? {} : { spam: spam === "true" };
      const page = await submissions.list(name, { limit, offset, q, ...only });
      await site.http.json(req, res, page);
    },
  });
  admin.route({
    method: "get",
    path: "/forms/:name/submissions.csv",
    permission: "submissions.read",
    summary: "All submissions of a form as CSV",
    responses: { 200: null, 404: problem },
    handler: async (req, res, { params, identity }) => {
      const form = findForm(forms, params);
      const body = submissionsCsv(form, await submissions.all(form.name));
      const target = { type: "submission", id: form.name };
      admin.audit({ event: "submission.export", actor: identity, ip: req.ctx.ip, target });
      site.http.send(req, res, {
        type: "text/csv; charset=utf-8",
        body,
        cache: { private: true },
        headers: { "Content-Disposition": `attachment; filename="${form.name}.csv"` },
      });
    },
  });
}

function oneRoutes(
  { site, forms, submissions }: AdminRoutesDependencies,
  admin: AdminService,
): void {
  admin.route({
    method: "get",
    path: "/forms/:name/submissions/:id",
    permission: "submissions.read",
    summary: "One submission",
    responses: { 200: submission, 404: problem },
    handler: async (req, res, { params }) => {
      const { name } = findForm(forms, params);
      const submission = await submissions.get(name, params["id"] ?? "");
      if (submission === null) throw noSubmission();
      await site.http.json(req, res, submission);
    },
  });
  admin.route({
    method: "delete",
    path: "/forms/:name/submissions/:id",
    // There is no trash for submissions: reading them is not enough.
    permission: "flex.write",
    summary: "Delete a submission",
    responses: { 200: z.object({ deleted: z.literal(true), id: z.string() }), 404: problem },
    handler: async (req, res, { params, identity }) => {
      const { name } = findForm(forms, params);
      const id = params["id"] ?? "";
      if (!(await submissions.delete(name, id))) throw noSubmission();
      const target = { type: "submission", id: `${name}/${id}` };
      admin.audit({ event: "submission.delete", actor: identity, ip: req.ctx.ip, target });
      await site.http.json(req, res, { deleted: true, id });
    },
  });
}

function findForm(forms: SiteForms, { name = "" }: Readonly<Record<string, string>>): Form {
  return forms.get(name);
}

function noSubmission(): HttpError {
  return new HttpError(404, "there is no such submission", { code: "ERR_FORMS_SUBMISSION" });
}

/** One line per submission; the columns are the fields of the form, then those it had before. */
function submissionsCsv(form: Form, submissions: readonly Submission[]): string {
  const declared = form.fields.map(({ name }) => name);
  const others = new Set(submissions.flatMap(({ values }) => Object.keys(values)));
  const names = [...declared, ...[...others].filter((name) => !declared.includes(name)).sort()];
  const head = ["id", "at", "lang", "page", "user", "spam", ...names];
  const rows = submissions.map(({ id, at, lang, page, user, spam, values }) => [
    id,
    new Date(at).toISOString(),
    lang,
    page,
    user ?? "",
    String(spam),
    ...names.map((name) => (Object.hasOwn(values, name) ? csvText(values[name]) : "")),
  ]);
  return formatCsv([head, ...rows]);
}

function csvText(value: unknown): string {
  return typeof value === "boolean" ? String(value) : valueText(value);
}
