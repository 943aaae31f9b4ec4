import { nearest } from "#lib/values";
import { HttpError } from "#lib/errors";

const MAX_SHOWN = 64;

/** A 400 that names the parameter. */
export function queryError(parameter: string, message: string): HttpError {
  const name = parameter.slice(0, MAX_SHOWN);
  return new HttpError(400, `${name}: ${message}`, {
    code: "ERR_HTTP_PARAMETER",
    details: [{ parameter: name, message }],
  });
}

/** A received text for a message. */
export function shownText(text: string): string {
  return JSON.stringify(text.slice(0, MAX_SHOWN));
}

/** A 400 for an unknown name, with the nearest one. */
export function unknownName(parameter: string, name: string, names: readonly string[]): HttpError {
  const hint = nearest(name, names);
  const rest = hint === null ? "" : `, did you mean ${hint}?`;
  return queryError(parameter, `unknown name ${shownText(name)}${rest}`);
}
