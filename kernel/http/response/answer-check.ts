/** Checks of responses that handlers set. */
import { validateHeaderName, validateHeaderValue } from "node:http";
import { expectFields, expectKind, expectOptional, type ValueCheck } from "#lib/values";

/** A status of a final response: RFC 9110, section 15. */
export const expectStatus: ValueCheck = (value) =>
  typeof value === "number" && Number.isInteger(value) && value >= 200 && value <= 599
    ? null
    : `expected a status from 200 to 599, received ${JSON.stringify(value) ?? "nothing"}`;

const isObject = expectKind("object");

const isText = expectKind("string");

const expectType: ValueCheck = (value) =>
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

const expectHeaders: ValueCheck = (value) => {
  if (value === undefined) return null;
  const problem = isObject(value);
  if (problem !== null) return problem;
  for (const [name, text] of Object.entries(Object(value))) {
    const wrong = headerProblem(name, String(text));
    if (wrong !== null) return wrong;
  }
  return null;
};

const isAnswer = expectFields({
  type: expectType,
  body: ["string", "bytes"],
  status: expectOptional(expectStatus),
  headers: expectHeaders,
});

/** An `Answer`, or null for none. */
export const expectAnswer: ValueCheck = (value) => (value === null ? null : isAnswer(value));

/** A value that JSON has, at its top level; what is inside is found when it is written. */
export const expectJson: ValueCheck = expectKind("object", "string", "number", "boolean", "null");
