/** Reads the fields of a request: urlencoded, multipart without files, or JSON. */
import type { Request } from "express";
import { HttpError, jsonBody } from "#kernel";
import type { SentFields } from "../contract.js";

/** Bytes of a body. */
export const MAX_BYTES = 262_144;
const MAX_FIELDS = 500;
const URLENCODED = /^application\/x-www-form-urlencoded\b/i;
const MULTIPART = /^multipart\/form-data\b/i;
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\b/i;

/**
 * The fields of a body that was read as bytes.
 * @throws HttpError 400 for a malformed body, 415 for another type or a file.
 */
export async function sentFields(req: Request): Promise<SentFields> {
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

/** True for a body that is JSON. */
export function isJsonBody(req: Request): boolean {
  return JSON_TYPE.test(req.headers["content-type"] ?? "");
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
