/** Checks of what handlers send. */
import { validateHeaderName, validateHeaderValue } from "node:http";
import { expectKind, type ValueCheck } from "#lib/values";

/** A status of a final response: RFC 9110, section 15. */
export const expectStatus: ValueCheck = (value) =>
  typeof value === "number" && Number.isInteger(value) && value >= 200 && value <= 599
    ? null
    : `expected a status from 200 to 599, received ${JSON.stringify(value) ?? "nothing"}`;

const isText = expectKind("string");

/** A text that can be sent as `Content-Type`. */
export const expectContentType: ValueCheck = (value) =>
  isText(value) ?? headerProblem("Content-Type", String(value));

function headerProblem(name: string, text: string): string | null {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, text);
    return null;
  } catch (error) {
    return `${JSON.stringify(name)} is no header: ${error instanceof Error ? error.message : String(error)}`;
  }
}

const isObject = expectKind("object");

/** Header names and values that can be sent, or nothing. */
export const expectHeaders: ValueCheck = (value) => {
  if (value === undefined) return null;
  const problem = isObject(value);
  if (problem !== null) return problem;
  for (const [name, text] of Object.entries(Object(value))) {
    const wrong = headerProblem(name, String(text));
    if (wrong !== null) return wrong;
  }
  return null;
};
