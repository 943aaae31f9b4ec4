/** What a caller of the incoming webhook has sent. */
import type { Request } from "express";
import { HttpError, jsonBody } from "#kernel";

/** A call, taken apart. */
export interface IncomingCall {
  /** Empty when none was sent. */
  token: string;
  /** Null: everything the token may ask for. */
  actions: readonly string[] | null;
}

/** The token of the header alone; null when there is no bearer header. */
export function headerToken(req: Request): string | null {
  const header = req.headers.authorization;
  if (header === undefined) return null;
  const match = /^bearer(?:\s+(.*))?$/is.exec(header.trim());
  return match === null ? null : (match[1] ?? "").trim();
}

/** Reads the body; an empty one is a call without fields. Throws HttpError 400. */
export function parseBody(bytes: unknown): Record<string, unknown> {
  return Buffer.isBuffer(bytes) && bytes.length > 0 ? jsonBody(bytes) : {};
}

/** The token of a body; anything but text is none. */
export function bodyToken(body: Record<string, unknown>): string {
  return Object.hasOwn(body, "token") && typeof body["token"] === "string" ? body["token"] : "";
}

/** The actions asked for. Throws HttpError 400 when they are not a list of names. */
export function parseActions(body: Record<string, unknown>): readonly string[] | null {
  const actions = Object.hasOwn(body, "actions") ? body["actions"] : undefined;
  if (actions === undefined) return null;
  if (!Array.isArray(actions) || !actions.every((action) => typeof action === "string")) {
    throw new HttpError(400, "actions must be a list of names: rebuild, purge-cache");
  }
  return actions;
}
