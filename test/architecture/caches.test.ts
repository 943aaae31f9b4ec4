import assert from "node:assert/strict";
import { codeOf, filesOf } from "../support/repository.js";

// The page "Caching" says what is cached outside of site.cache.
const IMMUTABLE = [
  "ActiveTheme",
  "Answer",
  "Buffer",
  "Generation",
  "HeaderBlock",
  "MediaItem",
  "NavItem",
  "Page",
  "PageEntry",
  "PagePlace",
  "SearchQuery",
  "SidebarEntry",
];
const OF_ONE_REQUEST = ["PageRequest", "Req", "Request", "Response"];

/** Files whose WeakMaps have other keys. */
const others: Record<string, string> = {
  "kernel/http/response/csp.ts": "blocks of headers, which the writer of responses makes once",
  "lib/http/paced-writes.ts": "notes about a response",
  "lib/http/sent-responses.ts": "a note about a connection",
  "lib/yaml/edits.ts": "the tokens of one edit",
  "plugins/admin/route-table.ts": "a note about a request",
  "plugins/content/view/stand-ins.ts": "pages and entries, in one generation of the index",
  "plugins/markdown/parse/nesting.ts": "the elements of one parse",
  "plugins/pages/routes/send.ts": "entries and listings",
  "plugins/render/page/markup-cache.ts": "numbers that stand for objects in keys of site.cache",
  "plugins/session/routes/request-session.ts": "prototypes that have the property already",
  "plugins/static/make/in-process-client.ts": "a note about a connection",
};

describe("caches outside of site.cache", () => {
  const found = filesOf("{kernel,lib,plugins}/**/*.{ts,tsx}")
    .filter((file) => !/\/(client|scaffold)\//.test(file))
    .flatMap((file) =>
      [...codeOf(file).matchAll(/\bWeak(?:Map|Set)<\s*(?:readonly )?(\w+)/g)].map(
        ([, key = ""]): [file: string, key: string] => [file, key],
      ),
    );

  it("are keyed by an immutable object, with which they end, or by a request", () => {
    const known = [...IMMUTABLE, ...OF_ONE_REQUEST];
    assert.deepEqual(
      found.filter(([file, key]) => !known.includes(key) && !(file in others)),
      [],
      "open a space with site.cache.open(), or key the WeakMap by what its values were made from",
    );
  });

  it("are all needed in the lists above", () => {
    const keys = new Set(found.map(([, key]) => key));
    assert.deepEqual(
      [...IMMUTABLE, ...OF_ONE_REQUEST].filter((key) => !keys.has(key)),
      [],
    );
    const files = new Set(found.map(([file]) => file));
    assert.deepEqual(
      Object.keys(others).filter((file) => !files.has(file)),
      [],
    );
  });
});
