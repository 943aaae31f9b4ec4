/** What handlers of the hooks of this plugin may set. */
import { expectFields, type ValueCheck } from "#kernel";

const entry = expectFields({
  sourcePath: ["string"],
  folder: ["string"],
  route: ["string"],
  url: ["string"],
  lang: ["string"],
  format: ["string"],
  template: ["string"],
  title: ["string"],
  frontmatter: ["object"],
});

const MATCHES: ReadonlyMap<unknown, ValueCheck> = new Map([
  ["page", expectFields({ entry, lang: ["string"], pageNumber: ["number"] })],
  ["redirect", expectFields({ to: ["string"], status: expectRedirect })],
  ["gated", expectFields({ entry, lang: ["string"], need: ["string"] })],
  ["none", () => null],
]);

function expectRedirect(status: unknown): string | null {
  return status === 301 || status === 302
    ? null
    : `expected 301 or 302, received ${JSON.stringify(status)}`;
}

const hasKind = expectFields({ kind: ["string"] });

function expectMatch(value: unknown): string | null {
  const problem = hasKind(value);
  if (problem !== null) return problem;
  const kind: unknown = Reflect.get(Object(value), "kind");
  const check = MATCHES.get(kind);
  if (check !== undefined) return check(value);
  return `kind: expected one of ${[...MATCHES.keys()].join(", ")}, received ${JSON.stringify(kind)}`;
}

/** Payload of onRouteResolved. */
export const routeResolved = expectFields({ req: ["object"], match: expectMatch });

/** Payload of onBeforeRender. A template that fails on changed props is rendered with the site's own. */
export const beforeRender = expectFields({
  req: ["object"],
  page: ["object", "null"],
  template: ["string"],
  props: ["object"],
});

/** Payload of onAfterRender. */
export const afterRender = expectFields({
  req: ["object"],
  page: ["object", "null"],
  html: ["string"],
});
