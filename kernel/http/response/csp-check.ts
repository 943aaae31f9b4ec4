import { expectEach, expectValues, shownValue, type ValueCheck } from "#lib/values";

/** Clients limit all headers of a response together, many of them to 16 KB. */
const MAX_CHARACTERS = 4_096;

/** A directive: CSP3, section 2.3. */
const DIRECTIVE = /^[a-zA-Z0-9-]+$/;
/** Visible ASCII without the characters that end a source, a directive or a policy. */
const SOURCE = /^[!-+\--:<-~]+$/;

const expectSources = expectValues(
  expectEach((value) =>
    typeof value === "string" && SOURCE.test(value)
      ? null
      : `expected one source such as "https://maps.example", in ASCII, received ${shownValue(value)}`,
  ),
);

/**
 * Checks sources by directive of a Content-Security-Policy. A header that cannot be sent, or that clients
 * refuse, would break every page.
 */
export const expectCsp: ValueCheck = (value) => {
  const problem = expectSources(value);
  if (problem !== null) return problem;
  const directives: Readonly<Record<string, readonly string[]>> = Object(value);
  const wrong = Object.keys(directives).find((name) => !DIRECTIVE.test(name));
  if (wrong !== undefined) {
    return `expected a directive such as "img-src", received ${shownValue(wrong)}`;
  }
  const { length } = Object.entries(directives).flat(2).join(" ");
  return length <= MAX_CHARACTERS
    ? null
    : `expected at most ${MAX_CHARACTERS} characters of sources, received ${length}`;
};
