import { expectEach, expectValues, shownValue, type ValueCheck } from "#lib/values";

/** Sources by directive. */
export type CspSources = Readonly<Record<string, readonly string[]>>;

/** Name of the header. */
export const CSP_HEADER = "Content-Security-Policy";

/**
 * A policy with more sources. A directive that it lacks starts with the sources of `default-src`, which
 * browsers apply to it; `'none'` gives way to other sources.
 */
export function withCspSources(policy: string, sources: CspSources): string {
  const directives = new Map(
    policy.split(";").flatMap((text) => {
      const [name, ...values] = text.trim().split(/\s+/);
      return name ? [[name, values] as const] : [];
    }),
  );
  for (const [name, added] of Object.entries(sources)) {
    const inherited = name.endsWith("-src") ? directives.get("default-src") : undefined;
    const known = directives.get(name) ?? inherited ?? [];
    directives.set(name, [...new Set([...known.filter((one) => one !== "'none'"), ...added])]);
  }
  return [...directives].map(([name, values]) => [name, ...values].join(" ")).join("; ");
}

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
