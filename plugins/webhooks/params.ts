/** Parses the input of an incoming webhook. */
import { HttpError, jsonBody } from "#kernel";

/** The token of header `Authorization`; null when it is not a bearer header. */
export function headerToken(header: string | undefined): string | null {
  if (header === undefined) return null;
  const match = /^bearer(?:\s+(.*))?$/is.exec(header.trim());
  return match === null ? null : (match[1] ?? "").trim();
}

/** Reads the body; an empty one has no fields. @throws HttpError 400 */
export function parseBody(bytes: unknown): Record<string, unknown> {
  return Buffer.isBuffer(bytes) && bytes.length > 0 ? jsonBody(bytes) : {};
}

/** The token of a body; empty when it is not text. */
export function bodyToken(body: Record<string, unknown>): string {
  return Object.hasOwn(body, "token") && typeof body["token"] === "string" ? body["token"] : "";
}

/** The requested actions. @throws HttpError 400 when they are not a list of names. */
export function parseActions(body: Record<string, unknown>): readonly string[] | null {
  const actions = Object.hasOwn(body, "actions") ? body["actions"] : undefined;
  if (actions === undefined) return null;
  if (!Array.isArray(actions) || !actions.every((action) => typeof action === "string")) {
    throw new HttpError(400, "actions must be a list of names: rebuild, purge-cache");
  }
  return actions;
}
