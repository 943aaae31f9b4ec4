/** What handlers of the hooks of this plugin may set. */
import { expectEach, expectFields } from "#kernel";

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
