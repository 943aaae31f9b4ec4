/** Stores, mails and announces accepted submissions. */
import { engineFailureFields, type Field, type SiteContext } from "#kernel";
import type {} from "../email/contract.js";
import type {} from "../webhooks/contract.js";
import type { Submission } from "./contract.js";
import type { Form } from "./form.js";
import type { Submissions } from "./submissions.js";

/** Dependencies of a delivery. */
interface DeliveryDependencies {
  readonly site: SiteContext;
  readonly submissions: Submissions;
}

/**
 * Delivers a submission; resolves when everything is stored or queued. When a part fails, the others still
 * run: the failure is logged, and thrown only when none of them has kept the submission.
 */
export async function deliver(
  { site, submissions }: DeliveryDependencies,
  form: Form,
  submission: Submission,
): Promise<void> {
  const work = [
    ...(form.store ? [submissions.add(submission)] : []),
    ...(submission.spam ? [] : announcements(site, form, submission)),
  ];
  const results = await Promise.allSettled(work);
  const failures = results.flatMap((result): unknown[] =>
    result.status === "rejected" ? [result.reason] : [],
  );
  for (const error of failures) {
    site.log.error("forms.delivery_failed", { form: form.name, ...engineFailureFields(error) });
  }
  if (failures.length > 0 && failures.length === work.length) throw failures[0];
  if (!submission.spam) site.hooks.notify("onFormSubmit", submission);
}

function announcements(site: SiteContext, form: Form, submission: Submission): Promise<void>[] {
  const webhooks = form.webhook ? site.use("webhooks", { optional: true }) : undefined;
  return [
    ...mails(site, form, submission),
    ...(webhooks === undefined
      ? []
      : [webhooks.tell([{ event: "onFormSubmit", payload: { ...submission } }])]),
  ];
}

function mails(site: SiteContext, form: Form, { values, page, at }: Submission): Promise<void>[] {
  const email = site.use("email", { optional: true });
  if (form.mail === null || email === undefined) return [];
  const { to, replyTo } = form.mail;
  const answerTo = replyTo === null ? null : email.parseAddress(values[replyTo]);
  const { title, url } = site.settings.site;
  const about = [`${form.title}, ${title}`, `${url}${page}`, new Date(at).toISOString()];
  const message = {
    to,
    subject: mailSubject(form, values),
    text: mailText(form, values, about),
    ...(answerTo !== null && { replyTo: answerTo }),
  };
  return [email.send(message)];
}

/** Finds what is wrong with the delivery of a form on this site. */
export function deliveryMistakes(site: SiteContext, form: Form) {
  const mistakes: { path: string[]; message: string; fix: string; severity: "warning" }[] = [];
  const note = (key: string, message: string, fix: string): void =>
    void mistakes.push({ path: [key], message, fix, severity: "warning" });
  // An export sends nothing.
  if (site.lifecycle.purpose === "export") return mistakes;
  if (form.mail !== null && site.use("email", { optional: true }) === undefined) {
    note("mail", "the site cannot send mail", "select the plugin email and set `email`");
  }
  if (form.webhook && site.use("webhooks", { optional: true }) === undefined) {
    note("webhook", "the site sends no webhooks", "select the plugin webhooks");
  }
  if (!form.store && !form.webhook && form.mail === null) {
    note("store", "submissions are neither stored nor sent", "set `store`, `mail` or `webhook`");
  }
  return mistakes;
}

type Values = Readonly<Record<string, unknown>>;
const MAX_SUBJECT = 200;

/** The subject with `{{field}}` replaced by its value; one line. */
function mailSubject(form: Form, values: Values): string {
  const pattern = form.mail?.subject ?? "";
  const subject = pattern === "" ? form.title : pattern;
  const filled = subject.replaceAll(/\{\{\s*([\w-]{1,64})\s*\}\}/g, (_, name: string) =>
    Object.hasOwn(values, name) ? valueText(values[name]) : "",
  );
  return (
    filled
      .replaceAll(/\p{C}+/gu, " ")
      .trim()
      .slice(0, MAX_SUBJECT) || form.title
  );
}

/** The values with their labels, as text. */
function mailText(form: Form, values: Values, about: readonly string[]): string {
  const lines = form.fields
    .filter(({ name }) => Object.hasOwn(values, name))
    .map(({ name, label, options }) => {
      const text = valueText(values[name], options);
      return text.includes("\n") ? `${label}:\n\n${text}\n` : `${label}: ${text}`;
    });
  return `${[...lines, "", "-- ", ...about].join("\n")}\n`;
}

/** A value as text; of choices their labels. */
export function valueText(value: unknown, options: Field["options"] = []): string {
  if (Array.isArray(value)) return value.map((one) => valueText(one, options)).join(", ");
  if (typeof value === "boolean") return value ? "✓" : "–";
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  return options.find((option) => option.value === text)?.label ?? text;
}
