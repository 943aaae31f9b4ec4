/** Checks the payloads that handlers of this plugin's hooks set. */
import { expectEach, expectFields, type ValueCheck } from "#kernel";

/** A page entry, as the site and themes read it. */
export const entry = expectFields({
  sourcePath: ["string"],
  folder: ["string"],
  route: ["string"],
  url: ["string"],
  lang: ["string"],
  format: ["string"],
  template: ["string"],
  title: ["string"],
  navTitle: ["string"],
  date: ["string", "null"],
  taxonomy: ["object"],
  frontmatter: ["object"],
  roles: ["object", "null"],
  hash: ["string"],
  mtimeMs: ["number"],
  bodyOffset: ["number"],
});

const media = expectEach(
  expectFields({
    name: ["string"],
    url: ["string"],
    type: ["string"],
    size: ["number"],
    meta: ["object"],
    mtimeMs: ["number"],
  }),
);

/** Payload of onMediaDiscovered. */
export const mediaDiscovered = expectFields({ media, page: entry });

/** Payload of onPageLoaded. */
export const pageLoaded = expectFields({
  page: expectFields({ entry, raw: ["string"], body: ["string"], media }),
});

/** Payload of onCollectionResolved. Items may be rows of another source. */
export const collectionResolved = expectFields({
  query: ["object"],
  collection: expectFields({
    items: expectEach(expectFields({ route: ["string"], url: ["string"], title: ["string"] })),
    total: ["number"],
    page: ["number"],
    pages: ["number"],
    hasNext: ["boolean"],
    hasPrev: ["boolean"],
  }),
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
