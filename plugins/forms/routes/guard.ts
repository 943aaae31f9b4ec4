/** The spam guard of forms: a signed token, a trap for programs, a limit per address. */
import type { Request } from "express";
import { escapeHtml, type SiteContext } from "#kernel";
import type { FormGuard, GuardObstacle, GuardVerdict, SentFields, Text } from "../contract.js";
import { formAgain } from "./form-page.js";
import { readToken, signToken } from "../guard/form-token.js";
import { isJsonBody, sentFields } from "./sent-fields.js";

/** Name of the hidden field with the token. */
export const TOKEN_FIELD = "_token";
/** Name of the trap: programs that fill in every field fill it in too. */
export const TRAP_FIELD = "_url";
const WINDOW_MS = 600_000;
const HOUR_MS = 3_600_000;
/** Clocks of several nodes differ. */
const SKEW_MS = 60_000;

/** Creates the guard of a site. */
export function createGuard(site: SiteContext): FormGuard {
  const { least_seconds, token_hours, limit } = site.settings.site.forms;
  const { clock } = site.runtime;
  const key = (): Promise<Buffer> => site.use("session").secret("forms");
  const token = async (subject: string, page: string): Promise<string> =>
    signToken({ subject, page, at: clock.now() }, await key());
  const judge = async (subject: string, sent: SentFields): Promise<GuardVerdict> => {
    const found = readToken(valueOf(sent, TOKEN_FIELD), await key());
    if (found === null || found.subject !== subject) return { verdict: "token", page: "" };
    const age = clock.now() - found.at;
    const isValid = age >= -SKEW_MS && age <= token_hours * HOUR_MS;
    return { verdict: isValid ? verdictOf(sent, age, least_seconds) : "token", page: found.page };
  };
  return {
    token,
    judge,
    fields: async ({ subject, page, trap, id }) => {
      const value = escapeHtml(await token(subject, page));
      const label = `<label for="${id}-url">${escapeHtml(trap)}</label>`;
      const input = `<input id="${id}-url" name="${TRAP_FIELD}" tabindex="-1" autocomplete="off">`;
      return `<input type="hidden" name="${TOKEN_FIELD}" value="${value}"><div class="form-trap" aria-hidden="true">${label}${input}</div>`;
    },
    renewAt: () => clock.now() + (token_hours * HOUR_MS) / 3,
    read: sentFields,
    obstacle: async (req, { subject, verdict, t }) => {
      const security = site.use("security");
      const client = security.clientKey(req.ctx.ip);
      const counted = await security.limit(`${subject}:${client}`, limit, WINDOW_MS);
      if (!counted.allowed) return tooMany(t, counted.retryAfterSeconds);
      return verdict === "token" || verdict === "early" ? refused(t, verdict) : null;
    },
    again: (req, form) => formAgain(site, req, form),
    wantsJson: (req: Request) => isJsonBody(req) || req.accepts(["html", "json"]) === "json",
  };
}

function tooMany(t: Text, retryAfter: number): GuardObstacle {
  const message = t("form.error.limit", "That was too often. Please wait a few minutes.");
  return { status: 429, code: "ERR_FORMS_LIMIT", message, retryAfter };
}

function refused(t: Text, verdict: "token" | "early"): GuardObstacle {
  const early = t("form.error.early", "That was very quick. Please send it again.");
  const token = t(
    "form.error.token",
    "Nothing has been sent yet. Please check your entries and send them again.",
  );
  const isEarly = verdict === "early";
  const code = isEarly ? "ERR_FORMS_EARLY" : "ERR_FORMS_TOKEN";
  return { status: 422, code, message: isEarly ? early : token, retryAfter: null };
}

function verdictOf(sent: SentFields, age: number, leastSeconds: number): "ok" | "spam" | "early" {
  const trap = valueOf(sent, TRAP_FIELD) ?? "";
  if (trap !== "") return "spam";
  return age < leastSeconds * 1_000 ? "early" : "ok";
}

function valueOf(sent: SentFields, name: string): unknown {
  return Object.hasOwn(sent, name) ? sent[name] : undefined;
}
