import assert from "node:assert/strict";
import { QUERY_PARAMETERS } from "#lib/query";
import type { OpenApiDocument, Parameter } from "../../plugins/openapi/contract.js";
import { bootSite, type TestSite } from "../support/sites/boot-site.js";
import { picture } from "../support/content/pictures.js";

/** The address of each described path. */
const PLACES: Readonly<Record<string, string>> = {
  "/api/pages": "/api/pages",
  "/api/pages/": "/api/pages/",
  "/api/pages/{route}": "/api/pages/about",
  "/api/pages/{route}/children": "/api/pages/about/children",
  "/api/pages/{route}/media": "/api/pages/about/media",
  "/api/pages/{route}/related": "/api/pages/about/related",
  "/api/changes": "/api/changes",
  "/api/collections": "/api/collections",
  "/api/taxonomy": "/api/taxonomy",
  "/api/taxonomy/{name}": "/api/taxonomy/topic",
  "/api/taxonomy/{name}/{value}": "/api/taxonomy/topic/x",
  "/api/nav": "/api/nav",
  "/api/search": "/api/search",
  "/api/search/suggest": "/api/search/suggest",
  "/api/flex/{type}": "/api/flex/boat",
  "/content-media/{path}": "/content-media/02.about/a.png",
};
/** Accepted parameters that are not in schemas: names that handlers parse themselves. */
const PARSED: Readonly<Record<string, readonly string[]>> = {
  "/api/pages": ["taxonomy.topic", "taxonomy.kind", ...QUERY_PARAMETERS],
  "/api/collections": QUERY_PARAMETERS,
  "/api/flex/{type}": ["limit", "offset", ...QUERY_PARAMETERS],
  "/content-media/{path}": "width w height h quality q format f fit focal".split(" "),
};
const ALIASES: Readonly<Record<string, string>> = {
  w: "width",
  h: "height",
  f: "format",
};
/** A value that no validated parameter accepts. */
const NONSENSE = "no:such:value";
/** Any text is valid for these, or an invalid one means the default. */
const FREE = /^(?:q|template|type|explain|since|taxonomy\..*|focal|fit)$/;

describe("the query parameters of /_site/openapi.json", () => {
  let site: TestSite;
  let document: OpenApiDocument;
  before(async () => {
    site = await bootSite({
      files: {
        "site.yaml": "title: T\nurl: http://127.0.0.1:9\ntaxonomies: [topic, kind]\n",
        "system.yaml":
          "languages: { supported: [en, de] }\nsearch: { facets: [{ field: template }] }\n",
        "content/01.home/default.md": "# Home\n",
        "content/02.about/default.md": "---\ntaxonomy: { topic: x }\n---\n# About\n",
        "content/02.about/a.png": await picture(400, 300),
        "flex-objects/boat.yaml": "title: Boats\nfields: { name: { type: text } }\n",
      },
      plugins: ["pages", "search", "flex", "media", "openapi", "feeds", "render"],
      settings: { system: { server: { rate_limit: false } } },
    });
    document = (await (await site.fetch("/_site/openapi.json")).json()) as OpenApiDocument;
  });
  after(() => site.close());
  const declared = (path: string): Parameter[] =>
    (document.paths[path]?.["get"]?.parameters ?? []).filter((one) => one.in === "query");

  it("belong to paths that this test requests, all of them", () => {
    const withQuery = Object.keys(document.paths).filter((path) => declared(path).length > 0);
    assert.deepEqual(withQuery.toSorted(), Object.keys(PLACES).toSorted());
  });

  it("are those that responses depend on", () => {
    const all = new Set(
      Object.keys(PLACES).flatMap((path) => declared(path).map(({ name }) => name)),
    );
    for (const route of site.site.context("openapi").http.routes) {
      const { parameters, path, hidden } = route;
      if (parameters === undefined || hidden === true) continue;
      const template = path.replace(/[:*](\w+)/g, "{$1}");
      const accepted = [...all].filter((name) => parameters(name));
      assert.deepEqual(
        declared(template)
          .map(({ name }) => name)
          .toSorted(),
        accepted.toSorted(),
        path,
      );
    }
  });

  for (const [path, place] of Object.entries(PLACES)) {
    it(`of ${path} match its validators`, async () => {
      const names = declared(path).map(({ name }) => name);
      for (const name of PARSED[path] ?? []) assert.ok(names.includes(name), name);
      for (const { name, schema, style } of declared(path)) {
        if (FREE.test(name)) continue;
        const key = style === "deepObject" ? name : encodeURIComponent(name);
        const answer = await site.fetch(`${place}?${key}=${NONSENSE}`);
        assert.equal(answer.status, 400, `${name} ${JSON.stringify(schema)}`);
        // An alias is reported under its canonical name.
        const text = JSON.stringify(await answer.json());
        assert.match(text, new RegExp(`"error":"${ALIASES[name] ?? name}`), text);
      }
      const unknown = await site.fetch(`${place}?no-such-parameter=${NONSENSE}`);
      assert.equal(unknown.status, 200, "unknown parameters are ignored");
    });
  }
});
