/** The spam guard of forms: a signed token, a trap for programs, a limit per address. */
import { createHmac } from "node:crypto";
import type { Request } from "express";
import { z } from "zod";
import { escapeHtml, type SiteContext, constantTimeEqual, HttpError, jsonBody } from "#kernel";
import type { FormGuard, GuardObstacle, GuardVerdict, SentFields, Text } from "../contract.js";
import { formAgain } from "./form-page.js";

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
    const read = readToken(readValue(sent, TOKEN_FIELD), await key());
    if (read === null || read.subject !== subject) return { verdict: "token", page: "" };
    const age = clock.now() - read.at;
    const isValid = age >= -SKEW_MS && age <= token_hours * HOUR_MS;
    return { verdict: isValid ? judgeFields(sent, age, least_seconds) : "token", page: read.page };
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
    wantsJson: (req: Request) =>
      JSON_TYPE.test(req.headers["content-type"] ?? "") || req.accepts(["html", "json"]) === "json",
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

function judgeFields(sent: SentFields, age: number, leastSeconds: number): "ok" | "spam" | "early" {
  const trap = readValue(sent, TRAP_FIELD) ?? "";
  if (trap !== "") return "spam";
  return age < leastSeconds * 1_000 ? "early" : "ok";
}

function readValue(sent: SentFields, name: string): unknown {
  return Object.hasOwn(sent, name) ? sent[name] : undefined;
}

const MAX_LENGTH = 4_096;
const payloadShape = z.tuple([z.string(), z.string(), z.number()]);

/** The content of a token. */
interface FormToken {
  /** Names what is sent with it: `form:contact`. */
  readonly subject: string;
  /** Path of the page that shows the form; empty for a program. */
  readonly page: string;
  /** Unix ms at which the page was made. */
  readonly at: number;
}

/** `<payload>.<HMAC-SHA256>`, both base64url. */
function signToken({ subject, page, at }: FormToken, key: Buffer): string {
  const payload = Buffer.from(JSON.stringify([subject, page, at])).toString("base64url");
  return `${payload}.${sign(payload, key)}`;
}

/** Reads a token of this site; null for any other text. */
function readToken(text: unknown, key: Buffer): FormToken | null {
  if (typeof text !== "string" || text.length > MAX_LENGTH) return null;
  const [payload = "", signature = "", ...rest] = text.split(".");
  if (rest.length > 0 || !constantTimeEqual(signature, sign(payload, key))) return null;
  const said = payloadShape.safeParse(JSON.parse(Buffer.from(payload, "base64url").toString()));
  if (!said.success) return null;
  const [subject, page, at] = said.data;
  return { subject, page, at };
}

function sign(payload: string, key: Buffer): string {
  return createHmac("sha256", key).update(payload).digest("base64url");
}

/** Bytes of a body. */
export const MAX_BYTES = 262_144;
const MAX_FIELDS = 500;
const URLENCODED = /^application\/x-www-form-urlencoded\b/i;
const MULTIPART = /^multipart\/form-data\b/i;
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\b/i;

/**
 * The fields of a body that was read as bytes: urlencoded, multipart without files, or JSON.
 * @throws HttpError 400 for a malformed body, 415 for another type or a file.
 */
async function sentFields(req: Request): Promise<SentFields> {
  const type = req.headers["content-type"] ?? "";
  const body: unknown = req.body;
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  if (JSON_TYPE.test(type)) return jsonBody(bytes);
  if (URLENCODED.test(type)) return grouped([...new URLSearchParams(decoded(bytes))]);
  if (MULTIPART.test(type)) return grouped(await parts(bytes, type));
  throw new HttpError(
    415,
    "expected Content-Type application/x-www-form-urlencoded, multipart/form-data or application/json",
    { code: "ERR_FORMS_BODY" },
  );
}

function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw malformed("the body is not valid UTF-8");
  }
}

async function parts(bytes: Buffer, type: string): Promise<[string, string][]> {
  const form = await new Response(new Uint8Array(bytes), { headers: { "content-type": type } })
    .formData()
    .catch(() => {
      throw malformed("the body is not valid multipart/form-data");
    });
  return [...form].map(([name, value]) => {
    if (typeof value === "string") return [name, value];
    // An empty file control sends a file without a name.
    if (value.size === 0 && value.name === "") return [name, ""];
    throw new HttpError(415, `${JSON.stringify(name.slice(0, 80))}: files are not accepted`, {
      code: "ERR_FORMS_BODY",
    });
  });
}

function grouped(pairs: readonly (readonly [string, string])[]): SentFields {
  if (pairs.length > MAX_FIELDS) throw malformed(`the form has more than ${MAX_FIELDS} fields`);
  const all = new Map<string, string[]>();
  for (const [name, value] of pairs) all.set(name, [...(all.get(name) ?? []), value]);
  return Object.fromEntries(
    [...all].map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
}

function malformed(message: string): HttpError {
  return new HttpError(400, message, { code: "ERR_FORMS_BODY" });
}
